"""Surveys of several questions: plans, and splits of α."""

import math
from fractions import Fraction

import numpy as np
import pytest

import planner
from planner.answer.check import check
from planner.answer.problem.problem import problem_of
from planner.mechanisms import LaplaceMean
from planner.mechanisms.several import survey as several
from planner.numbers import decimal
from planner.privacy.gaussian import epsilon_at
from tests.answer.surveys import DESIGN, ORDINARY, floor, shared_equally, study

SLOW = pytest.mark.slow


def test_the_survey_of_the_design_by_hoeffding() -> None:
    assert floor(study(), 4000) == pytest.approx(4.8184470095645, rel=1e-11)
    assert math.isinf(floor(study(), 3285))
    assert math.isfinite(floor(study(), 3286))
    equal = shared_equally(DESIGN)
    assert floor(equal, 4000) == pytest.approx(11.800084551882, rel=1e-12)
    assert math.isinf(floor(equal, 3791))
    assert math.isfinite(floor(equal, 3792))
    each = [
        floor(
            shared_equally(DESIGN).__class__(  # one question at its share
                planner.AddedNoise("laplace", "hoeffding"),
                planner.Survey([question]),
                planner.Individual(1.0),
            ),
            4000,
        )
        for question in equal.survey.questions
    ]  # type: ignore[union-attr]
    assert each == pytest.approx(
        [
            3.3070843646198,
            6.6141687292396,
            0.52944678457757,
            0.29486949844746,
            12 * 0.087876264583095,
        ],
        rel=1e-12,
    )


def test_the_ordinary_survey_by_hoeffding() -> None:
    of = study(questions=ORDINARY)
    assert math.isinf(floor(of, 3912))
    assert math.isfinite(floor(of, 3913))
    assert floor(of, 4000) == pytest.approx(115.715, abs=5e-4)
    assert floor(of, 5000) == pytest.approx(7.0445, abs=5e-5)
    assert floor(of, 6000) == pytest.approx(3.3309, abs=5e-5)


@pytest.mark.parametrize("analysis", ["hoeffding", "exact"])
def test_equal_questions_ask_for_as_many_floors(analysis: str) -> None:
    of = study(questions=(planner.Share("s", error=0.05, times=7),), analysis=analysis)
    one = LaplaceMean(analysis=analysis).floor(0.05, 0.05 / 7)  # type: ignore[arg-type]
    for n in (900, 2500):
        assert floor(of, n) == pytest.approx(7 * one.epsilon(n, 0.0), rel=1e-7)


@pytest.mark.parametrize("times", [2, 3, 7, 12])
def test_equal_shares_of_a_decimal_add_up_to_no_more(times: int) -> None:
    """In doubles 7·(.05/7) and 12·(.05/12) are over .05."""
    of = study(
        planner.MaxParticipants(3000), questions=(planner.Share("s", error=0.05, times=times),)
    )
    plan = planner.solve(of)
    assert plan.verdict == "feasible"
    assert times * decimal(plan.questions[0].failure) <= decimal(0.05)


@pytest.mark.parametrize("analysis", ["hoeffding", "exact"])
def test_one_question_is_the_study_of_one(analysis: str) -> None:
    one = planner.Study(
        LaplaceMean(analysis=analysis),  # type: ignore[arg-type]
        planner.Accuracy(0.05, 0.05),
        planner.Individual(1.0),
        [planner.Budget(9_000.0)],
        planner.Costs(per_person=2.0),
    )
    asked = study(
        planner.Budget(9_000.0), questions=(planner.Share("s", error=0.05),), analysis=analysis
    )
    alone, survey = planner.solve(one), planner.solve(asked)
    assert alone.participants == pytest.approx(survey.participants, rel=0.02)
    assert alone.cost == pytest.approx(survey.cost, rel=2e-4)


def by_random_splits(of: planner.Study, n: int, draws: int) -> float:
    """The least ε over random splits near the best one."""
    rng = np.random.default_rng(7)
    parts = problem_of(of).goals[0].floor.parts  # type: ignore[attr-defined]
    shared = problem_of(of).goals[0].floor.shared(99.0, n, 0.0)  # type: ignore[attr-defined]
    near = np.array([share.failure * share.part.times for share in shared])
    least = math.inf
    for _ in range(draws):
        split = near * np.exp(rng.normal(scale=0.2, size=len(near)))
        split *= 0.05 / split.sum()
        total = sum(
            p.times * float(p.at(a / p.times).epsilon(float(n), 0.0))
            for p, a in zip(parts, split, strict=True)
        )
        least = min(least, total)
    return least


@pytest.mark.parametrize(("analysis", "draws"), [("hoeffding", 100)])
def test_no_other_split_needs_less(analysis: str, draws: int) -> None:
    of = study(analysis=analysis)
    best = floor(of, 4500)
    assert best <= by_random_splits(of, 4500, draws)


