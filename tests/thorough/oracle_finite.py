"""Noisy shares in a finite population: sums over every count, at every number with the property."""

import math
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import hypergeom

from tests.thorough.oracle_exact import decimal, tail
from tests.thorough.oracle_floor import noise_alone

Array = np.ndarray
_GRID, _FAR, _VALLEY = 300, 1e4, 1.5
_ON_EDGE = 1e-9


@lru_cache(maxsize=4096)
def _law(people: int, n: int, mean_range: tuple[float, float]) -> tuple[Array, Array]:
    """The chances of all counts (columns) at every K in the range (rows), and how far off."""
    low, high = (people * decimal(mean) for mean in mean_range)
    having = np.arange(math.ceil(low), math.floor(high) + 1)[:, None]
    counts = np.arange(n + 1)
    return hypergeom.pmf(counts, people, having, n), counts - n * having / people


def failure(
    kind: str, rate: float, people: int, n: int, error: float, mean_range: tuple[float, float]
) -> float:
    """The failure probability at the worst K."""
    chances, off = _law(people, n, mean_range)
    left = [n * error + side * off for side in (1, -1)]
    if kind == "geometric":  # counts and noise are whole
        left = [np.ceil(one - _ON_EDGE) for one in left]
    fails = sum(tail(kind, np.float64(rate), one) for one in left)
    return float(np.max(np.sum(chances * fails, axis=1)))


@lru_cache(maxsize=20_000)
def least_rate(
    kind: str,
    people: int,
    n: int,
    error: float,
    alpha: float,
    mean_range: tuple[float, float],
    at_least: float = 0.0,
) -> float:
    """The least allowed rate of at least `at_least`; ∞ where a grid and its valleys find none."""

    def excess(rate: float) -> float:
        return failure(kind, rate, people, n, error, mean_range) / alpha - 1

    start = max(noise_alone(kind, n, error, alpha) * (1 - 1e-12), at_least, 1e-300)
    grid = np.geomspace(start, max(_FAR, 8 * start), _GRID)
    values = [excess(rate) for rate in grid]
    if values[0] <= 0:
        return float(grid[0])
    for i in range(1, _GRID):
        if values[i] <= 0:
            return float(brentq(excess, grid[i - 1], grid[i], xtol=1e-300, rtol=1e-13))
        valley = i + 1 < _GRID and values[i] <= min(values[i - 1], values[i + 1])
        if valley and values[i] <= _VALLEY - 1:
            bounds, close = (grid[i - 1], grid[i + 1]), {"xatol": 1e-12 * grid[i]}
            lowest = minimize_scalar(excess, bounds=bounds, method="bounded", options=close)
            if lowest.fun <= 0:
                return float(brentq(excess, grid[i - 1], lowest.x, xtol=1e-300, rtol=1e-13))
    return math.inf
