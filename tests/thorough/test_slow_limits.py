"""Limits that take seconds each, and the sizes and noises that the quick tests leave out."""

import math

import numpy as np
import pytest
from tests.thorough.test_falling import one_event

import planner
from planner.answer.problem.vary import with_value
from planner.decisions.changes import limits
from planner.mechanisms.exact.no_noise import fewest, worst
from tests.decisions import test_prices as prices
from tests.mechanisms.test_gaussian_mean import study
from tests.thorough import test_accuracy_limit as accuracy
from tests.thorough.test_geometric_mean import floor_is_proved_and_less_is_not


@pytest.mark.parametrize("name", ["any rate", "noise helps", "gaussian"])
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


def test_large_sizes_are_searched_around_the_edge() -> None:
    found = fewest(0.013, 0.05, (0.0, 1.0))
    assert 5_500 < found.participants <= found.always_from < 5_900
    assert worst(found.participants, 0.013, (0.0, 1.0)) <= 0.05
    assert fewest(1e-4, 0.05, (0.0, 1.0)) is None
    assert fewest(1e-160, 0.05, (0.0, 1.0)) is None


def test_a_free_delta_is_chosen_for_the_limit(section_8_2) -> None:
    found = planner.limit(section_8_2(), "budget")
    rich = planner.solve(section_8_2(budget=2e7), prove=False)
    assert found == pytest.approx(rich.least_cost, rel=1e-4)
    for factor, verdict in ((1.001, "feasible"), (0.98, "infeasible")):
        edge = section_8_2(budget=found * factor)
        assert planner.solve(edge, prove=False).verdict == verdict


def test_a_likely_event_with_no_cap_on_people() -> None:
    """From a chance of 1/2 on the rise is concave: the tail of ever larger studies needs proof."""
    _, study, _ = one_event(0.6, 100.0, 400.0, "paper")
    answer = planner.solve(study)
    assert answer.verdict == "infeasible"
    assert answer.proof.checked
    assert "cells" in answer.proof.method
    richer = planner.solve(one_event(0.6, 100.0, 30_000.0, "paper")[1])
    assert richer.attained
    sizes = np.unique(np.geomspace(17_800, 1e7, 20_000).astype(int))
    floor = planner.LaplaceMean("paper").epsilon_floor(sizes.astype(float), 0.05, 0.05)
    assert richer.least_cost <= (sizes * -40 * np.expm1(-floor)).min() * (1 + 1e-9)
    endless = planner.solve(one_event(0.6, 100.0, 30_000.0, "hoeffding")[1])
    assert not endless.attained
    assert endless.participants < 10**9


def test_delta_and_worst_cost_of_an_approximate_mechanism() -> None:
    study = planner.Study(
        planner.MwemApproximate(universe_size=256, queries=10_000),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(1.0, 1000.0),
        [planner.Budget(1e7), planner.Delta(1e-30)],
    )
    answer = planner.solve(study)
    assert answer.verdict == "infeasible"
    changes = {change["quantity"]: change for change in limits(answer)}
    least = changes["delta"]["to"]
    assert changes["delta"]["plan"]["delta"] == least
    assert planner.solve(with_value(study, "delta", least)).verdict == "feasible"
    assert planner.solve(with_value(study, "delta", least * 0.999)).verdict == "infeasible"
    assert changes["worst_cost"]["to"] is None  # δW is not what is in the way
    dear = with_value(study, "delta", 1e-3)
    largest = next(c for c in limits(planner.solve(dear)) if c["quantity"] == "delta")["to"]
    assert least < largest < 1e-3
    assert planner.solve(with_value(study, "delta", largest * 1.001)).verdict == "infeasible"


def test_an_exact_study_whose_people_a_cap_sets() -> None:
    asked = prices.study_with(
        planner.LaplaceMean(), planner.EpsilonAtMost(0.05), costs=planner.Costs(20.0)
    )
    found = {p.quantity: p for p in planner.prices(planner.solve(asked, prove=False))}
    assert found["error"].cost_of_a_percent == pytest.approx(-329.98, rel=1e-3)
    assert found["error"].participants < 0
