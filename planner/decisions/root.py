"""Where a quantity stops being feasible: a root, by bisection, or of a margin in logarithms.

A margin is at least 0 on the feasible side, −∞ where nothing is allowed, and nearly straight in the
logarithm of the quantity, so that a secant leads from any value to two on either side of the root.
"""

import math
from collections.abc import Callable

from planner.libraries import find_root, np
from planner.numbers import Array

_FIRST, _GROWTH, _FARTHEST = 0.2, 2.0, 40.0
"""The first step in logarithms, by how much one is longer than the one before where the margin says
nothing, and the longest."""
_BEYOND = 1.05
"""So far beyond where a line passes 0, that the root lies between."""
_LEAST, _MOST, _NONE = 1e-290, 1e3, 1e-300
"""No value is less, but for 0; margins are between these, on either side."""


def around(
    margin: Callable[[float], float], start: float, easiest: float, hardest: float
) -> tuple[float | None, float | None]:
    """A feasible value and an infeasible one; None in place of one that does not exist."""
    ends = sorted((easiest, hardest))
    low, high = math.log(max(ends[0], _LEAST)), math.log(max(ends[1], _LEAST))
    harder = 1.0 if hardest > easiest else -1.0
    x = min(max(math.log(max(start, _LEAST)), low), high)
    good: float | None = None
    bad: float | None = None
    before: tuple[float, float] | None = None
    step = _FIRST
    while good is None or bad is None:
        value = ends[0] if x <= low else ends[1] if x >= high else math.exp(x)
        at = margin(value)
        good, bad = (value, bad) if at >= 0 else (good, value)
        if value == (hardest if at >= 0 else easiest):
            break
        slope = (at - before[1]) / (x - before[0]) if before else math.nan
        along = harder if at >= 0 else -harder
        step *= _GROWTH
        if math.isfinite(slope) and slope * harder < 0:
            step = min(_BEYOND * abs(at / slope) + 1e-9, max(step, _FIRST))
        before = (x, at) if math.isfinite(at) else None
        x = min(max(x + along * min(step, _FARTHEST), low), high)
    return good, bad


def closest(
    works: Callable[[float], bool], good: float, bad: float, width: float = 0.0
) -> tuple[float, float]:
    """Neighbouring floats, one feasible and one not, by bisection on a logarithmic scale.

    With a `width` above 0 the bisection stops at that relative distance.
    """
    while True:
        low, high = min(good, bad), max(good, bad)
        middle = _middle(low, high)
        if not low < middle < high or high - low < width * low:
            return good, bad
        good, bad = (middle, bad) if works(middle) else (good, middle)


def _middle(low: float, high: float) -> float:
    """In the middle on a logarithmic scale; neighbours of 0 are ten orders of magnitude apart."""
    if high > 2 * low:
        return math.sqrt(low) * math.sqrt(high) if low else high * 1e-10
    return low + (high - low) / 2


def closest_by_margin(
    margin: Callable[[float], float], good: float, bad: float, width: float
) -> tuple[float, float]:
    """The same by a margin as above: a root in logarithms (Chandrupatla 1997)."""
    if min(good, bad) < _LEAST:
        return good, bad

    low, high = sorted((good, bad))

    def value(x: float) -> float:
        return min(max(math.exp(x), low), high)  # rounding leaves no value beyond the ends

    def at(x: Array) -> Array:
        margins = [margin(value(one)) for one in np.ravel(x)]
        clipped = np.clip(np.reshape(margins, np.shape(x)), -_MOST, _MOST)
        return np.where(clipped == 0, _NONE, clipped)  # a root itself is on the feasible side

    ends = math.log(good), math.log(bad)
    found = find_root(at, ends, tolerances={"xatol": width / 2, "xrtol": 0.0, "fatol": 0.0})
    first, second = (value(float(x)) for x in found.bracket)
    return (first, second) if found.f_bracket[0] >= 0 else (second, first)
