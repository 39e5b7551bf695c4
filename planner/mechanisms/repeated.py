"""One mechanism asked several times, its privacy losses composed (Naor; Kairouz et al. 2015)."""

from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import InstanceOf, model_validator

from planner import numbers
from planner.checked import dataclass
from planner.checks import Queries, in_range
from planner.libraries import sympy
from planner.mechanisms.floor import QuestionFloor, Ripple
from planner.mechanisms.mechanism import Mechanism, MechanismFloor
from planner.numbers import Number
from planner.privacy.shares import about_each, about_together, each, together


@dataclass
class Repeated(Mechanism):
    """Answers `times` questions of one kind, all accurate except with the failure probability.

    Each question may fail with a part α/t of it (the union bound), so what one question needs is
    what its mechanism needs at α/t. The ε of the plan is that of all answers together; by every
    rule but "basic" the plan's δ is the slack that composition needs.

    Attributes:
        of: what answers one question; ε-private.
        times: t, the number of questions [≥ 1].
        composition: "basic" adds the ε up, "advanced" is Dwork, Rothblum and Vadhan's bound,
            "closed" that of Kairouz, Oh and Viswanath's Theorem 3.4, "optimal" their exact one.
            None is optimal, but basic in a study that neither fixes nor caps δ.
    """

    kind: ClassVar[str] = "repeated"
    runs: ClassVar = "repeated"
    asks: ClassVar = "times"
    summary: ClassVar[str] = "any ε-private mechanism, asked several times"
    domain: ClassVar[str] = "as the mechanism; 0 < δ < 1, except with basic composition"
    monotone: ClassVar[str] = "as the mechanism; the failure probability falls with δ"
    symbols: ClassVar = {"times": "t"}
    convexity: ClassVar[str] = "with basic composition as for the mechanism; else not proven"

    of: InstanceOf[Mechanism]
    times: Queries
    composition: Literal["basic", "advanced", "closed", "optimal"] | None = None

    @model_validator(mode="after")
    def _pure(self) -> Self:
        """Refuse a mechanism that is (ε, δ)-private."""
        if self.of.uses_delta:
            raise ValueError(
                f"{self.of.kind} is (ε, δ)-private; only ε-private mechanisms are repeated"
            )
        return self

    def given_delta(self, spoken_of: bool) -> "Repeated":
        """With a composition that uses δ only where the study speaks of it."""
        if self.composition is not None:
            return self
        return replace(self, composition="optimal" if spoken_of else "basic")

    @property
    def rule(self) -> Literal["basic", "advanced", "closed", "optimal"]:
        """The composition rule."""
        return self.composition or "optimal"

    @property
    def uses_delta(self) -> bool:  # type: ignore[override]
        """Whether the composition uses δ."""
        return self.rule != "basic"

    @property
    def saw_toothed(self) -> bool:
        """As the mechanism; and where δ is used, since nothing else is proven."""
        return self.uses_delta or self.of.saw_toothed

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
        return f"{self.of.words}, {self.times:,} times ({self.rule} composition)"

    @property
    def one(self) -> Mechanism:
        """The mechanism that is repeated."""
        return self.of

    @property
    def composed(self) -> str:
        """How many answers, by which composition."""
        return f"{self.times:,} answers, {self.rule} composition."

    @property
    def no_opendp(self) -> str:  # type: ignore[override]
        """Each question is a call of its own."""
        return (
            f"This plan has {self.times:,} questions: with OpenDP each is a separate "
            "measurement, with its part of ε by the composition rule of the plan."
        )

    @property
    def variant(self) -> str:
        """The composition."""
        return self.rule

    def convex(self, failure: float) -> bool:
        """As the mechanism, by basic composition."""
        return not self.uses_delta and self.of.convex(failure / self.times)

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """T times that of one question at its part of ε, at most 1."""
        system = numbers.of(epsilon, participants, error, delta)
        if self.uses_delta and system is numbers.FRACTIONS:
            raise numbers.Inexact
        each = self.each(epsilon, delta)
        failure = self.times * self.of.failure_probability(each, participants, error)
        if system is numbers.symbols():
            return failure
        return system.minimum(failure, system.number(1.0))

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """One question's floor at α/t, composed."""
        return self.together(
            self.of.epsilon_floor(participants, error, failure / self.times), delta
        )

    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """T times that of one question; 0 where δ helps, as in a large study it is enough."""
        if self.uses_delta and delta > 0:
            return numbers.of(error, failure, delta).number(0.0)
        return self.times * self.of.n_epsilon_floor(error, failure / self.times)

    def n_epsilon_floor_from(
        self, participants: int, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """T times that of one question; 0 where δ helps."""
        if self.uses_delta:
            return self.n_epsilon_floor(error, failure, delta)
        return self.times * self.of.n_epsilon_floor_from(participants, error, failure / self.times)

    def floor(self, error: Number, failure: Number) -> MechanismFloor:
        """One question's, composed."""
        return _RepeatedFloor(self, error, failure)

    def each(self, epsilon: Number, delta: Number) -> Number:
        """The ε of one question, from that of all."""
        if not self.uses_delta:
            return epsilon / self.times

        return each(epsilon, self.times, delta, self.rule)

    def about_each(self, epsilon: Number, delta: Number) -> Number:
        """The same for arrays, not to the last bit."""
        if not self.uses_delta:
            return epsilon / self.times

        return about_each(epsilon, self.times, delta, self.rule)

    def about_together(self, epsilon: Number, delta: Number) -> Number:
        """The ε of all questions, from that of one, for arrays: a little less, if not the same."""
        if not self.uses_delta:
            return self.times * epsilon

        return about_together(epsilon, self.times, delta, self.rule)

    def together(self, epsilon: Number, delta: Number) -> Number:
        """The ε of all questions, from that of one."""
        if not self.uses_delta:
            return self.times * epsilon

        return together(epsilon, self.times, delta, self.rule)

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        """The union bound over one question's failure."""
        t = sympy.Symbol("t", positive=True)
        one = sympy.Symbol("Pr[one answer is off by T]", positive=True)
        return dict.fromkeys(("basic", "advanced", "closed", "optimal"), t * one)


class _RepeatedFloor(MechanismFloor):
    """One question's floor at its part α/t of the failure probability, composed."""

    mechanism: Repeated

    def ripple(self, participants: int) -> Ripple:
        """As of one question."""
        return self._one(0.0).ripple(participants)

    def approximate(self, participants: Number, delta: Number) -> Number:
        """One question's quick floor, composed."""
        one = self._one(participants, delta)
        return self.mechanism.about_together(one.approximate(participants, 0.0), delta)

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """That of one question at its part of ε, t times."""
        one = self._one(epsilon, participants)
        each = self.mechanism.about_each(epsilon, delta)
        return self.mechanism.times * one.likely(each, participants, 0.0)

    def read_often(self) -> None:
        """Prepare the one question's floor."""
        self._one(0.0).read_often()

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """What is enough for one question, composed."""
        one = self._one(participants, delta)
        return self.mechanism.together(one.sufficient(participants, 0.0), delta)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """What one question's noise asks, composed; of floats, arrays or balls."""
        system, one = numbers.of(participants, delta), self._one(participants, delta)
        none = system.number(0.0)
        alone = one.noise_alone(participants, none)
        if self.uses_delta:  # nothing is claimed convex, so the sharper of two bounds will do
            spread = one.n_epsilon(participants, none) / participants
            alone = system.maximum(alone, spread)
        return self.mechanism.together(alone, delta)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """As for one question, at its part of ε."""
        each = float(self.mechanism.each(epsilon, delta))
        return self._one(each).always_from(each, participants, 0.0)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether one question surely fails at most α/t at its part of ε."""
        each = self.mechanism.each(epsilon, delta)
        return self._one(each).certify_reached(each, participants, delta * 0)

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether one question surely misses α/t at every part of ε in [least, most]."""
        if not most.is_finite():
            return False
        low, high = (self.mechanism.each(epsilon, delta) for epsilon in (least, most))
        return self._one(low).certify_missed(low, high, participants, delta * 0)

    def _one(self, *values: Number) -> QuestionFloor:
        """The floor of one question, in the number system of some values."""
        error, failure = self.target(*values)
        return self.mechanism.of.floor(error, failure / self.mechanism.times)
