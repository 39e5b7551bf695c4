"""The teeth of a failure probability over the mean, one as wide as one person of N, from two.

Whether a count K is off depends on K − Nμ and the noise alone. So at means μ = (k + θ)/N of one
phase θ, f is a sum over i of Pr[K = k + i] times weights between 0 and 1 that do not depend on k.
Let L = Nμ, M = N(1 − μ) and δ = k + i − L, which does not either. With ln Γ for factorials,
ψ′(x + 1) ≤ 1/x, x = L + δ and y = M − δ, in a real k

    (ln Pr[K = k + i])″ = 1/L − δ/L² + 1/M + δ/M² − ψ′(x + 1) − ψ′(y + 1) ≥ −δ²/(L²x) − δ²/(M²y).

Where |δ| ≤ D that is at least −B, B = D²/(L²(L − D)) + D²/(M²(M − D)) for the least L and the least
M. So the sum of these terms is log-semiconvex (see `cells`), and between two means that are m
people apart it is at most e^(Bm²/8) times the larger one at these two. The other terms have
together at most 2e^(−2D²/N) (Hoeffding). So teeth are looked at one by one where they are the
highest, and elsewhere only two of many.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.mechanisms.exact.balls import rational
from planner.mechanisms.exact.bounds.cells import by_log_chord
from planner.mechanisms.exact.sums.edges import first_and_last_tips

if TYPE_CHECKING:
    from flint import arb


def at_tips(
    value: Callable[[Fraction], "arb"],
    cell: tuple[Fraction, Fraction],
    participants: int,
    error: Fraction,
    failure: float,
) -> tuple["arb", "arb"]:
    """The largest value seen at ends and tips of a cell, and a bound on f at all of these.

    Args:
        value: f at a mean.
        cell: its least and its largest mean.
        participants: N.
        error: T.
        failure: α.
    """
    left, right = cell
    seen = most = value(left).max(value(right))
    for first, last in first_and_last_tips(participants, error, left, right):
        higher = value(first).max(value(last))
        seen = seen.max(higher)
        if participants * (last - first) > 1:
            higher = most_between(higher, first, last, participants, failure)
        most = most.max(higher)
    return seen, most


def most_between(
    seen: "arb", left: Fraction, right: Fraction, participants: int, failure: float
) -> "arb":
    """What f does not pass at means of one phase between two; ∞ where this is of no use.

    Args:
        seen: the larger value at these two.
        left: the lower mean.
        right: the higher mean, a whole number of people apart from it.
        participants: N.
        failure: α; the other terms are small next to it.
    """
    n = participants
    far = arb(math.sqrt(n * math.log(2 * n**2 / failure) / 2))
    low, high = rational(n * left), rational(n * (1 - right))
    if not (far < low and far < high):
        return arb.pos_inf()
    curvature = far**2 * (1 / (low**2 * (low - far)) + 1 / (high**2 * (high - far)))
    return by_log_chord(seen, rational(n * (right - left)), curvature) + 2 * (-2 * far**2 / n).exp()
