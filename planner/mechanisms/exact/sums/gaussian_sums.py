"""The failure probability of a noisy proportion with Gaussian noise, as a sum over counts.

Only counts within reach of the mean are summed. Every h-th count is enough where h is small beside
the widths of the noise and of the sample: the characteristic function of K at 2π/h is what that
adds. Where the noise is far narrower than the sample it matters at the counts beside an edge only,
and all beyond is a binomial tail.
"""

import math
from collections.abc import Callable
from functools import cache

from planner.libraries import np, scipy
from planner.mechanisms.exact.sums.binomial import log_chance, upper_tail
from planner.numbers import Array, Number

_REST, _MOST_REST = 33.0, 150.0
"""Counts out of reach have together less than e^−33 of what the noise alone does, or e^−150."""
_NORMAL_VARIANCE, _NORMAL_REACH = 1_000.0, 6.0
"""A sample so spread out is off as a normal one is, to a factor of e^6, up to so far an edge."""
_MOST_STEPS = 3.0  # no coarser, whatever is left out
_BLOCK = 2**15  # numbers that stay in the cache
_TABLED = 10_000
"""Binomial coefficients of studies up to this size come from a table of factorials."""
_MOST_TERMS = 200_000  # beyond, the sample is taken as normal
_TAIL = 50
"""A binomial tail costs as much as so many chances."""


def parts_at(rate: Number, n: Number, mean: Number, excess: Number, sides: int) -> Number:
    """The same in two parts, along the first axis.

    Where the noise is narrow the first is of counts that are there already, which grows with the
    rate, and the second of counts that the noise carries there; else the first is 0.
    """
    if sides == 2 and np.all(np.asarray(mean) == 0.5):  # both are alike
        return 2 * parts_at(rate, n, mean, excess, 1)
    r, size, m, off = np.broadcast_arrays(*np.atleast_1d(rate, n, mean, excess))
    shape, total = r.shape, r.size
    r, size, m, off = (np.ravel(x).astype(float) for x in (r, size, m, off))
    variance = size * m * (1 - m)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        likely = off / np.sqrt(variance + 1 / r**2)
        normal = (variance > _NORMAL_VARIANCE) & (likely < _NORMAL_REACH)
        rest = _REST - np.where(
            normal, scipy.special.log_ndtr(-likely), scipy.special.log_ndtr(-off * r)
        )
    rest = np.minimum(rest, _MOST_REST)
    reach = _reach(size, variance, rest)
    width = 1 / np.sqrt(r**2 + 1 / np.maximum(variance, 1e-300))
    # so many steps to a standard deviation leave e^(−rest), as K's characteristic function at t is
    # at most exp(−2V·sin²(t/2))
    step = np.maximum(np.floor(width / np.minimum(np.sqrt(rest / 8), _MOST_STEPS)), 1.0)
    first = np.maximum(np.ceil(size * m - reach), 0.0)
    last = np.minimum(np.floor(size * m + reach), size)
    if sides == 1:  # noise carries no others over the edge
        first = np.clip(np.ceil(size * m + off - np.sqrt(2 * rest) / r), first, last)
    terms = (last - first) // step + 1
    count = np.minimum(terms, _MOST_TERMS).astype(int)
    # beyond so many the sample is as good as normal: whether a count lies just on an edge is all
    # that tells them apart
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        parts = np.stack([np.zeros(total), sides * scipy.special.ndtr(-likely)])
        beside = np.ceil(
            np.sqrt(2 * np.minimum(rest, _REST - 2 * scipy.special.log_ndtr(-likely))) / r
        )
    summed = terms <= _MOST_TERMS
    inside = (size * np.minimum(m, 1 - m) + off > 0) & (size * np.maximum(m, 1 - m) + off < size)
    narrow = summed & inside & (sides * (beside + _TAIL) < terms)
    around = np.where(narrow, beside, 0).astype(int)

    def all_counts(rows: Array) -> Array:
        failure = _summed([x[rows, None] for x in (r, size, m, off, first, last, step)], sides)
        return np.stack([np.zeros(len(rows)), failure])

    def edge_counts(rows: Array) -> Array:
        columns = [x[rows, None] for x in (r, size, m, off, beside)]
        upper = _at_edge(*columns)
        columns[2] = 1 - columns[2]
        return upper + _at_edge(*columns) if sides == 2 else upper

    _in_blocks(all_counts, count, summed & ~narrow, parts)
    _in_blocks(edge_counts, around, narrow, parts)
    return parts.reshape(2, *shape)


def _in_blocks(sums: Callable[[Array], Array], count: Array, chosen: Array, parts: Array) -> None:
    """Write the sums of the chosen rows, those of like numbers of terms at once."""
    order = np.argsort(count)
    order = order[chosen[order]]
    done, total = 0, len(order)
    while done < total:
        longest = int(count[order[min(done + _BLOCK // int(count[order[done]]), total) - 1]])
        rows = order[done : done + max(1, _BLOCK // longest)]
        parts[:, rows] = sums(rows)
        done += len(rows)


def _at_edge(rate: Array, n: Array, mean: Array, excess: Array, beside: Array) -> Array:
    """The parts of Pr[K + Z ≥ Nμ + excess], where noise carries no count over the edge from afar.

    The chances of the counts beside the edge are those at it times their ratios.
    """
    edge = np.ceil(n * mean + excess)
    beyond_level = edge - n * mean - excess
    odds, steps = mean / (1 - mean), np.arange(np.max(beside))
    at_edge = np.exp(_log_chance(n, edge, mean, edge - n * mean))
    up = (n - edge - steps[:-1]) / (edge + 1 + steps[:-1]) * odds
    up = np.concatenate([np.ones(edge.shape), np.maximum(up, 0.0)], axis=1)
    down = np.maximum(edge - steps, 0.0) / (n - edge + 1 + steps) / odds
    lost = np.cumprod(up, axis=1) * scipy.special.ndtr(-(beyond_level + steps) * rate)
    carried = np.cumprod(down, axis=1) * scipy.special.ndtr((beyond_level - 1 - steps) * rate)
    there = upper_tail(n, edge, mean)
    return np.stack([
        (there - at_edge * np.sum(lost, axis=1, keepdims=True))[:, 0],
        (at_edge * np.sum(carried, axis=1, keepdims=True))[:, 0],
    ])  # fmt: skip


def _summed(columns: list[Array], sides: int) -> Array:
    rate, n, mean, excess, first, last, step = columns
    count = int(np.max((last - first) // step)) + 1
    k = first + step * np.arange(count)
    inside = k <= last
    off = k - n * mean
    with np.errstate(all="ignore"):
        chance = np.exp(_log_chance(n, np.minimum(k, last), mean, off))
        carried = scipy.special.ndtr((off - excess) * rate)
        if sides == 2:
            carried += scipy.special.ndtr((-off - excess) * rate)
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
    return np.asarray(scipy.special.gammaln(np.arange(_TABLED + 1) + 1.0))


def _reach(n: Array, variance: Array, rest: Array) -> Array:
    rest = rest + math.log(2)
    bernstein = rest / 3 + np.sqrt(rest**2 / 9 + 2 * rest * variance)
    return np.minimum(np.sqrt(n * rest / 2), bernstein)
