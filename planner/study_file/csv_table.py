"""Small tables in CSV: strata, sites and a pilot's answers, in the forms that spreadsheets write.

Columns are divided by commas, semicolons or tabs, and numbers may have decimal commas.
"""

import csv
import io
import re
from pathlib import Path
from typing import NamedTuple

from planner.encoding import encoding_of

_COMMA = re.compile(r"[+-]?\d*,\d+")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
"""A number that is written so with a decimal comma, and with one between its thousands."""
_POINT = re.compile(r"[+-]?\d*\.\d+")


class Table(NamedTuple):
    """A table as text.

    Attributes:
        header: the names of its columns.
        rows: the cells of each row that is not empty, with the line in which it ends.
        commas: whether its numbers have decimal commas.
    """

    header: list[str]
    rows: list[tuple[int, list[str]]]
    commas: bool

    def cell(self, text: str) -> str:
        """A cell without blanks about it, and with a decimal point if it is a number."""
        text = text.strip()
        return text.replace(",", ".") if self.commas and _COMMA.fullmatch(text) else text


def read_table(path: str | Path, each: str, refusal: type[ValueError]) -> Table:
    """Read a table.

    Numbers have decimal commas where one of them shows that, as 0,05 does and 1,234 does not, and
    none has a decimal point.

    Args:
        path: a CSV file.
        each: what a row describes, for messages.
        refusal: what is raised.

    Raises:
        ValueError: (as `refusal`) it cannot be read, or has no header.
    """
    try:
        with Path(path).open("rb") as file:
            encoding = encoding_of(file)
            text = file.read().decode(encoding) if encoding else ""
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise refusal(f"{path}: {reason}; give the path of a CSV file") from None
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    try:
        rows = [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise refusal(f"{path}: not valid CSV: {error}") from None
    if not rows:
        raise refusal(
            f"{path}: not a table; give CSV in UTF-8 with a header and a row for each {each}"
        )
    texts = [cell.strip() for _, cells in rows[1:] for cell in cells]
    commas = any(_COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text) for text in texts)
    header = [name.strip() for name in rows[0][1]]
    return Table(header, rows[1:], commas and not any(map(_POINT.fullmatch, texts)))
