"""`planner consent` and `planner methods`: the papers that go with a plan."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.settings import Set, settings_of
from planner.cli.terminal import Force

if TYPE_CHECKING:
    from planner.answer.answers import Plan
    from planner.explanation.papers.sheet import Sheet

_Plan = Annotated[
    Path, typer.Argument(metavar="PLAN", help="A file of planner solve -o, or a study file.")
]
_Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="A .html, .pdf or .md file."),
]


def consent(
    plan: _Plan,
    output: _Output = None,
    contact: Annotated[str, typer.Option(help="Who answers the participants' questions.")] = "",
    coin: Annotated[
        float, typer.Option(help="The smallest coin, to which payments are rounded up.")
    ] = 0.01,
    settings: Set = None,
    force: Force = False,
) -> int:
    """Write a sheet for the participants: what is asked, published, risked and paid.

    Exit status: 0 written, 64 bad input or no plan.
    """
    from planner.explanation.papers.consent import consent as sheet_of

    return _written(sheet_of(_plan_of(plan, settings), contact, coin), plan, output, force)


def methods(plan: _Plan, output: _Output = None, settings: Set = None, force: Force = False) -> int:
    """Write the paragraph on methods for a paper, its citations, and the registry's record.

    Exit status: 0 written, 64 bad input or no plan.
    """
    from planner.explanation.papers.methods import methods as sheet_of

    return _written(sheet_of(_plan_of(plan, settings)), plan, output, force)


def _plan_of(path: Path, settings: list[str] | None) -> "Plan":
    """The plan of a file."""
    from planner.answer.answers import Plan
    from planner.answer.solve import answer_to
    from planner.cli.terminal import working
    from planner.study_file.answer_file import read_given

    with working("planning"):
        answer = answer_to(read_given(path, settings_of(settings)))
    if not isinstance(answer, Plan):
        raise ValueError(f"{path}: the study is {answer.verdict}, so there is no plan to describe")
    return answer


def _written(sheet: "Sheet", plan: Path, output: Path | None, force: bool) -> int:
    """Print a sheet, or write it to a file."""
    from planner.cli.terminal import check_writable, console
    from planner.explanation.papers.sheet import markdown

    if output is None:
        print(markdown(sheet), end="")  # noqa: T201
        return 0
    from planner.reports.sheet import ENDINGS, write

    check_writable(output, ENDINGS, [plan], force)
    write(sheet, output)
    console().print(str(output), soft_wrap=True)
    return 0
