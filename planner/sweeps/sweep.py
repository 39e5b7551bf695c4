"""Sweep quantities of a study: `planner.solve` over a grid, as an `xarray.Dataset`."""

from typing import TYPE_CHECKING, Any, get_args

from planner.answer.answers import Given, study_of
from planner.answer.problem.problem import TOLERANCE
from planner.answer.search.find import Objective
from planner.libraries import np
from planner.quantities import named
from planner.sweeps.axes import checked
from planner.sweeps.dataset import assembled, at_once, lazily, missing_extra

if TYPE_CHECKING:
    import xarray


def sweep(
    study: Given, minimise: Objective = "cost", tolerance: float = TOLERANCE, **axes: Any
) -> "xarray.Dataset":
    """Plan the study at every combination of the given values.

    Studies are decided in floats, as by `planner.solve(study, prove=False)`; those within a
    relative 10^−9 of the edge of the feasible region, and those that rounding could decide, as by
    `planner.solve(study)`. Payments are exact, without `smallest_coin`.

    Args:
        study: the study, or its answer; its own values of what is swept are ignored.
        minimise: what each plan makes least: "cost", "participants" or "epsilon".
        tolerance: as in `planner.solve`.
        axes: by name, ascending values [1-d] of budget, base_cost, worst_cost, error, failure,
            participants (a cap, dimension `max_participants`), harm (`max_harm`), epsilon (at most,
            `epsilon_at_most`), delta (`fixed_delta`), per_person, overhead or queries; of a survey
            times_error, a factor on all errors, or the error of one question, such as
            `**{"smokes.error": [0.02, 0.03]}`; the names of dimensions are accepted too. If one is
            a Dask array the result is lazy, with its chunks.

    Returns:
        A dataset over the swept quantities with `verdict` (1 feasible, 0 infeasible, −1 undecided),
        `epsilon`, `delta`, `participants`, `cost` and `compensation`, NaN where not feasible.

    Raises:
        ValueError: an axis is not a quantity of the study, or holds values that are not allowed; or
            the libraries of the extra `sweep` are not installed.
    """
    study = study_of(study)
    check_options(minimise, tolerance)
    try:
        import xarray  # noqa: F401
    except ImportError as error:
        raise missing_extra(error) from None
    swept = checked(study, axes)
    cut = {named(name): values.chunks[0] for name, values in axes.items() if _lazy(values)}
    if cut:
        return lazily(study, swept, cut, minimise, tolerance)
    return assembled(study, swept, at_once(study, swept, minimise, tolerance), minimise, tolerance)


def check_options(minimise: str, tolerance: float) -> None:
    """Refuse what `planner.solve` refuses.

    Raises:
        ValueError: `minimise` or `tolerance` is outside its range.
    """
    if minimise not in get_args(Objective):
        raise ValueError(
            f"minimise = {minimise!r} is not an objective; give cost, participants or epsilon"
        )
    if not 0 < tolerance < np.inf:
        raise ValueError(f"tolerance = {tolerance!r} is not above 0; give a fraction such as 0.01")


def _lazy(values: Any) -> bool:
    """Whether values are a Dask array."""
    return bool(getattr(values, "chunks", None)) and hasattr(values, "dask")
