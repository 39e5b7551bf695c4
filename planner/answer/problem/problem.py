"""A study as one list of conditions: its accuracy among them, and the cap that a free δ needs."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf

from planner.answer.problem.goal import Goal, without_room
from planner.answer.problem.region import Region
from planner.mechanisms import kinds
from planner.model import (
    Available,
    Condition,
    Costs,
    Delta,
    DeltaAtMost,
    DeltaTimesNAtMost,
    Individual,
    Mean,
    Study,
)
from planner.model.difference import DifferenceWithin, floor_of_difference
from planner.model.strata import for_all_alone
from planner.wording import named, plain, quoted


@dataclass(frozen=True)
class Problem:
    """All that a plan must keep to: a study's accuracy and conditions, and who is paid what."""

    conditions: tuple[Condition, ...]
    individual: Individual
    costs: Costs

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """What the answer is for; none where that has been dropped."""
        return tuple(c for c in self.conditions if isinstance(c, Goal))

    @cached_property
    def uses_delta(self) -> bool:
        """Whether the goal depends on δ, so that it must be searched where it is free."""
        return any(goal.floor.uses_delta for goal in self.goals)

    @cached_property
    def convex(self) -> bool:
        """Whether every region at one δ is proven convex."""
        return all(goal.shape == "convex" for goal in self.goals)

    @cached_property
    def saw_toothed(self) -> bool:
        """Whether the goal saw-tooths in N, so that nothing is found or proved by bisection."""
        return any(goal.shape == "saw-toothed" for goal in self.goals)

    @cached_property
    def on_grids(self) -> bool:
        """Whether it is searched on grids of N."""
        return self.saw_toothed or any(goal.floor.regularity.on_grids for goal in self.goals)

    @cached_property
    def delta_bounds(self) -> tuple[float, float]:
        """The least and the largest δ allowed; the second is lower where none is."""
        bounds = [condition.delta_bounds() for condition in (Condition(), *self.conditions)]
        return max(low for low, _ in bounds), min(high for _, high in bounds)

    def regions(self, delta_low: float, delta_high: float | None = None) -> list[Region]:
        """The regions at one δ, or over a cell of δ, each with one rule of payment."""
        high = delta_low if delta_high is None else delta_high
        return [
            Region(self.conditions, person, self.costs, delta_low, high)
            for person in self.individual.pieces
        ]

    def with_conditions(self, *conditions: Condition) -> "Problem":
        """The same problem with these conditions in place of those of the same kind."""
        kinds = {type(condition) for condition in conditions}
        kept = tuple(c for c in self.conditions if type(c) not in kinds)
        return replace(self, conditions=(*kept, *conditions))

    @cached_property
    def without_room(self) -> "Problem":
        """The same with accuracies that leave no room for a proof."""
        return replace(self, conditions=without_room(self.conditions))

    def without(self, *conditions: Condition) -> "Problem":
        return replace(self, conditions=tuple(c for c in self.conditions if c not in conditions))


def problem_at_edge(study: Study) -> Problem:
    """The study as the search sees it, with no room for a short proof: to find an edge."""
    return problem_of(study).without_room


def each(study: Study) -> list[Study]:
    """The study with each of its mechanisms; itself where it has one."""
    choices = kinds.choices(study.mechanism)
    return [study.by(mechanism) for mechanism in choices] if len(choices) > 1 else [study]


def exactly(study: Study) -> Study | None:
    """The same study under the exact analysis; None where it has none, or has it."""
    if study.strata:
        return None
    exact = kinds.exactly(study.mechanism)
    shares = study.target.values is None or not kinds.is_curated(study.mechanism)
    if not exact or not shares:
        return None
    try:
        return study.by(exact)
    except ValueError:  # it is not for such a sample
        return None


def is_computed(study: Study) -> bool:
    """Whether it is a test, or of two groups: answers are then computed in floats, not proved."""
    return study.power is not None or study.groups == 2


TOLERANCE = 0.01
"""How much more than the least a plan may cost, as a fraction, where nothing else is given."""
FREE_DELTA_SHARE = 0.01
"""Where δ is free and has no cap, δ·N is at most this: else N = 1 with δ near 1 would "win"."""


