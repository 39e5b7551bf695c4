"""Files, written completely or not at all: checked before anything is computed, and after writing.

A file is written beside its target, read again, and only then takes the target's name.
"""

import json
import os
import shutil
import zlib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

_REMOTE = ("nfs", "nfs4", "cifs", "smb", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "ceph")
"""File systems of network drives, as Linux names them."""
_ENDS = {
    ".pdf": (b"%PDF-", b"%%EOF"),
    ".png": (b"\x89PNG\r\n", b"IEND\xaeB`\x82"),
    ".svg": (b"<", b"</svg>"),
    ".html": (b"<", b"</html>"),
    ".htm": (b"<", b"</html>"),
    ".parquet": (b"PAR1", b"PAR1"),
}
"""The first and last bytes of each kind of file."""
_DATABASE = b"SQLite format 3\x00"
"""The first bytes of a ledger, which no other output may replace."""
_OF_A_FULL_DISK = ("requested and", "HDF error", "Errno 28")


class NotWrittenError(ValueError):
    """A file that could not be written completely; the previous file is unchanged.

    Attributes:
        reason: why, in a few words.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}; make room or give another file")
        self.reason = reason


@cache
def program_version() -> str:
    """The version of the installed planner, which is written into files."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("epsilon-planner")
    except PackageNotFoundError:
        return "unknown"


def check_target(
    path: Path, endings: Iterable[str], inputs: Iterable[Path] = (), force: bool = True
) -> None:
    """Refuse a file that cannot or must not be written.

    Raises:
        ValueError: the folder does not exist or is not writable, the ending is not known, or an
            existing file must not be replaced.
    """
    known = tuple(endings)
    if path.suffix.lower() not in known:
        words = ", ".join(known)
        raise ValueError(f"{path}: cannot write '{path.suffix}' files; end the name in {words}")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: folder {path.parent} does not exist; create it first")
    if any(_same_file(path, one) for one in inputs):
        raise ValueError(f"{path}: this file is an input; give another file to write")
    if _begins(path, _DATABASE):
        raise ValueError(f"{path}: this file is a ledger; give another file to write")
    of_a_folder = path.suffix.lower() == ".zarr"
    if (path.exists() and path.is_dir() != of_a_folder) or not os.access(path.parent, os.W_OK):
        raise ValueError(f"{path}: cannot be written; give another file")
    if path.is_dir() and not own_store(path):
        raise ValueError(f"{path}: this folder was not written by the planner; give another name")
    if path.exists() and not force:
        raise ValueError(f"{path} exists; give another file, or --force to replace it")


def _same_file(path: Path, other: Path) -> bool:
    if path.exists() and other.exists():
        return path.samefile(other)
    return path.resolve() == other.resolve()


def _begins(path: Path, start: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(start)) == start
    except OSError:
        return False


def own_store(folder: Path) -> bool:
    """Whether a folder is a store of the planner, or holds nothing yet."""
    try:
        data = json.loads((folder / "zarr.json").read_text("utf-8"))
        return str(data["attributes"]["source"]).startswith("epsilon-planner")
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        begun = ("sweep.lock", "zarr.*.partial")  # of a store whose writer was killed at once
        return all(any(map(path.match, begun)) for path in folder.iterdir())


def write_whole(
    path: Path,
    save: Callable[[Path], object],
    readable: Callable[[Path], object] | None = None,
    replace: bool = True,
) -> None:
    """Write a file or a folder, and check it before it replaces what was there.

    Args:
        path: the target.
        save: writes to the path that it is given.
        readable: reads what was written, and raises an error where it is incomplete.
        replace: whether an existing file is replaced; else it is kept, even one of this moment.

    Raises:
        NotWrittenError: it could not be written, or only partly, or exists.
    """
    part = unfinished(path)
    _remove(part)
    try:
        try:
            save(part)
            _check_ends(part, path.suffix.lower())
            if readable is not None:
                readable(part)
            if not replace:
                os.link(part, path)  # which fails where the file exists
                return
        except (OSError, RuntimeError, EOFError, zlib.error) as error:  # the messages of libraries
            raise NotWrittenError(path, _reason(error)) from None
        put_in_place(path, part)
    finally:
        _remove(part)


def unfinished(path: Path) -> Path:
    """The path of a file while it is written; a file found there was left by a killed process."""
    return path.with_name(f".{path.name}.part").absolute()


def put_in_place(path: Path, whole: Path) -> None:
    """Give a whole file or folder the name of the one that it replaces; no half is ever there."""
    before = path.with_name(f".{path.name}.before").absolute()
    _remove(before)
    if path.is_dir():
        path.rename(before)
    whole.replace(path)
    _remove(before)


def _reason(error: Exception) -> str:
    words = getattr(error, "strerror", None) or str(error) or "cannot be written"
    if isinstance(error, zlib.error) or any(part in words for part in _OF_A_FULL_DISK):
        words = "could not be fully written; perhaps no space is left on the device"
    return words.lower()[:200]


def _check_ends(path: Path, suffix: str) -> None:
    """Check that the first and the last bytes of a file are those of its kind."""
    if not path.is_dir():
        with path.open("r+b") as file:  # Windows flushes only what may be written
            os.fsync(file.fileno())
            begin, end = _ENDS.get(suffix, (b"", b""))
            start = file.read(len(begin))
            file.seek(0, os.SEEK_END)
            file.seek(-min(file.tell(), 1024), os.SEEK_END)
            if start != begin or not file.read().rstrip().endswith(end):
                raise OSError("the file was only partly written")


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)


def network_drive(path: Path) -> str:
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
