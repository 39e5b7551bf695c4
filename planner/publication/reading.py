"""What cells of records mean: the code of an answer, or a number; and all that is wrong with them.

A fault is reported by its column, kind, count and places. No value is ever quoted.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from planner.libraries import np
from planner.model.recorded import RANGE, normal
from planner.numbers import Array
from planner.publication.items import Item
from planner.publication.record_file import Block, Ragged
from planner.wording import named, plain, quoted, several

if TYPE_CHECKING:
    import pyarrow

_NO_NUMBER = (
    "not a number; correct it, or say by codes of [[records.question]] what each answer counts as"
)
_UNKNOWN, _EMPTY = -1, -2
"""The codes of a cell that is no answer, and of one without any."""
FIRST = 3
"""Places of a fault that are named."""
_DISTINCT = 200
"""Unknown words whose nearest label is searched for, in each column: a search takes 0.1 ms."""
_FAR = 10**6
"""Codes of answers that are farther from the least one are looked up one by one."""
_NUMBER = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"
_WHOLE = r"^\s*\+?[0-9]{1,15}([.,]0{1,2})?\s*$"
_COMMA = r"^\s*[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?\s*$"
_COMMA_THOUSANDS = r"^\s*[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+\s*$"
_POINT_THOUSANDS = r"^\s*[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})+\s*$"
_BETWEEN = {",": ",", ".": r"\.", " ": "[ \u00a0\u202f]", "'": "['’]"}
"""The marks between thousands, as patterns."""
_CLEARLY = {",": r"\.[0-9]+", ".": ",[0-9]+", " ": "([.,][0-9]+)?", "'": "([.,][0-9]+)?"}
"""What follows where a mark can only stand between thousands."""
_GROUPED = r"^\s*[+-]?[0-9]{{1,3}}({mark}[0-9]{{3}})+{end}\s*$"
_ZEROS = re.compile(r"([+-]?[0-9]+)[.,]0{1,2}")
"""A whole number as programs write it that hold all numbers with decimals: 1.0."""
_TRUTHS = ("true", "false")
"""What files of types, spreadsheets and Python write in their own ways: True, TRUE, true."""
_DIVIDED = re.compile(r"[,;\n\r|]+")
"""What stands between several answers in a cell; where none does, a blank."""
_EITHER = "([.,][0-9]+)?"
GIVE_THOUSANDS, IN = 'give thousands = "', '" in [records] of the study file'
_POINT_BESIDE_COMMAS = (
    "a number with a point, where decimals have a comma; write all alike, or where points stand "
    f"between thousands {GIVE_THOUSANDS}.{IN}"
)
MISSING = "the value is missing; ask again, or plan again with missing, what an empty cell means"
COMMA = "comma"
"""A kind of fault whose words depend on the other numbers of the file."""


@dataclass(frozen=True)
class Fault:
    """One kind of fault in one column.

    Attributes:
        column: its name; empty where a fault is of whole lines.
        why: what is wrong and what to do, as a clause.
        count: how many cells have it.
        places: the first of them, by line, row or record.
        place: which of these three.
        near: the known word that most unknown ones are nearest to.
    """

    column: str
    why: str
    count: int
    places: tuple[int, ...]
    place: str
    near: str = ""

    @property
    def where(self) -> str:
        """Its places, as in "lines 3, 8 and 9, and 12 more, column smokes"."""
        names = [plain(place).replace(",", "") for place in self.places]
        more = self.count - len(names)
        listed = several(names) if not more else f"{', '.join(names)} and {plain(more)} more"
        column = f", column {named(self.column)}" if self.column else ""
        return f"{self.place}{'s' if self.count > 1 else ''} {listed}{column}"

    @property
    def words(self) -> str:
        near = ""
        if self.near:
            near = f"; the nearest known one is {quoted(self.near)}"
        return f"{self.where}: {self.why}{near}"


@dataclass
class Faults:
    """The faults of records while they are read.

    Attributes:
        counts: of each item, column and kind: two items may read one column.
        rows: the first records that have each.
        near: how many unknown words are nearest to each known one.
    """

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    rows: dict[tuple[str, str, str], list[int]] = field(default_factory=dict)
    near: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)

    def add(self, item: Item, why: str, rows: Array) -> None:
        """Record that these records have a fault."""
        if len(rows):
            key = (item.name, item.column, why)
            self.counts[key] += len(rows)
            kept = self.rows.setdefault(key, [])
            kept += [int(row) for row in rows[: FIRST - len(kept)]]


@dataclass
class Marks:
    """What the numbers of a file show of its decimal mark.

    Attributes:
        decimal: "." or "," where it is known.
        thousands: the mark between thousands; None where there is none.
        empty: the words that stand for no answer.
        commas: numbers whose comma can only be a decimal mark.
        points: numbers with a point.
        sure_points: of these, how many cannot be thousands.
        no_blanks: whether blanks are known not to stand between several answers in a cell.
    """

    decimal: str | None
    thousands: str | None = None
    empty: tuple[str, ...] = ()
    commas: int = 0
    points: int = 0
    sure_points: int = 0
    no_blanks: bool = False

    @property
    def show_commas(self) -> bool:
        """Whether the mark is unknown, and is a comma."""
        return self.decimal is None and self.commas > 0 and not self.points

    @property
    def unclear_points(self) -> bool:
        """Whether each point may stand between thousands."""
        return self.decimal is None and self.points > 0 and not self.sure_points


@dataclass
class Seen:
    """What was read of a column, for whoever holds the records alone.

    Attributes:
        count: how many numbers, or answers.
        least, largest: of the numbers.
        total: their sum.
        divided: whether some cell holds several answers, with a mark between them.
        by_blanks: how many cells hold the answer among others if blanks divide them.
    """

    count: int = 0
    least: float = math.inf
    largest: float = -math.inf
    total: float = 0.0
    divided: bool = False
    by_blanks: int = 0

    def add(self, values: Array) -> None:
        if len(values):
            self.count += len(values)
            self.least = min(self.least, float(values.min()))
            self.largest = max(self.largest, float(values.max()))
            self.total += float(values.sum())


class Reader:
    """Reads the column of one item.

    Args:
        item: the item.
        needed: whether everyone must have an answer.
        clamp: whether numbers out of range are moved to its ends.
        marks: what is known of decimal marks.
        faults: where faults are added.
    """

    def __init__(self, item: Item, needed: bool, clamp: bool, marks: Marks, faults: Faults) -> None:
        self.item, self._needed, self._clamp = item, needed, clamp
        self._marks, self._faults, self.seen = marks, faults, Seen()
        self._words = list(item.codes)
        self._codes = np.array([*item.codes.values(), _UNKNOWN], np.int64)
        self._whole = {int(word): code for word, code in item.codes.items() if _is_code(word)}
        self._first = min(self._whole, default=0)
        self._table = np.full(min(max(self._whole, default=0) - self._first, _FAR) + 3, _UNKNOWN)
        for number, code in self._whole.items():
            if number - self._first <= _FAR:
                self._table[number - self._first + 1] = code

    def read_block(self, block: Block, first: int) -> tuple[Array, Array]:
        """The values of its column in a block; see `read`."""
        return self.read(block[self.item.column], first)

    def read(self, array: "pyarrow.Array", first: int) -> tuple[Array, Array]:
        """The values of a block, codes or numbers, and which of them are answers."""
        number = self.item.kind == "mean" or bool(self.item.edges)
        array = _emptied(array, self._marks.empty)
        if self.item.counts_as:
            values, empty = self._counted_as(array)
            self._wrong(np.isnan(values) & ~empty, self.item.unknown, first)
        elif not number:
            values = self._holding(array) if self.item.contains else self._coded(array)
            self._wrong(values == _UNKNOWN, self.item.unknown, first)
            empty = values == _EMPTY
        else:
            values, empty = self._numbers(array, first)
        if self.item.if_missing is not None:
            values = np.where(empty, self.item.if_missing, values)
            return values, ~np.isnan(values) if number else values >= 0
        if self._needed:
            self._wrong(empty, MISSING, first)
        answers = ~empty & (~np.isnan(values) if values.dtype.kind == "f" else values >= 0)
        return values, answers

    def _holding(self, array: "pyarrow.Array") -> Array:
        """Whether each cell holds the answer, alone or among others: 1 for yes, in groups 0."""
        import pyarrow as pa

        cells = array.cast(pa.string()).dictionary_encode()
        yes, no = (0, 1) if self.item.answer_rate is not None else (1, 0)
        found = [self._holds(text or "") for text in cells.dictionary.to_pylist()]
        codes = np.array([{True: yes, False: no, None: _EMPTY}[one] for one in found] + [_EMPTY])
        return codes[cells.indices.fill_null(len(found)).to_numpy()].astype(np.int64)

    def _holds(self, text: str) -> bool | None:
        """Whether a cell holds the answer; None where it is empty."""
        wanted, whole = self.item.contains, normal(text)
        if not whole or whole == wanted:
            return bool(whole) or None
        parts = [normal(part) for part in _DIVIDED.split(whole)]
        self.seen.divided |= len(parts) > 1
        if wanted in parts or self._marks.no_blanks or self.seen.divided:
            return wanted in parts
        by_blanks = wanted in whole.split()
        self.seen.by_blanks += by_blanks
        return by_blanks

    def _counted_as(self, array: "pyarrow.Array") -> tuple[Array, Array]:
        """What answers count as, NaN where they are not known; and which cells are empty."""
        import pyarrow as pa

        kind = array.type
        numeric = pa.types.is_integer(kind) or pa.types.is_floating(kind)
        cells = (array if numeric else array.cast(pa.string())).dictionary_encode()
        texts = ["" if cell is None else str(cell) for cell in cells.dictionary.to_pylist()]
        values = np.array([self._number_of(normal(text)) for text in texts] + [math.nan])
        blank = np.array([not normal(text) or text == "nan" for text in texts] + [True])
        places = cells.indices.fill_null(len(texts)).to_numpy()
        self.seen.add(values[places][~np.isnan(values[places])])
        return values[places], blank[places]

    def _number_of(self, text: str) -> float:
        """What an answer counts as; NaN where it is not known."""
        words = dict(self.item.counts_as)
        short = _ZEROS.fullmatch(text)
        for word in (text, short[1] if short else text):
            if word in words:
                return words[word]
        try:
            number = float(text)
        except ValueError:
            return math.nan
        for word, value in self.item.counts_as:
            ends = RANGE.fullmatch(word)
            if ends and float(ends[1]) <= number <= float(ends[2]):
                return value
        return math.nan

    def _wrong(self, mask: Array, why: str, first: int) -> None:
        self._faults.add(self.item, why, first + np.flatnonzero(mask))

    def _coded(self, array: "pyarrow.Array") -> Array:
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = array.type
        if pa.types.is_dictionary(kind):
            codes = np.append(self._coded(array.dictionary), _EMPTY)
            return codes[pc.fill_null(array.indices.cast(pa.int64()), len(codes) - 1).to_numpy()]
        numeric = pa.types.is_integer(kind) or pa.types.is_floating(kind)
        if not (numeric or pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            array = array.cast(pa.string())
        if numeric:
            codes = self._of_numbers(array)
        else:
            places = pc.index_in(array, value_set=pa.array(self._words, array.type))
            places = pc.fill_null(places, len(self._words))
            codes = self._codes[places.to_numpy(zero_copy_only=False)]
        if array.null_count:
            codes[np.asarray(array.is_null())] = _EMPTY
        if (codes == _UNKNOWN).any():
            self._again(codes, array, numeric)
        return codes

    def _of_numbers(self, array: "pyarrow.Array") -> Array:
        """The code of each number: 1 is the word "1", and 1.0 too."""
        import pyarrow.compute as pc

        values = pc.fill_null(array, 0).to_numpy(zero_copy_only=False)
        with np.errstate(invalid="ignore"):  # of infinities and what is beyond whole numbers
            whole = values.astype(np.int64)
        codes = np.take(self._table, whole - self._first + 1, mode="clip")
        for number, code in self._whole.items():
            if number - self._first > _FAR:
                codes[whole == number] = code
        if values.dtype.kind != "i":
            codes[whole != values] = _UNKNOWN
        return codes

    def _again(self, codes: Array, array: "pyarrow.Array", numeric: bool) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        left = np.flatnonzero(codes == _UNKNOWN)
        if self.item.numbered:
            cells = array.take(pa.array(left))
            if numeric:
                found = cells.to_numpy()
                whole = (
                    (found >= 0) & (found < self.item.numbers_given) & (found == np.floor(found))
                )
                codes[left[whole]] = found[whole].astype(np.int64)
                return
            whole = np.asarray(pc.match_substring_regex(cells, _WHOLE))
            digits = pc.utf8_ltrim(pc.utf8_trim_whitespace(cells.filter(pa.array(whole))), "+")
            digits = pc.replace_substring_regex(digits, "[.,]0+$", "")
            found = digits.cast(pa.int64()).to_numpy()
            codes[left[whole]] = np.where(found < self.item.numbers_given, found, _UNKNOWN)
            left = left[~whole]
        if numeric or not len(left):
            return
        cells = array.take(pa.array(left)).dictionary_encode()
        meant = np.array([self._meant(text) for text in cells.dictionary.to_pylist()], np.int64)
        codes[left] = meant[cells.indices.to_numpy()]
        near = self._faults.near.setdefault((self.item.column, self.item.unknown), Counter())
        for text, code in zip(cells.dictionary.to_pylist()[:_DISTINCT], meant, strict=False):
            if code == _UNKNOWN:
                near.update(self._nearest(text))

    def _meant(self, text: str) -> int:
        plain_text = normal(text)
        zeros = _ZEROS.fullmatch(plain_text)
        if zeros and plain_text not in self.item.codes:
            plain_text = zeros[1]
        if plain_text.casefold() in _TRUTHS:
            known = (word for word in self.item.codes if word.casefold() == plain_text.casefold())
            plain_text = next(known, plain_text)
        return self.item.codes.get(plain_text, _UNKNOWN) if plain_text else _EMPTY

    def _nearest(self, text: str) -> list[str]:
        if not self.item.words:
            return []
        known = {word.casefold(): word for word in reversed(self._words)}
        return [known[near] for near in get_close_matches(normal(text).casefold(), known, 1)]

    def _numbers(self, array: "pyarrow.Array", first: int) -> tuple[Array, Array]:
        """The numbers of cells, NaN for what is none; and which cells are empty."""
        import pyarrow as pa

        kind, item = array.type, self.item
        if pa.types.is_dictionary(kind):
            array = array.dictionary_decode()
            kind = array.type
        if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
            empty = np.asarray(array.is_null())
            values = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
            told = np.zeros(len(values), bool)
        else:
            values, empty, told = self._of_texts(array.cast(pa.string()), first)
        values = np.where(np.isfinite(values), values, np.nan)
        self._wrong(np.isnan(values) & ~empty & ~told, _NO_NUMBER, first)
        low, high = item.values or (item.low, item.high)
        if item.edges:
            low, high = item.edges[0], item.edges[-1]
        if not self._clamp:
            over = (values >= high) if item.kind == "histogram" else (values > high)
            outside = (values < low) | over
            far = (values < low - (high - low)) | (values > high + (high - low))
            self._wrong(outside & ~far, item.out_of_range, first)
            self._wrong(outside & far, item.far_out, first)
            values = np.where(outside, np.nan, values)
        self.seen.add(values[~np.isnan(values)])
        if item.edges:
            values = np.where(np.isnan(values), np.nan, self._places(values))
        return values, empty

    def _places(self, values: Array) -> Array:
        """Between which edges numbers lie, or which value of a quantile stands for them."""
        edges = self.item.edges
        if self.item.kind == "quantile":
            return np.clip(np.searchsorted(edges, values), 0, len(edges) - 1).astype(float)
        inside = np.searchsorted(edges, values, side="right") - 1
        return np.clip(inside, 0, len(edges) - 2).astype(float)

    def _of_texts(self, array: "pyarrow.Array", first: int) -> tuple[Array, Array, Array]:
        """The numbers of texts, which cells are empty, and which have a mark that is refused."""
        import pyarrow as pa
        import pyarrow.compute as pc

        nothing, empty = pa.scalar(None, pa.string()), np.asarray(array.is_null())
        texts, told = self._without_thousands(array, first)
        self._see_points(texts)
        if self._marks.decimal == ",":
            points = np.asarray(pc.fill_null(pc.match_substring(texts, "."), False))
            self._wrong(points, _POINT_BESIDE_COMMAS, first)
            told = told | points
            texts = pc.if_else(pa.array(points), nothing, pc.replace_substring(texts, ",", "."))
        try:
            numbers = texts.cast(pa.float64())
        except pa.ArrowInvalid:  # whose message quotes the value
            blank = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(array), ""), True)
            empty = np.asarray(blank)
            fits = pc.fill_null(pc.match_substring_regex(texts, _NUMBER), False)
            numbers = pc.if_else(fits, pc.utf8_trim_whitespace(texts), nothing).cast(pa.float64())
            if self._marks.decimal is None:
                commas = self._see_commas(texts)
                self._wrong(commas, COMMA, first)
                told = told | commas
            if self._marks.thousands is None:
                told = told | self._with_thousands(texts, ~told, first)
        return numbers.to_numpy(zero_copy_only=False), empty, told

    def _without_thousands(
        self, array: "pyarrow.Array", first: int
    ) -> tuple["pyarrow.Array", Array]:
        """The texts without the mark between thousands; and where it does not divide these."""
        import pyarrow as pa
        import pyarrow.compute as pc

        mark = _BETWEEN.get(self._marks.thousands or "")
        if mark is None:
            return array, np.zeros(len(array), bool)
        end = {",": r"(\.[0-9]+)?", ".": "(,[0-9]+)?"}.get(self._marks.thousands or "", _EITHER)
        patterns = f"[0-9]{mark}[0-9]|^\\s*[+-]?{mark}", _GROUPED.format(mark=mark, end=end)
        with_mark, grouped = (
            np.asarray(pc.fill_null(pc.match_substring_regex(array, pattern), False))
            for pattern in patterns
        )
        wrong = with_mark & ~grouped
        self._wrong(wrong, "a number that thousands does not divide; write all alike", first)
        whole = pc.replace_substring_regex(array, f"([0-9]){mark}", r"\1")
        return pc.if_else(pa.array(wrong), pa.scalar(None, pa.string()), whole), wrong

    def _with_thousands(self, texts: "pyarrow.Array", among: Array, first: int) -> Array:
        """Where numbers have marks that can only stand between thousands."""
        import pyarrow.compute as pc

        told = np.zeros(len(texts), bool)
        for mark, end in _CLEARLY.items():
            pattern = _GROUPED.format(mark=_BETWEEN[mark], end=end)
            found = np.asarray(pc.fill_null(pc.match_substring_regex(texts, pattern), False))
            why = f"written like 1{mark}234; {GIVE_THOUSANDS}{mark}{IN}"
            self._wrong(found & among & ~told, why, first)
            told |= found & among
        return told

    def _see_commas(self, texts: "pyarrow.Array") -> Array:
        import pyarrow.compute as pc

        comma, thousands = (
            np.asarray(pc.fill_null(pc.match_substring_regex(texts, pattern), False))
            for pattern in (_COMMA, _COMMA_THOUSANDS)
        )
        self._marks.commas += int(np.count_nonzero(comma & ~thousands))
        return comma | thousands

    def _see_points(self, texts: "pyarrow.Array") -> None:
        import pyarrow.compute as pc

        marks = self._marks
        if marks.decimal is None and not marks.sure_points:
            points = pc.sum(pc.match_substring(texts, ".")).as_py() or 0
            marks.points += points
            like = pc.sum(pc.match_substring_regex(texts, _POINT_THOUSANDS)).as_py() or 0
            marks.sure_points += points - like


class PairReader:
    """Reads yes or no, and the group, of each person; arguments as of `Reader`."""

    def __init__(self, item: Item, needed: bool, clamp: bool, marks: Marks, faults: Faults) -> None:
        assert item.by is not None  # it has a column for the group
        self.item = item
        self._answers = Reader(item, needed, clamp, marks, faults)
        self._groups = Reader(item.by, needed, clamp, marks, faults)
        self.seen = self._answers.seen

    def read_block(self, block: Block, first: int) -> tuple[Array, Array]:
        """Twice the number of the group, and one more for no; and which records have both."""
        answers, answered = self._answers.read_block(block, first)
        groups, grouped = self._groups.read_block(block, first)
        return 2 * groups + answers, answered & grouped


def _emptied(array: "pyarrow.Array", words: tuple[str, ...]) -> "pyarrow.Array":
    """The cells without those that hold a word of no answer."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not words:
        return array
    texts = array.cast(pa.string())
    none = pc.is_in(pc.utf8_trim_whitespace(texts), value_set=pa.array(words, pa.string()))
    return pc.if_else(none, pa.scalar(None, array.type), array)


