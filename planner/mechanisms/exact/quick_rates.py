"""The least rates over many sizes, for the means that are likely the worst.

Two kinds of sizes need no search. Where the sample alone is off too often, none is allowed. And at
mean 1/2 the count is symmetric and unimodal, so noise that hides whole counts is off the less
often the less of it there is: any root of f = α is then the only one up to such a rate.
"""

import math

import numpy as np

from planner.mechanisms.exact.bounds.bracket import anchors
from planner.mechanisms.exact.noise import Asked, Noise
from planner.mechanisms.exact.rates import LARGE, QUICK, Rates
from planner.mechanisms.exact.sums.binomial import upper_tail
from planner.numbers import Array

_ROUNDING, _CLEARLY = 1e-12, 1 + 1e-6
_MOST_STEPS, _CLOSE = 8, 2e-11
_SLOPE = -4.0
"""About how the logarithm of f falls with that of the rate of noise alone."""


def quick_rates(noise: Noise, asked: Asked, n: Array) -> Array:
    """The least rates at which the likely means do not pass α; ∞ where none is."""
    rates = np.full(n.shape, np.inf)
    left = np.flatnonzero(~_sample_fails(n, asked))
    rates[left] = _only_roots(noise, asked, n[left])
    left = left[np.isinf(rates[left])]
    if left.size:
        rates[left] = _searched(noise, asked, n[left])
    return rates


def largest_rate(noise: Noise, n: Array, lowest: Array) -> Array:
    """The last rates that are looked at."""
    return np.asarray(np.maximum(noise.largest_rate(n), 4 * lowest))


def _searched(noise: Noise, asked: Asked, n: Array) -> Array:
    error, failure, mean_range = asked

    def parts(rate: Array, rows: Array) -> Array:
        return np.asarray(noise.likely_parts(rate, n[rows], error, mean_range))

    lowest = np.asarray(noise.least_rate(n, error, failure))
    largest, likely = largest_rate(noise, n, lowest), noise.likely_rate(n, error, failure)
    return Rates(parts, lowest, largest, failure, noise.growth, QUICK, n > LARGE, likely).least()


def _sample_fails(n: Array, asked: Asked) -> Array:
    """Whether the failure probability passes α at mean 1/2 with any noise at all.

    Whatever is added, the answer is right for at most ⌈2NT⌉ counts in a row, and no such counts
    are likelier than those in the middle.
    """
    error, failure, (low, high) = asked
    if not low <= 0.5 <= high:
        return np.zeros(n.shape, bool)
    right = np.ceil(2 * n * error * (1 + _ROUNDING) + _ROUNDING)
    before = np.floor((n + 1 - right) / 2)  # so many counts lie under those
    some = before > 0
    size, under, over = n[some], before[some], (n + 1 - right - before)[some]
    fails = np.zeros(n.shape, bool)
    off = upper_tail(size, size - under + 1, 0.5) + upper_tail(size, size - over + 1, 0.5)
    fails[some] = off > failure * _CLEARLY
    return fails


def _only_roots(noise: Noise, asked: Asked, n: Array) -> Array:
    """The roots next to likely rates, by secants, where there is no lower one; else ∞."""
    error, failure, mean_range = asked
    rates = np.full(n.shape, np.inf)
    likely = noise.likely_rate(n, error, failure)
    if likely is None or anchors(error, mean_range) != [0.5]:
        return rates
    row = np.flatnonzero(likely <= noise.smooth)
    if not row.size:
        return rates

    def excess(log_rate: Array) -> Array:
        worst = noise.likely_worst(np.exp(log_rate), n[row], error, mean_range)
        return np.log(np.maximum(worst, 1e-300) / failure)

    x, least = np.log(likely[row]), np.log(noise.least_rate(n[row], error, failure))
    # less where the sample does most: as the noise's share of the variance
    slope = _SLOPE * np.exp(2 * (least - x))
    value = excess(x)
    for _ in range(_MOST_STEPS):
        settled = np.abs(value) <= _CLOSE
        rates[row[settled]] = np.exp(x[settled])
        after = np.maximum(x - value / slope, least)
        open_ = ~settled & (after <= math.log(noise.smooth))
        if not open_.any():
            break
        columns = (row, least, x, value, slope, after)
        row, least, before, was, slope, x = (column[open_] for column in columns)
        value = excess(x)
        with np.errstate(all="ignore"):
            steeper = (value - was) / (x - before)
        slope = np.where(np.isfinite(steeper) & (steeper < slope / 10), steeper, slope)
    return rates
