"""Records: a CSV file with a column for each answer, added up exactly in blocks.

Messages name lines and columns, and never quote a value: records are secret.
"""

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.libraries import np
from planner.numbers import Array
from planner.publication.items import STEPS, Item
from planner.wording import named, plain

if TYPE_CHECKING:
    import pyarrow

TRUE = ("1", "true", "True", "TRUE", "yes", "Yes", "YES", "y", "Y")
FALSE = ("0", "false", "False", "FALSE", "no", "No", "NO", "n", "N")
"""The words of an answer; whatever else stands there is refused."""
_BLOCK = 8 << 20  # bytes that are in memory at once; no record may be longer


class RecordsError(ValueError):
    """Records that a plan cannot be run on."""


class Sums(dict[str, Any]):
    """What is computed of the records, by item: whole numbers that nobody may see without noise."""

    def __repr__(self) -> str:
        """No number."""
        return f"<sums of {len(self)} answers>"


def sums_of(path: Path, asked: Sequence[Item], participants: int, clamp: bool = False) -> Sums:
    """The sums of the records that the plan's items need.

    Args:
        path: a CSV file with a header and a column for each item.
        asked: the items.
        participants: N; of more records N are drawn, in two passes, with the operating system's
            randomness.
        clamp: whether numbers out of range are moved to its ends.

    Raises:
        RecordsError: a column is missing, a value is not what it must be, or there are too few
            records.
    """
    import pyarrow

    _check_columns(path, asked)
    try:
        return _sums_of(path, asked, participants, clamp)
    except pyarrow.ArrowInvalid:  # whose message quotes the value
        raise _first_wrong(path, asked, participants, clamp) from None


def _sums_of(path: Path, asked: Sequence[Item], participants: int, clamp: bool) -> Sums:
    """The sums, where the file is a table of values of the right kinds."""
    lots = any(item.participants != participants for item in asked)
    count = sum(block.num_rows for block in _blocks(path, {asked[0].name: ""}))
    if count < participants or (lots and count > participants):
        raise _wrong_number(path, count, participants)
    drawn = _drawn(count, participants) if count > participants else None
    kinds = {item.name: item.kind for item in asked}
    sums, answers, first = Sums(), dict.fromkeys(kinds, 0), 0
    for block in _blocks(path, kinds):
        kept = None if drawn is None else drawn[first : first + block.num_rows]
        first += block.num_rows
        for item in asked:
            column = block.column(item.name)
            if column.null_count and not lots:
                raise _first_wrong(path, asked, participants, clamp)
            values = column.drop_null() if lots else column
            numbers = values.to_numpy(zero_copy_only=False)
            numbers = numbers if kept is None else numbers[kept]
            if _outside(item, numbers) and not (clamp and item.kind == "mean"):
                raise _first_wrong(path, asked, participants, clamp)
            answers[item.name] += len(numbers)
            sums[item.name] = sums.get(item.name, 0) + _added(item, numbers)
    for item in asked:
        if answers[item.name] != item.participants:
            raise _wrong_number(path, answers[item.name], item.participants, item.name)
    return sums


def _wrong_number(path: Path, count: int, wanted: int, column: str = "") -> RecordsError:
    """The refusal of another number of records than planned."""
    where = f"{path}, column {named(column)}," if column else f"{path}"
    return RecordsError(
        f"{where} has {plain(count)} records and the plan is for {plain(wanted)}; collect that "
        "many, or plan again with what there is"
    )


def _added(item: Item, numbers: Array) -> Any:
    """The sum of a block: of ones, of steps of a range, or the count of each group."""
    if item.kind in ("histogram", "quantile"):
        return np.bincount(numbers.astype(np.int64), minlength=item.groups)
    if item.kind == "mean":
        steps = np.rint((numbers - item.low) * (STEPS / (item.high - item.low)))
        return int(np.clip(steps, 0, STEPS).astype(np.int64).sum())
    return int(np.count_nonzero(numbers))


def _outside(item: Item, numbers: Array) -> bool:
    """Whether a value of a block is out of range."""
    if item.kind in ("share", "count") or not len(numbers):
        return False
    low, high = (item.low, item.high) if item.kind == "mean" else (0, item.groups - 1)
    return not bool(((numbers >= low) & (numbers <= high)).all())


def _drawn(count: int, participants: int) -> Array:
    """Which of `count` records are drawn: each set of N is as likely as any other."""
    while True:
        keys = np.frombuffer(os.urandom(8 * count), np.uint64)
        drawn = keys <= np.partition(keys, participants - 1)[participants - 1]
        if np.count_nonzero(drawn) == participants:  # but for a tie of 64 bits
            return drawn


def _check_columns(path: Path, asked: Sequence[Item]) -> None:
    """Refuse a file in which the column of an item is missing, or there twice."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file), [])
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise RecordsError(f"{path}: {reason}; give a CSV file of records") from None
    except (UnicodeDecodeError, csv.Error):
        raise RecordsError(f"{path}: not a CSV file in UTF-8; give one with a header") from None
    for name in (item.name for item in asked):
        if header.count(name) != 1:
            what = "is missing" if name not in header else "is there twice"
            raise RecordsError(
                f"{path}: column {named(name)} {what}; give one column for each question, named "
                "like it in the header"
            )


def _blocks(path: Path, kinds: Mapping[str, str]) -> "Iterator[pyarrow.RecordBatch]":
    """Columns of a file, block by block, with the values of each kind of item; else as text."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    ones, groups = pa.bool_(), pa.int32()
    of = {
        "share": ones,
        "count": ones,
        "histogram": groups,
        "quantile": groups,
        "mean": pa.float64(),
    }
    reader = arrow_csv.open_csv(
        path,
        read_options=arrow_csv.ReadOptions(block_size=_BLOCK, use_threads=False),
        parse_options=arrow_csv.ParseOptions(newlines_in_values=False),
        convert_options=arrow_csv.ConvertOptions(
            include_columns=list(kinds),
            column_types={name: of.get(kind, pa.string()) for name, kind in kinds.items()},
            null_values=[""],
            true_values=list(TRUE),
            false_values=list(FALSE),
        ),
    )
    with reader:
        yield from reader


def _first_wrong(path: Path, asked: Sequence[Item], participants: int, clamp: bool) -> RecordsError:
    """The refusal of the first value that is not what it must be, by line and column."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        for row in reader:
            for item in asked:
                asked_of_all = item.participants == participants
                if wrong := _wrong(item, row[item.name], asked_of_all, clamp):
                    where = f"{path}, line {reader.line_num}, column {named(item.name)}"
                    return RecordsError(f"{where}: {wrong}")
    return RecordsError(f"{path}: not a table of values; give a CSV file, one record a line")


def _wrong(item: Item, text: str | None, needed: bool, clamp: bool) -> str:
    """What is wrong with a value, without the value; "" if nothing is."""
    if not text and not needed:
        return ""
    if not text:
        return "the value is missing; leave the person out, and plan for those who answer"
    if item.kind in ("share", "count"):
        return "" if text in TRUE + FALSE else "not 0 or 1; give 1, true or yes where it holds"
    if item.kind == "mean":
        try:
            number = float(text)
        except ValueError:
            return "not a number"
        if clamp and number == number:
            return ""
        fits = item.low <= number <= item.high
        range_ = f"from {plain(item.low)} to {plain(item.high)}"
        return "" if fits else f"not a number {range_}; correct it, or give --clamp"
    digits = text.lstrip("+").isdecimal()
    fits = digits and int(text) < item.groups
    return "" if fits else f"not the number of a group, 0 to {item.groups - 1}"
