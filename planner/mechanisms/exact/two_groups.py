"""The count of two groups of equal size, whose people are counted with different probabilities.

It is the sum of two binomial counts. In floats the noisy count is over an edge as often as that of
the first group is over what the second leaves of it, on average over the count of the second. That
is a smooth function of the latter, of which every h-th value says as much as all: the error is the
transform of the sum's terms at frequency 2π/h, which falls as that of a normal density with
variance 1/(1/v + 1/w) or more, of the variances v and w of the two counts (Poisson's summation).
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from flint import arb, arb_poly

from planner.libraries import np
from planner.mechanisms.exact.law import Counts, out_of_reach, within_reach
from planner.mechanisms.exact.sums.binomial import log_chance
from planner.mechanisms.exact.with_replacement import chances_between
from planner.mechanisms.hypotheses import Shares
from planner.numbers import Array

if TYPE_CHECKING:
    from flint import arb

_NODES = 96
"""So many values of a count are read: with steps of more than one they are 2.2 standard deviations
of it or less, so that a sum is exact to e^−40."""
_ROUNDING = 1e-14
"""More than all roundings of chances and of sums of them, as a fraction."""
_AWAY = 9.0
"""Counts farther than so many standard deviations from their mean have less than 1e-17 together."""


def over_edge(
    shares: Shares, edge: Array, people: Array, over: Callable[[Array, Array, Array], Array]
) -> Array:
    """Pr[K + L + Z ≥ edge] for the counts K and L of the two groups, in floats.

    Args:
        shares: the probabilities to be counted; numbers, or arrays that broadcast with `people`.
        edge: whole numbers.
        people: N, of both groups; even.
        over: Pr[K + Z ≥ edge] of a share, edges, and the people of one group.
    """
    # the sum is over the count that varies less
    first, second = (np.asarray(share, float) for share in shares)
    swap = abs(first - 0.5) > abs(second - 0.5)
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    size = people / 2
    deviation = np.sqrt(size * (second * (1 - second)))
    step = np.maximum(np.ceil(2 * (_AWAY * deviation + 1) / (_NODES - 1)), 1.0)
    start = np.floor(size * second) - step * (_NODES // 2)
    count = start + step * np.arange(_NODES).reshape(-1, *[1] * np.ndim(size))
    inside = (count >= 0) & (count <= size)
    count = np.where(inside, count, 0.0)
    chance = np.where(inside, _chance(size, count, second), 0.0)
    chance = chance / chance.sum(axis=0)
    rest = edge - count.reshape(_NODES, *[1] * (np.ndim(edge) - np.ndim(size)), *np.shape(size))
    weight = chance.reshape(_NODES, *[1] * (np.ndim(edge) - np.ndim(size)), *np.shape(size))
    return np.asarray((weight * over(first, rest, size)).sum(axis=0))


def _chance(size: Array, count: Array, share: Array) -> Array:
    sure = (share == 0) | (share == 1)
    part = np.where(sure, 0.5, share)
    between = np.exp(log_chance(size, count, part, 1 - part, count - size * part))
    return np.where(sure, np.where(count == size * share, 1.0, 0.0), between)


@lru_cache(maxsize=64)
def counts(people: int, shares: Shares, failure: float) -> "tuple[Counts, arb]":
    """The chances of all counts within reach, and what all others have together, in balls."""
    (first, chances), (start, others) = (_of_group(people, share, failure) for share in shares)
    product = arb_poly(list(chances)) * arb_poly(list(others))
    return (first + start, product.coeffs()), 2 * out_of_reach(people // 2, failure)


def beyond(people: int, shares: Shares, failure: float, edge: int) -> "arb":
    """Pr[K + L ≥ edge], enclosed; arguments as of `counts`."""
    (first, chances), (start, others) = (_of_group(people, share, failure) for share in shares)
    tails = [*accumulate(reversed(others))][::-1]  # of the second count, from each on
    left = edge - first - start
    over = (tails[max(left - k, 0)] * x for k, x in enumerate(chances) if left - k < len(tails))
    return sum(over, arb(0)) + 2 * out_of_reach(people // 2, failure)


def _of_group(people: int, share: Fraction, failure: float) -> "Counts":
    size = people // 2
    reach = Fraction(within_reach(size, failure))
    first = max(math.floor(size * share - reach), 0)
    last = min(math.ceil(size * share + reach), size)
    return first, chances_between(size, first, last, share)


def noise_adds(
    people: int, shares: Shares, failure: float, threshold: tuple[int, float], decay: float = 1.0
) -> float:
    """What larger geometric noise adds at most to the probability to be over a threshold.

    With f the chances, b_j = f(c + j) − f(c − 1 − j) and t = e^−ε, a noisy count is at c or more
    with probability Pr[S ≥ c] − t/(1 + t)·Σ b_j·t^j, and at random at c or at c + 1 likewise. The
    derivative of what is subtracted is Σ b_j·((1 + j)t^j + j·t^(j+1))/(1 + t)². Where b_j ≥ 0 up to
    some j and b_j ≤ 0 after it, the coefficients of this change sign once at most, so what is
    subtracted rises and then falls with t, and the probability is no more than at either end of a
    range of t, or than 1/2, to which it tends for t = 1. Where positive b_j after the first
    negative one are left out, it rises at an end by t/(1 + t)·Σ b_j·t^j of them; and by what is
    rounded in floats or out of reach.

    Args:
        people: N.
        shares: the probabilities to be counted.
        failure: chances are known to a tiny part of it.
        threshold: c, and with which probability it is at c that the count is over it, not c + 1.
        decay: t at this end, or more [(0, 1]].
    """
    first, chances, rest = _rounded(people, shares, failure)
    level, chance = threshold
    place = level - first
    length = max(len(chances) - place, place + 1, 1)
    blank = np.zeros(length + abs(place) + 1)
    whole = np.concatenate([blank, chances, blank])

    def gaps(edge: int) -> Array:
        at = len(blank) + edge - first
        return whole[at : at + length] - whole[at - length : at][::-1]

    gap = chance * gaps(level) + (1 - chance) * gaps(level + 1)
    weight = decay ** np.arange(length) * (decay / (1 + decay))
    falls = np.logical_or.accumulate(gap < 0)
    return float((np.maximum(gap, 0.0) * weight)[falls].sum() + 2 * (rest + _ROUNDING))


@lru_cache(maxsize=64)
def _rounded(people: int, shares: Shares, failure: float) -> tuple[int, Array, float]:
    """The first count, the chances of those within reach in floats, and that of all others."""
    (first, chances), rest = counts(people, shares, failure)
    return first, np.array([float(chance.mid()) for chance in chances]), float(rest.upper())
