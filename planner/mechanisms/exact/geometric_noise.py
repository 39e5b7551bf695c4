"""Two-sided geometric noise on a count: what searches and proofs need of it.

`geometric_worst` bounds its failure probability on cells of means, in floats; here balls prove it.
"""

import math
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms import hoeffding
from planner.mechanisms.exact import laplace_noise
from planner.mechanisms.exact.balls import cell_ball, failure_ball, rational, within_reach
from planner.mechanisms.exact.bounds import breakpoints, geometric_curvature, large_study, ranges
from planner.mechanisms.exact.bounds.bracket import (
    Mean,
    WorstMean,
    anchors,
)
from planner.mechanisms.exact.bounds.cells import (
    all_settled,
    by_log_chord,
    certify_rates_over,
    log_curvature,
    order_is_closer,
)
from planner.mechanisms.exact.bounds.geometric_convex import certify_convex
from planner.mechanisms.exact.geometric_worst import WIDE, bent, worst_mean
from planner.mechanisms.exact.noise import GONE, Asked, Noise
from planner.mechanisms.exact.noise_balls import Exponential
from planner.mechanisms.exact.sums.edges import (
    edges,
    edges_between,
    is_tip,
    middle_tip,
    tips,
)
from planner.mechanisms.exact.sums.geometric_sums import (
    likely_parts,
    parts_at_means,
)
from planner.numbers import Number, decimal

if TYPE_CHECKING:
    from flint import arb

_CHORDS = 0.15
"""At lower rates chords of `geometric_bend` span more tips than `breakpoints` do."""


def certify_at_most(
    epsilon: Number,
    participants: Number,
    asked: Asked,
) -> bool:
    """Whether the failure probability is certain to be at most α at every mean of the range."""
    error, failure, mean_range = asked
    if large_study.bound(epsilon, participants, error, mean_range, whole=True) <= failure:
        return True
    n, t = int(float(participants.mid())), decimal(float(error.mid()))
    alpha, noise = float(failure.mid()), Exponential(epsilon, epsilon, whole=True)
    laplace, apart = Exponential(epsilon, epsilon), geometric_curvature.excesses(n, t)

    @cache
    def held(mean: Fraction, above: int, below: int) -> "arb":
        return failure_ball(noise, n, (arb(below), arb(above)), rational(mean), alpha)

    @cache
    def by_laplace(mean: Fraction, below: Fraction, above: Fraction) -> "arb":
        edges_ = rational(n * mean - below), rational(n * mean + above)
        return failure_ball(laplace, n, edges_, rational(mean), alpha)

    def value(mean: Fraction) -> "arb":
        return held(mean, *edges(n, t, mean, mean))

    def by_chord(left: Fraction, right: Fraction, off: geometric_curvature.Excesses) -> "arb":
        """What f does not pass at the tips and ends of a cell, by `geometric_bend`."""
        both_ways = product((left, right), (off, off[::-1]))
        seen = reduce(arb.max, (by_laplace(mean, *edges_) for mean, edges_ in both_ways))
        cell = rational(left), rational(right), epsilon, arb(n), error
        ends = (value(mean) for mean in (left, right) if not is_tip(n, t, mean))
        return reduce(arb.max, ends, geometric_curvature.most_at_tips(seen, *cell))

    def settled(left: Fraction, right: Fraction) -> bool | None:
        start, end, width = rational(left), rational(right), rational(right - left)
        steep = log_curvature(arb(n), start.min(1 - end))
        if n * (right - left) > 1:
            if apart and epsilon < _CHORDS:
                highest = by_chord(left, right, apart)
            else:
                _, highest = breakpoints.at_tips(value, (left, right), n, t, alpha)
            if by_log_chord(highest, 1 / arb(n), steep) <= failure:  # between tips
                return True
        if not value(left).max(value(right)) <= failure:
            return False
        if n * (right - left) > WIDE and highest.is_finite():
            return None
        above, below = edges_between(n, t, left, right)
        worst = held(left, above, below).max(held(right, above, below))
        if by_log_chord(worst, width, steep) <= failure or worst + bent(n, width) <= failure:
            return True
        if worst <= failure and certify_convex(noise, n, (above, below), (left, right), alpha):
            return True
        if not order_is_closer(epsilon * n * width, steep * width**2 / 8):
            return None
        return (
            bool(cell_ball(noise, n, (arb(below), arb(above)), start, end, alpha) <= failure)
            or None
        )

    def cut(left: Fraction, right: Fraction) -> Fraction:
        return middle_tip(n, t, left, right)

    low, high = map(asked.exact, asked.half)
    return all_settled(settled, low, high, within_reach(n, alpha), cut)


