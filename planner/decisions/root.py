"""Where a quantity stops being feasible: a root, by bisection, or of a margin in logarithms.

A margin is at least 0 on the feasible side, −∞ where nothing is allowed, and nearly straight in the
logarithm of the quantity, so that a secant leads from any value to two on either side of the root.
"""

import math
from collections.abc import Callable
from itertools import product

from planner.libraries import find_root, np
from planner.numbers import Array

Margin = Callable[[float], float]
_FIRST, _GROWTH, _FARTHEST = 0.2, 2.0, 40.0
"""The first step in logarithms, by how much one is longer than the one before where the margin says
nothing, and the longest."""
_BEYOND = 1.05
"""So far beyond where a line passes 0, that the root lies between."""
_ABOUT, _BESIDE, _CORRECTIONS, _LARGEST_CORRECTION = 1e-4, 0.01, 5, 0.2
"""How closely the root of a guess is found, and where its slope is read, as parts of a value; how
often a root is corrected by it, and by how much at most, as a logarithm."""
_CLOSE = 3
"""Of so many widths values tried are close enough; others are looked for beside the root."""
_JUST = 1 + 1e-9  # as two steps of a width are in floats
_LEAST, _MOST, _NONE = 1e-290, 1e3, 1e-300
"""No value is less, but for 0; margins are between these, on either side."""


def nearest(
    margin: Margin, about: Margin, start: float, easiest: float, hardest: float, width: float
) -> tuple[float | None, float | None]:
    """A feasible and an infeasible value that are `width` apart, as a part, or less.

    Args:
        margin: the margin.
        about: one that is about the same, falls as fast and takes less time: its root leads to
            that of the margin.
        start: where the search begins.
        easiest: the value that is most likely feasible.
        hardest: the one that is least.
        width: as a part of a value.

    Returns:
        None in place of a value that does not exist.
    """
    good, bad = around(about, start, easiest, hardest)
    slope = math.nan
    if good is None or bad is None:
        start = easiest if good is None else hardest
    else:
        start, bad = closest_by_margin(about, good, bad, max(width, _ABOUT))
        ends = min(easiest, hardest), max(easiest, hardest)
        beside = _within(start * (1 + math.copysign(_BESIDE, start - bad)), ends)
        slope = (about(beside) - about(start)) / math.log(beside / start) if beside != start else 0
        near, start, slope = _corrected(margin, start, slope, width, ends)
        if near and _apart(*near) <= _CLOSE * width:
            return closest_by_margin(margin, *near, width)
    good, bad = around(margin, start, easiest, hardest, slope, width)
    if good is None or bad is None:
        return good, bad
    return closest_by_margin(margin, good, bad, width)


def _within(value: float, ends: tuple[float, float]) -> float:
    return min(max(value, ends[0]), ends[1])


def _corrected(
    margin: Margin, value: float, slope: float, width: float, ends: tuple[float, float]
) -> tuple[tuple[float, float] | None, float, float]:
    """The root of a margin near a value, by secants.

    Returns:
        Of the values tried, the feasible and the infeasible one that are nearest to each other, if
        there are any; the last of them all; and the slope there.
    """
    goods: list[float] = []
    bads: list[float] = []
    at = margin(value)
    for _ in range(_CORRECTIONS):
        (goods if at >= 0 else bads).append(value)
        off = at / slope if slope else math.nan
        if not width < abs(off) < _LARGEST_CORRECTION:
            break
        before, value = at, _within(value * math.exp(-off), ends)
        at = margin(value)
        slope = (before - at) / off
    near = min(product(goods, bads), key=lambda pair: _apart(*pair), default=None)
    return near, value, slope


def _apart(one: float, other: float) -> float:
    """How far two values are apart, as a part of one."""
    return abs(math.log(one / other))


def around(
    margin: Margin,
    start: float,
    easiest: float,
    hardest: float,
    slope: float = math.nan,
    least: float = 1e-9,
) -> tuple[float | None, float | None]:
    """A feasible value and an infeasible one; None in place of one that does not exist.

    Near `start` the margin has the slope over logarithms, where that is known. No step is shorter
    than the least, as a part of a value.
    """
    ends = sorted((easiest, hardest))
    low, high = math.log(max(ends[0], _LEAST)), math.log(max(ends[1], _LEAST))
    harder = 1.0 if hardest > easiest else -1.0
    x = min(max(math.log(max(start, _LEAST)), low), high)
    good: float | None = None
    bad: float | None = None
    before: tuple[float, float] | None = None
    step = _FIRST
    value = _within(start, (ends[0], ends[1]))
    while good is None or bad is None:
        at = margin(value)
        good, bad = (value, bad) if at >= 0 else (good, value)
        end = hardest if at >= 0 else easiest
        if value == end:
            break
        slope = (at - before[1]) / (x - before[0]) if before else slope
        if slope == 0 and (margin(end) >= 0) == (at >= 0):  # it changes nothing, up to the end
            good, bad = (end, bad) if at >= 0 else (good, end)
            break
        along = harder if at >= 0 else -harder
        step = min(step * _GROWTH, _FARTHEST)
        if math.isfinite(slope) and slope * harder < 0:
            step = min(max(_BEYOND * abs(at / slope), least), max(step, _FIRST))
        before = (x, at) if math.isfinite(at) else None
        x = min(max(x + along * step, low), high)
        value = ends[0] if x <= low else ends[1] if x >= high else math.exp(x)
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


def closest_by_margin(margin: Margin, good: float, bad: float, width: float) -> tuple[float, float]:
    """The same by a margin as above: a root in logarithms (Chandrupatla 1997)."""
    if min(good, bad) < _LEAST or _apart(good, bad) <= width * _JUST:
        return good, bad

    low, high = sorted((good, bad))
    ends = math.log(good), math.log(bad)

    def value(x: float) -> float:
        if x in ends:
            return good if x == ends[0] else bad
        return min(max(math.exp(x), low), high)  # rounding leaves no value beyond the ends

    def at(x: Array) -> Array:
        margins = [margin(value(one)) for one in np.ravel(x)]
        clipped = np.clip(np.reshape(margins, np.shape(x)), -_MOST, _MOST)
        return np.where(clipped == 0, _NONE, clipped)  # a root itself is on the feasible side

    found = find_root(at, ends, tolerances={"xatol": width / 2, "xrtol": 0.0, "fatol": 0.0})
    first, second = (value(float(x)) for x in found.bracket)
    return (first, second) if found.f_bracket[0] >= 0 else (second, first)
