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
from planner.mechanisms.exact.proof import large_study_bound
from planner.mechanisms.exact.worst_mean import failure_at, worst_mean

_TEETH = 5_000
_LARGEST = 60.0
"""No ε beyond this is searched: the noise is then gone."""
_STEP = 1.15
_SMOOTH = 20_000
"""In studies larger than this one person does not tip the worst mean."""
_FACTORS = np.array([
    1, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2, 2.5, 3, 4, 5, 7, 9, 12, 16, 20, 30, 60, 200, 1e6, 1e300
])  # fmt: skip
"""Where a quick search looks, in units of the least signal."""
_TOLERANCE = 1e-6
_ROUNDS = 12


def signal_floor(error: float, failure: float) -> float:
    """The least N·ε: ln(1/α)/T.

    The noise alone is off by NT or more with probability e^(−εNT), and a sample that is off too
    makes that no less likely, since Laplace noise is symmetric with one peak.
    """
    return -math.log(failure) / error


def quick_floors(
    participants: np.ndarray, error: float, failure: float, mean_range: tuple[float, float]
) -> np.ndarray:
    """The least ε for the means nearest to 1/2, usually the worst; ∞ where none is found."""
    from scipy.optimize.elementwise import find_root

    n = np.asarray(participants, dtype=float)
    goal = failure * (1 - 2 * _TOLERANCE)
    lowest = signal_floor(error, failure) / n

    def worst(epsilon: np.ndarray, at: np.ndarray) -> np.ndarray:
        values = failure_at(
            epsilon[..., None], at[..., None], error, _likely_worst(at, error, mean_range)
        )
        return np.asarray(np.max(values, axis=-1))

    def excess(log_epsilon: np.ndarray, at: np.ndarray) -> np.ndarray:
        return np.asarray(np.log(np.maximum(worst(np.exp(log_epsilon), at), 1e-300) / goal))

    grid = np.minimum(lowest[:, None] * _FACTORS, np.maximum(_LARGEST, 4 * lowest)[:, None])
    passing = worst(grid, np.broadcast_to(n[:, None], grid.shape)) <= goal
    first = np.argmax(passing, axis=1)
    floors = np.where(passing.any(axis=1), lowest, np.inf)
    between = passing.any(axis=1) & (first > 0)
    if between.any():
        rows = np.flatnonzero(between)
        ends = np.log(grid[rows, first[rows] - 1]), np.log(grid[rows, first[rows]])
        found = find_root(excess, ends, args=(n[rows],), tolerances={"xrtol": 1e-10})
        floors[rows] = np.where(found.success, np.exp(found.x), np.inf)
    return floors


def _likely_worst(n: np.ndarray, error: float, mean_range: tuple[float, float]) -> np.ndarray:
    """The mean nearest to 1/2, and in small studies those beside it where a count tips over."""
    centre = min(max(0.5, mean_range[0]), mean_range[1])
    if np.min(n) > _SMOOTH:
        return np.full((*n.shape, 1), centre)
    edge = np.ceil(n * (centre + error))
    means = [np.full(n.shape, centre), *((edge - step) / n - error for step in (0, 1))]
    return np.asarray(np.clip(np.stack(means, axis=-1), *mean_range))


def epsilon_floor(
    participants: float, error: float, failure: float, mean_range: tuple[float, float]
) -> float:
    """The least allowed ε, within a millionth of α; ∞ where no ε is allowed."""
    n = float(participants)
    low, high = mean_range
    means = sorted({min(max(0.5, low), high), low, high} - {0.0, 1.0}) or [low]
    goal = failure * (1 - 2 * _TOLERANCE)
    lowest = signal_floor(error, failure) / n
    epsilon: float | None = math.inf
    for _ in range(_ROUNDS):
        worst_of = np.array(means)

        def excess(epsilon: float, at: np.ndarray = worst_of) -> float:
            value = float(np.max(failure_at(np.float64(epsilon), n, error, at)))
            return math.log(max(value, 1e-300) / goal)

        epsilon = _first_root(excess, lowest, worst_of, n, error, goal)
        if epsilon is None:
            return math.inf
        if large_study_bound(epsilon, n, error, mean_range) <= failure:
            return epsilon
        found = worst_mean(epsilon, n, error, mean_range, _TOLERANCE, enough=failure)
        if found.most <= failure:
            return epsilon
        means.append(found.mean)
        lowest = max(lowest, epsilon * (1 - 1e-9))  # less ε failed at the means seen before
    return math.inf


def always_from(
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
    means = _likely_worst(sizes, error, mean_range)
    values = failure_at(np.float64(epsilon), sizes[:, None], error, means).max(axis=1)
    fails = np.flatnonzero(values > failure)
    return int(sizes[fails[-1]]) + 1 if fails.size else participants


def _first_root(
    excess: Callable[[float], float],
    lowest: float,
    means: np.ndarray,
    n: float,
    error: float,
    goal: float,
) -> float | None:
    """The least ε from `lowest` on where `excess` is not positive."""
    from scipy.optimize import brentq, minimize_scalar

    if excess(lowest) <= 0:
        return lowest
    top = max(_LARGEST, 4 * lowest)
    count = math.ceil(math.log(top / lowest) / math.log(_STEP)) + 1
    grid = np.geomspace(lowest, top, count)
    values = np.max(failure_at(grid[:, None], n, error, means), axis=1)
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
