"""`planner figures`: draw every figure."""

from pathlib import Path
from typing import Annotated

import typer


def figures(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="Folder of the files; created if needed.")
    ] = Path("build/figures"),
) -> int:
    """Draw every figure as SVG and PNG."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or "cannot be created").lower()
        raise typer.BadParameter(f"{folder}: {reason}; give another folder") from None
    from planner.cli.terminal import console, progress
    from planner.figures.gallery import GALLERY
    from planner.figures.save import FORMATS, save
    from planner.output import check_target

    check_target(folder / "figure.svg", FORMATS)
    for entry in progress(GALLERY, "drawing"):
        paths = [folder / f"{entry.name}{suffix}" for suffix in (".svg", ".png")]
        save(entry.draw, *paths, width=entry.width, height=entry.height)
    console().print(f"{len(GALLERY)} figures, each as SVG and PNG, are in {folder}")
    return 0
