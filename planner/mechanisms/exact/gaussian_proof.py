"""What `proof` does, for Gaussian noise of deviation 1/rate."""

import math
from functools import cache
from typing import TYPE_CHECKING

from planner import numbers
from planner.mechanisms.analytic_gaussian import upper_tail
from planner.mechanisms.exact.balls import (
    exact_gaussian_ball,
    gaussian_ball,
    gaussian_cell_ball,
    within_reach,
)
from planner.mechanisms.exact.gaussian_noise import bend, chord, relative_bend, worst_mean
from planner.mechanisms.exact.proof import all_settled, rates_surely_over
from planner.numbers import Number, decimal

if TYPE_CHECKING:
    from flint import arb


def surely_at_most(
    rate: Number,
    participants: Number,
    error: Number,
    failure: Number,
    mean_range: tuple[float, float],
) -> bool:
    """Whether the failure probability is certain to be at most α at every mean of the range."""
    from flint import arb

    if large_study_bound(rate, participants, error, mean_range) <= failure:
        return True
    number = numbers.balls().number
    n, alpha = int(float(participants.mid())), float(failure.mid())
    rest = 25 - math.log(alpha)
    bends = bend(rate, number(n)), *relative_bend(rate, number(n), error * n, rest)
    low, high = mean_range
    if low + high == 1:  # the failure probability is the same at μ and 1 − μ
        high = 0.5

    def enclosed(mean: float) -> "arb":
        return number(mean) if mean in (low, high) else arb(mean)

    @cache
    def value(mean: float) -> "arb":
        return gaussian_ball(rate, n, error * n, enclosed(mean), alpha)

    def settled(left: float, right: float) -> bool | None:
        worst = value(left).max(value(right))
        if not worst <= failure:
            return False
        width = arb(right) - arb(left)
        if chord(worst, width, *bends) <= failure:
            return True
        means = enclosed(left), enclosed(right)
        crude = gaussian_cell_ball(rate, n, error * n, *means, alpha)
        return True if crude <= failure else None

    return all_settled(settled, low, high, within_reach(n, alpha))


def surely_over(
    least: "arb",
    most: "arb",
    participants: int,
    error: "arb",
    failure: "arb",
    mean_range: tuple[float, float],
) -> bool:
    """Whether α is certain to be passed at some mean, for all rates in [least, most]."""
    n, t, alpha = participants, decimal(float(error.mid())), float(failure.mid())

    def worst(rate: float) -> float:
        return float(worst_mean(rate, n, float(t), mean_range, 1e-3, alpha).mean)

    return rates_surely_over(exact_gaussian_ball, worst, least, most, n, t, failure, mean_range)


def large_study_bound(
    rate: Number, participants: Number, error: Number, mean_range: tuple[float, float]
) -> Number:
    """A bound for all means at once, in balls; close where the sample's deviation is under a tenth.

    With x = NT/σ and g(v) = Q(x − v) + Q(x + v), which is even, f = E[g(D/σ)] is at most
    2Q(x) + xφ(x)·V + g⁗(0)/24·E[D⁴]/σ⁴ + 5/720·E[D⁶]/σ⁶, with V the variance of D/σ: He₅φ is under
    5/2. With s² the variance of D, E[D⁴] is 3s⁴ plus s² to −s²/2, and E[D⁶] at most
    15s⁶ + 25s⁴ + s². Where all that rises with V it is largest at the largest V; else it is ∞.
    """
    from flint import arb

    system = numbers.balls()
    x = participants * error * rate
    density = system.exp(-(x**2) / 2) / (2 * arb.pi()).sqrt()
    nearest = system.number(min(max(0.5, mean_range[0]), mean_range[1]))
    square = rate**2
    most = participants * nearest * (1 - nearest) * square
    fourth = 2 * (x**3 - 3 * x) * density / 24
    slopes = (
        x * density + fourth * (6 * v + k * square)
        for v in (arb(0), most)
        for k in (arb(1), arb(-1) / 2)
    )
    if not all(slope > 0 for slope in slopes):
        return system.infinity
    kurtosis = 3 * most**2 + (square * most).union(-square * most / 2)
    sixth = 15 * most**3 + 25 * most**2 * square + most * square**2
    return 2 * upper_tail(x) + x * density * most + fourth * kurtosis + sixth / 144
