"""Values on either side of a limit, found by following the study with the most room.

The study with the most room changes little with the quantity, so it is searched among a few sizes
about the last one, while a secant leads to the value at which it has none left. This only proposes:
`limit_search` decides with all sizes.
"""

import math
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


@lru_cache(maxsize=16)
def least_by_room(
    study: Study, quantity: Varied, easiest: float, width: float
) -> tuple[float, int] | None:
    """About the least feasible value of an accuracy's quantity, and N; None where not found.

    Args:
        study: the survey, with a fixed δ, whose accuracy saw-tooths.
        quantity: what is varied.
        easiest: its largest value.
        width: how closely the value is to be known, as a fraction.
    """
    value = value_of(study, quantity)
    if value is None:
        return None
    room, about = _roomiest(problem_of(study))
    if not room > 0:
        return None
    x, harder, easier = math.log(value), -math.inf, math.log(easiest)
    slope = _SLOPE.get(quantity, _OF_ERRORS)

    def problem(x: float) -> Problem:
        return problem_of(with_value(study, quantity, min(math.exp(x), easiest)))

    for spread, close in (*_STAGES, (_LAST, width / 10)):
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


@lru_cache(maxsize=16)
def _roomiest(problem: Problem) -> tuple[float, int]:
    """The study with the most room: limits of all quantities begin with the same one."""
    return roomiest(problem)
