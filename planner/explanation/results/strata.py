"""A plan with strata in words: each stratum, and all together."""

from planner.answer.answers import Plan, StrataPlan
from planner.answer.strata.together import failure_of
from planner.wording import at_most, money, payment, plain, several

_MOST_NAMES = 4
"""Of strata alike that are named."""


def rows(plan: StrataPlan) -> list[tuple[str, str]]:
    """The strata, those alike in one row, and what they make together."""
    study = plan.study
    alike: dict[tuple[object, ...], list[Plan]] = {}
    for one in plan.strata:
        alike.setdefault((one.participants, one.epsilon, one.cost, _promise(one)), []).append(one)
    all_people = (
        f"the answers of the strata, weighted by their sizes: ± {at_most(plan.total_error or 0.0)} "
        f"except with probability {plain(failure_of(study))}"
    )
    return [
        *((_names(some), _words(some[0], len(some))) for some in alike.values()),
        *([("all people", all_people)] if plan.total_error else []),
        ("participants", f"{plain(plan.participants)} in {plain(len(plan.strata))} strata"),
        ("total cost", money(plan.cost, study.currency)),
        *([("overhead", money(study.costs.overhead))] if study.costs.overhead else []),
        ("failure", f"any answer of any stratum: probability {at_most(plan.failure)} at most"),
    ]


def headline(plan: StrataPlan) -> str:
    """The plan in a sentence."""
    return (
        f"Feasible: {plain(plan.participants)} people in {plain(len(plan.strata))} strata; "
        f"{money(plan.cost, plan.study.currency)} in total."
    )


def _names(some: list[Plan]) -> str:
    """The names of strata alike."""
    names = [one.study.title for one in some]
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{plain(len(names) - _MOST_NAMES + 1)} more"]
    return several(names)


def _words(plan: Plan, count: int) -> str:
    """One stratum: who is asked, at which ε, for which money, and what is promised."""
    study, each = plan.study, "each: " if count > 1 else ""
    of_all = study.sampling.population
    people = f"{plain(plan.participants)} people" + (f" of {plain(of_all)}" if of_all else "")
    invited = f", {plain(plan.invitations)} invited" if plan.invitations is not None else ""
    paid = payment(plan.compensation, plan.participants, study.currency)
    return (
        f"{each}{people}{invited}; ε = {at_most(plan.epsilon, 4)}, each person is paid {paid}; "
        f"{_promise(plan)}; {money(plan.cost, study.currency)}"
    )


def _promise(plan: Plan) -> str:
    """What is promised of a stratum."""
    survey = plan.study.survey
    if survey is not None:
        return f"its answers fail with probability {at_most(survey.failure or 0.0, 4)}"
    target = plan.study.accuracy
    return (
        f"± {plain(target.in_unit(target.error))} except with probability {plain(target.failure)}"
    )
