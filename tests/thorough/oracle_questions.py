"""What one question of a survey fails with, written again.

Shares by direct sums over the binomial law, histograms by the best mixture of two means, quantiles
on a fine grid over the split of the error.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tests.thorough import oracle_bounds as bounds, oracle_exact as exact

Array = np.ndarray
FEW = 200
"""Up to so many people the failure probability oscillates with the mean."""
_RATES, _FAR = 320, 300.0
_LIKELY_WORST = 0.9
_FINER = 3
"""How often the grid over the split of an error is refined: with much ε the best one is near 1."""
_PER_COUNT = {"laplace": 0.5, "gaussian": math.sqrt(0.5)}


class Asked(NamedTuple):
    """One question.

    Attributes:
        kind: "share", "histogram", "mean", "quantile", or "by-group" (of reported groups).
        error: T.
        size: groups or candidates; 1 else.
        times: how often it is asked.
        counts: as how many independent people the sample counts; N where it is 0.
        answer_rate: of two groups, or of means two by two, with which rate the program is asked for
            those who answer, if it is; `error` is then that of all people.
        share_at_least: of reported groups, the least share of one that must be accurate.
    """

    kind: str
    error: float
    size: int = 1
    times: int = 1
    counts: float = 0.0
    answer_rate: float | None = None
    share_at_least: float = 1.0

    @property
    def of_candidates(self) -> bool:
        """Whether candidates are chosen, without noise on any answer."""
        return self.kind == "quantile"


def failure(asked: Asked, noise: str, analysis: str, n: int, rate: float) -> float:
    """What one question fails with at a rate."""
    if asked.of_candidates:
        return float(quantile(np.array([rate]), n, asked.error, asked.size)[0])
    if asked.kind == "by-group":
        return float(by_group(asked, noise, n, np.array([rate]))[0])
    per_count = rate * (_PER_COUNT[noise] if asked.kind == "histogram" else 1.0)
    if analysis == "exact" and asked.kind == "mean":
        return float(_of_any_values(noise, np.array([rate]), n, asked.error)[0])
    if analysis == "hoeffding" or asked.kind == "mean":
        return float(min(asked.size * _bound(noise, np.array([per_count]), n, asked)[0], 1.0))
    if asked.kind == "share" or asked.size == 2:
        worst = exact.worst(noise, per_count, n, asked.error, (0.0, 1.0)).value
        return min(asked.size * worst, 1.0)
    return min(_by_program(noise, per_count, n, asked.error, asked.size), 1.0)


def quantile(rates: Array, n: int, error: float, candidates: int) -> Array:
    """The least over s of 2·exp(−2N(sT)²) + w/(1 + w), w = (k − 1)·exp(−εN(1 − s)T/2)."""

    def bound(split: Array) -> Array:
        lost = rates[:, None] * n * error * (1 - split) / 2
        drawn = 1 / (1 + np.exp(np.minimum(lost, 700.0)) / (candidates - 1))
        return 2 * np.exp(-2 * n * (split * error) ** 2) + drawn

    places = np.linspace(0, 1, 4001)[None, :]
    for _ in range(_FINER):
        values = bound(places)
        at = np.argmin(values, axis=1)[:, None]
        ends = np.maximum(at - 1, 0), np.minimum(at + 1, places.shape[1] - 1)
        places = np.broadcast_to(places, values.shape)
        low, high = (np.take_along_axis(places, end, axis=1) for end in ends)
        places = low + (high - low) * np.linspace(0, 1, 201)
    return np.minimum(bound(places).min(axis=1), 1.0)


def by_group(asked: Asked, noise: str, n: int, rates: Array) -> Array:
    """2K/0.9 times the least over λ of the sample's moments times those of noise of scale 2/ε.

    The parts of λ's range are tried on a grid that is refined about the best one.
    """
    r, error = asked.share_at_least, min(asked.error, 0.5)
    large = min(asked.size, int(1 / r + 1e-9))
    rate = rates[:, None]

    def log_bound(at: Array) -> Array:
        people = n * np.log(1 - r + r * np.exp(at**2 / 8 - at * error))
        if noise == "gaussian":  # σ² = 2/rate²
            return people + at**2 / rate**2
        return people - np.log(np.maximum(1 - (2 * at / rate) ** 2, 1e-300))

    top = 8 * error if noise == "gaussian" else np.minimum(8 * error, rate / 2)
    places = np.linspace(0, 1, 2001)[None, :] * top
    for _ in range(_FINER):
        places = np.broadcast_to(places, (len(rates), places.shape[1]))
        best = np.argmin(log_bound(places), axis=1)[:, None]
        ends = np.maximum(best - 1, 0), np.minimum(best + 1, places.shape[1] - 1)
        low, high = (np.take_along_axis(places, end, axis=1) for end in ends)
        places = low + (high - low) * np.linspace(0, 1, 201)
    least = np.exp(log_bound(places).min(axis=1))
    return np.minimum(2 * large / 0.9 * least, 1.0)


def _bound(noise: str, rates: Array, n: int, asked: Asked) -> Array:
    counts, error = asked.counts or n, asked.error
    if noise == "gaussian":  # variance N²/(4n) of the sample, 1/rate² of the noise
        variance = n * n / counts / 4 + 1 / rates**2
        return np.minimum(2 * np.exp(-((n * error) ** 2) / (2 * variance)), 1.0)
    return bounds.hoeffding_failure(rates * n / counts, np.full(rates.shape, float(counts)), error)


def _of_any_values(noise: str, rates: Array, n: int, error: float) -> Array:
    """The bound for any values: at means about 1/2, the best of a grid of lines over the tail."""
    means = [0.5 - place / (8 * n) for place in range(9)] + [0.45, 0.4, 0.3]
    one = [[_side(noise, r, n, m, error) + _side(noise, r, n, 1 - m, error) for m in means]
           for r in rates]  # fmt: skip
    return np.minimum(np.max(one, axis=1), 1.0)


def _side(noise: str, rate: float, n: int, mean: float, error: float) -> float:
    """The least E φ(K) for the upper edge, over lines that touch the tail beyond it."""
    counts = np.arange(n + 1)
    left = rate * (n * (mean + error) - counts)
    chance, tail = _chances(n, mean), exact.tail(noise, 1.0, left)
    touches = np.concatenate([[0.0], np.geomspace(1e-3, 8.0, 60)])[:, None]
    for _ in range(2):
        lines = 1 - exact.tail(noise, 1.0, touches) - _density(noise, touches) * (touches + left)
        values = np.maximum(lines, np.where(left > 0, tail, -np.inf)) @ chance
        best = int(np.argmin(values))
        ends = touches[max(best - 1, 0), 0], touches[min(best + 1, len(touches) - 1), 0]
        touches = np.linspace(*ends, 40)[:, None]
    return float(values.min())


@lru_cache(maxsize=1000)
def _chances(n: int, mean: float) -> Array:
    """Pr[K = k]."""
    return exact.chances(n, np.array(mean))[0]


def _density(noise: str, touches: Array) -> Array:
    """That of noise at rate 1, where it is not negative."""
    if noise == "gaussian":
        return np.exp(-(touches**2) / 2) / math.sqrt(2 * math.pi)
    return np.exp(-touches) / 2


def _values(noise: str, rates: Array, n: int, error: float, means: Array) -> Array:
    """The failure probability at means (rows) and rates (columns), where edges are not rounded."""
    at = exact.Means(means, n * (means + error), n * (means - error))
    return exact.failures(noise, rates, n, at)


def _by_program(noise: str, rate: float, n: int, error: float, groups: int) -> float:
    """The largest Σ f(μⱼ) over k means that sum to 1, on a grid, mixtures allowed."""
    means = np.unique(np.append(np.linspace(0, 1, 1501), 1 / groups))
    values = _values(noise, np.array([rate]), n, error, means)[:, 0]
    # two means do, one on either side of 1/k: a program of two equations has such an optimum, and
    # a solver's tolerance is far over a failure of 1e-12
    low, high = means <= 1 / groups, means >= 1 / groups
    below, above = means[low][:, None], means[high]
    weight = np.divide(
        above - 1 / groups,
        above - below,
        out=np.ones((low.sum(), high.sum())),
        where=above > below,
    )
    mixed = weight * values[low][:, None] + (1 - weight) * values[high]
    return float(groups * mixed.max())


@lru_cache(maxsize=2000)
def table(asked: Asked, noise: str, analysis: str, n: int) -> tuple[Array, Array]:
    """Rates, and about the failure probability at each: the least at any smaller rate."""
    rates = np.geomspace(0.02, _FAR, _RATES) / (n * asked.error)
    if asked.of_candidates:
        return rates, np.minimum.accumulate(quantile(rates, n, asked.error, asked.size))
    if asked.kind == "by-group":  # two counts and a part of the people: more nats are needed
        rates = rates * 2 / asked.share_at_least
        return rates, np.minimum.accumulate(by_group(asked, noise, n, rates))
    values = np.minimum(asked.size * _shape(asked, noise, analysis, n, rates), 1.0)
    return rates, np.minimum.accumulate(values)


def _shape(asked: Asked, noise: str, analysis: str, n: int, rates: Array) -> Array:
    if asked.kind == "histogram":
        rates = rates * _PER_COUNT[noise]
    if analysis == "exact" and asked.kind == "mean":
        return _of_any_values(noise, rates, n, asked.error)
    if analysis == "hoeffding" or asked.kind == "mean":
        return _bound(noise, rates, n, asked)
    if asked.kind == "share" or asked.size == 2:
        means = exact.at(noise, n, asked.error, exact.tipping(n, asked.error, (0.0, 1.0)))
        means = means.joined(exact.between(noise, n, asked.error, (0.0, 1.0)))
        some = exact.failures(noise, rates[:: _RATES // 8], n, means)
        chosen = np.flatnonzero((some >= _LIKELY_WORST * some.max(axis=0)).any(axis=1))
        if len(chosen) > 40:
            chosen = np.union1d(
                chosen[np.linspace(0, len(chosen) - 1, 32).astype(int)], some.argmax(0)
            )
        worst = exact.Means(*(side[chosen] for side in means))
        return exact.failures(noise, rates, n, worst).max(axis=0)
    centre = 1 / asked.size
    fine = 4 if n <= FEW else 1
    below, above = np.linspace(0, centre, 8 * fine + 1)[:-1], np.linspace(centre, 0.5, 40 * fine)
    values = _values(noise, rates, n, asked.error, np.concatenate([below, above]))
    low, high = values[: len(below), None], values[None, len(below) :]
    weight = ((above - centre) / (above - below[:, None]))[..., None]
    return (low * weight + high * (1 - weight)).max(axis=(0, 1))
