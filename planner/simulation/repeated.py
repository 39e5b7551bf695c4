"""Simulation of counts of the participants, and of any repeated mechanism."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from planner.answer.answers import Plan
from planner.libraries import np
from planner.numbers import Array, decimal
from planner.privacy.shares import each
from planner.simulation.mean import MeanRuns
from planner.simulation.runs import Runs, SingleRuns
from planner.wording import plain


@dataclass(frozen=True)
class CountRuns(SingleRuns):
    """Runs of a study that publishes a count of the participants plus geometric noise.

    Attributes:
        epsilon: ε [> 0].
        least: the smallest whole error that counts as a failure [people, ≥ 1].
        participants: N [≥ 1].
    """

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
        """A description of one run, as a sentence."""
        return (
            f"Each run publishes a count of {plain(self.participants)} people with geometric "
            f"noise; it fails where that is off by {plain(self.least)} people or more."
        )

    def fails(self, rng: "np.random.Generator", runs: int) -> Array:
        """Whether each of some runs fails."""
        ends = -math.expm1(
            -self.epsilon
        )  # the difference of two of these is two-sided geometric noise
        return np.abs(rng.geometric(ends, runs) - rng.geometric(ends, runs)) >= self.least


@dataclass(frozen=True)
class RepeatedRuns(Runs):
    """Runs of a study that uses one mechanism for several questions.

    Attributes:
        one: the runs of one question, at its part of ε.
        times: t [≥ 1].
    """

    CHUNK: ClassVar[int] = 10_000  # a tenth of the others', as each run asks several times

    one: MeanRuns | CountRuns
    times: int

    @classmethod
    def of(cls, plan: Plan, mechanism: Any, mean: float | None) -> "RepeatedRuns":
        """The runs of a plan.

        Raises:
            ValueError: the repeated mechanism cannot be simulated.
        """
        share = each(plan.epsilon, mechanism.times, plan.delta, mechanism.rule)
        alone = replace(plan, epsilon=float(share), delta=0.0)
        if mechanism.of.runs == "mean":
            return cls(MeanRuns.of(alone, mechanism.of, mean), mechanism.times)
        if mechanism.of.runs == "count":
            return cls(CountRuns.of(alone), mechanism.times)
        raise ValueError(f"{mechanism.of.kind}, asked several times, cannot be simulated")

    @property
    def words(self) -> str:
        """A description of one run, as a sentence."""
        return (
            f"{self.one.words} This is done {plain(self.times)} times in each run; the run fails "
            "where one of them does."
        )

    def failures(self, rng: "np.random.Generator", runs: int) -> int:
        """The number of some runs that fail."""
        failed = np.zeros(runs, dtype=bool)
        for _ in range(self.times):
            failed |= self.one.fails(rng, runs)
        return int(np.count_nonzero(failed))
