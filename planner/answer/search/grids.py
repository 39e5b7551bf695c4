"""Grids of N that close in on the best of them."""

from collections.abc import Callable

from planner.libraries import np
from planner.numbers import Array

POINTS = 64
"""Of a grid: a call over as many costs little more than one over one size."""
ONE_BY_ONE = 250
"""So few sizes are all looked at."""
ALIKE = 2**17
"""Studies of so many people are as good as their neighbours."""


def alike(n: int) -> int:
    """How far apart sizes about N are that are looked at."""
    return max(1, n // ALIKE)


def closing_in(
    value: Callable[[Array], Array],
    low: int,
    high: int,
    oscillation_period: Callable[[int], int],
) -> tuple[Array, Array]:
    """The N in [low, high] about that at which a value is least, and the values there.

    Grids close in on it; the last one is of all sizes, where they are alike of few, and of all
    only beside the best.
    """
    start, end = low, high
    while True:
        unit = alike(end)
        if end - start <= ONE_BY_ONE * unit:  # and the teeth beside these
            reach = oscillation_period(end)
            first, last = max(low, start - reach), min(high, end + reach)
            sizes = np.union1d(np.arange(first, last, unit), last)
            values = value(sizes)
            while unit > 1:  # now nearer and nearer to the best
                best, step = int(sizes[np.argmin(values)]), -(-unit // POINTS)
                beside = np.arange(max(first, best - unit), min(last, best + unit) + 1, step)
                beside, unit = np.setdiff1d(beside, sizes), step
                sizes, values = np.append(sizes, beside), np.append(values, value(beside))
            order = np.argsort(sizes)
            return sizes[order], values[order]
        sizes = grid(start, end)
        best = int(np.argmin(value(sizes)))
        start, end = int(sizes[max(best - 1, 0)]), int(sizes[min(best + 1, len(sizes) - 1)])


def interval(holds: Callable[[Array], Array], high: int) -> tuple[int, int] | None:
    """The first and the last N in [1, high] of an interval that holds; None where none is seen."""
    sizes = grid(1, high)
    inside = np.flatnonzero(holds(sizes))
    if not inside.size:
        return None
    before, first = int(sizes[max(inside[0] - 1, 0)]), int(sizes[inside[0]])
    last, after = int(sizes[inside[-1]]), int(sizes[min(inside[-1] + 1, len(sizes) - 1)])
    while first - before > 1:
        sizes = grid(before, first)
        at = int(np.argmax(holds(sizes)))
        before, first = int(sizes[max(at - 1, 0)]), int(sizes[at])
    while after - last > 1:
        sizes = grid(last, after)
        at = int(np.flatnonzero(holds(sizes))[-1])
        last, after = int(sizes[at]), int(sizes[min(at + 1, len(sizes) - 1)])
    return first, last


def grid(low: int, high: int) -> Array:
    """Sizes from `low` to `high`, even in their logarithms; all of them where they are few."""
    if high - low <= ONE_BY_ONE:
        return np.arange(low, high + 1)
    return np.unique(np.rint(np.geomspace(low, high, POINTS)).astype(np.int64).clip(low, high))
