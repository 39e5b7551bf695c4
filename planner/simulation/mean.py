"""The noisy mean, run many times: the records are drawn, then the noise (Hsu14 §5.1)."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from planner.answer.answers import Plan
from planner.mechanisms import GeometricMean, LaplaceMean
from planner.numbers import decimal
from planner.wording import plain


@dataclass(frozen=True)
class MeanRuns:
    """Studies that publish K/N plus noise, with K ~ Binomial(N, μ).

    Attributes:
        epsilon: ε [> 0].
        participants: N [≥ 1].
        error: T [fraction of 1, (0, 1]].
        mean: the population mean μ [[0, 1]].
        whole: whether the noise is geometric on the count, not Laplace.
    """

    USUAL_RUNS: ClassVar[int] = 10_000
    CHUNK: ClassVar[int] = 100_000

    epsilon: float
    participants: int
    error: float
    mean: float
    whole: bool = False

    @classmethod
    def of(
        cls, plan: Plan, mechanism: LaplaceMean | GeometricMean, mean: float | None
    ) -> "MeanRuns":
        """The runs of a plan; without a mean, at the one nearest 1/2, usually the worst.

        Raises:
            ValueError: the mean is outside the mechanism's `mean_range`.
        """
        low, high = mechanism.mean_range
        if mean is None:
            mean = min(max(0.5, low), high)
        if not low <= mean <= high:
            raise ValueError(
                f"mean = {mean!r} is outside the study's mean_range; "
                f"give a population mean from {plain(low)} to {plain(high)}"
            )
        whole = isinstance(mechanism, GeometricMean)
        return cls(plan.epsilon, plan.participants, plan.study.target.error, mean, whole)

    @property
    def words(self) -> str:
        """What is simulated, as a sentence."""
        noise = "geometric noise on the count" if self.whole else "Laplace noise"
        return (
            f"Each run draws {plain(self.participants)} records, each 1 with probability "
            f"{plain(self.mean)}, and publishes their mean with {noise}; it fails where that "
            f"is off by {plain(self.error)} or more."
        )

    def failures(self, rng: np.random.Generator, runs: int) -> int:
        """How many of some runs fail."""
        counts = rng.binomial(self.participants, self.mean, runs)
        if self.whole:
            ends = 1 - math.exp(-self.epsilon)  # two of these differ by two-sided geometric noise
            published = counts + rng.geometric(ends, runs) - rng.geometric(ends, runs)
            mean, error = decimal(self.mean), decimal(self.error)
            high = math.ceil(self.participants * (mean + error))
            low = math.floor(self.participants * (mean - error))
            return int(np.count_nonzero((published >= high) | (published <= low)))
        noise = rng.laplace(scale=noise_scale(self.epsilon, self.participants), size=runs)
        off = np.abs(counts / self.participants + noise - self.mean)
        return int(np.count_nonzero(off >= self.error))


def noise_scale(epsilon: float, participants: int) -> float:
    """The scale 1/(Nε) of the noise: one record moves the mean by at most 1/N."""
    return 1 / (participants * epsilon)
