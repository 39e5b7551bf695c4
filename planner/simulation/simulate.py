"""Runs the planned study many times; compares the observed failure rate with the promise."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from planner import checks
from planner.answer.answers import Given, Plan, StrataPlan, TotalPlan
from planner.answer.problem.problem import problem_of
from planner.answer.solve import answer_to
from planner.answer.strata.together import failure_of
from planner.libraries import np, scipy
from planner.mechanisms import (
    AddedNoise,
    GeometricCount,
    LaplaceMean,
    Mechanism,
    Mwem,
    MwemApproximate,
    NoisyCounts,
    RandomizedResponse,
    kinds,
)
from planner.simulation.groups import by_counts
from planner.simulation.mwem import of_queries
from planner.simulation.runs import Runs
from planner.simulation.single import of_count, of_mean, of_reports, of_strata
from planner.simulation.survey import of_survey

CONFIDENCE = 0.95  # the usual level; `_HARDLY_EVER` is stricter, as it accuses a plan
_HARDLY_EVER = 1e-3  # at most one of 1,000 plans that just keep their promise is called broken


@dataclass(frozen=True)
class Simulation:
    """How often the planned study failed.

    Attributes:
        runs: the number of runs [≥ 1].
        failures: how many runs were off by the target's error or more [0 to `runs`].
        rate: failures/runs [[0, 1]].
        low: lower end of the 95 % Clopper-Pearson interval of the failure probability [[0, 1]].
        high: its upper end [[0, 1]].
        promised: the failure probability that the study's target allows [(0, 1)].
        computed: the failure probability of the plan, or its bound [[0, 1]].
        simulated: a description of one run, as a sentence.
        questions: of a survey, how many runs failed in each question, by its name; of strata in
            each stratum, and in the answer for all people where that has an error.
    """

    runs: int
    failures: int
    rate: float
    low: float
    high: float
    promised: float
    computed: float
    simulated: str
    questions: dict[str, int] = field(default_factory=dict)

    @property
    def above(self) -> float:
        """The probability of so many failures or more at the promised probability [[0, 1]]."""
        return _p_value(self.failures, self.runs, self.promised, "greater")

    @property
    def consistent(self) -> float:
        """The probability of counts no more likely than this one at the computed probability.

        By the exact two-sided binomial test [[0, 1]]; a bound gives fewer failures.
        """
        return _p_value(self.failures, self.runs, self.computed, "two-sided")

    @property
    def verdict(self) -> str:
        """Whether the runs are consistent with the promise.

        "broken" if a plan that just keeps it would hardly ever fail so often (`above` below 0.001),
        "kept" if the whole interval lies below it, and "consistent" otherwise, as for exact plans,
        whose failure probability is the promised one.
        """
        if self.above < _HARDLY_EVER:
            return "broken"
        return "kept" if self.high <= self.promised else "consistent"


def _p_value(failures: int, runs: int, probability: float, alternative: str) -> float:
    return float(
        scipy.stats.binomtest(failures, runs, min(probability, 1.0), alternative=alternative).pvalue
    )


def simulate(
    plan: Given,
    runs: int | None = None,
    seed: int = 0,
    mean: float | None = None,
    watch: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> Simulation:
    """Run a planned study many times.

    Args:
        plan: the plan, or the study, which is then solved.
        runs: how often to run it [1 to 10^9]; None is 10,000 for a noisy mean, 100 for MWEM.
        seed: the same seed gives the same runs [whole, ≥ 0].
        mean: for a noisy mean, the population mean [in the mechanism's `mean_range`]; None is the
            one nearest 1/2, usually the worst.
        watch: iterates over the batches of runs, to show progress.

    Raises:
        ValueError: an argument is outside its range, the study has no plan, or it is too large to
            simulate.
    """
    plan = _planned(plan)
    if isinstance(plan, StrataPlan):
        return _of_strata(plan, runs, seed, mean, watch)
    simulated = _runs_of(plan, mean)
    total, (*each, failures) = _counted(simulated, runs, seed, watch)
    promised = (
        plan.study.accuracy.failure
        if isinstance(plan, TotalPlan)
        else float(problem_of(plan.study).goals[0].floor.allowed)
    )
    names = [question.name for question in getattr(plan, "questions", ())]
    return _simulation(
        failures, total, promised, plan.failure or 0.0, simulated.words,
        dict(zip(names, each, strict=True)) if names else {},
    )  # fmt: skip


def _counted(
    simulated: Runs,
    runs: int | None,
    seed: int,
    watch: Callable[[Sequence[int]], Iterable[int]],
) -> tuple[int, list[int]]:
    """How many runs there are, and how many of them fail: in each question, and in any."""
    if runs is None:
        runs = simulated.usual
    checks.whole("runs", runs, 1, 10**9)
    checks.whole("seed", seed, 0)
    rng, counts = np.random.default_rng(seed), []
    for chunk in watch([min(simulated.chunk, runs - k) for k in range(0, runs, simulated.chunk)]):
        failed = simulated.failed(rng, chunk)
        counts.append(np.append(failed.sum(axis=1), failed.any(axis=0).sum()))
    return runs, np.sum(counts, axis=0).tolist()


def _simulation(
    failures: int,
    runs: int,
    promised: float,
    computed: float,
    words: str,
    questions: dict[str, int],
) -> Simulation:
    low, high = interval(failures, runs)
    rate = failures / runs
    return Simulation(runs, failures, rate, low, high, promised, computed, words, questions)


def _of_strata(
    plan: StrataPlan,
    runs: int | None,
    seed: int,
    mean: float | None,
    watch: Callable[[Sequence[int]], Iterable[int]],
) -> Simulation:
    """Runs of all strata: a run fails where the answer of any stratum does.

    Strata are drawn by themselves, and the runs of each are alike: given how many of them fail,
    each set of so many is as likely. So the runs that fail are drawn for each stratum, and those
    are counted in which any fails.
    """
    each = [
        simulate(one, runs, seed=seed * len(plan.strata) + at, mean=mean, watch=watch)
        for at, one in enumerate(plan.strata)
    ]
    rng, failed = np.random.default_rng(seed), np.zeros(each[0].runs, bool)
    for one in each:
        failed[rng.choice(one.runs, one.failures, replace=False)] = True
    failures = int(np.count_nonzero(failed))
    words = f"Each stratum is drawn by itself. {each[0].simulated}"
    names = [stratum.study.title for stratum in plan.strata]
    counts = dict(zip(names, (one.failures for one in each), strict=True))
    return _simulation(failures, len(failed), failure_of(plan.study), plan.failure, words, counts)


def _planned(given: Given) -> Plan | StrataPlan | TotalPlan:
    answer = answer_to(given)
    if not isinstance(answer, Plan | StrataPlan | TotalPlan):
        raise ValueError(f"the study is {answer.verdict}, so there is no plan to simulate")
    return answer


def interval(failures: int, runs: int) -> tuple[float, float]:
    """The Clopper-Pearson interval of a probability, at 95 %."""
    ends = scipy.stats.binomtest(failures, runs).proportion_ci(CONFIDENCE, method="exact")
    return float(ends.low), float(ends.high)


def to_dict(simulation: Simulation) -> dict[str, Any]:
    """The simulation as plain data, in the shape that `planner simulate --json` prints."""
    tests = {"above": simulation.above, "consistent": simulation.consistent}
    return {"verdict": simulation.verdict, **asdict(simulation), **tests}


def _runs_of(plan: Plan | TotalPlan, mean: float | None) -> Runs:
    """What one simulated run of a plan is.

    Raises:
        ValueError: its mechanism cannot be simulated, or has no mean to choose.
    """
    mechanism = plan.study.mechanism
    chosen = mean is not None
    if isinstance(plan, TotalPlan):
        if chosen:
            raise ValueError(f"mean = {mean!r} is not for an answer of strata; leave it out")
        return of_strata(plan)
    if chosen and plan.study.groups == 2:
        raise ValueError(f"mean = {mean!r} is of one proportion, not a difference; leave it out")
    if kinds.adds(mechanism):
        return of_mean(plan, mean)
    if isinstance(mechanism, RandomizedResponse):
        return of_reports(plan, mean)
    if type(mechanism) not in _RUNS:
        known: list[type[Mechanism]] = [LaplaceMean, *_RUNS, RandomizedResponse]
        listed = ", ".join(kind.kind for kind in known)
        raise ValueError(f"{mechanism.kind} cannot be simulated; give a study by {listed}")
    if chosen:
        raise ValueError(f"mean = {mean!r} is not for {mechanism.kind}; leave it out")
    return _RUNS[type(mechanism)](plan)


_RUNS: dict[type[Mechanism], Callable[[Plan], Runs]] = {
    AddedNoise: of_survey,
    NoisyCounts: by_counts,
    GeometricCount: of_count,
    Mwem: of_queries,
    MwemApproximate: of_queries,
}
"""By mechanisms without a mean to choose."""
