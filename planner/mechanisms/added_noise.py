"""Noise added to each answer of a survey."""

from functools import cached_property
from typing import ClassVar, Literal

from planner.checked import dataclass
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.gaussian_mean import GaussianMean
from planner.mechanisms.laplace_mean import LaplaceMean
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.sample import SIMPLE, Sample
from planner.numbers import Number


@dataclass
class AddedNoise(Mechanism):
    """Answers every question of a survey with noise of its own; one proportion like its mean.

    Quantiles have no noise to add: the exponential mechanism draws a candidate.

    Attributes:
        noise: "laplace", "gaussian" (needs δ; beside drawn candidates, whose ε is added), or
            "best": Laplace noise and, where the study speaks of δ, Gaussian noise too.
        analysis: "exact", the true failure probability of proportions and histograms, or
            "hoeffding". Means of numbers, quantiles and proportions in reported groups have bounds
            only.
    """

    kind: ClassVar[str] = "added-noise"

    noise: Literal["best", "laplace", "gaussian"] = "best"
    analysis: Literal["exact", "hoeffding"] = "exact"

    @property
    def uses_delta(self) -> bool:  # type: ignore[override]
        return self.noise == "gaussian"

    @cached_property
    def share(self) -> Mechanism:
        if self.noise == "gaussian":
            return GaussianMean()
        return LaplaceMean(analysis=self.analysis)

    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        return self.share.failure_probability(epsilon, participants, error, delta)

    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        return self.share.epsilon_floor(participants, error, failure, delta)

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        return self.share.n_epsilon_floor(error, failure, delta, participants)

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        return self.share.floor(error, failure, sample)