def certify_over(
    least: "arb",
    most: "arb",
    participants: int,
    asked: Asked,
) -> bool:
    """Whether the failure probability is certain to pass α at some mean, for all ε in a range."""
    error, failure, mean_range = asked
    n, t, alpha = participants, decimal(float(error.mid())), float(failure.mid())
    likely: list[Mean] = [
        tip
        for anchor in anchors(float(t), mean_range)
        for beside in (anchor - 1 / n, anchor)
        for tip in tips(n, t, beside, beside + 1 / n, *mean_range)
    ]
    likely += [decimal(end) for end in mean_range]

    def over(mean: Mean, low: "arb", high: "arb") -> bool:
        exact = asked.exact(mean)
        h, g = map(Fraction, edges(n, t, exact, exact))
        noise, held = Exponential(high, low, whole=True), (rational(g), rational(h))
        return bool(failure_ball(noise, n, held, rational(exact), alpha) > failure)

    def worst(rate: float) -> Mean:
        return worst_mean(rate, n, float(t), mean_range, 1e-4).mean

    return certify_rates_over(over, worst, likely, least, most)


def certify_sizes_over(epsilon: "arb", least: int, most: int, asked: Asked) -> bool:
    """Whether every N in [least, most] is certain to pass α at mean 1/2, at every ε up to a ball.

    There the edges are less than NT + 1 from the mean, and in a share 1/cosh(ε/2) of cases the
    noise is Laplace noise that is rounded (see `geometric_bend`), which adds ½ at most.
    """
    excess = asked.error * most + numbers.balls().number(0.5)
    return ranges.certify_sizes_over(
        Exponential,
        lambda rate: rate**2 / 2,
        -asked.failure.log() / (asked.error * most + 1),
        epsilon,
        (least, most),
        excess,
        asked,
        lambda rate: 1 / (rate / 2).cosh(),
    )


def _worst_mean(epsilon: float, n: float, asked: Asked) -> WorstMean:
    error, failure, mean_range = asked
    bound = large_study.bound(epsilon, n, error, mean_range, whole=True)
    if bound <= failure:
        return WorstMean(0.0, float(bound), 0.5)
    worst = worst_mean(epsilon, int(n), error, mean_range, sufficient=failure)
    return worst._replace(most=min(worst.most, float(bound)))


def _bound(epsilon: float, n: float, error: float) -> float:
    # Pr[|Z| ≥ t] is at most 2e^(−εt)/(1 + e^(−ε)), where Laplace noise has e^(−εt)
    return 2 / (1 + math.exp(-epsilon)) * laplace_noise.bound(epsilon, n, error)


GEOMETRIC = Noise(
    parts=parts_at_means,
    likely_parts=likely_parts,
    growth=0.0,
    worst_mean=_worst_mean,
    bound=_bound,
    sufficient=lambda n, error, failure: hoeffding.epsilon_floor(n, error, failure / 2),
    # on whole numbers that holds for noise off by NT + 1
    least_rate=lambda n, error, failure: -math.log(failure) / (n * error + 1),
    largest_rate=lambda n: np.full_like(n, GONE),
    certify_at_most=certify_at_most,
    certify_over=certify_over,
    certify_sizes_over=certify_sizes_over,
    smooth=math.inf,
)
