"""The output file of a sweep: its parts joined one after another, in bounded memory."""

import warnings
from collections.abc import Callable, Iterable
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.answer.search.decide import VERDICTS, Columns
from planner.libraries import np
from planner.output import write_whole
from planner.sweeps.axes import Axes, points, shape, within
from planner.sweeps.dataset import about, assembled, axis_attributes, dimension, variable_attributes
from planner.sweeps.parts import Parts

if TYPE_CHECKING:
    import xarray


def join(parts: Parts, finished: Iterable[int]) -> dict[str, int]:
    """Write the output from all parts.

    Args:
        parts: the sweep.
        finished: the numbers of all parts, in order.

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
    """The sweep's plane of its first two quantities, at the first value of every other.

    Args:
        parts: the sweep, with all its parts.
        finished: their numbers.
    """
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


def _check(path: Path, suffix: str, studies: int) -> None:
    """Check that the written file contains every study.

    Raises:
        OSError: some are missing.
    """
    if suffix == ".nc":
        import netCDF4

        with netCDF4.Dataset(path) as file:
            written = file["verdict"].size
            _last(file)
    elif suffix == ".zarr":
        import zarr

        store: Any = zarr.open_group(str(path), mode="r")
        written = store["verdict"].size
        _last(store)
    elif suffix == ".parquet":
        from pyarrow import parquet

        written = parquet.read_metadata(path).num_rows
    else:
        with path.open("rb") as file:
            written = sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b"")) - 1
    if written != studies:
        raise OSError(f"{written} of {studies} studies were written")


def _last(file: Any) -> None:
    """Read the last study of every column, which a truncated file lacks."""
    for name in Columns._fields:
        file[name][(-1,) * file[name].ndim]


Blocks = Iterable[tuple[int, Columns]]


def _netcdf(parts: Parts, path: Path, blocks: Blocks) -> None:
    """Write all parts to a NetCDF file."""
    import netCDF4

    with netCDF4.Dataset(path, "w") as file:
        file.setncatts(about(parts.study, parts.objective, parts.tolerance))
        for name, axis in parts.axes.items():
            file.createDimension(dimension(name), len(axis))
            variable = file.createVariable(dimension(name), "f8", (dimension(name),))
            variable.setncatts(axis_attributes(parts.study, name))
            variable[:] = axis
        dims = tuple(map(dimension, parts.axes))
        for name in Columns._fields:
            kind, fill = ("i1", False) if name == "verdict" else ("f8", np.nan)
            variable = file.createVariable(name, kind, dims, fill_value=fill)
            variable.setncatts(variable_attributes(parts.study, name))
        for at, columns in blocks:
            slab = parts.slabs[at]
            for name, column in zip(Columns._fields, columns, strict=True):
                file[name][slab.slices] = column.reshape(slab.counts)


def _zarr(parts: Parts, path: Path, blocks: Blocks) -> None:
    """Write all parts to a Zarr store."""
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


def _batch(axes: Axes, columns: Columns) -> Any:
    """A part as a table with one row for each study; NaN is left empty."""
    import pyarrow as pa

    data = {dimension(name): pa.array(values) for name, values in points(axes).items()}
    for name, column in zip(Columns._fields, columns, strict=True):
        data[name] = pa.array(column, mask=np.isnan(column))
    return pa.RecordBatch.from_pydict(data)


def _table(open_writer: Callable[[Path, Any], Any]) -> Callable[[Parts, Path, Blocks], None]:
    """A function that writes all parts to a table, one row for each study."""

    def write(parts: Parts, path: Path, blocks: Blocks) -> None:
        writer = None
        try:
            for at, columns in blocks:
                batch = _batch(within(parts.axes, parts.slabs[at]), columns)
                writer = writer or open_writer(path, batch.schema)
                writer.write_batch(batch)
        finally:
            if writer is not None:
                writer.close()

    return write


def _csv_writer(path: Path, schema: Any) -> Any:
    """A writer of CSV."""
    from pyarrow import csv

    return csv.CSVWriter(path, schema)


def _parquet_writer(path: Path, schema: Any) -> Any:
    """A writer of Parquet."""
    from pyarrow import parquet

    return parquet.ParquetWriter(path, schema)


WRITERS: dict[str, Callable[[Parts, Path, Blocks], None]] = {
    ".nc": _netcdf,
    ".csv": _table(_csv_writer),
    ".parquet": _table(_parquet_writer),
    ".zarr": _zarr,
}
