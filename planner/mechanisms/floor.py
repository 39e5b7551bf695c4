"""What an accuracy asks of ε at each N and δ: a mechanism bound to a target (design ideas 1, 5).

This is all that searches, limits, pictures and proofs read of a mechanism. Numbers are read in the
number system of N and δ: floats and arrays to search, balls to prove.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from planner import numbers
from planner.libraries import sympy
from planner.numbers import Number

PROOF_ROOM = 0.02
"""What proofs near an edge need of an amount, as a fraction."""

if TYPE_CHECKING:
    from planner.mechanisms.mechanism import Mechanism

Shape = Literal["convex", "falling", "saw-toothed"]
"""How a floor runs over N: N times it is convex; it never rises; neither, so that nothing is found
or proved by bisection."""


class Floor(ABC):
    """The least ε at each N and δ."""

    @property
    @abstractmethod
    def shape(self) -> Shape:
        """How it runs over N at any fixed δ, as far as that is proven."""

    @property
    def uses_delta(self) -> bool:
        """Whether it depends on δ, so that δ must be searched where it is free."""
        return False

    @property
    def n_epsilon_grows(self) -> bool:
        """Whether N·ε grows with N without end: ε falls, but more people do not get it cheaper."""
        return False

    @property
    def on_grids(self) -> bool:
        """Whether it is searched on grids of N: one reading costs nearly as much as many."""
        return self.shape == "saw-toothed"

    def oscillation_period(self, participants: int) -> int:
        """How far from the best N of a grid a better one may lie, where that is far."""
        return 0

    def proof_room(self, participants: int) -> float:
        """What a proof that no study exists needs of an amount, as a fraction, about a best N."""
        return 0.0

    @property
    def convex_in_failure(self) -> bool:
        """Whether it is known to be convex in α at one N."""
        return self.shape != "falling"

    @property
    def stand_in(self) -> float:
        """The ε that stands for any ε at all, where none is needed; 0 where some always is."""
        return 0.0

    @property
    def in_cells(self) -> bool:
        """Whether its best N is searched in cells of N, as it is known to fall and no more."""
        return self.n_epsilon_grows

    @property
    @abstractmethod
    def allowed(self) -> Number:
        """What `achieved` may be at most: α, or the largest expected loss."""

    @abstractmethod
    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability, or the expected loss, of a plan."""

    @abstractmethod
    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε, for certain; ∞ where none is allowed."""

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The same over an array of N, perhaps a little too low: to search and draw with."""
        return self.epsilon(participants, delta)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """An ε that suffices at each N of an array: quick, perhaps far too high, ∞ if unknown."""
        return self.epsilon(participants, delta)

    def read_often(self) -> None:  # noqa: B027 - most floors have nothing to prepare
        """Prepare for so many readings that neighbouring sizes are worth computing too."""

    def n_epsilon(self, delta: Number) -> Number:
        """The infimum over N of N·ε, which no study of any size can do without."""
        return numbers.of(delta).number(0.0)

    def n_epsilon_from(self, participants: int, delta: Number) -> Number:
        """The infimum of N·ε over studies of this many people or more."""
        return self.n_epsilon(delta)

    def of_noise(self, participants: Number, delta: Number) -> Number:
        """What noise alone asks of N people whose sample is perfect.

        It falls with N, and N times it is convex unless the floor depends on δ.
        """
        return self.n_epsilon(delta) * numbers.of(participants, delta).number(1) / participants

    def failure_between(self, n_epsilon: Number, least: int, most: int) -> Number:
        """What every N in [least, most] with N·ε ≤ `signal` fails with at least, at δ = 0.

        It falls with the signal, a ball; 0 where nothing is known.
        """
        if self.shape == "saw-toothed":
            return n_epsilon * 0
        size = numbers.balls().number(most)  # N times a floor never rises
        return self.achieved(n_epsilon / size, size, n_epsilon * 0)

    def sample_alone(self, participants: Number) -> Number:
        """What any ε fails with at least, as the sample may be off; a ball, 0 if unknown."""
        return participants * 0

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The smallest N ≥ `participants` from which ε and δ always suffice."""
        return participants

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether a plan is certain to reach it; all are balls."""
        return bool(self.achieved(epsilon, participants, delta) <= self.allowed)

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε in [least, most] is certain to miss it at N; balls, except for N."""
        return False

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] is certain to miss it at every ε up to a ball."""
        return False

    @abstractmethod
    def formula(self) -> "sympy.Expr":
        """What `achieved` is, in symbols, for typesetting."""


