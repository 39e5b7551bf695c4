"""The exact (ε, δ)-privacy of Gaussian noise on a count (Balle and Wang 2018, Theorem 8).

Noise of standard deviation σ on a count, which one record moves by at most 1, is (ε, δ)-private if
and only if Q(a) − e^ε·Q(b) ≤ δ, with a = εσ − 1/(2σ), b = εσ + 1/(2σ) and Q the upper tail of the
normal law. As φ(a) = e^ε·φ(b) the left side is φ(a)·(M(a) − M(b)), M = Q/φ, which neither overflows
nor, as an integral of −M′ = 1 − xM over a short [a, b], loses digits. It falls with ε and with σ.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache

from planner.certificate import check, check_counts
from planner.libraries import np, scipy
from planner.numbers import Array, Number, decimal

LEAST_EPSILON = 1e-12
"""The smallest ε returned where δ alone allows the noise: nearly 0, but safe to divide by."""
_NODES = 12
"""Of Gauss and Legendre: more change no digit of a double."""
_CLOSE, _MOST_STEPS = 3e-8, 100
"""A step this short, as a fraction, is the last one: it squares what is wrong, to 1e-15. The
number of steps is a guard: even bisections alone take fewer."""
_MORE = 1 + Fraction(1, 10**12)
"""By what factor a scale in floats is off, and far more."""
_TINY = 5e-324  # the smallest double above 0: its logarithm is finite


def log_delta(epsilon: Number, scale: Number) -> Number:
    """The logarithm of the smallest δ, for arrays of ε [≥ 0] and σ [> 0] that broadcast."""
    found, _, _ = _log_delta(*np.broadcast_arrays(*np.atleast_1d(epsilon, scale)))
    return found if np.ndim(epsilon) or np.ndim(scale) else found[0]


@cache
def _quadrature() -> tuple[Array, Array]:
    """The nodes in [−1, 1] and their weights."""
    return np.polynomial.legendre.leggauss(_NODES)


def _log_delta(e: Array, s: Array) -> tuple[Array, Array, Array]:
    """The logarithm of δ, and what it falls by with ε and with ln σ.

    With M(a) and M(b) these are M(b)/(M(a) − M(b)) and 1/(σ(M(a) − M(b))), as e^ε·φ(b) = φ(a).
    """
    nodes, weights = _quadrature()
    middle, half = e * s, 0.5 / s
    a, b = middle - half, middle + half
    with np.errstate(all="ignore"):
        x = middle[..., None] + half[..., None] * nodes
        short = np.maximum(half * np.sum(weights * (1 - x * _mills(x)), axis=-1), _TINY)
        log_density, last = -(a**2) / 2 - math.log(math.sqrt(2 * math.pi)), _mills(b)
        apart = np.maximum(scipy.special.ndtr(-a) - np.exp(log_density) * last, _TINY)
        found = np.where(s >= 1, log_density + np.log(short), np.log(apart))
        gap = np.exp(found - log_density)
        return found, last / gap, 1 / (s * gap)


def _mills(x: Number) -> Number:
    """M(x) = Q(x)/φ(x)."""
    return math.sqrt(math.pi / 2) * scipy.special.erfcx(x / math.sqrt(2))


def scale(epsilon: Number, delta: Number) -> Number:
    """The smallest σ that is (ε, δ)-private, ∞ at δ = 0; arrays broadcast."""
    e, d = np.broadcast_arrays(*np.atleast_1d(epsilon, delta))
    e, d = e.astype(float), d.astype(float)
    some = np.maximum(d, 1e-300)
    z = -scipy.special.ndtri(some)
    # δ ≤ Q(a), and δ is at most 0.4/σ, the total variation
    high = np.minimum((np.abs(z) + np.sqrt(z**2 + 2 * e)) / (2 * e), 0.4 / some)
    low, goal = high / 2, np.log(some)
    while (short := log_delta(e, low) <= goal).any():
        low = np.where(short, low / 4, low)

    def falling(log_scale: Array, at: Array) -> tuple[Array, Array]:
        found, _, slope = _log_delta(at, np.exp(log_scale))
        return found, slope

    found = np.exp(_root(falling, np.log(low), np.log(high) + 1e-9, goal, e))
    result = np.where(d > 0, found, math.inf)
    return result if np.ndim(epsilon) or np.ndim(delta) else float(result[0])


def epsilon_at(scale: Number, delta: Number) -> Number:
    """The smallest ε of σ at δ, at least `LEAST_EPSILON`; ∞ at δ = 0 or σ = 0."""
    if np.ndim(scale) or np.ndim(delta):
        return _epsilon_at(*np.broadcast_arrays(*np.atleast_1d(scale, delta)))
    return _one_epsilon_at(float(scale), float(delta))


@lru_cache(maxsize=2**12)
def _one_epsilon_at(scale: float, delta: float) -> float:
    """The same of two numbers: bisections over N come by the same ones again and again."""
    return float(_epsilon_at(np.array([scale]), np.array([delta]))[0])


def _epsilon_at(s: Array, d: Array) -> Array:
    """The same over arrays of one shape."""
    possible = (s > 0) & (d > 0)
    s, d = np.where(possible, s, 1.0), np.where(possible, d, 0.5)
    high = np.maximum(-scipy.special.ndtri(d) / s + 0.5 / s**2, 0.0) + LEAST_EPSILON
    goal = np.log(d)
    needed = log_delta(LEAST_EPSILON, s) > goal
    wanted = goal + np.log(np.maximum(s, 1.0))

    def falling(epsilon: Array, at: Array) -> tuple[Array, Array]:
        found, slope, _ = _log_delta(epsilon, at)
        return found + np.log(np.maximum(at, 1.0)), slope

    result = np.full(s.shape, LEAST_EPSILON)
    if needed.any():
        low = np.full(int(needed.sum()), LEAST_EPSILON)
        high = high[needed] * (1 + 1e-9)
        result[needed] = _root(falling, low, high, wanted[needed], s[needed])
    return np.where(possible, result, math.inf)


def _root(
    falling: Callable[[Array, Array], tuple[Array, Array]],
    low: Array,
    high: Array,
    goal: Array,
    given: Array,
) -> Array:
    """Where logarithms of δ that fall reach a goal, by Newton's steps that stay inside brackets.

    δ falls about as a normal tail does, so the steps are of √(−2 ln δ).
    """
    x, deviate = high, np.sqrt(-2 * goal)
    for _ in range(_MOST_STEPS):
        value, slope = falling(x, given)
        low, high = np.where(value > goal, x, low), np.where(value > goal, high, x)
        with np.errstate(all="ignore"):
            at = np.sqrt(-2 * value)
            step = x - (at - deviate) * at / slope
        inside = (step >= low) & (step <= high)
        step = np.where(inside, step, (low + high) / 2)
        if np.all(np.abs(step - x) <= _CLOSE * np.abs(x)):
            return step
        x = step
    return x


def certain_scale(epsilon: Fraction, delta: Fraction) -> Fraction:
    """A σ that is certain to be enough, and hardly more than the least; ∞ at δ = 0.

    By the checker of certificates, as the privacy of what is published rests on it.
    """
    if delta > 0 and epsilon > check.MOST_EPSILON:  # of which the checker has no rule
        return decimal(float(scale(float(epsilon), float(delta)))) * _MORE
    with check.ctx.workprec(check.PRECISION):
        most: Fraction = check_counts.deviation(epsilon, delta)[1]
    return most
