"""The output file of a sweep: its parts joined one after another, in bounded memory."""

import warnings
from collections.abc import Callable, Iterable
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.answer.search.decide import VERDICTS, Columns
from planner.libraries import np
from planner.output import write_whole
from planner.sweeps.axes import shape
from planner.sweeps.dataset import about, assembled, axis_attributes, dimension, variable_attributes
from planner.sweeps.parts import Parts

if TYPE_CHECKING:
    import xarray


def join(parts: Parts, finished: Iterable[int]) -> dict[str, int]:
    """Write the output from all parts.

    Returns:
        The number of studies with each verdict.
    """
    counts = dict.fromkeys(VERDICTS, 0)

    def read() -> Iterable[tuple[int, Columns]]:
        for at in finished:
            columns = parts.read(at)
            for name, flag in VERDICTS.items():
                counts[name] += int(np.count_nonzero(columns.verdict == flag))
            yield at, columns

    suffix = parts.output.suffix.lower()
    write_whole(
        parts.output,
        lambda path: WRITERS[suffix](parts, path, read()),
        lambda path: _check(path, suffix, prod(shape(parts.axes))),
    )
    return counts


def plane(parts: Parts, finished: Iterable[int]) -> "xarray.Dataset":
    """The sweep's plane of its first two quantities, at the first value of every other."""
    first = {name: axis[:1] for name, axis in list(parts.axes.items())[2:]}
    axes = {**parts.axes, **first}
    whole = [np.full(shape(axes), np.nan) for _ in Columns._fields]
    for at in finished:
        slab = parts.slabs[at]
        if any(slab.starts[2:]):
            continue
        inner: tuple[Any, ...] = (..., *(slice(0, 1) for _ in slab.starts[2:]))
        for grid, column in zip(whole, parts.read(at), strict=True):
            grid[(*slab.slices[:2], *inner)] = column.reshape(slab.counts)[inner]
    flat = (column.reshape(-1) for column in whole)
    return assembled(parts.study, axes, Columns(*flat), parts.objective, parts.tolerance)


Blocks = Iterable[tuple[int, Columns]]


def _zarr(parts: Parts, path: Path, blocks: Blocks) -> None:
    import zarr

    store: Any = zarr.create_group(
        str(path), attributes=about(parts.study, parts.objective, parts.tolerance)
    )
    for name, axis in parts.axes.items():
        store.create_array(
            dimension(name), data=axis, dimension_names=[dimension(name)],
            attributes=axis_attributes(parts.study, name),
        )  # fmt: skip
    for name in Columns._fields:
        kind, fill = ("int8", 0) if name == "verdict" else ("float64", np.nan)
        words = variable_attributes(parts.study, name)
        plain = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in words.items()}
        store.create_array(
            name, shape=shape(parts.axes), dtype=kind, chunks=parts.slabs[0].counts,
            fill_value=fill, dimension_names=list(map(dimension, parts.axes)), attributes=plain,
        )  # fmt: skip
    for at, columns in blocks:
        slab = parts.slabs[at]
        for name, column in zip(Columns._fields, columns, strict=True):
            store[name][slab.slices] = column.reshape(slab.counts)
    with warnings.catch_warnings():  # not every reader of Zarr 3 supports this; xarray does
        warnings.simplefilter("ignore")
        zarr.consolidate_metadata(str(path))


def _csv(parts: Parts, path: Path, blocks: Blocks) -> None:
    """Write all parts to a table with one row for each study; what is not feasible is empty."""
    columns = [np.concatenate(column) for column in zip(*(part for _, part in blocks), strict=True)]
    whole = assembled(parts.study, parts.axes, Columns(*columns), parts.objective, parts.tolerance)
    whole.to_dataframe().reset_index().to_csv(path, index=False)


WRITERS: dict[str, Callable[[Parts, Path, Blocks], None]] = {".zarr": _zarr, ".csv": _csv}


def _check(path: Path, suffix: str, studies: int) -> None:
    """Check that the written file contains every study."""
    if suffix == ".zarr":
        import zarr

        store: Any = zarr.open_group(str(path), mode="r")
        written = store["verdict"].size
        for name in Columns._fields:  # whose last values a truncated store lacks
            store[name][(-1,) * store[name].ndim]
    else:
        with path.open("rb") as file:
            written = sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b"")) - 1
    if written != studies:
        raise OSError(f"{written} of {studies} studies were written")
