"""Records as CSV: the separator, the encoding, and lines that are broken.

The separator is recognised by the columns that a plan needs, the encoding by what can be read.
"""

import codecs
import csv
import io
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from planner.encoding import ENCODINGS, encoding_of, stated_separator
from planner.model import Records
from planner.model.recorded import normal
from planner.publication.record_file import (
    FIRST_ROWS,
    KINDS,
    Block,
    File,
    Ragged,
    RecordsError,
)
from planner.wording import several

_BLOCK = 1 << 20  # bytes that are in memory at once; no record may be longer
_HEAD = 1 << 20  # bytes of the longest header
csv.field_size_limit(_BLOCK)
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}


class Csv(File):
    """Lines of text.

    Attributes:
        separator: what divides cells.
        encoding: by Python's name.
    """

    place = "line"

    def __init__(
        self, name: str, content: Path | bytes, columns: Sequence[str], written: Records
    ) -> None:
        self.name, self._content = name, content
        with self._open() as file:
            encoding = encoding_of(file)
        if encoding is None:
            raise RecordsError(f"{name}: not a CSV file in UTF-8, UTF-16 or Latin-1; {KINDS}")
        self.encoding = encoding
        with self._open() as file:
            head = codecs.getincrementaldecoder(self.encoding)("strict").decode(file.read(_HEAD))
        lines, first = stated_separator(head)
        self._skipped = max(lines, written.header_row - 1)
        body = io.StringIO(head, newline="")
        for _ in range(self._skipped):
            body.readline()
        stated = written.separator or first
        self.separator, self.header = _header(name, body.read(), columns, stated)
        self.first_rows = _first_rows(head, self.separator)
        below = self.first_rows[self._skipped + 1 :]
        self._after = 0 if written.first_row is None else written.first_row - self._skipped - 2
        if written.first_row is None and any(map(_of_qualtrics, below[:2])):
            self._after = 1 if _of_qualtrics(below[0]) else 2
        self.words = f"CSV with {_SEPARATORS[self.separator]}, {ENCODINGS[self.encoding]}"

    def _open(self) -> BinaryIO:
        if isinstance(self._content, bytes):
            return io.BytesIO(self._content)
        return self._content.open("rb")

    def blocks(self, columns: Sequence[str]) -> Iterator[Block]:
        import pyarrow as pa
        from pyarrow import csv as arrow

        def skip(_: Any) -> str:
            self.ragged += 1
            return "skip"

        self.ragged = 0
        unmarked = self.encoding.removesuffix("-sig")  # whose mark stands in the header
        places = {name: str(self.index(name)) for name in columns}
        with (
            self._open() as file,
            arrow.open_csv(
                file,
                read_options=arrow.ReadOptions(
                    block_size=_BLOCK,
                    use_threads=False,
                    encoding=unmarked,
                    column_names=list(map(str, range(len(self.header)))),
                    skip_rows=self._skipped,
                    skip_rows_after_names=1 + self._after,
                ),
                parse_options=arrow.ParseOptions(
                    delimiter=self.separator,
                    newlines_in_values=True,
                    invalid_row_handler=skip,
                    ignore_empty_lines=len(self.header) > 1,
                ),
                convert_options=arrow.ConvertOptions(
                    include_columns=list(dict.fromkeys(places.values())),
                    column_types=dict.fromkeys(places.values(), pa.string()),
                    strings_can_be_null=True,
                    null_values=[""],
                ),
            ) as reader,
        ):
            for batch in reader:
                yield {name: batch.column(place) for name, place in places.items()}

    def _lines(self) -> Iterator[tuple[int, list[str]]]:
        with io.TextIOWrapper(self._open(), encoding=self.encoding, newline="") as text:
            for _ in range(self._skipped):
                text.readline()
            reader, line = csv.reader(text, delimiter=self.separator), self._skipped + 1
            for at, cells in enumerate(reader):
                if at > self._after and (cells or len(self.header) == 1):
                    yield line, cells or [""]
                line = self._skipped + reader.line_num + 1

    def places(self, rows: Collection[int]) -> Callable[[int], int]:
        last, found, row = max(rows, default=-1), {}, 0
        for line, cells in self._lines():
            if row > last:
                break
            if len(cells) == len(self.header):
                if row in rows:
                    found[row] = line
                row += 1
        return lambda row: found.get(row, row + 2)

    def ragged_lines(self, columns: Sequence[str]) -> Iterator[Ragged]:
        for line, cells in self._lines() if self.ragged else ():
            if len(cells) != len(self.header):
                without = tuple(name for name in columns if self.index(name) >= len(cells))
                yield Ragged(line, len(cells), without)


def _first_rows(head: str, separator: str) -> list[list[str]]:
    """The first rows of a file, among which its header is."""
    rows = csv.reader(io.StringIO(head, newline=""), delimiter=separator)
    return list(islice(rows, FIRST_ROWS))


def _of_qualtrics(cells: Sequence[str]) -> bool:
    """Whether a row is the last of a header by Qualtrics, which names its columns in JSON."""
    return any(cells) and all(cell.startswith('{"ImportId"') for cell in cells if cell)


def _header(
    name: str, head: str, columns: Sequence[str], separator: str | None
) -> tuple[str, list[str]]:
    """The separator and the names of the columns."""
    found = {
        each: next(csv.reader(io.StringIO(head, newline=""), delimiter=each), [])
        for each in ([separator] if separator else _SEPARATORS)
    }
    wanted = set(map(normal, columns))
    matched = {each: len(wanted & set(map(normal, cells))) for each, cells in found.items()}
    divides = [each for each, cells in found.items() if len(cells) > 1]
    best = [each for each in divides or found if matched[each] == max(matched.values())]
    if divides and len(best) > 1 and not max(matched.values()):
        longest = max(len(found[each]) for each in best)
        best = [each for each in best if len(found[each]) == longest]
    if divides and len(best) > 1:
        marks = several([_SEPARATORS[each] for each in best], "or")
        raise RecordsError(
            f"{name}: the header may be divided by {marks}; give separator in [records] of the "
            'study file, such as separator = ";"'
        )
    chosen = best[0] if best else next(iter(found))
    return chosen, found[chosen]
