"""`planner sweep`: plan a study at every combination of some quantities, into a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import planner
from planner.cli.shared import Force, Objective, Set, StudyFile, check_writable, settings_of
from planner.cli.terminal import STOPPED, complain, finish, progress
from planner.figures.save import FORMATS, save
from planner.output import NotWrittenError
from planner.wording import plain

if TYPE_CHECKING:
    from planner.sweeps.store import Store


def sweep(
    study: StudyFile,
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="QUANTITY=VALUES",
            help="low:high:count, low:high:count:log, or a,b,c; once for each quantity.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE", help="A .zarr store, or a .csv file."),
    ],
    settings: Set = None,
    minimise: Annotated[Objective, typer.Option(help="What each plan minimises.")] = "cost",
    dask: Annotated[
        str,
        typer.Option(
            metavar="WORKERS",
            help="Run on Dask: a number of workers, or the address of a scheduler.",
        ),
    ] = "",
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also draw a heat map of the first two quantities."),
    ] = None,
    force: Force = False,
) -> int:
    """Plan a study at every combination of values of some quantities.

    An interrupted sweep keeps the finished parts beside its output, and continues when the same
    command is run again.
    """
    store = _prepared(planner.read_study(study, settings_of(settings)), vary, output, minimise)
    from planner.sweeps.store import ENDINGS

    check_writable(output, ENDINGS, [study], force)
    if output.suffix.lower() == ".csv" and len(store.slabs) > 1:
        raise ValueError(f"{output}: so many studies are written to a store; give a .zarr file")
    if plot is not None:
        _check_plot(store)
        check_writable(plot, FORMATS, [study, output], force)
    done = 0
    try:
        with _workers(dask) as workers, _kept_on_failure(store), store.alone():
            missing = store.missing()
            done = len(store.slabs) - len(missing)
            for at in progress(missing, "planning"):
                store.decide(at, workers)
                done += 1
            if plot is not None:
                _draw(store, plot)
            counts = store.finish()
    except KeyboardInterrupt:
        complain(
            f"stopped; {done} of {len(store.slabs)} parts are kept in {store.folder}; "
            "run the same command again to continue."
        )
        return STOPPED
    verdicts = ", ".join(f"{plain(count)} {verdict}" for verdict, count in counts.items())
    many = sum(counts.values())
    planned = "1 study" if many == 1 else f"{plain(many)} studies"
    exact = ", with payments not rounded to coins" if store.study.costs.smallest_coin else ""
    return finish(False, f"{planned}{exact}: {verdicts}. See {output}")


def _prepared(
    study: "planner.Study", vary: list[str], output: Path, minimise: Objective
) -> "Store":
    from planner.sweeps.axes import checked, read_axis

    for library in ("xarray", "dask", "zarr"):
        if find_spec(library) is None:
            from planner.sweeps.dataset import missing_extra

            raise missing_extra(ImportError(name=library))
    from planner.sweeps.store import Store

    axes = {}
    for text in vary:
        name, values = read_axis(text)
        if name in axes:
            raise ValueError(f"{name} is swept twice; give each quantity once")
        axes[name] = values
    return Store(study, checked(study, axes), output, minimise)


@contextmanager
def _kept_on_failure(store: "Store") -> Iterator[None]:
    try:
        yield
    except (OSError, NotWrittenError) as error:
        if isinstance(error, NotWrittenError):
            reason = error.reason
        else:
            reason = (error.strerror or str(error)).lower()
        kept = f"; the finished parts are kept in {store.folder}" if store.folder.is_dir() else ""
        raise ValueError(
            f"{store.output}: {reason}{kept}; make room or give another file, and run it again"
        ) from None


@contextmanager
def _workers(dask: str) -> Iterator[int]:
    """The number of workers of a Dask client; 0 without Dask."""
    if not dask:
        yield 0
        return
    distributed: Any = import_module("distributed")  # has no type stubs
    if dask.isdigit() and int(dask) >= 1:
        cluster = distributed.LocalCluster(
            n_workers=int(dask), threads_per_worker=1, dashboard_address=None, processes=True
        )
        with cluster, distributed.Client(cluster):
            yield int(dask)
        return
    if "://" not in dask:
        raise ValueError(
            f"--dask {dask!r} is neither a number of workers nor the address of a scheduler; give "
            "2, or tcp://host:8786"
        )
    try:
        client = distributed.Client(dask, timeout=10)  # seconds: a third of what Dask waits itself
    except OSError:
        raise ValueError(f"--dask {dask}: no scheduler responds there; start one first") from None
    with client:
        yield max(1, len(client.scheduler_info()["workers"]))


def _check_plot(store: "Store") -> None:
    """Refuse a plot without two quantities of several values."""
    if any(len(axis) < 2 for axis in list(store.axes.values())[:2]) or len(store.axes) < 2:
        raise ValueError("--plot needs two quantities of two values or more; vary another one")


def _draw(store: "Store", plot: Path) -> None:
    """Draw the sweep's plane of its first two quantities, at the first value of every other."""
    from planner.figures.heat_map import draw

    whole = store.read()
    dataset = whole.isel(dict.fromkeys(list(whole["verdict"].dims)[2:], slice(0, 1))).load()
    # inches, as figures of one panel in the gallery
    save(lambda figure: draw(figure.add_subplot(), dataset), plot, width=7.0, height=4.4)
