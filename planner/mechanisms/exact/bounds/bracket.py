"""A largest value over a range of means, bracketed by branch and bound.

It reaches the largest value seen, and passes no cell's bound.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from planner.libraries import np
from planner.numbers import Array, decimal

Mean: TypeAlias = float | Fraction
"""A population mean: a fraction where it decides whether an edge is a whole number."""
TOLERANCE = 1e-8
"""The width of a bracket as a fraction: finer than the rates that searches tell apart."""
FIRST_CELLS, PARTS = 32, 4
"""Cells at first, and those into which one is cut."""
ROUNDING = 1 + 2e-9  # twice the error of one value
_LARGE, _WIDE = 2**17, 2e-6
"""In studies of more people brackets are so wide."""
_AS_IN_PROOFS = 4_000
CLEARLY = 1.01
"""What passes α by less is followed to the end: the mean found is then the worst one."""


class WorstMean(NamedTuple):
    """The largest failure probability over a range of means.

    Attributes:
        least: the largest value seen.
        most: a bound that no mean passes.
        mean: where `least` is.
    """

    least: float
    most: float
    mean: Mean


def anchors(error: float, mean_range: tuple[float, float]) -> list[float]:
    """The means of a range about which the worst one lies, most likely.

    Nearest to 1/2 the sample varies most; but with T > 1/2 it can be off only at means up to 1 − T
    or from T on.
    """
    low, high = mean_range
    near = [0.5] if error <= 0.5 else [0.5, 1 - error, error]
    return sorted({min(max(mean, low), high) for mean in near})


def half(mean_range: tuple[float, float]) -> tuple[float, float]:
    """The means that decide: the failure probability is the same at μ and 1 − μ."""
    low, high = mean_range
    return (low, 0.5) if decimal(low) + decimal(high) == 1 else (low, high)


def bracket(
    value: Callable[[Array], Array],
    bound: Callable[[Array, Array, Array, float], Array],
    mean_range: tuple[float, float],
    tolerance: float,
    sufficient: float,
    cells: int,
    smallest: float = 0.0,
) -> WorstMean:
    """Bracket the largest value over `mean_range`.

    Args:
        value: the failure probability at an array of means, the same at μ and 1 − μ.
        bound: what it does not pass on cells, from their ends, the larger value there, and the
            goal that decides.
        mean_range: the means.
        tolerance: of the bracket, as a fraction.
        sufficient: the search may stop once the largest value is certain to be at most this, or
            certain to pass it clearly.
        cells: how many cells are looked at, at once, before the bracket is left wider.
        smallest: values up to this are not told apart.
    """
    low, high = half(mean_range)
    if low == high:
        single = float(value(np.array([low]))[0])
        return WorstMean(single, single, low)
    nodes = np.linspace(low, high, FIRST_CELLS + 1)
    values = value(nodes)
    best = int(np.argmax(values))
    least, mean = float(values[best]), float(nodes[best])
    left, right = nodes[:-1], nodes[1:]
    at_left, at_right = values[:-1], values[1:]
    passed = 0.0
    while True:
        seen = np.maximum(at_left, at_right)
        goal = max(least * (1 + tolerance), sufficient / ROUNDING, smallest)
        over = np.maximum(bound(left, right, seen, goal), seen)
        open_ = (over > goal) & (right - left > 1e-15)
        passed = max(passed, float(np.max(over[~open_], initial=0.0)))
        too_many = PARTS * int(open_.sum()) > cells
        if not open_.any() or too_many or (sufficient and least > sufficient * CLEARLY):
            rest = float(np.max(over[open_], initial=0.0))
            most = min(1.0, max(passed, least, rest) * ROUNDING)
            return WorstMean(min(least, most), most, mean)
        left, right, at_left, at_right = (x[open_] for x in (left, right, at_left, at_right))
        inner = left[:, None] + (right - left)[:, None] * (np.arange(1, PARTS) / PARTS)
        at_inner = value(inner)
        best = int(np.argmax(at_inner))
        if at_inner.flat[best] > least:
            least, mean = float(at_inner.flat[best]), float(inner.flat[best])
        edges = np.concatenate([left[:, None], inner, right[:, None]], axis=1)
        at_edges = np.concatenate([at_left[:, None], at_inner, at_right[:, None]], axis=1)
        left, right = edges[:, :-1].ravel(), edges[:, 1:].ravel()
        at_left, at_right = at_edges[:, :-1].ravel(), at_edges[:, 1:].ravel()


def tolerance_at(participants: float) -> float:
    """The width of a bracket that is close, as a fraction."""
    return TOLERANCE if participants <= _LARGE else _WIDE


def most_cells(participants: float, usual: int) -> int:
    """How many cells a bracket may take.

    In large studies these are no more than balls can prove; `large_study` bounds what is left.
    """
    return usual if participants <= _LARGE else min(usual, _AS_IN_PROOFS)
