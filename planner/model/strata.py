"""Strata: groups known before anybody is asked, of which everyone belongs to one."""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from planner.checked import dataclass
from planner.checks import (
    ERROR_OF_VALUES,
    AnswerRate,
    Cost,
    DesignEffect,
    Participants,
    Positive,
    Rate,
)
from planner.mechanisms import LaplaceMean, Mechanism
from planner.model.conditions import Budget, MaxParticipants, MinParticipants
from planner.model.survey import Survey
from planner.model.target import Accuracy, deviation_share
from planner.numbers import decimal
from planner.wording import printable, quoted

if TYPE_CHECKING:
    from planner.model.study import Study


def _name(text: str) -> str:
    if not text.strip() or printable(text) != text:
        raise ValueError(f"{quoted(text)} cannot be a stratum's name; give text, such as North")
    return text.strip()


Name = Annotated[str, Field(max_length=80), AfterValidator(_name)]


@dataclass
class Stratum:
    """One group, such as a district. What is not given is as the study has it.

    Attributes:
        name: of the group, its own in a study.
        people: how many belong to it; participants are drawn from them without replacement.
        share: of a population without end, the proportion that belongs to it [(0, 1]]; people or
            proportions are given for all strata.
        error: T of its answer, in the unit of a mean of numbers; None where a survey is asked.
        times_error: for surveys, the factor on each question's error.
        base_cost, worst_cost: what its people stand to lose [money].
        per_person: what finding and asking one of them costs [money].
        response_rate: the proportion of those invited who take part [[1e-290, 1]].
        design_effect: the variance of its estimate against that of independent people [≥ 1].
        deviation_at_most: the most that the standard deviation of its values is; see `Accuracy`.
        max_participants, min_participants: how many of it take part at most, and at least.
    """

    name: Name
    people: Participants | None = None
    share: AnswerRate | None = None
    error: Annotated[float, ERROR_OF_VALUES] | None = None
    times_error: Positive | None = None
    base_cost: Cost | None = None
    worst_cost: Cost | None = None
    per_person: Cost | None = None
    response_rate: Rate | None = None
    design_effect: DesignEffect | None = None
    deviation_at_most: Positive | None = None
    max_participants: Participants | None = None
    min_participants: Participants | None = None

    @model_validator(mode="after")
    def _of_one_size(self) -> Self:
        if self.people is not None and self.share is not None:
            raise ValueError(one_size(self))
        return self

    def with_error_times(self, factor: float) -> "Stratum":
        """The stratum with its error, where it has one, times a factor [> 0]."""
        return self if self.error is None else replace(self, error=factor * self.error)


def one_size(stratum: Stratum) -> str:
    """What a stratum without a size, or with two, needs."""
    return (
        f"the stratum {quoted(stratum.name)} needs one size; give people, how many belong to it, "
        "or share, which proportion of all people does"
    )


def weights(study: "Study") -> tuple[Fraction, ...]:
    """How much the mean of each stratum counts in the one answer of a study.

    It is the proportion of all people who belong to it, and these add up to one.
    """
    sizes = [Fraction(s.people or 0) or decimal(s.share or 0.0) for s in study.strata]
    whole = sum(sizes, Fraction(0))
    return tuple(size / whole for size in sizes)


def for_all_alone(study: "Study") -> bool:
    """Whether a study with strata has one answer, and none of the strata."""
    return study.survey is None and study.accuracy.error is not None


def deviations(study: "Study") -> tuple[float | None, ...]:
    """The known deviation of each stratum, as a fraction of the range; None where none is."""
    if study.target.values is None:
        return (None,) * len(study.strata)
    return tuple(
        one.deviation_at_most and deviation_share(one.deviation_at_most, *study.target.values)
        for one in study.strata
    )


@lru_cache(maxsize=1024)
def study_of_stratum(study: "Study", one: Stratum, failure: float) -> "Study":
    """The study of one stratum by itself: without a budget, and bearing no overhead.

    Args:
        study: the study with strata.
        one: the stratum.
        failure: the stratum's failure probability [(0, 1)].

    Raises:
        ValueError: it cannot be one; the stratum is named.
    """
    costs = {"base_cost": one.base_cost, "worst_cost": one.worst_cost}
    drawn = {"response_rate": one.response_rate, "design_effect": one.design_effect}
    bounds = (MaxParticipants, one.max_participants), (MinParticipants, one.min_participants)
    together = (Budget, MaxParticipants, MinParticipants)
    try:
        return replace(
            study,
            mechanism=_mechanism(study),
            target=_target(study, one, failure),
            individual=replace(study.individual, **_given(costs)),
            conditions=(
                *(c for c in study.conditions if not isinstance(c, together)),
                *(kind(people) for kind, people in bounds if people is not None),
            ),
            costs=replace(study.costs, overhead=0.0, **_given({"per_person": one.per_person})),
            sampling=replace(study.sampling, population=one.people, **_given(drawn)),
            title=one.name,
            strata=(),
        )
    except ValueError as error:
        raise ValueError(f"stratum {quoted(one.name)}: {error}") from None


def _given(values: dict[str, Any]) -> dict[str, Any]:
    """Those that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def _mechanism(study: "Study") -> Mechanism:
    """The mechanism of a stratum; of one answer of all strata the bound on its moments alone."""
    return LaplaceMean("hoeffding") if for_all_alone(study) else study.mechanism


def _target(study: "Study", one: Stratum, failure: float) -> Accuracy | Survey:
    if study.survey is not None:
        if one.deviation_at_most is not None:
            raise ValueError("deviation_at_most is of one mean; give it in the [[question]]")
        if study.survey.failure is None:
            raise ValueError("strata divide one failure among them; give it for all questions")
        asked = replace(study.survey, failure=failure)
        return asked.with_errors_times(one.times_error) if one.times_error else asked
    whole = study.accuracy
    if whole.values is None and one.deviation_at_most is not None:
        raise ValueError("deviation_at_most is of values; give low and high, or leave it out")
    if one.error is None and whole.error is not None:  # what is known of its spread is read apart
        return replace(whole, failure=failure, deviation_at_most=None)
    if one.error is None:
        raise ValueError("its error is missing; give a fraction of 1 such as 0.1")
    if whole.values is None:
        return replace(whole, error=one.error, failure=failure)
    deviation = one.deviation_at_most or whole.deviation_at_most
    return Accuracy.of_values(one.error, *whole.values, failure, deviation)
