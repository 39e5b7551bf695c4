"""The least rate of noise at which a noisy proportion is accurate at every mean of a range.

The rate is ε, or 1/σ (see `noises`). The failure probability need not fall with it: when the sample
itself is off, noise can help. So the allowed rates may have an upper end too, and the floor is the
least allowed one: the first root over a grid, refined. The worst means are found one by one: solve
for the worst seen so far, look for a worse one, and repeat.
"""

import math
from collections.abc import Callable

import numpy as np

from planner.mechanisms.exact.noises import Noise

_TEETH = 5_000
_STEP = 1.15
_FACTORS = np.array([
    1, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2, 2.5, 3, 4, 5, 7, 9, 12, 16, 20, 30, 60, 200, 1e6, 1e300
])  # fmt: skip
"""Where a quick search looks, in units of the least signal."""
_ROUNDS = 12


def quick_rates(
    noise: Noise,
    participants: np.ndarray,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> np.ndarray:
    """The least rates for the means that are likely the worst; ∞ where none is found."""
    from scipy.optimize.elementwise import find_root

    n = np.asarray(participants, dtype=float)
    goal = failure * (1 - 2 * noise.tolerance)
    lowest = noise.least_rate(n, error, failure)
    largest = np.maximum(noise.largest_rate(n), 4 * lowest)

    def excess(log_rate: np.ndarray, at: np.ndarray) -> np.ndarray:
        worst = noise.likely_worst(np.exp(log_rate), at, error, mean_range)
        return np.asarray(np.log(np.maximum(worst, 1e-300) / goal))

    below, above = lowest.copy(), np.full(n.shape, np.inf)
    for factor in _FACTORS:
        tried = np.minimum(lowest * factor, largest)
        rows = np.flatnonzero(np.isinf(above) & ((tried > below) | (factor == 1)))
        passing = noise.likely_worst(tried[rows], n[rows], error, mean_range) <= goal
        above[rows[passing]] = tried[rows[passing]]
        below[rows[~passing]] = tried[rows[~passing]]
    floors = above
    rows = np.flatnonzero(np.isfinite(above) & (above > below))
    if rows.size:
        ends = np.log(below[rows]), np.log(above[rows])
        found = find_root(excess, ends, args=(n[rows],), tolerances={"xrtol": 1e-10})
        floors[rows] = np.where(found.success, np.exp(found.x), np.inf)
    return floors


def least_rate(
    noise: Noise,
    participants: float,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> float:
    """The least allowed rate, within a part in 10^5 of α; ∞ where none is allowed."""
    n = float(participants)
    low, high = mean_range
    means = sorted({min(max(0.5, low), high), low, high} - {0.0, 1.0}) or [low]
    goal = failure * (1 - 2 * noise.tolerance)
    lowest = float(noise.least_rate(np.float64(n), error, failure))
    largest = max(float(noise.largest_rate(np.float64(n))), 4 * lowest)
    for _ in range(_ROUNDS):
        at = np.array(means)

        def worst_of(rate: np.ndarray, at: np.ndarray = at) -> np.ndarray:
            return np.asarray(np.max(noise.failure(rate[:, None], n, error, at), axis=1))

        rate = _first_root(worst_of, lowest, largest, goal)
        if rate is None:
            return math.inf
        found = noise.worst_mean(rate, n, error, mean_range, failure)
        if found.most <= failure:
            return rate
        means.append(found.mean)
        lowest = max(lowest, rate * (1 - 1e-9))  # a lower rate failed at the means seen before
    return math.inf


def always_from(
    noise: Noise,
    rate: float,
    participants: int,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> int:
    """The smallest N ≥ `participants` from which the rate always suffices.

    By a bound that falls with N, it does from some N on; the sizes before are looked at
    one by one, at the means that are likely the worst, at most five thousand of them: teeth are as
    wide as the standard error of the sample.
    """

    def surely(n: int) -> bool:
        return noise.bound(rate, float(n), error) <= failure

    last = participants
    while not surely(last) and last - participants < _TEETH:
        last = min(2 * last, participants + _TEETH)
    sizes = np.arange(participants, last + 1, dtype=float)
    values = noise.likely_worst(np.full(sizes.shape, rate), sizes, error, mean_range)
    fails = np.flatnonzero(values > failure)
    return int(sizes[fails[-1]]) + 1 if fails.size else participants


def _first_root(
    worst_of: Callable[[np.ndarray], np.ndarray], lowest: float, largest: float, goal: float
) -> float | None:
    """The least rate from `lowest` to `largest` at which `worst_of` is at most `goal`."""
    from scipy.optimize import brentq, minimize_scalar

    def excess(rate: float) -> float:
        return math.log(max(float(worst_of(np.array([rate]))[0]), 1e-300) / goal)

    if excess(lowest) <= 0:
        return lowest
    count = math.ceil(math.log(largest / lowest) / math.log(_STEP)) + 1
    grid = np.geomspace(lowest, largest, count)
    values = worst_of(grid)
    passing = np.flatnonzero(values <= goal)
    if passing.size:
        first = int(passing[0])
        return float(brentq(excess, grid[first - 1], grid[first], xtol=1e-300, rtol=1e-10))
    # an interval of rates may lie between two points of the grid
    at = int(np.argmin(values))
    ends = (math.log(grid[max(at - 1, 0)]), math.log(grid[min(at + 1, count - 1)]))
    found = minimize_scalar(lambda x: excess(math.exp(x)), bounds=ends, method="bounded")
    if found.fun > 0:
        return None
    return float(brentq(excess, math.exp(ends[0]), math.exp(found.x), xtol=1e-300, rtol=1e-10))
