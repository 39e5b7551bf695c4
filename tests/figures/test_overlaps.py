"""No words touch in pictures of studies; every figure is looked at in the thorough tests."""

import pytest
from matplotlib.figure import Figure

import planner
from planner.figures import region
from planner.figures.curves import number
from tests.figures.overlaps import faults


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


def test_touching_and_cut_words_are_found() -> None:
    def draw(figure: Figure) -> None:
        figure.text(0.5, 0.5, "one")
        figure.text(0.5, 0.5, "two")
        figure.text(0.99, 0.1, "beyond")

    assert faults(draw, 4.0, 3.0) == ["'one' touches 'two'", "'beyond' is cut off"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"), (0.05, "0.05"), (1e-4, "0.0001"), (1e-5, "10⁻⁵"), (2e-6, "2·10⁻⁶"),
        (30_000, "30,000"), (1e8, "100,000,000"), (1e12, "10¹²"), (5e10, "5·10¹⁰"),
    ],
)  # fmt: skip
def test_axes_and_colour_bars_write_numbers_alike(value: float, words: str) -> None:
    assert number(value) == words
