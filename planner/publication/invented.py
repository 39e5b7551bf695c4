"""Records that nobody gave, to rehearse a publication."""

import csv
import tempfile
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

from planner.publication.items import Item
from planner.publication.records import Sums, sums_of


def write_records(path: Path, asked: Sequence[Item], participants: int, proportion: float) -> None:
    """Write invented records.

    Args:
        path: the CSV file.
        asked: the items; each is answered by as many people as planned.
        participants: N.
        proportion: the proportion of ones, of the first group, and of the range of numbers.
    """
    start, columns = 0, []
    for item in asked:
        answered = item.participants
        lots = answered < participants
        before = start if lots else 0
        start += answered if lots else 0
        blank = [""] * (participants - answered)
        values = [_written(item, x) for x in _values(item, answered, proportion)]
        columns.append([*blank[:before], *values, *blank[before:]])
        if item.by is not None:  # as many in each group
            names = [item.by.words[k % item.by.groups][0] for k in range(answered)]
            columns.append([*blank[:before], *names, *blank[before:]])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(name for item in asked for name in item.columns)
        writer.writerows(zip(*columns, strict=True))


def invented_sums(asked: list[Item], people: int, proportion: float, clamp: bool) -> Sums:
    """The sums of invented records."""
    with tempfile.TemporaryDirectory(prefix="planner-") as folder:  # for its owner alone
        path = Path(folder) / "records.csv"
        write_records(path, asked, people, proportion)
        return sums_of(path, asked, people, clamp)


def _values(item: Item, count: int, proportion: float) -> list[Any]:
    if item.kind == "mean":
        return list(repeat(item.low + proportion * (item.high - item.low), count))
    if item.kind == "quantile":
        return [k * item.groups // count for k in range(count)]
    first = round(proportion * count)
    if item.by is not None:
        return [0] * first + [1] * (count - first)
    if item.answer_rate is not None:  # as many of those who answer, and one in ten empty
        return [2 if 10 * k // count == 9 else int(k >= 0.9 * first) for k in range(count)]
    if item.kind == "histogram":
        return [0] * first + [1 + k % (item.groups - 1) for k in range(count - first)]
    return [1] * first + [0] * (count - first)


def _written(item: Item, value: Any) -> Any:
    """A value as records have it: a code in words, a group of numbers as its lower edge."""
    if item.kind == "histogram" and value == item.if_missing:
        return ""
    if item.words:
        return item.words[value][0]
    return item.edges[value] if item.edges else value
