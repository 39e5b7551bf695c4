"""A study as one list of conditions: its accuracy among them, and the cap that a free δ needs."""

from dataclasses import dataclass, replace
from functools import cached_property

from planner import numbers
from planner.answer.region import Region
from planner.mechanisms import LaplaceMean, Mechanism
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
from planner.model.condition import Piece
from planner.numbers import Number


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

    def kept(self, plan: Choice, person: Individual | Piece, costs: Costs) -> bool:
        """Whether the plan is accurate; in balls the mechanism proves it."""
        system = numbers.of(*plan)
        if system is numbers.FLOATS or system is numbers.FRACTIONS:
            return super().kept(plan, person, costs)
        error, failure = system.number(self.target.error), system.number(self.target.failure)
        return self.mechanism.surely_accurate(
            plan.epsilon, plan.participants, error, failure, plan.delta
        )

    def sides(
        self, plan: Choice, person: Individual | Piece, costs: Costs
    ) -> tuple[Number, Number]:
        """The failure probability, and the target's."""
        return self.failure(plan), numbers.of(*plan).number(self.target.failure)


@dataclass(frozen=True)
class QuicklyAccurate(Accurate):
    """Accuracy with a floor that is quick over arrays of N, to search and draw with."""

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The mechanism's quick floor at the target."""
        return self.mechanism.quick_floor(
            participants, self.target.error, self.target.failure, delta
        )


@dataclass(frozen=True)
class NoiseAlone(Accurate):
    """What accuracy asks even of a perfect sample: a floor that no study can do without."""

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The mechanism's noise alone."""
        number = numbers.of(participants, delta).number
        error, failure = number(self.target.error), number(self.target.failure)
        return self.mechanism.noise_floor(participants, error, failure, delta)


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
            c.mechanism.convex(c.target.failure) or _noise_is_convex(c)
            for c in self.conditions
            if isinstance(c, Accurate)
        )

    @cached_property
    def saw_toothed(self) -> bool:
        """Whether accuracy saw-tooths in N, so that nothing is found or proved by bisection."""
        return any(
            isinstance(c, Accurate) and not isinstance(c, NoiseAlone) and c.mechanism.saw_toothed
            for c in self.conditions
        )

    @cached_property
    def noise_alone(self) -> "Problem":
        """The convex problem that every study here solves too: as if samples were perfect."""
        return replace(self, conditions=tuple(as_noise_alone(c) for c in self.conditions))

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


def exactly(study: Study) -> Study | None:
    """The same study under the exact analysis; None where it has none, or has it."""
    mechanism = study.mechanism
    if not isinstance(mechanism, LaplaceMean) or mechanism.saw_toothed or study.target.values:
        return None
    return replace(study, mechanism=replace(mechanism, analysis="exact"))


def _noise_is_convex(condition: Accurate) -> bool:
    """Whether it is noise alone that asks for the same signal at every N."""
    return isinstance(condition, NoiseAlone) and not condition.mechanism.approximate


def as_noise_alone(condition: Condition) -> Condition:
    """Accuracy as what it asks of a perfect sample; any other condition as it is."""
    if not isinstance(condition, Accurate):
        return condition
    return NoiseAlone(condition.mechanism, condition.target)


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
