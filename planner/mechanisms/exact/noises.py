"""The noises whose failure probability is computed exactly, and what a search needs of each."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from planner.mechanisms import hoeffding
from planner.mechanisms.exact import gaussian_noise, geometric_noise, large_study, worst_mean
from planner.mechanisms.exact.rates import LARGE
from planner.mechanisms.exact.worst_mean import Mean, WorstMean, anchors
from planner.numbers import Array

_GONE = 1e4
"""No rate beyond this is searched."""


class Noise(NamedTuple):
    """One kind of noise on a count, of which there is the less the higher its rate.

    The rate is ε, and 1/σ for Gaussian noise. The failure probability at one mean is the sum of two
    parts: what grows with the rate, and what falls once it is divided by the rate to the power of
    `growth`.

    Attributes:
        parts: the parts for (rates, N, T, means), along the first axis; along the second the rates,
            along the third the means.
        likely_parts: the parts at the means that are likely the worst, for arrays of rates and N
            of one shape, (rates, N, T, range); the means lie along the second axis.
        growth: the power.
        worst_mean: the largest over a range, bracketed, for (rate, N, T, range, α).
        bound: a bound for (rate, N, T) that falls with N.
        least_rate: a rate that no study can do without, for (N, T, α).
        largest_rate: for N, the rate at which the noise is as good as gone.
    """

    parts: Callable[[Array, float, float, Sequence[Mean]], Array]
    likely_parts: Callable[[Array, Array, float, tuple[float, float]], Array]
    growth: float
    worst_mean: Callable[[float, float, float, tuple[float, float], float], WorstMean]
    bound: Callable[[float, float, float], float]
    least_rate: Callable[[Array, float, float], Array]
    largest_rate: Callable[[Array], Array]

    def likely_worst(
        self, rate: Array, n: Array, error: float, mean_range: tuple[float, float]
    ) -> Array:
        """The failure probability at the worst of the likely means."""
        return np.max(np.sum(self.likely_parts(rate, n, error, mean_range), axis=0), axis=0)


def _smooth_parts(
    parts_at: Callable[[Array, Array, float, Array], Array],
) -> Callable[[Array, float, float, Sequence[Mean]], Array]:
    def parts(rates: Array, n: float, error: float, means: Sequence[Mean]) -> Array:
        return parts_at(rates[:, None], n, error, np.array([float(mean) for mean in means]))

    return parts


def _likely_parts(
    parts_at: Callable[[Array, Array, float, Array], Array], smooth: int
) -> Callable[[Array, Array, float, tuple[float, float]], Array]:
    """At the `anchors`, and for N ≤ `smooth` beside them where a count tips over, else 0."""

    def likely_parts(rate: Array, n: Array, error: float, mean_range: tuple[float, float]) -> Array:
        means = anchors(error, mean_range)
        small = n <= smooth
        size = n[small]
        beside = [
            np.clip((np.ceil(size * (mean + error)) - step) / size - error, *mean_range)
            for mean in means
            for step in (0, 1)
        ]
        at = np.array([np.full(size.shape, mean) for mean in means] + beside)
        found = np.zeros((2, len(at), len(n)))
        if size.size:
            found[:, :, small] = parts_at(rate[small], size, error, at)
        if size.size < len(n):
            at_anchors = np.array(means)[:, None]
            found[:, : len(means), ~small] = parts_at(rate[~small], n[~small], error, at_anchors)
        return found

    return likely_parts


def _gaussian_parts(rate: Array, n: Array, error: float, mean: Array) -> Array:
    # Pr[Z ≥ −t] = Φ(rt) grows no faster than r^0.3, as xφ(x)/Φ(x) < 0.3
    failure = gaussian_noise.failure_at(rate, n, error, mean)
    return np.stack([np.zeros(failure.shape), failure])


def _laplace_worst_mean(
    epsilon: float, n: float, error: float, mean_range: tuple[float, float], failure: float
) -> WorstMean:
    bound = large_study.bound(epsilon, n, error, mean_range)
    if bound <= failure:  # in large studies one line does for all means
        return WorstMean(0.0, float(bound), 0.5)
    found = worst_mean.worst_mean(epsilon, n, error, mean_range, enough=failure)
    return found._replace(most=min(found.most, float(bound)))


def _geometric_worst_mean(
    epsilon: float, n: float, error: float, mean_range: tuple[float, float], failure: float
) -> WorstMean:
    bound = large_study.bound(epsilon, n, error, mean_range, whole=True)
    if bound <= failure:
        return WorstMean(0.0, float(bound), 0.5)
    found = geometric_noise.worst_mean(epsilon, int(n), error, mean_range, enough=failure)
    return found._replace(most=min(found.most, float(bound)))


def _gaussian_worst_mean(
    rate: float, n: float, error: float, mean_range: tuple[float, float], failure: float
) -> WorstMean:
    bound = _gaussian_bound(rate, n, error)
    if bound <= failure:
        return WorstMean(0.0, bound, 0.5)
    found = gaussian_noise.worst_mean(rate, n, error, mean_range, enough=failure)
    return found._replace(most=min(found.most, bound))


def _laplace_bound(epsilon: float, n: float, error: float) -> float:
    return float(hoeffding.failure_probability(epsilon, n, error))


def _geometric_bound(epsilon: float, n: float, error: float) -> float:
    # Pr[|Z| ≥ t] is at most 2e^(−εt)/(1 + e^(−ε)), where Laplace noise has e^(−εt)
    return 2 / (1 + math.exp(-epsilon)) * _laplace_bound(epsilon, n, error)


def _gaussian_bound(rate: float, n: float, error: float) -> float:
    # sample and noise together are sub-Gaussian
    found = 2 * math.exp(-((n * error * rate) ** 2) / (n * rate**2 / 2 + 2))
    if n * error <= 1:
        return found
    return min(found, float(large_study.gaussian_by_normal_sample(rate, n, n * error - 1)))


LAPLACE = Noise(
    parts=_smooth_parts(worst_mean.parts_at),
    likely_parts=_likely_parts(worst_mean.parts_at, LARGE),
    growth=0.0,
    worst_mean=_laplace_worst_mean,
    bound=_laplace_bound,
    # the noise alone is off by NT with probability e^(−εNT); a sample that is off makes it no less
    least_rate=lambda n, error, failure: -math.log(failure) / (n * error),
    largest_rate=lambda n: np.full_like(n, _GONE),
)
GEOMETRIC = Noise(
    parts=geometric_noise.parts_at_means,
    likely_parts=geometric_noise.likely_parts,
    growth=0.0,
    worst_mean=_geometric_worst_mean,
    bound=_geometric_bound,
    # on whole numbers that holds for noise off by NT + 1
    least_rate=lambda n, error, failure: -math.log(failure) / (n * error + 1),
    largest_rate=lambda n: np.full_like(n, _GONE),
)
GAUSSIAN = Noise(
    parts=_smooth_parts(_gaussian_parts),
    likely_parts=_likely_parts(_gaussian_parts, LARGE // 10),
    growth=0.3,
    worst_mean=_gaussian_worst_mean,
    bound=_gaussian_bound,
    least_rate=gaussian_noise.noise_alone,
    # beside the sample's deviation as little noise as any other
    largest_rate=lambda n: _GONE / np.sqrt(n),
)
