"""Binomial probabilities and tails where they are too small for a float's exponent.

Tails are the regularised incomplete beta function while that does not underflow; beyond, a tail is
its largest term times a sum of ratios, which is a continued fraction.
"""

import math

from planner.libraries import np, scipy
from planner.numbers import Array, Number

SMALL = 1e-280
"""Tails under this are told as largest term and ratio instead."""
HUGE = 1e12
"""Where the variance is larger than this, tails are read off Temme's expansion."""
REACH = 5.3
"""Counts farther from their mean than this times √N have less than 1e-24 together (Hoeffding)."""
_HALF_DIGITS = 2.0**27 + 1  # Dekker splits a double there
_TERMS = 400  # a cap of the continued fraction
_CLOSE = 1e-15  # the last digit


def upper_tail(n: Number, k: Number, p: Number, huge: float = HUGE) -> Number:
    """Pr[K ≥ k] for K ~ Binomial(n, p) and 1 ≤ k; 0 for k > n."""
    inside = k <= n
    return np.where(inside, _beta(k, np.where(inside, n - k + 1, 1.0), p, huge), 0.0)


def lower_tail(n: Number, k: Number, q: Number, huge: float = HUGE) -> Number:
    """Pr[K ≤ k] for K ~ Binomial(n, 1 − q) and 0 ≤ k; 1 for k ≥ n."""
    inside = k < n
    return np.where(inside, _beta(np.where(inside, n - k, 1.0), k + 1, q, huge), 1.0)


def _beta(a: Array, b: Array, x: Array, huge: float) -> Array:
    """I_x(a, b); of huge a and b by Temme's expansion (DLMF 8.18.9), where SciPy's takes long.

    With m = a + b and x₀ = a/m it is Φ(z) + φ(z)·(1 − 2x₀)/(3√(m·x₀(1 − x₀))), where z²/2 is m
    times the divergence of x₀ from x; the next term is a part in m·x₀(1 − x₀) of it.
    """
    total = a + b
    many = (a / total) * b > huge
    if not many.any():
        return np.asarray(scipy.special.betainc(a, b, x))
    off = _less_product(a, total, x)
    with np.errstate(all="ignore"):
        half = _deviance(off, total * x) + _deviance(-off, total * (1 - x))
        z = np.where(off > 0, -1, 1) * np.sqrt(2 * np.maximum(half, 0.0))
        skew = (b - a) / (3 * np.sqrt(total * a * b))
        normal = scipy.special.ndtr(z) + np.exp(-half) / np.sqrt(2 * np.pi) * skew
    normal = np.where(many & (x > 0) & (x < 1), normal, np.where(x > 0, 1.0, 0.0))
    small = [np.where(many, 1.0, y) for y in (a, b)]
    return np.where(many, normal, scipy.special.betainc(*small, x))


def _less_product(a: Array, m: Array, x: Array) -> Array:
    """The value of a − m·x, where m·x is known to twice the digits (Dekker)."""
    product, halves = m * x, []
    for factor in (m, x):
        high = factor * _HALF_DIGITS
        high = high - (high - factor)
        halves.append((high, factor - high))
    (a1, a0), (b1, b0) = halves
    rounding = ((a1 * b1 - product) + a1 * b0 + a0 * b1) + a0 * b0
    return np.asarray((a - product) - rounding)


def log_chance(n: Number, k: Number, p: Number, q: Number, off: Number) -> Number:
    """The logarithm of Pr[K = k], K ~ Binomial(n, p), where q = 1 − p and `off` = k − np.

    Loader's saddle-point form: exact to rounding for every n.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inner = (
            _stirling_error(n)
            - _stirling_error(k)
            - _stirling_error(n - k)
            - _deviance(off, n * p)
            - _deviance(-off, n * q)
            + np.log(n / (2 * np.pi * k * (n - k))) / 2
        )
        ends = np.where(k == 0, n * np.log(q), n * np.log(p))
    return np.where((k > 0) & (k < n), inner, ends)


def chance(n: int, k: Array, p: float) -> Array:
    """Pr[K = k] for K ~ Binomial(n, p)."""
    if p <= 0 or p >= 1:
        return np.where(k == n * p, 1.0, 0.0)
    count = k.astype(float)
    return np.asarray(np.exp(log_chance(np.float64(n), count, p, 1 - p, count - n * p)))


def counts_about(n: Array, mean: Array) -> tuple[Array, Array]:
    """How far counts lie over their mean, and their chances, along the last axis."""
    n, mean = (np.asarray(x, float)[..., None] for x in np.broadcast_arrays(n, mean))
    reach = math.ceil(REACH * math.sqrt(float(np.max(n, initial=0)))) + 1
    count = np.rint(n * mean) + np.arange(-reach, reach + 1)
    inside = (count >= 0) & (count <= n)
    k = np.where(inside, count, np.rint(n * mean))
    sure = (mean <= 0) | (mean >= 1)
    share = np.where(sure, 0.5, mean)
    chance = np.exp(log_chance(n, k, share, 1 - share, k - n * share))
    chance = np.where(sure, k == n * mean, chance)
    return count - n * mean, np.where(inside, chance, 0.0)


def upper_ratio(n: Array, k: Array, odds: Array) -> Array:
    """Pr[K ≥ k]/Pr[K = k] for K ~ Binomial(n, p), odds = p/(1 − p), and k well over np.

    It is ₂F₁(k − n, 1; k + 1; −odds), as Gauss's continued fraction (modified Lentz).
    """
    tiny = 1e-300
    total = np.ones(np.broadcast(n, k, odds).shape)
    c, d = total.copy(), np.zeros_like(total)
    # total = 1/(1 + a₁/(1 + a₂/(1 + …))), built up as the value of the denominator
    for term in range(1, _TERMS):
        j = term // 2
        if term % 2:
            a = -(n - k - j) * (k + j) / ((k + 2 * j) * (k + 2 * j + 1)) * odds
        else:
            a = j * (n + j) / ((k + 2 * j - 1) * (k + 2 * j)) * odds
        d = 1 + a * d
        d = 1 / np.where(d == 0, tiny, d)
        c = 1 + a / np.where(c == 0, tiny, c)
        change = c * d
        total *= change
        if np.all(np.abs(change - 1) < _CLOSE):
            break
    return 1 / total


def _stirling_error(n: Array) -> Array:
    large = np.maximum(n, 16.0)
    square = 1 / large**2
    series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / large
    few = np.less(n, 16)
    if few.any():
        small = np.clip(n, 1.0, 16.0)[few]
        exact = (
            scipy.special.gammaln(small + 1)
            - (small + 0.5) * np.log(small)
            + small
            - np.log(2 * np.pi) / 2
        )
        series = np.array(series)
        series[few] = exact
    return series


def _deviance(off: Array, expected: Array) -> Array:
    """Its value is x ln(x/m) + m − x at x = m + off; `off` may be rounded below −m."""
    u = np.maximum(off / expected, -1.0)
    series = u * u * (0.5 - u * (1 / 6 - u * (1 / 12 - u * (1 / 20 - u * (1 / 30 - u / 42)))))
    far = np.abs(u) >= 0.01
    if np.any(far):
        series = np.array(series)
        x = u[far] if np.ndim(u) else u
        series[far] = scipy.special.xlog1py(1 + x, x) - x
    return expected * series
