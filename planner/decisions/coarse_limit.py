"""About the limit of an amount of money, by glances at sizes whose floors are kept.

No amount changes the floor under an exact analysis. This only proposes: `limit_search` decides with
all sizes.
"""

import math
from collections.abc import Callable

from planner.answer.problem.problem import problem_of
from planner.answer.problem.vary import Varied, with_value
from planner.answer.search.coarse_scan import coarse_scan
from planner.answer.search.delta import of_survey
from planner.decisions.bisection import closest_by_margin
from planner.model import Study
from planner.quantities import QUANTITIES

_LOSSES = ("base_cost", "worst_cost", "harm")
_CLOSE = 1e-7
_INSIDE, _OF_SURVEYS, _BEYOND = 1e-6, 2e-3, (1e-3, 3e-2)
"""How far from what the glance shows the limit is looked for, as fractions."""


def coarse_limit(study: Study, quantity: Varied, good: float, bad: float) -> float | None:
    """About the limit at a fixed δ, between two values; None where the glance shows none."""
    problem = problem_of(study)
    of_money = quantity in _LOSSES or (quantity == "budget" and not of_survey(problem))
    if not (of_money and problem.saw_toothed) or study.expected_loss:
        return None

    delta, _ = problem.delta_bounds

    def margin(value: float) -> float:
        return -coarse_scan(problem_of(with_value(study, quantity, value)), "room", delta)

    if not margin(good) >= 0 or margin(bad) >= 0:
        return None
    return closest_by_margin(margin, good, bad, _CLOSE)[0]


def about_coarse_limit(
    study: Study, quantity: Varied, works: Callable[[float], bool], good: float, bad: float
) -> tuple[float, float] | None:
    """A feasible value and an infeasible one about what the glance shows; None where not found."""
    least = coarse_limit(study, quantity, good, bad)
    if least is None or least == good or not 0 < least < math.inf:
        return None
    more_is_harder = QUANTITIES[quantity].more_is_harder

    def moved(share: float) -> float:
        value = least * (1 + share if more_is_harder else 1 - share)
        return max(min(value, max(good, bad)), min(good, bad))

    inside = moved(-(_OF_SURVEYS if of_survey(problem_of(study)) else _INSIDE))
    if not works(inside):
        return None
    for share in _BEYOND:
        beyond = moved(share)
        if not works(beyond):
            return inside, beyond
        inside = beyond
    return None
