"""The picture of a pilot's answers: it shows what was computed, and no words touch."""

import pytest
from matplotlib.figure import Figure

from planner.figures import acceptance
from tests.figures.overlaps import faults, over_curves
from tests.pilot import pilots
from tests.pilot.test_estimate import of

ESTIMATE = of(pilots.yes_or_no(1))


def draw(figure: Figure) -> None:
    acceptance.draw(figure.add_subplot(), ESTIMATE)


@pytest.mark.slow
@pytest.mark.parametrize("width", [6.4, 8.6])
def test_no_words_touch_and_none_hides_an_interval(width) -> None:
    assert faults(draw, width, 4.8) == []
    assert over_curves(draw, width, 4.8) == []


def test_it_shows_both_estimates() -> None:
    figure = Figure()
    draw(figure)
    (axes,) = figure.axes
    dots = next(line for line in axes.lines if line.get_marker() == "o")
    assert set(dots.get_ydata()) <= set(ESTIMATE.observed.shares)
    (curve,) = [line for line in axes.lines if line.get_label() == "log-normal"]
    x, y = curve.get_data()
    assert y == pytest.approx(ESTIMATE.log_normal.share_up_to(x))
