"""All commands; their modules import nothing heavier than typer."""

from contextvars import ContextVar
from inspect import cleandoc
from typing import Annotated

import typer

from planner.cli.audit import audit
from planner.cli.check import check
from planner.cli.compare import compare
from planner.cli.explain import explain
from planner.cli.explore import explore
from planner.cli.figures import figures
from planner.cli.glossary import glossary
from planner.cli.guide import guide
from planner.cli.init import init
from planner.cli.ledger import ledger
from planner.cli.limit import limit
from planner.cli.mechanisms import mechanisms
from planner.cli.papers import consent, methods
from planner.cli.plot import plot
from planner.cli.prices import prices
from planner.cli.publish import publish
from planner.cli.report import report
from planner.cli.scenarios import scenarios
from planner.cli.schema import schema
from planner.cli.sequence import sequence
from planner.cli.simulate import simulate
from planner.cli.solve import solve
from planner.cli.sweep import sweep
from planner.study_file.text import LARGEST

DEBUG: ContextVar[bool] = ContextVar("DEBUG", default=False)
app = typer.Typer(
    name="planner",
    help="Plan differentially private studies: ε, δ, participants and money, with proof.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def options(
    debug: Annotated[
        bool, typer.Option("--debug", help="Write the traceback of an internal error to a file.")
    ] = False,
    max_size: Annotated[
        int, typer.Option(metavar="BYTES", help="Maximum size of a study file.", min=1)
    ] = 64_000,
) -> None:
    """Plan differentially private studies: ε, δ, participants and money, with proof."""
    DEBUG.set(debug)
    LARGEST.set(max_size)


def _unbroken(text: str | None) -> str:
    """A docstring with each paragraph on one line, which the terminal then breaks."""
    paragraphs = cleandoc(text or "").split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)


for command in (
    guide,
    init,
    solve,
    check,
    publish,
    ledger,
    consent,
    methods,
    sequence,
    sweep,
    simulate,
    limit,
    compare,
    explain,
    report,
    plot,
    figures,
    prices,
    audit,
    scenarios,
    mechanisms,
    glossary,
    schema,
):
    app.command(help=_unbroken(command.__doc__))(command)
app.command("app", help=_unbroken(explore.__doc__))(explore)
