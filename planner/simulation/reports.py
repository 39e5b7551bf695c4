"""Simulation of randomised response: people are drawn, and each randomises their own answer."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from planner.answer.answers import Plan
from planner.libraries import np
from planner.numbers import decimal
from planner.simulation.mean import asked_mean, having, refuse_mean
from planner.simulation.runs import SingleRuns
from planner.wording import plain


@dataclass(frozen=True)
class ReportsRuns(SingleRuns):
    """Runs of a study that estimates a proportion from randomised reports.

    Attributes:
        truth: p of the card.
        participants: N [≥ 1].
        error: T [fraction of 1, (0, 1]].
        mean: the proportion μ of the population [[0, 1]].
        people: M, of whom they are drawn without replacement; None where each is drawn anew.
        groups: 2 where it is the proportion of those counted for a difference of two groups, whose
            proportions then are μ and 1 − μ.
    """

    truth: Fraction
    participants: int
    error: float
    mean: float
    people: int | None = None

    @classmethod
    def of(cls, plan: Plan, mechanism: Any, mean: float | None) -> "ReportsRuns":
        """The runs of a plan; without a mean, at the one nearest 1/2, usually the worst.

        Raises:
            ValueError: the mean is outside the mechanism's `mean_range`, or given for a difference.
        """
        refuse_mean(plan, mean)
        assert plan.card is not None  # as nobody holds the records
        people = plan.study.sampling.sample.population
        mean = asked_mean(mechanism, mean, people)
        error = plan.study.accuracy.error
        return cls(plan.card.truth, plan.participants, error, mean, people)

    @property
    def words(self) -> str:
        who = "each with the property with probability " + plain(self.mean)
        if self.people is not None:
            of_them = plain(round(self.mean * self.people))
            who = f"out of {plain(self.people)} of whom {of_them} have the property"
        return (
            f"Each run draws {plain(self.participants)} people, {who}, who report the truth with "
            f"probability {float(self.truth)!r} and else the opposite; it fails where the "
            f"estimated proportion is off by {plain(self.error)} or more."
        )

    def fails(self, rng: "np.random.Generator", runs: int) -> Any:
        n, truth = self.participants, float(self.truth)
        true = having(rng, n, self.mean, self.people, runs)
        reported = rng.binomial(true, truth) + rng.binomial(n - true, 1 - truth)
        strength = 2 * self.truth - 1
        share = 1 - self.truth + decimal(self.mean) * strength
        off = n * decimal(self.error) * strength
        high, low = math.ceil(n * share + off), math.floor(n * share - off)
        return (reported >= high) | (reported <= low)
