"""How surely a noisy count is near its mean: exactly, in a handful of binomial tails.

K ~ Binomial(N, μ) people have the property, and noise Z is added. Laplace noise of scale 1/ε has
Pr[Z ≥ t] = ½e^(−εt) for t ≥ 0; two-sided geometric noise on whole numbers, with Pr[Z = z] in
proportion to e^(−ε|z|), has Pr[Z ≥ t] = e^(−εt)/(1 + e^(−ε)) for whole t ≥ 0. So with b = Nμ + NT,
and h the least whole number that is not below b,

    Pr[K + Z ≥ b] = Pr[K ≥ h] + v·E[e^(ε(K − x)); K < h] − w·E[e^(ε(x − K)); K ≥ h]

with v = w = ½ and x = b for Laplace noise, v = 1/(1 + e^(−ε)), w = v·e^(−ε) and x = h for
geometric. Each expectation is a moment generating function times a binomial tail at the tilted
mean μe^(±ε)/(1 − μ + μe^(±ε)). The other side is the same with 1 − μ for μ.

Factors may overflow where products do not: then a product is told as its largest term,
Pr[K = h]·e^(ε(x − h)), times a ratio near 1 (see `binomial`). The difference loses no digits: its
second part is at most half of the first.
"""

from planner.libraries import np
from planner.mechanisms.exact.sums.binomial import (
    SMALL,
    log_chance,
    lower_tail,
    upper_ratio,
    upper_tail,
)
from planner.numbers import Array, Number

_NEVER = 1e-290
"""A mean too small to see a single person, at any N."""
_SMALL_TILT, _LARGE_TILT = 0.01, 300.0  # the series is exact below; e^tilt overflows beyond


def upper_parts(
    n: Number, mean: Number, excess: Number, epsilon: Number, rise: Number | None
) -> tuple[Number, Number]:
    """The chance Pr[K + Z ≥ Nμ + excess], by whether the count K itself is there.

    The first part is of counts that the noise leaves there, which grows with ε; the second of
    counts that the noise carries there, which falls.

    Args:
        n: N [≥ 1].
        mean: μ [[0, 1]].
        excess: NT [> 0].
        epsilon: ε [> 0].
        rise: h − (Nμ + excess) for geometric noise, None for Laplace noise.

    All are arrays of floats and broadcast.
    """
    level = n * mean + excess
    v: Number
    w: Number
    if rise is None:
        h = np.ceil(level)
        x_off = excess  # x − Nμ
        h_off = excess + (h - level)
        v = w = np.float64(0.5)
    else:
        h = np.rint(level + rise)
        x_off = h_off = excess + rise
        decay = np.exp(-epsilon)
        v, w = 1 / (1 + decay), decay / (1 + decay)
    other = 1 - mean
    shrink = np.exp(-epsilon)
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        # 1 − μe^ε/(1 − μ + μe^ε), and μe^(−ε)/(1 − μ + μe^(−ε)); 1 where all are alike
        high_other = np.where(mean > 0, other * shrink / (mean + other * shrink), 1.0)
        low_mean = np.where(other > 0, mean * shrink / (other + mean * shrink), 1.0)
        sure = upper_tail(n, h, mean)
        below = lower_tail(n, h - 1, high_other)
        above = upper_tail(n, h, low_mean)
        noise = v * np.exp(n * _cumulant(mean, epsilon) - epsilon * x_off) * below
        lost = w * np.exp(n * _cumulant(mean, -epsilon) + epsilon * x_off) * above
    possible = (mean > _NEVER) & (mean < 1)
    lost = np.where(above == 0, 0.0, lost)  # nothing times overflow
    small = (h <= n) & ((sure < SMALL) | (above < SMALL)) | (below < SMALL)
    if not np.any(small & possible):
        return np.asarray(sure - lost), np.asarray(noise)
    n, h, mean, other, x_off, h_off, epsilon = np.broadcast_arrays(
        n, h, mean, other, x_off, h_off, epsilon
    )
    sure, noise, lost = (np.array(np.broadcast_to(t, n.shape)) for t in (sure, noise, lost))
    v, w = np.broadcast_to(v, n.shape), np.broadcast_to(w, n.shape)
    top = possible & (h <= n)

    def largest(where: Array, k: Array, off: Array) -> Array:
        """ln(Pr[K = k]·e^(±ε(x − k))), with the sign that makes it smaller."""
        chance = log_chance(n[where], k[where], mean[where], other[where], off[where])
        return chance - epsilon[where] * np.abs(x_off - off)[where]

    deep = top & (sure < SMALL)
    if deep.any():
        chance = log_chance(n[deep], h[deep], mean[deep], other[deep], h_off[deep])
        odds = mean[deep] / other[deep]
        sure[deep] = np.exp(chance) * upper_ratio(n[deep], h[deep], odds)
    deep = top & (np.broadcast_to(above, n.shape) < SMALL)
    if deep.any():
        odds = mean[deep] / other[deep] * np.exp(-epsilon[deep])
        ratio = upper_ratio(n[deep], h[deep], odds)
        lost[deep] = w[deep] * np.exp(largest(deep, h, h_off)) * ratio
    deep = possible & (np.broadcast_to(below, n.shape) < SMALL)
    if deep.any():
        odds = other[deep] / mean[deep] * np.exp(-epsilon[deep])
        ratio = upper_ratio(n[deep], n[deep] - h[deep] + 1, odds)
        noise[deep] = v[deep] * np.exp(largest(deep, h - 1, h_off - 1)) * ratio
    return sure - lost, noise


def _cumulant(mean: Array, tilt: Array) -> Array:
    """The logarithm of E[e^(θ(X − μ))] for X zero or one with mean μ, to full precision."""
    small = np.abs(tilt) < _SMALL_TILT
    if not np.any(small):
        return _cumulant_directly(mean, tilt)
    return np.where(small, _cumulant_of_little(mean, tilt), _cumulant_directly(mean, tilt))


def _cumulant_of_little(mean: Array, tilt: Array) -> Array:
    pq, skew = mean * (1 - mean), 1 - 2 * mean
    return np.asarray(pq * tilt**2 * (
        1 / 2
        + tilt * (skew / 6
        + tilt * ((1 - 6 * pq) / 24
        + tilt * (skew * (1 - 12 * pq) / 120
        + tilt * (1 - 30 * pq * (1 - 4 * pq)) / 720)))
    ))  # fmt: skip


def _cumulant_directly(mean: Array, tilt: Array) -> Array:
    """The same by the rarer of the two outcomes, so that small probabilities keep their digits."""
    rare, away = np.minimum(mean, 1 - mean), np.where(mean <= 0.5, tilt, -tilt)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        direct = np.log1p(rare * np.expm1(np.minimum(away, _LARGE_TILT))) - rare * away
        beyond = (away > _LARGE_TILT) & (rare > 0)
        if np.any(beyond):
            far = np.log(rare) + np.log1p((1 - rare) / rare * np.exp(-away)) + (1 - rare) * away
            direct = np.where(beyond, far, direct)
    return np.asarray(direct)
