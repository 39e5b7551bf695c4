"""`planner ledger`: what was published, and what that has spent of whom."""

from pathlib import Path
from typing import Annotated

import typer


def ledger(
    path: Annotated[
        Path | None,
        typer.Option("--ledger", metavar="FILE", help="The ledger; your own by default."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List what was published: whose records, when, and what ε and δ that has spent.

    The ledger records; it cannot stop anyone who deletes or copies it.
    """
    from planner.cli.terminal import console, print_json
    from planner.publication.ledger import default_path, entries

    found = entries(path)
    if as_json:
        print_json(found.to_dict())
    else:
        console().print(found)
        console().print(str(path or default_path()), soft_wrap=True)
    return 0
