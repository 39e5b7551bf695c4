"""Sequences of studies against a scan over N with separate formulas, and Hsu14 §4.4's sum."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import planner


def study(error=0.05, failure=0.05, analysis="paper", budget=1e6, per_person=2.0, **changed):
    given = {
        "mechanism": planner.LaplaceMean(analysis),
        "target": planner.Accuracy(error, failure),
        "individual": planner.Individual(12.5, 1274.0),
        "conditions": [planner.Budget(budget)],
        "costs": planner.Costs(per_person, 10.0),
        "title": f"within {error}",
    }
    return planner.Study(**(given | changed))


def floors(n, error, failure):
    left = failure - 2 * np.exp(-n * error**2 / 12)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(left > 0, -2 * np.log(left) / (error * n), np.inf)


@settings(deadline=None, max_examples=20)
@given(
    st.lists(st.tuples(st.floats(0.08, 0.4), st.floats(0.01, 0.3)), min_size=2, max_size=4),
    st.floats(0.1, 5.0),
)
def test_the_cheapest_of_a_scan(targets, per_person) -> None:
    studies = [study(*target, per_person=per_person) for target in targets]
    answer = planner.plan_sequence(studies)

    n = np.arange(1, 40_000)
    total = sum(floors(n, *target) for target in targets)
    owed = np.expm1(np.minimum(total, 600.0)) * 12.5  # far beyond any money
    cost = n * (owed + per_person * len(targets)) + 10.0 * len(targets)
    cheapest = cost.min()
    assert answer.verdict == "feasible"
    assert answer.attained
    assert answer.least_cost == pytest.approx(cheapest, rel=1e-9)
    assert cheapest <= answer.cost <= cheapest * (1 + 1e-5)


def test_the_payments_are_hsu14_s_sum() -> None:
    answer = planner.plan_sequence([study(0.05), study(0.1), study(0.07)])
    before, sum_of_payments = 1.0, 0.0
    for step in answer.steps:
        assert step.base_cost == pytest.approx(12.5 * before, rel=1e-12)
        assert step.compensation == pytest.approx(math.expm1(step.epsilon) * step.base_cost)
        sum_of_payments += step.compensation
        before *= math.exp(step.epsilon)
        found = step.study.mechanism.failure_probability(
            step.epsilon, answer.participants, step.study.target.error
        )
        assert found == step.failure <= 0.05
    assert sum_of_payments == pytest.approx(12.5 * math.expm1(answer.epsilon), rel=1e-12)
    assert answer.compensation == pytest.approx(sum_of_payments, rel=1e-12)
    assert sum(step.cost for step in answer.steps) == pytest.approx(answer.cost, rel=1e-12)
    # dearer than the three apart, each with people of its own
    apart = [planner.solve(step.study) for step in answer.steps]
    assert answer.steps[2].compensation > math.expm1(answer.steps[2].epsilon) * 12.5
    assert answer.participants >= max(plan.participants for plan in apart) / 2


@pytest.mark.parametrize("analysis", ["paper", "hoeffding"])
@pytest.mark.parametrize("per_person", [0.0, 2.0])
def test_the_edge_is_proved_on_both_sides(analysis, per_person) -> None:
    def pair(budget):
        kept = {"analysis": analysis, "per_person": per_person, "budget": budget / 2}
        return planner.plan_sequence([study(0.05, **kept), study(0.1, 0.2, **kept)])

    least = pair(1e6).least_cost
    for factor, verdict in ((1 + 1e-6, "feasible"), (1 - 1e-6, "infeasible")):
        found = pair(least * factor)
        assert found.verdict == verdict
        assert found.proof.checked


@pytest.mark.slow
def test_exact_analyses_too() -> None:
    kept = {"analysis": "exact", "per_person": 5.0}
    answer = planner.plan_sequence([study(0.21, **kept), study(0.33, 0.01, **kept)])
    for step in answer.steps:
        assert planner.LaplaceMean().failure_probability(
            step.epsilon, answer.participants, step.study.target.error
        ) <= step.study.target.failure  # fmt: skip
    poor = planner.plan_sequence([study(0.21, analysis="exact", budget=40.0)] * 2)
    assert poor.verdict == "infeasible"


@pytest.mark.parametrize(
    ("studies", "words"),
    [
        ([study()], "two studies"),
        ([study(), study(individual=planner.Individual(9.0))], "same people"),
        ([study(), study(conditions=[planner.MaxHarm(1.0)])], "a harm of at most 1"),
        ([study(), study(conditions=[planner.Delta(1e-6)])], "δ > 0"),
        ([study(individual=planner.Individual(1.0, 2.0, capped=True))] * 2, "capped"),
    ],
)
def test_what_cannot_form_a_sequence(studies, words) -> None:
    with pytest.raises(ValueError, match=words):
        planner.plan_sequence(studies)


def test_a_family_in_a_sequence() -> None:
    person = planner.Individual(12.5, 1274.0, family=3)
    answer = planner.plan_sequence([study(individual=person), study(0.08, individual=person)])
    first, second = answer.steps
    assert first.compensation == pytest.approx(math.expm1(3 * first.epsilon) * 12.5)
    assert second.base_cost == pytest.approx(math.exp(3 * first.epsilon) * 12.5)
    assert answer.compensation == pytest.approx(math.expm1(3 * answer.epsilon) * 12.5)


def test_too_little_money_says_how_much_it_takes() -> None:
    studies = [study(budget=1000.0, currency="EUR"), study(0.08, budget=500.0, currency="EUR")]
    answer = planner.plan_sequence(studies)
    assert answer.verdict == "infeasible"
    assert answer.proof.checked
    told = re.fullmatch(
        r"Together the studies cost more than ([\d,.]+) EUR; their budgets add up to 1,500 EUR\.",
        answer.proof.statement,
    )
    least = float(told[1].replace(",", ""))
    rich = [study(budget=1e6), study(0.08, budget=1e6)]
    exact = planner.plan_sequence(rich).least_cost
    assert exact * (1 - 1e-4) < least <= exact
    # with that much more money there is one, and where people are too few, money is not blamed
    more = [study(budget=exact * 1.001), study(0.08, budget=1e-6)]
    assert planner.plan_sequence(more).verdict == "feasible"
    few = [study(conditions=[planner.Budget(1e9), planner.MaxParticipants(10)])] * 2
    assert "money" not in planner.plan_sequence(few).proof.statement
    assert "cost" not in planner.plan_sequence(few).proof.statement


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"currency": "USD"}, "its currency is USD, that of the first study none"),
    ],
)
def test_what_a_sequence_cannot_add_up(other, words) -> None:
    with pytest.raises(ValueError, match=words):
        planner.plan_sequence([study(), study(**other)])
