"""Records, read in blocks and added up exactly; and all that is wrong with them, at once.

Messages name lines and columns, and never quote a value: records are secret.

That each person has one record: the noise hides one of each, and a second would show.
"""

import io
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path
from typing import Any, TypeVar

from planner.libraries import np
from planner.model import Records
from planner.model.recorded import normal
from planner.numbers import Array
from planner.publication.csv_file import Csv
from planner.publication.items import Item
from planner.publication.reading import (
    COMMA,
    FIRST,
    GIVE_THOUSANDS,
    IN,
    Fault,
    Faults,
    Marks,
    Seen,
    merged,
    ragged,
    reader_of,
)
from planner.publication.record_file import KINDS, File, RecordsError
from planner.publication.rows import one_each, out_of_range, people_in, refuse_rows
from planner.publication.typed_files import InMemory, Parquet, Spreadsheet
from planner.wording import named, not_installed, plain

_ZIP, _PARQUET = b"PK\x03\x04", b"PAR1"
_UNREADABLE = {
    b"\xd0\xcf\x11\xe0": "an old spreadsheet; save it as .xlsx or as CSV",
    b"\x1f\x8b": "compressed; unpack it first",
}
"""By their first bytes, what other files are."""
NOT_FOR_PUBLICATION = "These counts are for you alone: do not publish them."
_TWO_WAYS = (
    "written like 1{0}234, which can be read in two ways: in [records] of the study file give "
    'thousands = "{0}" if it is 1234, or decimal = "{0}" if it is 1.234'
)
_UNCLEAR, _UNCLEAR_POINTS = _TWO_WAYS.format(","), _TWO_WAYS.format(".")
_MIXED = (
    "a number with a comma, where others have decimal points; write all alike, or where commas "
    f"stand between thousands {GIVE_THOUSANDS},{IN}"
)
_COLUMNS = (
    "give a column for each question, named like it in the header, or name it by column in the "
    "[[question]], or in [records] where one question is asked"
)
_TOO_MUCH = "the rows of {0} people in column {1} add up to a number out of range; plan a wider one"
_MOST_FAULTS = 40  # kinds that are listed: two for each question of a long questionnaire

Made = TypeVar("Made")


class Sums(dict[str, Any]):
    """What is computed of the records, by item: whole numbers that nobody may see without noise."""

    def __repr__(self) -> str:
        return f"<sums of {len(self)} answers>"


