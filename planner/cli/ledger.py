"""`planner ledger`: what was published, and what that has spent of whom."""

from pathlib import Path
from typing import Annotated

import typer


def ledger(
    path: Annotated[
        Path | None,
        typer.Option("--ledger", metavar="FILE", help="The ledger; your own by default."),
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Keep a damaged ledger, and save what can be read.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List what was published: whose records, when, and what ε and δ that has spent.

    The ledger records; it cannot stop anyone who deletes or copies it. One that is damaged is
    refused; --repair writes it again from the entries that can be read.
    """
    from planner.cli.terminal import console, print_json
    from planner.publication import ledger as ledgers
    from planner.publication.repair import repair as repaired

    found = repaired(path) if repair else ledgers.entries(path)
    if as_json:
        print_json(found.to_dict())
    else:
        console().print(found)
        console().print(str(path or ledgers.default_path()), soft_wrap=True)
    return 0
