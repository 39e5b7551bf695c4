"""Simulation of a test: records are sampled, noise is added, and the test rejects or not."""

import math
from dataclasses import dataclass
from typing import Any

from planner.answer.answers import Plan
from planner.libraries import np
from planner.mechanisms.hypotheses import Hypotheses, Shares
from planner.mechanisms.threshold import threshold_at
from planner.simulation.runs import SingleRuns
from planner.wording import plain


@dataclass(frozen=True)
class PowerRuns(SingleRuns):
    """Runs of a test of the alternative, which fail where it does not reject.

    Attributes:
        epsilon: ε [> 0].
        participants: N [≥ 1].
        hypotheses: what is tested.
        alternative: the proportions as the study gives them, for the description.
    """

    epsilon: float
    participants: int
    hypotheses: Hypotheses
    alternative: str

    @classmethod
    def of(cls, plan: Plan) -> "PowerRuns":
        """The runs of a plan, at the alternative."""
        power = plan.study.power
        assert power is not None  # a test has one
        return cls(plan.epsilon, plan.participants, power.tested, power.at)

    @property
    def words(self) -> str:
        """A description of one run, as a sentence."""
        records, of = plain(self.participants), "their count"
        if self.hypotheses.groups == 2:
            each = plain(self.participants // 2)
            records, of = f"{each} and {each}", "the difference of the counts of two groups"
        return (
            f"Each run draws {records} records, 1 with probability {self.alternative}, adds "
            f"geometric noise to {of} and tests it; it fails where the test does not reject."
        )

    def rejects(self, rng: "np.random.Generator", shares: Shares, runs: int) -> Any:
        """Whether the test rejects in each of some runs at some probabilities to be counted."""
        people = self.hypotheses.counted(self.participants)
        sizes = np.array([self.epsilon]), np.array([float(people)])
        level, chance = threshold_at(self.hypotheses, *sizes)
        ends = -math.expm1(-self.epsilon)  # the difference of two of these is the noise
        noise = rng.geometric(ends, runs) - rng.geometric(ends, runs)
        halves = people // 2, people - people // 2
        published = noise + sum(
            rng.binomial(size, float(share), runs)
            for size, share in zip(halves, shares, strict=True)
        )
        return (published > level) | ((published == level) & (rng.random(runs) < chance))

    def fails(self, rng: "np.random.Generator", runs: int) -> Any:
        """Whether each of some runs fails."""
        return ~self.rejects(rng, self.hypotheses.alternative, runs)
