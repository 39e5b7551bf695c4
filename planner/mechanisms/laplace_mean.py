"""The mean of a proportion with Laplace noise: Hsu14's worked mechanism (§5.1)."""

from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import model_validator

from planner import numbers
from planner.checked import dataclass
from planner.checks import MeanRange, in_range
from planner.libraries import sympy
from planner.mechanisms import hoeffding
from planner.mechanisms.count_floor import CountFloor, formula, noisy, single, summable, whole
from planner.mechanisms.counts import Noisy
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.mechanism import Mechanism, MechanismFloor
from planner.mechanisms.sample import SIMPLE, Sample
from planner.mechanisms.sampled import HoeffdingFloor, SampledFloor
from planner.numbers import Number


@dataclass
class LaplaceMean(Mechanism):
    """The sample mean of N records from 0 to 1 plus Laplace noise of scale 1/(Nε).

    The error is relative to the population mean, so it includes the sampling error.

    Attributes:
        analysis: how the failure probability is computed. "exact" is the true one, at the worst
            mean (see `counts`); "hoeffding" is Hoeffding's inequality with the best split of the
            error between sample and noise, for records that are any numbers from 0 to 1; "paper"
            is Hsu14 eq. 5, which is looser, and for proportions.
        values: of records: "zero-one" for a proportion, "any" for numbers from 0 to 1, whose exact
            analysis is a bound that no law of their values passes (see `values`). None is
            "any" where the study's target has a range of values, else "zero-one".
        mean_range: the population means at which the answer must be accurate [in [0, 1]]; (m, m)
            is one mean. Both bounds hold for every mean, so a narrower range improves only the
            exact analysis.
    """

    kind: ClassVar[str] = "laplace-mean"
    adds: ClassVar = "laplace"
    runs: ClassVar = "mean"
    summary: ClassVar[str] = "a proportion, by the sample mean plus Laplace noise (Hsu14 §5.1)"
    domain: ClassVar[str] = "N ≥ 1, ε > 0, 0 < T ≤ 1; ε-private"
    monotone: ClassVar[str] = (
        "the bounds fall with ε, N and T; the exact failure probability falls with T, and "
        "saw-tooths in N and, in small studies, in ε"
    )
    convexity: ClassVar[str] = (
        "the bounds are convex in (N, N·ε), Hoeffding's if α ≤ e^(−1/2); not proven when exact"
    )

    analysis: Literal["exact", "hoeffding", "paper"] = "exact"
    mean_range: MeanRange = (0.0, 1.0)
    values: Literal["zero-one", "any"] | None = None

    @model_validator(mode="after")
    def _covered(self) -> Self:
        if self.analysis == "paper" and self.values == "any":
            raise ValueError(
                "values = 'any' is not allowed with analysis = 'paper', which is for proportions; "
                "give analysis = 'exact' or 'hoeffding', or leave values out"
            )
        return self

    def given_values(self) -> "LaplaceMean":
        unsaid = self.values is None and self.analysis != "paper"
        return replace(self, values="any") if unsaid else self

    @property
    def sampled(self) -> bool:
        return True

    @property
    def derivation(self) -> Literal["mean", ""]:  # type: ignore[override]
        """That of the mean, from eq. 5."""
        return "mean" if self.analysis == "paper" else ""

    @property
    def exactly(self) -> "LaplaceMean | None":
        return None if self.analysis == "exact" else replace(self, analysis="exact")

    @property
    def broadcasts(self) -> bool:
        return not self.saw_toothed

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """The largest over the range of means, or 2·exp(−NT²/12) + exp(−TNε/2) (Hsu14 eq. 5).

        Exact values are those at the means that are likely the worst, see `counts`.
        """
        if self.analysis == "exact":
            return single(self._noisy().failure(epsilon, whole(participants), error))
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
        """2·ln(1/(α − 2·exp(−NT²/12)))/(TN), the inverse of Hsu14 eq. 5 in ε; or the exact one."""
        if self.analysis == "exact":
            return single(self._noisy().least_rate(whole(participants), error, summable(failure)))
        if self.analysis == "hoeffding":
            return hoeffding.epsilon_floor(participants, error, failure)
        system = numbers.of(participants, error, failure)
        for_noise = failure - 2 * system.exp(participants * (error * error / -12))
        return system.log(for_noise) / (participants * (error / -2))

    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """What the noise alone needs: 2·ln(1/α)/T, or ln(1/α)/T where the split is free."""
        system = numbers.of(error, failure)
        noise_share = system.number(2) if self.analysis == "paper" else 1
        return -noise_share * system.log(failure) / error

    def convex(self, failure: float) -> bool:
        if self.analysis == "hoeffding":
            return failure <= hoeffding.CONVEX_UP_TO
        return self.analysis == "paper"

    def floor(self, error: Number, failure: Number) -> QuestionFloor:
        return self.floor_of_sample(error, failure, SIMPLE)

    def floor_of_sample(self, error: Number, failure: Number, sample: Sample) -> QuestionFloor:
        if self.analysis == "exact":
            return CountFloor(self, error, failure, self._noisy(sample))
        sample.refuse_deviation()
        if sample.simple:
            return MechanismFloor(self, error, failure)
        if self.analysis == "hoeffding":
            return SampledFloor(HoeffdingFloor(error, failure), sample, failure)
        return super().floor_of_sample(error, failure, sample)

    @property
    def saw_toothed(self) -> bool:
        return self.analysis == "exact"

    @property
    def any_values(self) -> bool:
        return self.analysis == "hoeffding" or self.values == "any"

    @property
    def for_shares(self) -> bool:
        """By eq. 5, the exact analysis of proportions, or where values are said to be zero-one."""
        return not self.any_values or self.values == "zero-one"

    def _noisy(self, sample: Sample = SIMPLE) -> Noisy:
        return noisy("laplace", self.values == "any", self.mean_range, sample)

    @property
    def words(self) -> str:
        values = f", {self.values} values" if self.values else ""
        return f"{self.kind} ({self.analysis}{values})"

    @property
    def variant(self) -> str:
        return "any" if self.analysis == "exact" and self.any_values else self.analysis

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        """The exact one at mean μ, Hoeffding's bound at the best split s, and Hsu14 eq. 5."""
        n, t, epsilon = sympy.symbols("N T epsilon", positive=True)
        paper = cls(analysis="paper").failure_probability(epsilon, n, t)
        return {
            "exact": formula("Z ∝ exp(−ε|z|)"),
            "any": formula("Z ∝ exp(−ε|z|)", any_values=True),
            "hoeffding": hoeffding.formula(),
            "paper": paper,
        }
