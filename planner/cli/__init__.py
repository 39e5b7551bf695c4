"""The command line: a file for each kind of question; heavy imports happen when one is asked."""

import codecs
import os
import sys
from difflib import get_close_matches
from typing import Any

import typer

from planner.cli import app
from planner.cli.terminal import BAD_INPUT, FAULT, STOPPED, complain
from planner.gone import gone_option
from planner.wording import in_ascii, printable

_LEAST_MEMORY = 600 * 10**6
"""Bytes of address space: a sweep with a picture, which loads the most libraries, ran with 604 MB
on 64-bit Linux, and failed inside them with 563."""
_LONGEST = 500
"""Characters of a message: at most seven lines of 80, so that no value fills the screen."""


def main() -> None:
    """Run the command line and exit with its status."""
    _make_room()
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run one command.

    Returns:
        0 feasible, 1 infeasible, 2 undecided, 64 bad input or wrong usage of the command, 70 an
        internal error, 130 stopped.
    """
    if gone := gone_option(arguments):
        _complain(gone)
        return BAD_INPUT
    command = typer.main.get_command(app.app)
    try:
        status = command.main(arguments, prog_name="planner", standalone_mode=False)
    except typer.TyperException as error:
        message = " ".join(error.format_message().split()).replace("Value error, ", "")
        asked = getattr(error, "ctx", None)
        command_path = asked.command_path if asked else "planner"
        _complain(f"{message}{_hint(message)} See '{command_path} --help'.")
        return BAD_INPUT
    except (typer.Abort, KeyboardInterrupt):
        _complain("stopped.")
        return STOPPED
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as error:
        _complain(_sentence(error), getattr(error, "longest", _LONGEST))
        return BAD_INPUT
    except MemoryError:
        _complain("not enough memory; give a smaller study, or more memory.")
        return BAD_INPUT
    except Exception as error:
        _complain(_fault(error))
        return FAULT
    return status if isinstance(status, int) else 0


def _make_room() -> None:
    """Spell letters that the terminal lacks, and refuse to start with too little memory."""

    def spelled(error: UnicodeError) -> tuple[str, int]:
        wrong: Any = error
        return in_ascii(wrong.object[wrong.start : wrong.end]), wrong.end

    codecs.register_error("planner", spelled)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="planner")
    # unused threads take memory of their own
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        import resource
    except ImportError:  # this system has no such limits
        return
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        limit = resource.getrlimit(kind)[0]
        if limit != resource.RLIM_INFINITY and limit < _LEAST_MEMORY:
            _complain(
                f"memory is limited to {limit // 10**6:,} MB (ulimit); at least "
                f"{_LEAST_MEMORY // 10**6:,} MB are needed."
            )
            sys.exit(BAD_INPUT)


def _fault(error: Exception) -> str:
    """The message about an internal error; with --debug the traceback is written to a file."""
    words = f"{type(error).__name__}: {error}"[:200]  # the rest of the message needs as much again
    said = f"internal error ({words}); please report it, with the study file"
    if app.DEBUG.get():
        import tempfile
        import traceback

        with tempfile.NamedTemporaryFile(
            "w", prefix="planner-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            traceback.print_exception(error, file=file)
        return f"{said}. The traceback is in {file.name}."
    return f"{said}. planner --debug writes the traceback to a file."


def _hint(message: str) -> str:
    """A sentence with the nearest known word, where a message lists the known words."""
    given, separator, known = message.partition(" is not one of ")
    near = get_close_matches(given.split("'")[-2], known.split("'")[1::2], 1) if separator else []
    return f" Did you mean {near[0]}?" if near else ""


def _sentence(error: Exception) -> str:
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    message = first["msg"].removeprefix("Value error, ")
    field = first["loc"][-1] if first["loc"] else None  # a number for positional arguments
    if not isinstance(field, str):
        return message
    return f"{field}{' = ' if first['type'] == 'quantity' else ': '}{message}"


def _complain(message: str, longest: int = _LONGEST) -> None:
    """Print a message on standard error, shortened and without control characters."""
    message = printable(message)
    complain(message if len(message) <= longest else message[: longest - 4] + " ...")
