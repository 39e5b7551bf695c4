"""Targets: shares, and means of other numbers."""

import math

import pytest

import planner
from planner.checked import Refused
from planner.numbers import decimal


def study(target: planner.Accuracy, analysis: str = "hoeffding") -> planner.Study:
    return planner.Study(
        mechanism=planner.LaplaceMean(analysis=analysis),
        target=target,
        individual=planner.Individual(1.0),
        conditions=[planner.Budget(30_000), planner.MaxParticipants(10_000)],
    )


def test_a_range_of_values_is_a_unit_of_error() -> None:
    ages = planner.Accuracy.of_values(error=2.0, low=18.0, high=65.0, failure=0.05)
    assert decimal(ages.error) <= decimal(2.0) / 47 < decimal(math.nextafter(ages.error, 1.0))
    assert planner.Accuracy.of_values(0.05, 0.0, 1.0, 0.05).error == 0.05
    assert ages.label == "a margin of error of 2 on values from 18 to 65 at 95 % confidence"
    same = planner.Accuracy(error=ages.error, failure=0.05)
    assert planner.solve(study(ages)).cost == planner.solve(study(same)).cost


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((2.0, 65.0, 18.0, 0.05), "low = 65.0 is not below high = 18.0"),
        ((50.0, 18.0, 65.0, 0.05), "error = 50.0 exceeds the range of values; give at most 47"),
        ((0.0, 18.0, 65.0, 0.05), "0.0 is not allowed; give a fraction of 1, from 1e-60"),
    ],
)
def test_refusals(arguments, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        planner.Accuracy.of_values(*arguments)


def test_one_analysis_is_for_shares_only() -> None:
    ages = planner.Accuracy.of_values(error=2.0, low=18.0, high=65.0, failure=0.05)
    with pytest.raises(Refused, match="is for proportions only"):
        study(ages, "paper")
    assert study(ages, "exact").mechanism.values == "any"
