"""`planner glossary`: the terms of the project, and what they mean."""

from textwrap import fill
from typing import Annotated

import typer


def glossary(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List the vocabulary: name, symbol, meaning, unit and range of each quantity."""
    from planner.cli.terminal import console, print_json
    from planner.explanation.vocabulary import TERMS, words

    rows = [{name: words(cell) for name, cell in term._asdict().items()} for term in TERMS]
    if as_json:
        print_json(rows)
        return 0
    terminal = console()
    for row in rows:
        terminal.print(f"{row['name']}, {row['symbol']}", style="bold")
        for line in (row["meaning"], f"unit: {row['unit']}; range: {row['range']}", row["says"]):
            terminal.print(fill(line, 80, initial_indent="  ", subsequent_indent="  "))
    return 0
