"""A floor over whole numbers of people, each computed once: all that is about money rereads it."""

from collections.abc import Callable

from planner.libraries import np
from planner.numbers import Array, Number

_SMALLEST, _LARGEST = 2**12, 2**17


class Kept:
    """What a function of arrays of N is at the N that have been asked for.

    Args:
        compute: the function.
    """

    def __init__(self, compute: Callable[[Array], Array]) -> None:
        self._compute = compute
        self._table = np.full(_SMALLEST, np.nan)

    def __call__(self, participants: Number) -> Number:
        """The values; N beyond the table, and parts of people, are computed each time."""
        n = np.asarray(participants, dtype=float)
        beyond = (n >= _LARGEST) | (n % 1 > 0)
        if beyond.any():
            values = np.empty(n.shape)
            sizes, where = np.unique(n[beyond], return_inverse=True)
            values[beyond] = self._compute(sizes)[where.ravel()]
            values[~beyond] = self(n[~beyond])
            return values
        if not n.size:
            return n
        at = n.astype(int)
        while len(self._table) <= at.max():
            self._table = np.concatenate([self._table, np.full(len(self._table), np.nan)])
        new = np.unique(at[np.isnan(self._table[at])])
        if new.size:
            self._table[new] = self._compute(new.astype(float))
        return self._table[at]
