"""A study as floors and ceilings on ε over the axis of N (design idea 1).

At fixed δ, and with each person paid by one convex rule, the feasible (N, N·ε) form a convex set:
each floor times N is convex in N, each ceiling times N is concave (design idea 2). Two things break
convexity, and both are taken apart here: a cap on the compensation gives two regions, one for
each rule of payment; a free δ is cut into cells [δ low, δ high], on which floors are read at the
high end and ceilings and costs at the low end, so that a region over a cell contains every study
with δ in it. Two more are left whole: risks that stop at certainty, and, without a curator, floors
whose N·ε grows. There `falling` and `proof.none` rely on floors and ceilings that fall alone.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

from planner import numbers
from planner.answer.problem.goal import Goal, reading
from planner.model import Condition, Costs
from planner.model.payment import Payment
from planner.numbers import Number, NumberSystem


@dataclass(frozen=True)
class Region:
    """Floors and ceilings over N, for one rule of payment and one δ (or cell of δ).

    Attributes:
        conditions: what must hold.
        person: how a person is paid.
        costs: money beside compensation.
        delta_low: δ at which ceilings and costs are read.
        delta_high: δ at which floors are read.
        system: the number system that answers come in.
    """

    conditions: tuple[Condition, ...]
    person: Payment
    costs: Costs
    delta_low: float
    delta_high: float
    system: NumberSystem = field(default=numbers.FLOATS, repr=False)

    @cached_property
    def in_arrays(self) -> "Region":
        """The same with floors that are quick over arrays of N, and arrays as its numbers."""
        conditions = reading(self.conditions, "approximate")
        return replace(self, conditions=conditions, system=numbers.arrays())

    @cached_property
    def in_fractions(self) -> "Region":
        """The same with fractions as its numbers."""
        return replace(self, system=numbers.FRACTIONS)

    @cached_property
    def floors(self) -> list[Condition]:
        return _overriding(self.conditions, "epsilon_floor")

    @cached_property
    def ceilings(self) -> list[Condition]:
        return _overriding(self.conditions, "epsilon_ceiling")

    @cached_property
    def _low(self) -> Number:
        """The smallest δ in the number system of the region."""
        return self.system.number(self.delta_low)

    @cached_property
    def _high(self) -> Number:
        """The largest δ in the number system of the region."""
        return self.system.number(self.delta_high)

    @cached_property
    def participants_ceiling(self) -> float:
        """The N that no study here passes: a whole number, decided exactly, or ∞."""
        return min(
            (
                condition.participants_ceiling(self.delta_low, self.person, self.costs)
                for condition in self.conditions
            ),
            default=math.inf,
        )

    def floor(self, participants: Number) -> Number:
        """The highest floor on ε at N."""
        highest = self.system.number(0.0)
        for condition in self.floors:
            floor = condition.epsilon_floor(participants, self._high)
            highest = self.system.maximum(highest, floor)
        if len(self.floors) > 1:  # another one may lie over that of the target
            for goal in (c for c in self.floors if isinstance(c, Goal)):
                highest = goal.still_reached(highest, participants, self._high)
        return highest

    def ceiling(self, participants: Number) -> Number:
        """The lowest ceiling on ε at N."""
        lowest = self.system.infinity
        for condition in self.ceilings:
            ceiling = condition.epsilon_ceiling(participants, self._low, self.person, self.costs)
            lowest = self.system.minimum(lowest, ceiling)
        return lowest

    def gap(self, participants: Number) -> Number:
        """N·(ceiling − floor), concave in N: some ε is allowed at N where it is not negative."""
        n = self.system.number(participants)
        floor = self.floor(n)
        if floor == self.system.infinity:
            return -self.system.infinity
        return n * (self.ceiling(n) - floor)

    @cached_property
    def n_epsilon_grows(self) -> bool:
        """Whether N times the floor grows with N without end."""
        return any(condition.n_epsilon_grows for condition in self.conditions)

    @cached_property
    def convex(self) -> bool:
        """Whether it may be searched by bisection: people and floors are convex."""
        return not any(c.in_cells for c in self.conditions)

    def n_epsilon_floor(self, participants: int = 1) -> Number:
        """The infimum of N·floor over so many people or more."""
        highest = self.system.number(0.0)
        for condition in self.conditions:
            least = condition.n_epsilon_floor_from(participants, self._high)
            highest = self.system.maximum(highest, least)
        return highest

    def n_epsilon_room(self) -> Number:
        """An upper bound on the gap at every N, reached in the limit where N is not bounded."""
        return self._n_epsilon_ceiling() - self.n_epsilon_floor()

    def n_epsilon_room_from(self, participants: int) -> Number:
        """The same at this many people or more, who have no more ε than the ceiling here."""
        asked = self.n_epsilon_floor()
        for condition in self.conditions:
            more = condition.n_epsilon_floor_from(participants, self._high)
            asked = self.system.maximum(asked, more)
        return self._n_epsilon_ceiling() - asked

    def _n_epsilon_ceiling(self) -> Number:
        lowest = self.system.infinity
        for condition in self.conditions:
            ceiling = condition.n_epsilon_ceiling(self._low, self.person, self.costs)
            lowest = self.system.minimum(lowest, ceiling)
        return lowest

    def cost(self, participants: Number, epsilon: Number) -> Number:
        """What the study costs at N and ε."""
        owed = self.person.compensation(epsilon, self._low)
        return self.costs.total(participants, owed)

    def cost_at_floor(self, participants: Number) -> Number:
        """What the cheapest study of N people costs; convex in N."""
        return self.cost(participants, self.floor(participants))

    @property
    def entry_cost(self) -> float:
        """What one more person costs at the least, whatever ε is [money]."""
        owed = self.costs.payment(self.person.least_compensation(self.delta_low))
        return float(owed + self.costs.recruiting(numbers.FLOATS))

    @cached_property
    def without_coins(self) -> "Region":
        """The region in which half a coin a person stands for rounding: its costs are smooth."""
        coin, costs = self.costs.smallest_coin, self.costs
        if not (coin and self.person.paid_for_epsilon):
            return replace(self, costs=replace(costs, smallest_coin=0.0))
        each = costs.per_person + coin / 2
        return replace(self, costs=replace(costs, smallest_coin=0.0, per_person=each))


def _overriding(conditions: tuple[Condition, ...], method: str) -> list[Condition]:
    return [c for c in conditions if getattr(type(c), method) is not getattr(Condition, method)]
