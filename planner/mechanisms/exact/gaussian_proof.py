"""What `laplace_proof` does, for Gaussian noise of deviation 1/rate."""

import math
from functools import cache
from typing import TYPE_CHECKING

from planner import numbers
from planner.mechanisms.exact import large_study
from planner.mechanisms.exact.balls import (
    exact_gaussian_ball,
    gaussian_ball,
    gaussian_cell_ball,
    within_reach,
)
from planner.mechanisms.exact.gaussian_noise import bend, chord, relative_bend, worst_mean
from planner.mechanisms.exact.laplace_proof import all_settled, rates_surely_over
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

    if large_study.gaussian_bound(rate, participants, error, mean_range) <= failure:
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
