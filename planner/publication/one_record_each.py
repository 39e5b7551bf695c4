"""That each person has one record: the noise hides one of each, and a second would show."""

from collections.abc import Iterator
from itertools import compress

from planner.libraries import np
from planner.model.recorded import normal
from planner.publication.reading import FIRST, Fault
from planner.publication.record_file import File

AGAIN = "a person who has another record; keep one of each, since the noise hides one record each"
NOBODY = "the person is missing; give each a name or number of their own"


def repeated(file: File, column: str) -> list[Fault]:
    """Records of nobody, and all but the first of each person.

    Two readings: of each name 64 bits are kept, and then those names are compared that have the
    same.

    Args:
        file: of records.
        column: that names each person.
    """
    numbers = np.fromiter(map(hash, _names(file, column)), np.int64)
    ordered = np.sort(numbers)
    alike = np.isin(numbers, [hash(""), *ordered[1:][ordered[1:] == ordered[:-1]]])
    found: dict[str, list[int]] = {AGAIN: [], NOBODY: []}
    seen = set[str]()
    for row, name in compress(enumerate(_names(file, column)), alike) if alike.any() else ():
        if name in seen or not name:
            found[AGAIN if name else NOBODY].append(row)
        seen.add(name)
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
