"""Values on either side of a limit, found by following the study with the most room.

The study with the most room changes little with the quantity, so near a limit it is searched among
a few sizes about the last one. This only proposes: `limit_search` decides with all sizes.
"""

import math
from collections.abc import Callable
from functools import cache

from planner.answer.problem.problem import problem_of
from planner.answer.problem.vary import Varied, with_value
from planner.answer.search.delta import roomiest
from planner.model import Study

_SPREADS = (0.4, 0.03, 0.002)
"""How far about the last size the study with the most room is searched, as fractions."""
_SURELY = 0.05
"""How closely a root is known, as a fraction of how far about it the next one is searched."""
_LEAST = 1e-20


def narrowed(
    study: Study,
    quantity: Varied,
    good: float,
    bad: float,
    width: float,
    margin: Callable[[float], float],
) -> tuple[float, float]:
    """A feasible and an infeasible value, closer together where that is found.

    Args:
        study: the study, with a fixed δ, whose accuracy saw-tooths.
        quantity: what is varied.
        good: a feasible value [> 0].
        bad: an infeasible value [> 0].
        width: how closely the limit is to be known, as a fraction.
        margin: the logarithm of the most room at a value, which decides.
    """
    from scipy.optimize import brentq

    @cache
    def room(log_value: float, about: int = 0, spread: float = 0.0) -> tuple[float, int]:
        value = min(max(math.exp(log_value), min(good, bad)), max(good, bad))
        return roomiest(problem_of(with_value(study, quantity, value)), about, spread)

    low, high = sorted((math.log(good), math.log(bad)))
    root, reach = math.log(good), high - low
    _, about = room(root)
    for spread in _SPREADS:

        def excess(log_value: float, about: int = about, spread: float = spread) -> float:
            return math.log(max(room(log_value, about, spread)[0], _LEAST))

        ends = max(root - reach, low), min(root + reach, high)
        if not about or excess(ends[0]) * excess(ends[1]) >= 0:
            break
        # the next ends lie about it, and the last root is to be known well within the width
        last = spread == _SPREADS[-1]
        close = width / 10 if last else max(_SURELY * reach * spread, width / 10)
        root = float(brentq(excess, *ends, xtol=close))
        about, reach = room(root, about, spread)[1], reach * spread
    inward = math.copysign(width / 3, good - bad)
    for value in (math.exp(root) * (1 + inward), math.exp(root) * (1 - inward)):
        if min(good, bad) < value < max(good, bad):
            good, bad = (value, bad) if margin(value) >= 0 else (good, value)
    return good, bad
