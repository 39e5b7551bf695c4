"""What to relax in a survey, and how far its failure probability and its errors can go."""

import math
from dataclasses import replace

import pytest

import planner
from planner.decisions.changes import limits
from tests.answer.surveys import ORDINARY, calls, study


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
    assert changes["failure"].to == pytest.approx(0.876371, rel=1e-5)
    assert changes["budget"].to == pytest.approx(73_256.8, rel=1e-5)
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


LIMITED = (planner.Budget(60_000.0), planner.MinParticipants(2000), planner.MaxParticipants(6000))


@pytest.mark.slow
def test_a_limit_of_an_error_searches_few_surveys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each value is a survey whose splits are all to be found.

    Under the bound for any values a finite ε is the last before there is none: it is halved to.
    """
    of = study(*LIMITED, questions=ORDINARY, analysis="exact")
    everywhere = calls(monkeypatch, "planner.answer.search.find", "_sizes")
    least = float(planner.limit(of, "visits.error"))
    assert 0 < len(everywhere) <= 32
    verdicts = []
    for error in (least, least * (1 - 1e-4)):
        questions = (*ORDINARY[:2], planner.Mean("visits", low=0, high=200, error=error))
        at = study(*LIMITED, questions=questions, analysis="exact")
        verdicts.append(planner.solve(at, prove=False).verdict)
    assert verdicts == ["feasible", "infeasible"]


def test_each_question_has_noise_where_a_plan_leaves_no_room() -> None:
    """At its least failure probability a survey of so few people has hardly any noise, but some."""
    questions = (planner.Share("q0", error=0.064), planner.Histogram("q1", error=0.072, groups=4))
    few = planner.Study(
        planner.AddedNoise("laplace"),
        planner.Survey(questions, failure=0.13397386428599223),
        planner.Individual(1.0, 10.0),
        [planner.MaxParticipants(220), planner.MinParticipants(218)],
        planner.Costs(10.0),
    )
    plan = planner.solve(few, prove=False)
    assert plan.verdict == "feasible"
    assert all(0 < one.epsilon < math.inf and one.scale > 0 for one in plan.questions)
    assert sum(one.epsilon for one in plan.questions) <= plan.epsilon * (1 + 1e-12)
    assert sum(one.failure for one in plan.questions) <= 0.13397386428599223
