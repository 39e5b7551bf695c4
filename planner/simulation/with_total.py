"""Simulation of an answer for all people, with answers of the strata or without.

It is off as the samples of the strata are.
"""

import math
from dataclasses import dataclass
from typing import Any, Self

from planner.answer.answers import StrataPlan, TotalPlan
from planner.libraries import np
from planner.model.strata import study_of_stratum, weights
from planner.simulation.mean import MeanRuns, asked_mean
from planner.simulation.runs import Runs
from planner.wording import plain


@dataclass(frozen=True)
class WithTotalRuns(Runs):
    """Runs of all strata, of which the answer for all people is the weighted sum.

    Attributes:
        strata: the runs of each.
        weights: the proportion of all people who belong to each; of two groups that are compared
            1 and −1.
        error: T of the answer for all people, as a part of the range.
        scale: of one noise on the sum of the samples, likewise; None where the noisy answers of the
            strata are added up.
    """

    strata: tuple[MeanRuns, ...]
    weights: tuple[float, ...]
    error: float
    scale: float | None

    @classmethod
    def of(cls, plan: StrataPlan, strata: tuple[MeanRuns, ...]) -> Self:
        """The runs of a plan whose answer for all people has an error.

        Args:
            plan: the plan.
            strata: the runs of each stratum.
        """
        low, high = plan.study.target.values or (0.0, 1.0)
        shares = tuple(float(weight) for weight in weights(plan.study))
        scale = None if plan.total_scale is None else plan.total_scale / (high - low)
        return cls(strata, shares, plan.study.accuracy.error, scale)

    @classmethod
    def of_total(cls, plan: TotalPlan) -> Self:
        """The runs of a plan for all people alone; each stratum has half of its people with yes."""
        low, high = plan.study.target.values or (0.0, 1.0)
        runs = []
        for share, stratum in zip(plan.strata, plan.study.strata, strict=True):
            one = study_of_stratum(plan.study, stratum, plan.study.accuracy.failure)
            n, people = share.participants, one.sampling.sample.population
            mean = asked_mean(plan.study.mechanism, None, people)
            own = 1.0 if share.scale is None else (high - low) / (n * share.scale)
            runs.append(MeanRuns(own, n, math.inf, mean, people=people))
        shares = tuple(share.weight for share in plan.strata)
        scale = None if plan.scale is None else plan.scale / (high - low)
        return cls(tuple(runs), shares, plan.study.accuracy.error, scale)

    @property
    def compared(self) -> bool:
        """Whether the answer is the difference of two groups."""
        return any(weight < 0 for weight in self.weights)

    @property
    def words(self) -> str:
        """A description of one run, as a sentence."""
        if self.compared:
            return (
                "Each group is drawn by itself. The answer is the difference of their means, with "
                f"one noise. It fails where that is off by {plain(self.error)} or more."
            )
        noise = "their noisy means" if self.scale is None else "their means, with one noise more"
        whole = (
            f"Each stratum is drawn by itself. The answer for all people is the weighted sum of "
            f"{noise}."
        )
        if math.isinf(self.strata[0].error):
            return f"{whole} It fails where that is off by {plain(self.error)} or more."
        return f"{whole} {self.strata[0].words}"

    def failures(self, rng: "np.random.Generator", runs: int) -> Any:
        """The number of runs that fail in each stratum, in the answer for all, and in any."""
        whole, failed, counts = np.zeros(runs), np.zeros(runs, bool), []
        for one, weight in zip(self.strata, self.weights, strict=True):
            of_sample, noise = one.off_by(rng, runs)
            fails = np.abs(of_sample + noise) >= one.error
            whole += weight * (of_sample if self.scale is not None else of_sample + noise)
            failed |= fails
            counts.append(int(np.count_nonzero(fails)))
        if self.scale is not None:
            whole += rng.laplace(scale=self.scale, size=runs)
        of_all = np.abs(whole) >= self.error
        failed |= of_all
        return [*counts, int(np.count_nonzero(of_all)), int(np.count_nonzero(failed))]
