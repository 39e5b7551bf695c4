"""The optimal remap of each answer for a reader with a prior, for each kind of loss.

All comparisons use logarithms of tails, which neither under- nor overflow: with p the prior,
A(m) = log Σ_{i ≤ m} p(i)·e^(εi) holds the tail Σ_{i ≤ m} w_r(i) of every answer r ≥ m at once, as
e^(A(m) − εr).
"""

import math

from planner.libraries import np
from planner.numbers import Array

_TIE = 1e-12  # thousands of roundings of 2^−53: what differs by less counts as equal


def _tilted(p: Array, e: float) -> Array:
    """log(p(i)·e^(εi))."""
    with np.errstate(divide="ignore"):
        return np.log(p) + e * np.arange(len(p))


def _tails(p: Array, e: float) -> tuple[Array, Array]:
    r = np.arange(len(p))
    low, high = _low(p, e), _low(p[::-1], e)[::-1] - e * (len(p) - 1)
    return low, np.logaddexp(low - e * r, np.append(high[1:], -np.inf) + e * r)


def _low(p: Array, e: float) -> Array:
    return np.logaddexp.accumulate(_tilted(p, e))


def medians(p: Array, e: float) -> Array:
    """The weighted medians of the posteriors."""
    r = np.arange(len(p))
    low, total = _tails(p, e)
    half = total - math.log(2)

    def down(low: Array, half: Array) -> Array:
        return np.minimum(r, np.searchsorted(low, half + e * r + _TIE, side="right"))

    up = len(p) - 1 - down(_low(p[::-1], e), half[::-1])[::-1]
    return down(low, half) + up - r


def means(p: Array, e: float) -> Array:
    """The whole numbers nearest the posterior means."""
    r = np.arange(len(p))
    low, total = _tails(p, e)

    def pull(low: Array, total: Array) -> Array:
        # Σ_{i < r} (r − i)·p(i)·e^(εi) = Σ_{m < r} Σ_{i ≤ m} p(i)·e^(εi)
        first = np.append(-np.inf, np.logaddexp.accumulate(low)[:-1])
        return np.exp(first - e * r - total)

    off = pull(_low(p[::-1], e), total[::-1])[::-1] - pull(low, total)
    steps = np.maximum(np.ceil(np.abs(off) * (1 - _TIE) - 0.5), 0)
    return np.clip(r + (np.sign(off) * steps).astype(int), 0, len(p) - 1)


def best_windows(p: Array, e: float, t: int) -> Array:
    """The readings m whose window m − t < i < m + t has the largest posterior probability.

    Of the windows on one side of r the best is a running maximum. Those around r leave out two
    tails. The probability of a window is TP2 in (r, m), as w_r(i) is in (r, i) and |i − m| < t is
    in (i, m); so the best m never falls with r, and those of every second answer bound the rest.
    """
    n = len(p) - 1
    r = np.arange(n + 1)
    low, total = _tails(p, e)
    high = _low(p[::-1], e)[::-1]
    low = np.concatenate([np.full(t, -np.inf), low])  # low[m] is A(m − t)
    high = np.concatenate([high, np.full(t, -np.inf)]) - e * n
    under_cost, under = _windows_under(p, e, t, total)
    over_cost, over = (x[::-1] for x in _windows_under(p[::-1], e, t, total[::-1]))
    over = n - over
    best = np.zeros(n + 1, dtype=int)
    rounding = 2**-50 * (1 + e * n)  # of sums of logarithms as large as εn
    step = 1 << n.bit_length()
    while step:
        some = r[step :: 2 * step] if step <= n else r[:1]
        after = some + step
        most = np.where(after <= n, best[np.minimum(after, n)], n)
        least = np.minimum(best[some - step], most) if step <= n else np.zeros(1, dtype=int)
        least, most = np.maximum(least, some - t + 1), np.minimum(most, some + t - 1)
        around_cost, around = _least_tails(low, high, some, least, most, e, t, total)
        costs = np.stack([around_cost, under_cost[some], over_cost[some]])
        choices = np.stack([around, under[some], over[some]])
        best[some] = _nearest_least(costs, choices, some, rounding)
        step //= 2
    return best


