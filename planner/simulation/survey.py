"""Simulation of a survey: every question in each run, at the means that make it hardest.

Counts of the participants are simulated here too.

So is one answer for all people, which is off as the samples of the strata are.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from planner.answer.answers import Plan, TotalPlan
from planner.answer.question_plan import QuestionPlan
from planner.libraries import np
from planner.model.by_group import ShareByGroup
from planner.model.questions import Histogram, Quantile, Question
from planner.model.strata import study_of_stratum
from planner.numbers import Array, decimal
from planner.simulation.mean import MeanRuns, asked_mean
from planner.simulation.runs import Runs, SingleRuns
from planner.wording import plain

_MOST_CANDIDATES = 1_000
"""Quantiles among more candidates are drawn among these: the others change little, as ranks are
0.001 apart already, and every run needs memory for each."""


_OF_GROUPS = (
    " As many reported groups as can have the least planned proportion, and one half of yes in "
    "each; the others are one group, or in the last of them."
)


@dataclass(frozen=True)
class SurveyRuns(Runs):
    """Runs of a survey as planned.

    Attributes:
        questions: each question with what the plan gives it.
        participants: N [≥ 1].
        people: M, of whom they are drawn without replacement; None where each is drawn anew.
        groups: 2 where the answers of two groups of equal size are compared, else 1.
    """

    CHUNK: ClassVar[int] = 1_000  # arrays of up to `_MOST_CANDIDATES` numbers a run: 8 MB each

    questions: tuple[tuple[Question, QuestionPlan], ...]
    participants: int
    people: int | None = None

    @classmethod
    def of(cls, plan: Plan) -> "SurveyRuns":
        """The runs of a plan.

        Raises:
            ValueError: a question is answered by a mechanism that cannot be simulated.
        """
        assert plan.study.survey is not None  # its mechanism answers surveys
        asked = plan.study.survey.published
        questions = tuple(zip(asked, plan.questions, strict=True))
        return cls(questions, plan.participants, plan.study.sampling.sample.population)

    @property
    def words(self) -> str:
        how = "answers every question with its noise"
        of_them = f" of {plain(self.people)}" if self.people else ""
        return (
            f"Each run draws {plain(self.participants)} people{of_them}, {how}, and fails where "
            "one of them is off by its error or more; proportions have mean 1/2, histograms two "
            "groups of one half, means of numbers half of the records at either end."
            f"{_OF_GROUPS * any(isinstance(q, ShareByGroup) for q, _ in self.questions)}"
        )

    def failures(self, rng: "np.random.Generator", runs: int) -> Array:
        """How many of some runs fail: in each question, and in any of them (the last number)."""
        failed = np.array([self._fails(rng, runs, *question) for question in self.questions])
        return np.append(failed.sum(axis=1), np.any(failed, axis=0).sum())

    def _fails(
        self, rng: "np.random.Generator", runs: int, question: Question, share: QuestionPlan
    ) -> Array:
        """Whether one question, or one of those alike, fails in each of some runs."""
        failed = np.zeros(runs, dtype=bool)
        for _ in range(question.times):
            failed |= self._once(rng, runs, question, share)
        return failed

    def _once(
        self, rng: "np.random.Generator", runs: int, question: Question, share: QuestionPlan
    ) -> Array:
        n = self.participants
        if isinstance(question, Quantile):
            return _quantile_fails(rng, runs, n, self.people, question, share)
        if isinstance(question, ShareByGroup):
            return _group_fails(rng, runs, n, self.people, question, share)
        if self.people:
            counts, shares = _drawn(rng, runs, n, self.people)
            if not isinstance(question, Histogram):
                counts, shares = counts[:, :1], shares[:1]
        elif isinstance(question, Histogram):
            shares = np.zeros(question.numbers)
            shares[:2] = 0.5
            counts = rng.multinomial(n, shares, runs)
        else:
            shares = np.array([0.5])
            counts = rng.binomial(n, 0.5, (runs, 1))
        assert share.scale is not None  # only a quantile adds no noise
        scale = share.scale / question.unit
        noise = _noise(rng, share.noise, scale, counts.shape, n)
        off = np.abs((counts - n * shares) / n + noise)
        # a part in 10^12 for the rounding of floats, towards failures
        return np.asarray(np.any(off >= question.fraction * (1 - 1e-12), axis=1))


def _drawn(rng: "np.random.Generator", runs: int, n: int, people: int) -> tuple[Array, Array]:
    half = people // 2
    first = rng.hypergeometric(half, people - half, n, runs)
    return np.stack([first, n - first], axis=1), np.array([half, people - half]) / people


def _noise(
    rng: "np.random.Generator", kind: str, scale: float, shape: tuple[int, ...], n: int
) -> Array:
    if kind == "gaussian":
        return rng.normal(scale=scale, size=shape)
    if kind == "geometric":
        ends = -math.expm1(-1 / (n * scale))
        return (rng.geometric(ends, shape) - rng.geometric(ends, shape)) / n
    return rng.laplace(scale=scale, size=shape)


def _group_fails(
    rng: "np.random.Generator",
    runs: int,
    n: int,
    people: int | None,
    question: ShareByGroup,
    share: QuestionPlan,
) -> Array:
    """Whether the proportion in some group that is large enough is off, in each of some runs."""
    least, groups = question.share_at_least, question.group_count
    large = min(groups, math.floor(1 / decimal(least)))
    shares = np.zeros(groups)
    shares[:large] = least
    shares[min(large, groups - 1)] += 1 - least * large
    cells = np.repeat(shares / 2, 2)
    if people:
        whole = np.rint(np.cumsum(cells) * people).astype(np.int64)
        of_all = np.diff(whole, prepend=0)  # whole people; their shares are the true ones
        counts = rng.multivariate_hypergeometric(of_all, n, runs, method="marginals")
        cells = of_all / people
    else:
        counts = rng.multinomial(n, cells / cells.sum(), runs)
    assert share.scale is not None  # noise is added to counts
    noisy = counts / n + _noise(rng, share.noise, share.scale, counts.shape, n)
    yes, size = noisy[:, ::2], noisy[:, ::2] + noisy[:, 1::2]
    of_groups = cells[::2] + cells[1::2]
    # a part in 10^12 for the rounding of floats, towards failures
    large_enough = of_groups >= least * (1 - 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        published = np.clip(yes / size, 0.0, 1.0)
        off = np.abs(published - cells[::2] / of_groups) >= question.error * (1 - 1e-12)
    return np.asarray(np.any((off | (size <= 0)) & large_enough, axis=1))


def _quantile_fails(
    rng: "np.random.Generator",
    runs: int,
    n: int,
    people: int | None,
    question: Quantile,
    share: QuestionPlan,
) -> Array:
    k = min(question.candidate_count, _MOST_CANDIDATES)
    ranks = np.arange(k + 1) / k
    if people:
        ranks = np.floor(people * ranks) / people
        of_each = np.diff((people * ranks + 0.5).astype(int))
        counts = rng.multivariate_hypergeometric(of_each, n, runs, method="marginals")
    else:
        counts = rng.multinomial(n, np.full(k, 1 / k), runs)
    sums = np.concatenate([np.zeros((runs, 1)), np.cumsum(counts, axis=1)], axis=1)
    below, upto = sums[:, :-1], sums[:, 1:]
    utility = -np.maximum(0, np.maximum(below - n * question.at, n * question.at - upto))
    assert share.epsilon is not None  # a quantile is drawn with an ε of its own
    drawn = np.argmax(share.epsilon * utility / 2 + rng.gumbel(size=utility.shape), axis=1)
    off = np.maximum(0, np.maximum(ranks[:-1] - question.at, question.at - ranks[1:]))
    return np.asarray(off[drawn] >= question.error * (1 - 1e-12))


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
