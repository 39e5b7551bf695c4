"""The ledger: an SQLite file of what was published, and of what that has spent of whom.

An entry and its noisy results are one transaction, and nothing is shown before it is on the disk.
The ledger records; it cannot stop anyone who deletes or copies it.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.show import Several, Shown

_PATIENCE = 60.0
_TABLE = """
CREATE TABLE IF NOT EXISTS publications (
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
    results TEXT NOT NULL
)
"""
_REMOTE = ("nfs", "nfs4", "cifs", "smb", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "ceph")


class LedgerError(ValueError):
    """A ledger that cannot be used, or that refuses a publication."""


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
        """As plain data, without the results."""
        names = ("number", "people", "title", "published", "participants", "epsilon", "delta")
        return {name: getattr(self, name) for name in (*names, "compensation", "plan")}


@dataclass(frozen=True, eq=False, repr=False)
class Entries(Several[Entry]):
    """What a ledger holds."""

    members: tuple[Entry, ...] = ()


def default_path() -> Path:
    """The user's own ledger."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "epsilon-planner" / "ledger.sqlite"


def entries(path: Path | None = None) -> Entries:
    """What a ledger holds; nothing where there is none yet.

    Raises:
        LedgerError: it cannot be read.
    """
    place = path or default_path()
    if not place.exists():
        return Entries()
    with _connected(place) as connection:
        return Entries(_read(connection))


@contextmanager
def writing(path: Path) -> Iterator["Writing"]:
    """One transaction on a ledger; others wait until it ends.

    Raises:
        LedgerError: it cannot be written, or lies on a network drive, where locks do not hold.
    """
    if kind := _remote(path):
        raise LedgerError(
            f"{path} is on a network drive ({kind}), where two could publish at once; give "
            "--ledger with a file on this machine"
        )
    with _connected(path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(_TABLE)
            yield Writing(connection, tuple(_read(connection)))
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


@dataclass(frozen=True)
class Writing:
    """A transaction: the entries there are, and a way to add one."""

    connection: sqlite3.Connection
    entries: Sequence[Entry]

    def add(self, entry: Entry) -> None:
        """Add an entry; its number is given by the ledger."""
        values = [getattr(entry, name) for name in _COLUMNS]
        marks = ", ".join("?" for _ in values)
        self.connection.execute(
            f"INSERT INTO publications ({', '.join(_COLUMNS)}) VALUES ({marks})",
            values,
        )


_COLUMNS = (
    "people",
    "plan",
    "title",
    "published",
    "participants",
    "epsilon",
    "delta",
    "compensation",
    "output",
    "results",
)


def _read(connection: sqlite3.Connection) -> tuple[Entry, ...]:
    found = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'publications'"
    )
    if found.fetchone() is None:
        return ()
    columns = ", ".join(("number", *_COLUMNS))
    rows = connection.execute(f"SELECT {columns} FROM publications ORDER BY number")
    return tuple(Entry(*row) for row in rows)


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a file that only its owner can read; SQLite's errors are sentences."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise LedgerError(
            f"{path}: the ledger cannot be written ({_reason(error)}); give another with --ledger"
        ) from None
    try:
        connection.execute("PRAGMA synchronous = FULL")
        yield connection
    except sqlite3.Error as error:
        raise LedgerError(
            f"{path}: the ledger cannot be used ({_reason(error)}); nothing was published"
        ) from None
    finally:
        connection.close()


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()[:100]


def _remote(path: Path) -> str:
    """The kind of network drive that a path lies on, as far as the system tells; else ""."""
    try:
        lines = Path("/proc/mounts").read_text("utf-8").splitlines()
    except OSError:
        return ""
    place, best, kind = str(path.absolute()), "", ""
    for line in lines:
        _, mount, of, *_ = line.split()
        if (place + "/").startswith(mount.rstrip("/") + "/") and len(mount) >= len(best):
            best, kind = mount, of
    return kind if kind in _REMOTE else ""
