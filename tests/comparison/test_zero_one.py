"""How much cheaper than its plan a study of values in a range could be by any analysis."""

import re
from dataclasses import replace

import pytest

import planner
from planner.comparison.zero_one import with_zero_one_values, zero_one_note

AGES = planner.Study(
    planner.LaplaceMean(),
    planner.Accuracy.of_values(3.0, 0.0, 60.0, 0.05),
    planner.Individual(12.5, 12_500.0),
    costs=planner.Costs(per_person=5.0),
    currency="USD",
)
SURVEY = replace(
    AGES,
    mechanism=planner.AddedNoise("laplace"),
    target=planner.Survey(
        [
            planner.Mean("age", low=0, high=60, error=6.0, times=2),
            planner.Share("smokes", error=0.1),
        ],
        failure=0.05,
    ),
)


def note(study: planner.Study, minimise: str = "cost") -> str:
    plan = planner.solve(study, minimise, prove=False)  # type: ignore[arg-type]
    return "".join(zero_one_note(plan))


def test_of_the_named_mean() -> None:
    assert note(AGES) == (
        "No analysis of values in a range can plan this study with the same noise for less than "
        "4,132.34 USD, at most 1.81 % under this plan: values at the two ends of the "
        "range need that much."
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "study", [AGES, SURVEY, replace(AGES, mechanism=planner.GaussianMean(), conditions=[
        planner.Delta(1e-7)])]
)  # fmt: skip
def test_it_is_the_least_cost_of_zero_one_values_and_under_the_plan(study) -> None:
    of_shares = with_zero_one_values(study)
    assert of_shares is not None
    least, cost = (planner.solve(one, prove=False) for one in (of_shares, study))
    words = re.search(r"than ([\d,.]+) USD, at most ([\d.]+) %", note(study))
    assert words is not None
    amount, percent = float(words[1].replace(",", "")), float(words[2])
    assert amount <= least.least_cost <= amount + 0.01
    assert cost.cost * (1 - percent / 100) <= least.least_cost <= cost.cost


def test_a_mean_of_a_survey_becomes_a_share_of_the_same_error_asked_as_often() -> None:
    shares = with_zero_one_values(SURVEY).survey.questions
    assert [(q.name, q.error, q.times) for q in shares] == [("age", 0.1, 2), ("smokes", 0.1, 1)]
    assert {type(q) for q in shares} == {planner.Share}


@pytest.mark.parametrize(
    "study",
    [
        replace(AGES, mechanism=planner.LaplaceMean(analysis="hoeffding")),
        replace(AGES, target=planner.Accuracy(0.05, 0.05),
                mechanism=planner.LaplaceMean(values="zero-one")),
        replace(SURVEY, mechanism=planner.AddedNoise("laplace", "hoeffding")),
        replace(SURVEY, target=planner.Survey([planner.Share("a", error=0.1)], failure=0.05)),
    ],
)  # fmt: skip
def test_where_no_mean_is_planned_by_the_bound_nothing_is_said(study) -> None:
    assert with_zero_one_values(study) is None
    assert note(study) == ""


def test_nothing_is_said_of_plans_that_are_not_the_cheapest() -> None:
    assert note(AGES, "participants") == ""


@pytest.mark.slow
def test_explain_and_compare_say_it() -> None:
    plan = planner.solve(AGES, prove=False)
    (said,) = zero_one_note(plan)
    assert said in planner.explain(plan).to_dict()["notes"]
    assert said in planner.compare(plan).notes
    assert said not in plan.notes
