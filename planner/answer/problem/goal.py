"""What the answer is for, as one more condition of a study: a floor on ε."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Protocol, Self

from planner import numbers
from planner.libraries import np
from planner.mechanisms.count_floor import CountFloor
from planner.mechanisms.floor import Floor, Shape
from planner.mechanisms.randomized_response import ReportsFloor
from planner.model import Choice, Condition, Costs
from planner.model.condition import Sides
from planner.model.individual import Individual
from planner.model.payment import Payment
from planner.numbers import Number

Reading = Literal["epsilon", "approximate", "smooth"]
"""What of a floor is read; see `Floor`."""


class Target(Protocol):
    """What must be known: the targets of `planner.model`, or several at once."""

    @property
    def kind(self) -> str:
        """What it is about, in a word or two."""

    @property
    def symbol(self) -> str:
        """The symbol of what it allows."""

    @property
    def label(self) -> str:
        """The target as a phrase."""

    def promise(self, achieved: str) -> str:
        """What a plan promises, with what it achieves written out."""


@dataclass(frozen=True)
class Goal(Condition):
    """The target is reached: what it asks of the mechanism is a floor.

    Attributes:
        target: what must be known, and how surely.
        floor: the least ε at each N and δ.
        reading: what of the floor is read.
    """

    key: ClassVar = "target"
    target: Target
    floor: Floor
    reading: Reading = "epsilon"

    @property
    def label(self) -> str:
        return self.target.label

    @property
    def kind(self) -> str:
        return self.target.kind

    @property
    def shape(self) -> Shape:
        """How what is read runs over N."""
        return self.floor.regularity.shape

    def read(self, reading: Reading) -> Self:
        return replace(self, reading=reading)

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        read = getattr(self.floor, self.reading)
        return read(participants, delta)

    def still_reached(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """An ε over the floor, ∞ where it fails too often: of few people more may fail more."""
        if self.reading == "smooth" or not isinstance(self.floor, CountFloor | ReportsFloor):
            return epsilon
        over = np.isfinite(epsilon) & (epsilon > self.epsilon_floor(participants, delta))
        if not np.any(over):
            return epsilon
        some = np.where(over, epsilon, 1.0)
        off = self.floor.achieved(some, participants, delta) > self.floor.failure
        return np.where(over & off, math.inf, epsilon)

    @property
    def n_epsilon_grows(self) -> bool:
        return self.floor.regularity.n_epsilon_grows

    @property
    def in_cells(self) -> bool:
        return self.floor.regularity.in_cells

    def n_epsilon_floor(self, delta: Number) -> Number:
        return self.floor.n_epsilon(1, delta)

    def n_epsilon_floor_from(self, participants: int, delta: Number) -> Number:
        return self.floor.n_epsilon(participants, delta)

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        achieved = self.floor.achieved(choice.epsilon, choice.participants, choice.delta)
        return achieved, numbers.of(*choice).number(self.floor.allowed)


def reading(conditions: tuple[Condition, ...], what: Reading) -> tuple[Condition, ...]:
    """The conditions with this reading of their goals' floors."""
    return tuple(c.read(what) if isinstance(c, Goal) else c for c in conditions)


def without_room(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions with floors that leave no part of α for a short proof."""
    return tuple(
        replace(c, floor=c.floor.without_room) if isinstance(c, Goal) else c for c in conditions
    )
