"""Words in pictures of studies do not touch and can be read; the thorough tests look at all."""

from dataclasses import replace

import pytest
from matplotlib.figure import Figure

import planner
from planner.figures import money, region
from planner.figures.curves import number
from planner.figures.labels import Spot, Words
from tests.figures.overlaps import faults, over_curves


@pytest.mark.slow
@pytest.mark.parametrize("width", [7.4, 8.6, 10.8])
@pytest.mark.parametrize("budget", [300.0, 30_000.0])
def test_no_words_touch_in_the_region_of_a_study(width: float, budget: float) -> None:
    answer = planner.solve(
        planner.Study(
            planner.LaplaceMean("hoeffding"),
            planner.Accuracy(0.05, 0.05),
            planner.Individual(12.5, 1274.0),
            [planner.Budget(budget), planner.MaxParticipants(4000)],
            planner.Costs(5.0, 2000.0) if budget > 3000 else planner.Costs(),
            title="Clinic",
            currency="EUR",
        )
    )
    assert faults(lambda figure: region.draw(figure.add_subplot(), answer), width, 4.8) == []


CLINIC = planner.Study(
    planner.LaplaceMean("hoeffding"),
    planner.Accuracy(0.05, 0.05),
    planner.Individual(12.5, 1274.0),
    [planner.Budget(30_000.0)],
    planner.Costs(5.0),
    title="Clinic",
    currency="EUR",
)
SURVEY = planner.Survey([planner.Share("smokes", error=0.05)], failure=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    "study",
    [
        CLINIC,
        replace(CLINIC, conditions=(planner.Budget(500.0),)),
        replace(CLINIC, mechanism=planner.AddedNoise("laplace", "hoeffding"), target=SURVEY),
    ],
    ids=["plan", "no plan", "survey"],
)
def test_the_money_of_a_study_is_read_at_once(study: planner.Study) -> None:
    answer = planner.solve(study, prove=False)
    assert faults(lambda figure: money.draw(figure, answer), 10.0, 5.6) == []


def test_words_that_can_hardly_be_read_are_found() -> None:
    def draw(figure: Figure) -> None:
        axes = figure.add_subplot(facecolor="#A9D8C6", xticks=[], yticks=[])
        axes.text(0.2, 0.8, "faint", color="#D55E00")
        axes.text(0.2, 0.5, "clear", color="black")
        axes.text(0.2, 0.2, "framed", color="#A84300", bbox={"fc": "white", "ec": "none"})

    assert faults(draw, 4.0, 3.0) == ["'faint' has a contrast of 2.5"]


def test_touching_and_cut_words_are_found() -> None:
    def draw(figure: Figure) -> None:
        figure.text(0.5, 0.5, "one")
        figure.text(0.5, 0.5, "two")
        figure.text(0.99, 0.1, "beyond")
        axes = figure.add_subplot(frame_on=False, xticks=[], yticks=[])
        axes.annotate("far", (0.2, 0.3), (0.7, 0.3), arrowprops={"arrowstyle": "-"})
        axes.text(0.4, 0.28, "between")

    assert sorted(faults(draw, 4.0, 3.0)) == [
        "'beyond' is cut off",
        "'one' touches 'two'",
        "the line of 'far' crosses 'between'",
    ]


def test_words_over_curves_and_bars_are_found() -> None:
    def draw(figure: Figure) -> None:
        axes = figure.add_subplot(xlim=(0, 1), ylim=(0, 1))
        axes.plot([0, 1], [0, 1])
        axes.vlines([0.8], 0.0, 0.4)
        axes.text(0.5, 0.5, "curve")
        axes.text(0.75, 0.2, "bar")
        axes.text(0.2, 0.8, "free")

    assert over_curves(draw, 4.0, 3.0) == [
        f"{words!r} lies over a curve" for words in ("curve", "bar")
    ]


@pytest.mark.slow
def test_words_stand_where_nothing_is() -> None:
    def draw(figure: Figure) -> None:
        axes = figure.add_subplot(xlim=(0, 1), ylim=(0, 1))
        axes.plot([0, 1], [0, 1])
        axes.plot(0.5, 0.5, "o")
        words, beside = Words(axes), [Spot((0.5, 0.5), 1, 1), Spot((0.5, 0.5), 1, -1, (8, 4))]
        words.write("below", beside)
        words.write("above", [*beside, Spot((0.5, 0.5), -1, 1, (30, 4))])

    assert faults(draw, 4.0, 3.0) == []
    assert over_curves(draw, 4.0, 3.0) == []


def test_axes_and_colour_bars_write_numbers_alike() -> None:
    for value, words in [
        (0, "0"),
        (0.05, "0.05"),
        (1e-4, "0.0001"),
        (1e-5, "10⁻⁵"),
        (2e-6, "2·10⁻⁶"),
        (30_000, "30,000"),
        (1e8, "100,000,000"),
        (1e12, "10¹²"),
        (5e10, "5·10¹⁰"),
    ]:
        assert number(value) == words
