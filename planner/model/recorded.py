"""How answers are written in the records: the words of an answer, columns, decimal marks.

Nothing of it changes a plan. It says how `planner.publish` reads what people have answered.
"""

import math
import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from planner.checked import dataclass
from planner.numbers import decimal
from planner.wording import plain, printable, quoted, shortened

YES = ("1", "true", "True", "TRUE", "yes", "Yes", "YES", "y", "Y")
NO = ("0", "false", "False", "FALSE", "no", "No", "NO", "n", "N")
"""The words of a yes or no, where a study gives none."""
FIRST, SECOND = ("first", "First", "FIRST"), ("second", "Second", "SECOND")
"""Those of the groups that are compared."""
_LONGEST = 80  # characters of a word, as of a question's name
_MOST_GROUPS = 10_000  # as of `checks.Groups`
_MOST_CANDIDATES = 10**9  # as of `checks.Candidates`
MOST_VALUES = 100_000
"""Values of which a quantile is one; the records' counts of them are held at once."""


def normal(text: str) -> str:
    """A word without blanks around it, its accents composed: what is compared."""
    return unicodedata.normalize("NFC", text.strip())


def _word(given: Any) -> str:
    """One word of an answer; whole numbers are codes, such as 1 for yes."""
    text = str(given) if isinstance(given, int) and not isinstance(given, bool) else given
    if not isinstance(text, str) or not text.strip() or printable(text) != text:
        raise ValueError(f'{quoted(given)} cannot stand for an answer; give text, such as "yes"')
    if len(text) > _LONGEST:
        raise ValueError(f"{shortened(text, 20)!r} is longer than {_LONGEST} letters; shorten it")
    return normal(text)


def _words(given: Any) -> tuple[str, ...]:
    """Words that differ from each other; one alone may stand without a list."""
    listed = given if isinstance(given, list | tuple) and given else (given,)
    words = tuple(map(_word, listed))
    for word in words:
        if words.count(word) > 1:
            raise ValueError(f"{quoted(word)} is given twice; give each word once")
    return words


def _labels(given: Any) -> tuple[str, ...]:
    labels = _words(given) if given else ()
    if given and not 2 <= len(labels) <= _MOST_GROUPS:
        raise ValueError(
            f"{len(labels):,} label{'' if len(labels) == 1 else 's'} cannot divide people; give "
            f"from 2 to {_MOST_GROUPS:,}, one for each group"
        )
    return labels


def _bins(given: Any) -> tuple[float, ...]:
    return _rising(given, "the edges of the bins", 3, _MOST_GROUPS + 1) if given else ()


def _candidates(given: Any) -> Any:
    if isinstance(given, list | tuple):
        return _rising(given, "the values that may be published", 2, MOST_VALUES)
    if not isinstance(given, int) or isinstance(given, bool) or not 2 <= given <= _MOST_CANDIDATES:
        raise ValueError(
            f"{quoted(given)} is not allowed; give a whole number of candidates from 2 to 10^9, "
            "such as 100, or a list of the values that may be published"
        )
    return given


def _rising(given: Any, what: str, fewest: int, most: int) -> tuple[float, ...]:
    listed = list(given) if isinstance(given, list | tuple) else [given]
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in listed)
    if not numbers or not all(map(math.isfinite, listed)) or listed != sorted(set(listed)):
        raise ValueError(
            f"{quoted(given)} is not a list of rising numbers; give {what}, such as [0, 18, 25, 65]"
        )
    if not fewest <= len(listed) <= most:
        raise ValueError(
            f"{len(listed):,} numbers are given for {what}; give from {fewest} to {most:,}"
        )
    return tuple(map(float, listed))


def refuse_steps(low: float, high: float, step: float) -> None:
    """Refuse steps that do not lead from `low` to `high`, or of which there are too many."""
    if low >= high:
        raise ValueError(f"low = {plain(low)} is not below high = {plain(high)}; give low < high")
    steps = (decimal(high) - decimal(low)) / decimal(step)
    if steps.denominator > 1:
        reached = decimal(low) + math.ceil(steps) * decimal(step)
        raise ValueError(
            f"step = {plain(step)} does not lead from {plain(low)} to {plain(high)}; give "
            f"high = {plain(float(reached))}"
        )
    if steps >= MOST_VALUES:
        raise ValueError(
            f"low, high and step give {plain(int(steps) + 1)} values; give at most "
            f"{MOST_VALUES:,}, by a larger step"
        )


def _column(given: Any) -> Any:
    if isinstance(given, str) and (not given.strip() or printable(given) != given):
        raise ValueError(f"{quoted(given)} cannot be the name of a column; give one of the header")
    return given


def _wording(given: Any) -> Any:
    if isinstance(given, str) and (not given.strip() or printable(given) != given):
        raise ValueError(
            f"{quoted(given)} cannot be printed as a question; give a line of text, such as "
            "'Do you smoke?'"
        )
    return given


def _printed(given: Any) -> Any:
    if isinstance(given, str) and (not given.strip() or printable(given) != given):
        raise ValueError(f"{quoted(given)} cannot be printed; give a line of text")
    return given