def _least_tails(
    low: Array, high: Array, r: Array, least: Array, most: Array, e: float, t: int, total: Array
) -> tuple[Array, Array]:
    """For each r the smallest proportion left out by a window m, least ≤ m ≤ most, and m."""
    cost, chosen = np.full(len(r), np.inf), np.copy(r)
    any_left = np.flatnonzero(least <= most)
    if not len(any_left):
        return cost, chosen
    many = (most - least + 1)[any_left]
    starts = np.cumsum(many) - many
    of = np.repeat(r[any_left], many)
    m = np.arange(len(of)) + np.repeat(least[any_left] - starts, many)
    shift = total[of]
    out = np.exp(low[m] - e * of - shift) + np.exp(high[m + t] + e * of - shift)
    cost[any_left] = np.minimum.reduceat(out, starts)
    equal = out <= np.repeat(cost[any_left], many) * (1 + _TIE)
    key = np.where(equal, _distance_key(m, of), np.iinfo(int).max)
    chosen[any_left] = _of_key(np.minimum.reduceat(key, starts), r[any_left])
    return cost, chosen


def _windows_under(p: Array, e: float, t: int, total: Array) -> tuple[Array, Array]:
    """For each r the smallest proportion left out by a window ending below r, and its m; or ∞."""
    n = len(p) - 1
    cost, chosen = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=int)
    sums = _running_sums(_tilted(p, e), 2 * t - 1)[t - 1 : n]  # by m; the window ends at m + t − 1
    if len(sums):
        leading = np.maximum.accumulate(sums)
        m = np.arange(len(sums))
        chosen[t:] = np.maximum.accumulate(np.where(sums == leading, m, 0))
        held = leading - e * (m + t) - total[t:]
        cost[t:] = np.maximum(-np.expm1(held), 0)
    return cost, chosen


def _running_sums(x: Array, width: int) -> Array:
    """The log of the sum of e^x over the last `width` places, from sums within blocks."""
    n = len(x)
    width = min(width, n)
    padded = np.full(-(-n // width) * width, -np.inf)
    padded[:n] = x
    blocks = padded.reshape(-1, width)
    onward = np.logaddexp.accumulate(blocks, axis=1).ravel()[:n]
    back = np.logaddexp.accumulate(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    first = np.arange(n) - width + 1
    split = np.flatnonzero((first > 0) & (first % width > 0))
    onward[split] = np.logaddexp(onward[split], back[first[split]])
    return onward


def by_table(p: Array, e: float, loss: Array) -> tuple[Array, Array]:
    """The optimal readings by exhaustive search."""
    i = np.arange(len(p))
    with np.errstate(divide="ignore"):
        logs = np.log(p) - e * np.abs(i[:, None] - i)  # answers in rows
    shift = logs.max(axis=1)
    costs = (np.exp(logs - shift[:, None]) @ loss).T
    remap = _nearest_least(costs, i[:, None], i, 0.0)
    return remap, costs[remap, i] * np.exp(shift)


def _nearest_least(costs: Array, choices: Array, r: Array, slack: float) -> Array:
    """In each column the cheapest choice; among equal ones the nearest to r, then the lowest."""
    equal = costs <= costs.min(axis=0) * (1 + _TIE) + slack
    key = np.where(equal, _distance_key(choices, r), np.iinfo(int).max)
    return _of_key(key.min(axis=0), r)


def _distance_key(m: Array, r: Array) -> Array:
    return 2 * np.abs(m - r) + (m > r)


def _of_key(key: Array, r: Array) -> Array:
    return r + np.where(key % 2, key // 2, -(key // 2))
