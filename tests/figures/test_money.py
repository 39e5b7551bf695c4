"""Where the money goes, and what accuracy costs."""

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest
from matplotlib.figure import Figure

import planner
from planner.comparison.cost_of_accuracy import cost_of_accuracy
from planner.figures import answers, money
from tests.figures.overlaps import faults, over_curves

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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("budget", [30_000.0, 3000.0, 2100.0])
def test_words_stand_beside_the_curves_of_what_accuracy_costs(budget: float, narrow: bool) -> None:
    """With the last budget, the cost of a less exact study is close to it."""
    study = replace(CLINIC, conditions=(planner.Budget(budget),))
    if budget == 2100.0:
        study = replace(
            study,
            target=planner.Accuracy(error=0.2, failure=0.05),
            individual=planner.Individual(1e-4, 0.1),
        )
    answer = planner.solve(study, prove=False)
    found = cost_of_accuracy(answer)

    def draw(figure: Figure) -> None:
        money.draw_cost(figure.add_subplot(), found, answer)

    size = (4.2, 2.5) if narrow else (8.0, 3.3)
    assert faults(draw, *size) == []
    assert narrow or over_curves(draw, *size) == []


@pytest.mark.slow
def test_a_test_without_a_plan_leaves_no_room_for_a_bar() -> None:
    test = planner.Power(null=0.3, alternative=0.35, power=0.8, significance=0.05, sides=1)
    poor = replace(
        CLINIC, mechanism=planner.NoisyCounts(), target=test, conditions=(planner.Budget(500.0),)
    )
    figure = Figure()
    money.draw(figure, planner.solve(poor, prove=False))
    (region,) = figure.axes
    assert region.get_gridspec().nrows == 1


@pytest.mark.slow
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
