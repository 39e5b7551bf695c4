"""`python -m figures [FOLDER]`: draw every figure as SVG and PNG."""

import sys
from pathlib import Path

FOLDER = Path("build/figures")


def main(arguments: list[str]) -> int:
    """Draw every figure into a folder, made if need be.

    Returns:
        0 where all were drawn, 64 for bad input.
    """
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print("figures: give one folder or none: python -m figures [FOLDER]", file=sys.stderr)  # noqa: T201
        return 64
    folder = Path(arguments[0]) if arguments else FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or "cannot be made").lower()
        print(f"figures: {folder}: {reason}; give another folder", file=sys.stderr)  # noqa: T201
        return 64
    from figures.gallery import GALLERY
    from figures.page import FORMATS, save
    from planner.cli.output import console, progress
    from planner.output import check_target

    check_target(folder / "figure.svg", FORMATS)
    for entry in progress(GALLERY, "drawing"):
        paths = [folder / f"{entry.name}{suffix}" for suffix in (".svg", ".png")]
        try:
            save(entry.draw, *paths, width=entry.width, height=entry.height)
        except ValueError as error:
            print(f"figures: {entry.name}: {error}", file=sys.stderr)  # noqa: T201
            return 64
    console().print(f"{len(GALLERY)} figures, each as SVG and PNG, are in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
