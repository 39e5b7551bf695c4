"""The frontier: the least rate of noise, at each N, at which a noisy proportion is accurate.

The rate is ε, or 1/σ (see `noise`), and it must do at every mean of a range. `rates` finds the
least one for some means; the worst means are found one by one: solve for the worst seen so far,
look for a worse one, and repeat. The frontier depends on no money: it is found once for an error,
a failure probability and a range of means, and whatever asks again reads what is known.
"""

import math
from bisect import bisect_left
from functools import lru_cache

import numpy as np

from planner.mechanisms.exact.bounds.bracket import Mean, anchors, tolerance_at
from planner.mechanisms.exact.noise import Asked, Noise
from planner.mechanisms.exact.quick_rates import largest_rate, quick_rates
from planner.mechanisms.exact.rates import CERTAIN, LARGE, Rates
from planner.mechanisms.exact.smooth_rates import smooth_rates
from planner.numbers import Array

_TEETH, _ALIKE = 5_000, 50
_ROUNDS = 60
_TABLE = 2**17
_SMALLEST_TABLE = 2**12
_MOST_BEYOND = 100_000
_SIDE_BY_SIDE = 512
"""Floors of so many sizes are computed at once: one alone costs nearly as much."""


class Frontier:
    """The least rates over N for the means that are likely the worst, each computed once.

    They are at most the certain ones, which other means and the width of brackets may raise.
    """

    def __init__(self, noise: Noise, asked: Asked) -> None:
        self._noise, self._asked = noise, asked
        self._table = np.full(_SMALLEST_TABLE, np.nan)
        self._beyond: dict[float, float] = {}
        self._block = 1

    def read_often(self) -> None:
        """Compute neighbouring rates before they are asked for."""
        self._block = _SIDE_BY_SIDE

    def rates(self, participants: Array) -> Array:
        """The rates over an array of N; ∞ where none is allowed."""
        n = np.asarray(participants, dtype=float)
        sizes = n.ravel()
        tabled = (sizes < _TABLE) & (sizes % 1 == 0)
        self._grow(int(np.max(sizes, where=tabled, initial=1.0)))
        at = np.where(tabled, sizes, 0).astype(int)
        rates = np.where(tabled, self._table[at], np.nan)
        if np.isnan(rates).any():
            self._fill(at[tabled & np.isnan(rates)])
            rates = np.where(tabled, self._table[at], self._others(sizes, tabled))
        return rates.reshape(n.shape)

    def _grow(self, largest: int) -> None:
        size = len(self._table)
        while size <= largest:
            size *= 2
        if size > len(self._table):
            more = np.full(size - len(self._table), np.nan)
            self._table = np.concatenate([self._table, more])

    def _fill(self, at: Array) -> None:
        blocks = np.unique(at // self._block)
        sizes = (blocks[:, None] * self._block + np.arange(self._block)).ravel()
        sizes = sizes[(sizes >= 1) & np.isnan(self._table[sizes])]
        if sizes.size:
            self._table[sizes] = quick_rates(self._noise, self._asked, sizes.astype(float))

    def _others(self, sizes: Array, tabled: Array) -> Array:
        """The rates of sizes that are not in the table: large ones, and parts of people."""
        asked = sorted(set(sizes[~tabled].tolist()) - self._beyond.keys())
        if asked:
            rates = quick_rates(self._noise, self._asked, np.array(asked))
            self._beyond.update(zip(asked, rates.tolist(), strict=True))
        rates = np.array([self._beyond.get(size, np.nan) for size in sizes.tolist()])
        if len(self._beyond) > _MOST_BEYOND:
            self._beyond.clear()
        return rates


@lru_cache(maxsize=32)
def frontier(noise: Noise, asked: Asked) -> Frontier:
    """The frontier of one noise, error, failure probability and range of means."""
    return Frontier(noise, asked)


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
    for _ in range(_ROUNDS):

        def parts(rate: Array, rows: Array) -> Array:
            return np.moveaxis(noise.parts(rate, n, error, means), 2, 1)

        rate = float(smooth_rates(parts, size, asked._replace(failure=goal), lowest)[0])
        if math.isnan(rate):
            search = Rates(
                parts, lowest, largest, goal, noise.growth, CERTAIN, size > LARGE, likely
            )
            rate = float(search.least()[0])
        if math.isinf(rate):
            return math.inf
        worst = noise.worst_mean(rate, n, asked)
        if worst.most <= failure:
            return rate
        if worst.mean in means:  # only the bracket's width is in the way: some rate more, then
            goal *= max(min(failure / worst.most, 1 - step), 0.5)
            step *= 2
        means.append(worst.mean)
        lowest = np.maximum(lowest, rate * (1 - 1e-9))  # lower rates failed at the means before
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
