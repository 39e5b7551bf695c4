"""A sweep on disk: a Zarr store beside its output, whose finished blocks are not planned again.

A block of the grid is a chunk of each array of the store. Its verdicts are written last; a block
without them, or of which anything cannot be read, is planned anew.
"""

import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from planner.answer.problem.problem import TOLERANCE
from planner.answer.search.decide import VERDICTS, Columns
from planner.answer.search.find import Objective
from planner.libraries import np
from planner.model import Study
from planner.output import own_store, put_in_place, write_whole
from planner.sweeps.axes import Axes, Slab, shape, slabs, within
from planner.sweeps.dataset import about, at_once, dimension, lazily

if TYPE_CHECKING:
    import xarray

try:
    import fcntl
except ImportError:  # Windows has no such locks, and moves no folder of an open file
    fcntl = None  # type: ignore[assignment]

ENDINGS = (".zarr", ".csv")
BLOCK = 2**20
"""Studies in a block: 8 MB for each of their numbers, and as many to repeat after a break."""
_LOCK = "sweep.lock"
_UNPLANNED = -2
"""The verdict of a study that is not planned yet."""


@dataclass(frozen=True)
class Store:
    """The blocks of one sweep, in a store beside its output.

    Attributes:
        study: the study.
        axes: the swept quantities.
        output: the store or table that the sweep becomes at the end.
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
        """The blocks of the grid, in order."""
        return list(slabs(self.axes, BLOCK))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the store, which is begun if there is none, against other processes.

        Raises:
            ValueError: another process is writing it; or it is of another sweep, or something else.
            OSError: it cannot be created or read.
        """
        self.folder.mkdir(exist_ok=True)
        if not own_store(self.folder):  # which is left as it is
            raise ValueError(
                f"{self.folder} does not belong to a sweep; write to another file, or remove the "
                "folder"
            )
        if fcntl is None:
            self._begin()
            yield
            return
        with (self.folder / _LOCK).open("ab") as lock:
            self._lock(lock)
            self._begin()
            yield

    def missing(self) -> list[int]:
        """The numbers of the blocks that are not whole."""
        return [at for at in range(len(self.slabs)) if not self._is_whole(at)]

    def decide(self, at: int, workers: int = 0) -> None:
        """Plan and store one block, on Dask if there are `workers`."""
        axes = within(self.axes, self.slabs[at])
        if workers:
            columns = self._on_dask(axes, workers)
        else:
            columns = at_once(self.study, axes, self.objective, self.tolerance)
        slab, arrays = self.slabs[at], self._arrays("r+")
        for name in reversed(Columns._fields):  # the verdicts last
            arrays[name][slab.slices] = getattr(columns, name).reshape(slab.counts)

    def read(self) -> "xarray.Dataset":
        """The dataset, which is read as it is needed."""
        import xarray as xr

        return xr.open_zarr(self.folder)[list(Columns._fields)]

    def finish(self) -> dict[str, int]:
        """Give the store the name of the output, or write the table.

        Returns:
            The number of studies with each verdict.
        """
        if self.missing():
            raise OSError("some studies were not written")
        verdicts, counts = self._arrays("r")["verdict"], dict.fromkeys(VERDICTS, 0)
        for slab in self.slabs:
            block = verdicts[slab.slices]
            for name, flag in VERDICTS.items():
                counts[name] += int(np.count_nonzero(block == flag))
        if self.output.suffix.lower() == ".zarr":
            (self.folder / _LOCK).unlink(missing_ok=True)
            put_in_place(self.output, self.folder)
        else:
            table = self.read().to_dataframe().reset_index()
            write_whole(self.output, lambda path: table.to_csv(path, index=False), self._check_rows)
            shutil.rmtree(self.folder)
        return counts

    def _lock(self, file: BinaryIO) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(
                f"{self.output}: another sweep is writing to it; wait until it ends, "
                "or give another file"
            ) from None

    def _begin(self) -> None:
        """Begin the store, or go on with one of this sweep."""
        import xarray as xr

        for left in self.folder.rglob("*.partial"):  # by a killed process
            left.unlink()
        try:
            kept = xr.open_zarr(self.folder, consolidated=True)
        except (OSError, ValueError, KeyError):  # nothing, or killed before the last of it
            self._create()
            return
        differs = self._difference(kept)
        if differs == "source":
            raise ValueError(
                f"{self.folder} holds parts that another version of the planner computed; "
                "finish with that one, write to another file, or remove the folder"
            )
        if differs:
            raise ValueError(
                f"{self.folder} holds parts of another sweep (its {differs} differs); write "
                "to another file, finish that sweep, or remove the folder"
            )

    def _create(self) -> None:
        for left in self.folder.iterdir():
            if left.name != _LOCK:
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        chunks = dict(zip(self.axes, self.slabs[0].counts, strict=True))
        dataset = lazily(self.study, self.axes, chunks, self.objective, self.tolerance)
        unplanned = {"verdict": {"fill_value": _UNPLANNED}}
        with warnings.catch_warnings():  # not every reader of Zarr 3 has this; xarray does
            warnings.simplefilter("ignore")
            dataset.to_zarr(
                self.folder, mode="a", compute=False, encoding=unplanned, consolidated=True
            )

    def _difference(self, kept: "xarray.Dataset") -> str:
        """The first thing in which a store is not one of this sweep; else empty."""
        own = about(self.study, self.objective, self.tolerance)
        for name in ("source", "study", "minimise", "tolerance"):
            if kept.attrs.get(name) != own[name]:
                return "objective" if name == "minimise" else name
        dimensions = tuple(map(dimension, self.axes))
        if "verdict" not in kept or kept["verdict"].dims != dimensions:
            return "list of quantities"
        for name, axis in self.axes.items():
            if not np.array_equal(kept[dimension(name)], axis):
                return f"{name} axis"
        return ""

    def _is_whole(self, at: int) -> bool:
        arrays, place = self._arrays("r"), self.slabs[at].slices
        try:
            block = Columns(*(arrays[name][place] for name in Columns._fields))
        except Exception:  # of a damaged chunk each codec has its own
            return False
        planned = block.verdict != _UNPLANNED
        numbers = np.isfinite(np.stack(block[1:])).all(axis=0)
        return bool((planned & (numbers | (block.verdict != VERDICTS["feasible"]))).all())

    def _arrays(self, mode: Literal["r", "r+"]) -> Any:
        import zarr

        return zarr.open_group(self.folder, mode=mode)

    def _check_rows(self, table: Path) -> None:
        with table.open("rb") as file:
            written = sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b"")) - 1
        if written != prod(shape(self.axes)):
            raise OSError(f"{written} of {prod(shape(self.axes))} studies were written")

    def _on_dask(self, axes: Axes, workers: int) -> Columns:
        longest = max(axes, key=lambda name: len(axes[name]))
        cut = {longest: -(-len(axes[longest]) // (4 * workers))}
        dataset = lazily(self.study, axes, cut, self.objective, self.tolerance).compute()
        return Columns(*(dataset[name].to_numpy().reshape(-1) for name in Columns._fields))
