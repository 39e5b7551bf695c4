"""The picture of a test's power, read back from its axes: shares in percent."""

from dataclasses import replace

import pytest
from matplotlib.figure import Figure

import planner
from planner.figures import power
from tests.figures.overlaps import faults, over_curves


@pytest.fixture(scope="module")
def plan() -> planner.answer.Plan:
    return planner.solve(
        planner.Study(
            planner.NoisyCounts(),
            planner.Power(null=0.3, alternative=0.35, power=0.8, significance=0.05, sides=1),
            planner.Individual(12.5, 1274.0),
            costs=planner.Costs(per_person=5.0, overhead=2000.0),
        ),
        prove=False,
    )


@pytest.mark.slow
def test_power_significance_and_change_are_in_percent(plan) -> None:
    figure = Figure(figsize=(8.6, 4.8))
    power.draw(figure, plan)
    people, change = figure.axes
    said = [" ".join(note.get_text().split()) for axes in figure.axes for note in axes.texts]
    assert f"{plan.participants:,} people, power 80 %" in said
    assert "a change of 5 points, power 80 %" in said
    assert said.count("significance 5 %") == 2
    (mark,) = [line for line in change.lines if line.get_marker() == "o"]
    at, reached = mark.get_xydata()[0]
    assert reached >= 0.8
    assert change.xaxis.get_major_formatter()(at) == "5"
    assert people.yaxis.get_major_formatter()(reached) in ("80 %", "80.0 %", "81 %")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(8.6, 4.8), (8.0, 4.2), (4.2, 7.6)])
def test_its_words_can_be_read(plan, size) -> None:
    assert faults(lambda figure: power.draw(figure, plan), *size) == []
    assert over_curves(lambda figure: power.draw(figure, plan), *size) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "test",
    [
        planner.Power(null=0.3, alternative=0.301, power=0.8, significance=0.05, sides=1),
        planner.Power(null=0.3, alternative=0.6, power=0.9, significance=0.05, sides=1),
    ],
    ids=["curves side by side", "curves far apart"],
)
def test_every_curve_has_its_name_beside_it(plan, test) -> None:
    other = planner.solve(replace(plan.study, target=test), prove=False)
    figure = Figure(figsize=(8.6, 4.8))
    power.draw(figure, other)
    said = [note.get_text() for note in figure.axes[0].texts]
    assert sum(words.startswith("ε = ") for words in said) == 3
    assert over_curves(lambda figure: power.draw(figure, other), 8.6, 4.8) == []
