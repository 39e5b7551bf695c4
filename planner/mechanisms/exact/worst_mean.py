"""The worst population mean of a noisy proportion, certified by branch and bound.

The failure probability f(μ) = u(μ) + u(1 − μ), with u(μ) = Pr[K + Z ≥ Nμ + NT], has its maximum
over a range of means bracketed: it reaches the largest value seen, and passes no cell's bound.
On a cell [a, b] of width w two bounds hold, and the lower one counts:

- Stochastic order: more likely people make larger counts, so u(μ) ≤ Pr[K + Z ≥ Na + NT] at mean b.
- Laplace noise makes f smooth. With G(t) = Pr[Z ≥ t], G″ is at most ε²G in size and G(t − s) at
  most e^(εs)G(t), so f″ is at most κf in size, κ = (Nε(1 + e^ε))². Besides, Pr[K = k] has first
  and second derivatives of at most N/m and (N/m)² times itself, with m the less of μ and 1 − μ, so
  κ = (N(ε + 1/m))² will do too, m = min(a, 1 − b): the better one where the noise is strong. A
  chord misses a function by at most w²/8 times its second derivative, so f ≤
  max(f(a), f(b))/(1 − κw²/8) where κw² < 8.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np

from planner import numbers
from planner.mechanisms.exact.noisy_count import upper_parts, upper_side
from planner.numbers import Array, Number

Mean: TypeAlias = float | Fraction
"""A population mean: a fraction where it decides whether an edge is a whole number."""
TOLERANCE = 1e-8
"""The width of a bracket as a fraction: finer than the rates that searches tell apart."""
_FIRST_CELLS = 32
_ROUNDING = 1 + 2e-9  # twice the error of one value
_PARTS = 4
_MOST_CELLS = 400_000
_LARGE, _LEAST_SHARE = 100_000, 400
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


def failure_at(epsilon: Array, n: Array, error: Array, mean: Array) -> Array:
    """Pr[|K/N + Z/N − μ| ≥ T] with Laplace noise, at given means; arrays broadcast."""
    return np.asarray(np.sum(parts_at(epsilon, n, error, mean), axis=0))


def parts_at(epsilon: Array, n: Array, error: Array, mean: Array) -> Array:
    """The same in two parts, along the first axis: one grows with ε, the other falls."""
    epsilon, n, mean = np.broadcast_arrays(epsilon, n, mean)
    both = np.stack([mean, 1 - mean])  # one call for both sides: a call costs more than its numbers
    return np.sum(upper_parts(n, both, n * error, epsilon, None), axis=1)


def worst_mean(
    epsilon: float,
    participants: float,
    error: float,
    mean_range: tuple[float, float],
    tolerance: float = TOLERANCE,
    enough: float = 0.0,
) -> WorstMean:
    """Bracket the largest failure probability over `mean_range`.

    Args:
        epsilon: ε [> 0].
        participants: N [≥ 1].
        error: T [(0, 1]].
        mean_range: the means for which the analyst must be right [in [0, 1]].
        tolerance: of the bracket, as a fraction; wider where that takes too many cells.
        enough: the search may stop once the largest value is certain to be at most this, or
            certain to pass it clearly.
    """
    n, t, e = float(participants), float(error), float(epsilon)

    def value(mean: Array) -> Array:
        return failure_at(e, n, t, mean)

    def bound(left: Array, right: Array, seen: Array, goal: float) -> Array:
        bend = (right - left) ** 2 * curvature(e, n, np.minimum(left, 1 - right)) / 8
        chord = np.where(bend < 1, seen / np.maximum(1 - bend, 1e-300), np.inf)
        doubtful = chord > goal
        if doubtful.any():
            crude = _crude(e, n, t, left[doubtful], right[doubtful])
            chord[doubtful] = np.minimum(chord[doubtful], crude)
        return chord

    return bracket(value, bound, mean_range, tolerance, enough, most_cells(n, _MOST_CELLS))


def bracket(
    value: Callable[[Array], Array],
    bound: Callable[[Array, Array, Array, float], Array],
    mean_range: tuple[float, float],
    tolerance: float,
    enough: float,
    cells: int,
    smallest: float = 0.0,
) -> WorstMean:
    """Bracket the largest value over `mean_range`; see `worst_mean`.

    Args:
        value: the failure probability at an array of means, the same at μ and 1 − μ.
        bound: what it does not pass on cells, from their ends, the larger value there, and the
            goal that decides.
        mean_range: the means.
        tolerance: of the bracket, as a fraction.
        enough: see `worst_mean`.
        cells: how many cells are looked at, at once, before the bracket is left wider.
        smallest: values up to this are not told apart.
    """
    low, high = mean_range
    if low + high == 1:
        high = 0.5
    if low == high:
        single = float(value(np.array([low]))[0])
        return WorstMean(single, single, low)
    nodes = np.linspace(low, high, _FIRST_CELLS + 1)
    values = value(nodes)
    best = int(np.argmax(values))
    least, mean = float(values[best]), float(nodes[best])
    left, right = nodes[:-1], nodes[1:]
    at_left, at_right = values[:-1], values[1:]
    passed = 0.0
    while True:
        seen = np.maximum(at_left, at_right)
        goal = max(least * (1 + tolerance), enough / _ROUNDING, smallest)
        over = np.maximum(bound(left, right, seen, goal), seen)
        open_ = (over > goal) & (right - left > 1e-15)
        passed = max(passed, float(np.max(over[~open_], initial=0.0)))
        too_many = _PARTS * int(open_.sum()) > cells
        if not open_.any() or too_many or (enough and least > enough * CLEARLY):
            rest = float(np.max(over[open_], initial=0.0))
            most = min(1.0, max(passed, least, rest) * _ROUNDING)
            return WorstMean(min(least, most), most, mean)
        left, right, at_left, at_right = (x[open_] for x in (left, right, at_left, at_right))
        inner = left[:, None] + (right - left)[:, None] * (np.arange(1, _PARTS) / _PARTS)
        at_inner = value(inner)
        best = int(np.argmax(at_inner))
        if at_inner.flat[best] > least:
            least, mean = float(at_inner.flat[best]), float(inner.flat[best])
        edges = np.concatenate([left[:, None], inner, right[:, None]], axis=1)
        at_edges = np.concatenate([at_left[:, None], at_inner, at_right[:, None]], axis=1)
        left, right = edges[:, :-1].ravel(), edges[:, 1:].ravel()
        at_left, at_right = at_edges[:, :-1].ravel(), at_edges[:, 1:].ravel()


def most_cells(participants: float, usual: int) -> int:
    """How many cells a bracket may take; in large studies `large_study` bounds what is left."""
    return int(usual * min(1.0, max(_LARGE / participants, 1 / _LEAST_SHARE)))


def curvature(epsilon: Array, participants: Array, rarest: Array) -> Array:
    """κ, which bounds f″/f for Laplace noise; of floats, arrays or balls.

    Args:
        epsilon: ε.
        participants: N.
        rarest: m, the least of μ and 1 − μ on the cell.
    """
    system = numbers.of(epsilon, participants, rarest)
    grown = system.minimum(system.exp(epsilon), system.number(1e100))
    steep = system.minimum(epsilon * (1 + grown), epsilon + inverse(rarest))
    bend = participants * steep
    return bend * bend  # a power of a float would raise where it passes the largest one


def inverse(rarest: Number) -> Number:
    """1/m, no more than 10^100; of floats, arrays or balls."""
    system = numbers.of(rarest)
    return 1 / system.maximum(rarest, system.number(1e-100))


def _crude(e: float, n: float, t: float, left: Array, right: Array) -> Array:
    """The bound by stochastic order on each cell."""
    excess = n * t - n * (right - left)
    fits = excess > 0
    both = np.stack([right, 1 - left])
    bound = np.sum(upper_side(n, both, np.where(fits, excess, n * t), e, None), axis=0)
    return np.where(fits, bound, 1.0)
