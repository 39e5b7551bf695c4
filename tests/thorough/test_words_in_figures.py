"""No words touch or are cut off in any figure, at three widths."""

import pytest

from planner.figures.gallery import GALLERY, Entry
from tests.figures.overlaps import faults


@pytest.mark.parametrize("share", [0.9, 1.0, 1.25])
@pytest.mark.parametrize("entry", GALLERY, ids=lambda entry: entry.name)
def test_no_words_touch(entry: Entry, share: float) -> None:
    assert faults(entry.draw, share * entry.width, entry.height) == []
