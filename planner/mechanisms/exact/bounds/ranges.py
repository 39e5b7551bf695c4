"""Ranges of N at which a failure probability passes α, whatever N and the rate of the noise are.

At mean 1/2, with D = K − N/2 and G(d) = Pr[|d + Z| ≥ c] for the largest edge c = NT of the range,
f ≥ E[G(D)] for each of its N. One person more moves D by 1/2 to either side. As noise that is
symmetric and unimodal is carried beyond an edge the likelier the nearer it is, G″ ≥ 0 where
|D| ≤ c; beyond, G″ is no less than −B, so E[G(D)] falls by (B/8)·Pr[|D| > c − 1/2] at most. So what
holds for the least N nearly holds for all.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from planner import numbers
from planner.mechanisms.exact.balls import counts_reached, rational, upper_ball
from planner.mechanisms.exact.bounds.cells import all_fail
from planner.mechanisms.exact.noise import Asked
from planner.mechanisms.exact.noise_balls import Exponential, Normal
from planner.numbers import decimal

if TYPE_CHECKING:
    from flint import arb

_MOST_RATE_CELLS = 60


def certify_sizes_over(
    noise: Callable[["arb", "arb"], Exponential | Normal],
    curvature: Callable[["arb"], "arb"],
    alone: "arb",
    highest: "arb",
    sizes: tuple[int, int],
    excess: "arb",
    asked: Asked,
    share: Callable[["arb"], "arb"] = lambda rate: rate / rate,
) -> bool:
    """Whether every N in a range is certain to pass α at every rate up to the highest.

    Args:
        noise: Z, from its highest and its lowest rate.
        curvature: B, for a rate; it grows with it.
        alone: up to this rate the noise alone is off too often.
        highest: the highest rate.
        sizes: the least N and the largest.
        excess: c.
        asked: what is asked.
        share: in this share of cases at least, for a rate, there is such noise.
    """
    least, most = sizes
    half = numbers.balls().number(0.5)
    usable = highest.is_finite() and asked.mean_range[0] <= 0.5 <= asked.mean_range[1]
    if not (usable and excess > half):
        return False
    if highest <= alone:
        return True
    failure = asked.failure
    alpha, beyond = float(failure.mid()), 2 * (-2 * (excess - half) ** 2 / most).exp()

    def fails(low: "arb", high: "arb") -> bool:
        edge = least * half + excess
        failing = 2 * upper_ball(noise(high, low), least, edge, (half, half), alpha)
        lost = (most - least) * curvature(high) / 8 * beyond
        return bool(share(high) * (failing - lost) > failure)

    return fails(highest, highest) and all_fail(fails, alone, highest, _MOST_RATE_CELLS)


def sizes_too_small(least: int, most: int, asked: Asked) -> bool:
    """Whether every N in [least, most] is certain to pass α with any noise at all.

    At most ⌈2NT⌉ counts are not off, and no noise makes the answer likelier to hit so many than the
    likeliest of them are together: each has at most 1/√(2eNμ(1 − μ)) (Herzog 1947), which makes
    (2NT + 1) of that convex in √N, so largest at an end. At mean 1/2 these are the middle ones, and
    more people spread counts more: the least N with as many counts as the largest has bounds all.
    """
    error, failure, mean_range = asked
    nearest = decimal(min(max(0.5, mean_range[0]), mean_range[1]))
    spread = rational(nearest * (1 - nearest)) * 2 * rational(Fraction(1)).exp()
    if not spread > 0:
        return False
    if all((2 * n * error + 1) / (n * spread).sqrt() < 1 - failure for n in (least, most)):
        return True
    counts = math.ceil(2 * most * decimal(float(error.mid())))
    if nearest != Fraction(1, 2) or counts > least:
        return False
    first, half = (least - counts + 1) // 2, rational(nearest)
    ends = (first + counts, least - first + 1)
    off = [counts_reached(least, n, (half, half), float(failure.mid())) for n in ends]
    return bool(off[0] + off[1] > failure)
