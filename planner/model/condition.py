"""The interface of conditions: what each bounds, and an inequality between two sides at a plan.

Each kind is a floor or a ceiling on ε at given N and δ, or a bound on the axis of N or δ; the
difference of its sides, the slack, is the room that is left, in its own unit.
"""

import math
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from planner import numbers
from planner.model.costs import Costs
from planner.model.individual import Individual
from planner.model.payment import Payment
from planner.numbers import Number


class Choice(NamedTuple):
    """The free variables of a study: ε, δ and N."""

    epsilon: Number
    delta: Number
    participants: Number


Sides: TypeAlias = tuple[Number, Number]
"""What is bounded, and its bound, in the condition's own unit."""


class Condition:
    """A condition that bounds nothing; each kind overrides what it bounds."""

    relation: ClassVar[Literal["≤", "<", "="]] = "≤"
    """How the two sides must stand to each other."""
    key: ClassVar[str] = ""
    """Its name in study files and in plain data."""
    symbols: ClassVar[dict[str, str]] = {}
    """The symbol of each field, to typeset the condition."""

    @property
    def n_epsilon_grows(self) -> bool:
        """Whether N times the floor grows with N without end."""
        return False

    @property
    def in_cells(self) -> bool:
        """Whether its floor is known to fall with N and no more, so that N is searched in cells."""
        return self.n_epsilon_grows

    @property
    def label(self) -> str:
        """The condition as a phrase within a sentence."""
        raise AttributeError

    @property
    def kind(self) -> str:
        """What it is about, in a word or two; pictures name it so."""
        return self.label

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The smallest ε allowed at N and δ; it never increases, and N times it is convex."""
        return 0

    def epsilon_ceiling(
        self, participants: Number, delta: Number, person: Payment, costs: Costs
    ) -> Number:
        """The largest ε allowed at N and δ; it never increases with N.

        N times it is concave, where the person's compensation is convex in ε (`convex`).
        """
        return numbers.of(participants, delta).infinity

    def n_epsilon_floor(self, delta: Number) -> Number:
        """The infimum over N of N times the floor, in the number system of δ."""
        return 0

    def n_epsilon_floor_from(self, participants: int, delta: Number) -> Number:
        return self.n_epsilon_floor(delta)

    def n_epsilon_ceiling(self, delta: Number, person: Payment, costs: Costs) -> Number:
        """An upper bound over N of N times the ceiling, in the number system of δ."""
        return numbers.of(delta).infinity

    def participants_ceiling(self, delta: float, person: Payment, costs: Costs) -> float:
        """The N beyond which no ε > 0 is allowed."""
        return math.inf

    def delta_bounds(self) -> tuple[float, float]:
        """The smallest and the largest δ allowed at the best N."""
        return 0.0, 1 - 2**-53  # the largest float under 1

    def sides(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Sides:
        """The two sides of the condition at a choice, in its own unit."""
        raise NotImplementedError

    def slack(self, choice: Choice, person: Individual | Payment, costs: Costs) -> Number:
        """How much room the choice leaves, in the unit of the condition."""
        left, right = self.sides(choice, person, costs)
        return -abs(right - left) if self.relation == "=" else right - left

    def kept(self, choice: Choice, person: Individual | Payment, costs: Costs) -> bool:
        """Whether the choice keeps to the condition."""
        slack = self.slack(choice, person, costs)
        return bool(slack > 0 if self.relation == "<" else slack >= 0)
