"""Randomised response written again: sums over all reports, at every share that can be the worst.

A card has seven digits, so the program's ε lies above the infimum by up to 3e-6 of it.
"""

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy.stats import binom

_GRID = 60
_CARD = 3e-6
_LITTLE = 1e-7
"""An ε that is as good as none: how little of it suffices is not judged."""


def coins_floor(n: np.ndarray, error: float, failure: float) -> np.ndarray:
    """The ε at which 2·exp(−2N(T·tanh(ε/2))²) is α."""
    share = np.sqrt(math.log(2 / failure) / (2 * n)) / error
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(share < 1, 2 * np.arctanh(np.minimum(share, 1)), np.inf)


def coins_failure(epsilon: np.ndarray, n: np.ndarray, error: float) -> np.ndarray:
    """2·exp(−2N(T·tanh(ε/2))²), at most 1."""
    return np.minimum(1, 2 * np.exp(-2 * n * (error * np.tanh(epsilon / 2)) ** 2))


def failure_at(strength: Fraction, n: int, error: float, mean_range: tuple[float, float]) -> float:
    """The largest failure probability where p − q is this."""
    tau = Fraction(repr(error)) * strength
    half = Fraction(1, 2)
    low, high = (half + (Fraction(repr(mean)) - half) * strength for mean in mean_range)
    shares = {low, high}
    for k in range(n + 1):
        for share in (Fraction(k, n) - tau, Fraction(k, n) + tau):
            if low <= share <= high:
                shares.add(share)
    at = np.array([float(share) for share in shares])
    others = np.array([float(1 - share) for share in shares])  # 1 − λ in floats loses digits
    above = np.array([math.ceil(n * (share + tau)) for share in shares])
    below = np.array([math.floor(n * (share - tau)) for share in shares])
    return float(np.max(binom.sf(above - 1, n, at) + binom.sf(n - below - 1, n, others)))


@lru_cache(maxsize=20_000)
def least_epsilon(
    n: int,
    error: float,
    failure: float,
    mean_range: tuple[float, float],
    easy: bool,
    least: float = 0.0,
) -> float:
    """The least ε of a card, from `least` on: its infimum, and the same with room for digits."""
    ties = math.ceil(2 * n * Fraction(repr(error)))
    small = Fraction(1, 10**9)
    breaks = {Fraction(w, 2 * n) / Fraction(repr(error)) for w in range(ties)}
    for mean in mean_range:  # and where a report tips over an edge at an end of the range
        for off in (Fraction(repr(error)), -Fraction(repr(error))):
            sensitivities = n * (Fraction(repr(mean)) - Fraction(1, 2) + off)
            tips = ((k - Fraction(n, 2)) / sensitivities for k in range(n + 1) if sensitivities)
            breaks |= {s for s in tips if 0 <= s < 1}
    points = sorted(
        {s + small for s in breaks if s + small < 1}
        | {s - small for s in breaks if s > small}
        | {Fraction(i, _GRID) for i in range(1, _GRID)}
        | {1 - Fraction(1, 10**6), 1 - Fraction(1, 10**12)}
    )
    before = Fraction(1, 10**12)
    if least:
        before = Fraction(math.tanh(least / 2))
        points = [before, *(point for point in points if point > before)]
    for point in points:
        if failure_at(point, n, error, mean_range) <= failure:
            low, high = before, point
            for _ in range(45):
                middle = (low + high) / 2
                good = failure_at(middle, n, error, mean_range) <= failure
                low, high = (low, middle) if good else (middle, high)
            epsilon = 2 * math.atanh(float(high if not easy else low))
            return epsilon * (1 - _CARD) if easy else max(epsilon * (1 + _CARD), _LITTLE)
        before = point
    return math.inf
