"""Small tables in CSV: strata, sites and a pilot's answers, in the forms that spreadsheets write.

Columns are divided by commas, semicolons or tabs, and numbers may have decimal commas.
"""

import csv
import io
import re
from pathlib import Path
from typing import NamedTuple

from planner.encoding import encoding_of, stated_separator

_COMMA = re.compile(r"[+-]?\d*,\d+")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
"""A number that is written so with a decimal comma, and with one between its thousands."""
_POINT = re.compile(r"[+-]?\d*\.\d+")


class Table(NamedTuple):
    """A table as text.

    Attributes:
        header: the names of its columns.
        rows: the cells of each row that is not empty, with the line in which it ends.
        commas: the columns whose numbers have decimal commas.
    """

    header: list[str]
    rows: list[tuple[int, list[str]]]
    commas: frozenset[str]

    def cell(self, column: str, text: str) -> str:
        """A cell without blanks about it, and with a decimal point if it is a number."""
        text = text.strip()
        comma = column in self.commas and _COMMA.fullmatch(text)
        return text.replace(",", ".") if comma else text


def read_table(path: str | Path, each: str, refusal: type[ValueError]) -> Table:
    """Read a table.

    The numbers of a column have decimal commas where one of them shows that, as 0,05 does and 1,234
    does not, and none has a decimal point.

    Raises:
        ValueError: (as `refusal`) it cannot be read, or has no header or no rows.
    """
    try:
        with Path(path).open("rb") as file:
            encoding = encoding_of(file)
            text = file.read().decode(encoding) if encoding else ""
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise refusal(f"{path}: {reason}; give the path of a CSV file") from None
    skipped, separator = stated_separator(text)
    text = text.partition("\n")[2] if skipped else text
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator or _separator(text))
    try:
        found = [(reader.line_num + skipped, cells) for cells in reader if cells]
    except csv.Error as error:
        raise refusal(f"{path}: not valid CSV: {error}") from None
    if not found:
        raise refusal(
            f"{path}: not a table; give CSV in UTF-8 with a header and a row for each {each}"
        )
    (_, first), *rows = found
    if not rows:
        raise refusal(f"{path}: no rows; give a header of column names, and a row for each {each}")
    header = [name.strip() for name in first]
    columns = zip(*(cells for _, cells in rows if len(cells) == len(header)), strict=True)
    commas = [name for name, column in zip(header, columns, strict=False) if _has_commas(column)]
    return Table(header, rows, frozenset(commas))


def _separator(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=lambda mark: len(next(csv.reader([first], delimiter=mark), [])))


def _has_commas(column: tuple[str, ...]) -> bool:
    texts = [text.strip() for text in column]
    shown = any(_COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text) for text in texts)
    return shown and not any(map(_POINT.fullmatch, texts))
