"""The picture of the bounds on a mean shows each bound's costs, and over the last one's."""

import numpy as np
from matplotlib.figure import Figure

from planner.figures import bounds

ERRORS = np.geomspace(0.02, 0.2, 5)
CURVES = [
    bounds.Bound("loosest", 30 / ERRORS**2, 0.5),
    bounds.Bound("closest", 1.02 / ERRORS**2, 0.5),
    bounds.Bound("least", 1 / ERRORS**2, 0.9, under=True),
]


def test_the_costs_and_the_marked_plan_are_drawn() -> None:
    axes = Figure().add_subplot()
    bounds.draw(axes, ERRORS, CURVES, (0.05, 408.0, "539 people"))
    *curves, mark = axes.lines
    for curve, bound in zip(curves, CURVES, strict=True):
        assert np.array_equal(curve.get_ydata(), bound.costs)
    assert mark.get_xydata().tolist() == [[0.05, 408.0]]
    words = [note.get_text() for note in axes.texts if note.get_text()]
    assert words == ["loosest", "closest", "least", "539 people"]
    styles = {(line.get_linestyle(), line.get_linewidth()) for line in curves}
    assert len(styles) == 3  # they differ in grey too


def test_over_the_last_curve_the_others_are_in_percent() -> None:
    axes = Figure().add_subplot()
    bounds.draw_over_least(axes, ERRORS, CURVES)
    loosest, closest = (line.get_ydata() for line in axes.lines)
    assert np.allclose(loosest, 2900.0)
    assert np.allclose(closest, 2.0)
