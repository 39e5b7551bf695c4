"""A comparison of a plan with strata in words: other ways to do the same study, a row each."""

from typing import Any

from planner.comparison.strata import Allocation, StrataComparison
from planner.explanation.results.comparison import people_of_both
from planner.model import Study
from planner.wording import at_most, money, persons, plain, several

_MOST_SIZES = 12
"""Strata whose samples are listed."""
VERDICTS = {
    "private": "the private study is cheaper than the one that is not private",
    "non-private": "the study that is not private is cheaper",
    "equal": "both studies cost the same",
    "open": "which study is cheaper depends on the exact size without privacy",
    "undecided": "the study that is not private is not known",
}


def title(comparison: StrataComparison) -> str:
    """The study, and which is cheaper."""
    return f"{comparison.study.title or 'Study'}: {verdict(comparison)}"


def verdict(comparison: StrataComparison) -> str:
    """Which study is cheaper; of studies that cost nothing, how many people each takes."""
    if comparison.study.costs_nothing and comparison.participants is not None:
        return people_of_both(comparison.private.participants, comparison.participants)
    return VERDICTS[comparison.verdict]


def rows(comparison: StrataComparison) -> list[tuple[str, str]]:
    """The allocations, and the study that is not private and without a curator."""
    study, names = comparison.study, [one.name for one in comparison.study.strata]
    found = [(one.name, _allocation(one, names, study)) for one in comparison.allocations]
    if comparison.cost is not None and comparison.participants is not None:
        sure = "at most " * (comparison.participants.least < comparison.participants.most)
        words = f"{sure}{persons(comparison.participants.most)}"
        if not study.costs_nothing:
            cost = money(comparison.cost.most, study.currency)
            percent = at_most(100 * comparison.exposure, 3)
            words = f"{sure}{cost}; {words}, of whom {percent} % are exposed"
        found.append(("not private", words))
    if comparison.no_curator is not None and not study.costs_nothing:
        words = money(comparison.no_curator, study.currency)
        found.append(("private without a curator", f"{words}; people randomise their own answers"))
    how = "The probability of a larger error is divided among the strata as in the plan"
    if not comparison.strata:
        how = "Equal sizes are planned by the closer of the plan's bound and one on moments"
    others = "; the other allocations were computed, but not proved"
    costs = "Costs include the overhead, and ignore a budget. " * (not study.costs_nothing)
    return [*found, ("note", f"{costs}{how}{others}.")]


def _allocation(one: Allocation, names: list[str], study: Study) -> str:
    if one.cost is None:
        return "no samples in these proportions were found feasible"
    sizes = [f"{name} {plain(n)}" for name, n in zip(names, one.participants, strict=True)]
    listed = f": {several(sizes)}" if len(sizes) <= _MOST_SIZES else ""
    cost = "" if study.costs_nothing else f"{money(one.cost, study.currency)}; "
    return f"{cost}{persons(sum(one.participants))}{listed}"


def lines(comparison: StrataComparison) -> list[dict[str, Any]]:
    """A row of values for each allocation and stratum."""
    names = [one.name for one in comparison.study.strata]
    return [
        {"allocation": way.name, "stratum": name, "participants": people, "cost": way.cost}
        for way in comparison.allocations
        for name, people in zip(names, way.participants, strict=True)
    ]
