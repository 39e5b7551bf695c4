"""Proofs about a finite population: a plan is accurate, or no rate of noise is, at one N."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from flint import arb

from planner.mechanisms.exact.balls import within_reach
from planner.mechanisms.exact.bounds.bracket import Mean
from planner.mechanisms.exact.bounds.cells import certify_rates_over, order_is_closer
from planner.mechanisms.exact.noise import Asked
from planner.mechanisms.finite.balls import (
    Noise,
    Sample,
    cell_ball,
    failure_ball,
    out_of_reach,
)
from planner.mechanisms.finite.cells import by_log_chord, curvature
from planner.mechanisms.finite.lattice import Lattice, smaller
from planner.numbers import Number, decimal

if TYPE_CHECKING:
    from flint import arb

_MOST_CELLS = 20_000
HALF = Fraction(1, 2)


class Law(NamedTuple):
    """Noise on numbers, as proofs need it.

    Attributes:
        at: the noise at a rate for counts under an edge, and one for those beyond it.
        steep: how much it bends at most, see `cells.bend`.
        cover: of noise that is not smooth in the edge: what is, at a rate, and fails no less.
    """

    at: Callable[["arb", "arb"], Noise]
    steep: Callable[[Number], Number]
    cover: Callable[["arb"], Noise] | None = None


def certify_at_most(law: Law, of: Lattice, rate: "arb", participants: "arb", asked: Asked) -> bool:
    """Whether the failure probability is certain to be at most α, however many have the property.

    Args:
        law: of the noise.
        of: the numbers of people with the property.
        rate: of the noise, a ball.
        participants: N, a ball that holds a whole number alone.
        asked: T and α are balls.
    """
    people = of.people
    noise, failure, alpha = law.at(rate, rate), asked.failure, float(asked.failure.mid())
    drawn, excess = _drawn(people, int(float(participants.mid())), asked)
    reach = within_reach(max(drawn, 1), alpha)
    steep, rest = law.steep(rate), out_of_reach(drawn, alpha)

    @cache
    def value(having: int) -> "arb":
        return failure_ball(noise, Sample(people, drawn, having), excess, alpha)

    @cache
    def covered(having: int) -> "arb":
        if law.cover is None:
            return value(having)
        return failure_ball(law.cover(rate), Sample(people, drawn, having), excess, alpha)

    def settled(left: int, right: int) -> bool | None:
        seen = value(left).max(value(right))
        if not seen <= failure:
            return False
        if right - left <= 1:
            return True
        curved = curvature(people, drawn, steep, arb(left), arb(right), reach)
        ends = covered(left).max(covered(right))
        most = by_log_chord(ends, arb(right - left), curved) + rest
        if most <= failure:
            return True
        apart = rate * drawn * (right - left) / people
        if not order_is_closer(apart, most / seen - 1):
            return None
        fewest, most_having = (Sample(people, drawn, having) for having in (left, right))
        ordered = cell_ball(noise, fewest, most_having, excess, alpha)
        return True if ordered <= failure else None

    return _all_settled(settled, of)


def _all_settled(settled: Callable[[int, int], bool | None], of: Lattice) -> bool:
    cells = [(of.low, of.high)]
    for _ in range(_MOST_CELLS):
        if not cells:
            return True
        left, right = cells.pop()
        holds = settled(left, right)
        if holds is False:
            return False
        if holds is None:
            middle = (left + right) // 2
            cells += [(left, middle), (middle, right)]
    return False


def certify_over(
    law: Law,
    of: Lattice,
    worst: Callable[[float], Mean],
    rates: tuple["arb", "arb"],
    participants: int,
    asked: Asked,
) -> bool:
    """Whether the failure probability is certain to pass α for all rates between two.

    Args:
        law: of the noise.
        of: the numbers of people with the property.
        worst: the worst mean at a rate, as far as floats see.
        rates: the least and the most.
        participants: N.
        asked: T and α are balls.
    """
    people, failure, alpha = of.people, asked.failure, float(asked.failure.mid())
    drawn, excess = _drawn(people, participants, asked)

    def over(mean: Mean, low: "arb", high: "arb") -> bool:
        sample = Sample(people, drawn, int(mean * people))
        return bool(failure_ball(law.at(high, low), sample, excess, alpha) > failure)

    likely = dict.fromkeys((of.near(HALF), of.low, of.high))
    return certify_rates_over(over, worst, [Fraction(k, people) for k in likely], *rates)


def _drawn(people: int, participants: int, asked: Asked) -> tuple[int, Fraction]:
    """The smaller of the sample and of those left out, and how far off is too far."""
    error = decimal(float(asked.error.mid()))
    return smaller(people, participants), participants * error
