"""Where two ways to run a study cost the same, for several studies: one bar each."""

import math
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.figures.curves import CEILINGS, FLOORS, PLAN, number
from planner.figures.fit import name, text, title
from planner.wording import at_least, at_most

_LIGHT = {FLOORS: "#C6DFF0", CEILINGS: "#F6E1D3"}
"""Of bars, so that words on them are read; the line at the break-even tells them apart in grey."""
_THICK = 0.42
_BEFORE = 3
"""Bars begin so many times under a power of ten: its number then stands inside the picture."""
_RIGHTMOST = 0.05
"""Words stand left of marks that are further right, where they fit."""


class Row(NamedTuple):
    """A study: its name, and the shares between which both ways may cost the same."""

    name: str
    least: float
    most: float

    @property
    def words(self) -> str:
        """The shares as a picture writes them, in percent."""
        if self.least == self.most:
            return f"{at_most(100 * self.most, 3)} %"
        return f"{at_least(100 * self.least, 2)} to {at_most(100 * self.most, 2)} %"


def draw(axes: Axes, rows: list[Row], sides: dict[str, str], words: str, over: str) -> None:
    """Draw a bar for each study: one way is cheaper left of its mark, the other right of it.

    Args:
        axes: where to draw.
        rows: the studies, from above.
        sides: what is cheaper on the left, and on the right, each with its colour of curves.
        words: the title.
        over: what the shares are of.
    """
    first = 10.0 ** math.floor(math.log10(min(row.least for row in rows))) / _BEFORE
    axes.set(xscale="log", xlim=(first, 1), ylim=(len(rows) - 0.4, -1.3), yticks=[])
    left, right = (_LIGHT[colour] for colour in sides.values())
    for at, row in enumerate(rows):
        for low, high, colour, hatch in (
            (first, row.least, left, ""), (row.least, row.most, "white", "////"),
            (row.most, 1.0, right, ""),
        ):  # fmt: skip
            axes.fill_betweenx(
                [at - _THICK / 2, at + _THICK / 2],
                low,
                high,
                fc=colour,
                ec="0.6",
                lw=0,
                hatch=hatch,
            )
        for edge in {row.least, row.most}:
            axes.plot([edge] * 2, [at - _THICK / 2, at + _THICK / 2], "-", c=PLAN, lw=2)
        axes.annotate(
            text(row.name), (0, at - _THICK / 2), (3, 3), xycoords=("axes fraction", "data"),
            textcoords="offset points", va="bottom",
        )  # fmt: skip
        inside = row.most < _RIGHTMOST
        axes.annotate(
            row.words, (row.most if inside else row.least, at), (4 if inside else -4, 0),
            textcoords="offset points", va="center", ha="left" if inside else "right",
        )  # fmt: skip
    for (side, colour), place, align in zip(
        sides.items(), (0.01, 0.99), ("left", "right"), strict=True
    ):
        axes.annotate(
            side, (place, 0.99), xycoords="axes fraction", va="top", ha=align, color=colour
        )
    axes.xaxis.set_major_locator(LogLocator(base=100))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{number(100 * x)} %"))
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    name(axes, over, "")
    title(axes, words)
