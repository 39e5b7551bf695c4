"""Surveys of several questions: plans, splits of α, proofs that none exists."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.decisions.changes import limits
from planner.mechanisms import LaplaceMean
from planner.numbers import decimal

DESIGN = (
    planner.Share("smokes", error=0.03),
    planner.Histogram("age group", groups=8, error=0.03),
    planner.Mean("cigarettes a day", low=0, high=60, error=2.0),
    planner.Quantile("income", at=0.5, candidates=100, error=0.05),
    planner.Share("others", error=0.05, times=12),
)
ORDINARY = (
    planner.Share("yes/no", error=0.03, times=12),
    planner.Histogram("age group", groups=8, error=0.03),
    planner.Mean("visits", low=0, high=200, error=5.0),
)


def study(
    *conditions: object,
    questions: tuple[object, ...] = DESIGN,
    failure: float | None = 0.05,
    noise: str = "laplace",
    analysis: str = "hoeffding",
    worst_cost: float | None = None,
) -> planner.Study:
    return planner.Study(
        planner.AddedNoise(noise, analysis),  # type: ignore[arg-type]
        planner.Survey(questions, failure=failure),  # type: ignore[arg-type]
        planner.Individual(1.0, worst_cost),
        conditions,  # type: ignore[arg-type]
        planner.Costs(per_person=2.0),
    )


def floor(of: planner.Study, n: int, delta: float = 0.0) -> float:
    return float(problem_of(of).goals[0].floor.epsilon(float(n), delta))


def shared_equally(questions: tuple[object, ...]) -> planner.Study:
    """The same failure probability for every published number, given to each question."""
    numbers = sum(q.times * q.numbers for q in questions)  # type: ignore[attr-defined]
    own = tuple(replace(q, failure=0.05 * q.numbers / numbers) for q in questions)  # type: ignore[type-var, attr-defined]
    return study(questions=own, failure=None)


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
    one = LaplaceMean(analysis=analysis)  # type: ignore[arg-type]
    for n in (900, 2500):
        assert floor(of, n) == pytest.approx(7 * one.epsilon_floor(n, 0.05, 0.05 / 7), rel=1e-13)


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
    assert (alone.epsilon, alone.participants, alone.cost) == (
        survey.epsilon, survey.participants, survey.cost,
    )  # fmt: skip


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
    assert plan.proof.checked
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
    from planner.privacy.gaussian import epsilon_at

    mu = math.sqrt(sum(q.times * (q.sensitivity / q.scale) ** 2 for q in plan.questions))
    assert epsilon_at(1 / mu, 1e-6) <= plan.epsilon * (1 + 1e-12)
    assert epsilon_at(1 / mu, 1e-6) == pytest.approx(plan.epsilon, rel=1e-5)


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-2])
def test_twelve_shares_with_gaussian_noise(delta: float) -> None:
    """At σ = .002 and N = 4000 together μ = .433; (ε, δ) by 40 digits, ε from above."""
    from mpmath import erfc, exp, mp, mpf, sqrt

    from planner.mechanisms.several.together import RootSum

    epsilon = RootSum().epsilon([1 / (4000 * 0.002)], [12], delta)
    with mp.workdps(40):
        mu, e = mpf("0.433012701892219323"), mpf(epsilon)

        def tail(x):  # type: ignore[no-untyped-def]
            return erfc(x / sqrt(2)) / 2

        exact = tail(e / mu - mu / 2) - exp(e) * tail(e / mu + mu / 2)
    assert float(exact) == pytest.approx(delta, rel=1e-9)


def test_dropping_a_question_leaves_the_survey_of_the_others() -> None:
    survey = planner.Survey(DESIGN, failure=0.05)
    rest = study(questions=survey.without("income").questions)
    assert [q.name for q in rest.survey.questions] == [  # type: ignore[union-attr]
        "smokes", "age group", "cigarettes a day", "others",
    ]  # fmt: skip
    assert floor(rest, 5000) < floor(study(), 5000)


@pytest.mark.slow
def test_optimal_composition_is_used_where_delta_is_spoken_of() -> None:
    questions = (planner.Share("s", error=0.05, times=200),)
    pure = planner.solve(study(planner.MaxParticipants(9000), questions=questions))
    capped = planner.solve(
        study(
            planner.MaxParticipants(9000), planner.DeltaAtMost(1e-6),
            questions=questions, worst_cost=20.0,
        )
    )  # fmt: skip
    assert pure.delta == 0
    assert 0 < capped.delta <= 1e-6
    assert capped.cost < pure.cost


def test_delta_is_used_only_where_the_study_speaks_of_it() -> None:
    best = study(planner.MaxParticipants(9000), noise="best", questions=ORDINARY, worst_cost=50.0)
    assert not best.mechanism.uses_delta
    assert planner.solve(best).delta == 0
    with_delta = study(
        planner.MaxParticipants(9000), planner.Delta(1e-6),
        noise="best", questions=ORDINARY, worst_cost=50.0,
    )  # fmt: skip
    answer = planner.solve(with_delta)
    assert answer.delta == 1e-6
    assert {other.study.mechanism.noise for other in (answer, *answer.alternatives)} == {
        "laplace", "gaussian",
    }  # fmt: skip


def test_a_mechanism_may_answer_one_question() -> None:
    top = planner.model.ByMechanism("brands", error=0.1, mechanism=planner.mechanisms.TopK(20, 3))
    of = study(planner.MaxParticipants(9000), questions=(top, planner.Share("s", error=0.05)))
    plan = planner.solve(of)
    assert plan.verdict == "feasible"
    alone = planner.mechanisms.TopK(20, 3).epsilon_floor(
        plan.participants, 0.1, plan.questions[0].failure
    )
    assert plan.questions[0].epsilon >= alone


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


@pytest.mark.parametrize(("cap", "verdict"), [(3285, "infeasible"), (3286, "feasible")])
def test_too_few_people_for_any_split(cap: int, verdict: str) -> None:
    """No single question is out of reach at N = 3285, but all together are."""
    answer = planner.solve(study(planner.MaxParticipants(cap)))
    assert (answer.verdict, answer.proof.checked) == (verdict, True)


def _calls(monkeypatch: pytest.MonkeyPatch, module: str, name: str) -> list[None]:
    """Grows by one with every call of a function."""
    import importlib

    home, calls = importlib.import_module(module), []
    function = getattr(home, name)

    def counted(*given: object, **named: object) -> object:
        calls.append(None)
        return function(*given, **named)

    monkeypatch.setattr(home, name, counted)
    return calls


@pytest.mark.slow
def test_what_to_relax_where_money_pays_for_too_few_people() -> None:
    """Also α, up to where any answer is right often enough."""
    questions = (
        planner.Share("smokes", error=0.08),
        planner.Quantile("income", at=0.5, candidates=100, error=0.08),
    )
    person = planner.Individual(12.5, 12_500.0)
    of = replace(
        study(planner.Budget(33_333.0), questions=questions, analysis="exact"),
        individual=person,
        costs=planner.Costs(80.0),
    )
    answer = planner.solve(of)
    assert answer.verdict == "infeasible"
    changes = {change.quantity: change for change in limits(answer)}
    assert changes["failure"].to == pytest.approx(0.876459, rel=1e-5)
    assert changes["budget"].to == pytest.approx(73_257.9, rel=1e-5)
    assert changes["income.error"].plan["cost"] <= 33_333
    assert changes["smokes.error"].to is None


@pytest.mark.slow
@pytest.mark.parametrize("analysis", ["exact", "hoeffding"])
def test_the_failure_that_a_survey_of_few_people_cannot_do_without(analysis) -> None:
    """Targets that are nearly met by chance are looked at too."""
    questions = (
        planner.Share("smokes", error=0.2),
        planner.Quantile("income", at=0.5, candidates=100, error=0.2),
    )
    of = study(
        planner.MaxParticipants(25), planner.Budget(400.0), questions=questions, analysis=analysis
    )
    assert planner.solve(of).verdict == "infeasible"
    assert planner.limit(of, "failure") is None  # the sample alone is off too often
    sufficient = replace(of, conditions=(planner.MaxParticipants(70), planner.Budget(4000.0)))
    least = float(planner.limit(sufficient, "failure"))
    assert 0.05 < least < 1
    eased = replace(sufficient, target=planner.Survey(questions, failure=least))
    assert planner.solve(eased).verdict == "feasible"
    # without a ceiling there is no least room to follow
    endless = replace(sufficient, conditions=sufficient.conditions[:1])
    assert float(planner.limit(endless, "failure")) < least


@pytest.mark.parametrize("analysis", ["exact", "hoeffding"])
def test_a_median_that_any_candidate_answers_needs_hardly_any_epsilon(analysis) -> None:
    questions = (planner.Quantile("income", at=0.5, candidates=2, error=0.2),)
    plan = planner.solve(study(questions=questions, failure=0.9, analysis=analysis))
    assert plan.verdict == "feasible"
    assert 0 < plan.epsilon < 1e-6
    (median,) = plan.questions
    assert 0 < median.epsilon <= plan.epsilon


LIMITED = (planner.Budget(60_000.0), planner.MinParticipants(2000), planner.MaxParticipants(6000))


@pytest.mark.slow
def test_a_limit_of_an_error_searches_few_surveys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each value is a survey whose splits are all to be found.

    Under the bound for any values a finite ε is the last before there is none: it is halved to.
    """
    of = study(*LIMITED, questions=ORDINARY, analysis="exact")
    everywhere = _calls(monkeypatch, "planner.answer.search.delta", "most_room")
    least = float(planner.limit(of, "visits.error"))
    assert 0 < len(everywhere) <= 32
    verdicts = []
    for error in (least, least * (1 - 1e-4)):
        questions = (*ORDINARY[:2], planner.Mean("visits", low=0, high=200, error=error))
        at = study(*LIMITED, questions=questions, analysis="exact")
        verdicts.append(planner.solve(at, prove=False).verdict)
    assert verdicts == ["feasible", "infeasible"]


