"""The least rate of noise at which a noisy proportion is accurate at every mean of a range.

The rate is ε, or 1/σ (see `noises`). The failure probability f need not fall with it: when the
sample itself is off, noise can help. So the allowed rates may have an upper end too, and the floor
is the least allowed one. It is found by branch and bound over rates, since f cannot rise fast:

    f(b) ≤ f(a)·(b/a)^0.3 for a ≤ b,

as a sum over counts of Pr[K = k]·Pr[Z beyond the edge], in which every factor that grows with the
rate is Pr[Z ≥ −t] for a t ≥ 0. With x the rate times t its logarithm grows, by the logarithm of the
rate, by x/(2e^x − 1) < 0.24 for Laplace noise, by xφ(x)/Φ(x) < 0.3 for Gaussian noise, and by at
most ε/(e^ε + 1) < 0.28 for geometric noise. A rate b that fails clearly thus excludes all the
rates in a range below it.

The worst means are found one by one: solve for the worst seen so far, look for a worse one, repeat.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from planner.mechanisms.exact.noises import Noise
from planner.mechanisms.exact.worst_mean import Mean, anchors

_TEETH = 5_000
_FACTORS = np.array([
    1, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2, 2.5, 3, 4, 5, 7, 9, 12, 16, 20, 30, 60, 200, 1e6, 1e300
])  # fmt: skip
"""Where a search looks first, in units of the least signal."""
_RISE = 0.3
"""How fast the logarithm of a failure probability can grow with the logarithm of the rate."""
_ROUNDS = 60
_PARTS = 4
_SHARES = np.arange(1, _PARTS + 1) / _PARTS
_MOST_HALVINGS = 60


class Care(NamedTuple):
    """How closely rates are searched.

    Attributes:
        crossing: the width, as a ratio, at which a cell with a passing end is left to a root
            finder.
        failing: the width at which a cell with a failing end is given up: what it can hide passes
            by less than 0.3 of that.
    """

    crossing: float
    failing: float


_QUICK = Care(crossing=1.25, failing=1 + 1e-4)
_CERTAIN = Care(crossing=1 + 1e-10, failing=1 + 2e-5)


def quick_rates(
    noise: Noise,
    participants: np.ndarray,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> np.ndarray:
    """The least rates for the means that are likely the worst; ∞ where none is allowed.

    They are at most the floors, up to rounding: other means may ask for more.
    """
    n = np.asarray(participants, dtype=float)

    def worst(rate: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return np.asarray(noise.likely_worst(rate, n[rows], error, mean_range))

    lowest = np.asarray(noise.least_rate(n, error, failure))
    goal = failure * (1 - 2 * noise.tolerance)
    return _least_allowed(worst, lowest, _largest(noise, n, lowest), goal, _QUICK)


def least_rate(
    noise: Noise,
    participants: float,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> float:
    """The least allowed rate, within a part in 10^5 of α; ∞ where none is allowed."""
    return _least_rate(noise, float(participants), error, failure, mean_range)


@lru_cache(maxsize=4096)
def _least_rate(
    noise: Noise, n: float, error: float, failure: float, mean_range: tuple[float, float]
) -> float:
    means: list[Mean] = [*anchors(error, mean_range)]
    goal = failure * (1 - 2 * noise.tolerance)
    size = np.array([n])
    lowest = np.asarray(noise.least_rate(size, error, failure))
    largest = _largest(noise, size, lowest)
    for _ in range(_ROUNDS):

        def worst(rate: np.ndarray, rows: np.ndarray) -> np.ndarray:
            return np.asarray(np.max(noise.failure(rate, n, error, means), axis=1))

        rate = float(_least_allowed(worst, lowest, largest, goal, _CERTAIN)[0])
        if math.isinf(rate):
            return math.inf
        found = noise.worst_mean(rate, n, error, mean_range, failure)
        if found.most <= failure:
            return rate
        means.append(found.mean)
        lowest = np.maximum(lowest, rate * (1 - 1e-9))  # lower rates failed at the means before
    return math.inf


def _largest(noise: Noise, n: np.ndarray, lowest: np.ndarray) -> np.ndarray:
    return np.asarray(np.maximum(noise.largest_rate(n), 4 * lowest))


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


def _least_allowed(
    worst: Callable[[np.ndarray, np.ndarray], np.ndarray],
    lowest: np.ndarray,
    largest: np.ndarray,
    goal: float,
    care: Care,
) -> np.ndarray:
    """The least rate of each row at which `worst` is at most `goal`; ∞ where there is none.

    Args:
        worst: the failure probability for arrays of rates and of the rows that they belong to; in
            each row it grows with the rate no faster than the module's bound.
        lowest: for each row a rate below which none is allowed.
        largest: for each row the last rate that is looked at.
        goal: α.
        care: how closely.
    """
    low, high, row, first = _first_cells(worst, lowest, largest, goal, care)
    crossing_low = np.where(np.isfinite(first), lowest, np.inf)
    for _ in range(_MOST_HALVINGS):
        crossing = high == first[row]
        crossing_low[row[crossing]] = low[crossing]
        given_up = ~crossing & (high <= low * care.failing)
        open_ = ~given_up & (low < first[row]) & (~crossing | (high > low * care.crossing))
        low, high, row = low[open_], high[open_], row[open_]
        if not row.size:
            break
        cuts = low[:, None] * (high / low)[:, None] ** _SHARES
        cuts[:, -1] = high
        values = worst(cuts.ravel(), np.repeat(row, _PARTS)).reshape(cuts.shape)
        np.minimum.at(first, row, np.min(np.where(values <= goal, cuts, np.inf), axis=1))
        starts = np.concatenate([low[:, None], cuts[:, :-1]], axis=1).ravel()
        ends = _reach(cuts, values, goal).ravel()
        row = np.repeat(row, _PARTS)
        kept = (ends > starts) & (starts < first[row])
        low, high, row = starts[kept], ends[kept], row[kept]
    return _polished(worst, crossing_low, first, goal, care)


def _first_cells(
    worst: Callable[[np.ndarray, np.ndarray], np.ndarray],
    lowest: np.ndarray,
    largest: np.ndarray,
    goal: float,
    care: Care,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Cells of rates that may hold an allowed one: ends and rows; and the first allowed rates."""
    first = np.full(lowest.shape, np.inf)
    below = lowest.copy()
    cells = []
    for factor in _FACTORS:
        tried = np.minimum(lowest * factor, largest)
        row = np.flatnonzero(np.isinf(first) & ((tried > below) | (factor == 1)))
        if not row.size:
            continue
        rate = tried[row]
        values = worst(rate, row)
        passing = values <= goal
        first[row[passing]] = rate[passing]
        end = _reach(rate, values, goal)
        kept = end > below[row] * np.where(passing, 1.0, care.failing)
        cells.append((below[row][kept], end[kept], row[kept]))
        below[row] = rate
    low, high, row = (np.concatenate(parts) for parts in zip(*cells, strict=True))
    return low, high, row, first


def _reach(rate: np.ndarray, values: np.ndarray, goal: float) -> np.ndarray:
    """The rate down to which one that fails excludes all others; itself where it passes."""
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(rate * np.minimum(goal / values, 1.0) ** (1 / _RISE))


def _polished(
    worst: Callable[[np.ndarray, np.ndarray], np.ndarray],
    low: np.ndarray,
    first: np.ndarray,
    goal: float,
    care: Care,
) -> np.ndarray:
    """The roots in the cells that end at the first allowed rates."""
    row = np.flatnonzero(np.isfinite(first) & (low < first))
    if care is _CERTAIN or not row.size:
        return first
    from scipy.optimize.elementwise import find_root

    def excess(log_rate: np.ndarray, at: np.ndarray) -> np.ndarray:
        values = worst(np.exp(log_rate), at)
        return np.asarray(np.log(np.maximum(values, 1e-300) / goal))

    ends = np.log(low[row]), np.log(first[row])
    found = find_root(excess, ends, args=(row,), tolerances={"xrtol": 1e-10})
    first[row] = np.where(found.success, np.exp(found.x), first[row])
    return first
