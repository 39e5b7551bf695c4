"""The error of a mean is said in the unit of its values."""

from dataclasses import replace

import pytest

import planner
from planner.explanation.results.changes import (
    cost_per_unit,
    limit_in_words,
    relaxations_in_words,
    tightenings_in_words,
)

AGES = planner.Study(
    planner.LaplaceMean(analysis="hoeffding"),
    planner.Accuracy.of_values(2.0, 18.0, 65.0, 0.05),
    planner.Individual(12.5),
    [planner.Budget(3000.0)],
    planner.Costs(per_person=5.0),
    currency="EUR",
)


@pytest.mark.parametrize(("error", "low", "high"), [(2.0, 18, 65), (0.1, 0, 0.7), (1e4, -3, 1e5)])
def test_an_error_is_read_back_as_it_was_given(error: float, low: float, high: float) -> None:
    target = planner.Accuracy.of_values(error, low, high, 0.05)
    assert target.in_unit(target.error) == error
    assert planner.Accuracy(0.05, 0.05).in_unit(0.3) == 0.3


@pytest.mark.slow
def test_what_to_relax_is_in_years_and_is_enough() -> None:
    changes = planner.limits(AGES)
    (words,) = (w for w in relaxations_in_words(changes, AGES) if w.startswith("a margin"))
    assert words.startswith("a margin of error of 5.68 ")
    assert "instead of 2 is enough" in words
    years = float(words.split()[5])
    relaxed = replace(AGES, target=planner.Accuracy.of_values(years, 18.0, 65.0, 0.05))
    assert planner.solve(relaxed).verdict == "feasible"


@pytest.mark.slow
def test_a_limit_and_what_can_be_tightened_are_in_years() -> None:
    end = planner.limit(AGES, "error")
    assert end is not None
    assert limit_in_words(end, "error", AGES) == "Feasible down to a margin of error of 5.68."
    rich = replace(AGES, conditions=(planner.Budget(100_000.0),))
    words = tightenings_in_words(planner.limits(rich), rich)
    assert any(w.startswith("the margin of error can fall from 2 to ") for w in words)


def test_a_price_is_per_year() -> None:
    rich = planner.solve(replace(AGES, conditions=()))
    price = next(p for p in planner.prices(rich) if p.quantity == "error")
    assert price.cost is not None
    assert cost_per_unit(rich.study, price) == pytest.approx(price.cost / 47)
    assert cost_per_unit(None, price) == pytest.approx(price.cost / 100)  # a percentage point
