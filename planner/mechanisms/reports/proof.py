"""Proofs about randomised reports in ball arithmetic; shares and cards are fractions.

For a fixed set of counts that are right, a range g < Y < h, its probability rises and then falls
with λ. So on a cell [a, b] of λ the failure probability is the largest at a, at b or where a count
tips over an edge. At tips of one kind the first and the last bound those between
(`exact.curvature`); elsewhere a and b do, both with the counts that are right on all of the cell.

A plan fails at every p between two where it fails at a λ that all those p leave possible, as with
more p fewer counts are off; or at a share, where λ and both edges move with p.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.mechanisms.exact.failure import SHARES, Asked
from planner.mechanisms.exact.law import HALF
from planner.mechanisms.exact.noise_balls import NoNoise
from planner.mechanisms.exact.with_replacement import BINOMIAL
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
    error, failure, mean_range = asked
    strength = 2 * truth - 1
    tau = decimal(float(error.mid())) * strength
    low, high = (HALF + (decimal(end) - HALF) * strength for end in mean_range)
    return SHARES["none"].certify_at_most(arb(1), arb(n), Asked(tau, failure, (low, high)))


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
        ends = math.ceil(n * (mean + tau)), math.floor(n * (mean - tau))
        if off(n, *ends, mean, alpha) > asked.failure:
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
    return _reached(n, high, left, alpha) + _reached(n, n - low, 1 - right, alpha)


def certify_sizes_over(least: int, most: int, tau: "arb", failure: Number) -> bool:
    """Whether every N in a range is certain to fail at λ = 1/2 with any error up to τ.

    With two more people Pr[|Y − N/2| ≥ c] does not fall, c > 0: Pr[Y − N/2 ≥ c] grows by a
    quarter of p(d − 1) − p(d) ≥ 0, with p the chances of Y − N/2 and d the least value from c on.
    So every N of the range fails at least as often as the first one of its kind, odd or even, does
    with the excess Nτ of the largest.
    """
    for n in range(least, min(least + 1, most) + 1):
        high = (arb(n) / 2 + most * tau).upper().ceil().unique_fmpz()
        if not (high and 2 * _reached(n, int(high), HALF, float(failure.mid())) > failure):
            return False
    return True
