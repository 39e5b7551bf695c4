"""What an accuracy asks of ε at each N and δ: a mechanism bound to a target (design ideas 1, 5).

This is all that searches, limits, pictures and proofs read of a mechanism. Numbers are read in the
number system of N and δ: floats and arrays to search, fractions to decide.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, NamedTuple, Self

from planner import numbers
from planner.libraries import np
from planner.numbers import Array, Number

PROOF_ROOM = 0.02
"""What proofs near an edge need of an amount, as a fraction."""

SMOOTH_FROM = 2_000
"""Of more people sizes beside each other hardly differ, and the smooth guess is close."""

Shape = Literal["convex", "falling", "saw-toothed"]
"""How a floor runs over N: N times it is convex; it never rises; neither, so that nothing is found
or proved by bisection."""


@dataclass(frozen=True)
class Regularity:
    """How a floor runs over N at any fixed δ, and over α, as far as that is proven.

    Attributes:
        shape: over N.
        n_epsilon_grows: whether N·ε grows with N without end: ε falls, but more people do not get
            it cheaper.
        in_cells: whether its best N is searched in cells of N, as it is known to fall and no more.
        on_grids: whether it is searched on grids of N: one reading costs nearly as much as many.
        convex_in_failure: whether it is known to be convex in α at one N.
        stands_for_any: the ε that stands for any ε at all, where none is needed; 0 where some
            always is.
    """

    shape: Shape
    n_epsilon_grows: bool = False
    in_cells: bool = False
    on_grids: bool = False
    convex_in_failure: bool = False
    stands_for_any: float = 0.0

    @property
    def saw_toothed(self) -> bool:
        """Whether nothing is found or proved by bisection."""
        return self.shape == "saw-toothed"


CONVEX = Regularity("convex", convex_in_failure=True)
FALLING = Regularity("falling")
SAW_TOOTHED = Regularity("saw-toothed", on_grids=True, convex_in_failure=True)


class Ripple(NamedTuple):
    """How far whole numbers of people move a floor about its smooth run.

    Attributes:
        reach: how far from the best N of a grid a better one may lie, where that is known.
        first: how far from it fewer people may be enough.
        spare: what a proof that no study exists needs of an amount, as a fraction.
        alike: of so many people and more only every so manyth size is read.
    """

    reach: int = 0
    first: int = 100
    spare: float = 0.0
    alike: int = 20_000


class Floor(ABC):
    """The least ε at each N and δ."""

    @property
    @abstractmethod
    def regularity(self) -> Regularity:
        """How it runs, as far as that is proven."""

    @property
    def uses_delta(self) -> bool:
        """Whether it depends on δ, so that δ must be searched where it is free."""
        return False

    def ripple(self, participants: int) -> Ripple:
        """How far whole numbers of people move it about a best N."""
        return Ripple()

    @property
    @abstractmethod
    def allowed(self) -> Number:
        """What `achieved` may be at most: α."""

    @abstractmethod
    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability of a plan."""

    @abstractmethod
    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε, for certain; ∞ where none is allowed."""

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The same over an array of N, perhaps a little too low: to search and draw with."""
        return self.epsilon(participants, delta)

    @property
    def leaves_room(self) -> bool:
        """Whether it is a little over the least ε, so that a little more suffices for certain."""
        return False

    @property
    def without_room(self) -> Self:
        """The same without the room that it leaves for a proof."""
        return self

    def smooth(self, participants: Number, delta: Number) -> Number:
        """About the same, smooth in N: the best N by it is near the best."""
        return self.approximate(participants, delta)

    @property
    def guess_is_close(self) -> bool:
        """Whether the best N by the smooth reading is within a few people of the best."""
        return True

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """The infimum of N·ε over studies of this many people or more."""
        return numbers.of(delta).number(0.0)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """What noise alone asks of N people whose sample is perfect.

        It falls with N, and N times it is convex unless the floor depends on δ.
        """
        return self.n_epsilon(1, delta) * numbers.of(participants, delta).number(1) / participants

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The smallest N ≥ `participants` from which ε and δ always suffice."""
        return participants

    def fewer_unproved(self, participants: int) -> bool:
        """Whether fewer people may be enough, but it is not proved."""
        return False


class QuestionFloor(Floor):
    """The floor of a question with a failure probability of its own, as surveys read it."""

    error: Number
    failure: Number
    least_failure: ClassVar[float] = 0.0
    """The least failure probability that it is read at."""

    @property
    def of_whole_counts(self) -> bool:
        """Whether it is exact for counts of people who are all counted with one probability."""
        return False

    @property
    def allowed(self) -> Number:
        return self.failure

    def with_error(self, error: float) -> "QuestionFloor":
        return replace(self, error=error)  # type: ignore[type-var]

    def likely(self, rate: Array, participants: Array) -> Array:
        """About the failure probability over arrays of rates and N of one shape, smooth in both."""
        return np.asarray(self.achieved(rate, participants, 0.0))


@dataclass(frozen=True)
class FloorSum(Floor):
    """Several floors, each reached by its own part of ε: they add up (design idea 5)."""

    floors: tuple[Floor, ...]

    @property
    def regularity(self) -> Regularity:
        order = ("saw-toothed", "falling", "convex")
        return min((floor.regularity for floor in self.floors), key=lambda r: order.index(r.shape))

    @property
    def allowed(self) -> Number:
        return 1

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        return self.epsilon(participants, delta) / epsilon

    def epsilon(self, participants: Number, delta: Number) -> Number:
        return _sum(floor.epsilon(participants, delta) for floor in self.floors)

    def approximate(self, participants: Number, delta: Number) -> Number:
        return _sum(floor.approximate(participants, delta) for floor in self.floors)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        return _sum(floor.n_epsilon(participants, delta) for floor in self.floors)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        return _sum(floor.noise_alone(participants, delta) for floor in self.floors)


def _sum(values: Iterable[Number]) -> Number:
    total: Number = 0
    for value in values:
        total = value + total
    return total
