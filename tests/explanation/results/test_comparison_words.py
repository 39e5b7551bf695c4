"""What privacy costs, in a headline."""

from dataclasses import replace

import planner
from planner.comparison.compare import Comparison
from planner.comparison.sizes import Bracket
from planner.explanation.results.comparison import verdict


def beside(found: Comparison, least: float, most: float) -> str:
    return verdict(replace(found, cost=Bracket(least, most)))


def test_the_headline_says_what_privacy_costs_or_saves(mean_study) -> None:
    found = planner.compare(mean_study(12.5, worst_cost=1274.0))
    cost = found.private.cost
    assert beside(found, cost / 2, cost / 2).startswith("privacy costs ")
    assert beside(found, cost / 2, cost / 2).endswith(" more (100 %)")
    assert beside(found, 2 * cost, 2 * cost).startswith("privacy saves ")
    assert beside(found, 2 * cost, 2 * cost).endswith(" (50 %)")
    assert beside(found, cost, cost) == "both studies cost the same"


def test_it_names_no_amount_that_is_not_known(mean_study) -> None:
    found = planner.compare(mean_study(12.5, worst_cost=1274.0))
    other = replace(found, verdict="non-private")
    assert beside(other, 1.0, 2.0) == "the study that is not private is cheaper"
    assert beside(other, 0.0, 0.0) == "the study that is not private is cheaper"
    unknown = replace(found, verdict="open")
    assert beside(unknown, 1.0, 1e9) == "the bounds do not decide which is cheaper"
