"""Simulation of a test: records are sampled, noise is added, and the test rejects or not."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from planner.answer.answers import Plan
from planner.libraries import np
from planner.mechanisms.hypotheses import Hypotheses, Shares
from planner.mechanisms.threshold import SURE, threshold_at
from planner.simulation.runs import SingleRuns
from planner.wording import plain


@dataclass(frozen=True)
class PowerRuns(SingleRuns):
    """Runs of a test of the alternative, which fail where it does not reject.

    Attributes:
        epsilon: ε of the noise [> 0]; None where people randomise their answers.
        participants: N [≥ 1].
        hypotheses: what is tested.
        alternative: the proportions as the study gives them, for the description.
        truth: with which probability a report is true; None where a curator holds the records.
    """

    epsilon: float | None
    participants: int
    hypotheses: Hypotheses
    alternative: str
    truth: Fraction | None = None

    @classmethod
    def of(cls, plan: Plan) -> "PowerRuns":
        """The runs of a plan, at the alternative."""
        power = plan.study.power
        assert power is not None  # a test has one
        if plan.card is not None:
            return cls(None, plan.participants, power.tested, power.at, plan.card.truth)
        return cls(plan.epsilon, plan.participants, power.tested, power.at)

    @property
    def words(self) -> str:
        records, of = plain(self.participants), "their count"
        if self.hypotheses.groups == 2:
            each = plain(self.participants // 2)
            records, of = f"{each} and {each}", "the difference of the counts of two groups"
        if self.truth is not None:
            return (
                f"Each run draws {records} people, each with the property with probability "
                f"{self.alternative}, who report the truth with probability {float(self.truth)!r} "
                "and else the opposite, and tests the number of reports; it fails where the test "
                "does not reject."
            )
        return (
            f"Each run draws {records} records, 1 with probability {self.alternative}, adds "
            f"geometric noise to {of} and tests it; it fails where the test does not reject."
        )

    def rejects(self, rng: "np.random.Generator", shares: Shares, runs: int) -> Any:
        """Whether the test rejects in each of some runs at some probabilities to be counted."""
        people, tested, rate = self.hypotheses.counted(self.participants), self.hypotheses, SURE
        halves = people // 2, people - people // 2
        published: Any = np.zeros(runs, int)
        for size, share in zip(halves, shares, strict=True):
            counted = rng.binomial(size, float(share), runs)
            if self.truth is not None:
                true = rng.binomial(counted, float(self.truth))
                counted = true + rng.binomial(size - counted, float(1 - self.truth))
            published = published + counted
        if self.epsilon is not None:
            rate = self.epsilon
            ends = -math.expm1(-rate)  # the difference of two of these is the noise
            published = published + rng.geometric(ends, runs) - rng.geometric(ends, runs)
        if self.truth is not None:
            tested = tested.reported(self.truth)
        level, chance = threshold_at(tested, np.array([rate]), np.array([float(people)]))
        return (published > level) | ((published == level) & (rng.random(runs) < chance))

    def fails(self, rng: "np.random.Generator", runs: int) -> Any:
        return ~self.rejects(rng, self.hypotheses.alternative, runs)
