"""The least rate of noise at which a failure probability is at most α, among all rates.

The failure probability f need not fall with the rate: when the sample itself is off, noise can
help. So the allowed rates may have an upper end too, and the least one is found by branch and
bound. The higher the rate, the likelier counts that are off already stay so, and the less likely
the others are carried off: f is a part I that grows and a part O that falls. So on a cell [a, b] of
rates f ≥ I(a) + O(b), and where that passes α no rate of the cell is allowed. (Gaussian noise has
O(b)·(a/b)^0.3, and no I.)
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

_FACTORS = np.array([
    1, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2, 2.5, 3, 4, 5, 7, 9, 12, 16, 20, 30, 60, 200, 1e6, 1e300
])  # fmt: skip
"""Where a search looks first, in units of the least signal."""
_PARTS = 4
_CUTS = np.arange(1, _PARTS + 1) / _PARTS
_MOST_CUTS = 60


class Care(NamedTuple):
    """How closely rates are searched.

    Attributes:
        crossing: the width, as a ratio, at which a cell with a passing end is left to a root
            finder.
        failing: the width at which a cell with a failing end is given up: f grows by less than
            the 0.3th part of that in it.
        failing_large: the same in large studies, where f hardly grows: counts lie close together.
    """

    crossing: float
    failing: float
    failing_large: float


LARGE = 20_000
"""In studies of more people one person does not tip the worst mean."""
QUICK = Care(crossing=1.25, failing=1 + 1e-4, failing_large=1.02)
CERTAIN = Care(crossing=1 + 1e-10, failing=1 + 2e-5, failing_large=1 + 1e-3)


class _Cells(NamedTuple):
    """Ranges of rates that may hold an allowed one.

    Attributes:
        low: where they begin, at a rate that is not allowed.
        high: where they end.
        row: to which row they belong.
        grown: the growing part at the low end; means along the first axis.
    """

    low: np.ndarray
    high: np.ndarray
    row: np.ndarray
    grown: np.ndarray

    def where(self, chosen: np.ndarray) -> "_Cells":
        return _Cells(self.low[chosen], self.high[chosen], self.row[chosen], self.grown[:, chosen])


@dataclass
class Rates:
    """The search for the least rate of each row at which the failure probability is at most α.

    Attributes:
        parts: the two parts of the failure probability for arrays of rates and of the rows that
            they belong to; means along the second axis.
        lowest: for each row a rate below which none is allowed.
        largest: for each row the last rate that is looked at.
        goal: α.
        growth: see `Noise`.
        care: how closely.
        large: which rows are of large studies.
    """

    parts: Callable[[np.ndarray, np.ndarray], np.ndarray]
    lowest: np.ndarray
    largest: np.ndarray
    goal: float
    growth: float
    care: Care
    large: np.ndarray
    below: np.ndarray = field(init=False)

    def first(self) -> np.ndarray:
        """The least allowed rates, ∞ where there is none; the ends of cells as narrow as asked."""
        first, cells = self._on_factors()
        self.below = np.where(np.isfinite(first), self.lowest, np.inf)
        care, large = self.care, self.large
        for _ in range(_MOST_CUTS):
            crossing = cells.high == first[cells.row]
            self.below[cells.row[crossing]] = cells.low[crossing]
            failing = np.where(large[cells.row], care.failing_large, care.failing)
            wide = np.where(crossing, care.crossing, failing)
            cells = cells.where((cells.low < first[cells.row]) & (cells.high > cells.low * wide))
            if not cells.row.size:
                break
            cells = self._cut(cells, first)
        return first

    def _on_factors(self) -> tuple[np.ndarray, _Cells]:
        """The first allowed rates of a coarse grid, and the cells before them."""
        first = np.full(self.lowest.shape, np.inf)
        rate, row = self.lowest, np.arange(len(self.lowest))
        grown = self.parts(rate, row)[0]
        found = []
        for factor in _FACTORS:
            before = rate
            with np.errstate(over="ignore"):  # the largest rate is the smaller then
                rate = np.minimum(self.lowest[row] * factor, self.largest[row])
            parts = self.parts(rate, row)
            passing = self._passing(parts)
            first[row[passing]] = rate[passing]
            cells = _Cells(before, rate, row, grown)
            kept = (rate > before) & (passing | ~self._excluded(cells, parts[1]))
            found.append(cells.where(kept))
            rate, row, grown = rate[~passing], row[~passing], parts[0][:, ~passing]
            if not row.size:
                break
        return first, _Cells(*(np.concatenate(x, axis=-1) for x in zip(*found, strict=True)))

    def _cut(self, cells: _Cells, first: np.ndarray) -> _Cells:
        """Parts of the cells that may hold an allowed rate; `first` learns of those that do."""
        low, high, row, grown = cells
        ends = low[:, None] * (high / low)[:, None] ** _CUTS
        ends[:, -1] = high
        parts = self.parts(ends.ravel(), np.repeat(row, _PARTS))
        passing = self._passing(parts).reshape(ends.shape)
        np.minimum.at(first, row, np.min(np.where(passing, ends, np.inf), axis=1))
        starts = np.concatenate([low[:, None], ends[:, :-1]], axis=1)
        at_starts = np.concatenate(
            [grown[:, :, None], parts[0].reshape(-1, *ends.shape)[:, :, :-1]], axis=2
        )
        cells = _Cells(
            starts.ravel(),
            ends.ravel(),
            np.repeat(row, _PARTS),
            at_starts.reshape(len(at_starts), -1),
        )
        before = cells.low < first[cells.row]
        return cells.where(before & (passing.ravel() | ~self._excluded(cells, parts[1])))

    def _passing(self, parts: np.ndarray) -> np.ndarray:
        return np.asarray(np.max(np.sum(parts, axis=0), axis=0) <= self.goal)

    def _excluded(self, cells: _Cells, falling: np.ndarray) -> np.ndarray:
        """Whether no rate of a cell is allowed, by the falling part at its high end."""
        least = cells.grown + falling * (cells.low / cells.high) ** self.growth
        return np.asarray(np.max(least, axis=0) > self.goal)

    def polished(self, first: np.ndarray) -> np.ndarray:
        """The roots between the first allowed rates and those below that are not."""
        row = np.flatnonzero(np.isfinite(first) & (self.below < first))
        if not row.size:
            return first
        from scipy.optimize.elementwise import find_root

        def excess(log_rate: np.ndarray, at: np.ndarray) -> np.ndarray:
            worst = np.max(np.sum(self.parts(np.exp(log_rate), at), axis=0), axis=0)
            return np.asarray(np.log(np.maximum(worst, 1e-300) / self.goal))

        ends = np.log(self.below[row]), np.log(first[row])
        found = find_root(excess, ends, args=(row,), tolerances={"xrtol": 1e-10})
        first[row] = np.where(found.success, np.exp(found.x), first[row])
        return first
