"""A frontier: a floor over N, computed once at each size and read by whatever asks again.

The least of a quasi-convex function on an interval, by golden sections; floats or arrays.
"""

from collections.abc import Callable

from planner import numbers
from planner.libraries import np
from planner.numbers import Array, Number

_TABLE = 2**17  # larger sizes are kept in a dictionary
_SMALLEST_TABLE = 2**12  # 32 kB
_MOST_BEYOND = 100_000  # then it is emptied


class Frontier:
    """A floor, or another function of N, of which each size is computed once."""

    def __init__(self, floors: Callable[[Array], Array]) -> None:
        """Use the function that computes floors over an array of N; ∞ where none is allowed."""
        self._compute = floors
        self._table = np.full(_SMALLEST_TABLE, np.nan)
        self._beyond: dict[float, float] = {}
        self._block = 1

    def floors(self, participants: Array) -> Array:
        """The floors over an array of N; ∞ where none is allowed."""
        n = np.asarray(participants, dtype=float)
        sizes = n.ravel()
        tabled = (sizes < _TABLE) & (sizes % 1 == 0)
        self._grow(int(np.max(sizes, where=tabled, initial=1.0)))
        at = np.where(tabled, sizes, 0).astype(int)
        floors = np.where(tabled, self._table[at], np.nan)
        if np.isnan(floors).any():
            self._fill(at[tabled & np.isnan(floors)], sizes[~tabled])
            floors = np.where(tabled, self._table[at], self._others(sizes))
        return floors.reshape(n.shape)

    def _grow(self, largest: int) -> None:
        size = len(self._table)
        while size <= largest:
            size *= 2
        if size > len(self._table):
            more = np.full(size - len(self._table), np.nan)
            self._table = np.concatenate([self._table, more])

    def _fill(self, at: Array, beyond: Array) -> None:
        """Compute sizes of the table, with those beside them, and others, in one call."""
        blocks = np.unique(at // self._block)
        sizes = (blocks[:, None] * self._block + np.arange(self._block)).ravel()
        sizes = sizes[(sizes >= 1) & np.isnan(self._table[sizes])]
        others = sorted(set(beyond.tolist()) - self._beyond.keys())
        asked = np.array([*sizes.tolist(), *others], dtype=float)
        if asked.size:
            floors = self._compute(asked)
            self._table[sizes] = floors[: sizes.size]
            self._beyond.update(zip(others, floors[sizes.size :].tolist(), strict=True))

    def _others(self, sizes: Array) -> Array:
        """The floors of sizes that are not in the table: large ones, and parts of people."""
        floors = np.array([self._beyond.get(size, np.nan) for size in sizes.tolist()])
        if len(self._beyond) > _MOST_BEYOND:
            self._beyond.clear()
        return floors


_STEPS = 80  # sections to the last digit of a double: 0.618^80 is under 2^-53
_LEAST_REST = 1e-12  # of the interval, at its upper end, where functions may have poles


def lowest(value: Callable[[Number], Number], like: Number) -> Number:
    """The point of (0, 1) at which a quasi-convex function is least.

    Where two points are alike it lies to their right: values that are ∞ near 0 are passed over.

    Args:
        value: the function.
        like: a number, or an array of the shape of its values.
    """
    shape = 0 * like
    low, high = shape, shape + 1 - _LEAST_REST
    ratio = (5**0.5 - 1) / 2
    system = numbers.of(like)
    for _ in range(_STEPS):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        lower = value(left) < value(right)
        if system is numbers.FLOATS:
            low, high = (low, right) if lower else (left, high)
        else:
            low, high = np.where(lower, low, left), np.where(lower, right, high)
    return (low + high) / 2
