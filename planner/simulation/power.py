"""Simulation of a test: records are sampled, noise is added, and the test rejects or not."""

import math
from dataclasses import dataclass
from typing import Any

from planner.answer.answers import Plan
from planner.libraries import np
from planner.mechanisms.count_test import threshold_at
from planner.mechanisms.hypotheses import Hypotheses
from planner.simulation.runs import SingleRuns
from planner.wording import plain


@dataclass(frozen=True)
class PowerRuns(SingleRuns):
    """Runs of a test of the alternative, which fail where it does not reject.

    Attributes:
        epsilon: ε [> 0].
        participants: N [≥ 1].
        hypotheses: what is tested, of a share over the null value.
        share: the population share as the study gives it, for the description [[0, 1]].
    """

    epsilon: float
    participants: int
    hypotheses: Hypotheses
    share: float

    @classmethod
    def of(cls, plan: Plan) -> "PowerRuns":
        """The runs of a plan, at the alternative."""
        power = plan.study.power
        assert power is not None  # a test has one
        return cls(plan.epsilon, plan.participants, power.tested, power.alternative)

    @property
    def words(self) -> str:
        """A description of one run, as a sentence."""
        return (
            f"Each run draws {plain(self.participants)} records, each 1 with probability "
            f"{plain(self.share)}, adds geometric noise to their count and tests it; it fails "
            "where the test does not reject."
        )

    def rejects(self, rng: "np.random.Generator", share: float, runs: int) -> Any:
        """Whether the test rejects in each of some runs at a share."""
        sizes = np.array([self.epsilon]), np.array([float(self.participants)])
        level, chance = threshold_at(self.hypotheses, *sizes)
        ends = -math.expm1(-self.epsilon)  # the difference of two of these is the noise
        noise = rng.geometric(ends, runs) - rng.geometric(ends, runs)
        published = rng.binomial(self.participants, share, runs) + noise
        return (published > level) | ((published == level) & (rng.random(runs) < chance))

    def fails(self, rng: "np.random.Generator", runs: int) -> Any:
        """Whether each of some runs fails."""
        return ~self.rejects(rng, float(self.hypotheses.alternative), runs)
