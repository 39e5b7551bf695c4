"""Proofs about randomised reports in ball arithmetic; shares and cards are fractions.

For a fixed set of counts that are right, a range g < Y < h, its probability rises and then falls
with λ. So on a cell [a, b] of λ the failure probability is the largest at a, at b or where a count
tips over an edge. At tips of one kind the first and the last bound those between
(`exact.curvature`); elsewhere a and b do, both with the counts that are right on all of the cell.

A plan fails at every p between two where it fails at a λ that all those p leave possible, as with
more p fewer counts are off; or at a share, where λ and both edges move with p.

Of a range of sizes and cards only an excess Nτ ≤ c is known, and shares λ₁ ≤ λ₂ of the reports that
all of them leave possible. With M = Nλ fixed, Pr[Y ≥ h] grows with N for h ≥ M + 1, and Pr[Y ≤ g]
for g ≤ M − 1 (Hoeffding 1956, Theorem 4, where some of N trials never succeed). So all N of a range
fail at least as often as the least one does with an excess of c, or of 1 if c is less.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.mechanisms.exact.failure import SHARES, Asked as AskedOfShare
from planner.mechanisms.exact.law import HALF
from planner.mechanisms.exact.noise_balls import NoNoise
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.mechanisms.reports.card import Asked, share_of_reports, strength_of
from planner.mechanisms.reports.worst import worst_share
from planner.numbers import Number, decimal

if TYPE_CHECKING:
    from flint import arb

_CELLS = 400  # cells of cards before a proof is given up


def off(n: int, high: int, low: int, mean: Fraction, failure: float) -> "arb":
    """Pr[Y ≥ high] + Pr[Y ≤ low], Y ~ Binomial(n, λ)."""
    return _reached(n, high, mean, failure) + _reached(n, n - low, 1 - mean, failure)


def _reached(n: int, least: int, mean: Fraction, failure: float) -> "arb":
    """Pr[Y ≥ least]."""
    return BINOMIAL.over_edge(NoNoise(), n, mean, Fraction(least), failure)


def certify_at_most(n: int, truth: Fraction, asked: Asked) -> bool:
    """Whether the failure probability of a card is certain to be at most α at every share."""
    error, failure, mean_range, answers = asked
    strength = strength_of(truth, answers)
    tau = decimal(float(error.mid())) * strength
    low, high = (share_of_reports(decimal(end), strength, answers) for end in mean_range)
    return SHARES["none"].certify_at_most(arb(1), arb(n), AskedOfShare(tau, failure, (low, high)))


def certify_over(n: int, most: Fraction, asked: Asked) -> bool:
    """Whether every p up to `most` is certain to fail at some share."""
    t, (low, high) = decimal(float(asked.error.mid())), map(decimal, asked.mean_range)
    cells = [(Fraction(1, asked.answers), most)]
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
    k = asked.answers
    weak, strong = strength_of(start, k), strength_of(end, k)
    alpha = float(asked.failure.mid())
    bounds = [sorted(share_of_reports(mean, s, k) for s in (weak, strong)) for mean in means]
    low, high = bounds[0][1], bounds[1][0]
    if low <= high:  # these λ stay possible for all the p
        tau = error * strong
        mean = worst_share(n, tau, low, high)
        ends = math.ceil(n * (mean + tau)), math.floor(n * (mean - tau))
        if off(n, *ends, mean, alpha) > asked.failure:
            return True
    return any(
        _at_share(n, (weak, strong), error, mean, asked) > asked.failure
        for mean in dict.fromkeys((*means, min(max(HALF, means[0]), means[1])))
    )


def _at_share(
    n: int, strengths: tuple[Fraction, Fraction], error: Fraction, mean: Fraction, asked: Asked
) -> "arb":
    """At most the failure probability at a share μ for all p − q between two: λ and edges move."""
    alpha, k = float(asked.failure.mid()), asked.answers
    left, right = sorted(share_of_reports(mean, s, k) for s in strengths)
    high = math.ceil(n * max(share_of_reports(mean + error, s, k) for s in strengths))
    low = math.floor(n * min(share_of_reports(mean - error, s, k) for s in strengths))
    return _reached(n, high, left, alpha) + _reached(n, n - low, 1 - right, alpha)


def certify_sizes_over(least: int, most: int, tau: "arb", failure: Number) -> bool:
    """Whether every N in a range is certain to fail at λ = 1/2 with any error up to τ.

    With two more people Pr[|Y − N/2| ≥ c] does not fall, c > 0: Pr[Y − N/2 ≥ c] grows by a
    quarter of p(d − 1) − p(d) ≥ 0, with p the chances of Y − N/2 and d the least value from c on.
    So every N of the range fails at least as often as the first one of its kind, odd or even, does
    with the excess Nτ of the largest.
    """
    return bool(least_failing(least, most, most * tau, float(failure.mid())) > failure)


def least_failing(least: int, most: int, excess: "arb", failure: float) -> "arb":
    """What every N in a range fails with at least at λ = 1/2, with any Nτ up to an excess."""
    lowest = arb(1)
    for n in range(least, min(least + 1, most) + 1):
        high = (arb(n) / 2 + excess).upper().ceil().unique_fmpz()
        lowest = lowest.min(2 * _reached(n, int(high), HALF, failure) if high else arb(0))
    return lowest
