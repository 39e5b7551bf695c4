"""Runs of a survey: every question in each run, at the means that make it hardest."""

import math
from typing import TYPE_CHECKING

from planner.answer.answers import Plan
from planner.answer.question_plan import QuestionPlan
from planner.libraries import np
from planner.model.by_group import ShareByGroup
from planner.model.questions import Histogram, Quantile, Question
from planner.numbers import Array, decimal
from planner.simulation.runs import Runs, drawn, noise, reaches, spread
from planner.wording import persons, plain

if TYPE_CHECKING:
    from numpy.random import Generator

_MOST_CANDIDATES = 1_000
"""Quantiles among more candidates are drawn among these: the others change little, as ranks are
0.001 apart already, and every run needs memory for each."""
_CHUNK = 1_000  # arrays of up to so many candidates a run: 8 MB each
_ROUNDING = 1e-12  # of a planned proportion of a group
_OF_GROUPS = (
    " As many reported groups as can have the least planned proportion, and one half of yes in "
    "each; the others are one group, or in the last of them."
)


def of_survey(plan: Plan) -> Runs:
    """Runs of a survey; each question's failures are told by themselves."""
    assert plan.study.survey is not None  # its mechanism answers surveys
    asked = plan.study.survey.published
    n, people = plan.participants, plan.study.sampling.sample.population
    questions = tuple(zip(asked, plan.questions, strict=True))
    of_them = f" of {plain(people)}" if people else ""
    words = (
        f"Each run draws {persons(n)}{of_them}, answers every question with its noise, and "
        "fails where one of them is off by its error or more; proportions have mean 1/2, "
        "histograms two groups of one half, means of numbers half of the records at either end, or "
        "as far from the middle as they are known to deviate."
        f"{_OF_GROUPS * any(isinstance(question, ShareByGroup) for question in asked)}"
    )

    def failed(rng: "Generator", runs: int) -> Array:
        return np.array(
            [
                np.any([_once(rng, q, share, n, people, runs) for _ in range(q.times)], axis=0)
                for q, share in questions
            ]
        )

    return Runs(words, failed, chunk=_CHUNK)


def _once(
    rng: "Generator", question: Question, share: QuestionPlan, n: int, people: int | None, runs: int
) -> Array:
    """Whether a question, or one of those alike, fails in each of some runs."""
    if isinstance(question, Quantile):
        return _quantile(rng, question, share, n, people, runs)
    if isinstance(question, ShareByGroup):
        return _by_group(rng, question, share, n, people, runs)
    kinds = question.numbers if isinstance(question, Histogram) else 2
    counts, true = drawn(rng, n, [0.5, 0.5] + [0.0] * (kinds - 2), people, runs)
    if not isinstance(question, Histogram):
        counts, true = counts[:, :1], true[:1]
    assert share.scale is not None  # only a quantile adds no noise
    away = (counts - n * true) * spread(getattr(question, "deviation", None), 0.5)
    off = away + noise(rng, share.noise, n * share.scale / question.unit, counts.shape)
    return np.asarray(np.any(reaches(off, n * question.fraction), axis=1))


def _by_group(
    rng: "Generator",
    question: ShareByGroup,
    share: QuestionPlan,
    n: int,
    people: int | None,
    runs: int,
) -> Array:
    """Whether the proportion in some group that is large enough is off, in each of some runs."""
    least, groups = question.share_at_least, question.group_count
    large = min(groups, math.floor(1 / decimal(least)))
    sizes = np.zeros(groups)
    sizes[:large] = least
    sizes[min(large, groups - 1)] += 1 - least * large
    counts, cells = drawn(rng, n, np.repeat(sizes / 2, 2), people, runs)
    assert share.scale is not None  # noise is added to counts
    noisy = counts + noise(rng, share.noise, n * share.scale, counts.shape)
    yes, size = noisy[:, ::2], noisy[:, ::2] + noisy[:, 1::2]
    of_groups = cells[::2] + cells[1::2]
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.clip(yes / size, 0.0, 1.0) - cells[::2] / of_groups
    large_enough = of_groups >= least * (1 - _ROUNDING)
    wrong = reaches(off, question.error) | (size <= 0)
    return np.asarray(np.any(wrong & large_enough, axis=1))


def _quantile(
    rng: "Generator", question: Quantile, share: QuestionPlan, n: int, people: int | None, runs: int
) -> Array:
    """Whether a quantile is off in rank, where every candidate is as common."""
    k = min(question.candidate_count, _MOST_CANDIDATES)
    counts, common = drawn(rng, n, np.full(k, 1 / k), people, runs)
    ranks = np.concatenate([[0.0], np.cumsum(common)])
    sums = np.concatenate([np.zeros((runs, 1)), np.cumsum(counts, axis=1)], axis=1)
    utility = -_outside(sums[:, :-1], sums[:, 1:], n * question.at)
    assert share.epsilon is not None  # a quantile is drawn with an ε of its own
    chosen = np.argmax(share.epsilon * utility / 2 + rng.gumbel(size=utility.shape), axis=1)
    off = _outside(ranks[:-1], ranks[1:], question.at)
    return reaches(off[chosen], question.error)


def _outside(low: Array, high: Array, at: float) -> Array:
    """How far a value is outside each of some intervals."""
    return np.asarray(np.maximum(0, np.maximum(low - at, at - high)))