def reader_of(
    item: Item, needed: bool, clamp: bool, marks: Marks, faults: Faults
) -> Reader | PairReader:
    """What reads the columns of an item; arguments as of `Reader`."""
    return (Reader if item.by is None else PairReader)(item, needed, clamp, marks, faults)


def _is_code(word: str) -> bool:
    return re.fullmatch(r"0|-?[1-9][0-9]{0,14}", word) is not None


def ragged(lines: Iterable[Ragged], header: int) -> Iterator[Fault]:
    """The faults of lines of CSV with more or fewer cells than the header has."""
    why = (
        f"another number of cells than the {header} of the header; put text that holds a "
        "separator, or a number with a decimal comma, in quotes, or give separator in [records]"
    )
    counts: Counter[tuple[str, str]] = Counter()
    places: dict[tuple[str, str], tuple[int, ...]] = {}
    for one in lines:
        for key in [(name, MISSING) for name in one.without] or [("", why)]:
            counts[key] += 1
            places[key] = (*places.get(key, ()), one.line)[:FIRST]
    for (column, what), count in counts.items():
        yield Fault(column, what, count, places[column, what], "line")


def merged(faults: Iterable[Fault]) -> list[Fault]:
    """Faults of the same kind and column as one."""
    found: dict[tuple[str, str], Fault] = {}
    for fault in faults:
        key = (fault.column, fault.why)
        other = found.get(key, replace(fault, count=0, places=()))
        places = tuple(sorted({*other.places, *fault.places})[:FIRST])
        found[key] = replace(other, count=other.count + fault.count, places=places)
    return list(found.values())
