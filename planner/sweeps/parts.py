"""A sweep in parts: each finished part is a file, so that an interrupted sweep can go on.

A manifest beside the parts says of which sweep they are, and keeps another from using them.
"""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from planner.answer.search import Objective
from planner.model import Study
from planner.sweeps.axes import Axes, Slab, slabs, within
from planner.sweeps.dataset import at_once, lazily
from planner.sweeps.points import Columns

PART = 2**20
"""Studies in a part."""
_MANIFEST = "sweep.json"


@dataclass(frozen=True)
class Parts:
    """The parts of one sweep, in a folder beside its output.

    Attributes:
        study: the question.
        axes: the swept quantities.
        output: the file that the sweep is written to at the end.
        objective: what each plan makes least.
        tolerance: as in `planner.solve`.
    """

    study: Study
    axes: Axes
    output: Path
    objective: Objective = "cost"
    tolerance: float = 0.01

    @property
    def folder(self) -> Path:
        """Where the parts are."""
        return self.output.with_name(f"{self.output.name}.parts")

    @cached_property
    def slabs(self) -> list[Slab]:
        """What each part spans, in order."""
        return list(slabs(self.axes, PART))

    def begin(self) -> list[int]:
        """Open the folder and tell which parts are missing.

        Raises:
            ValueError: the folder holds parts of another sweep, or something else.
            OSError: the folder cannot be made or read.
        """
        manifest = self.folder / _MANIFEST
        if manifest.exists():
            differs = _difference(json.loads(manifest.read_text("utf-8")), self._manifest)
            if differs:
                raise ValueError(
                    f"{self.folder} holds parts of another sweep (its {differs} differs); write "
                    "to another file, finish that sweep, or remove the folder"
                )
        else:
            self.folder.mkdir(exist_ok=True)
            if any(self.folder.iterdir()):
                raise ValueError(f"{self.folder} is not of a sweep; write to another file")
            _write(manifest, lambda path: path.write_text(json.dumps(self._manifest), "utf-8"))
        return [at for at in range(len(self.slabs)) if not self._path(at).exists()]

    def decide(self, at: int, workers: int = 0) -> None:
        """Decide one part and keep it; on Dask's scheduler where there are `workers`."""
        axes = within(self.axes, self.slabs[at])
        if workers:
            columns = self._on_dask(axes, workers)
        else:
            columns = at_once(self.study, axes, self.objective, self.tolerance)

        def save(path: Path) -> None:
            with path.open("wb") as file:
                np.save(file, columns.verdict)
                np.save(file, np.stack(columns[1:]))

        _write(self._path(at), save)

    def read(self, at: int) -> Columns:
        """The columns of a finished part, flat."""
        with self._path(at).open("rb") as file:
            verdict = np.load(file)
            return Columns(verdict, *np.load(file))

    def remove(self) -> None:
        """Remove the folder, once the output is whole."""
        shutil.rmtree(self.folder)

    def _on_dask(self, axes: Axes, workers: int) -> Columns:
        longest = max(axes, key=lambda name: len(axes[name]))
        cut = {longest: -(-len(axes[longest]) // (4 * workers))}
        found = lazily(self.study, axes, cut, self.objective, self.tolerance).compute()
        return Columns(*(found[name].to_numpy().reshape(-1) for name in Columns._fields))

    def _path(self, at: int) -> Path:
        return self.folder / f"part-{at:06d}.npy"

    @cached_property
    def _manifest(self) -> dict[str, Any]:
        found = {
            "study": repr(self.study),
            "objective": self.objective,
            "tolerance": self.tolerance,
            "list of quantities": list(self.axes),
            "size of parts": PART,
        }
        for name, axis in self.axes.items():
            found[f"{name} axis"] = hashlib.sha256(axis.tobytes()).hexdigest()
        return found


def _difference(kept: dict[str, Any], wanted: dict[str, Any]) -> str | None:
    return next((key for key in wanted if kept.get(key) != wanted[key]), None)


def _write(path: Path, save: Callable[[Path], object]) -> None:
    """Write a file whole or not at all."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        save(unfinished)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
