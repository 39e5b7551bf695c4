"""The failure probability of a noisy proportion by direct sums over the binomial law.

K ~ Binomial(N, μ) people have the property and noise Z is added. The answer is off by T or more
where K + Z ≥ N(μ + T) or K + Z ≤ N(μ − T): each is a sum over k of Pr[K = k] times a tail of the
noise. Geometric noise is whole, so there ⌈N(μ + T)⌉ and ⌊N(μ − T)⌋ decide, and they are found in
fractions of the decimals that are meant.

Between two means at which a count tips over an edge the failure probability is smooth, and at such
a mean it is no less than beside it. So the worst mean is sought at all those, at the ends of the
range and at a grid between each two of them, and refined around the largest.
"""

import math
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import gammaln, ndtr, xlog1py, xlogy

Array = np.ndarray
KINDS = ("laplace", "geometric", "gaussian")
_INNER = 8
_FEWEST = 256
"""About how many means are tried where few people make few cells."""
_REFINED = 4
_NEAREST = 1e-14


def decimal(value: float) -> Fraction:
    """The shortest decimal that reads as this float."""
    return Fraction(repr(float(value)))


def tail(kind: str, rate: Array, distance: Array) -> Array:
    """Pr[Z ≥ distance] of noise with rate ε, or 1/σ."""
    if kind == "gaussian":
        return ndtr(-distance * rate)
    if kind == "laplace":
        half = 0.5 * np.exp(-rate * np.abs(distance))
        return np.where(distance >= 0, half, 1 - half)
    # Pr[Z ≥ t] = e^(−εt)/(1 + e^(−ε)) for whole t ≥ 0, and Pr[Z ≥ t] = 1 − Pr[Z ≥ 1 − t]
    beyond = np.where(distance > 0, distance, 1 - distance)
    outer = np.exp(-rate * beyond) / (1 + np.exp(-rate))
    return np.where(distance > 0, outer, 1 - outer)


class Means(NamedTuple):
    """Population means, with the edges that hold there.

    Attributes:
        mean: μ.
        high: the least K + Z that is off above.
        low: the largest K + Z that is off below.
    """

    mean: Array
    high: Array
    low: Array

    def joined(self, other: "Means") -> "Means":
        """These and others."""
        return Means(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))


def chances(n: int, mean: Array) -> Array:
    """Pr[K = k] for every mean (rows) and k (columns)."""
    k = np.arange(n + 1)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    m = np.atleast_1d(mean)[:, None]
    return np.exp(ways + xlogy(k, m) + xlog1py(n - k, -m))


def failures(kind: str, rates: Array, n: int, means: Means) -> Array:
    """The failure probability at every mean (rows) and rate (columns)."""
    weights = chances(n, means.mean)
    k = np.arange(n + 1)
    above = (means.high[:, None] - k)[..., None]
    below = (k - means.low[:, None])[..., None]
    r = np.atleast_1d(rates)
    off = tail(kind, r, above) + tail(kind, r, below)
    return np.einsum("mk,mkr->mr", weights, off)


def edges(kind: str, n: int, mean: Fraction, error: Fraction) -> tuple[float, float]:
    """The least count that is off above, and the largest that is off below."""
    high, low = n * (mean + error), n * (mean - error)
    if kind == "geometric":
        return float(math.ceil(high)), float(math.floor(low))
    return float(high), float(low)


@lru_cache(maxsize=4096)
def tipping(n: int, error: float, mean_range: tuple[float, float]) -> tuple[Fraction, ...]:
    """The ends of the range and the means between at which a whole count is just off, in order.

    Where the range is symmetric about 1/2 so is the failure probability, and half is enough.
    """
    t, (least, most) = decimal(error), (decimal(mean_range[0]), decimal(mean_range[1]))
    if least + most == 1:
        most = Fraction(1, 2)
    found = {least, most}
    for shift in (t, -t):  # edges under 0 and over N count too: the noise reaches them
        first, last = math.floor(n * (least + shift)), math.ceil(n * (most + shift))
        means = (Fraction(count, n) - shift for count in range(first, last + 1))
        found.update(mean for mean in means if least < mean < most)
    return tuple(sorted(found))


def at(kind: str, n: int, error: float, means: "tuple[Fraction, ...]") -> Means:
    """Means with their own edges."""
    t = decimal(error)
    pairs = [edges(kind, n, mean, t) for mean in means]
    high, low = (np.array(side) for side in zip(*pairs, strict=True))
    return Means(np.array([float(mean) for mean in means]), high, low)


