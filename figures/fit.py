"""Words that fit their axes."""

from functools import cache
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.font_manager import FontProperties
from matplotlib.gridspec import GridSpecBase
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.ticker import MaxNLocator

from planner.libraries import np

LINE = 1.3
"""The height of a line of words, in their size."""
_AROUND = (8.5, 6.5)
"""Beside axes stand numbers and a name of two lines, above and below a title, numbers and a name:
so many sizes of letters, with the space between them."""
_NUMBER = 7
"""Sizes of letters from one number on an axis to the next: up to "1,000,000" with a space."""


def text(words: str) -> str:
    """Text for a figure, with dollar signs escaped."""
    return words.replace("$", r"\$")


def size_of(axes: Axes, alone: bool = False) -> np.ndarray[Any, Any]:
    """Width and height of axes [points]; of a grid's, what the words around them leave at least.

    Args:
        axes: the axes.
        alone: whether they have their row of a grid for themselves.
    """
    figure = axes.get_figure(root=True)
    assert figure is not None
    size = np.array(axes.get_window_extent().size)
    if (grid := _grid(axes)) and not alone:
        cell = np.array(figure.bbox.size) / (grid.ncols, grid.nrows)
        size = np.minimum(size, cell - np.array(_AROUND) * rcParams["font.size"] * figure.dpi / 72)
    return size * 72 / figure.dpi


def drawn_size(axes: Axes) -> np.ndarray[Any, Any]:
    """Width and height of axes [points] as the layout of their figure makes them, which it does."""
    figure = axes.get_figure(root=True)
    if figure is not None and (engine := figure.get_layout_engine()):
        engine.execute(figure)
    return size_of(axes, alone=True)


@cache
def width(line: str, size: float) -> float:
    """The width of a line of text [points], by the points that draw it, which is quick."""
    if not line.strip():
        return 0.0
    path = TextPath((0, 0), line, size=size)
    return float(np.ptp(path.vertices[path.codes != Path.CLOSEPOLY, 0]))


def broken(words: str, room: float, size: float) -> str:
    """Words in as many lines as they need, each within the room [points] where its words are."""
    lines: list[str] = []
    for line in words.split("\n"):
        lines.append("")
        for word in line.split(" "):
            longer = f"{lines[-1]} {word}" if lines[-1] else word
            if lines[-1] and width(longer, size) > room:
                lines.append(word)
            else:
                lines[-1] = longer
    return "\n".join(lines)


def balanced(words: str, room: float, size: float) -> str:
    """Words in as few lines as `broken` makes, of about the same length."""
    lines = broken(words, room, size)
    while True:
        room = max(width(line, size) for line in lines.split("\n")) - 1
        shorter = broken(words, room, size)
        if shorter.count("\n") > lines.count("\n") or shorter == lines:
            return lines
        lines = shorter


def name(axes: Axes, x: str, y: str, short_x: str = "", short_y: str = "") -> None:
    """Name both axes, in lines that are no longer than the axes.

    Args:
        axes: the axes.
        x: the name of the horizontal one.
        y: the name of the vertical one.
        short_x: the name where the other needs more than two lines.
        short_y: the same of the vertical one.
    """
    size = _points(rcParams["axes.labelsize"])
    across, up = size_of(axes)
    for words, short, room, write in (
        (x, short_x, across, axes.set_xlabel),
        (y, short_y, up, axes.set_ylabel),
    ):
        lines = balanced(text(words), room, size)
        write(balanced(text(short), room, size) if short and lines.count("\n") > 1 else lines)


def title(axes: Axes, words: str, pad: float | None = None, room: float | None = None) -> None:
    """Write a title, in lines that are no longer than the room [points], by default the axes."""
    room = size_of(axes)[0] if room is None else room
    lines = broken(text(words), room, _points(rcParams["axes.titlesize"]))
    axes.set_title(lines, loc="left", pad=pad)


def spread(axis: Axis) -> None:
    """Put no more numbers on a linear horizontal axis than stand there side by side."""
    letters = size_of(axis.axes)[0] / rcParams["font.size"]
    axis.set_major_locator(MaxNLocator(max(2, int(letters / _NUMBER))))


def among_others(axes: Axes) -> bool:
    """Whether axes have no room beside them: those of a grid, or of a figure that makes none.

    Only a layout engine makes room; without one, axes that a caller gives keep their size.
    """
    figure = axes.get_figure(root=True)
    return _grid(axes) is not None or figure is None or figure.get_layout_engine() is None


def _grid(axes: Axes) -> GridSpecBase | None:
    """The grid that axes are one of; None where they stand alone."""
    place = axes.get_subplotspec()
    if place is None:
        return None
    grid = place.get_topmost_subplotspec().get_gridspec()
    return grid if grid.nrows * grid.ncols > 1 else None


def _points(size: Any) -> float:
    """A size of words, which may be a name, in points."""
    return float(FontProperties(size=size).get_size_in_points())
