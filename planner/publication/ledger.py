"""The ledger: an SQLite file of what was published, and of what that has spent of whom.

An entry and its noisy results are one transaction, and nothing is shown before it is on the disk.
Entries are chained by hashes, and the ledger states how many there are, so that a changed or a
missing entry is found; whatever is damaged is refused. The ledger records; it cannot stop anyone
who deletes or copies it.
"""

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from planner.output import network_drive
from planner.show import Several, Shown, digest

_PATIENCE = 60.0
"""Seconds for which a locked ledger is waited for: more than a publication takes."""
_APPLICATION = int.from_bytes(b"eps\x01")
"""SQLite's application_id of a ledger."""
_VERSION = 2
"""SQLite's user_version; ledgers of version 1 had no mark, no chain and columns of any type."""
_TABLES = """
CREATE TABLE publications (
    number INTEGER PRIMARY KEY,
    people TEXT NOT NULL,
    plan TEXT NOT NULL,
    title TEXT NOT NULL,
    published TEXT NOT NULL,
    participants INTEGER NOT NULL,
    epsilon REAL NOT NULL,
    delta REAL NOT NULL,
    compensation REAL NOT NULL,
    output TEXT NOT NULL,
    results TEXT NOT NULL,
    before TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
CREATE TABLE ledger (entries INTEGER NOT NULL, hash TEXT NOT NULL, lost INTEGER NOT NULL) STRICT;
"""


class LedgerError(ValueError):
    """A ledger that cannot be used, or that refuses a publication."""


class DamagedError(Exception):
    """Why a file is no whole ledger, in a few words."""


@dataclass(frozen=True, repr=False)
class Entry(Shown):
    """One publication.

    Attributes:
        number: from 1 on.
        people: the name of those whose records were used.
        plan: the digest of the plan.
        title: of the study.
        published: the time, in UTC.
        participants: N.
        epsilon, delta: what it spent of each person's privacy.
        compensation: what each was paid for it [money].
        output: the path of the results file; empty where none was asked for.
        results: what that file holds, as JSON.
    """

    number: int
    people: str
    plan: str
    title: str
    published: str
    participants: int
    epsilon: float
    delta: float
    compensation: float
    output: str
    results: str

    def to_dict(self) -> dict[str, Any]:
        names = ("number", "people", "title", "published", "participants", "epsilon", "delta")
        return {name: getattr(self, name) for name in (*names, "compensation", "plan")}


COLUMNS = tuple(field.name for field in fields(Entry))


@dataclass(frozen=True, eq=False, repr=False)
class Entries(Several[Entry]):
    """What a ledger holds.

    Attributes:
        members: the entries.
        lost: how many entries at least a repair could not read.
    """

    members: tuple[Entry, ...] = ()
    lost: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "lost": self.lost}


@dataclass(frozen=True)
class Writing:
    """A transaction: the entries there are, and a way to add one."""

    connection: sqlite3.Connection
    entries: Entries

    def add(self, entry: Entry) -> None:
        """Add an entry; its number is given by the ledger."""
        number = 1 + max((one.number for one in self.entries), default=0)
        last = self.connection.execute("SELECT hash FROM ledger").fetchone()[0]
        write(self.connection, [replace(entry, number=number)], last, len(self.entries))


def default_path() -> Path:
    """The user's own ledger."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "epsilon-planner" / "ledger.sqlite"


def entries(path: Path | None = None) -> Entries:
    """What a ledger holds; nothing where there is none yet.

    Raises:
        LedgerError: it cannot be read, or is damaged.
    """
    place = path or default_path()
    if not place.exists():
        return Entries()
    with _opened(place) as book:
        return book.entries


@contextmanager
def writing(path: Path) -> Iterator[Writing]:
    """One transaction on a ledger; others wait until it ends.

    Raises:
        LedgerError: it cannot be written, is damaged, or lies on a network drive, where locks do
            not hold.
    """
    if kind := network_drive(path):
        raise LedgerError(
            f"{path} is on a network drive ({kind}), where two could publish at once; give "
            "--ledger with a file on this machine"
        )
    if not path.exists():
        _create(path)
    with _opened(path) as book:
        yield book


@contextmanager
def _opened(path: Path) -> Iterator[Writing]:
    with connected(path) as connection:
        try:
            yield Writing(connection, _begun(connection, path))
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise unusable(path, reason(error)) from None
        finally:
            if connection.in_transaction:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")


def _begun(connection: sqlite3.Connection, path: Path) -> Entries:
    try:
        if path.stat().st_size == 0:
            raise DamagedError("the file is empty, 0 bytes")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        if _of_version_1(connection):
            raise LedgerError(
                f"{path}: the ledger is of version 1, which this program does not read, so nothing "
                "is published; run planner ledger of version 0.2 of the program with it, which "
                "writes it anew and keeps a copy"
            )
        return verified(connection)
    except sqlite3.OperationalError as error:
        raise unusable(path, reason(error)) from None
    except (DamagedError, UnicodeDecodeError, sqlite3.Error) as error:
        raise _damaged(path, reason(error)) from None


def _of_version_1(connection: sqlite3.Connection) -> bool:
    """Whether the file is a ledger as version 0.1 of the program wrote them."""
    if _pragma(connection, "application_id") or _pragma(connection, "user_version"):
        return False
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return tables == [("publications",)]


def unusable(path: Path, why: str) -> LedgerError:
    """The refusal of a ledger that is locked or cannot be written."""
    return LedgerError(f"{path}: the ledger cannot be used ({why}); nothing was published")


def _unwritable(path: Path, error: Exception) -> LedgerError:
    why = reason(error)
    return LedgerError(f"{path}: the ledger cannot be written ({why}); give another with --ledger")


def _damaged(path: Path, why: str) -> LedgerError:
    return LedgerError(
        f"{path}: the ledger is damaged ({why}), so nothing is published; restore it from a copy"
    )


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to an existing file."""
    try:
        os.close(os.open(path, os.O_RDWR))  # whose message is clearer than SQLite's
        name = f"file:{quote(str(path.absolute()))}?mode=rw"
        connection = sqlite3.connect(name, timeout=_PATIENCE, isolation_level=None, uri=True)
    except (OSError, sqlite3.Error) as error:
        raise _unwritable(path, error) from None
    try:
        yield connection
    finally:
        connection.close()


