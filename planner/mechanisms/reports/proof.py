"""Proofs about randomised reports in ball arithmetic; shares and cards are fractions.

For a fixed set of counts that are right, a range g < Y < h, its probability rises and then falls
with λ. So on a cell [a, b] of λ the failure probability is the largest at a, at b or where a count
tips over an edge. At tips of one kind the first and the last bound those between (`bounds.teeth`);
elsewhere a and b do, both with the counts that are right on all of the cell.

A plan fails at every p between two where it fails at a λ that all those p leave possible, as with
more p fewer counts are off; or at a share, where λ and both edges move with p.
"""

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from flint import arb

from planner.mechanisms.exact.balls import counts_reached, rational
from planner.mechanisms.exact.bounds.breakpoints import at_tips
from planner.mechanisms.exact.bounds.cells import all_settled
from planner.mechanisms.exact.noise import Asked
from planner.mechanisms.exact.sums.edges import edges, edges_between, middle_tip
from planner.mechanisms.reports.worst import worst_share
from planner.numbers import Number, decimal
from planner.privacy.gaussian import upper_tail

if TYPE_CHECKING:
    from flint import arb

_CELLS = 400
HALF = Fraction(1, 2)


def off(n: int, high: int, low: int, mean: Fraction, failure: float) -> "arb":
    """Pr[Y ≥ high] + Pr[Y ≤ low], Y ~ Binomial(n, λ)."""
    share, other = rational(mean), rational(1 - mean)
    upper = counts_reached(n, high, (share, other), failure)
    return upper + counts_reached(n, n - low, (other, share), failure)


def certify_at_most(n: int, truth: Fraction, asked: Asked) -> bool:
    """Whether the failure probability of a card is certain to be at most α at every share."""
    error, failure, mean_range = asked
    strength = 2 * truth - 1
    tau = decimal(float(error.mid())) * strength
    low, high = (HALF + (decimal(end) - HALF) * strength for end in mean_range)
    if _bound(n, rational(tau)) <= failure:
        return True
    alpha = float(failure.mid())

    @cache
    def value(mean: Fraction) -> "arb":
        return off(n, *edges(n, tau, mean, mean), mean, alpha)

    def settled(left: Fraction, right: Fraction) -> bool | None:
        seen, most = at_tips(value, (left, right), n, tau, alpha)
        if not seen <= failure:
            return False
        if most <= failure:
            return True
        above, below = edges_between(n, tau, left, right)
        ends = (left, right) if below < above else ()
        everywhere = (off(n, above, below, mean, alpha) <= failure for mean in ends)
        return True if ends and all(everywhere) else None

    def cut(left: Fraction, right: Fraction) -> Fraction:
        return middle_tip(n, tau, left, right)

    # a symmetric range has its mirror image on the other side of 1/2
    start = HALF if low + high == 1 else low
    return all_settled(settled, start, high, math.sqrt(n), cut)


def _bound(n: int, tau: "arb") -> "arb":
    """A bound on the failure probability at every share, close in large studies.

    Pr[Y ≥ k] ≤ Pr[Z ≥ √(2nK)], K the divergence of (k − 1)/n from λ (Zubkov and Serov 2012), which
    is at least 2(τ − 1/n)² (Pinsker).
    """
    return 2 * upper_tail(2 * arb(n).sqrt() * (tau - arb(1) / n))


def certify_over(n: int, most: Fraction, asked: Asked) -> bool:
    """Whether every p up to `most` is certain to fail at some share."""
    t, (low, high) = decimal(float(asked.error.mid())), map(decimal, asked.mean_range)
    cells = [(HALF, most)]
    for _ in range(_CELLS):
        if not cells:
            return True
        start, end = cells.pop()
        if _fails_up_to(n, start, end, t, (low, high), asked):
            continue
        if end - start < Fraction(1, 10**12):
            return False
        # the least p allow few shares and fail by far
        middle = (start + end) / 2
        cells += [(start, middle), (middle, end)]
    return False


def _fails_up_to(
    n: int, start: Fraction, end: Fraction, error: Fraction, means: tuple[Fraction, Fraction],
    asked: Asked,
) -> bool:  # fmt: skip
    """Whether every p in [start, end] fails, at one λ or at one share."""
    weak, strong = 2 * start - 1, 2 * end - 1
    alpha = float(asked.failure.mid())
    bounds = [sorted(HALF + (mean - HALF) * s for s in (weak, strong)) for mean in means]
    low, high = bounds[0][1], bounds[1][0]
    if low <= high:  # these λ stay possible for all the p
        tau = error * strong
        mean = worst_share(n, tau, low, high)
        if off(n, *edges(n, tau, mean, mean), mean, alpha) > asked.failure:
            return True
    return any(
        _at_share(n, (weak, strong), error, mean, alpha) > asked.failure
        for mean in dict.fromkeys((*means, min(max(HALF, means[0]), means[1])))
    )


def _at_share(
    n: int, strengths: tuple[Fraction, Fraction], error: Fraction, mean: Fraction, alpha: float
) -> "arb":
    """At most the failure probability at a share μ for all p − q between two: λ and edges move."""
    left, right = sorted(HALF + (mean - HALF) * s for s in strengths)
    high = math.ceil(n * max(HALF + (mean - HALF + error) * s for s in strengths))
    low = math.floor(n * min(HALF + (mean - HALF - error) * s for s in strengths))
    upper = counts_reached(n, high, (rational(left), rational(1 - left)), alpha)
    return upper + counts_reached(n, n - low, (rational(1 - right), rational(right)), alpha)


def certify_sizes_over(least: int, most: int, tau: "arb", failure: Number) -> bool:
    """Whether every N in a range is certain to fail at λ = 1/2 with any error up to τ.

    With two more people Pr[|Y − N/2| ≥ c] does not fall, c > 0: Pr[Y − N/2 ≥ c] grows by a
    quarter of p(d − 1) − p(d) ≥ 0, with p the chances of Y − N/2 and d the least value from c on.
    So every N of the range fails at least as often as the first one of its kind, odd or even, does
    with the excess Nτ of the largest.
    """
    half = (arb(1) / 2, arb(1) / 2)
    for n in range(least, min(least + 1, most) + 1):
        high = (arb(n) / 2 + most * tau).upper().ceil().unique_fmpz()
        if not (high and 2 * counts_reached(n, int(high), half, float(failure.mid())) > failure):
            return False
    return True
