"""How little a failure probability bends between two means: chords that bound it on a cell.

A failure probability is a sum over counts k of Pr[K = k] times what the noise does there. Let the
logarithm of each term have a second derivative of at least −C along a line of means. Then each
term times e^(Cx²/2) is log-convex, so their sum f·e^(Cx²/2) is too, and on a cell of width w

    f ≤ max(f(a), f(b))·e^(Cw²/8).

- Real means, a binomial count: (ln Pr[K = k])″ = −k/μ² − (N − k)/(1 − μ)² is at least −N/m², m the
  least that μ and 1 − μ are on a cell; that of the noise at an edge that moves along by N is at
  least −N²s, s its steepness (`Noise.steep`).
- Tips, means at which an edge is just hit, a binomial count: see `of_tips`.
- People of a finite population: see `of_population`.

A noise may supply a closer chord (`laplace_chord`, `gaussian_chord`).
"""

import math
from collections.abc import Sequence

from planner import numbers
from planner.numbers import Number, NumberSystem

_RAREST = 1e-100  # keeps a division by the least mean finite
_MOST_GROWN = 20.0  # e^20 is more than any bound is worth
_LEFT = 0.5
"""Cells with less than this left under the fraction of `by_chord` are cut."""
_FEW = 1e-3  # keeps divisions finite where a bound says nothing


def by_log_chord(seen: Number, width: Number, curvature: Number) -> Number:
    """max(f(a), f(b))·e^(Cw²/8), which f does not pass on a cell; ∞ where it is of no use."""
    system = numbers.of(seen, width, curvature)
    exponent = width * width * curvature / 8  # of a ball 0 ± r the power is NaN
    grown = seen * system.exp(system.minimum(exponent, system.number(_MOST_GROWN)))
    return system.maximum(grown, system.all_or_nothing(exponent - _MOST_GROWN))


def by_chord(seen: Number, width: Number, curvature: Number, rest: Number) -> Number:
    """What f does not pass on a cell where f″ ≥ −Bf − R: (seen + Rw²/8)/(1 − Bw²/8)."""
    system = numbers.of(seen, width, curvature, rest)
    eighth = width * width / 8
    left = 1 - eighth * curvature
    most = (seen + eighth * rest) / system.maximum(left, system.number(_LEFT))
    return system.maximum(most, system.all_or_nothing(_LEFT - left))


def of_means(participants: Number, left: Number, right: Number, steep: Number) -> Number:
    """The C of a cell of real means of a binomial count: N/m² + N²s."""
    system = numbers.of(participants, left, right, steep)
    rarest = system.maximum(system.minimum(left, 1 - right), system.number(_RAREST))
    return participants / rarest**2 + participants**2 * steep


def of_tips(participants: Number, left: Number, right: Number, goal: float) -> tuple[Number, float]:
    """The C of a cell of tips, for a step of one count, and what the other terms have together.

    Whether a count K is off depends on K − Nμ and the noise alone. So at means (k + θ)/N of one
    phase θ, f is a sum over i of Pr[K = k + i] times weights between 0 and 1 that do not depend
    on k. Let L = Nμ, M = N(1 − μ) and δ = k + i − L. With ln Γ for factorials, ψ′(x + 1) ≤ 1/x,
    x = L + δ and y = M − δ, in a real k

        (ln Pr[K = k + i])″ = 1/L − δ/L² + 1/M + δ/M² − ψ′(x + 1) − ψ′(y + 1)
                            ≥ −δ²/(L²x) − δ²/(M²y),

    at least −C = −D²/(L²(L − D)) − D²/(M²(M − D)) where |δ| ≤ D, for the least L and the least M;
    the other terms have together at most 2e^(−2D²/N) (Hoeffding). D makes that goal/N².
    """
    system = numbers.of(participants, left, right)
    n = float(participants.mid()) if system is numbers.balls() else float(participants)
    if not goal > 0:
        return left * 0 + system.infinity, 0.0
    far = math.sqrt(n * math.log(2 * n**2 / min(goal, 1.0)) / 2)
    low, high = participants * left, participants * (1 - right)
    usable = system.all_or_nothing(far * (1 + _FEW) - system.minimum(low, high))
    curvature = sum(
        far**2 / (size**2 * (size - far))
        for size in (system.maximum(x, system.number(far * (1 + _FEW))) for x in (low, high))
    )
    return system.maximum(curvature, usable), 2 * math.exp(-2 * far**2 / n) * (1 + 1e-9)


def of_population(
    people: int, drawn: int, steep: Number, start: Number, end: Number, reach: float
) -> Number:
    """The C of a cell of people who have the property, for counts within reach of their means.

    The logarithm of C(K, y)·C(M − K, n − y), as a polynomial of real K, has a second derivative of
    −Σ 1/(K − i)² over i < y, less the same of M − K and n − y: at least
    1/(K + ½) − 1/(K − y + ½), and so on. The edge moves by n/M with K. ∞ where some K would be too
    few.
    """
    system = numbers.of(start, end, steep)
    low = system.maximum(drawn * start / people - reach, start * 0)
    high = system.minimum(drawn * end / people + reach, start * 0 + drawn)
    # the sum is convex in y, so that it is largest at an end of the reach
    return steep * drawn * drawn / people / people + system.maximum(
        _of_count(people, drawn, start, end, low, system),
        _of_count(people, drawn, start, end, high, system),
    )


def _of_count(
    people: int, drawn: int, start: Number, end: Number, y: Number, system: NumberSystem
) -> Number:
    half, least = system.number(0.5), system.number(_FEW)
    left, others = start - y, people - end - (drawn - y)
    fits = system.all_or_nothing(-system.minimum(left, others))
    curvature = 1 / system.maximum(left + half, least) - 1 / (start + half)
    curvature += 1 / system.maximum(others + half, least) - 1 / (people - end + half)
    return system.maximum(curvature, fits)


def least_of_convex(points: Sequence[Number], values: Sequence[Number]) -> Number | None:
    """What a convex function is nowhere under, where it is least about the middle of three points.

    Left of the middle it is over the line through the other two, and right of it likewise; beyond
    the outer points it only rises. None where it is not certain to turn between them.
    """
    a, b, c = values
    if not (a >= b and c >= b):
        return None
    left, right = (b - a) / (points[1] - points[0]), (c - b) / (points[2] - points[1])
    from_left = b - right * (points[1] - points[0])
    from_right = b + left * (points[2] - points[1])
    return from_left.min(from_right)
