"""Noise added to each answer of a survey."""

from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Literal

from planner.checked import dataclass
from planner.libraries import sympy
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.gaussian_mean import GaussianMean
from planner.mechanisms.laplace_mean import LaplaceMean
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.sample import Sample
from planner.numbers import Number

_NOISES = {"best": "the best noise", "laplace": "Laplace noise", "gaussian": "Gaussian noise"}


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
    surveys: ClassVar[bool] = True
    runs: ClassVar = "survey"
    summary: ClassVar[str] = "noise on every answer of a survey of several questions"
    domain: ClassVar[str] = "N ≥ 1, ε > 0; δ > 0 with Gaussian noise"
    monotone: ClassVar[str] = "as its questions; by Hoeffding's bound the floor falls with N"
    convexity: ClassVar[str] = "by Hoeffding's bound and Laplace noise; else not proven"

    noise: Literal["best", "laplace", "gaussian"] = "best"
    analysis: Literal["exact", "hoeffding"] = "exact"

    def given_delta(self, spoken_of: bool) -> Mechanism:
        """Laplace noise is the best where the study does not speak of δ."""
        return self if spoken_of or self.noise != "best" else replace(self, noise="laplace")

    @property
    def alternatives(self) -> tuple[Mechanism, ...]:
        if self.noise != "best":
            return ()
        return replace(self, noise="laplace"), replace(self, noise="gaussian")

    @property
    def uses_delta(self) -> bool:  # type: ignore[override]
        return self.noise == "gaussian"

    @property
    def saw_toothed(self) -> bool:
        return self.analysis == "exact"

    @property
    def sampled(self) -> bool:
        return True

    @property
    def broadcasts(self) -> bool:
        return self.analysis == "hoeffding" and not self.uses_delta

    @property
    def any_values(self) -> bool:
        return self.analysis == "hoeffding"

    @property
    def words(self) -> str:
        return f"{_NOISES[self.noise]} on every answer ({self.analysis})"

    @property
    def composed(self) -> str:
        if self.noise == "gaussian":
            return "Several answers with Gaussian noise, composed exactly."
        return "Several answers, basic composition."

    @property
    def exactly(self) -> "AddedNoise | None":
        return None if self.analysis == "exact" else replace(self, analysis="exact")

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

    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        return self.share.n_epsilon_floor(error, failure, delta)

    def convex(self, failure: float) -> bool:
        return self.share.convex(failure)

    def floor(self, error: Number, failure: Number) -> QuestionFloor:
        return self.share.floor(error, failure)

    def floor_of_sample(self, error: Number, failure: Number, sample: Sample) -> QuestionFloor:
        return self.share.floor_of_sample(error, failure, sample)

    @property
    def variant(self) -> str:
        return self.analysis

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        i, m = sympy.symbols("i m", integer=True, positive=True)
        total = sympy.Sum(sympy.Function("f")(i), (i, 1, m))
        return {"exact": total, "hoeffding": total}
