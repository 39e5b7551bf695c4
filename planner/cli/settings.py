"""`--set KEY=VALUE`: another value for a key of the study file, on every command that takes one."""

import sys
from itertools import product
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from planner.study_file.keys import Settings

MOST_TOGETHER = 20
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Another value for a key of the study file, such as budget=84000; repeatable.",
    ),
]


def settings_of(given: list[str] | None) -> "Settings":
    """The one value of each key.

    Raises:
        ValueError: a text is not KEY=VALUE, or a key has several values.
    """
    several = every_setting(given)
    if len(several) > 1:
        raise ValueError(
            "--set takes one value for each key here; planner solve takes several and shows the "
            "plans side by side"
        )
    return several[0]


def every_setting(given: list[str] | None) -> "list[Settings]":
    """The values of all keys, once for each way to choose among several.

    Raises:
        ValueError: a text is not KEY=VALUE, a key is given twice, or there are too many ways.
    """
    if not given:
        return [{}]
    from planner.study_file.keys import looks_like_thousands, setting

    chosen = [setting(each) for each in given]
    keys = [key for key, _ in chosen]
    twice = [key for key in keys if keys.count(key) > 1]
    if twice:
        raise ValueError(
            f"--set {twice[0]} is given twice; give its values together, such as "
            f"--set {twice[0]}=1,2"
        )
    ways = 1
    for _, values in chosen:
        ways *= len(values)
    if ways > MOST_TOGETHER:
        raise ValueError(
            f"--set gives {ways:,} studies; give at most {MOST_TOGETHER}, or use planner sweep"
        )
    for text in filter(looks_like_thousands, given):
        note = f"--set {text} gives several values; for one number leave out the commas"
        print(f"planner: {note}", file=sys.stderr)  # noqa: T201
    return [dict(zip(keys, way, strict=True)) for way in product(*(v for _, v in chosen))]
