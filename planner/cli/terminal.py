"""Output of commands: JSON for programs, tables of at most 80 columns for people."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from planner.libraries import sympy
from planner.show import as_json as json_of

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.text import Text

BAD_INPUT, FAULT, STOPPED = 64, 70, 130
"""Exit statuses: EX_USAGE and EX_SOFTWARE of sysexits.h, and 128 + 2, the number of SIGINT."""
STATUS = {
    "feasible": 0,
    "infeasible": 1,
    "undecided": 2,
    "for all": 0,
    "for none": 1,
    "for some": 2,
}
"""The exit statuses of verdicts, also of those on uncertain numbers."""
WIDTH = 80
"""Columns of text: as many as a terminal has by default."""
_PATIENCE = 2.0
"""Seconds without a word: quick commands print no line, and slow ones do not look dead."""
Item = TypeVar("Item")


class Unbroken(str):
    """A text whose lines the terminal does not break, such as a path that is copied."""


def finish(as_json: bool, data: Any, shown: Iterable[Any] | None = None, status: int = 0) -> int:
    """Print what a command found, and return its exit status.

    Returns:
        The exit status.
    """
    if as_json:
        print(json_of(data() if callable(data) else data))  # noqa: T201
        return status
    terminal = console()
    for part in (data,) if shown is None else shown:
        terminal.print(part, soft_wrap=isinstance(part, Unbroken))
    return status


def complain(message: str) -> None:
    """Print a message on standard error."""
    print(f"planner: {message}", file=sys.stderr)  # noqa: T201


def bold(text: str) -> "Text":
    """A heading."""
    from rich.text import Text

    return Text(text, style="bold")


def typeset(formula: "sympy.Expr", order: str | None = None) -> str:
    """A formula for the terminal; with order "none", its terms as they were given."""
    return str(sympy.pretty(_as_read(formula), use_unicode=True, wrap_line=False, order=order))


def _as_read(formula: "sympy.Expr") -> "sympy.Expr":
    """The formula with the usual names: ln for log, max and min as functions."""
    names = {sympy.log: "ln", sympy.Max: "max", sympy.Min: "min"}
    if formula.is_Relational:  # rebuilt unevaluated: it must not turn into True
        return formula.func(*map(_as_read, formula.args), evaluate=False)
    for function, name in names.items():
        formula = formula.replace(function, sympy.Function(name))
    return formula


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
