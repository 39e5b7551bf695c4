"""Values on either side of a limit, found by following the study with the most room.

The study with the most room changes little with the quantity, so it is searched among a few sizes
about the last one, while a secant leads to the value at which it has none left. This only proposes:
`limit_search` decides with all sizes.
"""

import math
from collections.abc import Callable
from functools import lru_cache

from planner.answer.problem.problem import Problem, problem_of
from planner.answer.problem.vary import Varied, value_of, with_value
from planner.answer.search.delta import roomiest
from planner.model import Study

_STAGES = ((0.4, 1e-2), (0.03, 3e-4))
_LAST = 0.002
"""How far about the last size the roomiest study is searched, as fractions; and how short a step
ends that, in logarithms."""
_MOST_STEPS = 16
_FARTHEST = 0.7
_SLOPE = {"failure": 0.25}
"""About how the logarithm of the room grows with that of the quantity; else as with errors."""
_OF_ERRORS = 1.5
OF_SURVEYS = 1e-6
"""How closely the least errors of a survey are known: each value is a split of its own."""
_MOST_WIDER = 5


@lru_cache(maxsize=16)
def least_by_room(study: Study, quantity: Varied, easiest: float) -> tuple[float, int] | None:
    """About the least feasible value of an accuracy's quantity, and N; None where not found.

    Args:
        study: the survey, with a fixed δ, whose accuracy saw-tooths.
        quantity: what is varied.
        easiest: its largest value.
    """
    value = value_of(study, quantity)
    if value is None:
        return None
    room, about = _roomiest(problem_of(study))
    if not 0 < room < math.inf:  # nor does anything follow from room without end
        return None
    x, harder, easier = math.log(value), -math.inf, math.log(easiest)
    slope = _SLOPE.get(quantity, _OF_ERRORS)

    def problem(x: float) -> Problem:
        return problem_of(with_value(study, quantity, min(math.exp(x), easiest)))

    for spread, close in (*_STAGES, (_LAST, OF_SURVEYS / 10)):
        for _ in range(_MOST_STEPS):
            step = max(-_FARTHEST, min(-math.log(room) / slope, _FARTHEST, easier - x))
            while x + step <= harder:
                step /= 2
            if abs(step) < close:
                break
            further, near = roomiest(problem(x + step), about, spread)
            if not further > 0:
                harder = x + step
                continue
            steep = (math.log(further) - math.log(room)) / step
            slope = steep if steep > 0 else slope
            x, room, about = x + step, further, near
        if x == easier and room < 1:
            return None
    surely = roomiest(problem(x), about)[0]
    return (math.exp(x - math.log(surely) / slope), about) if surely > 0 else None


def about_least(study: Study, quantity: Varied, easiest: float) -> int:
    """That N; 0 where not found."""
    near = least_by_room(study, quantity, easiest)
    return near[1] if near else 0


def by_room(
    study: Study, quantity: Varied, easiest: float, works: Callable[[float], bool]
) -> tuple[float, float] | None:
    """A feasible value and an infeasible one about the least by the room; None where not found."""
    near = least_by_room(study, quantity, easiest)
    if near is None:
        return None
    least, n = near
    bad = least * (1 - OF_SURVEYS / 3)
    for wider in range(_MOST_WIDER):
        good = min(least * (1 + OF_SURVEYS / 3 * 4**wider), easiest)
        there = roomiest(problem_of(with_value(study, quantity, good)), n)[0] >= 1
        if there or works(good):
            return None if works(bad) else (good, bad)
        bad = good
    return None


@lru_cache(maxsize=16)
def _roomiest(problem: Problem) -> tuple[float, int]:
    """The study with the most room: limits of all quantities begin with the same one."""
    return roomiest(problem)
