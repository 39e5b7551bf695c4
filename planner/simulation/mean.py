"""Simulation of the noisy mean: records are sampled, then noise (Hsu14 §5.1)."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from planner.answer.answers import Plan
from planner.numbers import decimal
from planner.privacy.gaussian import scale
from planner.wording import plain

_NOISES = {"laplace": "Laplace", "geometric": "geometric", "gaussian": "Gaussian"}


def asked_mean(mechanism: Any, mean: float | None) -> float:
    """The population mean of the runs; where none is given the one nearest 1/2.

    Raises:
        ValueError: it is outside the mechanism's `mean_range`.
    """
    low, high = mechanism.mean_range
    if mean is None:
        return float(min(max(0.5, low), high))
    if not low <= mean <= high:
        raise ValueError(
            f"mean = {mean!r} is outside the study's mean_range; "
            f"give a population mean from {plain(low)} to {plain(high)}"
        )
    return mean


@dataclass(frozen=True)
class MeanRuns:
    """Runs of a study that publishes K/N plus noise, with K ~ Binomial(N, μ).

    Attributes:
        epsilon: ε [> 0].
        participants: N [≥ 1].
        error: T [fraction of 1, (0, 1]].
        mean: the population mean μ [[0, 1]].
        delta: δ [[0, 1)].
        noise: the kind of noise.
    """

    USUAL_RUNS: ClassVar[int] = 10_000
    CHUNK: ClassVar[int] = 100_000

    epsilon: float
    participants: int
    error: float
    mean: float
    delta: float = 0.0
    noise: str = "laplace"

    @classmethod
    def of(cls, plan: Plan, mechanism: Any, mean: float | None) -> "MeanRuns":
        """The runs of a plan; without a mean, at the one nearest 1/2, usually the worst.

        Raises:
            ValueError: the mean is outside the mechanism's `mean_range`.
        """
        mean = asked_mean(mechanism, mean)
        error = plan.study.accuracy.error
        return cls(plan.epsilon, plan.participants, error, mean, plan.delta, mechanism.adds)

    @property
    def words(self) -> str:
        """A description of one run, as a sentence."""
        noise = f"{_NOISES[self.noise]} noise" + " on the count" * (self.noise == "geometric")
        return (
            f"Each run draws {plain(self.participants)} records, each 1 with probability "
            f"{plain(self.mean)}, and publishes their mean with {noise}; it fails where that "
            f"is off by {plain(self.error)} or more."
        )

    def fails(self, rng: np.random.Generator, runs: int) -> Any:
        """Whether each of some runs fails."""
        counts = rng.binomial(self.participants, self.mean, runs)
        if self.noise == "geometric":
            ends = -math.expm1(
                -self.epsilon
            )  # the difference of two of these is two-sided geometric noise
            published = counts + rng.geometric(ends, runs) - rng.geometric(ends, runs)
            mean, error = decimal(self.mean), decimal(self.error)
            high = math.ceil(self.participants * (mean + error))
            low = math.floor(self.participants * (mean - error))
            return (published >= high) | (published <= low)
        if self.noise == "gaussian":
            noise = rng.normal(scale=scale(self.epsilon, self.delta), size=runs) / self.participants
        else:
            noise = rng.laplace(scale=noise_scale(self.epsilon, self.participants), size=runs)
        return np.abs(counts / self.participants + noise - self.mean) >= self.error

    def failures(self, rng: np.random.Generator, runs: int) -> int:
        """The number of some runs that fail."""
        return int(np.count_nonzero(self.fails(rng, runs)))


def noise_scale(epsilon: float, participants: int) -> float:
    """The scale 1/(Nε) of the noise: one record changes the mean by at most 1/N."""
    return 1 / (participants * epsilon)
