"""The ε of each of several equal queries, from their total."""

import math
import sys
from collections.abc import Callable

from planner import checks
from planner.libraries import scipy
from planner.privacy.composition import of_queries
from planner.privacy.queries import (
    Rule,
    allowed_rule,
    allowed_slack,
    repeated,
)

_MOST = sys.float_info.max
_LEAST = math.ulp(0.0)  # above 0


def per_query(total: float, times: int, slack: float = 0.0, rule: Rule = "optimal") -> float:
    """The largest ε with compose([ε] * times, slack, rule) ≤ total, to the last bit.

    Args:
        total: the total ε [> 0].
        times: the queries [whole, ≥ 1].
        slack: δ of the total [0 to under 1].
        rule: see `compose`.

    Returns:
        ε of each query; 0 where even the smallest double above 0 is too large.

    Raises:
        ValueError: an argument is outside its range.
    """
    goal = checks.positive("total", total)
    count, delta, known = checks.whole("times", times, 1), allowed_slack(slack), allowed_rule(rule)

    def over(epsilon: float) -> float:
        return of_queries(repeated(epsilon, count), delta, known).epsilon - goal

    return _last_allowed(over, max(goal / count, _LEAST))


def _last_allowed(over: Callable[[float], float], guess: float) -> float:
    """The last double ≥ 0 where a function is not above 0.

    Args:
        over: rises, up to rounding, from under 0 at 0; ∞ is allowed.
        guess: a start [> 0], preferably nearly the result.
    """
    low = high = guess
    while over(high) <= 0 and high < _MOST:
        low, high = high, min(2 * high, _MOST)
    if over(low) < 0 < over(high) < math.inf:
        low = float(scipy.optimize.brentq(over, low, high, xtol=_LEAST, rtol=1e-15))
    return _settled(over, low)


def _settled(over: Callable[[float], float], near: float) -> float:
    """The same, from a value within a few roundings of it; the result is checked."""
    inside, outside, step = near, near, math.ulp(near)
    while over(inside) > 0:
        inside, outside, step = max(inside - step, 0.0), inside, 2 * step
    while inside == outside:
        after = min(inside + step, _MOST)
        if over(after) > 0:
            outside = after
        elif after == _MOST:
            return after
        else:
            inside = outside = after
            step *= 2
    while (middle := inside + (outside - inside) / 2) not in (inside, outside):
        inside, outside = (inside, middle) if over(middle) > 0 else (middle, outside)
    return inside
