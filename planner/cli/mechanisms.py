"""`planner mechanisms`: what makes an answer private, and how accurate it is."""

from textwrap import fill, indent
from typing import Annotated, Any

import typer


def mechanisms(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List the mechanisms, with their accuracy."""
    from sympy import latex

    from planner.cli.terminal import console, print_json, typeset
    from planner.mechanisms import KINDS

    stated = ("summary", "domain", "monotone", "convexity")
    rows: list[dict[str, Any]] = [
        {
            "kind": name,
            "parameters": list(kind.parameters()),
            **{fact: getattr(kind, fact) for fact in stated},
            "formulas": kind.formulas(),
        }
        for name, kind in KINDS.items()
    ]
    if as_json:
        for row in rows:
            row["formulas"] = {name: latex(f) for name, f in row["formulas"].items()}
        print_json(rows)
        return 0
    terminal = console()
    for row in rows:
        terminal.print(f"{row['kind']}: {row['summary']}")
        terminal.print(f"  parameters: {', '.join(row['parameters']) or 'none'}")
        terminal.print(f"  defined for: {row['domain']}")
        terminal.print(f"  monotone: {row['monotone']}")
        terminal.print(f"  convexity: {row['convexity']}")
        for name, formula in row["formulas"].items():
            terminal.print(f"  failure probability at most{name and f' ({name})'}:")
            written = fill(formula.name, 76) if formula.is_Symbol else typeset(formula, "none")
            terminal.print(indent(written, "    "))
        terminal.print()
    terminal.print(
        "With times = 10 any ε-private mechanism answers ten questions; composition = "
        '"optimal", "closed", "advanced" or "basic" selects how their privacy losses are added. '
        'With several [[mechanism]] sections, or kind = "best" (and universe_size and queries '
        "for many questions), the planner chooses the best."
    )
    return 0
