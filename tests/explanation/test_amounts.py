"""Values with their units, and limits rounded to the feasible side."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given as drawn, strategies as st

import planner
from planner.explanation.amounts import given, number, shown
from planner.wording import confidence, points

CLINIC = planner.Study(
    planner.LaplaceMean(analysis="hoeffding"),
    planner.Accuracy(error=0.05, failure=0.05),
    planner.Individual(12.5),
    [planner.Budget(30_000.0)],
    currency="EUR",
)


@pytest.mark.parametrize(
    ("quantity", "value", "words"),
    [
        ("error", 0.05, "5 percentage points"),
        ("error", 0.07, "7 percentage points"),  # 100 · 0.07 is 7.000000000000001 in floats
        ("failure", 0.05, "5 %"),
        ("base_cost", 12.5, "12.5 EUR"),
        ("participants", 4000, "4,000"),
        ("epsilon", 0.5, "0.5"),
    ],
)
def test_a_given_value_is_exact(quantity: str, value: float, words: str) -> None:
    assert given(CLINIC, quantity, value) == words


def test_money_that_is_computed_is_in_cents() -> None:
    assert given(CLINIC, "base_cost", 17.979197249263926) == "17.98 EUR"
    assert given(CLINIC, "budget", 1_234_567.125) == "1,234,567.125 EUR"


def test_a_limit_is_on_the_feasible_side() -> None:
    assert shown(CLINIC, "base_cost", 304.755467) == "304.75 EUR"  # a largest one
    assert shown(CLINIC, "budget", 6132.341) == "6,132.35 EUR"  # a least one
    assert shown(CLINIC, "error", 0.01619197) == "1.62 percentage points"
    assert shown(CLINIC, "participants", 388.0) == "388"


@drawn(st.floats(1e-3, 1e12), st.sampled_from(["base_cost", "budget", "error", "failure"]))
def test_no_rounding_passes_the_limit(value: float, quantity: str) -> None:
    value = min(value, 1.0) if quantity in ("error", "failure") else value
    read = Fraction(number(CLINIC, quantity, value).replace(",", ""))
    if quantity in ("error", "failure"):
        read /= 100
    exact = Fraction(repr(value))
    assert read <= exact if quantity == "base_cost" else read >= exact


def test_an_error_of_a_question_is_in_its_unit() -> None:
    survey = replace(
        CLINIC,
        mechanism=planner.AddedNoise("laplace", "hoeffding"),
        target=planner.Survey(
            [
                planner.Share("smokes", error=0.03),
                planner.Mean("visits", low=0, high=20, error=0.5),
                planner.Quantile("income", at=0.5, candidates=9, error=0.05),
            ],
            failure=0.05,
        ),
    )
    assert given(survey, "smokes.error", 0.03) == "3 percentage points"
    assert given(survey, "visits.error", 0.5) == "0.5"
    assert given(survey, "income.error", 0.05) == "5 percentage points of rank"


def test_confidence_is_exact() -> None:
    assert confidence(0.05) == "95 % confidence"
    assert confidence(0.001) == "99.9 % confidence"
    assert confidence(1e-9) == "99.9999999 % confidence"
    assert confidence(1e-20) == "confidence 1 − 1e-20"
    assert points(0.29) == "29"
