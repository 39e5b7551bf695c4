"""A study as floors and ceilings on ε over the axis of N (design idea 1).

At fixed δ, and with each person paid by one rule, the feasible (N, N·ε) form a convex set: each
floor times N is convex in N, each ceiling times N is concave (design idea 2). Two things break
convexity, and both are taken apart here: a cap on the compensation gives two regions, one for
each rule of payment; a free δ is cut into cells [δ low, δ high], on which floors are read at the
high end and ceilings and costs at the low end, so that a region over a cell contains every study
with δ in it.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

from planner import numbers
from planner.mechanisms import Mechanism
from planner.model import (
    Accuracy,
    Choice,
    Condition,
    Costs,
    Delta,
    DeltaAtMost,
    DeltaTimesNAtMost,
    Individual,
    Study,
)
from planner.model.conditions import Piece
from planner.numbers import Number, NumberSystem


@dataclass(frozen=True)
class Accurate(Condition):
    """The study's accuracy as one more condition: a floor on ε."""

    mechanism: Mechanism
    target: Accuracy

    @property
    def label(self) -> str:
        """The target's phrase."""
        return self.target.label

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The mechanism's floor at the target."""
        number = numbers.of(participants, delta).number
        error, failure = number(self.target.error), number(self.target.failure)
        return self.mechanism.epsilon_floor(participants, error, failure, delta)

    def signal_floor(self, delta: Number) -> Number:
        """The mechanism's least signal at the target."""
        number = numbers.of(delta).number
        return self.mechanism.signal_floor(
            number(self.target.error), number(self.target.failure), delta
        )

    def failure(self, plan: Choice) -> Number:
        """The failure probability that the plan achieves."""
        error = numbers.of(*plan).number(self.target.error)
        return self.mechanism.failure_probability(
            plan.epsilon, plan.participants, error, plan.delta
        )

    def slack(self, plan: Choice, individual: Individual, costs: Costs) -> Number:
        """How far the failure probability stays below the target."""
        return numbers.of(*plan).number(self.target.failure) - self.failure(plan)


@dataclass(frozen=True)
class Region:
    """Floors and ceilings over N, for one rule of payment and one δ (or cell of δ).

    Attributes:
        conditions: what must hold.
        person: how a person is paid.
        costs: money beside compensation.
        delta_low: δ at which ceilings and costs are read.
        delta_high: δ at which floors are read.
        system: the number system that answers come in: floats to search, balls to prove.
    """

    conditions: tuple[Condition, ...]
    person: Piece
    costs: Costs
    delta_low: float
    delta_high: float
    system: NumberSystem = field(default=numbers.FLOATS, repr=False)

    @cached_property
    def floors(self) -> list[Condition]:
        """The conditions that are floors."""
        return _overriding(self.conditions, "epsilon_floor")

    @cached_property
    def ceilings(self) -> list[Condition]:
        """The conditions that are ceilings."""
        return _overriding(self.conditions, "epsilon_ceiling")

    @cached_property
    def _low(self) -> Number:
        return self.system.number(self.delta_low)

    @cached_property
    def _high(self) -> Number:
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

    def signal_floor(self) -> Number:
        """The infimum over N of N·floor."""
        highest = self.system.number(0.0)
        for condition in self.conditions:
            highest = self.system.maximum(highest, condition.signal_floor(self._high))
        return highest

    def signal_room(self) -> Number:
        """An upper bound on the gap at every N, reached in the limit where N is not bounded."""
        lowest = self.system.infinity
        for condition in self.conditions:
            ceiling = condition.signal_ceiling(self._low, self.person, self.costs)
            lowest = self.system.minimum(lowest, ceiling)
        return lowest - self.signal_floor()

    def cost(self, participants: Number, epsilon: Number) -> Number:
        """What the study costs at N and ε."""
        owed = self.person.compensation(epsilon, self._low)
        return self.costs.total(participants, owed)

    def cost_at_floor(self, participants: int) -> Number:
        """What the cheapest study of N people costs; convex in N."""
        return self.cost(participants, self.floor(participants))

    @property
    def entry_cost(self) -> float:
        """What one more person costs at the least, whatever ε is [money]."""
        return float(self.person.least_compensation(self.delta_low) + self.costs.per_person)

    def in_balls(self) -> "Region":
        """The same region in ball arithmetic."""
        return replace(self, system=numbers.balls())


def _overriding(conditions: tuple[Condition, ...], method: str) -> list[Condition]:
    return [c for c in conditions if getattr(type(c), method) is not getattr(Condition, method)]


@dataclass(frozen=True)
class Problem:
    """All that a plan must keep to: a study's accuracy and conditions, and who is paid what."""

    conditions: tuple[Condition, ...]
    individual: Individual
    costs: Costs

    @cached_property
    def approximate(self) -> bool:
        """Whether accuracy depends on δ, so that it must be searched where it is free."""
        return any(isinstance(c, Accurate) and c.mechanism.approximate for c in self.conditions)

    @cached_property
    def convex(self) -> bool:
        """Whether every region at one δ is proven convex."""
        return all(
            c.mechanism.convex(c.target.failure) for c in self.conditions if isinstance(c, Accurate)
        )

    @cached_property
    def delta_bounds(self) -> tuple[float, float]:
        """The least and the largest δ allowed; the second is lower where none is."""
        bounds = [condition.delta_bounds() for condition in (Condition(), *self.conditions)]
        return max(low for low, _ in bounds), min(high for _, high in bounds)

    def regions(self, delta_low: float, delta_high: float | None = None) -> list[Region]:
        """The convex regions at one δ, or over a cell of δ."""
        high = delta_low if delta_high is None else delta_high
        return [
            Region(self.conditions, person, self.costs, delta_low, high)
            for person in self.individual.pieces
        ]

    def with_conditions(self, *conditions: Condition) -> "Problem":
        """The same question with these conditions in place of those of the same kind."""
        kinds = {type(condition) for condition in conditions}
        kept = tuple(c for c in self.conditions if type(c) not in kinds)
        return replace(self, conditions=(*kept, *conditions))

    def without(self, *conditions: Condition) -> "Problem":
        """The same question without these conditions."""
        return replace(self, conditions=tuple(c for c in self.conditions if c not in conditions))


FREE_DELTA_SHARE = 0.01
"""Where δ is free and has no cap, δ·N is at most this: else N = 1 with δ near 1 would "win"."""


def problem(study: Study) -> Problem:
    """A study's accuracy and conditions as one list, with the cap that a free δ needs."""
    conditions: tuple[Condition, ...] = (
        Accurate(study.mechanism, study.target),
        *study.conditions,
    )
    if needs_delta_cap(study):
        conditions = (*conditions, DeltaTimesNAtMost(FREE_DELTA_SHARE))
    return Problem(conditions, study.individual, study.costs)


def needs_delta_cap(study: Study) -> bool:
    """Whether δ is free in this study and nobody has capped it."""
    capping = (Delta, DeltaAtMost, DeltaTimesNAtMost)
    return study.mechanism.approximate and not any(study.find(kind) for kind in capping)
