"""The least rate of noise at which a noisy proportion is accurate at every mean of a range.

The rate is ε, or 1/σ (see `noises`). `rates` finds the least one for some means; the worst means
are found one by one: solve for the worst seen so far, look for a worse one, and repeat.
"""

import math
from functools import lru_cache

import numpy as np

from planner.mechanisms.exact.noises import Noise
from planner.mechanisms.exact.rates import CERTAIN, LARGE, QUICK, Rates
from planner.mechanisms.exact.worst_mean import TOLERANCE, Mean, anchors

_TEETH = 5_000
_ROUNDS = 60
_MOST_KEPT = 100_000


def quick_rates(
    noise: Noise,
    participants: np.ndarray,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> np.ndarray:
    """The least rates for the means that are likely the worst; ∞ where none is allowed.

    They are at most the floors, which other means and the width of brackets may raise. A search
    asks for the same sizes again and again, with other money, so they are kept.
    """
    n = np.asarray(participants, dtype=float)
    kept = _kept_rates(noise, error, failure, mean_range)
    asked = np.array(sorted(set(n.ravel().tolist()) - kept.keys()))
    if asked.size:
        rates = _quick_rates(noise, asked, error, failure, mean_range)
        kept.update(zip(asked.tolist(), rates.tolist(), strict=True))
    found = np.array([kept[size] for size in n.ravel().tolist()]).reshape(n.shape)
    if len(kept) > _MOST_KEPT:
        _kept_rates.cache_clear()
    return found


@lru_cache(maxsize=32)
def _kept_rates(
    noise: Noise, error: float, failure: float, mean_range: tuple[float, float]
) -> dict[float, float]:
    """The rates found so far, by N."""
    return {}


def _quick_rates(
    noise: Noise, n: np.ndarray, error: float, failure: float, mean_range: tuple[float, float]
) -> np.ndarray:
    def parts(rate: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return np.asarray(noise.likely_parts(rate, n[rows], error, mean_range))

    lowest = np.asarray(noise.least_rate(n, error, failure))
    search = Rates(
        parts, lowest, _largest(noise, n, lowest), failure, noise.growth, QUICK, n > LARGE
    )
    return search.polished(search.first())


def least_rate(
    noise: Noise,
    participants: float,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
) -> float:
    """The least allowed rate, within a part in 10^7 of α; ∞ where none is allowed.

    In large studies with hardly any noise the bracket stays wide, and `large_study` decides.
    """
    return _least_rate(noise, float(participants), error, failure, mean_range)


@lru_cache(maxsize=4096)
def _least_rate(
    noise: Noise, n: float, error: float, failure: float, mean_range: tuple[float, float]
) -> float:
    means: list[Mean] = [*anchors(error, mean_range)]
    goal = failure * (1 - 2 * TOLERANCE)
    size = np.array([n])
    lowest = np.asarray(noise.least_rate(size, error, failure))
    largest = _largest(noise, size, lowest)
    step = TOLERANCE
    for _ in range(_ROUNDS):

        def parts(rate: np.ndarray, rows: np.ndarray) -> np.ndarray:
            return np.moveaxis(noise.parts(rate, n, error, means), 2, 1)

        search = Rates(parts, lowest, largest, goal, noise.growth, CERTAIN, size > LARGE)
        rate = float(search.first()[0])
        if math.isinf(rate):
            return math.inf
        found = noise.worst_mean(rate, n, error, mean_range, failure)
        if found.most <= failure:
            return rate
        if found.mean in means:  # only the bracket's width is in the way: some rate more, then
            goal *= max(min(failure / found.most, 1 - step), 0.5)
            step *= 2
        means.append(found.mean)
        lowest = np.maximum(lowest, rate * (1 - 1e-9))  # lower rates failed at the means before
    raise ArithmeticError(
        f"no smallest noise rate was found for N = {n:g}, error {error:g} and failure {failure:g}"
    )


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
