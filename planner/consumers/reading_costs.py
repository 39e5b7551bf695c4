"""The expected loss of remapped answers under a prior, as sums of nonnegative terms.

`discounted` sums what lies on one side of the answer r; between the reading m and r the distances
to m and the discounts from r change in opposite directions, so `_between` sums block by block.
"""

import math

from planner.libraries import np, scipy
from planner.numbers import Array


def discounted(p: Array, e: float) -> Array:
    """Σ_{k ≥ 0} e^(−εk)·p(r − k), along the last axis.

    Within blocks of 1/ε places by e^(εj), with j ≤ 1/ε; a recursion α·α·… would lose digits by the
    rounding of α where ε is small.
    """
    length = p.shape[-1]
    width = int(max(1, min(length, 1 / e)))
    rows = -(-length // width)
    blocks = np.zeros((*p.shape[:-1], rows * width))
    blocks[..., :length] = p
    blocks = blocks.reshape(*p.shape[:-1], rows, width)
    j = np.arange(width)
    sums = np.cumsum(blocks * np.exp(e * j), axis=-1) * np.exp(-e * j)
    carried = scipy.signal.lfilter([1.0], [1.0, -math.exp(-e * width)], sums[..., -1], axis=-1)
    sums[..., 1:, :] += carried[..., :-1, None] * np.exp(-e * (j + 1))
    return sums.reshape(*p.shape[:-1], -1)[..., :length]


def _below(p: Array, e: float, power: int) -> list[Array]:
    """Σ_{i < r} (r − i)^j·α^(r − i)·p(i) for j = 0, …, power."""
    alpha = math.exp(-e)

    def later(x: Array, k: int) -> Array:
        return np.concatenate([np.zeros(min(k, len(x))), x[: len(x) - k]]) * alpha**k

    once = discounted(p, e)
    twice = discounted(once, e)  # weights k + 1
    sums = [later(once, 1), later(twice, 1)]
    if power == 2:  # k² = 2·k(k − 1)/2 + k
        sums.append(2 * later(discounted(twice, e), 2) + sums[1])
    return sums


def power_costs(p: Array, e: float, remap: Array, power: int) -> Array:
    """Σ_i w_r(i)·|i − remap(r)|^power."""
    n = len(p) - 1
    r = np.arange(n + 1)

    below, above = _below(p, e, power), [x[::-1] for x in _below(p[::-1], e, power)]

    def down(p: Array, r: Array, m: Array, below: list[Array], above: list[Array]) -> Array:
        """For m ≤ r."""
        gap = (r - m).astype(float)
        far = sum(math.comb(power, j) * gap ** (power - j) * above[j][r] for j in range(power + 1))
        near = np.exp(-e * gap) * below[power][m]
        return near + _between(p, e, m + 1, r, power) + far

    costs = np.zeros(n + 1)
    is_down = remap <= r
    costs[is_down] = down(p, r[is_down], remap[is_down], below, above)
    mirrored = ([x[::-1] for x in above], [x[::-1] for x in below])
    costs[~is_down] = down(p[::-1], n - r[~is_down], n - remap[~is_down], *mirrored)
    return costs


def off_by_costs(p: Array, e: float, remap: Array, t: int) -> Array:
    """Σ_{|i − remap(r)| ≥ t} w_r(i)."""
    n = len(p) - 1
    r = np.arange(n + 1)

    def tail(p: Array, last: Array) -> Array:
        """Σ_{i ≤ last(r)} w_r(i)."""
        sums = discounted(p, e)
        known = np.clip(last, 0, r)
        tails = np.where(last >= 0, np.exp(-e * (r - known)) * sums[known], 0.0)
        past = np.flatnonzero(last > r)
        # r < i ≤ last, seen from the other end
        tails[past] += math.exp(-e) * _between(p[::-1], e, n - last[past], n - r[past] - 1, 0)
        return tails

    below = tail(p, remap - t)
    above = tail(p[::-1], n - (remap + t)[::-1])[::-1]
    return below + above


def _between(p: Array, e: float, first: Array, last: Array, power: int) -> Array:
    """Σ_{first ≤ i ≤ last} e^(−ε(last − i))·(i − first + 1)^power·p(i), each pair its own sum.

    Each stretch is cut at the place g in it that halves the smallest block of 2h places, 2h a power
    of two, that holds it; sums from g down and up are shared by all stretches cut there.
    """
    totals = np.zeros(len(first))
    one = np.flatnonzero(first == last)
    totals[one] = p[last[one]]
    longer = np.flatnonzero(first < last)
    first, last = first[longer], last[longer]
    levels = np.frexp((first ^ last).astype(float))[1] - 1
    sums = np.zeros(len(longer))
    for level in np.unique(levels):
        some = np.flatnonzero(levels == level)
        sums[some] = _cut(p, e, first[some], last[some], power, 1 << int(level))
    totals[longer] = sums
    return totals


def _cut(p: Array, e: float, first: Array, last: Array, power: int, h: int) -> Array:
    block = last // (2 * h)
    g = block * 2 * h + h
    before, after = g - first, last - g  # before ≥ 1, after ≥ 0
    reach = int(max(before.max(), after.max() + 1))
    blocks = np.zeros((-(-len(p) // (2 * h)), 2 * h))
    blocks.ravel()[: len(p)] = p
    left, right = blocks[:, h - reach : h][:, ::-1], blocks[:, h : h + reach]
    k = np.arange(reach)
    # in `left` place k is g − 1 − k; weights 1, then d, then d(d + 1)/2, with d = i − first + 1
    falling = [np.cumsum(left * np.exp(-e * (k + 1)), axis=1)]
    for _ in range(power):
        falling.append(np.cumsum(falling[-1], axis=1))
    at = (block, before - 1)
    low = falling[power][at] * (2 if power == 2 else 1) - (falling[1][at] if power == 2 else 0)
    gap = (before + 1).astype(float)  # g − first + 1
    high = sum(
        math.comb(power, j) * gap ** (power - j) * discounted(right * k**j, e)[block, after]
        for j in range(power + 1)
    )
    return low * np.exp(-e * after) + high
