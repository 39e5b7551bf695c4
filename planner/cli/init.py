"""`planner init`: a study file to begin with."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import Force


def init(
    output: Annotated[
        Path, typer.Argument(metavar="[FILE]", help="The study file to write.")
    ] = Path("study.toml"),
    survey: Annotated[bool, typer.Option("--survey", help="Several questions.")] = False,
    no_curator: Annotated[
        bool, typer.Option("--no-curator", help="Nobody holds the true answers.")
    ] = False,
    plan: Annotated[
        Path | None,
        typer.Option("--from", metavar="PLAN", help="The study of a plan file, to change it."),
    ] = None,
    force: Force = False,
) -> int:
    """Write a commented study file that can be planned, from your replies to a few questions.

    Where input or output is not a terminal nothing is asked, and the file holds an example.
    Exit status: 0 written, 64 bad input.
    """
    from planner.cli.terminal import check_writable, console
    from planner.output import write_whole
    from planner.study_file.answer_file import text_of_study
    from planner.study_file.templates import TEMPLATES

    if survey + no_curator + (plan is not None) > 1:
        raise ValueError("--survey, --no-curator and --from each give a study; give one of them")
    check_writable(output, (".toml",), [plan] if plan else [], force)
    if plan is not None:
        text = text_of_study(plan)
    else:
        name = "survey" if survey else "no-curator" if no_curator else "study"
        text = (TEMPLATES / f"{name}.toml").read_text("utf-8")
        if sys.stdin.isatty() and sys.stdout.isatty():
            from planner.cli.asked import asked

            text = asked(text)
    write_whole(output, lambda part: part.write_text(text, "utf-8"))
    console().print(f"{output}: plan it with planner solve {output}")
    return 0
