"""`planner sequence`: several studies over the same people."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from planner.answer.sequence_plan import SequencePlan


def sequence(
    studies: Annotated[list[Path], typer.Argument(metavar="STUDY...", help="Files, in order.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Plan several studies over the same people: each raises the base cost of the next.

    Budgets are added up. Exit status: 0 feasible, 1 infeasible, 2 undecided, 64 bad input.
    """
    from planner.answer.sequence import plan_sequence
    from planner.answer.sequence_plan import SequencePlan
    from planner.cli.output import STATUS, console, print_json, working
    from planner.study_file.reader import read_study

    questions = [read_study(path) for path in studies]
    with working("planning the sequence"):
        answer = plan_sequence(questions)
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
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from planner.cli.output import console
    from planner.wording import money, payment, plain

    currency, people = answer.steps[0].study.currency, answer.participants
    console().print(
        f"Sequence: feasible, with the same {plain(answer.participants)} people in every study",
        style="bold",
    )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("study")
    for column in ("ε", "base cost before", "each is paid", "cost"):
        table.add_column(column, justify="right")
    for at, step in enumerate(answer.steps, 1):
        table.add_row(
            Text(step.study.title or f"study {at}"),
            plain(step.epsilon),
            money(step.base_cost, currency),
            payment(step.compensation, people, currency),
            money(step.cost, currency),
        )
    table.add_section()
    table.add_row(
        "together",
        plain(answer.epsilon),
        "",
        payment(answer.compensation, people, currency),
        money(answer.cost, currency),
    )
    console().print(table)
