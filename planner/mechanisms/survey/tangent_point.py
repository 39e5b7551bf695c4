"""Where a line from its value at mean 0 touches the failure probability of one noisy share.

It is found as if the sample were normal: at the touching point the height of the chord at 1/k
hardly depends on its end, so the true chord to about there is nearly the highest.
"""

from typing import Literal

from planner.libraries import np, scipy
from planner.numbers import Array

_MEANS = 24
_TINY = 1e-300


def tangent_point(
    kind: Literal["laplace", "gaussian"], rate: Array, n: Array, error: float, centre: float
) -> Array:
    """About the mean in [1/k, 1/2] to which the chord from mean 0 is the highest at 1/k.

    Args:
        kind: of the noise.
        rate: its rates.
        n: N, of the same shape.
        error: T.
        centre: 1/k.
    """
    means, apart = np.linspace(centre, max(centre, 0.5), _MEANS + 1, retstep=True)
    alone = at_zero(kind, rate, n, error)
    rise = _failure(kind, rate, n, error, means[:, None]) - alone
    height = np.log(np.maximum(alone + rise * (centre / means)[:, None], _TINY))
    best, column = np.argmax(height, axis=0), np.arange(len(rate))
    at = np.clip(best, 1, _MEANS - 1)
    before, here, after = (height[at + step, column] for step in (-1, 0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        beside = (after - before) / (2 * (2 * here - before - after))
    inside = (best == at) & (np.abs(beside) <= 1)
    return np.asarray(means[best] + apart * np.where(inside, beside, 0.0))


def at_zero(kind: Literal["laplace", "gaussian"], rate: Array, n: Array, error: float) -> Array:
    """The failure probability at mean 0, of the noise alone."""
    excess = rate * n * error
    return np.asarray(np.exp(-excess) if kind == "laplace" else 2 * scipy.special.ndtr(-excess))


def _failure(
    kind: Literal["laplace", "gaussian"], rate: Array, n: Array, error: float, mean: Array
) -> Array:
    """That of a normal sample."""
    variance, off = n * mean * (1 - mean), n * error
    if kind == "gaussian":
        return np.asarray(2 * scipy.special.ndtr(-off / np.sqrt(variance + 1 / rate**2)))
    deviation = np.sqrt(variance)
    far, wide = off / deviation, rate * deviation
    # the sample alone, and the noise that carries it over either edge, or back
    over = np.exp(wide**2 / 2 - rate * off + scipy.special.log_ndtr(far - wide))
    back = np.exp(np.minimum(wide**2 / 2 + rate * off + scipy.special.log_ndtr(-far - wide), 0.0))
    return np.asarray(2 * scipy.special.ndtr(-far) + over - back)
