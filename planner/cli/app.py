"""The commands by name: the file of each is imported when it is named, or all are listed."""

from contextvars import ContextVar
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from planner.output import program_version
from planner.study_file.text import LARGEST

_PANELS = {
    "A study, step by step": (
        ("calibrate", "calibrate"),
        ("init", "init"),
        ("solve", "solve"),
        ("what_if", "limit"),
        ("side_by_side", "compare"),
        ("pictures", "plot report"),
        ("explore", "app"),
        ("publication", "consent records publish"),
        ("reference", "guide"),
    ),
    "For auditors, authors and programs": (
        ("explain", "explain simulate"),
        ("what_if", "prices sequence"),
        ("sweep", "sweep"),
        ("payments", "costs payment"),
        ("publication", "check certify methods results ledger"),
        ("reference", "glossary scenarios mechanisms schema audit"),
        ("pictures", "figures"),
    ),
}
"""The panels of the help: files with the commands that they hold, functions of these names."""
COMMANDS = {
    name: file for files in _PANELS.values() for file, names in files for name in names.split()
}
_PANEL_OF = {
    name: panel for panel, files in _PANELS.items() for _, names in files for name in names.split()
}
DEBUG: ContextVar[bool] = ContextVar("DEBUG", default=False)


_WORDS = {"str": "text", "int": "whole number", "float": "number", "path": "file"}
"""What the help says a value is, by its type."""


def _in_words(parameters: list[Any]) -> list[Any]:
    """The parameters; the help says in words what each takes, and nothing beside flags."""
    for one in parameters:
        one._get_number_range_help_str = str  # errors name the range
        if getattr(one, "is_flag", False):
            one.metavar = ""
        elif one.metavar is None or one.param_type_name == "argument":
            one.display_type_rich = partial(_kind, one)
    return parameters


def _kind(one: Any, ctx: Any) -> str:
    kind = one.display_type(ctx).strip("<>").lower()
    if "|" in kind:
        *first, last = kind.split("|")
        return f"{', '.join(first)} or {last}"
    plural = kind.startswith("list[")
    kind = kind.removeprefix("list[").removesuffix("]").removesuffix(" range")
    words = "YYYY-MM-DD" if kind.startswith("%y") else _WORDS.get(kind, kind)
    words = "folder" if one.name == "folder" else words
    return f"{words}s" if plural else words


class Command(TyperCommand):
    """A command."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _in_words(super().get_params(ctx))


class Commands(TyperGroup):
    """The commands, of which each is made when it is asked for."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _in_words(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name; None where there is none, and then all are known for a hint."""
        for name in (cmd_name,) if cmd_name in COMMANDS else COMMANDS:
            if name not in self.commands:
                function = getattr(import_module(f"planner.cli.{COMMANDS[name]}"), name)
                one = typer.Typer(add_completion=False)
                words, panel = _unbroken(function.__doc__), _PANEL_OF[name]
                one.command(name, cls=Command, help=words, rich_help_panel=panel)(function)
                self.commands[name] = typer.main.get_command(one)
        return self.commands.get(cmd_name)


app = typer.Typer(
    cls=Commands,
    name="planner",
    help="Plan differentially private studies: ε, δ, participants and money, with proof.",
    epilog="Exit status: 0 done, feasible or confirmed; 1 infeasible, not confirmed, or records "
    "that would be refused; 2 undecided or incomplete; 64 bad input, or a publication refused; "
    "70 an error in the program; 130 stopped.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(program_version())
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[
        bool, typer.Option("--debug", help="Write the traceback of an internal error to a file.")
    ] = False,
    max_size: Annotated[
        int, typer.Option(metavar="BYTES", help="Maximum size of a study file.", min=1)
    ] = LARGEST.get(),
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Plan differentially private studies: ε, δ, participants and money, with proof."""
    DEBUG.set(debug)
    LARGEST.set(max_size)


def _unbroken(text: str | None) -> str:
    paragraphs = cleandoc(text or "").split("\n\n")
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
