"""A damaged ledger is written again from the entries that can be read."""

import sqlite3
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from planner.publication.ledger import (
    COLUMNS,
    DamagedError,
    Entry,
    LedgerError,
    chained_hash,
    checked_entry,
    connected,
    copied,
    default_path,
    new_file,
    reason,
    unusable,
    verified,
    write,
)
from planner.show import Shown


@dataclass(frozen=True, repr=False)
class Repair(Shown):
    """What a repair has done.

    Attributes:
        path: the ledger.
        copy: the damaged file, kept; empty where nothing was damaged.
        read: how many entries were read.
        lost: how many entries at least could not be read.
        why: what was damaged, in a few words.
    """

    path: str
    copy: str
    read: int
    lost: int
    why: str

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def repair(path: Path | None = None) -> Repair:
    """Write a damaged ledger again from the entries that can be read.

    The damaged file is kept beside it. Where an entry may be missing, the new ledger states so, and
    refuses every publication that the user does not state to be about other people.

    Raises:
        LedgerError: there is no such file, or it cannot be written.
    """
    place = path or default_path()
    if not place.exists():
        raise LedgerError(f"{place}: no such ledger; give its path with --ledger")
    try:
        with connected(place) as connection:
            whole = verified(connection)
        return Repair(str(place), "", len(whole), whole.lost, "")
    except (DamagedError, UnicodeDecodeError, sqlite3.Error) as error:
        why = reason(error)
        if "locked" in why:
            raise unusable(place, why) from None
    found, lost = _salvaged(place)
    copy = copied(place, "damaged")
    fresh = new_file(place)
    try:
        with connected(fresh) as connection:
            connection.execute("BEGIN IMMEDIATE")
            write(connection, found, "", 0)
            connection.execute("UPDATE ledger SET lost = ?", (lost,))
            connection.execute("COMMIT")
        fresh.replace(place)
        # the rest of a transaction in the old file must not be played into the new one
        for ending in ("-journal", "-wal", "-shm"):
            place.with_name(place.name + ending).unlink(missing_ok=True)
    finally:
        fresh.unlink(missing_ok=True)
    return Repair(str(place), str(copy), len(found), lost, why)


def _salvaged(path: Path) -> tuple[list[Entry], int]:
    """The entries of a damaged file that can be read, and how many at least are missing."""
    found: list[Entry] = []
    hashes: list[str] = []
    stated, last, highest = 0, "", 0
    unreadable = (sqlite3.Error, UnicodeDecodeError, TypeError, DamagedError)
    with suppress(*unreadable), connected(path) as connection:
        names = [name for _, name, *_ in connection.execute("PRAGMA table_info(publications)")]
        chain = ("before", "hash") if "hash" in names else ()
        with suppress(*unreadable):
            stated, last = connection.execute("SELECT entries, hash FROM ledger").fetchone()
        with suppress(*unreadable):
            (highest,) = connection.execute("SELECT max(number) FROM publications").fetchone()
        # a number that damage has made huge is not counted up to: an entry takes over a byte
        highest = min(max(int(stated), int(highest or 0)), path.stat().st_size)
        for number in range(1, highest + 1):
            with suppress(*unreadable):
                query = "SELECT {} FROM publications WHERE number = ?"
                columns = ", ".join((*COLUMNS, *chain))
                row = connection.execute(query.format(columns), (number,)).fetchone()
                entry = checked_entry(row[: len(COLUMNS)])
                if chain and chained_hash(entry, row[-2]) != row[-1]:
                    continue
                found.append(entry)
                hashes.append(row[-1])
    complete = stated == len(found) > 0 and hashes[-1] == last
    return found, 0 if complete else max(1, highest - len(found))
