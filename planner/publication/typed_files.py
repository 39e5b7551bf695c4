"""Records whose cells have types: Parquet, a sheet of a workbook, a table that Python holds."""

import io
import math
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.model import Records
from planner.model.recorded import normal
from planner.publication.record_file import FIRST_ROWS, Block, File, RecordsError
from planner.wording import quoted

if TYPE_CHECKING:
    import pyarrow

_ROWS = 1 << 16  # of a block


class Parquet(File):
    """A Parquet file."""

    words = "Parquet"

    def __init__(self, name: str, content: Path | bytes) -> None:
        self.name, self._content = name, content
        with self._open() as file:
            self.header = list(file.schema_arrow.names)

    def _open(self, texts: Sequence[str] = ()) -> Any:
        """The file; each different text of these columns is read once in a block."""
        import pyarrow as pa
        from pyarrow import parquet

        given = self._content
        source = pa.BufferReader(given) if isinstance(given, bytes) else given
        return parquet.ParquetFile(source, read_dictionary=texts)

    def blocks(self, columns: Sequence[str]) -> Iterator[Block]:
        import pyarrow as pa

        at = {name: self.index(name) for name in columns}
        with self._open() as file:
            schema = file.schema_arrow
        names = [schema.names[place] for place in at.values()]
        texts = [
            name
            for name, place in zip(names, at.values(), strict=True)
            if pa.types.is_string(schema.types[place])
        ]
        with self._open(texts) as file:
            for batch in file.iter_batches(_ROWS, columns=names, use_threads=False):
                yield {name: batch.column(schema.names[place]) for name, place in at.items()}


class Spreadsheet(File):
    """A sheet of an .xlsx workbook: the only one, or the only one with the columns."""

    place = "row"

    def __init__(
        self, name: str, content: Path | bytes, columns: Sequence[str], written: Records
    ) -> None:
        self.name, self._content = name, content
        rows = {}
        with self._book() as book:
            for sheet in book.worksheets:
                last = max(FIRST_ROWS, written.header_row)
                first = sheet.iter_rows(values_only=True, max_row=last)
                rows[sheet.title] = [_texts(cells) for cells in first]
        at = written.header_row - 1
        headers = {title: (some[at] if at < len(some) else []) for title, some in rows.items()}
        wanted = set(map(normal, columns))
        fits = [title for title, header in headers.items() if wanted <= set(map(normal, header))]
        fits = list(headers) if len(headers) == 1 else fits
        if len(fits) != 1:
            which = "several sheets have" if fits else "no sheet has"
            seems = ""
            for self.first_rows in rows.values():
                seems = seems or self.header_seems(columns)
            raise RecordsError(
                f"{name}: {which} all columns of the plan; "
                f"{seems or 'save a workbook with one sheet'}"
            )
        self._sheet, self.header = fits[0], headers[fits[0]]
        self.first_rows = rows[self._sheet]
        self._first = written.first_row or written.header_row + 1
        self.words = "a workbook" if len(headers) == 1 else f"a workbook, sheet {quoted(fits[0])}"

    @contextmanager
    def _book(self) -> Iterator[Any]:
        """The workbook, without the library's warnings: some quote a cell."""
        import openpyxl

        given = self._content
        with (
            warnings.catch_warnings(),
            io.BytesIO(given) if isinstance(given, bytes) else given.open("rb") as source,
        ):
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(source, read_only=True, data_only=True)
            with closing(book):
                yield book

    def blocks(self, columns: Sequence[str]) -> Iterator[Block]:
        places = {name: self.index(name) for name in columns}
        with self._book() as book:
            rows, empty = [], 0
            for cells in book[self._sheet].iter_rows(min_row=self._first, values_only=True):
                if all(cell is None or cell == "" for cell in cells):
                    empty += len(self.header) == 1  # a value is missing, if any follows
                    continue
                rows += [()] * empty
                rows.append(cells)
                empty = 0
                if len(rows) >= _ROWS:
                    yield _columns(rows, places)
                    rows = []
            if rows:
                yield _columns(rows, places)

    def places(self, rows: Collection[int]) -> Callable[[int], int]:
        last, found, at = max(rows, default=-1), {}, 0
        with self._book() as book:
            sheet = book[self._sheet].iter_rows(min_row=self._first, values_only=True)
            for number, cells in enumerate(sheet, self._first):
                if at > last:
                    break
                if len(self.header) == 1 or any(cell not in (None, "") for cell in cells):
                    found[at] = number
                    at += 1
        return lambda row: found.get(row, row + 2)


class InMemory(File):
    """A table that Python holds."""

    def __init__(self, table: Any) -> None:
        self.name, self._lengths = "the records", set[int]()
        if isinstance(table, Mapping):
            self.words, self.header = "a table of arrays", list(map(str, table))
            self._column: Callable[[int], Any] = list(table.values()).__getitem__
        elif hasattr(table, "__arrow_c_stream__") and hasattr(table, "columns"):
            names = getattr(table, "column_names", None) or table.columns
            self.words, self.header = "a table", list(map(str, names))
            self._column = lambda at: _of_table(table, names[at])
        else:
            raise RecordsError(
                f"records are not of type {type(table).__name__}; give a path, - for standard "
                "input, a DataFrame, or a dict of arrays"
            )

    def blocks(self, columns: Sequence[str]) -> Iterator[Block]:
        arrays = {name: _array(self._column(self.index(name))) for name in columns}
        lengths = {len(array) for array in arrays.values()}
        self._lengths |= lengths
        if len(self._lengths) > 1:
            raise RecordsError(f"{self.name}: columns differ in length; give one value a person")
        for start in range(0, max(lengths, default=0), _ROWS):
            yield {name: array.slice(start, _ROWS) for name, array in arrays.items()}


def _texts(cells: Sequence[Any]) -> list[str]:
    """The cells of a row as texts, up to the last that is not empty."""
    texts = ["" if cell is None else str(_text(cell)) for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _columns(rows: Sequence[Sequence[Any]], places: Mapping[str, int]) -> Block:
    return {
        name: _array([row[at] if at < len(row) else None for row in rows])
        for name, at in places.items()
    }


def _of_table(table: Any, name: Any) -> Any:
    return table[name] if not hasattr(table, "column") else table.column(name)


def _array(values: Any) -> "pyarrow.Array":
    import pyarrow as pa

    if hasattr(values, "to_arrow"):
        values = values.to_arrow()
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        try:
            values = pa.array(values, from_pandas=True)
        except (pa.ArrowException, TypeError, OverflowError):  # which quote a value
            values = pa.array(list(map(_text, values)), pa.string())
    return values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values


def _text(value: Any) -> str | None:
    """A cell as text, a number without a mark for decimals: 3.5 is 35e-1."""
    if value is None or str(value) in ("nan", "<NA>"):
        return None
    if isinstance(value, float) and math.isfinite(value):
        sign, digits, exponent = Decimal(repr(value)).as_tuple()
        whole = value.is_integer()
        return str(int(value)) if whole else f"{'-' * sign}{''.join(map(str, digits))}e{exponent}"
    return str(value)
