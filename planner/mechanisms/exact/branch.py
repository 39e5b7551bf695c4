"""Branch and bound along a line of means, in floats and in balls, and over the rates of noise.

The law of a count and its noise say along which lines a worst mean lies, what a mean fails with,
and what no mean of a cell passes; see `law` and `noisy_count`. All numbers of a line are real (a
mean) or whole (a count at which an answer tips over its edge, or people of a finite population).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from flint import arb

from planner.libraries import np
from planner.numbers import Array, Number

TOLERANCE = 1e-8
"""The width of a bracket as a fraction: finer than the rates that searches tell apart."""
LARGE, _WIDE = 2**17, 2e-6
"""In studies of more people brackets are so wide, as no more cells can be proved."""
_FIRST_CELLS, _PARTS = 32, 4
"""Cells at first, and those into which one is cut: a call in arrays costs as much as 30 values."""
ROUNDING = 1 + 2e-9
"""Twice the error of one value in floats."""
_CLEARLY = 1.01
"""What passes α by less is followed to the end: the mean found is then the worst one."""
_NARROWEST = 1e-18  # no cell of means is narrower: floats of means near 0 end there
_MOST_CELLS, _MOST_AT_ONCE, _AS_IN_PROOFS = 20_000, 200_000, 4_000
"""Cells that a proof looks at, and that floats hold at once (in large studies as many as balls can
prove)."""
_MOST_COUNTS = 2e7
"""Terms that a proof sums, in all its cells together: about twenty seconds."""
NO_NOISE = 2.0**20
"""A rate at which the noise is as good as gone, in proofs."""
MOST_RATE_CELLS = 2_000  # cells of rates before a proof is given up
_WIDE_RATES = 1.01
"""Cells of rates that are this wide, as a ratio, are halved before another mean is searched."""
_MOST_KNOWN = 12
"""Means that are tried before another one is searched."""

Point: TypeAlias = float | int | Fraction
"""A place on a line."""


class Line(NamedTuple):
    """Means at which the edges lie equally far from what is expected.

    Attributes:
        low: the first point.
        high: the last one.
        start: the mean at point 0.
        step: from a point to the next, in means.
        whole: whether its points are whole numbers.
        up: how far over the expected count the upper edge lies.
        down: how far under it the lower one lies.
        between: whether what lies between two whole points counts too.
    """

    low: Point
    high: Point
    start: Fraction
    step: Fraction
    whole: bool
    up: Fraction
    down: Fraction
    between: bool = False

    def mean(self, point: Point) -> Fraction:
        return self.start + self.step * Fraction(point)

    def means(self, points: Array) -> Array:
        return np.clip(float(self.start) + float(self.step) * points, 0.0, 1.0)


class Worst(NamedTuple):
    """The largest failure probability over a range of means.

    Attributes:
        least: the largest value seen.
        most: a bound that no mean passes.
        mean: where `least` is; a fraction, as whether an edge is a whole number decides.
    """

    least: float
    most: float
    mean: Fraction


def tolerance_at(participants: float) -> float:
    """The width of a bracket that is close, as a fraction."""
    return TOLERANCE if participants <= LARGE else _WIDE


def largest(
    value: Callable[[Array], Array],
    bound: Callable[[Array, Array, Array, float], Array],
    line: Line,
    tolerance: float,
    sufficient: float,
    large: bool,
) -> Worst:
    """Bracket the largest value along a line.

    Args:
        value: the failure probability at an array of points.
        bound: what it does not pass on cells, from their ends, the larger value there, and the
            goal that decides.
        line: the points.
        tolerance: of the bracket, as a fraction.
        sufficient: the search may stop once the largest value is certain to be at most this, or
            certain to pass it clearly.
        large: whether the study is so large that fewer cells are looked at.
    """
    low, high = line.low, line.high
    nodes = np.linspace(float(low), float(high), _FIRST_CELLS + 1 if low < high else 1)
    if line.whole:
        nodes = np.unique(np.rint(nodes))
    values = value(nodes)
    at = int(np.argmax(values))
    least, best = float(values[at]), float(nodes[at])
    if low == high:
        return Worst(least, least, line.mean(low))
    left, right, at_left, at_right = nodes[:-1], nodes[1:], values[:-1], values[1:]
    narrowest, passed, rest = 1.0 if line.whole else 1e-15, 0.0, 0.0
    while left.size:
        seen = np.maximum(at_left, at_right)
        goal = max(least * (1 + tolerance), sufficient / ROUNDING)
        over, wide = seen, right - left > narrowest
        looked = wide | line.between
        if looked.any():
            over = np.where(looked, np.maximum(bound(left, right, seen, goal), seen), seen)
        open_ = (over > goal) & wide
        passed = max(passed, float(np.max(over[~open_], initial=0.0)))
        many = _PARTS * int(open_.sum()) > (_AS_IN_PROOFS if large else _MOST_AT_ONCE)
        if many or (sufficient and least > sufficient * _CLEARLY):
            rest = float(np.max(over[open_], initial=0.0))
            break
        left, right, at_left, at_right = (x[open_] for x in (left, right, at_left, at_right))
        if not left.size:
            break
        inner = (right - left)[:, None] * (np.arange(1, _PARTS) / _PARTS)
        inner = left[:, None] + (np.rint(inner) if line.whole else inner)
        at_inner = value(inner)
        at = int(np.argmax(at_inner))
        if at_inner.flat[at] > least:
            least, best = float(at_inner.flat[at]), float(inner.flat[at])
        edges = np.concatenate([left[:, None], inner, right[:, None]], axis=1)
        at_edges = np.concatenate([at_left[:, None], at_inner, at_right[:, None]], axis=1)
        cells = (edges[:, :-1], edges[:, 1:], at_edges[:, :-1], at_edges[:, 1:])
        wide = edges[:, 1:] > edges[:, :-1]
        left, right, at_left, at_right = (x[wide] for x in cells)
    most = min(1.0, max(passed, least, rest) * ROUNDING)
    point = next((end for end in (low, high) if float(end) == best), best)
    return Worst(min(least, most), most, line.mean(point))


def all_hold(holds: Callable[[Point, Point], bool | None], line: Line, counts: float) -> bool:
    """Whether every cell of a line holds.

    Args:
        holds: says it of one, or None to cut it.
        line: the points; cells between neighbouring whole points are certain to be decided.
        counts: how many are summed for each: no more than `_MOST_COUNTS` are looked at.
    """
    cells = [(line.low, line.high)]
    for _ in range(int(min(_MOST_CELLS, _MOST_COUNTS / counts))):
        if not cells:
            return True
        left, right = cells.pop()
        held = holds(left, right)
        if held is None and right - left >= _NARROWEST:
            middle = (left + right) // 2 if line.whole else (Fraction(left) + Fraction(right)) / 2
            cells += [(left, middle), (middle, right)]
        elif not held:
            return False
    return False


def all_fail(
    fails: Callable[["arb", "arb"], bool],
    least: "arb",
    most: "arb",
    most_cells: int = MOST_RATE_CELLS,
) -> bool:
    """Whether every rate in [least, most] fails, by cells of rates; most may be ∞."""
    if not (least.is_finite() and least >= 0):
        return False
    low = arb(least.lower())
    cells = [(low, arb(most.upper()))]
    if not most.is_finite():
        if not fails(arb(NO_NOISE), arb.pos_inf()):
            return False
        cells = [(low, arb(NO_NOISE))]
    elif not fails(arb(most.upper()), arb(most.upper())):  # the hardest by itself
        return False
    for _ in range(most_cells):
        if not cells:
            return True
        low, high = cells.pop()
        if fails(low, high):
            continue
        middle = arb((low * high).sqrt().mid())
        if not (low < middle and middle < high) or (high / low - 1) < _NARROWEST:
            return False
        cells += [(low, middle), (middle, high)]
    return False


def certify_rates_over(
    over: Callable[[Fraction, "arb", "arb"], bool],
    worst: Callable[[float], Fraction],
    likely: Sequence[Fraction],
    least: "arb",
    most: "arb",
    most_cells: int = MOST_RATE_CELLS,
) -> bool:
    """Whether at every rate in [least, most] the failure probability passes α at some mean."""
    known = list(dict.fromkeys(likely))

    def fails(low: "arb", high: "arb") -> bool:
        for place, mean in enumerate(known):
            if over(mean, low, high):
                known.insert(0, known.pop(place))  # where one cell fails, its neighbours may too
                return True
        middle = min(float((low * high).sqrt().mid()), NO_NOISE)
        if _WIDE_RATES < high / low < NO_NOISE and any(
            over(mean, arb(middle), arb(middle)) for mean in known
        ):
            return False  # only the width of the cell is in the way
        mean = worst(middle)
        if mean in known:
            return False
        del known[_MOST_KNOWN:]
        known.insert(0, mean)
        return over(mean, low, high)

    return all_fail(fails, least, most, most_cells)


def held_is_closer(apart: Number, growth: Number) -> Array:
    """Whether on a cell edges that are held may bound the failure probability closer than a chord.

    With y = c·h, c the counts by which an edge moves and h about its logarithmic slope there
    (`apart`), that lets it grow by about y, and by e^y where it is of no use; a chord by `growth`.
    Of balls, or of arrays.
    """
    return (apart < 3.0) & (growth > apart / 2)
