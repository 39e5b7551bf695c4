"""The frontier: the least rate of noise, at each N, at which a noisy proportion is accurate.

The rate is ε, or 1/σ (see `noise`), and it must do at every mean of a range. `rates` finds the
least one for some means; the worst means are found one by one: solve for the worst seen so far,
look for a worse one, and repeat. The frontier depends on no money: it is found once for an error,
a failure probability and a range of means, and whatever asks again reads what is known.
"""

import math
from bisect import bisect_left
from functools import lru_cache, partial

from planner.libraries import np
from planner.mechanisms.exact.bounds.bracket import Mean, anchors, tolerance_at
from planner.mechanisms.exact.noise import Asked, Noise
from planner.mechanisms.exact.quick_rates import largest_rate, only_roots, quick_rates
from planner.mechanisms.exact.rates import CERTAIN, LARGE, Rates
from planner.mechanisms.exact.smooth_rates import smooth_rates
from planner.mechanisms.frontier import Frontier
from planner.numbers import Array

_TEETH, _ALIKE = 5_000, 50
_ROUNDS = 60
_UNSEEN = 2.0**-20
"""A search that keeps so small a part of α has long met it, but for the width of the bracket."""


@lru_cache(maxsize=32)
def frontier(noise: Noise, asked: Asked) -> Frontier:
    """The rates over N for the means that are likely the worst.

    They are at most the certain ones, which other means and the width of brackets may raise.
    """
    return Frontier(partial(quick_rates, noise, asked))


def kept_back(participants: float) -> float:
    """By what part of α the certain rates stay under it at first: brackets have a width."""
    return 2 * tolerance_at(participants)


@lru_cache(maxsize=4096)
def least_rate(noise: Noise, n: float, asked: Asked) -> float:
    """The least allowed rate at N, within a part in 10^7 of α; ∞ where none is allowed.

    In large studies it is within four parts in 10^6, so that few brackets and short proofs will do;
    with hardly any noise the bracket stays wide, and `large_study` decides.
    """
    error, failure, mean_range = asked
    means: list[Mean] = [*anchors(error, mean_range)]
    step = tolerance_at(n)
    goal = failure * (1 - kept_back(n))
    size = np.array([n])
    lowest = np.asarray(noise.least_rate(size, error, failure))
    largest = largest_rate(noise, size, lowest)
    likely = noise.likely_rate(size, error, failure)

    def parts(rate: Array, rows: Array) -> Array:
        return np.moveaxis(noise.parts(rate, n, error, means), 2, 1)

    def searched(lowest: Array, goal: float) -> float:
        rate = smooth_rates(parts, size, asked._replace(failure=goal), lowest)[0]
        if math.isnan(rate):
            search = Rates(
                parts, lowest, largest, goal, noise.growth, CERTAIN, size > LARGE, likely
            )
            rate = search.least()[0]
        return float(rate)

    with np.errstate(all="ignore"):  # as where floors are read
        rate = float(only_roots(noise, asked._replace(failure=goal), size)[0])
    for _ in range(_ROUNDS):
        if math.isnan(rate):
            rate = searched(lowest, goal)
        if math.isinf(rate):
            return math.inf
        worst = noise.worst_mean(rate, n, asked)
        if worst.most <= failure:
            return rate
        if worst.mean in means:  # only the bracket's width is in the way: some rate more, then
            goal *= max(min(failure / worst.most, 1 - step), 0.5)
            step *= 2
        means.append(worst.mean)
        if goal < failure * _UNSEEN:  # the bracket stays wider than α: no rate is certain
            return math.inf
        lowest = np.maximum(lowest, rate * (1 - 1e-9))  # lower rates failed at the means before
        rate = math.nan
    raise ArithmeticError(
        f"no smallest noise rate was found for N = {n:g}, error {error:g} and failure {failure:g}"
    )


def always_from(noise: Noise, rate: float, participants: int, asked: Asked) -> int:
    """The smallest N ≥ `participants` from which the rate always suffices.

    By a bound that falls with N, it does from some N on; the sizes before are looked at
    one by one, at the means that are likely the worst, at most five thousand of them: teeth are as
    wide as the standard error of the sample. Noise that hides which counts tip over leaves no
    teeth, and in large studies one size in fifty tells of its neighbours.
    """
    error, failure, mean_range = asked

    def surely(n: int) -> bool:
        return bool(noise.bound(rate, float(n), error) <= failure)

    last = bisect_left(range(participants + _TEETH), True, participants, key=surely)
    step = _ALIKE if participants > LARGE and rate <= noise.smooth else 1
    sizes = np.arange(participants, last + 1, step, dtype=float)
    values = noise.likely_worst(np.full(sizes.shape, rate), sizes, error, mean_range)
    fails = np.flatnonzero(values > failure)
    return int(sizes[fails[-1]]) + step if fails.size else participants
