"""How many people a study without privacy needs, summed in floats.

A sample of N is off by T or more with probability Pr[|K − Nμ| ≥ NT]. Between the means at which a
count tips over an edge both tails are convex in μ, so the worst mean is such a mean or an end of
the range. As counts are whole, a few more people may be off more often: so sizes about the smooth
guess are each looked at.
"""

import math
from functools import lru_cache
from typing import NamedTuple

from planner.libraries import np, scipy
from planner.mechanisms.counts import MOST_SUMMED, Share
from planner.mechanisms.noise import NO_NOISE
from planner.numbers import Array

_ALL = 100
"""So few sizes are all looked at, and each at all means at which a count tips."""
_NEAR = np.arange(-2.0, 4.0)
"""Of many people the tipping counts nearest to the middle, beside it."""
_ROUNDING = 1e-9
"""By what part of α sums of floats may be wrong; an edge so near a whole number is on it."""
_RIPPLE = 4.0
"""Whole counts move the logarithm of a failure probability by less, times (1 + z)/√N."""


class Fewest(NamedTuple):
    """How many people suffice without privacy.

    Attributes:
        participants: the smallest N at which the sample is accurate at every mean.
        always_from: the smallest N from which it always is.
    """

    participants: int
    always_from: int


@lru_cache(maxsize=64)
def fewest(
    error: float,
    failure: float,
    mean_range: tuple[float, float],
    population: int | None = None,
) -> Fewest | None:
    """The fewest people of whom a proportion is accurate; None where there are too many to sum.

    Args:
        error: T [(0, 1]].
        failure: α [(0, 1)].
        mean_range: the means for which the analyst must be right [in [0, 1]].
        population: M, of whom they are drawn; None for a population without end.
    """
    share = Share(NO_NOISE, population, mean_range)
    always = min(_by_hoeffding(error, failure), population or math.inf)
    if not always <= MOST_SUMMED:
        return None
    most = math.ceil(always)
    sizes = np.arange(1.0, most + 1)
    if most > _ALL:
        smooth = share.smooth(np.ones(1), sizes, np.array(error))
        z = -scipy.special.ndtri(failure / 2)
        off = np.abs(np.log(np.maximum(smooth, 1e-300) / failure))
        sizes = sizes[(off < _RIPPLE * (1 + z) / np.sqrt(sizes)) | (sizes <= _ALL)]
        sizes = np.append(sizes, most)
    passes = _worst(share, sizes, error) <= failure * (1 + _ROUNDING)
    passes[-1] = True  # by Hoeffding's bound, or a census
    fails = np.flatnonzero(~passes)
    always = int(sizes[fails[-1] + 1]) if fails.size else 1
    return Fewest(int(sizes[np.argmax(passes)]), always)


def _by_hoeffding(error: float, failure: float) -> float:
    """So many independent people are always enough."""
    return math.log(2 / failure) / 2 / error / error


def _worst(share: Share, n: Array, error: float) -> Array:
    """The largest chance that samples of each size are off."""
    if share.population is not None:
        return share.failure(np.array(1.0), n, np.array(error))
    few = n <= _ALL
    found = np.empty(n.size)
    found[~few] = _over_means(share, n[~few], error, _NEAR)
    counts = np.arange(-_ALL, _ALL + 1.0)
    found[few] = _over_means(share, n[few], error, counts)
    return found


def _over_means(share: Share, n: Array, error: float, beside: Array) -> Array:
    """The largest chance over the means at which counts beside the middle tip, and the ends."""
    n, excess = n[:, None], n[:, None] * error
    centre = n * share.middle
    above = np.clip(np.rint(centre + excess) + beside, 0, n)
    below = np.clip(np.rint(centre - excess) - beside, 0, n)
    tips = np.concatenate([above - excess, below + excess], axis=1) / n
    ends = np.broadcast_to(share.mean_range, (len(n), 2))
    mean = np.concatenate([np.clip(tips, *share.mean_range), ends], axis=1)
    high = np.ceil(n * mean + excess - _ROUNDING)
    low = np.floor(n * mean - excess + _ROUNDING)
    over = np.where(high <= n, _at_least(high, n, mean), 0.0)
    under = np.where(low >= 0, _at_least(n - low, n, 1 - mean), 0.0)
    return np.asarray(np.max(over + under, axis=1))


def _at_least(count: Array, n: Array, mean: Array) -> Array:
    """Pr[K ≥ count] of a binomial count."""
    possible = np.clip(count, 1, n)
    return np.where(count <= 0, 1.0, scipy.special.betainc(possible, n - possible + 1, mean))
