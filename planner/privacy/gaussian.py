"""The exact (ε, δ)-privacy of Gaussian noise on a count (Balle and Wang 2018, Theorem 8).

Noise of standard deviation σ on a count, which one record moves by at most 1, is (ε, δ)-private if
and only if Q(a) − e^ε·Q(b) ≤ δ, with a = εσ − 1/(2σ), b = εσ + 1/(2σ) and Q the upper tail of the
normal law. As φ(a) = e^ε·φ(b) the left side is φ(a)·(M(a) − M(b)), M = Q/φ, which neither overflows
nor, as an integral of −M′ = 1 − xM over a short [a, b], loses digits. It falls with ε and with σ.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import erfcx, ndtr, ndtri

from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

LEAST_EPSILON = 1e-12
"""The smallest ε returned where δ alone allows the noise."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_TOLERANCES = {"xatol": 0.0, "xrtol": 1e-15, "fatol": 0.0, "frtol": 0.0}
_TINY = 5e-324


def log_delta(epsilon: Number, scale: Number) -> Number:
    """The logarithm of the smallest δ, for arrays of ε [≥ 0] and σ [> 0] that broadcast."""
    e, s = np.broadcast_arrays(*np.atleast_1d(epsilon, scale))
    middle, half = e * s, 0.5 / s
    a, b = middle - half, middle + half
    with np.errstate(all="ignore"):
        x = middle[..., None] + half[..., None] * _NODES
        short = half * np.sum(_WEIGHTS * (1 - x * _mills(x)), axis=-1)
        near = -(a**2) / 2 - math.log(math.sqrt(2 * math.pi)) + np.log(np.maximum(short, _TINY))
        apart = ndtr(-a) - np.exp(-(a**2) / 2) / math.sqrt(2 * math.pi) * _mills(b)
        far = np.log(np.maximum(apart, _TINY))
    logarithm = np.where(s >= 1, near, far)
    return logarithm if np.ndim(epsilon) or np.ndim(scale) else logarithm[0]


def _mills(x: Number) -> Number:
    """M(x) = Q(x)/φ(x)."""
    return math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2))


def scale(epsilon: Number, delta: Number) -> Number:
    """The smallest σ that is (ε, δ)-private, ∞ at δ = 0; arrays broadcast."""
    from scipy.optimize.elementwise import find_root

    e, d = np.broadcast_arrays(*np.atleast_1d(epsilon, delta))
    e, d = e.astype(float), d.astype(float)
    some = np.maximum(d, 1e-300)
    z = -ndtri(some)
    # δ ≤ Q(a), and δ is at most 0.4/σ, the total variation
    high = np.minimum((np.abs(z) + np.sqrt(z**2 + 2 * e)) / (2 * e), 0.4 / some)
    low = high / 2
    while (short := log_delta(e, low) <= np.log(some)).any():
        low = np.where(short, low / 4, low)
    goal = np.log(some)

    def excess(log_scale: Array, at: Array, wanted: Array) -> Number:
        return log_delta(at, np.exp(log_scale)) - wanted

    root = find_root(
        excess, (np.log(low), np.log(high) + 1e-9), args=(e, goal), tolerances=_TOLERANCES
    )
    result = np.where(d > 0, np.exp(root.x), math.inf)
    return result if np.ndim(epsilon) or np.ndim(delta) else float(result[0])


def epsilon_at(scale: Number, delta: Number) -> Number:
    """The smallest ε of σ at δ, at least `LEAST_EPSILON`; ∞ at δ = 0 or σ = 0."""
    from scipy.optimize import brentq
    from scipy.optimize.elementwise import find_root

    s, d = np.broadcast_arrays(*np.atleast_1d(scale, delta))
    possible = (s > 0) & (d > 0)
    s, d = np.where(possible, s, 1.0), np.where(possible, d, 0.5)
    high = np.maximum(-ndtri(d) / s + 0.5 / s**2, 0.0) + LEAST_EPSILON
    goal = np.log(d)
    needed = log_delta(LEAST_EPSILON, s) > goal

    def excess(epsilon: Array, at: Array, wanted: Array) -> Number:
        return log_delta(epsilon, at) - wanted

    result = np.full(s.shape, LEAST_EPSILON)
    if needed.any() and s.size == 1:
        one = (float(s.flat[0]), float(goal.flat[0]))
        end = float(high.flat[0]) * (1 + 1e-9)
        result.flat[0] = brentq(excess, LEAST_EPSILON, end, one, xtol=1e-300, rtol=1e-14)
    elif needed.any():
        ends = (np.full(int(needed.sum()), LEAST_EPSILON), high[needed] * (1 + 1e-9))
        root = find_root(excess, ends, args=(s[needed], goal[needed]), tolerances=_TOLERANCES)
        result[needed] = root.x
    result = np.where(possible, result, math.inf)
    return result if np.ndim(scale) or np.ndim(delta) else float(result[0])


def scale_ball(epsilon: "arb", delta: "arb") -> "arb":
    """A ball around the smallest σ; ∞ at δ = 0."""
    if not delta > 0:
        return _never()
    guess = float(scale(float(epsilon.mid()), float(delta.mid())))
    return enclosed_root(lambda s: _delta_ball(epsilon, s) - delta, guess)


def epsilon_ball(scale: "arb", delta: "arb") -> "arb":
    """A ball around the smallest ε; ∞ at δ = 0."""
    if not delta > 0:
        return _never()
    guess = float(epsilon_at(float(scale.mid()), float(delta.mid())))
    return enclosed_root(lambda e: _delta_ball(e, scale) - delta, guess)


def deviate_ball(chance: "arb") -> "arb":
    """A ball around the z with Q(z) = chance; `chance` is below 1/2."""
    guess = float(-ndtri(float(chance.mid())))
    return enclosed_root(lambda z: upper_tail(z) - chance, guess)


def enclosed_root(falling: Callable[["arb"], Number], guess: float) -> "arb":
    """A ball around the positive root of a decreasing function, near a guess; [0, ∞] at worst."""
    from flint import arb

    low, high = arb(0), arb.pos_inf()
    for power in range(-16, 0):
        width = arb(10) ** power
        if not low > 0 and falling(guess * (1 - width)) > 0:
            low = guess * (1 - width)
        if not high.is_finite() and falling(guess * (1 + width)) < 0:
            high = guess * (1 + width)
    return low.union(high)


def _never() -> "arb":
    """The ball ∞."""
    from flint import arb

    return arb.pos_inf()


def _delta_ball(epsilon: "arb", scale: "arb") -> "arb":
    """Q(a) − e^ε·Q(b)."""
    middle, half = epsilon * scale, 1 / (2 * scale)
    return upper_tail(middle - half) - epsilon.exp() * upper_tail(middle + half)


def upper_tail(x: "arb") -> "arb":
    """Q(x); of ±∞ too."""
    if x.is_finite() or x.is_nan():
        return (x / type(x)(2).sqrt()).erfc() / 2
    none, all_of_it = type(x)(0), type(x)(1)
    return none if x > 0 else all_of_it if x < 0 else none.union(all_of_it)
