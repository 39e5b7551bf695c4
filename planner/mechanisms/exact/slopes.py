"""How an exact failure probability moves with the noise and the error, at its worst mean.

At one mean, Pr[K + Z ≥ x] with x = Nμ + NT is a sum over counts k of Pr[K = k]·G(x − k), and G is
known in closed form, so its derivatives are sums as well. At the worst mean of a range the largest
failure probability moves as the one there (the envelope theorem): the mean's own move does not
count where it is inside the range, as Laplace and Gaussian noise are smooth in it, nor at an end.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from planner.libraries import np
from planner.mechanisms.exact.failure import SHARES, Asked
from planner.mechanisms.exact.sums.binomial import chance
from planner.numbers import Array
from planner.privacy.gaussian import density

_REACH = 40.0  # standard errors: beyond, nothing is left
_SMALLEST_REACH = 200  # all counts of small studies


class Slopes(NamedTuple):
    """Derivatives of a failure probability.

    Attributes:
        rate: by the rate of the noise.
        error: by T; None for geometric noise, where T counts in steps of a whole count.
    """

    rate: float
    error: float | None


def slopes(
    kind: str, rate: float, participants: int, error: float, mean_range: tuple[float, float]
) -> Slopes:
    """The derivatives at the worst mean of the range."""
    asked = Asked(error, 0.0, mean_range)
    mean = float(SHARES[kind].worst_mean(rate, float(participants), asked).mean)
    by_rate, by_level = _TAILS[kind]
    both = [_one_side(rate, participants, error, m, by_rate) for m in (mean, 1 - mean)]
    if by_level is None:
        return Slopes(sum(both), None)
    level = [_one_side(rate, participants, error, m, by_level) for m in (mean, 1 - mean)]
    return Slopes(sum(both), participants * sum(level))


def _one_side(
    rate: float, n: int, error: float, mean: float, tail: Callable[[Array, float], Array]
) -> float:
    reach = max(_SMALLEST_REACH, math.ceil(_REACH * math.sqrt(n * mean * (1 - mean))))
    k = np.arange(max(0, int(n * mean) - reach), min(n, int(n * mean) + reach) + 1)
    return float(np.sum(chance(n, k, mean) * tail(n * mean + n * error - k, rate)))


def _geometric_by_rate(t: Array, rate: float) -> Array:
    whole = np.ceil(t - 1e-9)  # edges that are whole are those of the worst mean
    away = np.where(whole >= 1, whole, 1 - whole)
    share = np.exp(-rate) / (1 + np.exp(-rate))
    slope = np.exp(-rate * away) / (1 + np.exp(-rate)) * (share - away)
    return np.where(whole >= 1, slope, -slope)


_TAILS: dict[str, tuple[Callable[[Array, float], Array], Callable[[Array, float], Array] | None]]
_TAILS = {
    "laplace": (
        lambda t, rate: -t / 2 * np.exp(-rate * np.abs(t)),
        lambda t, rate: -rate / 2 * np.exp(-rate * np.abs(t)),
    ),
    "geometric": (_geometric_by_rate, None),
    "gaussian": (
        lambda t, rate: -t * density(rate * t),
        lambda t, rate: -rate * density(rate * t),
    ),
}
"""Derivatives of G(t) = Pr[Z ≥ t] by the rate, and by t."""