@dataclass(frozen=True, repr=False)
class Reading:
    """Records that were read once.

    Attributes:
        file: what was read.
        asked: the items whose columns are there.
        participants: N.
        clamp: whether numbers out of range were moved to its ends.
        decimal: the mark of decimals by which numbers were read.
        thousands: the mark between thousands.
        empty: the words that stand for no answer.
        rows: which of several rows is the record of a person; empty where each row is one.
        people: the number of the person of each row; None where each row is one.
        count: how many records there are.
        seen: what was read of each item, for whoever holds the records.
        answers: how many records have an answer, by item.
        sums: of all of them, by item; of no use where anything is wrong.
        faults: what is wrong with cells and lines, of each column and kind once.
        wrong: what is wrong with the file as a whole, in clauses.
    """

    file: File
    asked: tuple[Item, ...]
    participants: int
    clamp: bool
    decimal: str = "."
    thousands: str | None = None
    empty: tuple[str, ...] = ()
    rows: str = ""
    people: Array | None = None
    count: int = 0
    seen: dict[str, Seen] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    sums: Sums = field(default_factory=Sums)
    faults: tuple[Fault, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def recognised(self) -> str:
        commas = ", decimal commas" if self.decimal == "," else ""
        records = f"{plain(self.count)} record{'' if self.count == 1 else 's'}"
        return f"{self.file.name}: {self.file.words}{commas}; {records}"

    @property
    def clauses(self) -> list[str]:
        return [*self.wrong, *(fault.words for fault in self.faults)]

    def refuse(self) -> None:
        """Raise all that is wrong, if anything is.

        Raises:
            RecordsError: with a line for each fault.
        """
        if self.wrong or self.faults:
            single = len(self.wrong) + sum(fault.count for fault in self.faults) == 1
            raise refusal(self.file.name, self.clauses, counted=not single)

    def chosen(self, people: int | None = None) -> Sums:
        """The sums of so many records, N by default: of all, or of those that are drawn here.

        Raises:
            RecordsError: something is wrong, or there are fewer.
        """
        self.refuse()
        people = self.participants if people is None else people
        if self.count < people:
            raise refusal(self.file.name, [_wrong_number(self.count, people)])
        if self.count == people:
            return self.sums
        drawn = _drawn(self.count, people)
        again = guarded(self.file.name, lambda: _pass(self, self.decimal, drawn))
        if again.count != self.count:
            raise RecordsError(f"{self.file.name} has changed while it was read; publish again")
        return again.sums


def sums_of(
    records: Any,
    asked: Sequence[Item],
    participants: int,
    clamp: bool = False,
    written: Records | None = None,
) -> Sums:
    """The sums of the records that the plan's items need.

    Args:
        records: a file, "-" for standard input, a DataFrame or a mapping of arrays, with a column
            for each item.
        asked: the items.
        participants: N; of more records N are drawn, in a second pass, with the operating system's
            randomness.
        clamp: whether numbers out of range are moved to its ends.
        written: how the records are written.

    Raises:
        RecordsError: a column is missing, a value is not what it must be, or there are too few
            records.
    """
    return read(records, asked, participants, clamp, written).chosen()


def read(
    records: Any,
    asked: Sequence[Item],
    participants: int,
    clamp: bool = False,
    written: Records | None = None,
) -> Reading:
    """Read records once; arguments as of `sums_of`. What is wrong is part of the reading.

    Another number of records than planned is wrong only where each question has people of its own.

    Raises:
        RecordsError: the file cannot be read.
    """
    written = written or Records()
    columns = list(dict.fromkeys(name for item in asked for name in item.columns))
    file = opened(records, columns, written)
    missing = file.missing(columns)
    remedy = file.header_seems(columns) or _COLUMNS
    wrong = [*list(missing.values())[:-1], *(f"{x}; {remedy}" for x in [*missing.values()][-1:])]
    there = tuple(item for item in asked if not missing.keys() & {*item.columns})
    start = Reading(
        file,
        there,
        participants,
        clamp,
        thousands=written.thousands,
        empty=written.empty,
        wrong=tuple(wrong),
    )
    if written.rows is not None and written.of_each == 1 and written.person is not None and there:
        refuse_rows(written.rows, there)
        start = guarded(file.name, lambda: _of_people(start, written.person or ""))
        start = replace(start, rows=written.rows)
    if not there:
        return guarded(file.name, lambda: replace(start, count=_rows(file)))
    return guarded(file.name, lambda: _pass(start, written.decimal))


def _rows(file: File) -> int:
    """How many records there are, of which no column is known."""
    whole = isinstance(file, Csv | Spreadsheet | Parquet | InMemory)
    names = [name for name in file.header if whole and normal(name) and not file.missing([name])]
    blocks = file.blocks(names[:1]) if names else ()
    return sum(len(block[names[0]]) for block in blocks)


def _of_people(start: Reading, column: str) -> Reading:
    """The reading with the person of each row."""
    if missing := start.file.missing([column]):
        words = f"{missing[column]}; give the one that names each person"
        return replace(start, wrong=(*start.wrong, words))
    people, nobody = people_in(start.file, column)
    if not len(people):
        return start
    place = start.file.places(set(map(int, nobody[:FIRST])))
    at = tuple(place(int(row)) for row in nobody[:FIRST])
    faults = (Fault(column, NOBODY, len(nobody), at, start.file.place),) if at else ()
    return replace(start, people=people, faults=faults)


def path_of(records: Any) -> Path | None:
    """The path of records; None for standard input and for what Python holds."""
    is_path = isinstance(records, str | os.PathLike) and str(records) != "-"
    return Path(records) if is_path else None


def opened(records: Any, columns: Sequence[str], written: Records) -> File:
    """The file of records, recognised by what it holds and not by its name.

    Args:
        records: a path; "-" for standard input; a DataFrame, or a mapping of names to arrays; or
            what was opened before.
        columns: the columns that the plan needs, by which a separator or a sheet is recognised.
        written: how it is written: what divides cells of CSV, and where its header is.

    Raises:
        RecordsError: it cannot be read, or in two ways.
    """
    if isinstance(records, File):
        return records
    if not isinstance(records, str | os.PathLike):
        return guarded("the records", lambda: InMemory(records))
    name = "standard input" if str(records) == "-" else str(records)
    return guarded(name, lambda: _opened(name, records, columns, written))


def _opened(
    name: str, records: str | os.PathLike[str], columns: Sequence[str], written: Records
) -> File:
    from_input = str(records) == "-"
    content = sys.stdin.buffer.read() if from_input else Path(records)
    try:
        with io.BytesIO(content) if isinstance(content, bytes) else content.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise RecordsError(f"{name}: {reason}; {KINDS}") from None
    for mark, what in _UNREADABLE.items():
        if start.startswith(mark):
            raise RecordsError(f"{name}: {what}")
    if start == _PARQUET:
        return Parquet(name, content)
    if start == _ZIP:
        return Spreadsheet(name, content, columns, written)
    return Csv(name, content, columns, written)


def _pass(
    of: Reading, decimal: str | None, drawn: Array | None = None, no_blanks: bool = False
) -> Reading:
    """Read all records, or those that are drawn; once more where a mark is told by later ones."""
    file = of.file
    columns = list(dict.fromkeys(name for item in of.asked for name in item.columns))
    lots = any(item.participants != of.participants for item in of.asked)
    decimal = decimal or {",": ".", ".": ","}.get(of.thousands or "")
    marks = Marks(decimal, of.thousands, of.empty, no_blanks=no_blanks)
    faults, count = Faults(), 0
    needed_each = not lots and of.people is None
    readers = [reader_of(item, needed_each, of.clamp, marks, faults) for item in of.asked]
    held: dict[str, list[tuple[Array, Array]]] = {item.name: [] for item in of.asked}
    beyond: list[str] = []
    sums: Sums = Sums()
    answers = dict.fromkeys((item.name for item in of.asked), 0)
    for block in file.blocks(columns):
        for reader in readers:
            item = reader.item
            values, there = reader.read_block(block, count)
            if of.people is not None:
                held[item.name].append((values, there))
                continue
            kept = there if drawn is None else there & drawn[count : count + len(there)]
            number = int(np.count_nonzero(kept))
            answers[item.name] += number
            used = values if number == len(values) else values[kept]
            sums[item.name] = sums.get(item.name, 0) + _added(item, used)
        if marks.show_commas:
            return _pass(of, ",", drawn, no_blanks)
        if not no_blanks and any(one.seen.divided and one.seen.by_blanks for one in readers):
            return _pass(of, decimal, drawn, no_blanks=True)
        count += len(next(iter(block.values())))
    if of.people is not None:
        count = int(of.people.max()) + 1
        for item in of.asked:
            values, there = (np.concatenate(some) for some in zip(*held[item.name], strict=True))
            one, there = one_each(item, of.rows, values, there, of.people)
            kept = there if drawn is None else there & drawn
            answers[item.name] = int(np.count_nonzero(kept))
            sums[item.name] = _added(item, one[kept])
            beyond += [item.column] * out_of_range(item, one, there)
    needed = () if lots else [c for i in of.asked if i.if_missing is None for c in i.columns]
    count += file.ragged
    lines = ragged(file.ragged_lines(needed), len(file.header))
    found = merged([*of.faults, *placed(file, faults, marks), *lines])
    wrong = [*of.wrong, *(_TOO_MUCH.format(n, named(name)) for name, n in Counter(beyond).items())]
    if lots and count != of.participants:
        wrong.append(_wrong_number(count, of.participants))
    elif not found:
        for item in of.asked:
            wanted = item.participants if lots else int(drawn.sum()) if drawn is not None else count
            if answers[item.name] != wanted:
                words = _wrong_number(answers[item.name], wanted)
                wrong.append(f"column {named(item.column)}, {words}")
    if marks.unclear_points:
        wrong.append(f"{plain(marks.points)} numbers are {_UNCLEAR_POINTS}")
    mark = marks.decimal or "."
    seen = {reader.item.name: reader.seen for reader in readers}
    return replace(
        of,
        decimal=mark,
        count=count,
        seen=seen,
        answers=answers,
        sums=sums,
        faults=tuple(found),
        wrong=tuple(wrong),
    )


def placed(file: File, faults: Faults, marks: Marks) -> Iterator[Fault]:
    """The faults of cells with their places."""
    if not faults.rows:
        return
    place = file.places({row for several in faults.rows.values() for row in several})
    told = set()
    for (name, column, why), count in faults.counts.items():
        if (column, why) in told:  # by another item of this column
            continue
        told.add((column, why))
        comma = _MIXED if marks.points else _UNCLEAR
        at = tuple(map(place, faults.rows[name, column, why]))
        words = faults.near.get((column, why), Counter()).most_common(1)
        near = words[0][0] if words else ""
        yield Fault(column, comma if why == COMMA else why, count, at, file.place, near)


def refusal(name: str, clauses: Sequence[str], counted: bool = False) -> RecordsError:
    """The refusal of records for one or several reasons."""
    end = [NOT_FOR_PUBLICATION] if counted else []
    if len(clauses) == 1:
        first = clauses[0].split()[0].rstrip("s")
        joint = {"ha": " ", "line": ", ", "row": ", ", "record": ", "}.get(first, ": ")
        return RecordsError("\n".join([f"{name}{joint}{clauses[0]}", *end]))
    lines = [f"- {each}" for each in clauses[:_MOST_FAULTS]]
    if len(clauses) > _MOST_FAULTS:
        lines.append(f"- {len(clauses) - _MOST_FAULTS} more kinds of faults")
    return RecordsError("\n".join([f"{name}: refused, since", *lines, *end]))


def guarded(name: str, make: Callable[[], Made]) -> Made:
    """What is made of a file; an error of a library, which may quote a value, is named by kind."""
    try:
        return make()
    except (RecordsError, MemoryError):
        raise
    except ImportError as error:
        missing = not_installed("these records need", error.name, "records")
        raise RecordsError(missing) from None
    except Exception as error:
        kind = type(error).__name__
    # outside of `except`, so that the library's message is not kept with this one
    raise RecordsError(f"{name}: cannot be read as a table ({kind}); {KINDS}")


def _wrong_number(count: int, wanted: int) -> str:
    return (
        f"has {plain(count)} record{'' if count == 1 else 's'} and the plan is for "
        f"{plain(wanted)}; collect that many, or plan again with what there is"
    )


def _added(item: Item, values: Array) -> Any:
    """The sum of a block: of ones, of steps of a range, or the count of each group."""
    if item.kind in ("histogram", "quantile"):
        # who has no answer may be in no group
        return np.bincount(values.astype(np.int64), minlength=item.groups)[: item.groups]
    if item.kind == "mean":
        low, high = item.values or (item.low, item.high)
        given = values[np.isfinite(values)] if item.answered_mean else values
        steps = np.rint((given - low) * (item.steps / (high - low)))
        over = int(np.clip(steps, 0, item.steps).astype(np.int64).sum())
        return np.array([over, item.steps * len(given) - over]) if item.answered_mean else over
    return int(np.count_nonzero(values))


def _drawn(count: int, participants: int) -> Array:
    """Which of `count` records are drawn: each set of N is as likely as any other."""
    while True:
        keys = np.frombuffer(os.urandom(4 * count), np.uint32)
        drawn = keys <= np.partition(keys, participants - 1)[participants - 1]
        if np.count_nonzero(drawn) == participants:  # else a tie at the edge: all draw again
            return drawn


AGAIN = (
    "a person who has another record, and the noise hides one record each; say what several rows "
    'mean by rows in [records], "mean", "sum", "any" or "last", or keep one of each'
)
OVER = "a person who has {0} records already, and the plan is for {0} of each; keep as many"
NOBODY = "the person is missing; give each a name or number of their own"


def repeated(file: File, column: str, most: int = 1) -> list[Fault]:
    """Records of nobody, and all but the first `most` of each person.

    Two readings: of each name 64 bits are kept, and then those names are compared that have the
    same.
    """
    numbers = np.fromiter(map(hash, _names(file, column)), np.int64)
    ordered, again = np.sort(numbers), AGAIN if most == 1 else OVER.format(most)
    alike = np.isin(numbers, [hash(""), *ordered[most:][ordered[most:] == ordered[:-most]]])
    found: dict[str, list[int]] = {again: [], NOBODY: []}
    seen = Counter[str]()
    for row, name in compress(enumerate(_names(file, column)), alike) if alike.any() else ():
        if seen[name] >= most or not name:
            found[again if name else NOBODY].append(row)
        seen[name] += 1
    place = file.places({row for rows in found.values() for row in rows[:FIRST]})
    return [
        Fault(column, why, len(rows), tuple(map(place, rows[:FIRST])), file.place)
        for why, rows in found.items()
        if rows
    ]


def _names(file: File, column: str) -> Iterator[str]:
    import pyarrow as pa

    for block in file.blocks([column]):
        names = block[column]
        if pa.types.is_dictionary(names.type):
            names = names.dictionary_decode()
        yield from (normal(name or "") for name in names.cast(pa.string()).to_pylist())
