"""Limits that take seconds each, and the sizes and noises that the quick tests leave out."""

import math

import pytest

import planner
from planner.comparison.fewest import fewest
from tests.comparison.test_fewest import worst
from tests.mechanisms.test_gaussian_mean import study
from tests.thorough import test_accuracy_limit as accuracy


@pytest.mark.parametrize("name", ["any rate", "noise helps", "gaussian"])
@pytest.mark.parametrize("quantity", ["error", "failure"])
def test_a_study_stops_at_its_limit(name: str, quantity: str) -> None:
    accuracy.test_a_study_stops_at_its_limit(name, quantity)


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


def test_large_sizes_are_searched_around_the_edge() -> None:
    found = fewest(0.013, 0.05, (0.0, 1.0))
    assert 5_500 < found.participants <= found.always_from < 5_900
    assert worst(found.participants, 0.013, (0.0, 1.0)) <= 0.05
    assert fewest(1e-4, 0.05, (0.0, 1.0)) is None
    assert fewest(1e-160, 0.05, (0.0, 1.0)) is None
