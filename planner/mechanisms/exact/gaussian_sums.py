"""The failure probability of a noisy proportion with Gaussian noise, as a sum over counts.

Only counts within reach of the mean are summed. Every h-th count is enough where h is small beside
the widths of the noise and of the sample: the characteristic function of K at 2π/h is what that
adds.
"""

import math
from functools import cache

import numpy as np
from scipy.special import gammaln, log_ndtr, ndtr

from planner.mechanisms.exact.binomial import log_chance
from planner.numbers import Array

_REST, _MOST_REST = 33.0, 150.0
"""Counts out of reach have together less than e^−33 of what the noise alone does, or e^−150."""
_MOST_STEPS = 3.0
_BLOCK = 2**13
_TABLED = 10_000
"""Binomial coefficients of studies up to this size come from a table of factorials."""
_MOST_TERMS = 200_000


def failure_at(rate: Array, n: Array, error: float, mean: Array) -> Array:
    """Pr[|K/N + Z/N − μ| ≥ T], Z normal of deviation 1/rate; arrays broadcast.

    The error is at most 1e-10 of it, or 1e-60; beyond 200,000 counts within reach, where the
    sample is taken as normal, about 1e-4 of it: proofs do without.
    """
    return beyond(rate, n, mean, np.asarray(n) * error, sides=2)


def beyond(rate: Array, n: Array, mean: Array, excess: Array, sides: int) -> Array:
    """Pr[K + Z ≥ Nμ + excess], and with both sides Pr[K + Z ≤ Nμ − excess] beside it."""
    r, size, m, off = np.broadcast_arrays(*np.atleast_1d(rate, n, mean, excess))
    shape, total = r.shape, r.size
    r, size, m, off = (np.ravel(x).astype(float) for x in (r, size, m, off))
    variance = size * m * (1 - m)
    rest = np.minimum(_REST - log_ndtr(-off * r), _MOST_REST)
    reach = _reach(size, variance, rest)
    width = 1 / np.sqrt(r**2 + 1 / np.maximum(variance, 1e-300))
    # so many steps to a standard deviation leave e^(−rest), as K's characteristic function at t is
    # at most exp(−2V·sin²(t/2))
    step = np.maximum(np.floor(width / np.minimum(np.sqrt(rest / 8), _MOST_STEPS)), 1.0)
    first = np.maximum(np.ceil(size * m - reach), 0.0)
    last = np.minimum(np.floor(size * m + reach), size)
    terms = (last - first) // step + 1
    count = np.minimum(terms, _MOST_TERMS).astype(int)
    # beyond so many the sample is as good as normal: whether a count lies just on an edge is all
    # that tells them apart
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        failures = sides * ndtr(-off / np.sqrt(variance + 1 / r**2))
    order = np.argsort(count)
    order = order[(terms <= _MOST_TERMS)[order]]
    done, total = 0, len(order)
    while done < total:
        longest = int(count[order[min(done + _BLOCK // int(count[order[done]]), total) - 1]])
        rows = order[done : done + max(1, _BLOCK // longest)]
        columns = [x[rows, None] for x in (r, size, m, off, first, last, step)]
        failures[rows] = _summed(columns, sides)
        done += len(rows)
    return failures.reshape(shape)


def _summed(columns: list[Array], sides: int) -> Array:
    rate, n, mean, excess, first, last, step = columns
    count = int(np.max((last - first) // step)) + 1
    k = first + step * np.arange(count)
    inside = k <= last
    off = k - n * mean
    with np.errstate(all="ignore"):
        chance = np.exp(_log_chance(n, np.minimum(k, last), mean, off))
        carried = ndtr((off - excess) * rate)
        if sides == 2:
            carried += ndtr((-off - excess) * rate)
    sure = (mean <= 0) | (mean >= 1)
    chance = np.where(sure, off == 0, chance)
    return np.asarray(np.sum(np.where(inside, chance * carried, 0.0) * step, axis=1))


def _log_chance(n: Array, k: Array, mean: Array, off: Array) -> Array:
    """The logarithm of Pr[K = k] inside (0, 1); its error is a part in 10^11 at most."""
    if np.max(n) > _TABLED or np.any(n % 1):
        return log_chance(n, k, mean, 1 - mean, off)
    ways, whole, count = _log_factorials(), n.astype(int), k.astype(int)
    ways = ways[whole] - ways[count] - ways[whole - count]
    return ways + count * np.log(mean) + (whole - count) * np.log1p(-mean)


@cache
def _log_factorials() -> Array:
    return np.asarray(gammaln(np.arange(_TABLED + 1) + 1.0))


def _reach(n: Array, variance: Array, rest: Array) -> Array:
    """How far from the mean counts matter, by Hoeffding's bound and by Bernstein's."""
    rest = rest + math.log(2)
    bernstein = rest / 3 + np.sqrt(rest**2 / 9 + 2 * rest * variance)
    return np.minimum(np.sqrt(n * rest / 2), bernstein)
