"""The noises whose failure probability is computed exactly, and what a search needs of each."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from planner.mechanisms import hoeffding
from planner.mechanisms.exact import (
    gaussian_noise,
    gaussian_proof,
    geometric_noise,
    geometric_proof,
    laplace_proof,
    large_study,
    worst_mean,
)
from planner.mechanisms.exact.rates import LARGE
from planner.mechanisms.exact.worst_mean import Mean, WorstMean, anchors
from planner.numbers import Array, Number

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
        enough: a rate that suffices by a bound, for (N, T, α); ∞ where the bound says nothing.
        least_rate: a rate that no study can do without, for (N, T, α).
        largest_rate: for N, the rate at which the noise is as good as gone.
        surely_at_most: whether f is certain to be at most α at every mean, for (rate, N, T, α,
            range); rate, N, T and α are balls.
        surely_over: whether f is certain to pass α at some mean for every rate, for (least rate,
            most, N, T, α, range); balls, except for N.
        sizes_surely_over: whether it is for all N in a range with N·rate at most a signal, for
            (signal, least N, most, T, α, range); balls, except for N.
    """

    parts: Callable[[Array, float, float, Sequence[Mean]], Array]
    likely_parts: Callable[[Array, Array, float, tuple[float, float]], Array]
    growth: float
    worst_mean: Callable[[float, float, float, tuple[float, float], float], WorstMean]
    bound: Callable[[float, float, float], float]
    enough: Callable[[Array, float, float], Array]
    least_rate: Callable[[Array, float, float], Array]
    largest_rate: Callable[[Array], Array]
    surely_at_most: Callable[[Number, Number, Number, Number, tuple[float, float]], bool]
    surely_over: Callable[[Number, Number, int, Number, Number, tuple[float, float]], bool]
    sizes_surely_over: Callable[[Number, int, int, Number, Number, tuple[float, float]], bool] = (
        lambda *_: False
    )

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


def _gaussian_enough(n: Array, error: float, failure: float) -> Array:
    # sample and noise together are sub-Gaussian: 2·exp(−(NT)²/(N/2 + 2σ²)) ≤ α
    size = np.asarray(n, dtype=float)
    variance = ((size * error) ** 2 / math.log(2 / failure) - size / 2) / 2
    with np.errstate(divide="ignore"):
        return 1 / np.sqrt(np.maximum(variance, 0.0))


LAPLACE = Noise(
    parts=_smooth_parts(worst_mean.parts_at),
    likely_parts=_likely_parts(worst_mean.parts_at, LARGE),
    growth=0.0,
    worst_mean=_laplace_worst_mean,
    bound=_laplace_bound,
    enough=hoeffding.epsilon_floor,
    # the noise alone is off by NT with probability e^(−εNT); a sample that is off makes it no less
    least_rate=lambda n, error, failure: -math.log(failure) / (n * error),
    largest_rate=lambda n: np.full_like(n, _GONE),
    surely_at_most=laplace_proof.surely_at_most,
    surely_over=laplace_proof.surely_over,
    sizes_surely_over=laplace_proof.sizes_surely_over,
)
GEOMETRIC = Noise(
    parts=geometric_noise.parts_at_means,
    likely_parts=geometric_noise.likely_parts,
    growth=0.0,
    worst_mean=_geometric_worst_mean,
    bound=_geometric_bound,
    enough=lambda n, error, failure: hoeffding.epsilon_floor(n, error, failure / 2),
    # on whole numbers that holds for noise off by NT + 1
    least_rate=lambda n, error, failure: -math.log(failure) / (n * error + 1),
    largest_rate=lambda n: np.full_like(n, _GONE),
    surely_at_most=geometric_proof.surely_at_most,
    surely_over=geometric_proof.surely_over,
)
GAUSSIAN = Noise(
    parts=_smooth_parts(_gaussian_parts),
    likely_parts=_likely_parts(_gaussian_parts, LARGE // 10),
    growth=0.3,
    worst_mean=_gaussian_worst_mean,
    bound=_gaussian_bound,
    enough=_gaussian_enough,
    least_rate=gaussian_noise.noise_alone,
    # beside the sample's deviation as little noise as any other
    largest_rate=lambda n: _GONE / np.sqrt(n),
    surely_at_most=gaussian_proof.surely_at_most,
    surely_over=gaussian_proof.surely_over,
)
