"""A sweep in parts: each finished part is a file, so that an interrupted sweep can continue.

A manifest beside the parts describes their sweep, so that no other sweep uses them.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import planner
from planner.answer.problem.problem import TOLERANCE
from planner.answer.search.decide import Columns
from planner.answer.search.find import Objective
from planner.libraries import np
from planner.model import Study
from planner.output import unfinished, write_whole
from planner.sweeps.axes import Axes, Slab, slabs, within
from planner.sweeps.dataset import at_once, lazily

try:
    import fcntl
except ImportError:  # Windows has no such locks, and removes no folder of an open file
    fcntl = None  # type: ignore[assignment]

PART = 2**20
"""Studies in a part: 8 MB for each of their numbers, and as many to repeat after a break."""
_MANIFEST, _LOCK = "sweep.json", "sweep.lock"
_CODE = "version of the planner"
_NOT_COMPUTING = ("cli", "explorer", "reports", "explanation", "audit")


@dataclass(frozen=True)
class Parts:
    """The parts of one sweep, in a folder beside its output.

    Attributes:
        study: the study.
        axes: the swept quantities.
        output: the file that the sweep is written to at the end.
        objective: what each plan minimises.
        tolerance: as in `planner.solve`.
    """

    study: Study
    axes: Axes
    output: Path
    objective: Objective = "cost"
    tolerance: float = TOLERANCE

    @property
    def folder(self) -> Path:
        return self.output.with_name(f"{self.output.name}.parts")

    @cached_property
    def slabs(self) -> list[Slab]:
        """The block of the grid of each part, in order."""
        return list(slabs(self.axes, PART))

    def begin(self) -> list[int]:
        """Open the folder, and return the numbers of the missing parts.

        Raises:
            ValueError: the folder holds parts of another sweep, or something else.
            OSError: the folder cannot be created or read.
        """
        manifest = self.folder / _MANIFEST
        if manifest.exists():
            differs = _difference(_read(manifest), self._manifest)
            if differs == _CODE:
                raise ValueError(
                    f"{self.folder} holds parts that another version of the planner computed; "
                    "finish with that one, write to another file, or remove the folder"
                )
            if differs:
                raise ValueError(
                    f"{self.folder} holds parts of another sweep (its {differs} differs); write "
                    "to another file, finish that sweep, or remove the folder"
                )
        else:
            self.folder.mkdir(exist_ok=True)
            if {path.name for path in self.folder.iterdir()} - {_LOCK, unfinished(manifest).name}:
                raise ValueError(f"{self.folder} does not belong to a sweep; write to another file")
            write_whole(manifest, lambda path: path.write_text(json.dumps(self._manifest), "utf-8"))
        return [at for at in range(len(self.slabs)) if not self._path(at).exists()]

    def decide(self, at: int, workers: int = 0) -> None:
        """Decide and store one part, on Dask if there are `workers`."""
        axes = within(self.axes, self.slabs[at])
        if workers:
            columns = self._on_dask(axes, workers)
        else:
            columns = at_once(self.study, axes, self.objective, self.tolerance)

        def save(path: Path) -> None:
            with path.open("wb") as file:
                np.save(file, columns.verdict)
                np.save(file, np.stack(columns[1:]))

        write_whole(self._path(at), save)

    def read(self, at: int) -> Columns:
        """The columns of a finished part, flat."""
        with self._path(at).open("rb") as file:
            verdict = np.load(file)
            return Columns(verdict, *np.load(file))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the sweep against other processes.

        Raises:
            ValueError: another process is writing it.
            OSError: the folder cannot be created.
        """
        self.folder.mkdir(exist_ok=True)
        if fcntl is None:
            yield
            return
        with (self.folder / _LOCK).open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(
                    f"{self.output}: another sweep is writing to it; wait until it ends, "
                    "or give another file"
                ) from None
            yield

    def remove(self) -> None:
        """Remove the folder after the output is complete, the manifest last."""
        for at in range(len(self.slabs)):
            self._path(at).unlink(missing_ok=True)
        (self.folder / _MANIFEST).unlink(missing_ok=True)
        shutil.rmtree(self.folder)

    def _on_dask(self, axes: Axes, workers: int) -> Columns:
        longest = max(axes, key=lambda name: len(axes[name]))
        cut = {longest: -(-len(axes[longest]) // (4 * workers))}
        dataset = lazily(self.study, axes, cut, self.objective, self.tolerance).compute()
        return Columns(*(dataset[name].to_numpy().reshape(-1) for name in Columns._fields))

    def _path(self, at: int) -> Path:
        return self.folder / f"part-{at:06d}.npy"

    @cached_property
    def _manifest(self) -> dict[str, Any]:
        entries = {
            "study": repr(self.study),
            "objective": self.objective,
            "tolerance": self.tolerance,
            "list of quantities": list(self.axes),
            "size of parts": PART,
            _CODE: _code(),
        }
        for name, axis in self.axes.items():
            entries[f"{name} axis"] = hashlib.sha256(axis.tobytes()).hexdigest()
        return entries


def _read(manifest: Path) -> dict[str, Any]:
    try:
        kept = json.loads(manifest.read_text("utf-8"))
    except (ValueError, RecursionError):
        kept = None
    if not isinstance(kept, dict):
        raise ValueError(
            f"{manifest} does not belong to a sweep; write to another file, or remove the folder"
        )
    return kept


def _difference(kept: dict[str, Any], wanted: dict[str, Any]) -> str | None:
    """The first entry in which two manifests differ; None if there is none."""
    return next((key for key in wanted if kept.get(key) != wanted[key]), None)


@cache
def _code() -> str:
    """A hash of the computing code: parts of different versions must not be joined."""
    root = Path(planner.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] not in _NOT_COMPUTING:
            digest.update(path.read_bytes())
    return digest.hexdigest()
