"""The least rate of noise at which a failure probability is at most α, among all rates.

The failure probability f need not fall with the rate: when the sample itself is off, noise can
help. So the allowed rates may have an upper end too, and the least one is found by branch and
bound. The higher the rate, the likelier counts that are off already stay so, and the less likely
the others are carried off: f is a part I that grows and a part O that falls. So on a cell [a, b] of
rates f ≥ I(a) + O(b), and where that passes α no rate of the cell is allowed. (Gaussian noise has
O(b)·(a/b)^0.3, and no I.)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from planner.libraries import np
from planner.numbers import Array

_FACTORS = (
    1, 1.02, 1.05, 1.1, 1.2, 1.4, 1.7, 2, 2.5, 3, 4, 5, 7, 9, 12, 16, 20, 30, 60, 200, 1e6, 1e300
)  # fmt: skip
"""Where a search looks first, in units of the least signal."""
_AT_ONCE = 128
"""So many of these take as long as one."""
_PARTS = 4  # a call in arrays costs as much as several rates
_CUTS = tuple(part / _PARTS for part in range(1, _PARTS))  # where a cell is cut
_MOST_CUTS = 60  # 4^60 is finer than floats
_GUESSES, _BESIDE = 1, 1e-5
"""So many steps of a secant bring a likely rate nearer than a part in 10^5, mostly."""
_APART = 600.0, 130.0, 25.0, 5.0, 0.9
"""Where cells end below it, in widths at which one is given up."""
# a cap; how near α, in logarithms, and how near in rates
_MOST_STEPS, _ROOT, _CLOSE = 60, 2e-11, 1e-10


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


QUICK = Care(crossing=1.25, failing=1 + 1e-4, failing_large=1.02)
CERTAIN = Care(crossing=1 + 1e-4, failing=1 + 2e-5, failing_large=1 + 1e-3)
"""A quick rate may pass over a window that a certain one finds, which takes more readings."""


class _Cells(NamedTuple):
    """Ranges of rates that may hold an allowed one.

    Attributes:
        low: where they begin, at a rate that is not allowed.
        high: where they end.
        row: to which row they belong.
        grown: the growing part at the low end; means along the first axis.
    """

    low: Array
    high: Array
    row: Array
    grown: Array

    def where(self, chosen: Array) -> "_Cells":
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
        likely: about where the rates are; not a number where nothing says so.
    """

    parts: Callable[[Array, Array], Array]
    lowest: Array
    largest: Array
    goal: float
    growth: float
    care: Care
    large: Array
    likely: Array | None = None

    def least(self) -> Array:
        """The least allowed rates, ∞ where there is none."""
        first = np.full(self.lowest.shape, np.inf)
        guessed = self._near_likely(first)
        cells = _joined([guessed, self._on_factors(first, np.flatnonzero(np.isinf(first)))])
        below = np.where(np.isfinite(first), self.lowest, np.inf)
        care, large = self.care, self.large
        for _ in range(_MOST_CUTS):
            crossing = cells.high == first[cells.row]
            below[cells.row[crossing]] = cells.low[crossing]
            failing = np.where(large[cells.row], care.failing_large, care.failing)
            wide = np.where(crossing, care.crossing, failing)
            cells = cells.where((cells.low < first[cells.row]) & (cells.high > cells.low * wide))
            if not cells.row.size:
                break
            cells = self._halved(cells, first)
        return self._roots(below, first)

    def _near_likely(self, first: Array) -> _Cells:
        """Cells up to the likely rates and just beyond, narrow near them; see `_cut`."""
        likely = np.full(self.lowest.shape, np.nan) if self.likely is None else self.likely
        row = np.flatnonzero(np.isfinite(likely))
        log_rate = np.log(likely[row])
        slope = np.full(row.shape, -4.0)  # about as f falls where noise and sample are alike
        value = self._excess(log_rate, row) if row.size else log_rate
        for _ in range(_GUESSES):
            before, was = log_rate, value
            log_rate = before - value / slope
            value = self._excess(log_rate, row) if row.size else log_rate
            with np.errstate(all="ignore"):
                steeper = (value - was) / (log_rate - before)
            slope = np.where(np.isfinite(steeper) & (steeper < -0.1), steeper, slope)
        log_rate = log_rate - value / slope
        rate = np.clip(np.exp(log_rate), self.lowest[row], self.largest[row])
        grown = self.parts(self.lowest[row], row)[0]
        whole = _Cells(self.lowest[row], rate * (1 + _BESIDE), row, grown)
        apart = self.care.failing - 1
        return self._cut(whole, first, rate[:, None] * (1 - apart * np.array(_APART)))[0]

    def _on_factors(self, first: Array, row: Array) -> _Cells:
        rate, factors = self.lowest[row], np.array(_FACTORS)
        grown = self.parts(rate, row)[0]
        kept_cells = []
        while factors.size:
            few = max(1, _AT_ONCE // max(row.size, 1))
            with np.errstate(over="ignore"):  # the largest rate is the smaller then
                ends = self.lowest[row, None] * factors[:few]
            ends = np.minimum(ends, self.largest[row, None])
            whole = _Cells(rate, ends[:, -1], row, grown)
            cells, grown = self._cut(whole, first, ends[:, :-1])
            kept_cells.append(cells)
            left = np.isinf(first[row])
            rate, row, grown, factors = ends[left, -1], row[left], grown[:, left], factors[few:]
            if not row.size:
                break
        return _joined(kept_cells)

    def _halved(self, cells: _Cells, first: Array) -> _Cells:
        inner = cells.low[:, None] * (cells.high / cells.low)[:, None] ** _CUTS
        return self._cut(cells, first, inner)[0]

    def _cut(self, cells: _Cells, first: Array, inner: Array) -> tuple[_Cells, Array]:
        """Parts of the cells that may hold an allowed rate; `first` learns of those that do.

        And the growing parts at the high ends of the cells.
        """
        low, high, row, grown = cells
        ends = np.concatenate([inner, high[:, None]], axis=1)
        parts = self.parts(ends.ravel(), np.repeat(row, ends.shape[1]))
        passing = self._passing(parts).reshape(ends.shape)
        np.minimum.at(first, row, np.min(np.where(passing, ends, np.inf), axis=1))
        starts = np.concatenate([low[:, None], ends[:, :-1]], axis=1)
        at_ends = parts[0].reshape(len(grown), *ends.shape)
        at_starts = np.concatenate([grown[:, :, None], at_ends[:, :, :-1]], axis=2)
        cells = _Cells(
            starts.ravel(),
            ends.ravel(),
            np.repeat(row, ends.shape[1]),
            at_starts.reshape(len(at_starts), -1),
        )
        before = cells.low < first[cells.row]
        kept = before & (passing.ravel() | ~self._excluded(cells, parts[1]))
        return cells.where(kept), at_ends[:, :, -1]

    def _passing(self, parts: Array) -> Array:
        return np.asarray(np.max(np.sum(parts, axis=0), axis=0) <= self.goal)

    def _excluded(self, cells: _Cells, falling: Array) -> Array:
        """Whether no rate of a cell is allowed, by the falling part at its high end."""
        least = cells.grown + falling * (cells.low / cells.high) ** self.growth
        return np.asarray(np.max(least, axis=0) > self.goal)

    def _excess(self, log_rate: Array, row: Array) -> Array:
        """The logarithm of the failure probability over α."""
        worst = np.max(np.sum(self.parts(np.exp(log_rate), row), axis=0), axis=0)
        return np.asarray(np.log(np.maximum(worst, 1e-300) / self.goal))

    def _roots(self, below: Array, first: Array) -> Array:
        """The roots between rates that are not allowed and the first that are (Illinois)."""
        row = np.flatnonzero(np.isfinite(first) & (below < first))
        if not row.size:
            return first
        other, last = np.log(below[row]), np.log(first[row])
        at_other, at_last = self._excess(other, row), self._excess(last, row)
        for _ in range(_MOST_STEPS):
            if np.all((np.abs(at_last) <= _ROOT) | (np.abs(last - other) <= _CLOSE)):
                break
            with np.errstate(all="ignore"):
                root = last - at_last * (last - other) / (at_last - at_other)
            inside = (root - last) * (root - other) <= 0
            root = np.where(inside, root, (last + other) / 2)
            value = self._excess(root, row)
            crossed = value * at_last < 0
            other = np.where(crossed, last, other)
            at_other = np.where(crossed, at_last, at_other / 2)
            last, at_last = root, value
        first[row] = np.exp(np.where(at_last <= _ROOT, last, other))
        return first


def _joined(cells: list[_Cells]) -> _Cells:
    return _Cells(*(np.concatenate(x, axis=-1) for x in zip(*cells, strict=True)))
