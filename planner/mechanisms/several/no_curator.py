"""A survey without a curator: by lot or of everybody, whichever needs less ε."""

from dataclasses import dataclass

from planner import numbers
from planner.libraries import sympy
from planner.mechanisms.floor import Floor, Regularity, Ripple
from planner.mechanisms.several.exact_split_sample import ExactSplitSampleFloor
from planner.mechanisms.several.full_sample import (
    ExactFullSampleFloor,
    FullSampleFloor,
    full_sample,
)
from planner.mechanisms.several.split_sample import SplitQuestion, SplitSampleFloor
from planner.numbers import Number


@dataclass(frozen=True)
class EitherFloor(Floor):
    """The less of two floors of a survey without a curator.

    Attributes:
        by_lot: one question for each person.
        full_sample: all questions for each person.
    """

    by_lot: SplitSampleFloor | ExactSplitSampleFloor
    full_sample: FullSampleFloor

    def at(
        self, epsilon: float, participants: int
    ) -> SplitSampleFloor | ExactSplitSampleFloor | FullSampleFloor:
        """How a plan asks: by lot where that is enough."""
        return self.by_lot if self.by_lot.people(epsilon) <= participants else self.full_sample

    @property
    def regularity(self) -> Regularity:
        """As both are."""
        return self.by_lot.regularity

    def ripple(self, participants: int) -> Ripple:
        """Whole numbers of people are not smooth."""
        return self.by_lot.ripple(participants)

    @property
    def allowed(self) -> Number:
        """α, or the sum of all αᵢ."""
        return self.by_lot.allowed

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """That of how the plan asks."""
        way = self.at(float(epsilon), int(participants))
        return way.achieved(epsilon, participants, delta)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The less of both."""
        both = (way.epsilon(participants, delta) for way in self._ways)
        return numbers.of(participants).minimum(*both)

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The less of both."""
        both = (way.approximate(participants, delta) for way in self._ways)
        return numbers.of(participants).minimum(*both)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """The less of both."""
        both = (way.sufficient(participants, delta) for way in self._ways)
        return numbers.of(participants).minimum(*both)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """The less of both."""
        both = (way.noise_alone(participants, delta) for way in self._ways)
        return numbers.of(participants, delta).minimum(*both)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """The less of both."""
        both = (way.n_epsilon(participants, delta) for way in self._ways)
        return numbers.of(delta).minimum(*both)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The same of how the plan asks."""
        return self.at(epsilon, participants).always_from(epsilon, participants, delta)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the way that the plan asks surely reaches it."""
        way = self.at(float(epsilon.mid()), int(float(participants.mid())))
        return way.certify_reached(epsilon, participants, delta)

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether both ways are certain to miss."""
        return all(w.certify_missed(least, most, participants, delta) for w in self._ways)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether both ways are certain to miss at every N in a range."""
        return all(w.certify_missed_sizes(epsilon, least, most, delta) for w in self._ways)

    @property
    def _ways(self) -> tuple[Floor, Floor]:
        return self.by_lot, self.full_sample

    def formula(self) -> "sympy.Expr":
        """That of lots, which most plans use."""
        return self.by_lot.formula()


def no_curator(
    lots: tuple[SplitQuestion, ...], failure: float | None, exact: bool
) -> EitherFloor | ExactFullSampleFloor:
    """The floor of questions, at one α or each at its own; exactly or by Hoeffding's bound.

    One question that is asked once is put to everybody by lot too.
    """
    of_all = full_sample(lots, failure, exact)
    if isinstance(of_all, ExactFullSampleFloor) and [lot.times for lot in lots] == [1]:
        return of_all
    by_lot = ExactSplitSampleFloor if exact else SplitSampleFloor
    return EitherFloor(by_lot(lots, failure), of_all)
