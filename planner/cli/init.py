"""`planner init`: a study file to begin with."""

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
    """Write a commented study file that can be planned, to be changed to your own study.

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
    write_whole(output, lambda part: part.write_text(text, "utf-8"))
    console().print(f"{output}: change its numbers, then run planner solve {output}")
    return 0
