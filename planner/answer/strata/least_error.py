"""The most accurate plan that a budget pays for: all errors of a study with strata by one factor.

Of one answer for all people this is its least error, and the allocation that has it (the private
form of Neyman's). Where strata have errors of their own they keep their proportions: strata of
equal errors get the most equal ones that the money buys.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from planner.answer.answers import Answer, StrataPlan, TotalPlan
from planner.libraries import scipy
from planner.model import Budget, Study
from planner.model.strata import Stratum
from planner.numbers import round_up
from planner.wording import at_most

_STEP, _FARTHEST = 0.05, 4.0
"""By what the logarithm of the factor changes at least until the budget is between two, and how far
at most."""
_CLOSE, _DIGITS, _TRIES = 1e-4, 5, 8
"""How near the factor comes to the least one; its digits; larger ones that are proved."""


def solve_least_error(study: Study, solve: Callable[[Study, bool], Answer], prove: bool) -> Answer:
    """Plan a study with strata for the least errors within its budget.

    Args:
        study: the study, with a budget; its errors are all multiplied by one factor.
        solve: plans a study for the least cost, with proof or without.
        prove: whether to check the verdict in ball arithmetic.

    Raises:
        ValueError: there are no strata, or no budget.
    """
    if not study.strata:
        raise ValueError(
            "minimise = 'error' is for a study with strata; planner.limit gives the least error of "
            "another"
        )
    if study.find(Budget) is None:
        raise ValueError("the least error needs a budget; give one, or minimise the cost")

    over = cache(lambda log: _over(study, math.exp(log), solve))
    near, log = over(0.0), 0.0
    while (near > 0) == (over(log) > 0):  # least costs fall about with the square of the errors
        log += math.copysign(max(abs(over(log)) / 2, _STEP), near) if near < math.inf else _STEP
        if abs(log) > _FARTHEST:
            return solve(study, prove)
    ends = sorted((0.0, log))
    if over(ends[0]) == math.inf:  # nothing is possible there, whatever the budget
        while ends[1] - ends[0] > _CLOSE:
            middle = (ends[0] + ends[1]) / 2
            ends = [middle, ends[1]] if over(middle) > 0 else [ends[0], middle]
        good = math.exp(ends[1])
    else:
        good = math.exp(scipy.optimize.brentq(over, *ends, xtol=_CLOSE / 4))
    answer: Answer = solve(study, False)
    for step in range(_TRIES):
        factor = round_up(good * (1 + _CLOSE * (2**step - 1)), _DIGITS)
        answer = solve(with_errors_times(study, factor), prove)
        if isinstance(answer, StrataPlan | TotalPlan):
            note = (
                f"The errors are {at_most(factor)} times those given, the least that was found to "
                "be within the budget."
            )
            return replace(answer, notes=(*answer.notes, note))
    return answer


def _over(study: Study, factor: float, solve: Callable[[Study, bool], Answer]) -> float:
    """By how much the least cost is over the budget, in logarithms; ∞ where nothing is possible."""
    budget = study.find(Budget)
    assert budget is not None
    kept = tuple(c for c in study.conditions if not isinstance(c, Budget))
    found = solve(replace(with_errors_times(study, factor), conditions=kept), False)
    if not isinstance(found, StrataPlan | TotalPlan):
        return math.inf
    return math.log(found.cost / budget.money) if budget.money else math.inf


def with_errors_times(study: Study, factor: float) -> Study:
    """The study with all errors multiplied by a factor, none above its range."""
    if study.survey is not None:
        return replace(study, target=study.survey.with_errors_times(factor))
    low, high = study.target.values or (0.0, 1.0)

    def larger(stratum: Stratum) -> Stratum:
        if stratum.error is None:
            return stratum
        return replace(stratum, error=min(factor * stratum.error, high - low))

    whole, strata = study.accuracy, tuple(map(larger, study.strata))
    if whole.error is None:
        return replace(study, strata=strata)
    target = replace(whole, error=min(factor * whole.error, 1.0))
    return replace(study, strata=strata, target=target)