@dataclass(frozen=True)
class MechanismFloor(Floor):
    """What an error and a failure probability ask of a mechanism, by its own formulas.

    Attributes:
        mechanism: what answers.
        error: T [fraction of 1, (0, 1]], number or array.
        failure: α [(0, 1)], number or array.
    """

    mechanism: "Mechanism"
    error: Number
    failure: Number

    @property
    def shape(self) -> Shape:
        """As the mechanism says."""
        if self.mechanism.saw_toothed:
            return "saw-toothed"
        return "convex" if self.mechanism.convex(self.failure) else "falling"

    @property
    def uses_delta(self) -> bool:
        """Whether the mechanism is (ε, δ)-private."""
        return self.mechanism.uses_delta

    @property
    def n_epsilon_grows(self) -> bool:
        """As the mechanism says."""
        return self.mechanism.n_epsilon_grows

    @property
    def allowed(self) -> Number:
        """The failure probability α."""
        return self.failure

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability."""
        error, _ = self.target(epsilon, participants, delta)
        return self.mechanism.failure_probability(epsilon, participants, error, delta)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The mechanism's floor."""
        target = self.target(participants, delta)
        return self.mechanism.epsilon_floor(participants, *target, delta)

    def n_epsilon(self, delta: Number) -> Number:
        """The mechanism's least signal."""
        return self.mechanism.n_epsilon_floor(*self.target(delta), delta)

    def n_epsilon_from(self, participants: int, delta: Number) -> Number:
        """The mechanism's least signal of so many people or more."""
        return self.mechanism.n_epsilon_floor_from(participants, *self.target(delta), delta)

    def sample_alone(self, participants: Number) -> Number:
        """Hoeffding's 2·exp(−2NT²), where the whole error is left to the sample."""
        if self.mechanism.saw_toothed or not (self.mechanism.sampled and self.mechanism.any_values):
            return participants * 0
        error, _ = self.target(participants)
        return 2 * numbers.of(participants).exp(-2 * participants * error**2)

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """About the failure probability over arrays of ε and N of one shape."""
        return self.achieved(epsilon, participants, delta)

    def kept_back(self, participants: float) -> float:
        """By what part of α the floor stays under it, so that rounding does not matter."""
        return 0.0

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the failure probability is certain to be at most α."""
        _, failure = self.target(epsilon, participants, delta)
        return bool(self.achieved(epsilon, participants, delta) <= failure)

    def formula(self) -> "sympy.Expr":
        """The mechanism's failure probability."""
        return self.mechanism.formulas()[self.mechanism.variant]

    def target(self, *values: Number) -> tuple[Number, Number]:
        """T and α in the number system of some values."""
        number = numbers.of(*values).number
        return number(self.error), number(self.failure)


@dataclass(frozen=True)
class FloorSum(Floor):
    """Several floors, each reached by its own share of ε: they add up (design idea 5)."""

    floors: tuple[Floor, ...]

    @property
    def shape(self) -> Shape:
        """A sum of convex floors is convex, one of falling ones falls."""
        shapes: tuple[Shape, ...] = ("saw-toothed", "falling", "convex")
        return min((floor.shape for floor in self.floors), key=shapes.index)

    @property
    def allowed(self) -> Number:
        """All of ε."""
        return 1

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The share of ε that the floors add up to."""
        return self.epsilon(participants, delta) / epsilon

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The sum of the floors."""
        return _sum(floor.epsilon(participants, delta) for floor in self.floors)

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The sum of the approximate floors."""
        return _sum(floor.approximate(participants, delta) for floor in self.floors)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """The sum of what suffices for each."""
        return _sum(floor.sufficient(participants, delta) for floor in self.floors)

    def n_epsilon(self, delta: Number) -> Number:
        """The sum of the least signals."""
        return _sum(floor.n_epsilon(delta) for floor in self.floors)

    def n_epsilon_from(self, participants: int, delta: Number) -> Number:
        """The sum of the least signals of so many people or more."""
        return _sum(floor.n_epsilon_from(participants, delta) for floor in self.floors)

    def of_noise(self, participants: Number, delta: Number) -> Number:
        """The sum of what the noises ask."""
        return _sum(floor.of_noise(participants, delta) for floor in self.floors)

    def formula(self) -> "sympy.Expr":
        """One formula for each."""
        return sympy.Tuple(*(floor.formula() for floor in self.floors))


def _sum(values: Iterable[Number]) -> Number:
    """The sum of some values, in their own number system."""
    total: Number = 0
    for value in values:
        total = value + total
    return total
