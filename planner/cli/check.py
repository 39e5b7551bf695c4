"""`planner check`: an answer that was saved, proved again."""

from pathlib import Path
from typing import Annotated

import typer

_CHANGED = "The file was changed after it was written: its digest does not match."


def check(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A file of planner solve -o.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Prove a plan again from its file alone, or that no study exists.

    Each field of the file is proved or computed again, or listed as not checked.
    Exit status: 0 everything holds, 1 something does not, 64 bad input.
    """
    from dataclasses import replace

    from planner.answer.check import check as checked
    from planner.cli.terminal import console, print_json, working
    from planner.study_file.answer_file import read_unchecked

    read = read_unchecked(plan)
    with working("checking"):
        found = checked(read.answer)
    changed = () if read.unchanged else (_CHANGED,)
    found = replace(
        found,
        wrong=(*found.wrong, *read.contradictions, *changed),
        unchecked=(*found.unchecked, *read.unread),
    )
    if as_json:
        print_json(found.to_dict())
    else:
        console().print(found)
    return 0 if found.holds else 1
