"""Results read again from their file, which may be hostile: checked before anything is shown."""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pydantic import TypeAdapter, ValidationError

from planner import json_file
from planner.publication.items import Kind
from planner.publication.published import OfStratum, Published
from planner.publication.results import Publication
from planner.show import as_json
from planner.wording import named, printable, quoted, shortened

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_LARGEST = 64_000_000
"""Bytes: a histogram of 500,000 groups."""
_LARGEST_NUMBER = 1e100
"""Sums and squares of numbers up to it are finite."""
_KEYS = frozenset(field.name for field in fields(Publication)) - {"records"}


def read_results(path: str | Path) -> Publication:
    """Read results that `planner.publish` wrote as JSON.

    Args:
        path: a .json file.

    Raises:
        ValueError: the file cannot be read, or holds no results.
    """
    data = json_file.read(path, _LARGEST, "results file", "planner publish -o")
    if not holds_results(data):
        raise ValueError(f"{path}: no results; give a .json file that planner publish -o wrote")
    try:
        _refuse_unknown(data)
        _adapter().validate_json(as_json(data), strict=True)
        publication = Publication.from_dict(data)  # whose whole numbers stay whole
        for words in _faults(publication):
            raise ValueError(words)
    except ValidationError as error:
        raise ValueError(f"{path}: {_sentence(error.errors()[0])}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return publication


def holds_results(data: Any) -> bool:
    """Whether data of a JSON file are results, by their keys."""
    return isinstance(data, dict) and {"answers", "published"} <= data.keys()


@cache
def _adapter() -> TypeAdapter[Publication]:
    return TypeAdapter(Publication)


def _refuse_unknown(data: dict[str, Any]) -> None:
    known = frozenset(field.name for field in fields(Published))
    answers = data["answers"] if isinstance(data["answers"], list) else []
    strata = data.get("strata")
    of_stratum = frozenset(field.name for field in fields(OfStratum))
    pairs = [
        (data, _KEYS),
        *((one, known) for one in answers if isinstance(one, dict)),
        *(
            (s, of_stratum)
            for s in (strata if isinstance(strata, list) else ())
            if isinstance(s, dict)
        ),
    ]
    for table, keys in pairs:
        for key in table:
            if key not in keys:
                raise ValueError(f"unknown key {named(key)}")


def _faults(publication: Publication) -> Iterator[str]:
    if not publication.answers:
        yield "answers is empty; results have one at least"
    for value in _values(publication.to_dict()):
        if isinstance(value, str) and value != printable(value):
            yield f"{quoted(value)} holds control characters"
        if isinstance(value, int | float) and abs(value) > _LARGEST_NUMBER:
            yield f"a number is beyond {_LARGEST_NUMBER:g}"
    names: set[str] = set()
    for one in publication.answers:
        if one.name in names:
            yield f"two answers are named {quoted(one.name)}"
        names.add(one.name)
        if one.kind not in get_args(Kind):
            yield f"{quoted(one.kind)} is not a kind of question"
        if not one.error >= 1 / _LARGEST_NUMBER:
            yield f"the error of {quoted(one.name)} is not over 0"
        if isinstance(one.answer, list) != (one.kind == "histogram" or one.values is not None):
            yield f"the answer of {quoted(one.name)} does not fit its kind, {one.kind}"
        count = len(one.numbers)
        lengths = {
            len(part)
            for part in (one.possible, one.intervals, one.fitted or (), one.groups)
            if part
        }
        if not count or lengths - {count}:
            yield f"the numbers of {quoted(one.name)} are not as many as its groups"
        if any(len(ends) != 2 for ends in one.intervals):
            yield f"an interval of {quoted(one.name)} has not two ends"
        if (one.share_at_least, one.cells) != (None, None):
            pairs = one.cells is not None and len(one.cells) == 2 * count == 2 * len(one.intervals)
            if not (pairs and 0 < (one.share_at_least or 0) <= 1):
                yield f"{quoted(one.name)} has not two counts and an interval for each group"
            elif any(not 0 <= low <= x <= high <= 1 for x, (low, high) in _ends(one)):
                yield f"an interval of {quoted(one.name)} does not hold its proportion"
        if one.answer_rate is None and one.answered is None:
            continue
        if not 0 < (one.answer_rate or 0) <= 1 or {len(one.intervals), count} != {2}:
            yield f"{quoted(one.name)} is no proportion or mean of those who answer"
        elif one.answered is not None and len(one.answered) != 4:
            yield f"answered of {quoted(one.name)} has not four numbers"


def _ends(one: Published) -> Iterator[tuple[float, list[float]]]:
    pairs = zip(one.numbers, one.intervals, strict=False)
    return ((x, ends) for x, ends in pairs if len(ends) == 2)


def _values(data: Any) -> Iterator[Any]:
    if isinstance(data, dict | list | tuple):
        for part in data.values() if isinstance(data, dict) else data:
            yield from _values(part)
    else:
        yield data


def _sentence(error: "ErrorDetails") -> str:
    where = ".".join(named(str(part)) for part in error["loc"])
    if error["type"] == "missing":
        return f"{where} is missing"
    return f"{where} = {quoted(error['input'])} is not allowed: {shortened(error['msg'], 120)}"
