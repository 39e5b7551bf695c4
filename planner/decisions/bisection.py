"""Bisection between a feasible value and an infeasible one, plain or by a margin."""

import math
from collections.abc import Callable


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
    """The same where a margin, at least 0 on the feasible side, is nearly straight in logarithms.

    Each step goes just beyond the point where the line between the ends passes 0, seen from the
    nearer end; where that does not halve the distance, the next one goes to the middle.
    """
    at = {good: margin(good), bad: margin(bad)}
    apart = math.inf
    while True:
        low, high = min(good, bad), max(good, bad)
        value = _middle(low, high)
        if not low < value < high or high - low < width * low:
            return good, bad
        halved, apart = 2 * (high - low) <= apart, high - low
        if halved and low and math.isfinite(at[good] - at[bad]):
            share = at[good] / (at[good] - at[bad])
            crossing = good * (bad / good) ** share
            beyond = bad if abs(crossing - good) < abs(crossing - bad) else good
            step = width / 3 * crossing
            crossing += math.copysign(step, beyond - crossing)
            value = crossing if low < crossing < high else value
        at[value] = margin(value)
        good, bad = (value, bad) if at[value] >= 0 else (good, value)
