"""`planner sequence`: several studies over the same people."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.settings import Set, settings_of

if TYPE_CHECKING:
    from planner.answer.sequence_plan import SequencePlan


def sequence(
    studies: Annotated[
        list[Path], typer.Argument(metavar="STUDY...", help="Study files, in order.")
    ],
    settings: Set = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Plan several studies over the same people: each raises the base cost of the next.

    Budgets are added up. Exit status: 0 feasible, 1 infeasible, 2 undecided, 64 bad input.
    """
    from planner.answer.sequence import plan_sequence
    from planner.answer.sequence_plan import SequencePlan
    from planner.cli.terminal import STATUS, console, print_json, working
    from planner.study_file.reader import read_study

    asked = [read_study(path, settings_of(settings)) for path in studies]
    with working("planning the sequence"):
        answer = plan_sequence(asked)
    if as_json:
        print_json(answer.to_dict())
        return STATUS[answer.verdict]
    if isinstance(answer, SequencePlan):
        _print(answer)
    else:
        console().print(f"Sequence: {answer.verdict}", style="bold")
    console().print(f"{answer.proof.statement} ({answer.proof.method})")
    for note in getattr(answer, "notes", ()):
        console().print(note)
    return STATUS[answer.verdict]


def _print(answer: "SequencePlan") -> None:
    """Print a table of the studies and their total."""
    from planner.cli.terminal import columns, console
    from planner.explanation.results.sequence import CELLS, step_rows, title, total_row

    console().print(columns(title(answer), CELLS, [*step_rows(answer), total_row(answer)]))
