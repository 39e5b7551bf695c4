"""Limits that take seconds each, and the sizes and noises that the quick tests leave out."""

import math

import pytest

import planner
from tests.answer.search.test_falling import one_event
from tests.decisions import test_accuracy_limit as accuracy
from tests.mechanisms.test_gaussian_mean import study
from tests.mechanisms.test_geometric_mean import floor_is_proved_and_less_is_not


@pytest.mark.parametrize("name", ["any rate", "twice", "gaussian"])
@pytest.mark.parametrize("quantity", ["error", "failure"])
def test_a_study_stops_at_its_limit(name: str, quantity: str) -> None:
    accuracy.test_a_study_stops_at_its_limit(name, quantity)


def test_the_first_size_with_a_floor_is_proved() -> None:
    floor_is_proved_and_less_is_not(11, 0.33)


def test_the_limit_of_the_base_cost_scales_all_costs() -> None:
    papers, study, _ = one_event(0.001, 12_500.0, 30_000.0, "paper")
    expected, found = planner.limit(papers, "base_cost"), planner.limit(study, "base_cost")
    assert found == pytest.approx(expected, rel=1e-9)
    likely = one_event(0.6, 100.0, 30_000.0, "paper")[1]
    least = planner.solve(likely, prove=False).least_cost
    assert planner.limit(likely, "base_cost") == pytest.approx(60 * 30_000 / least, rel=1e-6)
    assert planner.limit(likely, "budget") == pytest.approx(least, rel=1e-6)


def test_ever_more_people_with_ever_less_delta() -> None:
    answer = planner.solve(study(worst_cost=2000.0), prove=False)
    assert not answer.attained
    assert answer.least_cost < answer.cost <= 1.01 * answer.least_cost
    assert answer.participants < 10**5
    # large studies cost (z/T)·(pE + W·(φ(p) − pQ(p))), here at δ·N = 0.01
    z, wanted = 1.959963984540054, 0.01 * 0.21 / 1.959963984540054

    def left(p: float) -> float:
        tail = math.erfc(p / math.sqrt(2)) / 2
        return math.exp(-p * p / 2) / math.sqrt(2 * math.pi) - p * tail - wanted

    low, high = 0.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) > 0 else (low, middle)
    assert answer.least_cost == pytest.approx(z / 0.21 * low * 12.5 + 0.01 * 2000, rel=1e-4)
