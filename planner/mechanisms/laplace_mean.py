"""The mean of a proportion with Laplace noise: Hsu14's worked mechanism (§5.1)."""

from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import ConfigDict, model_validator
from pydantic.dataclasses import dataclass

from planner import numbers
from planner.mechanisms import hoeffding
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.ranges import in_range
from planner.numbers import Number
from planner.quantities import Mean

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class LaplaceMean(Mechanism):
    """The sample mean of N zero-one records plus Laplace noise of scale 1/(Nε).

    The answer is compared with the population mean, so sampling error counts.

    Attributes:
        analysis: how the failure probability is bounded. "paper" is Hsu14 eq. 5; "hoeffding" is
            Hoeffding's inequality with the best split of the error between sample and noise,
            never worse.
        mean_range: the population means for which the analyst must be right [in [0, 1]].
            Both bounds hold for every mean, so a narrower range does not improve them.
    """

    kind: ClassVar[str] = "laplace-mean"
    summary: ClassVar[str] = "a proportion, by the sample mean plus Laplace noise (Hsu14 §5.1)"
    domain: ClassVar[str] = "N ≥ 1, ε > 0, 0 < T ≤ 1; ε-private"
    monotone: ClassVar[str] = "the failure probability falls with ε, N and T"
    convexity: ClassVar[str] = "convex in (N, N·ε); by Hoeffding proven where α ≤ e^(−1/2)"

    analysis: Literal["paper", "hoeffding"]
    mean_range: tuple[Mean, Mean] = (0.0, 1.0)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        low, high = self.mean_range
        if low > high:
            raise ValueError(f"mean_range = [{low!r}, {high!r}] is empty; give the lower end first")
        return self

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """2·exp(−NT²/12) + exp(−TNε/2) (Hsu14 eq. 5), or Hoeffding's bound at the best split."""
        if self.analysis == "hoeffding":
            return hoeffding.failure_probability(epsilon, participants, error)
        exp = numbers.of(epsilon, participants, error).exp
        sample = exp(participants * (error * error / -12))
        noise = exp(participants * epsilon * (error / -2))
        return 2 * sample + noise  # eq. 5

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """2·ln(1/(α − 2·exp(−NT²/12)))/(TN), the inverse of Hsu14 eq. 5 in ε."""
        if self.analysis == "hoeffding":
            return hoeffding.epsilon_floor(participants, error, failure)
        system = numbers.of(participants, error, failure)
        for_noise = failure - 2 * system.exp(participants * (error * error / -12))
        return system.log(for_noise) / (participants * (error / -2))

    def signal_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """What the noise alone needs: 2·ln(1/α)/T, or ln(1/α)/T where the split is free."""
        system = numbers.of(error, failure)
        noise_share = 1 if self.analysis == "hoeffding" else system.number(2)
        return -noise_share * system.log(failure) / error

    def convex(self, failure: float) -> bool:
        """Eq. 5 always; Hoeffding's bound where α ≤ e^(−1/2) (see `hoeffding`)."""
        return self.analysis == "paper" or failure <= hoeffding.CONVEX_UP_TO

    @property
    def variant(self) -> str:
        """The analysis."""
        return self.analysis

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        """Hsu14 eq. 5, and Hoeffding's bound at the split s that makes it least."""
        import sympy

        n, t, epsilon = sympy.symbols("N T epsilon", positive=True)
        paper = cls(analysis="paper").failure_probability(epsilon, n, t)
        return {"paper": paper, "hoeffding": hoeffding.formula()}
