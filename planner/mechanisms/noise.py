"""Noise on a count, in floats: how often it passes an edge, alone and on a normal sample.

Noise has a rate: of Laplace and geometric noise ε, of Gaussian noise 1/σ, so that more of it is
less noise. All functions take arrays that broadcast.
"""

from collections.abc import Callable
from dataclasses import dataclass

from planner.libraries import np, scipy
from planner.numbers import Array

_NEAR_WHOLE = 1e-9
"""An edge so close to a whole number counts as on it, which is safe: an answer there is off."""
_ROOT_2 = 2**0.5


@dataclass(frozen=True)
class Noise:
    """One kind of noise.

    Attributes:
        kind: "laplace", "geometric", "gaussian", or "none".
        tail: Pr[Z ≥ t] at distances t and rates r.
        on_normal: Pr[|W + Z| ≥ x], W normal of deviation s, at x, s and rates r.
        alone: the least rate at which noise by itself passes an excess c with α at most.
        beyond: at a distance c and rate r, how much Pr[|W + Z| ≥ c] leaves out where W may be
            larger than normal; see `many_people.large`.
        whole: whether it is a whole number.
    """

    kind: str
    tail: Callable[[Array, Array], Array]
    on_normal: Callable[[Array, Array, Array], Array]
    alone: Callable[[Array, Array], Array]
    beyond: Callable[[Array, Array, Array], Array]
    whole: bool = False


def _laplace_tail(t: Array, rate: Array) -> Array:
    passed = 0.5 * np.exp(-rate * np.abs(t))
    return np.where(t >= 0, passed, 1 - passed)


def _laplace_on_normal(x: Array, deviation: Array, rate: Array) -> Array:
    """2Q(a) + e^(h²/2 − ah)Φ(a − h) − e^(h²/2 + ah)Φ(−a − h), a = x/s and h = rs.

    Where h is over a both exponents may overflow, and scaled tails of the normal law do not.
    """
    a, h = x / deviation, rate * deviation
    scale = 0.5 * np.exp(-(a**2) / 2)
    with np.errstate(all="ignore"):
        narrow = np.exp(h**2 / 2 - a * h + scipy.special.log_ndtr(a - h))
        wide = scale * scipy.special.erfcx((h - a) / _ROOT_2)
        far = scale * scipy.special.erfcx((h + a) / _ROOT_2)
        return 2 * scipy.special.ndtr(-a) + np.where(h < a, narrow, wide) - far


def _laplace_beyond(c: Array, deviation: Array, rate: Array) -> Array:
    """e^(−rc)·(1/2 − e^(h²/2)Q(h)), h = rs."""
    h = rate * deviation
    return np.exp(-rate * c) * (0.5 - 0.5 * scipy.special.erfcx(h / _ROOT_2))


def _geometric_tail(t: Array, rate: Array) -> Array:
    """a^t/(1 + a) for whole t ≥ 0, a = e^(−r), and 1 − a^(1 − t)/(1 + a) for t ≤ 0."""
    t = np.ceil(t - _NEAR_WHOLE)
    odds = 1 + np.exp(-rate)
    return np.where(
        t > 0,
        np.exp(-rate * np.maximum(t, 0.0)) / odds,
        1 - np.exp(-rate * (1 - np.minimum(t, 0.0))) / odds,
    )


def _gaussian_tail(t: Array, rate: Array) -> Array:
    return np.asarray(scipy.special.ndtr(-t * rate))


def _gaussian_on_normal(x: Array, deviation: Array, rate: Array) -> Array:
    return np.asarray(2 * scipy.special.ndtr(-x / np.sqrt(deviation**2 + rate**-2.0)))


def _gaussian_beyond(c: Array, deviation: Array, rate: Array) -> Array:
    return np.asarray(scipy.special.ndtr(-c * rate))


def _without_tail(t: Array, rate: Array) -> Array:
    return np.where(t <= _NEAR_WHOLE, 1.0, 0.0) + 0 * rate


def _without_on_normal(x: Array, deviation: Array, rate: Array) -> Array:
    return np.asarray(2 * scipy.special.ndtr(-x / deviation)) + 0 * rate


LAPLACE = Noise(
    "laplace",
    _laplace_tail,
    _laplace_on_normal,
    lambda excess, failure: -np.log(failure) / excess,
    _laplace_beyond,
)
GEOMETRIC = Noise(
    "geometric",
    _geometric_tail,
    _laplace_on_normal,
    lambda excess, failure: -np.log(failure) / (excess + 1),
    _laplace_beyond,
    whole=True,
)
GAUSSIAN = Noise(
    "gaussian",
    _gaussian_tail,
    _gaussian_on_normal,
    lambda excess, failure: -scipy.special.ndtri(failure / 2) / excess,
    _gaussian_beyond,
)
NO_NOISE = Noise(
    "none",
    _without_tail,
    _without_on_normal,
    lambda excess, failure: 0 * excess * failure,
    lambda c, deviation, rate: 0 * c * rate,
    whole=True,
)
NOISES = {noise.kind: noise for noise in (LAPLACE, GEOMETRIC, GAUSSIAN, NO_NOISE)}
"""By kind."""
