"""No words touch, are cut off or stand on a frame in any figure; no curve hides another."""

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

from planner.figures.gallery import GALLERY, Entry
from planner.figures.save import STYLE
from tests.figures.overlaps import faults, over_each_other


@pytest.mark.parametrize("share", [0.9, 1.0, 1.25])
@pytest.mark.parametrize("entry", GALLERY, ids=lambda entry: entry.name)
def test_no_words_touch(entry: Entry, share: float) -> None:
    assert faults(entry.draw, share * entry.width, entry.height) == []


@pytest.mark.parametrize("entry", GALLERY, ids=lambda entry: entry.name)
def test_curves_that_lie_over_each_other_differ(entry: Entry) -> None:
    with rc_context(STYLE):
        figure = Figure(figsize=(entry.width, entry.height), layout="constrained")
        entry.draw(figure)
        figure.draw_without_rendering()
        assert over_each_other(figure) == []
