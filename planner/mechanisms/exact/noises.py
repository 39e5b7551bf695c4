"""The noises whose failure probability is told exactly, and what a search needs of each."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from planner.mechanisms.exact import whole_noise, worst_mean
from planner.mechanisms.exact.noisy_count import upper_side
from planner.mechanisms.exact.proof import large_study_bound
from planner.mechanisms.exact.worst_mean import WorstMean
from planner.numbers import decimal

Array = Any
_SMOOTH = 20_000
"""In studies larger than this one person does not tip the worst mean of Laplace noise."""


class Noise(NamedTuple):
    """One kind of noise on a count.

    Attributes:
        failure: the failure probability for (ε, N, T, μ); arrays broadcast, but for N and T.
        likely_worst: the largest over the means that are likely the worst, for arrays of ε and N.
        worst_mean: the largest over a range, bracketed, for (ε, N, T, range, α).
        least_epsilon: an ε that no study can do without, for (N, T, α).
        tolerance: of the bracket, as a fraction.
    """

    failure: Callable[[Array, float, float, Array], Array]
    likely_worst: Callable[[Array, Array, float, tuple[float, float]], Array]
    worst_mean: Callable[[float, float, float, tuple[float, float], float], WorstMean]
    least_epsilon: Callable[[Array, float, float], Array]
    tolerance: float


def _laplace_likely_worst(
    epsilon: Array, n: Array, error: float, mean_range: tuple[float, float]
) -> Array:
    """The mean nearest to 1/2, and in small studies those beside it where a count tips over."""
    centre = min(max(0.5, mean_range[0]), mean_range[1])
    found = worst_mean.failure_at(epsilon, n, error, np.float64(centre))
    small = n <= _SMOOTH
    if small.any():
        e, size = epsilon[small], n[small]
        edge = np.ceil(size * (centre + error))
        beside = [np.clip((edge - step) / size - error, *mean_range) for step in (0, 1)]
        values = [worst_mean.failure_at(e, size, error, mean) for mean in beside]
        found[small] = np.maximum.reduce([found[small], *values])
    return found


def _laplace_worst_mean(
    epsilon: float, n: float, error: float, mean_range: tuple[float, float], failure: float
) -> WorstMean:
    bound = large_study_bound(epsilon, n, error, mean_range)
    if bound <= failure:  # in large studies one line does for all means
        return WorstMean(0.0, float(bound), 0.5)
    return worst_mean.worst_mean(epsilon, n, error, mean_range, 1e-6, enough=failure)


def _geometric_failure(epsilon: Array, n: float, error: float, mean: Array) -> Array:
    return whole_noise.failure_at_means(epsilon, int(n), error, mean)


def _geometric_likely_worst(
    epsilon: Array, n: Array, error: float, mean_range: tuple[float, float]
) -> Array:
    """The means nearest to 1/2 at which Nμ + NT is whole."""
    centre = min(max(0.5, mean_range[0]), mean_range[1])
    exact = decimal(error)
    width = np.vectorize(lambda size: float(math.ceil(2 * int(size) * exact)), otypes=[float])(n)
    excess, rise = n * error, np.float64(0.0)
    found = []
    for step in (0, 1):
        mean = np.clip((np.ceil(n * centre + excess) - step - excess) / n, *mean_range)
        found.append(
            upper_side(n, mean, excess, epsilon, rise)
            + upper_side(n, 1 - mean, width - excess, epsilon, rise)
        )
    return np.maximum(*found)


def _geometric_worst_mean(
    epsilon: float, n: float, error: float, mean_range: tuple[float, float], failure: float
) -> WorstMean:
    bound = large_study_bound(epsilon, n, error, mean_range, whole=True)
    if bound <= failure:
        return WorstMean(0.0, float(bound), 0.5)
    return whole_noise.worst_mean(epsilon, int(n), error, mean_range, 1e-5, enough=failure)


LAPLACE = Noise(
    failure=worst_mean.failure_at,
    likely_worst=_laplace_likely_worst,
    worst_mean=_laplace_worst_mean,
    # the noise alone is off by NT with probability e^(−εNT); a sample that is off makes it no less
    least_epsilon=lambda n, error, failure: -math.log(failure) / (n * error),
    tolerance=1e-6,
)
GEOMETRIC = Noise(
    failure=_geometric_failure,
    likely_worst=_geometric_likely_worst,
    worst_mean=_geometric_worst_mean,
    # on whole numbers that holds for noise off by NT + 1
    least_epsilon=lambda n, error, failure: -math.log(failure) / (n * error + 1),
    tolerance=1e-5,
)
