"""Simulation of counts of the participants, and of any repeated mechanism."""

import math
from dataclasses import dataclass

from planner.answer.answers import Plan
from planner.libraries import np
from planner.numbers import Array, decimal
from planner.simulation.runs import SingleRuns
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
        return (
            f"Each run publishes a count of {plain(self.participants)} people with geometric "
            f"noise; it fails where that is off by {plain(self.least)} people or more."
        )

    def fails(self, rng: "np.random.Generator", runs: int) -> Array:
        ends = -math.expm1(
            -self.epsilon
        )  # the difference of two of these is two-sided geometric noise
        return np.abs(rng.geometric(ends, runs) - rng.geometric(ends, runs)) >= self.least
