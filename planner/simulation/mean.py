"""Simulation of the noisy mean: records are sampled, then noise (Hsu14 §5.1)."""

import math
from dataclasses import dataclass
from typing import Any

from planner.answer.answers import Plan
from planner.libraries import np
from planner.mechanisms import kinds
from planner.numbers import decimal
from planner.privacy.gaussian import scale
from planner.simulation.runs import SingleRuns
from planner.wording import plain

_NOISES = {"laplace": "Laplace", "geometric": "geometric", "gaussian": "Gaussian"}


def asked_mean(mechanism: Any, mean: float | None, people: int | None = None) -> float:
    """The population mean of the runs; where none is given the one nearest 1/2.

    Of a finite population it is that of a whole number of its people.

    Raises:
        ValueError: it is outside the mechanism's `mean_range`.
    """
    low, high = mechanism.mean_range
    if mean is None:
        mean = float(min(max(0.5, low), high))
    if not low <= mean <= high:
        raise ValueError(
            f"mean = {mean!r} is outside the study's mean_range; "
            f"give a population mean from {plain(low)} to {plain(high)}"
        )
    if people is None:
        return mean
    least, most = math.ceil(decimal(low) * people), math.floor(decimal(high) * people)
    return min(max(round(mean * people), least), most) / people


def refuse_mean(plan: Plan, mean: float | None) -> None:
    """Refuse a mean of two groups."""
    if plan.study.groups == 2 and mean is not None:
        raise ValueError(f"mean = {mean!r} is of one proportion, not a difference; leave it out")


def having(
    rng: "np.random.Generator", participants: int, mean: float, people: int | None, runs: int
) -> Any:
    """How many of those drawn have the property, in each run."""
    if people is None:
        return rng.binomial(participants, mean, runs)
    with_it = round(mean * people)
    return rng.hypergeometric(with_it, people - with_it, participants, runs)


def drawn_words(participants: int, mean: float, people: int | None) -> str:
    """Whom a run draws, for a sentence."""
    if people is None:
        return f"{plain(participants)} records, each 1 with probability {plain(mean)},"
    with_it = round(mean * people)
    return f"{plain(participants)} of {plain(people)} records, of which {plain(with_it)} are 1,"


@dataclass(frozen=True)
class MeanRuns(SingleRuns):
    """Runs of a study that publishes K/N plus noise, with K ~ Binomial(N, μ).

    Attributes:
        epsilon: ε of the noise [> 0].
        participants: N [≥ 1].
        error: T [fraction of 1, (0, 1]].
        mean: the population mean μ [[0, 1]].
        delta: δ [[0, 1)].
        noise: the kind of noise.
        people: M, of whom they are drawn without replacement; None where each is drawn anew.
        groups: 2 where it is the proportion of those counted for a difference of two groups, whose
            proportions then are μ and 1 − μ.
    """

    epsilon: float
    participants: int
    error: float
    mean: float
    delta: float = 0.0
    noise: str = "laplace"
    people: int | None = None
    groups: int = 1

    @classmethod
    def of(cls, plan: Plan, mechanism: Any, mean: float | None) -> "MeanRuns":
        """The runs of a plan; without a mean, at the one nearest 1/2, usually the worst.

        Raises:
            ValueError: the mean is outside the mechanism's `mean_range`, or given for a difference.
        """
        refuse_mean(plan, mean)
        people = plan.study.sampling.sample.population
        mean = asked_mean(mechanism, mean, people)
        error, groups = plan.study.accuracy.error, plan.study.groups
        n = plan.participants - plan.participants % groups
        return cls(plan.epsilon, n, error, mean, plan.delta, kinds.adds(mechanism), people, groups)

    @property
    def words(self) -> str:
        noise = f"{_NOISES[self.noise]} noise" + " on the count" * (self.noise == "geometric")
        if self.groups == 2:
            each = plain(self.participants // 2)
            return (
                f"Each run draws {each} and {each} records, each 1 with probability "
                f"{plain(self.mean)}, and publishes the difference of the two means with {noise}; "
                f"it fails where that is off by {plain(2 * self.error)} or more."
            )
        drawn = drawn_words(self.participants, self.mean, self.people)
        return (
            f"Each run draws {drawn} and publishes "
            f"their mean with {noise}; it fails where that is off by {plain(self.error)} or more."
        )

    def fails(self, rng: "np.random.Generator", runs: int) -> Any:
        counts = having(rng, self.participants, self.mean, self.people, runs)
        if self.noise == "geometric":
            ends = -math.expm1(
                -self.epsilon
            )  # the difference of two of these is two-sided geometric noise
            published = counts + rng.geometric(ends, runs) - rng.geometric(ends, runs)
            mean, error = decimal(self.mean), decimal(self.error)
            high = math.ceil(self.participants * (mean + error))
            low = math.floor(self.participants * (mean - error))
            return (published >= high) | (published <= low)
        return np.abs(counts / self.participants + self._noise(rng, runs) - self.mean) >= self.error

    def off_by(self, rng: "np.random.Generator", runs: int) -> tuple[Any, Any]:
        """By how much each of some samples is off, and the noise on its mean, no count's."""
        counts = having(rng, self.participants, self.mean, self.people, runs)
        return counts / self.participants - self.mean, self._noise(rng, runs)

    def _noise(self, rng: "np.random.Generator", runs: int) -> Any:
        if self.noise == "gaussian":
            return rng.normal(scale=scale(self.epsilon, self.delta), size=runs) / self.participants
        return rng.laplace(scale=noise_scale(self.epsilon, self.participants), size=runs)


def noise_scale(epsilon: float, participants: int) -> float:
    """The scale 1/(Nε) of the noise: one record changes the mean by at most 1/N."""
    return 1 / (participants * epsilon)
