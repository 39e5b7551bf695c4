"""Figure files: checked before anything is computed, written whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png", ".pdf")
STYLE: Any = {"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "planner"}


def check_target(path: Path) -> None:
    """Refuse a file that could not be written.

    Raises:
        ValueError: the folder does not exist or is not writable, or the format is unknown.
    """
    if path.suffix.lower() not in FORMATS:
        allowed = ", ".join(FORMATS)
        raise ValueError(f"{path}: cannot draw '{path.suffix}' files; end the name in {allowed}")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: folder {path.parent} does not exist; create it first")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise ValueError(f"{path}: cannot be written; give another file")


def save(
    draw: Callable[["Figure"], None], *paths: Path, width: float = 8.6, height: float = 4.8
) -> None:
    """Draw a figure [inches] and write it to each path, in the format of its suffix."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        for path in paths:
            _write(figure, path)


def _write(figure: "Figure", path: Path) -> None:
    part = path.with_name(f".{path.name}.part")
    suffix = path.suffix.lower()[1:]
    try:
        metadata = {"Date": None} if suffix == "svg" else None
        figure.savefig(part, format=suffix, dpi=160, metadata=metadata)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
