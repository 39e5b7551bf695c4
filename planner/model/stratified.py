"""What a study with strata can be, and what it cannot."""

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.mechanisms import kinds
from planner.model.conditions import MinParticipants
from planner.model.strata import one_size, study_of_stratum
from planner.numbers import decimal
from planner.wording import plain, quoted

if TYPE_CHECKING:
    from planner.model.study import Study

_NEARLY = 1e-9
"""By how much proportions may miss 1 where they were rounded, as six times 1/6."""


def refuse_stratified(study: "Study", failure: float) -> None:
    """Refuse strata that are none, and a stratum that cannot be a study by itself.

    Raises:
        ValueError: says what to give.
    """
    if study.power is not None:
        raise ValueError("a test is not planned for strata; leave them out")
    if study.groups == 2:
        raise ValueError(
            "two groups are compared without strata; leave them out, or plan each stratum by itself"
        )
    _refuse_strata(study)
    if study.sampling.population is not None:
        raise ValueError("strata have people of their own; leave population out of the sampling")
    if study.sampling.max_invited is not None:
        raise ValueError("max_invited is for a study without strata; give max_participants")
    if study.find(MinParticipants) is not None:
        raise ValueError(
            "min_participants is of each stratum; give it in [[stratum]] and leave it out of "
            "the conditions"
        )
    _refuse_answer(study)
    for stratum in study.strata:
        study_of_stratum(study, stratum, failure)


def _refuse_strata(study: "Study") -> None:
    """Refuse strata that do not divide all people."""
    strata = study.strata
    if len(strata) == 1:
        raise ValueError("one stratum is everybody; give two or more, or none")
    names = [stratum.name for stratum in strata]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two strata are named {quoted(twice)}; give each its own name")
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
    if shares and abs(sum(shares, -Fraction(1))) > _NEARLY:  # else they are divided by their sum
        total, last = float(sum(shares)), float(1 - sum(shares[:-1]))
        such = f", such as {last!r} for {quoted(strata[-1].name)}" if last > 0 else ""
        raise ValueError(
            f"the proportions of the strata add up to {plain(total)}; give proportions that add "
            f"up to 1{such}"
        )


def _refuse_answer(study: "Study") -> None:
    if study.survey is not None or study.accuracy.error is None:
        return
    if any(stratum.error is not None for stratum in study.strata):
        raise ValueError(
            "either the strata have errors, or the target has one for all people; leave the error "
            "out of [target], or out of each [[stratum]]"
        )
    if kinds.adds(study.mechanism) != "laplace":
        raise ValueError(
            'an answer for all people of strata has Laplace noise; give kind = "laplace-mean"'
        )
    if study.speaks_of_delta:
        raise ValueError(
            "an answer for all people of strata has Laplace noise, which needs no δ; leave delta "
            "out of the conditions"
        )
