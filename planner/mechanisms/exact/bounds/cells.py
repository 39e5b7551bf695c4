"""Cells of means, or of rates, settled one by one in ball arithmetic: halved until each is.

A failure probability is semiconvex in its logarithm. It is a sum over counts k of Pr[K = k] times
what the noise does there, and (ln Pr[K = k])″ = −k/μ² − (N − k)/(1 − μ)² in the mean μ is at least
−N/m², with m the least that μ and 1 − μ are on a cell. Let the logarithm of the other factor have a
second derivative of at least −L, and K = N/m² + L: then each term times e^(Kμ²/2) is log-convex, so
their sum f·e^(Kμ²/2) is too, and on a cell of width w

    f ≤ max(f(a), f(b))·e^(Kw²/8).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.mechanisms.exact.balls import exact_edges, failure_ball, rational
from planner.mechanisms.exact.bounds.bracket import Mean, anchors
from planner.mechanisms.exact.noise import Asked
from planner.mechanisms.exact.noise_balls import Exponential, Normal
from planner.numbers import Array, Number, decimal

if TYPE_CHECKING:
    from flint import arb

_NARROWEST = 1e-18
_RAREST = 1e-100
_MOST_GROWN = 20.0
_BENT = 0.5
"""Cells with less than this left under the fraction are cut."""
_STEEP = 3.0
NO_NOISE = 2.0**20
"""A rate at which the noise is as good as gone, in proofs."""
_MOST_CELLS = 20_000
_MOST_COUNTS = 1e7
_MOST_RATE_CELLS = 2_000
_WIDE = 1.01
"""Cells that are this wide, as a ratio, are halved before another mean is searched."""
_MOST_KNOWN = 12
"""Means that are tried before another one is searched."""


def log_curvature(participants: Number, rarest: Number) -> Number:
    """N/m², which bounds −(ln Pr[K = k])″ on a cell of means; of floats, arrays or balls."""
    system = numbers.of(participants, rarest)
    return participants / system.maximum(rarest, system.number(_RAREST)) ** 2


def by_log_chord(seen: Number, width: Number, steep: Number) -> Number:
    """max(f(a), f(b))·e^(Kw²/8), which f does not pass on a cell; ∞ where it is of no use.

    Args:
        seen: the larger value at its ends; a float, an array or a ball.
        width: w.
        steep: K.
    """
    system = numbers.of(seen, width, steep)
    exponent = width * width * steep / 8
    grown = seen * system.exp(system.minimum(exponent, system.number(_MOST_GROWN)))
    return system.maximum(grown, system.all_or_nothing(exponent - _MOST_GROWN))


def by_chord(seen: Number, width: Number, curvature: Number, rest: Number) -> Number:
    """What f does not pass on a cell where f″ ≥ −Bf − R: (seen + Rw²/8)/(1 − Bw²/8).

    Args:
        seen: the larger value at its ends; a float, an array or a ball.
        width: w.
        curvature: B; ∞ is given where cells are too wide for it.
        rest: R.
    """
    system = numbers.of(seen, width, curvature, rest)
    eighth = width * width / 8  # of a ball 0 ± r the power is NaN
    left = 1 - eighth * curvature
    most = (seen + eighth * rest) / system.maximum(left, system.number(_BENT))
    return system.maximum(most, system.all_or_nothing(_BENT - left))


def order_is_closer(apart: Number, curve: Number) -> Array:
    """Whether on a cell stochastic order may bound the failure probability closer than a chord.

    With y = Nεw (`apart`) order lets it grow by about 2y, and by e^y where it is of no use; a chord
    by `curve`. Of balls, or of arrays.
    """
    return (apart < _STEEP) & (curve > 2 * apart)


def all_settled(
    settled: Callable[[Number, Number], bool | None],
    low: Number,
    high: Number,
    counts: float,
    cut: Callable[[Number, Number], Number] = lambda left, right: (left + right) / 2,
) -> bool:
    """Whether every cell of means holds.

    Args:
        settled: says it of one, or None to cut it.
        low: where the cells begin.
        high: where they end.
        counts: how many are summed for each: no more than `_MOST_COUNTS` are looked at.
        cut: where a cell is cut.
    """
    cells = [(low, high)]
    for _ in range(int(min(_MOST_CELLS, _MOST_COUNTS / counts))):
        if not cells:
            return True
        left, right = cells.pop()
        holds = settled(left, right)
        if holds is None and right - left >= _NARROWEST:
            middle = cut(left, right)
            cells += [(left, middle), (middle, right)]
        elif not holds:
            return False
    return False


def certify_rates_over(
    over: Callable[[Mean, "arb", "arb"], bool],
    worst: Callable[[float], Mean],
    likely: Sequence[Mean],
    least: "arb",
    most: "arb",
) -> bool:
    """Whether at every rate in [least, most] the failure probability passes α at some mean.

    Args:
        over: whether it surely does at a mean, for all rates between two.
        worst: a mean at which it is about the largest, for a rate.
        likely: means that are tried first.
        least: the lowest rate.
        most: the highest; may be ∞.
    """
    known = list(likely)

    def fails(low: "arb", high: "arb") -> bool:
        for place, mean in enumerate(known):
            if over(mean, low, high):
                known.insert(0, known.pop(place))  # where one cell fails, its neighbours may too
                return True
        middle = min(float((low * high).sqrt().mid()), NO_NOISE)
        at = rational(Fraction(middle))
        if _WIDE < high / low < NO_NOISE and any(over(mean, at, at) for mean in known):
            return False  # only the width of the cell is in the way
        mean = worst(middle)
        if mean in known:
            return False
        del known[_MOST_KNOWN:]
        known.insert(0, mean)
        return over(mean, low, high)

    return all_fail(fails, least, most)


def certify_smooth_over(
    noise: Callable[["arb", "arb"], Exponential | Normal],
    worst: Callable[[float], Mean],
    least: "arb",
    most: "arb",
    participants: int,
    asked: Asked,
) -> bool:
    """`rates_surely_over` for noise on all numbers, from its highest and its lowest rate."""
    failure, error = asked.failure, float(asked.error.mid())
    alpha = float(failure.mid())

    def over(mean: Mean, low: "arb", high: "arb") -> bool:
        exact = asked.exact(mean)
        edges = exact_edges(participants, decimal(error), exact)
        failing = failure_ball(noise(high, low), participants, edges, rational(exact), alpha)
        return bool(failing > failure)

    return certify_rates_over(over, worst, likely_worst(error, asked.mean_range), least, most)


def likely_worst(error: float, mean_range: tuple[float, float]) -> list[Mean]:
    """The means about which the worst one lies, most likely, and the ends of the range."""
    return [
        *anchors(error, mean_range),
        *(decimal(end) for end in mean_range),
    ]


def all_fail(
    fails: Callable[["arb", "arb"], bool],
    least: "arb",
    most: "arb",
    most_cells: int = _MOST_RATE_CELLS,
) -> bool:
    """Whether every ε in [least, most] fails, by cells of ε; most may be ∞."""
    if not (least.is_finite() and least >= 0):
        return False
    low = arb(least.lower())
    cells = [(low, arb(most.upper()))]
    if not most.is_finite():
        if not fails(arb(NO_NOISE), arb.pos_inf()):
            return False
        cells = [(low, arb(NO_NOISE))]
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
