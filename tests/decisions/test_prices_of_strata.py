"""Prices of studies with strata whose answer for all people has an error."""

import json
from dataclasses import replace

import pytest

import planner
from planner.answer.problem.vary import with_value
from planner.cli import run
from planner.model.strata import Stratum

STRATA = [Stratum("A", share=0.6), Stratum("B", share=0.4, per_person=20.0)]
OWN = [Stratum("A", share=0.6, error=0.1), Stratum("B", share=0.4, error=0.12, per_person=20.0)]


def study(strata, total, error=0.1):
    return planner.Study(
        planner.LaplaceMean("hoeffding"), planner.Accuracy(error, 0.1),
        planner.Individual(12.5, 1274.0), (planner.Budget(1e5),),
        planner.Costs(per_person=5.0, overhead=100.0), strata=strata, total=total,
    )  # fmt: skip


def cost_at(given, quantity, value) -> float:
    """The cost of the study planned anew, without its budget."""
    return planner.solve(replace(with_value(given, quantity, value), conditions=())).cost


@pytest.mark.slow
@pytest.mark.parametrize("total", ["one-noise", "sum"])
def test_prices_are_what_other_studies_cost(total) -> None:
    given = study(STRATA, total)
    found = {price.quantity: price for price in planner.prices(given)}
    assert set(found) == {"error", "failure", "per_person", "overhead", "base_cost"}
    for quantity, price in found.items():
        if quantity == "overhead":
            assert price.cost == 1.0
            continue
        low, high = price.value * 0.95, price.value * 1.05
        slope = (cost_at(given, quantity, high) - cost_at(given, quantity, low)) / (high - low)
        assert price.cost == pytest.approx(slope, rel=0.1), quantity
    assert found["error"].cost < 0 < found["base_cost"].cost


@pytest.mark.slow
def test_a_budget_that_binds_changes_no_price() -> None:
    given = study(STRATA, "one-noise")
    cost = planner.solve(given).cost
    poor = replace(given, conditions=(planner.Budget(cost * 1.0001),))
    prices = [{p.quantity: p.cost for p in planner.prices(one)} for one in (given, poor)]
    assert prices[0] == pytest.approx(prices[1])


@pytest.mark.slow
@pytest.mark.parametrize("total", ["sum", "both"])
def test_each_error_has_a_price_beside_that_of_all_people(total, tmp_path, capsys) -> None:
    given = study(OWN, total, 0.05)
    found = {price.quantity: price for price in planner.prices(given)}
    assert {"error", "A.error", "B.error"} <= set(found)
    assert all(found[name].cost <= 0 for name in ("A.error", "B.error"))
    low, high = 0.0475, 0.0525
    slope = (cost_at(given, "error", high) - cost_at(given, "error", low)) / (high - low)
    assert found["error"].cost == pytest.approx(slope, rel=0.3)
    planner.solve(given).save(tmp_path / "plan.json")
    assert run(["prices", str(tmp_path / "plan.json"), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [price["quantity"] for price in data] == list(found)
    assert run(["prices", str(tmp_path / "plan.json")]) == 0
    assert "error of 'A'" in capsys.readouterr().out
