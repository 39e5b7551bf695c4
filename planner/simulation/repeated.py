"""Many questions at once: counts of the participants, and any mechanism that is repeated."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from planner.answer.answers import Plan
from planner.numbers import Array, decimal
from planner.privacy.shares import each
from planner.simulation.mean import MeanRuns
from planner.wording import plain


@dataclass(frozen=True)
class CountRuns:
    """Studies that publish a count of the participants themselves, plus geometric noise.

    Attributes:
        epsilon: ε [> 0].
        least: the least whole error that counts as a failure [people, ≥ 1].
        participants: N [≥ 1].
    """

    USUAL_RUNS: ClassVar[int] = 10_000
    CHUNK: ClassVar[int] = 100_000

    epsilon: float
    least: int
    participants: int

    @classmethod
    def of(cls, plan: Plan) -> "CountRuns":
        """The runs of a plan."""
        least = math.ceil(plan.participants * decimal(plan.study.accuracy.error))
        return cls(plan.epsilon, least, plan.participants)

    @property
    def words(self) -> str:
        """What is simulated, as a sentence."""
        return (
            f"Each run publishes a count of {plain(self.participants)} people with geometric "
            f"noise; it fails where that is off by {plain(self.least)} people or more."
        )

    def fails(self, rng: np.random.Generator, runs: int) -> Array:
        """Which of some runs fail."""
        ends = -math.expm1(-self.epsilon)  # two of these differ by two-sided geometric noise
        return np.abs(rng.geometric(ends, runs) - rng.geometric(ends, runs)) >= self.least

    def failures(self, rng: np.random.Generator, runs: int) -> int:
        """How many of some runs fail."""
        return int(np.count_nonzero(self.fails(rng, runs)))


@dataclass(frozen=True)
class RepeatedRuns:
    """Studies that ask one mechanism several times, each question of its own.

    Attributes:
        one: the runs of one question, at its share of ε.
        times: t [≥ 1].
    """

    USUAL_RUNS: ClassVar[int] = 10_000
    CHUNK: ClassVar[int] = 10_000

    one: MeanRuns | CountRuns
    times: int

    @classmethod
    def of(cls, plan: Plan, mechanism: Any, mean: float | None) -> "RepeatedRuns":
        """The runs of a plan.

        Raises:
            ValueError: what is repeated cannot be simulated.
        """
        share = each(plan.epsilon, mechanism.times, plan.delta, mechanism.composition)
        alone = replace(plan, epsilon=float(share), delta=0.0)
        if mechanism.of.runs == "mean":
            return cls(MeanRuns.of(alone, mechanism.of, mean), mechanism.times)
        if mechanism.of.runs == "count":
            return cls(CountRuns.of(alone), mechanism.times)
        raise ValueError(f"{mechanism.of.kind}, asked several times, cannot be simulated")

    @property
    def words(self) -> str:
        """What is simulated, as a sentence."""
        return (
            f"{self.one.words} This is done {plain(self.times)} times in each run; the run fails "
            "where one of them does."
        )

    def failures(self, rng: np.random.Generator, runs: int) -> int:
        """How many of some runs fail."""
        failed = np.zeros(runs, dtype=bool)
        for _ in range(self.times):
            failed |= self.one.fails(rng, runs)
        return int(np.count_nonzero(failed))
