"""A file of records: a header, and its columns in blocks.

Messages name columns and options, and never quote a value: records are secret.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from planner.model.recorded import normal
from planner.wording import named

if TYPE_CHECKING:
    import pyarrow

KINDS = "give CSV, .xlsx or Parquet with a header"
_NUMBER = re.compile(r"[+-]?[\d.,]+|")
FIRST_ROWS = 20
"""Rows among which a header is looked for."""
Block = dict[str, "pyarrow.Array"]


class RecordsError(ValueError):
    """Records that a plan cannot be run on."""

    longest = 20_000
    """Characters that are printed of it: all that is wrong is said at once."""


class Ragged(NamedTuple):
    """A line of CSV that has not as many cells as the header.

    Attributes:
        line: counted from 1.
        cells: how many it has.
        without: columns that it does not reach.
    """

    line: int
    cells: int
    without: tuple[str, ...]


class File(ABC):
    """Records with a header.

    Attributes:
        name: in messages.
        words: what was recognised, as a phrase.
        header: the names of the columns.
        first_rows: the first rows of the file, where it has rows before a header.
        place: what a record's place is called.
        ragged: how many lines had more or fewer cells than the header, once it is read.
    """

    name: str
    words: str
    header: list[str]
    first_rows: Sequence[Sequence[str]] = ()
    place = "record"
    ragged = 0

    @abstractmethod
    def blocks(self, columns: Sequence[str]) -> Iterator[Block]:
        """The columns, block by block; a cell is null where it is empty."""

    def places(self, rows: Collection[int]) -> Callable[[int], int]:
        """Where records [counted from 0] stand in the file, counted as people do."""
        del rows
        return lambda row: row + 1

    def ragged_lines(self, columns: Sequence[str]) -> Iterator[Ragged]:
        """The lines that have more or fewer cells than the header."""
        del columns
        return iter(())

    def missing(self, columns: Sequence[str]) -> dict[str, str]:
        """Columns that are not there once, and what is wrong with them, in clauses.

        The header is not quoted: a file without one starts with a record.
        """
        wrong, header = {}, list(map(normal, self.header))
        for name in dict.fromkeys(columns):
            if (count := header.count(normal(name))) != 1:
                known = [other.casefold() for other in header]
                near = get_close_matches(name.casefold(), known, 1) if not count else []
                hint = f"; column {known.index(near[0]) + 1} has a similar name" if near else ""
                what = "is there twice" if count else "is missing"
                wrong[name] = f"column {named(name)} {what}{hint}"
        return wrong

    @property
    def surely_named(self) -> bool:
        """Whether the header is one, and no record: its cells are words that no row repeats."""
        header = list(map(normal, self.header))
        rows = [list(map(normal, cells)) for cells in self.first_rows if list(cells) != self.header]
        alike = any(cell in header and cell for cells in rows for cell in cells)
        numbers = any(_NUMBER.fullmatch(cell) for cell in header)
        return len(set(header)) == len(header) and not alike and not numbers

    def header_seems(self, columns: Sequence[str]) -> str:
        """Which row seems to be the header, and what to give, as a clause; else empty."""
        wanted = set(map(normal, columns))
        for number, cells in enumerate(self.first_rows, 1):
            if wanted <= set(map(normal, cells)):
                return (
                    f"the header seems to be in row {number}; give header_row = {number} in "
                    "[records] of the study file"
                )
        return ""

    def index(self, name: str) -> int:
        return list(map(normal, self.header)).index(normal(name))
