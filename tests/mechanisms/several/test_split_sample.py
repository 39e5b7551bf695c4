"""Surveys without a curator: values by hand, another search, proofs and simulation."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

import planner
from planner import numbers
from planner.answer.problem.survey import without_curator
from planner.mechanisms.several.split_sample import SplitQuestion, SplitSampleFloor

QUESTIONS = [
    planner.Share("smokes", error=0.05),
    planner.Share("others", error=0.1, times=3),
    planner.Histogram("age group", groups=8, error=0.08),
    planner.Mean("visits", low=0, high=200, error=16.0),
]


def study(questions: list[planner.Share], *conditions: object, **costs: float) -> planner.Study:
    return planner.Study(
        planner.RandomizedResponse(analysis="hoeffding"),
        planner.Survey(questions, failure=0.05),
        planner.Individual(1.0, 100.0),
        conditions,
        planner.Costs(**costs),
    )


def test_one_share_is_the_study_of_one_share() -> None:
    plan = planner.solve(study(QUESTIONS[:1]))
    assert plan.participants == 2951
    assert plan.least_cost == pytest.approx(5902.20712839958, rel=1e-8)


def test_the_people_of_shares_add_up() -> None:
    plan = planner.solve(study(QUESTIONS[:2]))
    weights = [400, 100, 100, 100]
    c = sum(
        math.log(2 * sum(weights) / 0.05 / w) / (2 * t**2)
        for w, t in zip(weights, [0.05, 0.1, 0.1, 0.1], strict=True)
    )
    assert plan.cost == pytest.approx(8 * c, rel=1e-3)
    assert plan.participants == pytest.approx(4 * c, rel=5e-3)
    assert sum(q.times * q.participants for q in plan.questions) <= plan.participants
    assert sum(q.times * q.failure for q in plan.questions) <= 0.05


@pytest.mark.parametrize(
    ("groups", "way"), [(2, "group"), (3, "group"), (6, "group"), (7, "groups"), (20, "groups")]
)
def test_a_histogram_is_asked_the_cheaper_way(groups: int, way: str) -> None:
    plan = planner.solve(study([planner.Histogram("age", groups=groups, error=0.05)]))
    c = math.log(2 * groups / 0.05) / (2 * 0.05**2)
    assert plan.questions[0].noise == way
    assert plan.least_cost == pytest.approx(min(4 * groups * c, 27 * c), rel=1e-5)
    epsilon = math.log(groups + 1) if way == "group" else math.log(4)
    assert plan.epsilon == pytest.approx(epsilon, rel=2e-3)


@pytest.mark.slow
def test_the_cheapest_survey_by_another_search() -> None:
    floor = without_curator(study(QUESTIONS)).by_lot

    def people(logarithms: np.ndarray, epsilon: float) -> float:
        weights = np.exp(logarithms)
        shares = 0.05 * weights / np.dot([lot.times for lot in floor.lots], weights)
        return sum(
            lot.times * math.log(2 * lot.numbers / a) / 2 / (lot.error * lot.strength(epsilon)) ** 2
            for lot, a in zip(floor.lots, shares.tolist(), strict=True)
        )

    def cost(epsilon: float) -> float:
        start = np.zeros(len(floor.lots))
        return minimize(people, start, (epsilon,)).fun * (math.expm1(epsilon) + 2.0)

    best = minimize_scalar(cost, bounds=(0.2, 4.0), method="bounded").fun
    plan = planner.solve(study(QUESTIONS, per_person=2.0))
    assert best * (1 - 1e-7) <= plan.least_cost <= best * (1 + 1e-3)


@pytest.mark.slow
def test_cards_are_private_and_plans_are_proved() -> None:
    plan = planner.solve(study(QUESTIONS))
    assert plan.proof.checked
    for question in plan.questions:
        odds = question.truth / question.other
        if question.noise == "groups":  # two answers change with a person
            odds = odds**2
        assert odds <= math.exp(plan.epsilon) * (1 + 1e-12)
    assert planner.simulate(plan, runs=300).verdict in ("kept", "consistent")
    assert all(question.name in str(plan) for question in QUESTIONS)
    explained = planner.explain(plan).to_dict()
    assert explained["opendp"] is None
    assert any("Nobody holds" in words for words in explained["participant"]["sentences"])


def test_floors_fall_and_balls_hold_the_real_one() -> None:
    floor = SplitSampleFloor((SplitQuestion(1, 0.05, 0.0, 1), SplitQuestion(8, 0.1, 0.0, 2)), 0.07)
    n = np.arange(2000.0, 9000.0, 500)
    least = floor.epsilon(n, 0.0)
    assert np.all(np.diff(least) < 0)
    number = numbers.balls().number
    for size, epsilon in zip(n.tolist(), least.tolist(), strict=True):
        ball = floor.epsilon(number(size), number(0.0))
        assert ball.lower() <= epsilon <= ball.upper()
        assert float(ball.upper() - ball.lower()) < 0.01 * epsilon
        assert floor.certify_reached(number(epsilon * (1 + 1e-6)), number(size), number(0.0))
        assert not floor.certify_reached(number(epsilon * 0.99), number(size), number(0.0))
        assert size * epsilon >= floor.n_epsilon(int(size), 0.0)
    assert math.isinf(floor.epsilon(300.0, 0.0))


def test_no_survey_exists_with_too_few() -> None:
    answer = planner.solve(study(QUESTIONS[:2], planner.MaxParticipants(700)))
    assert answer.verdict == "infeasible"
    assert answer.proof.checked


def test_what_is_not_asked_without_a_curator_is_refused() -> None:
    with pytest.raises(ValueError, match="without a curator"):
        study([planner.Quantile("income", at=0.5, candidates=9, error=0.1)])
