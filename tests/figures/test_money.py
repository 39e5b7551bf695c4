"""Where the money goes, and what accuracy costs."""

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest
from matplotlib.figure import Figure

import planner
from planner.comparison.cost_of_accuracy import cost_of_accuracy
from planner.figures import answers, money

CLINIC = planner.Study(
    planner.LaplaceMean(analysis="hoeffding"),
    planner.Accuracy(error=0.05, failure=0.05),
    planner.Individual(12.5, 1274.0),
    [planner.Budget(30_000.0), planner.MaxParticipants(4000)],
    planner.Costs(per_person=5.0, overhead=2000.0),
    title="Clinic",
    currency="EUR",
)


@pytest.fixture(scope="module")
def plan() -> planner.answer.Plan:
    return planner.solve(CLINIC)


def words(axes) -> str:
    return " ".join(part.get_text() for part in [*axes.texts, axes.title, axes._left_title])


def test_the_parts_add_up_to_the_budget(plan) -> None:
    found = money.segments(plan)
    assert [one.name for one in found] == ["payments", "recruiting", "overhead", "unused"]
    assert sum(Decimal(str(one.amount)) for one in found) == 30_000
    without = planner.solve(replace(CLINIC, conditions=()))
    assert "unused" not in [one.name for one in money.segments(without)]
    alone = replace(CLINIC, costs=planner.Costs(), conditions=(planner.MaxParticipants(4000),))
    (only,) = money.segments(planner.solve(alone))
    assert only.name == "payments"


def test_the_bar_is_as_long_as_the_money(plan) -> None:
    axes = Figure().add_subplot()
    money.draw_bar(axes, plan)
    bars = [(bar.get_x(), bar.get_width()) for bar in axes.patches]
    for (start, length), (after, _) in pairwise(bars):
        assert start + length == pytest.approx(after)
    assert sum(length for _, length in bars) == pytest.approx(30_000)
    (line,) = axes.lines
    assert list(line.get_xdata()) == [30_000] * 2
    assert f"{plan.cost:,.2f} EUR" in axes.get_title(loc="left")
    places = [part.xyann[0] for part in axes.texts]
    assert places == sorted(places)
    assert min(places) > 0
    assert max(places) < 1


def test_the_plan_lies_on_the_curve_and_under_the_budget(plan) -> None:
    axes = Figure().add_subplot()
    money.draw_cost(axes, cost_of_accuracy(plan), plan)
    (mark,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (5, plan.cost)
    said = words(axes)
    for label in ("private", "not private", "budget 30,000 EUR", "the plan"):
        assert label in said
    solid = next(line for line in axes.lines if line.get_linestyle() == "-")
    at = abs(solid.get_xdata() - 5).argmin()
    assert solid.get_ydata()[at] == pytest.approx(plan.least_cost, rel=0.05)


def test_without_a_plan_the_gap_is_drawn() -> None:
    poor = replace(CLINIC, conditions=(planner.Budget(3000.0),))
    answer = planner.solve(poor)
    axes = Figure().add_subplot()
    money.draw_cost(axes, cost_of_accuracy(answer), answer)
    assert "needs\n" in words(axes)
    assert "has 3,000" in words(axes)
    figure = Figure()
    money.draw(figure, answer)
    assert len(figure.axes) == 2  # without a bar
    conflict = figure.axes[1]
    assert "accurate,\nnot allowed" in words(conflict)


def test_a_survey_has_a_bar_what_accuracy_costs_and_a_region() -> None:
    survey = replace(
        CLINIC,
        mechanism=planner.AddedNoise("laplace", "hoeffding"),
        target=planner.Survey([planner.Share("smokes", error=0.05)], failure=0.05),
    )
    answer, figure = planner.solve(survey), Figure()
    money.draw(figure, answer)
    bar, costs, region = figure.axes
    assert bar.patches
    assert costs.get_xlabel().split() == ["margins", "of", "error,", "times", "those", "planned"]
    (mark,) = [line for line in costs.lines if line.get_marker() == "o"]
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (1, answer.cost)
    assert "participants" in region.get_xlabel()


def test_a_survey_without_a_curator_has_a_bar_and_a_region() -> None:
    survey = replace(
        CLINIC,
        mechanism=planner.RandomizedResponse("hoeffding"),
        target=planner.Survey([planner.Share("smokes", error=0.1)], failure=0.05),
        conditions=(),
    )
    figure = Figure()
    money.draw(figure, planner.solve(survey))
    assert len(figure.axes) == 2


def test_an_invented_answer_has_the_planned_interval(plan) -> None:
    axes = Figure().add_subplot()
    answers.draw_example(axes, plan)
    assert "23 % ± 5 points (invented)" in words(axes)
    (interval,) = axes.collections
    ends = sorted(x for x, _ in interval.get_segments()[0])
    assert ends == pytest.approx([18, 28])
    ages = planner.Accuracy.of_values(2.0, 18.0, 65.0, 0.05)
    axes = Figure().add_subplot()
    answers.draw_example(axes, planner.solve(replace(CLINIC, target=ages)))
    assert "29 ± 2 (invented)" in words(axes)