def _missing(given: Any) -> Any:
    number = isinstance(given, int | float) and not isinstance(given, bool)
    if not number and given not in ("refuse", "no", "own"):
        raise ValueError(
            f"{quoted(given)} is not allowed; give 'refuse', 'no', 'own' or a number that stands "
            "for an empty cell. People without an answer cannot be left out: who answered is "
            "itself private, and the number of answers would be published without noise"
        )
    return given


Missing = Annotated[
    Literal["refuse", "no", "own"] | float,
    BeforeValidator(_missing),
    Field(description="what an empty cell means: an error, no, a group of its own, or a number"),
]


def _codes(given: Any) -> Any:
    """What each answer counts as, as pairs; a TOML table gives them by the answer."""
    pairs = list(given.items()) if isinstance(given, dict) else given
    if not isinstance(pairs, list | tuple):
        raise ValueError(
            f"{quoted(given)} does not say what answers count as; give a table, such as "
            '{ "Agree" = 1, "Disagree" = 0 }'
        )
    found = []
    for word, number in pairs:
        whole = isinstance(number, int | float) and not isinstance(number, bool)
        if not whole or not math.isfinite(number):
            raise ValueError(f"{quoted(number)} is no number that {quoted(word)} can count as")
        found.append((_word(word), float(number)))
    if found:
        _words([word for word, _ in found])
    _refuse_ranges([word for word, _ in found])
    return tuple(found)


def _refuse_ranges(words: list[str]) -> None:
    """Refuse ranges that hold nothing, or a number that another range holds."""
    ranges = [(float(m[1]), float(m[2]), m[0]) for m in map(RANGE.fullmatch, words) if m]
    for low, high, word in ranges:
        if low > high:
            raise ValueError(f"{quoted(word)} holds no number; give the smaller end first")
    for (_, high, one), (low, _, other) in pairwise(sorted(ranges)):
        if low <= high:
            raise ValueError(
                f"{quoted(one)} and {quoted(other)} hold the same numbers; give ranges apart"
            )


RANGE = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:-|–|to)\s*(-?\d+(?:\.\d+)?)")
"""Of numbers that count alike, as "9-10"."""
Codes = Annotated[
    tuple[tuple[str, float], ...],
    BeforeValidator(_codes, json_schema_input_type=dict[str, float]),
    Field(description="what each answer counts as; '9-10' stands for the numbers from 9 to 10"),
]
OneWord = Annotated[
    str,
    BeforeValidator(_word),
    Field(max_length=_LONGEST, description="the answer that is looked for among several in a cell"),
]
Words = Annotated[
    tuple[str, ...],
    BeforeValidator(_words, json_schema_input_type=str | int | list[str | int]),
    Field(description="the words of this answer in the records"),
]
EmptyWords = Annotated[
    tuple[str, ...],
    BeforeValidator(
        lambda given: _words(given) if given else (),
        json_schema_input_type=str | int | list[str | int],
    ),
    Field(description="words that stand for no answer, such as N/A"),
]
Labels = Annotated[
    tuple[str, ...],
    BeforeValidator(_labels, json_schema_input_type=list[str | int]),
    Field(description="the groups' names, as the records have them"),
]
Bins = Annotated[
    tuple[float, ...],
    BeforeValidator(_bins, json_schema_input_type=list[float]),
    Field(description="edges that divide numbers into groups, each with its lower edge"),
]
CandidatesOrValues = Annotated[
    int | tuple[float, ...],
    BeforeValidator(_candidates, json_schema_input_type=int | list[float]),
    Field(description="how many candidates there are, or the values that may be published"),
]
Row = Annotated[
    int, Field(ge=1, le=1000, strict=True, description="a row of the file, counted from 1")
]
Column = Annotated[
    str,
    BeforeValidator(_column),
    Field(max_length=200, description="the column of the records; the question's name by default"),
]

Wording = Annotated[
    str,
    BeforeValidator(_wording),
    Field(max_length=300, description="the question as people are asked, such as 'Do you smoke?'"),
]
Printed = Annotated[str, BeforeValidator(_printed), Field(max_length=300)]
"""A line of text for people to read."""


def names_of_bins(edges: tuple[float, ...]) -> tuple[str, ...]:
    """The names of bins, each of which holds its lower edge and not its upper one."""
    return tuple(f"{plain(low)} to under {plain(high)}" for low, high in pairwise(edges))


def refuse_common(
    one: Iterable[str], other: Iterable[str], keys: tuple[str, str] = ("yes", "no")
) -> None:
    """Refuse a word of two meanings, by default of yes and no."""
    if common := sorted(set(one) & set(other)):
        both = " and ".join(keys)
        raise ValueError(f"{quoted(common[0])} means both {both}; give {both} different words")


_WEIGHTS = (
    "weights cannot be used: one person's record would count as much as the largest weight, which "
    "the noise of a plan does not cover; publish without weights, or plan with strata or a "
    "design_effect"
)


