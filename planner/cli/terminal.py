"""Output of commands: JSON for programs, tables of at most 80 columns for people."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from planner.show import as_json

if TYPE_CHECKING:
    import sympy
    from rich.console import Console, Group

Force = Annotated[bool, typer.Option("--force", help="Replace existing files without asking.")]
STATUS = {"feasible": 0, "infeasible": 1, "undecided": 2}
WIDTH = 80
_PATIENCE = 2.0
"""Seconds without a word."""
Item = TypeVar("Item")


def print_json(data: Any) -> None:
    """Print data as JSON; it holds no NaN, and no infinity but as null."""
    print(as_json(data))  # noqa: T201


def typeset(formula: "sympy.Expr", order: str | None = None) -> str:
    """A formula for the terminal; with order "none", its terms as they were given."""
    import sympy

    return str(sympy.pretty(_as_read(formula), use_unicode=True, wrap_line=False, order=order))


def _as_read(formula: "sympy.Expr") -> "sympy.Expr":
    """The formula with the usual names: ln for log, max and min as functions."""
    import sympy

    names = {sympy.log: "ln", sympy.Max: "max", sympy.Min: "min"}
    if formula.is_Relational:  # rebuilt unevaluated: it must not turn into True
        return formula.func(*map(_as_read, formula.args), evaluate=False)
    for function, name in names.items():
        formula = formula.replace(function, sympy.Function(name))
    return formula


def check_writable(path: Path, endings: Iterable[str], inputs: Iterable[Path], force: bool) -> None:
    """Refuse a file that cannot or must not be written; on a terminal, ask before replacing one.

    Raises:
        ValueError: as `output.check_target`.
    """
    from planner.output import check_target

    asked = sys.stdin.isatty() and sys.stderr.isatty()
    check_target(path, endings, inputs, force or asked)
    if asked and not force and path.exists():
        typer.confirm(f"{path} exists; replace it?", abort=True, err=True)


def one_of(given: str, known: Iterable[str], what: str) -> None:
    """Refuse a word that is not known, and name the nearest known one.

    Raises:
        ValueError: it is not one of them.
    """
    from difflib import get_close_matches

    names = [str(name) for name in known]
    if given not in names:
        near = get_close_matches(given, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"give one of {', '.join(names)}"
        raise ValueError(f"{what} = {given!r} is not known; {hint}")


def progress(items: Sequence[Item], words: str) -> Iterable[Item]:
    """The items one by one, with a progress bar on the terminal, else with lines."""
    if not sys.stderr.isatty():
        return _with_lines(items, words)
    from rich.console import Console
    from rich.progress import track

    return track(items, words, console=Console(stderr=True), transient=True)


def working(words: str) -> AbstractContextManager[object]:
    """A spinner on the terminal while something is computed, else a line."""
    if not sys.stderr.isatty():
        return _lines(words)
    from rich.console import Console

    return Console(stderr=True).status(words)


def _with_lines(items: Sequence[Item], words: str) -> Iterator[Item]:
    """The items one by one, with a line on standard error for those that take long."""
    with _lines(words) as say:
        for at, item in enumerate(items, 1):
            say(f"{words}: {at} of {len(items)}")
            yield item


@contextmanager
def _lines(words: str) -> Iterator[Callable[[str], None]]:
    """Says on standard error what is done, where it is new, every two seconds."""
    now, done = [words], Event()

    def tell() -> None:
        told = ""
        while not done.wait(_PATIENCE):
            if now[0] != told:
                told = now[0]
                print(told, file=sys.stderr, flush=True)  # noqa: T201

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield lambda new: now.__setitem__(0, new)
    finally:
        done.set()
        teller.join()


def columns(title: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> "Group":
    """A table with names over its columns: words in the first, numbers in the others."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(names[0], overflow="fold")
    for name in names[1:]:
        table.add_column(name, justify="right", overflow="fold")
    for first, *others in rows:
        table.add_row(Text(first), *others)
    # a title of the table's own would be broken where the table is narrow
    return Group(Text(title, style="bold"), table) if title else Group(table)


def console() -> "Console":
    """A console no wider than 80 columns, with colour only on a terminal."""
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # the reader has closed the pipe

    terminal = Terminal(highlight=False, emoji=False, markup=False, file=sys.stdout)
    terminal.width = min(terminal.width, WIDTH) if terminal.is_terminal else WIDTH
    return terminal
