"""How often a noisy count of many people is off: closed bounds for every mean at once."""

import math

from planner.libraries import np, scipy
from planner.mechanisms.noise import NO_NOISE, Noise
from planner.numbers import Array

LARGE = 100_000
"""Of more people counts are no longer summed, where a closed bound is known."""
_TILTS = 6  # that close in on the best one


def large(noise: Noise, rate: Array, n: Array, error: Array) -> Array:
    """A bound on the failure for every mean at once, of people without end; close in large studies.

    Pr[K ≥ m] ≤ Q(2(m − 1 − Nμ)/√N) for m − 1 > Nμ (Zubkov and Serov 2012, Theorem 1; Pinsker), and
    1 else. With c = NT − 1 and W normal of variance N/4 that is, over Z,
    f ≤ Pr[|W + Z| ≥ c] + 2·Pr[W < c − Z, Z > c]. Whole noise is less than Laplace noise rounded,
    which lies within 1/2 of Laplace noise: with c a half less and Q(4c/√N) more the same holds.
    Where noise is much of it `tilted` is closer.
    """
    excess = n * error - (1.5 if noise.whole else 1.0)
    deviation = np.sqrt(n) / 2
    with np.errstate(all="ignore"):
        bound = noise.on_normal(excess, deviation, rate) + noise.beyond(excess, deviation, rate)
        bound = bound + noise.whole * scipy.special.ndtr(-2 * excess / deviation)
        bound = np.minimum(bound, tilted(noise, rate, n, n * error))
    return np.where(excess > 0, np.minimum(bound, 1.0), 1.0)


def tilted(noise: Noise, rate: Array, n: Array, edge: Array) -> Array:
    """A bound for every mean, and for any values, that is close where there is much noise.

    The logarithm of Pr[Z ≥ x] is concave, so it lies under its tangent at x = NT − d, of slope −λ:
    Pr[D + Z ≥ NT] ≤ Pr[Z ≥ NT − d]·E e^(λ(D − d)), and E e^(λD) ≤ e^(λ²N/8) (Hoeffding 1963).
    The d = λN/4 is the best. Of Laplace and whole noise every d is as good, and Pr[Z ≥ x] is at
    most e^(−εx)/2, and e^(−εx)/(1 + e^(−ε)).
    """
    if noise is NO_NOISE:
        return np.ones(np.broadcast(rate, n).shape)
    if noise.kind != "gaussian":
        part = 1 / (1 + np.exp(-rate)) if noise.whole else 0.5
        return np.asarray(2 * part * np.exp(rate**2 * n / 8 - rate * edge))
    at = 0 * n
    for _ in range(_TILTS):
        best, x = at, rate * (edge - at)
        steep = rate * np.exp(-(x**2) / 2 - scipy.special.log_ndtr(-x)) / math.sqrt(2 * math.pi)
        at = np.minimum(steep * n / 4, edge)
    passed = noise.tail(edge - best, rate)
    return np.asarray(2 * passed * np.exp(steep**2 * n / 8 - steep * best))
