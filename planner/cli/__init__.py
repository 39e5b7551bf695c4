"""The command `planner`: one command a file; nothing heavy is imported before a command runs."""

import sys

BAD_INPUT = 64


def main() -> None:
    """Run the command line and exit with its status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command.

    Returns:
        0 feasible, 1 infeasible, 2 undecided, 64 bad input or wrong usage of the command.
    """
    import typer

    from planner.cli.app import app

    command = typer.main.get_command(app)
    try:
        status = command.main(arguments, prog_name="planner", standalone_mode=False)
    except typer.TyperException as error:
        message = " ".join(error.format_message().split()).replace("Value error, ", "")
        _complain(f"{message}{_hint(message)} See 'planner --help'.")
        return BAD_INPUT
    except typer.Abort:
        _complain("stopped.")
        return 130
    except (ValueError, OSError) as error:
        _complain(_sentence(error))
        return BAD_INPUT
    return status if isinstance(status, int) else 0


def _hint(message: str) -> str:
    """The word that was perhaps meant, where a message lists those that are known."""
    from difflib import get_close_matches

    given, found, known = message.partition(" is not one of ")
    near = get_close_matches(given.split("'")[-2], known.split("'")[1::2], 1) if found else []
    return f" Did you mean {near[0]}?" if near else ""


def _sentence(error: Exception) -> str:
    """The message, of several that pydantic found the first, with the field that it is about."""
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    message = first["msg"].removeprefix("Value error, ")
    field = first["loc"][-1] if first["loc"] else None  # a number where it was not named
    if not isinstance(field, str):
        return message
    return f"{field}{' = ' if first['type'] == 'quantity' else ': '}{message}"


def _complain(message: str) -> None:
    print(f"planner: {message}", file=sys.stderr)  # noqa: T201
