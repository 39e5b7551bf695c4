"""Several rows of a person as one record: their mean or sum, whether any is yes, or the last.

The noise hides one record of each person, so all rows of a person must be one record before they
are added up.
"""

from collections.abc import Sequence

from planner.libraries import np
from planner.numbers import Array
from planner.publication.items import Item
from planner.publication.record_file import File, RecordsError
from planner.wording import quoted

_NUMBERS = ("mean", "sum")


def people_in(file: File, column: str) -> tuple[Array, Array]:
    """The number of the person of each row, counted from 0 as they come; and rows of nobody."""
    import pyarrow as pa
    import pyarrow.compute as pc

    blocks = []
    for block in file.blocks([column]):
        names = block[column]
        if pa.types.is_dictionary(names.type):
            names = names.dictionary_decode()
        texts = pc.utf8_normalize(pc.utf8_trim_whitespace(names.cast(pa.string())), "NFC")
        blocks.append(pc.fill_null(texts, ""))
    whole = pa.chunked_array(blocks, pa.string()).combine_chunks().dictionary_encode()
    nobody = np.flatnonzero(np.asarray(pc.equal(whole.dictionary, "")))
    people = whole.indices.to_numpy()
    return people, np.flatnonzero(np.isin(people, nobody))


def refuse_rows(rows: str, asked: Sequence[Item]) -> None:
    """Refuse what rows cannot mean for the answers that are asked.

    Raises:
        RecordsError: the mean or sum of answers that are no numbers, or any of numbers.
    """
    for item in asked:
        number = item.kind == "mean"
        if rows == "last" or (rows in _NUMBERS and number) or (rows == "any" and _is_share(item)):
            continue
        other = '"last"'
        if number or _is_share(item):
            other = '"mean", "sum" or "last"' if number else '"any" or "last"'
        raise RecordsError(
            f"rows = {quoted(rows)} in [records] is not for what column {quoted(item.column)} "
            f"holds; give {other}"
        )


def _is_share(item: Item) -> bool:
    return item.kind in ("share", "count") or item.answer_rate is not None


def one_each(
    item: Item, rows: str, values: Array, there: Array, people: Array
) -> tuple[Array, Array]:
    """The value of each person, and who has an answer.

    Args:
        item: what is read.
        rows: which record of several is that of a person.
        values: of each row.
        there: which rows have an answer.
        people: the number of the person of each row.
    """
    count = int(people.max()) + 1 if len(people) else 0
    if item.answered_mean:  # who has no answer at all stays without
        there = there & np.isfinite(values)
    of, answered = people[there], np.zeros(count, bool)
    answered[of] = True
    one = np.zeros(count, values.dtype)
    if rows in _NUMBERS:
        total = np.bincount(of, values[there], count)
        one = total if rows == "sum" else total / np.maximum(np.bincount(of, minlength=count), 1)
    elif rows == "any":
        yes, no = (0, 1) if item.answer_rate is not None else (1, 0)
        one[:] = no
        one[of[values[there] == yes]] = yes
    else:  # the last that is assigned stays
        one[of] = values[there]
    if item.answered_mean:
        return np.where(answered, one, np.inf), np.ones(count, bool)
    return one, answered


def out_of_range(item: Item, values: Array, answered: Array) -> int:
    """How many people have a sum beyond the range of a mean."""
    if item.kind != "mean":
        return 0
    low, high = item.values or (item.low, item.high)
    beyond = (values < low) | (values > high)
    return int(np.count_nonzero(beyond & answered & np.isfinite(values)))