def _create(path: Path) -> None:
    """Create an empty ledger, whole from the first moment: a killed process leaves none by half."""
    fresh = new_file(path)
    try:
        with suppress(FileExistsError):  # another process was first
            os.link(fresh, path)
    except OSError as error:
        raise LedgerError(
            f"{path}: a ledger cannot be created there ({reason(error)}); give another path with "
            "--ledger"
        ) from None
    finally:
        fresh.unlink(missing_ok=True)


def new_file(path: Path) -> Path:
    """An empty ledger beside a path, which only its owner can read."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise _unwritable(path, error) from None
    with connected(Path(name)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        _prepare(connection)
        connection.execute("COMMIT")
    return Path(name)


def _prepare(connection: sqlite3.Connection) -> None:
    for statement in filter(str.strip, _TABLES.split(";")):
        connection.execute(statement)
    connection.execute("INSERT INTO ledger VALUES (0, '', 0)")
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {_VERSION}")


def write(connection: sqlite3.Connection, added: Iterable[Entry], last: str, count: int) -> None:
    """Add entries to the chain that ends in the hash `last` after `count` entries."""
    for entry in added:
        before, last, count = last, chained_hash(entry, last), count + 1
        row = (*(getattr(entry, name) for name in COLUMNS), before, last)
        connection.execute(f"INSERT INTO publications VALUES ({', '.join('?' * len(row))})", row)
    connection.execute("UPDATE ledger SET entries = ?, hash = ?", (count, last))


def chained_hash(entry: Entry, before: str) -> str:
    """The hash of an entry and of all before it."""
    return digest({"before": before, **asdict(entry)})


def verified(connection: sqlite3.Connection) -> Entries:
    """The entries of a ledger.

    Raises:
        DamagedError: anything is not as it was written.
    """
    _check_file(connection)
    if _pragma(connection, "application_id") != _APPLICATION:
        raise DamagedError("it does not have the mark of a ledger")
    if (version := _pragma(connection, "user_version")) != _VERSION:
        raise DamagedError(f"it is of version {version}, and this program reads {_VERSION}")
    heads = _rows(connection, "SELECT entries, hash, lost FROM ledger")
    rows = _rows(connection, "SELECT * FROM publications ORDER BY number")
    if len(heads) != 1 or len(rows) != heads[0][0]:
        raise DamagedError("the number of entries is not the one it states")
    last, found = "", []
    for *values, before, stated in rows:
        entry = checked_entry(values)
        if before != last or chained_hash(entry, before) != stated:
            raise DamagedError(f"entry {entry.number} is not as it was written")
        last = stated
        found.append(entry)
    if last != heads[0][1]:
        raise DamagedError("its last entry is not the one it states")
    return Entries(tuple(found), int(heads[0][2]))


def _check_file(connection: sqlite3.Connection) -> None:
    (state,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if state != "ok":
        raise DamagedError(str(state).splitlines()[-1][:80])


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _rows(connection: sqlite3.Connection, query: str) -> list[tuple[Any, ...]]:
    try:
        return connection.execute(query).fetchall()
    except sqlite3.OperationalError as error:
        if "no such" in str(error):
            raise DamagedError(str(error)) from None
        raise


def checked_entry(values: Iterable[Any]) -> Entry:
    """An entry, each of its values of its kind.

    Raises:
        DamagedError: one is not, or the results are not those of the entry.
    """
    row = dict(zip(COLUMNS, values, strict=True))
    number = row["number"] if isinstance(row["number"], int) else "?"
    for field in fields(Entry):
        if type(row[field.name]) is not field.type:
            raise DamagedError(f"entry {number} has no {field.name}")
    entry = Entry(**row)
    amounts = (entry.epsilon, entry.delta, entry.compensation)
    if entry.participants < 1 or not all(x >= 0 for x in amounts):
        raise DamagedError(f"entry {number} has impossible numbers")
    try:
        results = json.loads(entry.results)
        same = [results[name] == row[name] for name in ("plan", "participants", "epsilon", "delta")]
    except (ValueError, TypeError, KeyError, RecursionError):
        same = [False]
    if not all(same):
        raise DamagedError(f"entry {number} has results that are not its own")
    return entry


def reason(error: Exception) -> str:
    """Why a file cannot be used, in a few words."""
    if isinstance(error, UnicodeDecodeError):
        return "its text cannot be read"
    return (getattr(error, "strerror", None) or str(error)).lower()[:100]