@lru_cache(maxsize=1024)
def problem_of(study: Study) -> Problem:
    """A study's accuracy and conditions as one list, with the cap that a free δ needs.

    It is built once for each study: limits, prices, pictures and reports ask for it again.

    Raises:
        ValueError: the study has strata, each of which is a problem of its own.
    """
    refuse_strata(study)
    capped = () if not needs_delta_cap(study) else (DeltaTimesNAtMost(FREE_DELTA_SHARE),)
    conditions: tuple[Condition, ...] = (_goal(study), *study.conditions)
    if study.most_participants < inf:
        conditions = (*conditions, Available(int(study.most_participants)))
    return Problem((*conditions, *capped), study.individual, study.costs)


def refuse_strata(study: Study) -> None:
    """Refuse a study with strata where one problem is asked for."""
    name = study.strata[0].name if study.strata else ""
    if study.strata and for_all_alone(study):
        raise ValueError(
            "this is for one population without strata; leave the strata out, or give each an "
            f"error and leave target.error out, and choose one, as in --set stratum={named(name)}"
        )
    if study.strata:
        raise ValueError(
            "this is for one population, and each stratum is a study by itself; choose one, as in "
            f"--set stratum={named(name)}; in Python answer.stratum({quoted(name)})"
        )


def _goal(study: Study) -> Goal:
    if study.survey is not None:
        from planner.answer.problem.survey import survey_floor

        return Goal(study.survey, survey_floor(study))
    if study.power is not None and study.test is not None:
        return Goal(study.power, study.test)
    if isinstance(study.target, DifferenceWithin):
        floor = floor_of_difference(study.mechanism, study.target, study.sample)
        return Goal(study.target, floor)
    target = study.accuracy
    own = study.mechanism.floor(target.error, target.failure, study.sample)
    return Goal(target, own)


def needs_delta_cap(study: Study) -> bool:
    """Whether δ is free in this study and nobody has capped it."""
    capping = (Delta, DeltaAtMost, DeltaTimesNAtMost)
    return study.mechanism.uses_delta and not any(study.find(kind) for kind in capping)


def delta_note(study: Study) -> tuple[str, ...]:
    """A note where δ has no cap of its own."""
    if not needs_delta_cap(study):
        return ()
    return (
        f"δ is free and has no cap, so δ·N is capped at {FREE_DELTA_SHARE}; "
        "set delta_times_n_at_most or delta_at_most to choose another cap.",
    )


def range_not_used(study: Study) -> str:
    """That reports of a population are looked at for all proportions, where a range is given."""
    given = getattr(study.mechanism, "mean_range", (0.0, 1.0)) != (0.0, 1.0)
    if kinds.is_curated(study.mechanism) or not given:
        return ""
    return " It is for all proportions: for people drawn from a population no range is used."


def notes_on_none(study: Study) -> tuple[str, ...]:
    """Notes where no study is found: on δ, and on accuracies that are computed by a bound."""
    people = study.sampling.population
    endless = "is computed as for a population without end, which is safe"
    if people is not None and not kinds.is_curated(study.mechanism):
        about = f"The accuracy of randomised answers {endless}.{range_not_used(study)}"
        return *delta_note(study), about
    trusted = kinds.is_curated(study.mechanism)
    means = kinds.is_for_any_values(study.mechanism) and trusted
    if study.survey is not None:
        means = trusted and any(isinstance(q, Mean) for q in study.survey.questions)
    if not (means and kinds.is_exact(study.mechanism)):
        return delta_note(study)
    notes = [
        *delta_note(study),
        "The accuracy of a mean is computed by a bound for any values, however they are "
        "distributed; for some distributions a study might do that this bound does not show.",
    ]
    if people is not None:
        notes.append(
            f"That people are drawn from {plain(people)} is counted where more than half of them "
            'take part: analysis = "hoeffding" in [mechanism] always counts it, and may allow a '
            "study."
        )
    return tuple(notes)