@dataclass(kw_only=True)
class QuestionRecords:
    """How the answers of one question of a survey are written; what is None is as it asks.

    Attributes:
        name: of the question.
        column, yes, no, labels, contains, codes: see the questions.
    """

    name: Annotated[str, Field(max_length=200)]
    column: Column | None = None
    yes: Words | None = None
    no: Words | None = None
    labels: Labels | None = None
    contains: OneWord | None = None
    codes: Codes | None = None


_AT_MOST, _MOST_OF_EACH = "at most ", 100


def _rows(text: str) -> str:
    number = text.removeprefix(_AT_MOST)
    several = text != number and number.isdecimal() and 2 <= int(number) <= _MOST_OF_EACH
    if not several and text not in ("mean", "sum", "any", "last"):
        raise ValueError(
            f"rows = {quoted(text)} is not allowed; give mean, sum, any or last, or how many rows "
            f'are of one person, from "{_AT_MOST}2" to "{_AT_MOST}{_MOST_OF_EACH}"'
        )
    return text


@dataclass(kw_only=True)
class Records:
    """How the records are written, for all questions; planning does not depend on it.

    Attributes:
        decimal: the decimal mark of numbers, "." or ","; None where the records show it.
        thousands: the mark between thousands, ",", ".", " " or "'"; None where there is none.
        separator: what divides columns of CSV, ",", ";" or a tab; None where the records show it.
        header_row: the row of the header, counted from 1.
        first_row: the row of the first record; None where it follows the header, or the further
            rows of a header by Qualtrics, which are recognised.
        column, wording: the column of a study's only question, and how people are asked; a
            survey's questions have their own.
        stratum: the column that names each person's stratum, where the study has strata, or group,
            where two groups are compared.
        first, second: the words of the groups that are compared.
        person: the column that names each person, of whom a second record is refused unless `rows`
            says what it means; None where the records have none.
        rows: of the rows of a person, which is the record: their "mean" or "sum", whether "any" is
            yes, or the "last"; or "at most k", each a record of its own.
        yes, no: the words of proportions that have none of their own.
        empty: the words that stand for no answer, whatever the question.
        weights: not allowed; the message says why.
        question: how the answers of questions are written, beside what these say themselves.
        holder: who keeps the raw answers, as the consent sheet and the signature say it.
        kept: how long, likewise.
        withdraw: how a person withdraws, as a sentence of the consent sheet.
    """

    decimal: Literal[".", ","] | None = None
    thousands: (
        Annotated[
            Literal[",", ".", " ", "'"], Field(description="the mark between thousands of numbers")
        ]
        | None
    ) = None
    separator: Literal[",", ";", "\t"] | None = None
    header_row: Row = 1
    first_row: Row | None = None
    column: Column = "answer"
    wording: Wording | None = None
    stratum: Annotated[
        str,
        BeforeValidator(_column),
        Field(max_length=200, description="the column that names each person's stratum or group"),
    ] = "stratum"
    first: Words = FIRST
    second: Words = SECOND
    person: (
        Annotated[
            str,
            BeforeValidator(_column),
            Field(max_length=200, description="the column that names each person, once"),
        ]
        | None
    ) = None
    rows: (
        Annotated[
            str,
            AfterValidator(_rows),
            Field(description="what several rows of a person mean, as one record, or how many"),
        ]
        | None
    ) = None
    yes: Words = YES
    no: Words = NO
    empty: EmptyWords = ()
    question: tuple[QuestionRecords, ...] = ()
    weights: Annotated[Any, Field(description="cannot be used: the noise is not for them")] = None
    holder: Annotated[
        Printed, Field(description="who keeps the raw answers, such as 'the statistics office'")
    ] = "those who run the study"
    kept: Annotated[
        Printed, Field(description="how long they are kept, such as 'until 31 December 2027'")
    ] = "no longer than the study needs them"
    withdraw: Annotated[
        Printed, Field(description="how a person withdraws, as a sentence of the consent sheet")
    ] = "If you change your mind, tell us before we publish; we then delete your answers."

    @property
    def of_each(self) -> int:
        """How many records are of one person at most."""
        rows = self.rows or ""
        return int(rows.removeprefix(_AT_MOST)) if rows.startswith(_AT_MOST) else 1

    @property
    def of_groups(self) -> bool:
        """Whether the groups that are compared have words of their own."""
        return (self.first, self.second) != (FIRST, SECOND)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        refuse_common(self.yes, self.no)
        refuse_common(self.first, self.second, ("first", "second"))
        if self.weights is not None:
            raise ValueError(_WEIGHTS)
        if self.thousands is not None and self.thousands == self.decimal:
            raise ValueError(
                f"{quoted(self.decimal)} cannot mark both thousands and decimals; give one of them"
            )
        if self.first_row is not None and self.first_row <= self.header_row:
            raise ValueError("first_row is not below header_row; give the row of the first record")
        if self.rows is not None and self.person is None:
            raise ValueError("rows is of each person; give person, the column that names them")
        if self.decimal == self.separator == ",":
            raise ValueError("a comma cannot divide columns and mark decimals; leave separator out")
        return self
