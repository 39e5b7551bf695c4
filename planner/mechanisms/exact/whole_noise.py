"""Two-sided geometric noise on a count: the failure probability at one mean and at the worst.

Counts and noise are whole, so the answer is off by T or more where K + Z ≥ h = ⌈Nμ + NT⌉ or
K + Z ≤ g = ⌊Nμ − NT⌋; whether Nμ ± NT is whole decides, and is decided in fractions. On a cell
[a, b] of means both edges are at their nearest at h(a) and g(b), and with those edges held the
failure probability F is smooth: the second difference of Pr[Z ≥ t] is at most (e^ε − 1)² times it,
so F″ is at most κF in size with κ = (N(e^ε − 1))², and F ≤ max(F(a), F(b))/(1 − κw²/8).
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from planner import numbers
from planner.mechanisms.exact.noisy_count import upper_side
from planner.mechanisms.exact.worst_mean import WorstMean
from planner.numbers import Number, decimal

Array = Any
_FIRST_CELLS = 32
_ROUNDING = 1 + 2e-9
_PARTS = 4
_MOST_CELLS = 200_000
_NARROWEST = 1e-13


def failure_at(epsilon: float, participants: int, error: float, mean: float) -> float:
    """Pr[|K/N + Z/N − μ| ≥ T] at one mean, all decimals read as they are written."""
    m, t = decimal(float(mean)), decimal(float(error))
    return float(sum(_above(epsilon, participants, at, t) for at in (m, 1 - m)))


def failure_at_means(epsilon: Array, participants: int, error: float, mean: Array) -> Array:
    """The same for arrays of ε and μ, which broadcast."""
    means = np.atleast_1d(np.asarray(mean, dtype=float))
    h, g = _edges(participants, decimal(float(error)), means, means)
    return _held(epsilon, participants, h, g, means)


def _above(epsilon: float, n: int, mean: Fraction, error: Fraction) -> float:
    level = n * (mean + error)
    rise = np.float64(math.ceil(level) - level)
    side = upper_side(
        np.float64(n), np.float64(mean), np.float64(n * error), np.float64(epsilon), rise
    )
    return float(side)


def curvature(epsilon: Number, participants: Number) -> Number:
    """κ = (N(e^ε − 1))², which bounds F″/F; of floats or balls."""
    return (participants * numbers.of(epsilon, participants).expm1(epsilon)) ** 2


def edges(n: int, error: Fraction, left: float, right: float) -> tuple[int, int]:
    """The nearest edges on a cell of means: h at its left end, g at its right end."""
    return (
        math.ceil(n * (Fraction(left) + error)),
        math.floor(n * (Fraction(right) - error)),
    )


def worst_mean(
    epsilon: float,
    participants: int,
    error: float,
    mean_range: tuple[float, float],
    tolerance: float = 1e-5,
    enough: float = 0.0,
) -> WorstMean:
    """Bracket the largest failure probability over a range of means; see `worst_mean`."""
    n, t = int(participants), decimal(float(error))
    low, high = mean_range
    if low + high == 1:  # the failure probability is the same at μ and 1 − μ
        high = 0.5
    if low == high:
        value = failure_at(epsilon, n, error, low)
        return WorstMean(value, value, low)
    bend = float(curvature(min(epsilon, 300.0), float(n))) / 8
    nodes = np.linspace(low, high, _FIRST_CELLS + 1)
    left, right = nodes[:-1], nodes[1:]
    least, mean, passed = 0.0, low, 0.0
    while True:
        h, g = _edges(n, t, left, right)
        at_ends = [_held(epsilon, n, h, g, end) for end in (left, right)]
        seen = np.maximum(*at_ends)
        # with its own edges an end is a mean like any other
        own = _held(epsilon, n, *_edges(n, t, right, right), right)
        best = int(np.argmax(own))
        if own[best] > least:
            least, mean = float(own[best]), float(right[best])
        width = right - left
        smooth = width**2 * bend
        bound = np.where(smooth < 1, seen / np.maximum(1 - smooth, 1e-300), np.inf)
        crude = _held(epsilon, n, h, g, right, other=left)
        bound = np.maximum(np.minimum(bound, crude), own)
        goal = max(least * (1 + tolerance), enough)
        open_ = (bound > goal) & (width > _NARROWEST)
        passed = max(passed, float(np.max(bound[~open_], initial=0.0)))
        too_many = _PARTS * int(open_.sum()) > _MOST_CELLS
        if not open_.any() or too_many or (enough and least > enough):
            rest = float(np.max(bound[open_], initial=0.0))
            most = min(1.0, max(passed, least, rest) * _ROUNDING)
            return WorstMean(min(least, most), most, mean)
        steps = np.arange(_PARTS + 1) / _PARTS
        cuts = left[open_, None] + width[open_, None] * steps
        left, right = cuts[:, :-1].ravel(), cuts[:, 1:].ravel()


def _edges(n: int, error: Fraction, left: Array, right: Array) -> tuple[Array, Array]:
    """`edges` of many cells: floats decide but where they are near a whole number."""
    t = float(error)
    high, low = n * (left + t), n * (right - t)
    h, g = np.ceil(high), np.floor(low)
    near = (np.abs(high - np.rint(high)) < 1e-6 * n**0.5) | (
        np.abs(low - np.rint(low)) < 1e-6 * n**0.5
    )
    for at in np.flatnonzero(near):
        h[at], g[at] = edges(n, error, float(left[at]), float(right[at]))
    return h, g


def _held(
    epsilon: Array, n: int, h: Array, g: Array, mean: Array, other: Array | None = None
) -> Array:
    """F at given edges: Pr[K + Z ≥ h] at `mean` plus Pr[K + Z ≤ g] at `other`, else at `mean`."""
    size, e = float(n), np.asarray(epsilon, dtype=float)
    below = mean if other is None else other
    # upper_side wants the edge as excess over the mean, and none under it
    over = upper_side(size, mean, np.maximum(h - n * mean, 1e-300), e, np.float64(0.0))
    mirrored = 1 - below
    edge = n - g
    under = upper_side(size, mirrored, np.maximum(edge - n * mirrored, 1e-300), e, np.float64(0.0))
    over = np.where(h > n * mean, over, 1.0)
    return over + np.where(edge > n * mirrored, under, 1.0)
