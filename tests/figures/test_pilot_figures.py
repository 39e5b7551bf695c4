"""The pictures of a pilot and of what to offer: no words touch, and they show what was computed."""

import pytest
from matplotlib.figure import Figure

from planner.figures import acceptance, gallery, pilots
from tests.figures.overlaps import faults, over_curves


@pytest.mark.slow
@pytest.mark.parametrize("width", [6.4, 8.6])
def test_no_words_touch(width) -> None:
    assert faults(pilots.what_people_ask, width, 4.8) == []
    assert faults(pilots.what_to_offer, width + 1.0, 3.8) == []


@pytest.mark.slow
def test_words_hide_no_interval() -> None:
    assert over_curves(pilots.what_people_ask, 8.6, 4.8) == []
    assert over_curves(pilots.what_to_offer, 8.6, 3.8) == []


def test_the_picture_of_a_pilot_shows_both_estimates() -> None:
    figure, shown = Figure(), pilots._estimate()
    axes = figure.add_subplot()
    acceptance.draw(axes, shown)
    dots = next(line for line in axes.lines if line.get_marker() == "o")
    assert dots.get_ydata() == pytest.approx(shown.observed.shares)
    (curve,) = [line for line in axes.lines if line.get_label() == "log-normal"]
    ends = axes.collections[0].get_segments()
    assert [end[0][1] for end in ends] == pytest.approx(shown.observed.low)
    x, y = curve.get_data()
    assert y == pytest.approx(shown.log_normal.share_up_to(x))


def test_the_picture_of_payments_has_its_least_at_the_mark() -> None:
    figure = Figure()
    pilots.what_to_offer(figure)
    left, right = figure.axes
    curve, mark = right.lines[:2]
    x, y = mark.get_data()
    assert y[0] == pytest.approx(curve.get_ydata().min(), rel=1e-3)
    assert x[0] in left.lines[-1].get_xdata()


def test_the_gallery_has_both() -> None:
    assert {"what-people-ask", "what-to-offer"} <= {entry.name for entry in gallery.GALLERY}
