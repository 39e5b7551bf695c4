"""Surveys without a curator in which everybody is asked every question."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize

import planner
from planner import numbers
from planner.answer.problem.survey import without_curator
from planner.explanation.papers.consent import consent
from planner.explanation.papers.sheet import markdown

QUESTIONS = (
    planner.Share("a", error=0.05),
    planner.Share("b", error=0.1, times=2),
    planner.Histogram("h", groups=4, error=0.08),
)


def study(per_person: float, *conditions: object) -> planner.Study:
    return planner.Study(
        planner.RandomizedResponse("hoeffding"),
        planner.Survey(QUESTIONS, failure=0.05),
        planner.Individual(2.0),
        conditions,
        planner.Costs(per_person),
    )


def lots_of(floor):
    return [part.floor.lot for part in floor.parts]


def stated(floor, n: int):
    """The questions with their shares of α."""
    return [part.floor.lot._replace(failure=a) for part, a, _ in floor.certain(float(n), 0.0)]


def by_hand(n: float, lots) -> float:
    """Σ εᵢ from Hoeffding's inequality, solved for each εᵢ by halving."""
    total = 0.0
    for lot in lots:
        needed = math.sqrt(math.log(2 * lot.numbers / lot.failure) / (2 * n)) / lot.error
        low, high = 0.0, 60.0
        for _ in range(200):
            middle = (low + high) / 2
            rise = math.expm1(middle)
            ways = [math.tanh(middle / 2)]
            if lot.numbers > 1:
                ways = [rise / (rise + lot.numbers), math.tanh(middle / 4)]
            low, high = (low, middle) if max(ways) >= needed else (middle, high)
        total += lot.times * high if high < 59 else math.inf
    return total


@pytest.mark.parametrize("n", [1200, 1500, 3000, 10_000, 10**6])
def test_the_floor_is_the_sum_of_what_each_question_needs(n: int) -> None:
    floor = without_curator(study(1.0)).full_sample
    assert floor.epsilon(float(n), 0.0) == pytest.approx(by_hand(n, stated(floor, n)), rel=1e-7)
    array = floor.epsilon(np.array([float(n)]), 0.0)
    assert array[0] == pytest.approx(floor.epsilon(float(n), 0.0), rel=1e-12)
    ball = floor.epsilon(numbers.balls().number(n), 0.0)
    assert abs(float(ball.mid()) / floor.epsilon(float(n), 0.0) - 1) < 1e-7


def test_too_few_people_for_one_question_are_too_few() -> None:
    floor = without_curator(study(1.0)).full_sample

    def off(n: int) -> float:
        return sum(
            2 * lot.times * lot.numbers * math.exp(-2 * n * lot.error**2) for lot in lots_of(floor)
        )

    least = next(n for n in range(1, 5000) if off(n) < 0.05)
    for n in (least - 1, least):
        ball = floor.epsilon(numbers.balls().number(n), 0.0)
        assert math.isinf(floor.epsilon(float(n), 0.0)) is (n < least)
        assert ball.is_finite() is (n >= least)


@pytest.mark.parametrize("n", [760, 1333, 20_000])
def test_alpha_is_shared_out_at_its_best(n: int) -> None:
    floor = without_curator(study(1.0)).full_sample

    def summed(logarithms: np.ndarray) -> float:
        weights = np.exp(logarithms)
        shares = 0.05 * weights / np.dot([lot.times for lot in lots_of(floor)], weights)
        pairs = zip(lots_of(floor), shares.tolist(), strict=True)
        return min(by_hand(n, [lot._replace(failure=a) for lot, a in pairs]), 1e3)

    start = np.log([lot.failure for lot in stated(floor, n)])
    found = minimize(summed, start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9})
    assert floor.epsilon(float(n), 0.0) == pytest.approx(found.fun, rel=1e-7)
    ball = floor.epsilon(numbers.balls().number(n), 0.0)
    assert ball.lower() <= found.fun * (1 + 1e-12)
    assert float(ball.upper() - ball.lower()) < 1e-6 * found.fun


def test_a_survey_that_another_split_affords_is_not_refused() -> None:
    # with α in proportion to 1/(Ts) the least cost was 8,253,947
    answer = planner.solve(study(5000.0, planner.Budget(8_171_409.0)))
    assert answer.verdict == "feasible"
    assert answer.proof.checked


@pytest.mark.slow
@pytest.mark.parametrize(("per_person", "by_lot"), [(0.0, True), (5.0, True), (5000.0, False)])
def test_the_cheaper_way_is_taken(per_person: float, by_lot: bool) -> None:
    plan = planner.solve(study(per_person))
    assert plan.by_lot is by_lot
    assert plan.proof.checked
    assert planner.check(plan).holds
    floor = without_curator(plan.study)
    costs = []
    for way in (floor.by_lot, floor.full_sample):
        sizes = np.unique(np.geomspace(900, 60_000, 4000).astype(int)).astype(float)
        with np.errstate(all="ignore"):
            epsilon = np.minimum(way.epsilon(sizes, 0.0), 300.0)
            costs.append(float(np.min(sizes * (2.0 * np.expm1(epsilon) + per_person))))
    assert (costs[0] < costs[1]) is by_lot
    assert plan.cost == pytest.approx(min(costs), rel=2e-3)
    assert plan.cost <= min(costs) * (1 + 1e-6)


def test_lots_are_never_dearer_where_only_compensation_is_paid() -> None:
    floor = without_curator(study(0.0))
    sizes = np.geomspace(6000, 10**7, 300)
    assert np.all(floor.by_lot.epsilon(sizes, 0.0) <= floor.full_sample.epsilon(sizes, 0.0))


def test_a_plan_where_all_are_asked_everything() -> None:
    plan = planner.solve(study(5000.0))
    spent = sum(q.times * Fraction(q.epsilon) for q in plan.questions)
    assert spent <= Fraction(plan.epsilon)
    assert sum(q.times * q.failure for q in plan.questions) <= 0.05
    for question in plan.questions:
        assert question.participants is None
        odds = question.truth / question.other
        assert odds <= math.exp(question.epsilon) * (1 + 1e-9)
    assert sum(q.share for q in plan.questions) == pytest.approx(1.0, rel=1e-6)
    run = planner.simulate(plan, runs=400, seed=3)
    assert run.low <= 0.05
    text = markdown(consent(plan))
    assert "4 questions:" in text
    assert "Each gets one of" not in text


@pytest.mark.slow
def test_infeasible_by_either_way_is_proved() -> None:
    least = planner.solve(study(5000.0)).cost
    answer = planner.solve(study(5000.0, planner.Budget(0.97 * least)))
    assert answer.verdict == "infeasible"
    assert answer.proof.checked


def test_the_same_survey_by_lot_keeps_its_plan() -> None:
    questions = (planner.Share("a", error=0.05), planner.Share("b", error=0.05))
    one = replace(study(0.0), target=planner.Survey(questions, failure=0.05))
    plan = planner.solve(one)
    assert plan.by_lot
    assert all(q.participants for q in plan.questions)


@pytest.mark.slow
def test_all_errors_have_a_least_multiple_without_a_curator() -> None:
    budget = planner.Budget(100_000.0)
    least = planner.limit(study(5.0, budget), "times_error")
    assert 0.5 < least < 1
    for factor, verdict in ((1 + 1e-6, "feasible"), (1 - 1e-3, "infeasible")):
        errors = planner.Survey(QUESTIONS, failure=0.05).with_errors_times(least * factor)
        assert planner.solve(replace(study(5.0, budget), target=errors)).verdict == verdict
