"""What the plans of all strata make together: failure probability, participants, cost; exactly."""

from collections.abc import Iterator
from fractions import Fraction

from planner.answer.answers import Plan, StrataPlan
from planner.model import Budget, MaxParticipants, Study
from planner.model.strata import study_of_stratum
from planner.numbers import decimal, round_up
from planner.wording import plain, quoted

COST_DIGITS = 12
"""To which the cost of each stratum is rounded up before they are added."""


def failure(plans: tuple[Plan, ...]) -> Fraction:
    """The probability, at most, that any answer fails; strata are drawn by themselves."""
    none = Fraction(1)
    for plan in plans:
        none *= 1 - decimal(failure_of(plan.study))
    return 1 - none


def failure_of(study: Study) -> float:
    """α of a study, of one question or of a survey."""
    allowed = study.accuracy.failure if study.survey is None else study.survey.failure
    assert allowed is not None  # a study with strata has one for all of its questions
    return allowed


def cost(study: Study, plans: tuple[Plan, ...]) -> Fraction:
    """What all strata cost at most, with the overhead [money]."""
    costs = (decimal(round_up(plan.cost, COST_DIGITS)) for plan in plans)
    return sum(costs, decimal(study.costs.overhead))


def wrong(plan: StrataPlan) -> Iterator[str]:
    """What a plan with strata states that does not hold, in sentences; see `check`."""
    study = plan.study
    if len(plan.strata) != len(study.strata):
        yield f"There are {len(plan.strata)} plans for {len(study.strata)} strata."
        return
    for stratum, one in zip(study.strata, plan.strata, strict=True):
        if one.study != study_of_stratum(study, stratum, failure_of(one.study)):
            yield f"The plan of {quoted(stratum.name)} is for another study than this stratum."
            return
    people = sum(one.participants for one in plan.strata)
    chance, money = failure(plan.strata), cost(study, plan.strata)
    if chance > decimal(failure_of(study)):
        yield f"Some stratum fails with probability {plain(float(chance))}, over that allowed."
    for name, stated, found in (
        ("failure", plan.failure, float(chance)),
        ("participants", plan.participants, people),
        ("cost", plan.cost, float(money)),
    ):
        if stated != found:
            yield f"{name} = {plain(stated)}, but {plain(found)} follows from the strata."
    cap, budget = study.find(MaxParticipants), study.find(Budget)
    if cap is not None and people > cap.n:
        yield f"{plain(people)} people are more than {cap.label} allows."
    if budget is not None and money > decimal(budget.money):
        yield f"A cost of {plain(float(money))} is over {budget.label}."