@lru_cache(maxsize=512)
def between(kind: str, n: int, error: float, mean_range: tuple[float, float]) -> Means:
    """A grid between each two tipping means, with the edges that hold in between."""
    ends = tipping(n, error, mean_range)
    t = decimal(error)
    blocks = []
    for left, right in pairwise(ends):
        inner = float(left) + float(right - left) * (np.arange(1, _parts(n)) / _parts(n))
        if kind == "geometric":
            high, low = edges(kind, n, (left + right) / 2, t)
            blocks.append(Means(inner, np.full(inner.shape, high), np.full(inner.shape, low)))
        else:
            blocks.append(Means(inner, n * (inner + float(t)), n * (inner - float(t))))
    if not blocks:
        return Means(np.zeros(0), np.zeros(0), np.zeros(0))
    return Means(*(np.concatenate(side) for side in zip(*blocks, strict=True)))


def _parts(n: int) -> int:
    return max(_INNER, _FEWEST // n)


@lru_cache(maxsize=512)
def near_ends(n: int, error: float, mean_range: tuple[float, float]) -> Means:
    """Means ever nearer to 0 and 1, where a count's chance vanishes as it comes to its edge.

    And ever nearer to the tip beside these, which may be as near to them.
    """
    ends, parts = tipping(n, error, mean_range), np.geomspace(_NEAREST, 1, 100)[:-1]
    blocks = [np.zeros(0)]
    for left, right in tuple(pairwise(ends))[:2]:
        if ends[0] == 0:
            blocks.append(float(left) + float(right - left) * parts)
    for left, right in tuple(pairwise(ends))[-2:]:
        if ends[-1] == 1:
            blocks.append(float(right) - float(right - left) * parts)
    means, t = np.sort(np.concatenate(blocks)), float(decimal(error))
    return Means(means, n * (means + t), n * (means - t))


class Worst(NamedTuple):
    """The largest failure probability over a range, and the mean where it is."""

    value: float
    at: Means


def worst(kind: str, rate: float, n: int, error: float, mean_range: tuple[float, float]) -> Worst:
    """The largest failure probability over a range of means."""
    nodes = at(kind, n, error, tipping(n, error, mean_range))
    values = failures(kind, np.array([rate]), n, nodes)[:, 0]
    best = int(np.argmax(values))
    found = Worst(float(values[best]), Means(*(side[best : best + 1] for side in nodes)))
    inner = between(kind, n, error, mean_range)
    if not len(inner.mean):
        return found
    values = failures(kind, np.array([rate]), n, inner)[:, 0].reshape(-1, _parts(n) - 1)
    # around the largest of the cells: from the node before to the node beyond
    for cell in np.argsort(values.max(axis=1))[::-1][:_REFINED]:
        if values[cell].max() < found.value * 0.9:
            break
        peak = int(np.argmax(values[cell]))
        at_peak = cell * (_parts(n) - 1) + peak
        step = (nodes.mean[cell + 1] - nodes.mean[cell]) / _parts(n)
        middle = inner.mean[at_peak]

        def moved(mean: float, index: int = at_peak) -> Means:
            shift = 0.0 if kind == "geometric" else n * (mean - inner.mean[index])
            return Means(
                np.array([mean]),
                inner.high[index : index + 1] + shift,
                inner.low[index : index + 1] + shift,
            )

        refined = minimize_scalar(
            lambda m, moved=moved: -float(failures(kind, np.array([rate]), n, moved(m))[0, 0]),
            bounds=(middle - step, middle + step),
            method="bounded",
            options={"xatol": 1e-9 * max(step, 1e-300) + 1e-16},
        )
        best_mean = refined.x if -refined.fun >= values[cell, peak] else middle
        value = max(-float(refined.fun), float(values[cell, peak]))
        if value > found.value:
            found = Worst(value, moved(float(best_mean)))
    return (
        found if kind == "geometric" else _worse_near_ends(found, kind, rate, n, error, mean_range)
    )


def _worse_near_ends(
    found: Worst, kind: str, rate: float, n: int, error: float, mean_range: tuple[float, float]
) -> Worst:
    """The same, or what is worse near the means 0 and 1: peaks that grids miss at high rates."""
    ends = near_ends(n, error, mean_range)
    if not len(ends.mean):
        return found
    values = failures(kind, np.array([rate]), n, ends)[:, 0]
    peak = int(np.argmax(values))
    if values[peak] <= found.value:
        return found
    t = float(decimal(error))

    def at_mean(mean: float) -> Means:
        return Means(*(np.array([x]) for x in (mean, n * (mean + t), n * (mean - t))))

    refined = minimize_scalar(
        lambda m: -float(failures(kind, np.array([rate]), n, at_mean(m))[0, 0]),
        bounds=(ends.mean[max(peak - 1, 0)], ends.mean[min(peak + 1, len(values) - 1)]),
        method="bounded",
        options={"xatol": 1e-6 * min(ends.mean[peak], 1 - ends.mean[peak])},
    )
    mean = float(refined.x) if -refined.fun >= values[peak] else float(ends.mean[peak])
    return Worst(max(-float(refined.fun), float(values[peak])), at_mean(mean))
