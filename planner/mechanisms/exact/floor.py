"""The least ε at which a noisy proportion is accurate at every mean of a range.

The failure probability need not fall with ε: when the sample itself is off, noise can help. So the
allowed ε may have an upper end too, and the floor is the least allowed ε: the first root over a
grid, refined. The worst means are found one by one: solve for the worst seen so far, look for a
worse one, and repeat.
"""

import math
from collections.abc import Callable

import numpy as np

from planner.mechanisms import hoeffding
from planner.mechanisms.exact.noises import Noise

_TEETH = 5_000
_LARGEST = 60.0
"""No ε beyond this is searched: the noise is then gone."""
_STEP = 1.15
_FACTORS = np.array([
    1, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2, 2.5, 3, 4, 5, 7, 9, 12, 16, 20, 30, 60, 200, 1e6, 1e300
])  # fmt: skip
"""Where a quick search looks, in units of the least signal."""
_ROUNDS = 12


def quick_floors(
    noise: Noise,
    participants: np.ndarray,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> np.ndarray:
    """The least ε for the means that are likely the worst; ∞ where none is found."""
    from scipy.optimize.elementwise import find_root

    n = np.asarray(participants, dtype=float)
    goal = failure * (1 - 2 * noise.tolerance)
    lowest = noise.least_epsilon(n, error, failure)

    def excess(log_epsilon: np.ndarray, at: np.ndarray) -> np.ndarray:
        worst = noise.likely_worst(np.exp(log_epsilon), at, error, mean_range)
        return np.asarray(np.log(np.maximum(worst, 1e-300) / goal))

    grid = np.minimum(lowest[:, None] * _FACTORS, np.maximum(_LARGEST, 4 * lowest)[:, None])
    sizes = np.broadcast_to(n[:, None], grid.shape)
    passing = noise.likely_worst(grid, sizes, error, mean_range) <= goal
    first = np.argmax(passing, axis=1)
    floors = np.where(passing.any(axis=1), lowest, np.inf)
    between = passing.any(axis=1) & (first > 0)
    if between.any():
        rows = np.flatnonzero(between)
        ends = np.log(grid[rows, first[rows] - 1]), np.log(grid[rows, first[rows]])
        found = find_root(excess, ends, args=(n[rows],), tolerances={"xrtol": 1e-10})
        floors[rows] = np.where(found.success, np.exp(found.x), np.inf)
    return floors


def epsilon_floor(
    noise: Noise,
    participants: float,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> float:
    """The least allowed ε, within a part in 10^5 of α; ∞ where no ε is allowed."""
    n = float(participants)
    low, high = mean_range
    means = sorted({min(max(0.5, low), high), low, high} - {0.0, 1.0}) or [low]
    goal = failure * (1 - 2 * noise.tolerance)
    lowest = float(noise.least_epsilon(np.float64(n), error, failure))
    for _ in range(_ROUNDS):
        at = np.array(means)

        def worst_of(epsilon: np.ndarray, at: np.ndarray = at) -> np.ndarray:
            return np.asarray(np.max(noise.failure(epsilon[:, None], n, error, at), axis=1))

        epsilon = _first_root(worst_of, lowest, goal)
        if epsilon is None:
            return math.inf
        found = noise.worst_mean(epsilon, n, error, mean_range, failure)
        if found.most <= failure:
            return epsilon
        means.append(found.mean)
        lowest = max(lowest, epsilon * (1 - 1e-9))  # less ε failed at the means seen before
    return math.inf


def always_from(
    noise: Noise,
    epsilon: float,
    participants: int,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> int:
    """The smallest N ≥ `participants` from which ε always suffices.

    By Hoeffding's bound, which falls with N, it does from some N on; the sizes before are looked at
    one by one, at the means that are likely the worst, at most five thousand of them: teeth are as
    wide as the standard error of the sample.
    """

    def surely(n: int) -> bool:
        return bool(hoeffding.failure_probability(epsilon, float(n), error) <= failure)

    last = participants
    while not surely(last) and last - participants < _TEETH:
        last = min(2 * last, participants + _TEETH)
    sizes = np.arange(participants, last + 1, dtype=float)
    values = noise.likely_worst(np.full(sizes.shape, epsilon), sizes, error, mean_range)
    fails = np.flatnonzero(values > failure)
    return int(sizes[fails[-1]]) + 1 if fails.size else participants


def _first_root(
    worst_of: Callable[[np.ndarray], np.ndarray], lowest: float, goal: float
) -> float | None:
    """The least ε from `lowest` on at which the failure probability is at most `goal`."""
    from scipy.optimize import brentq, minimize_scalar

    def excess(epsilon: float) -> float:
        return math.log(max(float(worst_of(np.array([epsilon]))[0]), 1e-300) / goal)

    if excess(lowest) <= 0:
        return lowest
    top = max(_LARGEST, 4 * lowest)
    count = math.ceil(math.log(top / lowest) / math.log(_STEP)) + 1
    grid = np.geomspace(lowest, top, count)
    values = worst_of(grid)
    passing = np.flatnonzero(values <= goal)
    if passing.size:
        first = int(passing[0])
        return float(brentq(excess, grid[first - 1], grid[first], xtol=1e-300, rtol=1e-10))
    # an interval of ε may lie between two points of the grid
    at = int(np.argmin(values))
    ends = (math.log(grid[max(at - 1, 0)]), math.log(grid[min(at + 1, count - 1)]))
    found = minimize_scalar(lambda x: excess(math.exp(x)), bounds=ends, method="bounded")
    if found.fun > 0:
        return None
    return float(brentq(excess, math.exp(ends[0]), math.exp(found.x), xtol=1e-300, rtol=1e-10))
