"""How surely a noisy count of a sample is near its mean, drawn from a finite population.

Of M people K have the property, and N are drawn without replacement. The number X drawn with the
property is hypergeometric, and so is the number K − X left out: that of M − N people drawn. Both
are as far from their means, so the smaller of the two samples is summed.

The failure probability is the sum over counts of their chance times what the noise does there. A
count is far enough from its mean already, which noise can mend, or it is not, and noise carries it
off: the first part grows with the rate of the noise, the second falls.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from planner.libraries import np, scipy
from planner.numbers import Array

_REACH = 5.3
"""Counts farther off than this times √N have less than 1e-24 together, by Hoeffding's bound."""
_NO_NOISE = 500.0
_MOST = 2**20
"""So many chances are held at once."""

_ON_EDGE = 1e-9
Tail = Callable[[Array], Array]
"""Pr[Z ≥ t/rate] for t ≥ 0."""
Carried = Callable[[Array, Array], Array]
"""How likely noise of a rate carries a count over an edge so far away, or back from beyond it."""


def laplace_tail(t: Array) -> Array:
    """½e^(−t)."""
    return np.exp(-t) / 2


def normal_tail(t: Array) -> Array:
    """Q(t)."""
    return np.asarray(scipy.special.ndtr(-t))


def laplace(left: Array, rate: Array) -> Array:
    """By Laplace noise."""
    return laplace_tail(np.abs(left) * rate)


def normal(left: Array, rate: Array) -> Array:
    """By Gaussian noise."""
    return normal_tail(np.abs(left) * rate)


def geometric(left: Array, rate: Array) -> Array:
    """By geometric noise: counts and noise are whole, so edges are rounded up."""
    whole = np.ceil(left - _ON_EDGE)
    return np.exp(-rate * np.where(whole > 0, whole, 1 - whole)) / (1 + np.exp(-rate))


def geometric_cover(left: Array, rate: Array) -> Array:
    """No less likely over an edge, and no likelier back, but smooth in the edge; see `cells`."""
    off = left <= _ON_EDGE
    beyond = np.exp(np.minimum(rate, _NO_NOISE)) * rate
    exponent = np.where(off, beyond * np.minimum(left, 0.0), -rate * left)
    return np.exp(exponent) / (1 + np.exp(np.where(off, np.minimum(rate, _NO_NOISE), -rate)))


class Drawn(NamedTuple):
    """Counts and their chances, along the last axis.

    Attributes:
        off: how far a count lies over its mean.
        chance: of each.
    """

    off: Array
    chance: Array


def smaller_of(people: int, participants: Array) -> Array:
    """The smaller of the sample and of those left out, over an array of N."""
    drawn = np.clip(np.rint(participants), 0, people)
    return np.minimum(drawn, people - drawn)


def counts(people: int, drawn: Array, having: Array) -> Drawn:
    """The counts of a sample; arrays of whole numbers, which broadcast.

    Args:
        people: M.
        drawn: how many are drawn, at most M/2.
        having: K.
    """
    drawn, having = (x[..., None] for x in np.broadcast_arrays(drawn, having))
    mean = drawn * having / people
    reach = math.ceil(_REACH * math.sqrt(float(np.max(drawn, initial=0)))) + 1
    count = np.rint(mean) + np.arange(-reach, reach + 1)
    possible = (count >= np.maximum(0, drawn - people + having)) & (
        count <= np.minimum(drawn, having)
    )
    table, k = _log_factorials(people), np.where(possible, count, np.rint(mean)).astype(int)
    d, h = drawn.astype(int), having.astype(int)
    logs = table[k] + table[h - k] + table[d - k] + table[people - h - d + k]
    logs = np.where(possible, logs, np.inf)
    chance = np.exp(np.min(logs, axis=-1, keepdims=True) - logs)
    return Drawn(count - mean, chance / np.sum(chance, axis=-1, keepdims=True))


def sides(of: Drawn, noise: Carried, rate: Array, above: Array, below: Array) -> Array:
    """The chances to be over an edge and under one, each in its two parts.

    Args:
        of: the counts.
        noise: what it does.
        rate: of the noise.
        above: how far over the mean the upper edge lies.
        below: how far under it the lower edge lies.

    Returns:
        The growing and the falling part along the first axis, the sides along the second.
    """
    rate = rate[..., None]
    parts = []
    for left in (above[..., None] - of.off, below[..., None] + of.off):
        carried = noise(left, rate)
        is_off = left <= _ON_EDGE
        grows = np.sum(of.chance * np.where(is_off, 1 - carried, 0.0), axis=-1)
        parts.append((grows, np.sum(of.chance * np.where(is_off, 0.0, carried), axis=-1)))
    return np.moveaxis(np.array(parts), 0, 1)


def parts_at(
    noise: Carried, people: int, rate: Array, participants: Array, error: float, having: Array
) -> Array:
    """The two parts of the failure probability; rows of one length, or one number for all."""
    rate, participants, having = np.broadcast_arrays(rate, participants, having)
    flat = [x.ravel() for x in (rate, participants, having)]
    parts = np.empty((2, flat[0].size))
    drawn = smaller_of(people, flat[1])
    width = 2 * _REACH * math.sqrt(float(np.max(drawn, initial=0))) + 3
    step = max(1, int(_MOST / width))
    for start in range(0, flat[0].size, step):
        rows = slice(start, start + step)
        excess = flat[1][rows] * error
        of = counts(people, drawn[rows], flat[2][rows])
        parts[:, rows] = sides(of, noise, flat[0][rows], excess, excess).sum(axis=1)
    return parts.reshape(2, *rate.shape)


@lru_cache(maxsize=8)
def _log_factorials(people: int) -> Array:
    return np.asarray(scipy.special.gammaln(np.arange(people + 1) + 1.0))
