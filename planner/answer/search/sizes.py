"""Floor, ceiling and cost of a region, read over arrays of N."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from planner import numbers
from planner.answer.problem.goal import Reading, reading
from planner.answer.problem.region import Region
from planner.libraries import np
from planner.numbers import Array

_MOST_EPSILON = 1e100
"""Where nothing limits ε, the size with the lowest floor has the most room."""


class Sizes(NamedTuple):
    """Studies of several sizes, each at its least ε.

    Attributes:
        n: participants.
        epsilon: the least allowed ε, ∞ where none is.
        room: ceiling over floor; allowed where at least 1.
        cost: money, ∞ where not allowed.
    """

    n: Array
    epsilon: Array
    room: Array
    cost: Array

    @property
    def allowed(self) -> Array:
        return self.room >= 1


def floors_by(region: Region, what: Reading) -> Region:
    """The region with floors that are read in another way."""
    return replace(region, conditions=reading(region.conditions, what))


def approximately(region: Region) -> Region:
    """The region with a floor that is quick over arrays of N."""
    return replace(floors_by(region, "approximate"), system=numbers.arrays())


def quick_reader(region: Region) -> Callable[[Array], Sizes]:
    """Reads floor, ceiling and cost of a region over an array of N, by the approximate floor."""
    return reader(approximately(region))


def reader(region: Region) -> Callable[[Array], Sizes]:
    """Reads floor, ceiling and cost of a region over an array of N."""
    arrays = replace(region, system=numbers.arrays())

    def read(n: Array) -> Sizes:
        with np.errstate(all="ignore"):
            size = n.astype(float)
            epsilon = np.broadcast_to(arrays.floor(size), size.shape)
            ceiling = np.broadcast_to(arrays.ceiling(size), size.shape)
            possible = (n <= region.participants_ceiling) & (ceiling > 0) & np.isfinite(epsilon)
            allowed = np.minimum(ceiling, _MOST_EPSILON)
            room = np.where(possible, allowed / np.maximum(epsilon, 5e-324), 0.0)
            cost = np.where(room >= 1, arrays.cost(size, epsilon), np.inf)
        return Sizes(n, epsilon, room, np.where(np.isnan(cost), np.inf, cost))

    return read
