"""`planner audit`: every claim of Hsu14, checked."""

from typing import Annotated

import typer


def audit(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Check every numerical and logical claim of Hsu14: printed, computed, status, why.

    Status: confirmed; rounded; misprint (an error without consequences); wrong (the conclusion or
    the point fails).
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from planner.audit import claims
    from planner.cli.terminal import console, print_json, progress

    rows = [claim.row() for claim in progress(claims(), "checking")]
    if as_json:
        print_json([row._asdict() for row in rows])
        return 0
    styles = {"confirmed": "", "rounded": "", "misprint": "yellow", "wrong": "bold red"}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_lines=False)
    table.add_column("§", no_wrap=True)
    table.add_column("claim and what is printed", ratio=5, overflow="fold")
    table.add_column("computed", ratio=4, overflow="fold")
    table.add_column("status", no_wrap=True)
    for row in rows:
        slip = row.status in ("misprint", "wrong")
        computed = f"{row.computed} ({row.why})" if slip and row.why else row.computed
        computed += f"; exactly: {row.exact}" if row.exact else ""
        table.add_row(
            row.section,
            Text(f"{row.claim}: {row.printed}"),
            Text(computed),
            Text(row.status, style=styles[row.status]),
        )
    terminal = console()
    terminal.print(table)
    counts = ", ".join(f"{sum(r.status == status for r in rows)} {status}" for status in styles)
    terminal.print(f"{len(rows)} claims: {counts}. All details: planner audit --json")
    return 0
