"""What `laplace_proof` does, for geometric noise, with edges held (see `geometric_noise`)."""

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.mechanisms.exact import large_study
from planner.mechanisms.exact.balls import held_ball, held_cell_ball, rational, within_reach
from planner.mechanisms.exact.geometric_noise import bent, curvature, edges, tips, worst_mean
from planner.mechanisms.exact.laplace_proof import (
    GONE,
    all_fail,
    all_settled,
    order_is_closer,
)
from planner.mechanisms.exact.worst_mean import Mean, anchors
from planner.numbers import Number, decimal

if TYPE_CHECKING:
    from flint import arb


def surely_at_most(
    epsilon: Number,
    participants: Number,
    error: Number,
    failure: Number,
    mean_range: tuple[float, float],
) -> bool:
    """Whether the failure probability is certain to be at most α at every mean of the range."""
    from flint import arb

    if large_study.bound(epsilon, participants, error, mean_range, whole=True) <= failure:
        return True
    n, t = int(float(participants.mid())), decimal(float(error.mid()))
    alpha, size = float(failure.mid()), arb(n)
    low, high = mean_range
    if low + high == 1:  # the failure probability is the same at μ and 1 − μ
        high = 0.5

    def settled(left: float, right: float) -> bool | None:
        above, below = _edges(n, t, left, right, mean_range)
        ends = [held_ball(epsilon, n, (below, above), arb(end), alpha) for end in (left, right)]
        width = arb(right) - arb(left)
        if ends[0].max(ends[1]) + bent(n, width) <= failure:
            return True
        rarest = arb(left).min(1 - arb(right))
        curve = curvature(epsilon, size, rarest) * width**2 / 8
        if curve < 1 and ends[0].max(ends[1]) / (1 - curve) <= failure:
            return True
        if not order_is_closer(epsilon * n * width, curve):
            return None
        means = arb(left), arb(right)
        crude = held_cell_ball(epsilon, n, (below, above), *means, alpha)
        return True if crude <= failure else None

    return all_settled(settled, low, high, within_reach(n, alpha))


def _edges(
    n: int, error: Fraction, left: float, right: float, mean_range: tuple[float, float]
) -> tuple[int, int]:
    """The nearest edges on a cell; an end of the range is its decimal and its double."""
    above, below = edges(n, error, left, right)
    if left in mean_range or right in mean_range:
        low, high = (decimal(x) if x in mean_range else Fraction(x) for x in (left, right))
        above = min(above, -((-n * (low + error)) // 1))
        below = max(below, (n * (high - error)) // 1)
    return above, below


def surely_over(
    least: "arb",
    most: "arb",
    participants: int,
    error: "arb",
    failure: "arb",
    mean_range: tuple[float, float],
) -> bool:
    """Whether the failure probability is certain to pass α at some mean, for all ε in a range."""
    n, t, alpha = participants, decimal(float(error.mid())), float(failure.mid())
    likely = [
        tip
        for anchor in anchors(float(t), mean_range)
        for beside in (anchor - 1 / n, anchor)
        for tip in tips(n, t, beside, beside + 1 / n, *mean_range)
    ]
    likely += [decimal(end) for end in mean_range]

    def fails(low: "arb", high: "arb") -> bool:
        def over(mean: Mean) -> bool:
            exact = Fraction(mean)
            above, below = edges(n, t, exact, exact)
            at = rational(exact)
            return bool(held_ball(high, n, (below, above), at, alpha, outside=low) > failure)

        if any(over(mean) for mean in likely):
            return True
        middle = min(float((low * high).sqrt().mid()), GONE)
        return over(worst_mean(middle, n, float(t), mean_range, 1e-4).mean)

    return all_fail(fails, least, most)
