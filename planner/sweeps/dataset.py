"""The result of a sweep as an `xarray.Dataset`: dimensions, units and names."""

from functools import cache
from typing import TYPE_CHECKING, Any

from planner.answer.search.decide import VERDICTS, Columns, decide
from planner.answer.search.find import Objective
from planner.libraries import np
from planner.model import Study
from planner.numbers import Array
from planner.output import program_version
from planner.quantities import QUANTITIES
from planner.show import Drawn, view
from planner.sweeps.axes import Axes, points, shape
from planner.wording import not_installed

if TYPE_CHECKING:
    import xarray

_WORDS = {
    "verdict": ("whether such a study exists", "1"),
    "epsilon": ("epsilon of the plan", "1"),
    "delta": ("delta of the plan", "1"),
    "participants": ("participants of the plan", "people"),
    "cost": ("cost of the plan", "money"),
    "compensation": ("money owed to each participant", "money"),
}


def missing_extra(error: ImportError) -> ValueError:
    """The error that says what to install where a library of the extra `sweep` is missing."""
    return ValueError(not_installed("sweeps need", error.name, "sweep"))


def variable_attributes(study: Study, name: str) -> dict[str, Any]:
    """The attributes of each variable."""
    words, unit = _WORDS[name]
    attributes: dict[str, Any] = {"long_name": words, "units": _unit(study, unit)}
    if name == "verdict":
        attributes["flag_values"] = np.array(list(VERDICTS.values()), np.int8)
        attributes["flag_meanings"] = " ".join(VERDICTS)
    return attributes


def axis_attributes(study: Study, name: str) -> dict[str, Any]:
    """The attributes of a swept quantity."""
    quantity = QUANTITIES[name]
    attributes = {"long_name": quantity.title, "units": _unit(study, quantity.unit)}
    of_values = quantity.name.rpartition(".")[2] == "error" and study.target.values is not None
    if quantity.shown_in and not of_values:  # values are fractions of 1, pictures show percent
        attributes |= {"display_name": quantity.words, "display_units": quantity.shown_in}
    return attributes


def _unit(study: Study, unit: str) -> str:
    return study.currency or unit if unit == "money" else unit


def about(study: Study, objective: Objective, tolerance: float) -> dict[str, Any]:
    """The attributes of the dataset."""
    return {
        "Conventions": "CF-1.11",
        "title": study.title or "sweep of a study",
        "source": f"epsilon-planner {program_version()}",
        "study": repr(study),
        "minimise": objective,
        "tolerance": tolerance,
    }


def dimension(name: str) -> str:
    """The name of a swept quantity as a dimension; a cap has a different name from what it caps."""
    return QUANTITIES[name].dimension if name in QUANTITIES else name


@cache
def register() -> None:
    """Register the accessor `.planner` of datasets, with `.planner.plot()`."""
    import xarray as xr

    @xr.register_dataset_accessor("planner")  # type: ignore[no-untyped-call]
    class Sweep(Drawn):
        """The accessor `.planner` of a dataset."""

        def __init__(self, sweep: "xarray.Dataset") -> None:
            self._sweep = sweep

        def draw(self, axes: Any) -> None:
            view(Sweep, "draw")(axes, self._sweep)


def assembled(
    study: Study, axes: Axes, columns: Columns, objective: Objective, tolerance: float
) -> "xarray.Dataset":
    """The dataset of flat columns over the whole grid."""
    import xarray as xr

    register()
    dims = tuple(map(dimension, axes))
    return xr.Dataset(
        {
            name: (dims, column.reshape(shape(axes)), variable_attributes(study, name))
            for name, column in zip(Columns._fields, columns, strict=True)
        },
        coordinates(study, axes),
        about(study, objective, tolerance),
    )


def coordinates(study: Study, axes: Axes) -> dict[str, Any]:
    """The coordinates of a dataset."""
    return {
        dimension(name): (dimension(name), axis, axis_attributes(study, name))
        for name, axis in axes.items()
    }


def lazily(
    study: Study,
    axes: Axes,
    chunks: dict[str, Any],
    objective: Objective,
    tolerance: float,
) -> "xarray.Dataset":
    """The dataset as a lazy Dask computation."""
    import xarray as xr

    register()
    names = list(axes)

    def decided(*values: Array) -> tuple[Array, ...]:
        grids = np.broadcast_arrays(*values)
        flat = {name: grid.reshape(-1) for name, grid in zip(names, grids, strict=True)}
        columns = decide(study, flat, objective, tolerance)
        return tuple(column.reshape(grids[0].shape) for column in columns)

    inputs = [
        xr.DataArray(axis, dims=dimension(name)).chunk({dimension(name): chunks.get(name, -1)})
        for name, axis in axes.items()
    ]
    columns = xr.apply_ufunc(
        decided,
        *inputs,
        output_core_dims=[[]] * len(Columns._fields),
        dask="parallelized",
        output_dtypes=[np.int8, *[float] * (len(Columns._fields) - 1)],
    )
    variables = {
        name: column.assign_attrs(variable_attributes(study, name))
        for name, column in zip(Columns._fields, columns, strict=True)
    }
    return xr.Dataset(variables, coordinates(study, axes), about(study, objective, tolerance))


def at_once(study: Study, axes: Axes, objective: Objective, tolerance: float) -> Columns:
    """Flat columns over the whole grid."""
    return decide(study, points(axes), objective, tolerance)
