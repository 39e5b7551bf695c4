"""The least rates over many sizes, for the means that are likely the worst.

Two kinds of sizes need no search. Where the sample alone is off too often, none is allowed. And at
mean 1/2 the count is symmetric and unimodal, so noise that hides whole counts is off the less
often the less of it there is: any root of f = α is then the only one up to such a rate.

Geometric noise leads from whole counts to whole counts, so for it that holds at any rate, and at
the tips beside 1/2 too. With the counts from l to h right and p(k) = Pr[K = k], from z to z + 1
the chance of a right answer with noise ±z grows by p(l − z − 1) − p(l + z) plus
p(h + z + 1) − p(h − z), each the chance of a count less that of one nearer to the middle.
"""

from collections.abc import Callable

from planner.libraries import np
from planner.mechanisms.exact.bounds.bracket import anchors
from planner.mechanisms.exact.noise import Asked, Noise
from planner.mechanisms.exact.rates import LARGE, QUICK, Rates
from planner.mechanisms.exact.smooth_rates import smooth_rates
from planner.mechanisms.exact.sums.binomial import upper_tail
from planner.numbers import Array

_ROUNDING, _CLEARLY = 1e-12, 1 + 1e-6


def quick_rates(noise: Noise, asked: Asked, n: Array) -> Array:
    """The least rates at which the likely means do not pass α; ∞ where none is."""
    rates = np.full(n.shape, np.inf)
    fails = sample_fails(n, asked) if noise.binomial else np.zeros(n.shape, bool)
    left = np.flatnonzero(~fails)
    if left.size:
        rates[left] = only_roots(noise, asked, n[left])
    left = left[np.isnan(rates[left])]
    if left.size:
        rates[left] = _searched(noise, asked, n[left])
    return rates


def only_roots(noise: Noise, asked: Asked, n: Array) -> Array:
    """The rates where there is one root alone; not a number where others search."""
    smooth = noise.smooth if anchors(asked.error, asked.mean_range) == [0.5] else 0.0
    lowest = np.asarray(noise.least_rate(n, asked.error, asked.failure))
    return smooth_rates(_parts(noise, asked, n), n, asked, lowest, smooth)


def _searched(noise: Noise, asked: Asked, n: Array) -> Array:
    error, failure, _ = asked
    lowest = np.asarray(noise.least_rate(n, error, failure))
    largest, likely = largest_rate(noise, n, lowest), noise.likely_rate(n, error, failure)
    parts, growth = _parts(noise, asked, n), noise.growth
    return Rates(parts, lowest, largest, failure, growth, QUICK, n > LARGE, likely).least()


def _parts(noise: Noise, asked: Asked, n: Array) -> Callable[[Array, Array], Array]:
    """The parts of the failure probability for rates and the sizes they belong to."""
    return lambda rate, row: np.asarray(
        noise.likely_parts(rate, n[row], asked.error, asked.mean_range)
    )


def largest_rate(noise: Noise, n: Array, lowest: Array) -> Array:
    """The last rates that are looked at."""
    return np.asarray(np.maximum(noise.largest_rate(n), 4 * lowest))


def sample_fails(n: Array, asked: Asked) -> Array:
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
