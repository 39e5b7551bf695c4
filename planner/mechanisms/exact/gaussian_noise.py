"""Gaussian noise on a count."""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import np, scipy
from planner.mechanisms.exact import gaussian_chord, large_study, noise_balls
from planner.mechanisms.exact.noise import GONE, LARGE, Noise
from planner.mechanisms.exact.sums import gaussian_sums
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number
from planner.privacy import gaussian

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall

_SPARE, _MOST_SPARE = 0.05, 100
"""A likely rate is given where the sample takes all but so much of the allowed variance."""


class Gaussian(Noise):
    """Normal noise of deviation 1/rate."""

    kind = "gaussian"
    growth = 0.3  # Pr[Z ≥ −t] = Φ(rt) grows no faster than r^0.3, as xφ(x)/Φ(x) < 0.3
    smooth = tips_from = 0.8  # at this rate whole counts ripple f by e^(−2π²σ²), 4e-14 of it
    tips_up_to = LARGE // 10
    unseen = 1e-60
    dent = Fraction(31, 125)  # φ(1), rounded up

    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        if np.array_equal(up, down):
            return np.asarray(gaussian_sums.parts_at(rate, n, mean, up, sides=2))
        above = gaussian_sums.parts_at(rate, n, mean, up, sides=1)
        return np.asarray(above + gaussian_sums.parts_at(rate, n, 1 - mean, down, sides=1))

    def carried(self, left: Array, rate: Array) -> Array:
        with np.errstate(over="ignore"):  # rates that stand for no noise at all
            return np.asarray(scipy.special.ndtr(-np.abs(left) * rate))

    def density(self, x: Array) -> Array:
        return np.asarray(np.exp(-x * x / 2) / math.sqrt(2 * math.pi))

    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        return noise_balls.Normal(inside, outside)

    def steep(self, rate: Number) -> Number:
        """1/σ²: Q is log-concave, with (ln Q)″ between −1 and 0 (Sampford 1953)."""
        return rate * rate

    def alone(self, n: Array, error: float, failure: float) -> Array:
        return np.asarray(-scipy.special.ndtri(failure / 2) / (n * error))

    def alone_ball(self, excess: "arb", failure: "arb") -> "arb":
        return gaussian.deviate_ball(failure / 2) / excess

    def tail_ball(self, x: "arb") -> "arb":
        return gaussian.upper_tail(x)

    def density_ball(self, x: "arb") -> "arb":
        return (-(x**2) / 2).exp() / (2 * arb.pi()).sqrt()

    def bound(
        self, rate: float, n: float, error: float, sample: Sample, counts: bool = True
    ) -> float:
        """As sample and noise together are sub-Gaussian; or as the sample is nearly normal."""
        of_sample = n**2 / sample.people(n) / 2
        most = 2 * math.exp(-((n * error * rate) ** 2) / (of_sample * rate**2 + 2))
        if not (counts and sample.simple) or n * error <= 1:
            return most
        return min(most, float(large_study.gaussian_by_normal_sample(rate, n, n * error - 1)))

    def sufficient(self, n: Array, error: float, failure: float, sample: Sample) -> Array:
        """As they are sub-Gaussian: 2·exp(−(NT)²/(N²/2n′ + 2σ²)) ≤ α, n′ as in `sample`."""
        size = np.asarray(n, dtype=float)
        of_sample = size**2 / sample.people(size) / 2
        variance = ((size * error) ** 2 / math.log(2 / failure) - of_sample) / 2
        with np.errstate(divide="ignore"):
            return np.asarray(1 / np.sqrt(np.maximum(variance, 0.0)))

    def chord(
        self, seen: Number, left: Number, right: Number, rate: Number, n: Number, error: Number,
        goal: float,
    ) -> Number:  # fmt: skip
        return gaussian_chord.most_between(seen, left, right, rate, n, error, goal)

    def for_all(
        self, rate: Number, n: Number, error: Number, mean_range: tuple[float, float]
    ) -> Number:
        if numbers.of(rate, n, error) is numbers.balls():
            return large_study.gaussian_bound(rate, n, error, mean_range)
        return self.bound(rate, n, error, Sample())

    def largest_rate(self, n: Array) -> Array:
        return np.asarray(GONE / np.sqrt(n))

    def likely_rate(self, n: Array, error: float, failure: float) -> Array | None:
        both, sample = (n * error / scipy.special.ndtri(failure / 2)) ** 2, n / 4
        spare = np.minimum(_SPARE * sample, _MOST_SPARE)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(both - sample > spare, 1 / np.sqrt(both - sample), np.nan)


GAUSSIAN = Gaussian()
