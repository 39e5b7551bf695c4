"""Simulation of one answer for all people, which is off as the samples of the strata are."""

import math
from dataclasses import dataclass
from typing import Any, Self

from planner.answer.answers import TotalPlan
from planner.libraries import np
from planner.model.strata import study_of_stratum
from planner.simulation.mean import MeanRuns, asked_mean
from planner.simulation.runs import Runs
from planner.wording import plain


@dataclass(frozen=True)
class WithTotalRuns(Runs):
    """Runs of all strata, of which the answer for all people is the weighted sum with one noise.

    Attributes:
        strata: the runs of each.
        weights: the proportion of all people who belong to each.
        error: T of the answer for all people, as a part of the range.
        scale: of one noise on the sum of the samples, likewise.
    """

    strata: tuple[MeanRuns, ...]
    weights: tuple[float, ...]
    error: float
    scale: float

    @classmethod
    def of(cls, plan: TotalPlan) -> Self:
        """The runs of a plan; each stratum has half of its people with yes."""
        low, high = plan.study.target.values or (0.0, 1.0)
        runs = []
        for share, stratum in zip(plan.strata, plan.study.strata, strict=True):
            one = study_of_stratum(plan.study, stratum, plan.study.accuracy.failure)
            n, people = share.participants, one.sampling.sample.population
            mean = asked_mean(plan.study.mechanism, None, people)
            runs.append(MeanRuns(1.0, n, math.inf, mean, people=people))
        shares = tuple(share.weight for share in plan.strata)
        return cls(tuple(runs), shares, plan.study.accuracy.error, plan.scale / (high - low))

    @property
    def words(self) -> str:
        return (
            "Each stratum is drawn by itself. The answer for all people is the weighted sum of "
            "their means, with one noise more. It fails where that is off by "
            f"{plain(self.error)} or more."
        )

    def failures(self, rng: "np.random.Generator", runs: int) -> Any:
        whole = rng.laplace(scale=self.scale, size=runs)
        for one, weight in zip(self.strata, self.weights, strict=True):
            whole += weight * one.off_by(rng, runs)[0]
        return [int(np.count_nonzero(np.abs(whole) >= self.error))]
