"""The δ at which a limit is furthest, where δ is free."""

import math
from dataclasses import replace

from planner.answer.problem.problem import FREE_DELTA_SHARE, needs_delta_cap, problem_of
from planner.answer.problem.vary import Varied, with_value
from planner.answer.search.coarse_scan import coarse_delta
from planner.decisions.limit_search import reached
from planner.libraries import scipy
from planner.model import Delta, DeltaTimesNAtMost, Study
from planner.quantities import QUANTITIES

_GRID, _FEW = 24, 4
_ROUNDS, _SETTLED = 4, 1e-4
_FAR_DELTA = 1e-24
"""The smallest δ searched, relative to its cap; smaller δ hardly helps."""


def at_delta(study: Study, delta: float) -> Study:
    """The study at one δ, with its caps on δ."""
    caps = (DeltaTimesNAtMost(FREE_DELTA_SHARE),) if needs_delta_cap(study) else ()
    return replace(study, conditions=(*study.conditions, *caps, Delta(delta)))


def _followed_delta(study: Study, quantity: Varied) -> float | None:
    """The δ with the most room at the limit that it leads to; None where it does not settle."""
    at, before = study, math.nan
    for _ in range(_ROUNDS):
        best = coarse_delta(problem_of(at), "room")
        end = reached(at_delta(study, best[0]), quantity) if best else None
        if end is None or not 0 < end < math.inf:
            return None
        if abs(end - before) <= _SETTLED * end:
            return best[0]
        at, before = with_value(study, quantity, end), end
    return None


def best_delta(study: Study, quantity: Varied, low: float, high: float) -> float | None:
    """The δ at which the limit is furthest: the best of a coarse grid, then refined."""
    of_floor = quantity != "worst_cost"  # whose best δ falls without end
    if of_floor and problem_of(study).saw_toothed:
        followed = _followed_delta(study, quantity)
        if followed is not None:
            return followed
    sign = -1 if QUANTITIES[quantity].more_is_harder else 1
    slow = problem_of(study).saw_toothed

    def value(log_delta: float) -> float:
        end = reached(at_delta(study, min(math.exp(log_delta), high)), quantity)
        return math.inf if end is None else sign * end

    # each value takes seconds where the accuracy saw-tooths, so few values of larger δ are tried
    points, reach = (_FEW, _FAR_DELTA**0.5) if slow else (_GRID, _FAR_DELTA)
    top, bottom = math.log(high), math.log(max(low, high * reach))
    grid = [top + (bottom - top) * k / points for k in range(points + 1)]
    values = [value(x) for x in grid]
    best = min(range(len(grid)), key=values.__getitem__)
    if math.isinf(values[best]):
        return math.exp(grid[best]) if values[best] < 0 else None
    near = (grid[min(best + 1, points)], grid[max(best - 1, 0)])
    refined = scipy.optimize.minimize_scalar(
        lambda x: min(value(x), 1e6 * abs(values[best]) + 1),
        bounds=near,
        method="bounded",
        options={"xatol": 0.2 if slow else 1e-5},
    )
    return min(math.exp(refined.x if refined.fun < values[best] else grid[best]), high)
