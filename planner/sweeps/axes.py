"""The axes of a sweep: reading ranges, checking values, and the grid that they span."""

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from pydantic import ValidationError

from planner.answer.problem.vary import with_values
from planner.checked import Refused
from planner.libraries import np
from planner.mechanisms import kinds
from planner.model import Study
from planner.numbers import Array
from planner.quantities import QUANTITIES, named

Axes = dict[str, Array]
_MOST = 10**12  # one number of each takes 8 TB


class Slab(NamedTuple):
    """A block of the grid, contiguous in it.

    Attributes:
        starts: its first index on each axis.
        counts: how many indices it has on each axis.
    """

    starts: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def slices(self) -> tuple[slice, ...]:
        """Its slices in arrays over the grid."""
        return tuple(slice(s, s + c) for s, c in zip(self.starts, self.counts, strict=True))


def read_axis(text: str) -> tuple[str, Array]:
    """An axis from "name=low:high:count", "name=low:high:count:log" or "name=a,b,c".

    Raises:
        ValueError: says what is wrong.
    """
    name, equals, values = text.partition("=")
    if not equals or not values.strip():
        raise ValueError(
            f"--vary {text!r} names no values; give name=low:high:count, with :log for a "
            "logarithmic one, or name=a,b,c"
        )
    name = named(name.strip())
    if ":" in values:
        return name, _range(name, values)
    return name, np.array([_number(name, part) for part in values.split(",")])


def _range(name: str, text: str) -> Array:
    parts = text.split(":")
    if len(parts) not in (3, 4) or (len(parts) == 4 and parts[3] != "log"):
        raise ValueError(f"{name} = {text!r} is not a range; give low:high:count or ...:count:log")
    low, high = (_number(name, part) for part in parts[:2])
    if not parts[2].strip().isdigit() or int(parts[2]) < 1:
        raise ValueError(f"{name} has a count of {parts[2]!r}; give a whole number of at least 1")
    count = int(parts[2])
    if low > high or (low == high and count > 1):
        raise ValueError(f"{name} goes from {low:g} to {high:g}; give the lower end first")
    if len(parts) == 3:
        values = np.linspace(low, high, count)
    elif low <= 0:
        raise ValueError(f"{name} starts at {low:g}; a logarithmic range starts above 0")
    else:
        values = np.geomspace(low, high, count)
    return np.unique(np.rint(values)) if QUANTITIES[name].whole else values


def _number(name: str, text: str) -> float:
    """A number of an axis; else a ValueError."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{name}: {text.strip()!r} is not a number; give one") from None


def checked(study: Study, given: Mapping[str, Any]) -> Axes:
    """The axes by their vocabulary names, after they are checked against the study.

    Raises:
        ValueError: an axis is not a quantity of the study, or holds values that are not allowed.
    """
    axes: Axes = {}
    for alias, values in given.items():
        name = named(alias)
        if name in axes:
            raise ValueError(f"{name} is swept twice; give each quantity once")
        check_has(study, name)
        axes[name] = _checked_values(name, values)
    if not axes:
        raise ValueError("nothing is swept; give at least one quantity, such as budget")
    if math.prod(shape(axes)) > _MOST:
        raise ValueError(f"the sweep has over {_MOST:,} studies; give fewer values")
    ends = [[(name, axis[0]), (name, axis[-1])] for name, axis in axes.items()]
    for corner in product(*ends):
        try:
            with_values(study, dict(corner))
        except Refused as error:
            raise ValueError(f"some values of the sweep are impossible: {error}") from None
    return axes


def _checked_values(name: str, values: Any) -> Array:
    """The values of an axis as an ascending array; else a ValueError."""
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be a list of numbers, not {str(values)[:60]!r}")
    if not array.size:
        raise ValueError(f"{name} has no values; give at least one")
    array = array.astype(float)
    if QUANTITIES[name].whole:
        for value in array[array != np.floor(array)][:1]:
            check_value(name, float(value))
    for value in (*array[~np.isfinite(array)][:1], array.min(), array.max()):
        check_value(name, float(value))
    if (np.diff(array) <= 0).any():
        raise ValueError(
            f"the values of {name} are not ascending; give each once, the lowest first"
        )
    return array


def shape(axes: Axes) -> tuple[int, ...]:
    """The number of values on each axis."""
    return tuple(len(axis) for axis in axes.values())


def slabs(axes: Axes, most: int) -> Iterator[Slab]:
    """The grid in blocks of at most `most` studies, in order."""
    sizes = shape(axes)
    cut, inner = len(sizes) - 1, 1
    while cut > 0 and inner * sizes[cut] <= most:
        inner *= sizes[cut]
        cut -= 1
    step = max(1, most // inner)
    for outer in np.ndindex(*sizes[:cut]):
        for start in range(0, sizes[cut], step):
            count = min(step, sizes[cut] - start)
            yield Slab(
                (*outer, start, *[0] * (len(sizes) - cut - 1)),
                (*[1] * cut, count, *sizes[cut + 1 :]),
            )


def within(axes: Axes, slab: Slab) -> Axes:
    """The parts of the axes that a slab spans."""
    return {name: axis[part] for (name, axis), part in zip(axes.items(), slab.slices, strict=True)}


def points(axes: Axes) -> dict[str, Array]:
    """The values of each quantity over the grid, as flat arrays."""
    grids = np.meshgrid(*axes.values(), indexing="ij", copy=False)
    return {name: grid.reshape(-1) for name, grid in zip(axes, grids, strict=True)}


def check_value(name: str, value: Any) -> None:
    """Refuse a value that the quantity cannot have.

    Raises:
        ValueError: quotes the value, and says what to give.
    """
    number = int(value) if QUANTITIES[name].whole and value == value // 1 else value
    try:
        QUANTITIES[name].check(number)
    except ValidationError as error:
        raise ValueError(f"{name} = {error.errors()[0]['msg']}") from None


def check_has(study: Study, name: str) -> None:
    """Refuse a quantity that this study does not have.

    Raises:
        ValueError: says why, and what to sweep in its place.
    """
    if name == "error" and study.target.values is not None:
        raise ValueError(
            "error cannot be swept where records are values from low to high; give it as a "
            "fraction of the range, without low and high"
        )
    person = study.individual
    if name == "base_cost" and person.people is not None:
        raise ValueError(
            "base_cost follows from base_costs, of people who differ; give them one base_cost to "
            "sweep it"
        )
    if name == "queries" and not (hasattr(study.mechanism, "queries")):
        raise ValueError(
            f"{kinds.words(study.mechanism)} has no number of queries; sweep another quantity"
        )
