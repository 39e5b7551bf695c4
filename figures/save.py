"""Figure files in one style."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.output import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png", ".pdf")
STYLE: Any = {"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "planner"}


def save(
    draw: Callable[["Figure"], None],
    *paths: Path,
    width: float = 8.6,
    height: float = 4.8,
    replace: bool = True,
) -> None:
    """Draw a figure [inches] and write it to each path, in the format of its suffix.

    Args:
        draw: draws it on an empty figure.
        paths: the files.
        width: of the figure [inches].
        height: of the figure [inches].
        replace: whether existing files are replaced.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        for path in paths:
            _write(figure, path, replace)


def _write(figure: "Figure", path: Path, replace: bool) -> None:
    """Write a figure to a file, without a date."""
    suffix = path.suffix.lower()[1:]
    metadata = {"Date": None} if suffix == "svg" else None
    write_whole(
        path,
        lambda part: figure.savefig(part, format=suffix, dpi=160, metadata=metadata),
        replace=replace,
    )