@pytest.mark.slow
def test_a_free_delta_is_chosen_by_glances(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least rates of Gaussian noise are the same at every δ; only a few δ are searched."""
    questions = (planner.Share("a", error=0.05, times=3), planner.Share("b", error=0.04))
    free = planner.DeltaAtMost(1e-6)
    limits = planner.Budget(30_000.0), planner.MaxParticipants(6000), free
    of = study(*limits, questions=questions, noise="gaussian", analysis="exact", worst_cost=9e8)
    searched = _calls(monkeypatch, "planner.answer.search.delta", "_at")
    plan = planner.solve(of, prove=False)
    assert 0 < plan.delta < 1e-6
    assert 0 < len(searched) <= 6
    for delta in (plan.delta / 3, plan.delta * 3):
        fixed = study(
            *limits[:2], planner.Delta(delta),
            questions=questions, noise="gaussian", analysis="exact", worst_cost=9e8,
        )  # fmt: skip
        other = planner.solve(fixed, prove=False)
        assert other.cost > plan.cost * (1 - 1e-4)


@pytest.mark.slow
def test_a_larger_worst_cost_is_borne_by_less_delta() -> None:
    """The best δ falls with the worst cost: no few rounds lead to it."""
    questions = (planner.Share("a", error=0.05, times=2),)
    of = study(
        planner.Budget(30_000.0), planner.MaxParticipants(6000), planner.DeltaAtMost(1e-6),
        questions=questions, noise="gaussian", analysis="exact", worst_cost=500.0,
    )  # fmt: skip
    free = float(planner.limit(of, "worst_cost"))
    fixed = replace(of, conditions=(*of.conditions[:2], planner.Delta(1e-12)))
    assert free >= float(planner.limit(fixed, "worst_cost"))
