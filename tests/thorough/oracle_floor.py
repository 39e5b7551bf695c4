"""The least rate of noise at which a noisy proportion is accurate, by a fine grid over rates.

The failure probability need not fall with the rate, so the allowed rates may have several windows.
Where the largest over a few means passes α on no point of the grid, near none of its valleys, none
is allowed; else the first crossing is refined, the worst mean there is looked for among all, and
taken in until no mean fails.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ndtri

from tests.thorough import oracle_exact as exact

Array = np.ndarray
_GRID = 220
_FAR, _FARTHEST = 2000.0, 1e10
_ROUNDS = 60
_CLOSE = 1e-8
_FEW = 40
_VALLEY = 1.5


def noise_alone(kind: str, n: int, error: float, failure: float) -> float:
    """A rate that even a perfect sample needs: noise alone is off by NT, or NT + 1 if whole."""
    distance = n * error
    if kind == "gaussian":
        return float(-ndtri(failure / 2)) / distance
    return -math.log(failure) / (distance + (kind == "geometric"))


@lru_cache(maxsize=20_000)
def least_rate(
    kind: str,
    n: int,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
    at_least: float = 0.0,
) -> float:
    """The least allowed rate of at least `at_least`; ∞ where none is found."""
    start = max(noise_alone(kind, n, error, failure) * (1 - 1e-12), at_least, 1e-300)
    nodes = exact.tipping(n, error, mean_range)
    far = max(_FAR, 8 * start, _farthest(n, error, failure, nodes))
    # where a count's chance vanishes as it comes to its edge, the rate falls off as a power only
    while exact.worst(kind, far, n, error, mean_range).value > failure and far < _FARTHEST:
        less = exact.worst(kind, 8 * far, n, error, mean_range).value
        if less > exact.worst(kind, far, n, error, mean_range).value / 2:
            break
        far *= 8
    grid = np.geomspace(start, far, _GRID)
    if len(nodes) > _FEW:  # the others are taken in where they turn out to be worse
        chosen = np.unique(np.linspace(0, len(nodes) - 1, _FEW).astype(int))
        nodes = tuple(nodes[i] for i in chosen)
    means = exact.at(kind, n, error, nodes)
    values = exact.failures(kind, grid, n, means).max(axis=0)
    for _ in range(_ROUNDS):
        rate = _first(kind, n, means, grid, values, failure)
        if rate is None:
            return math.inf
        worst = exact.worst(kind, rate, n, error, mean_range)
        if worst.value <= failure * (1 + _CLOSE):
            return rate
        means = means.joined(worst.at)
        values = np.maximum(values, exact.failures(kind, grid, n, worst.at)[0])
    raise ArithmeticError(f"no least rate: {kind} N={n} T={error} α={failure} {mean_range}")


def _farthest(n: int, error: float, failure: float, nodes: tuple[Fraction, ...]) -> float:
    """The rate that is enough where no count tips over an edge inside the range.

    Each count is then some room away from its edge at every mean, and e^(−room·rate) is under α.
    """
    if len(nodes) > 2:
        return 0.0
    excess = n * exact.decimal(error)
    rooms = [abs(excess - abs(k - n * mean)) for mean in nodes for k in range(n + 1)]
    room = min((room for room in rooms if room), default=excess)
    return 4 * math.log(2 / failure) / float(room)


def _first(
    kind: str, n: int, means: exact.Means, grid: Array, values: Array, failure: float
) -> float | None:
    """The least rate, by the grid and its valleys, at which all of these means pass."""
    weights = exact.chances(n, means.mean)
    k = np.arange(n + 1)
    above, below = means.high[:, None] - k, k - means.low[:, None]

    def excess(rate: float) -> float:
        off = exact.tail(kind, np.float64(rate), above) + exact.tail(kind, np.float64(rate), below)
        return float(np.max(np.sum(weights * off, axis=1))) / failure - 1

    if values[0] <= failure:
        return float(grid[0])
    passing = np.flatnonzero(values <= failure)
    first = int(passing[0]) if passing.size else len(grid)
    # a window may lie between two points of the grid, where the values have a valley
    for i in range(1, min(first, len(grid) - 1)):
        valley = values[i] <= values[i - 1] and values[i] <= values[i + 1]
        if valley and values[i] <= failure * _VALLEY:
            lowest = minimize_scalar(
                excess,
                bounds=(grid[i - 1], grid[i + 1]),
                method="bounded",
                options={"xatol": 1e-12 * grid[i]},
            )
            if lowest.fun <= 0:
                return float(brentq(excess, grid[i - 1], lowest.x, xtol=1e-300, rtol=1e-13))
    if not passing.size:
        return None
    return float(brentq(excess, grid[first - 1], grid[first], xtol=1e-300, rtol=1e-13))
