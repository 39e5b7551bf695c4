"""What a study with strata can be, and what it cannot."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.mechanisms.difference_floor import difference_floor
from planner.model.conditions import MinParticipants
from planner.model.strata import Stratum, one_size, study_of_stratum
from planner.numbers import decimal
from planner.wording import plain, quoted

if TYPE_CHECKING:
    from planner.model.study import Study

_ANY = 0.5
"""An error and a failure probability, of which it is not asked whether they can be kept."""


def refuse_stratified(study: "Study", failure: float) -> None:
    """Refuse strata that are none, and a stratum that cannot be a study by itself.

    Args:
        study: with strata.
        failure: with which probability each of them may fail, for this.

    Raises:
        ValueError: says what to give.
    """
    if study.power is not None and study.groups == 1:
        raise ValueError("a test of one proportion is not planned for strata; leave them out")
    if study.groups == 2 and study.survey is not None:
        raise ValueError(
            "several answers are compared between groups of equal size and costs; leave the strata "
            "out, or compare one answer"
        )
    if study.groups == 2 and not study.mechanism.trusted:
        raise ValueError(
            "groups of different sizes or costs are planned with a curator; give kind = "
            '"laplace-mean", or "count-test" for a test, or leave the strata or ratio out'
        )
    if study.groups == 2 and study.total is not None:
        raise ValueError("total is for one answer for all people; leave it out for a difference")
    if getattr(study.target, "margin", 0.0):
        raise ValueError("margin is for groups of equal size; leave it out, or the strata")
    _refuse_strata(study)
    if study.sampling.population is not None or study.sampling.secret:
        whose = "strata have people of their own"
        if study.groups == 2:
            whose = "two groups that are compared are drawn from populations without end"
        raise ValueError(f"{whose}; leave population and secret out of the sampling")
    if study.find(MinParticipants) is not None:
        raise ValueError(
            "min_participants is of each stratum; give it in [[stratum]] and leave it out of "
            "the conditions"
        )
    _refuse_answer(study)
    if study.groups == 2 and study.power is None:
        difference_floor(study.mechanism, _ANY, _ANY, study.sample)
    for stratum in study.strata:
        study_of_stratum(study, stratum, failure)


def _refuse_strata(study: "Study") -> None:
    """Refuse strata that do not divide all people, or are not two groups to compare.

    Raises:
        ValueError: two have one name, sizes are mixed or missing, or proportions do not add up to
            one.
    """
    strata = study.strata
    if len(strata) == 1:
        raise ValueError("one stratum is everybody; give two or more, or none")
    names = [stratum.name for stratum in strata]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two strata are named {quoted(twice)}; give each its own name")
    if study.groups == 2:
        _refuse_compared(strata)
        return
    for stratum in strata:
        if stratum.people is None and stratum.share is None:
            raise ValueError(one_size(stratum))
    shares = [decimal(stratum.share) for stratum in strata if stratum.share is not None]
    if shares and len(shares) < len(strata):
        odd = next(stratum.name for stratum in strata if stratum.share is None)
        raise ValueError(
            f"the stratum {quoted(odd)} has people and others have share; give all the one or all "
            "the other"
        )
    if shares and sum(shares) != 1:
        raise ValueError(
            f"the proportions of the strata add up to {plain(float(sum(shares)))}; give "
            "proportions that add up to exactly 1"
        )


_INDEPENDENT = (
    "the people of two groups that are compared are drawn independently of populations without "
    "end; leave it out"
)
_NOT_OF_A_GROUP = {
    "people": _INDEPENDENT,
    "share": _INDEPENDENT,
    "error": "the difference has one error; give it in [target], and leave this out",
    "design_effect": _INDEPENDENT,
}
"""What a group that is compared has not, and why."""


def _refuse_compared(strata: Sequence[Stratum]) -> None:
    """Refuse strata that are not two groups to compare."""
    if len(strata) > 2:
        raise ValueError(
            f"a difference is of two groups, and these are {len(strata)} strata; give two, or "
            'kind = "accuracy" for an answer of each'
        )
    for stratum in strata:
        for name, why in _NOT_OF_A_GROUP.items():
            if getattr(stratum, name) is not None:
                raise ValueError(f"the group {quoted(stratum.name)} has {name}, and {why}")


def _refuse_answer(study: "Study") -> None:
    """Refuse an answer for all people that is not planned."""
    if study.survey is not None or study.power is not None or study.accuracy.error is None:
        if study.total is not None:
            raise ValueError("total is of one question with an error in the target; leave it out")
        return
    without = [stratum.name for stratum in study.strata if stratum.error is None]
    if 0 < len(without) < len(study.strata):
        raise ValueError(
            f"stratum {quoted(without[0])} has no error and others have one; give all of them "
            "errors, or none beside that for all people"
        )
    if not without and study.total == "one-noise":
        raise ValueError(
            'strata with errors of their own have noise each; give total = "sum", or "both" '
            "for one more noise on the answer for all people, or leave it out"
        )
    if without and study.total == "both":
        raise ValueError(
            'total = "both" is for strata with errors of their own; give each stratum an '
            'error, or total = "sum" or "one-noise"'
        )
    if study.mechanism.adds != "laplace" or study.mechanism.alternatives:
        of_what = "an answer for all people of strata"
        if study.groups == 2:
            of_what = "the difference of groups of different sizes or costs"
        raise ValueError(f'{of_what} has Laplace noise; give kind = "laplace-mean"')