@pytest.mark.parametrize(
    ("noise", "analysis"),
    [("laplace", "hoeffding"), ("gaussian", "hoeffding")],
)
def test_a_plan_is_what_its_questions_add_up_to(noise: str, analysis: str) -> None:
    delta = (planner.Delta(1e-6),) if noise == "gaussian" else ()
    of = study(
        planner.MaxParticipants(9000), *delta,
        questions=ORDINARY, noise=noise, analysis=analysis, worst_cost=50.0,
    )  # fmt: skip
    plan = planner.solve(of)
    assert isinstance(plan, planner.answer.Plan)
    assert plan.proof.checked is (noise == "laplace")  # no rule of the checker is about the other
    assert [q.name for q in plan.questions] == ["yes/no", "age group", "visits"]
    assert sum(q.share for q in plan.questions) == pytest.approx(1)
    assert sum(q.times * decimal(q.failure) for q in plan.questions) <= decimal(0.05)
    n = plan.participants
    sensitivities = [1 / n, (math.sqrt(2) if noise == "gaussian" else 2) / n, 200 / n]
    assert [q.sensitivity for q in plan.questions] == pytest.approx(sensitivities)
    if noise == "laplace":
        total = sum((q.times * decimal(q.epsilon) for q in plan.questions), Fraction(0))
        assert total <= decimal(plan.epsilon)
        assert float(total) == pytest.approx(plan.epsilon, rel=1e-5)
        scales = [s / q.epsilon for s, q in zip(sensitivities, plan.questions, strict=True)]
        assert [q.scale for q in plan.questions] == pytest.approx(scales)
        return
    mu = math.sqrt(sum(q.times * (q.sensitivity / q.scale) ** 2 for q in plan.questions))
    assert epsilon_at(1 / mu, 1e-6) <= plan.epsilon * (1 + 1e-12)
    assert epsilon_at(1 / mu, 1e-6) == pytest.approx(plan.epsilon, rel=1e-5)


def test_dropping_a_question_leaves_the_survey_of_the_others() -> None:
    survey = planner.Survey(DESIGN, failure=0.05)
    rest = study(questions=survey.without("income").questions)
    assert [q.name for q in rest.survey.questions] == [  # type: ignore[union-attr]
        "smokes", "age group", "cigarettes a day", "others",
    ]  # fmt: skip
    assert floor(rest, 5000) < floor(study(), 5000)


@pytest.mark.slow
def test_a_sample_that_is_off_by_little_is_helped_by_noise() -> None:
    """At N = 27 counts are off by .02 at mean 1/2, and without noise no split would do."""
    questions = (planner.Share("a", error=0.24), planner.Mean("b", low=0, high=1, error=0.47))
    conditions = planner.MaxParticipants(27), planner.Delta(1e-8)
    plan = planner.solve(
        study(
            *conditions, questions=questions, failure=0.013, noise="gaussian", analysis="exact",
            worst_cost=10.0,
        )
    )  # fmt: skip
    assert (plan.verdict, plan.participants) == ("feasible", 27)
    assert plan.epsilon < 19.93467  # by Hoeffding's bound on the mean


@pytest.mark.parametrize("analysis", ["hoeffding"])
def test_a_failure_probability_for_each_question(analysis: str) -> None:
    own = (
        planner.Histogram("age group", groups=4, error=0.05, failure=0.02),
        planner.Share("smokes", error=0.05, failure=0.03, times=2),
    )
    plan = planner.solve(
        study(planner.MaxParticipants(9000), questions=own, failure=None, analysis=analysis)
    )
    assert plan.verdict == "feasible"
    assert [q.failure for q in plan.questions] == [0.02, 0.03]
    assert plan.failure <= 0.08
    none = study(planner.Budget(1000.0), questions=own, failure=None, analysis=analysis)
    assert planner.solve(none).verdict == "infeasible"


@pytest.mark.slow
@pytest.mark.parametrize(("cap", "verdict"), [(3285, "infeasible"), (3286, "feasible")])
def test_too_few_people_for_any_split(cap: int, verdict: str) -> None:
    """No single question is out of reach at N = 3285, but all together are."""
    answer = planner.solve(study(planner.MaxParticipants(cap)))
    assert (answer.verdict, answer.proof.checked) == (verdict, True)


@pytest.mark.parametrize("analysis", ["exact", "hoeffding"])
def test_a_median_that_any_candidate_answers_needs_hardly_any_epsilon(analysis) -> None:
    questions = (planner.Quantile("income", at=0.5, candidates=2, error=0.2),)
    plan = planner.solve(study(questions=questions, failure=0.9, analysis=analysis))
    assert plan.verdict == "feasible"
    assert 0 < plan.epsilon < 1e-6
    (median,) = plan.questions
    assert 0 < median.epsilon <= plan.epsilon


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shares", "cap"), [(4, 1.2), *(pytest.param(*x, marks=SLOW) for x in ((1, 1.0), (2, 0.6)))]
)
def test_plans_of_mixed_questions_hold_when_they_are_checked_again(shares: int, cap: float) -> None:
    """Read at its size alone, each question has the ε that it had beside other sizes."""
    questions = [planner.Share(f"s{k}", error=0.03) for k in range(shares)]
    questions.append(planner.Mean(name="age", low=18, high=90, error=3))
    questions.append(planner.Mean(name="satisfaction", low=0, high=10, error=0.3))
    target = planner.Survey(questions, failure=0.05)
    plan = planner.solve(
        planner.Study(target=target, conditions=[planner.EpsilonAtMost(cap)]), prove=False
    )
    several._known.cache_clear()  # as of who reads the plan in another process
    assert list(check(plan).wrong) == []
