"""Noise added to each answer of a survey: which kind, and how its privacy losses are composed."""

from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Literal, Self

from pydantic import model_validator

from planner.checked import dataclass
from planner.libraries import sympy
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.gaussian_mean import GaussianMean
from planner.mechanisms.geometric_mean import GeometricMean
from planner.mechanisms.laplace_mean import LaplaceMean
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.sample import Sample
from planner.numbers import Number
from planner.privacy.trade_off import GaussianTradeOff, TradeOff


@dataclass
class AddedNoise(Mechanism):
    """Answers every question of a survey with noise of its own; one proportion like its mean.

    Quantiles have no noise to add: the exponential mechanism draws a candidate.

    Attributes:
        noise: "laplace", "geometric" (proportions and histograms only), "gaussian" (needs δ; beside
            drawn candidates, whose ε is added), or "best": Laplace noise and, where the study
            speaks of δ, Gaussian noise too. Geometric noise needs a little more ε than Laplace
            noise at the worst mean.
        analysis: "exact", the true failure probability of proportions and histograms, or
            "hoeffding". Means of numbers, quantiles and proportions in reported groups have bounds
            only.
        composition: of pure noise: "basic" adds ε up, "optimal" uses δ (Kairouz, Oh and Viswanath
            2015; Murtagh and Vadhan 2016). None is optimal where the study speaks of δ, else basic.
    """

    kind: ClassVar[str] = "added-noise"
    surveys: ClassVar[bool] = True
    runs: ClassVar = "survey"
    summary: ClassVar[str] = "noise on every answer of a survey of several questions"
    domain: ClassVar[str] = "N ≥ 1, ε > 0; δ > 0 with Gaussian noise or optimal composition"
    monotone: ClassVar[str] = "as its questions; by Hoeffding's bound the floor falls with N"
    convexity: ClassVar[str] = "by Hoeffding's bound and basic composition; else not proven"

    noise: Literal["best", "laplace", "geometric", "gaussian"] = "best"
    analysis: Literal["exact", "hoeffding"] = "exact"
    composition: Literal["basic", "optimal"] | None = None

    @model_validator(mode="after")
    def _possible(self) -> Self:
        """Refuse what no noise has."""
        if self.noise == "geometric" and self.analysis == "hoeffding":
            raise ValueError(
                'geometric noise has an exact analysis only; give analysis = "exact" or '
                'noise = "laplace"'
            )
        if self.noise == "gaussian" and self.composition is not None:
            raise ValueError(
                f"composition = {self.composition!r} is of pure noise; leave it out with "
                "gaussian noise"
            )
        return self

    def given_delta(self, spoken_of: bool) -> Mechanism:
        """With "optimal" or "basic" composition as the study speaks of δ or not.

        With basic composition the best noise is Laplace noise.
        """
        if self.noise == "gaussian":
            return self
        composition = self.composition or ("optimal" if spoken_of else "basic")
        only = self.noise == "best" and composition != "optimal"
        return replace(self, noise="laplace" if only else self.noise, composition=composition)

    @property
    def alternatives(self) -> tuple[Mechanism, ...]:
        """The kinds of noise among which the best one is chosen."""
        if self.noise != "best":
            return ()
        return replace(self, noise="laplace"), AddedNoise("gaussian", self.analysis)

    @property
    def uses_delta(self) -> bool:  # type: ignore[override]
        """With Gaussian noise, or where δ is used to compose."""
        return self.noise == "gaussian" or self.composition == "optimal"

    @property
    def trade_off(self) -> TradeOff:  # type: ignore[override]
        """Of Gaussian noise its own: all answers together are one."""
        return GaussianTradeOff() if self.noise == "gaussian" else TradeOff()

    @property
    def saw_toothed(self) -> bool:
        """Where it is exact."""
        return self.analysis == "exact"

    @property
    def sampled(self) -> bool:
        """Yes."""
        return True

    @property
    def broadcasts(self) -> bool:
        """By Hoeffding's bound, where losses add up."""
        return self.analysis == "hoeffding" and not self.uses_delta

    @property
    def any_values(self) -> bool:
        """By Hoeffding's bound."""
        return self.analysis == "hoeffding"

    @property
    def words(self) -> str:
        """The noise and how it is composed."""
        names = {"best": "the best noise", "laplace": "Laplace noise"}
        noise = names.get(self.noise, f"{self.noise.capitalize()} noise").replace("Geom", "geom")
        optimal = ", optimal composition" if self.composition == "optimal" else ""
        return f"{noise} on every answer ({self.analysis}{optimal})"

    @property
    def composed(self) -> str:
        """How the answers' losses add up."""
        if self.noise == "gaussian":
            return "Several answers with Gaussian noise, composed exactly."
        return f"Several answers, {self.composition or 'basic'} composition."

    @property
    def exactly(self) -> "AddedNoise | None":
        """The exact analysis, in place of a bound."""
        return None if self.analysis == "exact" else replace(self, analysis="exact")

    @cached_property
    def share(self) -> Mechanism:
        """What answers one proportion."""
        if self.noise == "geometric":
            return GeometricMean()
        if self.noise == "gaussian":
            return GaussianMean()
        return LaplaceMean(analysis=self.analysis)

    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """That of one proportion."""
        return self.share.failure_probability(epsilon, participants, error, delta)

    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """That of one proportion."""
        return self.share.epsilon_floor(participants, error, failure, delta)

    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """That of one proportion."""
        return self.share.n_epsilon_floor(error, failure, delta)

    def convex(self, failure: float) -> bool:
        """As for one proportion."""
        return self.share.convex(failure)

    def floor(self, error: Number, failure: Number) -> QuestionFloor:
        """That of one proportion."""
        return self.share.floor(error, failure)

    def floor_of_sample(self, error: Number, failure: Number, sample: Sample) -> QuestionFloor:
        """That of one proportion."""
        return self.share.floor_of_sample(error, failure, sample)

    @property
    def variant(self) -> str:
        """The analysis."""
        return self.analysis

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        """The union bound over its questions."""
        i, m = sympy.symbols("i m", integer=True, positive=True)
        total = sympy.Sum(sympy.Function("f")(i), (i, 1, m))
        return {"exact": total, "hoeffding": total}
