"""The commands by name: the file of each is imported when it is named, or all are listed."""

from contextvars import ContextVar
from importlib import import_module
from inspect import cleandoc
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from planner.study_file.text import LARGEST

_FILES = (
    ("reference", "guide"),
    ("init", "init"),
    ("payments", "costs payment"),
    ("solve", "solve"),
    ("publication", "certify check records publish results ledger consent methods"),
    ("what_if", "sequence"),
    ("sweep", "sweep"),
    ("explain", "simulate"),
    ("what_if", "limit"),
    ("side_by_side", "compare"),
    ("explain", "explain"),
    ("pictures", "report plot figures"),
    ("what_if", "prices"),
    ("reference", "audit scenarios mechanisms glossary schema"),
    ("explore", "app"),
)
"""Files with the commands that they hold, functions of these names, in the order of the help."""
COMMANDS = {name: file for file, names in _FILES for name in names.split()}
DEBUG: ContextVar[bool] = ContextVar("DEBUG", default=False)


class Commands(TyperGroup):
    """The commands, of which each is made when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name; None where there is none, and then all are known for a hint."""
        for name in (cmd_name,) if cmd_name in COMMANDS else COMMANDS:
            if name not in self.commands:
                function = getattr(import_module(f"planner.cli.{COMMANDS[name]}"), name)
                one = typer.Typer(add_completion=False)
                one.command(name, help=_unbroken(function.__doc__))(function)
                self.commands[name] = typer.main.get_command(one)
        return self.commands.get(cmd_name)


app = typer.Typer(
    cls=Commands,
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
    ] = LARGEST.get(),
) -> None:
    """Plan differentially private studies: ε, δ, participants and money, with proof."""
    DEBUG.set(debug)
    LARGEST.set(max_size)


def _unbroken(text: str | None) -> str:
    """A docstring with each paragraph on one line, which the terminal then breaks."""
    paragraphs = cleandoc(text or "").split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
