"""Grids of N that close in on the best of them, the last one of all sizes."""

import math
from collections.abc import Callable

import numpy as np

from planner.numbers import Array

_POINTS = 64
ONE_BY_ONE = 250
"""So few sizes are all looked at."""


def few_teeth(n: int) -> int:
    """How far from the best size of a grid a better one may lie."""
    return min(ONE_BY_ONE, math.isqrt(n))


def closing_in(
    value: Callable[[Array], Array],
    low: int,
    high: int,
    teeth: Callable[[int], int] = few_teeth,
) -> tuple[Array, Array]:
    """The N in [low, high] about that at which a value is least, and the values there.

    Grids close in on it; the last one is of all sizes.
    """
    start, end = low, high
    while True:
        if end - start <= ONE_BY_ONE:  # and the teeth beside these
            reach = teeth(end)
            sizes = np.arange(max(low, start - reach), min(high, end + reach) + 1)
            return sizes, value(sizes)
        sizes = grid(start, end)
        best = int(np.argmin(value(sizes)))
        start, end = int(sizes[max(best - 1, 0)]), int(sizes[min(best + 1, len(sizes) - 1)])


def grid(low: int, high: int) -> Array:
    """Sizes from `low` to `high`, even in their logarithms; all of them where they are few."""
    if high - low <= ONE_BY_ONE:
        return np.arange(low, high + 1)
    return np.unique(np.rint(np.geomspace(low, high, _POINTS)).astype(np.int64).clip(low, high))
