"""One mechanism asked several times, its privacy losses composed (Naor; Kairouz et al. 2015)."""

from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import ConfigDict, InstanceOf, model_validator
from pydantic.dataclasses import dataclass

from planner import numbers
from planner.checks import Queries
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.ranges import in_range
from planner.numbers import Number

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Repeated(Mechanism):
    """Answers `times` questions of one kind, all of them right but with the failure probability.

    Each question may fail with a share α/t of it (the union bound), so what one question needs is
    what its mechanism needs at α/t. The ε of the plan is that of all answers together; by every
    rule but "basic" the plan's δ is the slack that composition needs.

    Attributes:
        of: what answers one question; ε-private.
        times: t, the number of questions [≥ 1].
        composition: "basic" adds the ε up, "advanced" is Dwork, Rothblum and Vadhan's bound,
            "closed" that of Kairouz, Oh and Viswanath's Theorem 3.4, "optimal" their exact one.
    """

    kind: ClassVar[str] = "repeated"
    runs: ClassVar = "repeated"
    summary: ClassVar[str] = "any ε-private mechanism, used several times"
    domain: ClassVar[str] = "as for the mechanism; 0 < δ < 1, except with basic composition"
    monotone: ClassVar[str] = "as for the mechanism; the failure probability falls with δ"
    symbols: ClassVar = {"times": "t"}
    convexity: ClassVar[str] = "with basic composition as for the mechanism; else not proven"

    of: InstanceOf[Mechanism]
    times: Queries
    composition: Literal["basic", "advanced", "closed", "optimal"] = "optimal"

    @model_validator(mode="after")
    def _pure(self) -> Self:
        if self.of.approximate:
            raise ValueError(
                f"{self.of.kind} is (ε, δ)-private; only ε-private mechanisms are repeated"
            )
        return self

    @property
    def approximate(self) -> bool:  # type: ignore[override]
        """Whether the composition uses δ."""
        return self.composition != "basic"

    @property
    def saw_toothed(self) -> bool:
        """As the mechanism; and where δ is used, since nothing else is proven."""
        return self.approximate or self.of.saw_toothed

    @property
    def sampled(self) -> bool:
        """As the mechanism."""
        return self.of.sampled

    @property
    def any_values(self) -> bool:
        """As the mechanism."""
        return self.of.any_values

    @property
    def words(self) -> str:
        """What is done how often."""
        return f"{self.of.words}, {self.times:,} times ({self.composition} composition)"

    @property
    def variant(self) -> str:
        """The composition."""
        return self.composition

    def convex(self, failure: float) -> bool:
        """As the mechanism, by basic composition."""
        return not self.approximate and self.of.convex(failure / self.times)

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """T times that of one question at its share of ε, at most 1."""
        system = numbers.of(epsilon, participants, error, delta)
        if self.approximate and system is numbers.FRACTIONS:
            raise numbers.Inexact
        each = self._each(epsilon, delta)
        found = self.times * self.of.failure_probability(each, participants, error)
        return found if system is numbers.symbols() else system.minimum(found, system.number(1.0))

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """One question's floor at α/t, composed."""
        return self._all(self.of.epsilon_floor(participants, error, failure / self.times), delta)

    def signal_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """T times that of one question; 0 where δ helps, as in a large study it is enough."""
        if self.approximate and delta > 0:
            return numbers.of(error, failure, delta).number(0.0)
        return self.times * self.of.signal_floor(error, failure / self.times)

    def noise_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """One question's at α/t, composed; of floats, arrays or balls."""
        share = failure / self.times
        alone = self.of.noise_floor(participants, error, share)
        if self.approximate:  # nothing is claimed convex, so the sharper of two bounds will do
            spread = self.of.signal_floor_from(participants, error, share) / participants
            alone = numbers.of(participants, error, failure, delta).maximum(alone, spread)
        return self._all(alone, delta)

    def signal_floor_from(
        self, participants: int, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """T times that of one question; 0 where δ helps."""
        if self.approximate:
            return self.signal_floor(error, failure, delta)
        return self.times * self.of.signal_floor_from(participants, error, failure / self.times)

    def quick_floor(
        self, participants: Number, error: float, failure: float, delta: float = 0.0
    ) -> Number:
        """One question's quick floor at α/t, composed."""
        return self._all(self.of.quick_floor(participants, error, failure / self.times), delta)

    def enough(
        self, participants: Number, error: float, failure: float, delta: float = 0.0
    ) -> Number:
        """What is enough for one question at α/t, composed."""
        return self._all(self.of.enough(participants, error, failure / self.times), delta)

    def always_from(
        self, epsilon: float, participants: int, error: float, failure: float, delta: float = 0.0
    ) -> int:
        """As one question, at its share of ε and α."""
        each = float(self._each(epsilon, delta))
        return self.of.always_from(each, participants, error, failure / self.times)

    def surely_accurate(
        self, epsilon: Number, participants: Number, error: Number, failure: Number, delta: Number
    ) -> bool:
        """Whether one question surely fails at most α/t at its share of ε; all are balls."""
        each = self._each(epsilon, delta)
        return self.of.surely_accurate(each, participants, error, failure / self.times, delta * 0)

    def surely_inaccurate(
        self,
        least: Number,
        most: Number,
        participants: int,
        error: Number,
        failure: Number,
        delta: Number,
    ) -> bool:
        """Whether one question surely misses α/t at every share of ε in [least, most]."""
        if not most.is_finite():
            return False
        ends = (self._each(least, delta), self._each(most, delta))
        return self.of.surely_inaccurate(
            *ends, participants, error, failure / self.times, delta * 0
        )

    def _each(self, epsilon: Number, delta: Number) -> Number:
        """The ε of one question, from that of all."""
        if not self.approximate:
            return epsilon / self.times
        from planner.privacy.shares import each

        return each(epsilon, self.times, delta, self.composition)

    def _all(self, epsilon: Number, delta: Number) -> Number:
        """The ε of all questions, from that of one."""
        if not self.approximate:
            return self.times * epsilon
        from planner.privacy.shares import together

        return together(epsilon, self.times, delta, self.composition)

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        """The union bound over one question's failure."""
        import sympy

        t = sympy.Symbol("t", positive=True)
        one = sympy.Symbol("Pr[one answer is off by T]", positive=True)
        return dict.fromkeys(("basic", "advanced", "closed", "optimal"), t * one)
