"""Proofs in ball arithmetic about the failure probability over a range of means, or of ε.

Cells of means are halved until the chord bound of `worst_mean` settles each.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from planner import numbers
from planner.mechanisms.exact import large_study
from planner.mechanisms.exact.balls import (
    cell_ball,
    exact_failure_ball,
    failure_ball,
    rational,
    within_reach,
)
from planner.mechanisms.exact.worst_mean import anchors, curvature, worst_mean
from planner.numbers import Number, decimal

if TYPE_CHECKING:
    from flint import arb

_NARROWEST = 1e-18
_STEEP = 3.0
GONE = 2.0**20
"""Beyond this rate the noise is as good as gone."""
_MOST_CELLS = 20_000
_MOST_COUNTS = 1e7
_MOST_EPSILON_CELLS = 500


def surely_at_most(
    epsilon: Number,
    participants: Number,
    error: Number,
    failure: Number,
    mean_range: tuple[float, float],
) -> bool:
    """Whether the failure probability is certain to be at most α at every mean of the range.

    Args:
        epsilon: ε, a ball.
        participants: N, a ball that holds a whole number alone.
        error: T, a ball.
        failure: α, a ball.
        mean_range: the means, as floats.
    """
    number = numbers.balls().number
    low, high = mean_range
    if large_study.bound(epsilon, participants, error, mean_range) <= failure:
        return True
    n = int(float(participants.mid()))
    excess = error * n
    alpha = float(failure.mid())
    if low + high == 1:  # the failure probability is the same at μ and 1 − μ
        high = 0.5

    @cache
    def value(mean: float) -> "arb":
        at = number(mean) if mean in (low, high) else _exact(mean)
        return failure_ball(epsilon, n, excess, at, alpha)

    def settled(left: float, right: float) -> bool | None:
        worst = value(left).max(value(right))
        if not worst <= failure:
            return False
        start, end = (number(x) if x in (low, high) else _exact(x) for x in (left, right))
        width = _exact(right) - _exact(left)
        rarest = start.min(1 - end)
        curve = curvature(epsilon, number(n), rarest) * width**2 / 8
        if curve < 1 and worst / (1 - curve) <= failure:
            return True
        if not order_is_closer(epsilon * n * width, curve):
            return None
        return True if cell_ball(epsilon, n, excess, start, end, alpha) <= failure else None

    return all_settled(settled, low, high, within_reach(n, alpha))


def order_is_closer(apart: Number, curve: Number) -> bool:
    """Whether on a cell stochastic order may bound the failure probability closer than a chord.

    With y = Nεw (`apart`) order lets it grow by about 2y, and by e^y where it is of no use; a chord
    by κw²/8 (`curve`).
    """
    return bool(apart < _STEEP and curve > 2 * apart)


def all_settled(
    settled: Callable[[float, float], bool | None], low: float, high: float, counts: float
) -> bool:
    """Whether every cell of means holds.

    Args:
        settled: says it of one, or None to halve it.
        low: where the cells begin.
        high: where they end.
        counts: how many are summed for each: no more than `_MOST_COUNTS` are looked at.
    """
    cells = [(low, high)]
    for _ in range(int(min(_MOST_CELLS, _MOST_COUNTS / counts))):
        if not cells:
            return True
        left, right = cells.pop()
        holds = settled(left, right)
        if holds is None and right - left >= _NARROWEST:
            middle = (left + right) / 2
            cells += [(left, middle), (middle, right)]
        elif not holds:
            return False
    return False


def surely_over(
    least: "arb",
    most: "arb",
    participants: int,
    error: "arb",
    failure: "arb",
    mean_range: tuple[float, float],
) -> bool:
    """Whether the failure probability is certain to pass α at some mean, for all ε in a range."""
    n, t = participants, decimal(float(error.mid()))

    def worst(epsilon: float) -> float:
        return float(worst_mean(epsilon, float(n), float(t), mean_range, 1e-3).mean)

    return rates_surely_over(exact_failure_ball, worst, least, most, n, t, failure, mean_range)


def rates_surely_over(
    failure_at: Callable[..., "arb"],
    worst: Callable[[float], float],
    least: "arb",
    most: "arb",
    participants: int,
    error: Fraction,
    failure: "arb",
    mean_range: tuple[float, float],
) -> bool:
    """Whether for all rates in [least, most] the failure probability at some mean passes α.

    Args:
        failure_at: encloses it for (rate, N, T, μ, α, outside=rate), see `exact_failure_ball`.
        worst: a mean at which it is about the largest, for a rate.
        least: the lowest rate.
        most: the highest; may be ∞.
        participants: N.
        error: T.
        failure: α.
        mean_range: the means.
    """
    alpha = float(failure.mid())
    likely = [Fraction(anchor) for anchor in anchors(float(error), mean_range)]
    likely += [decimal(end) for end in mean_range]

    def fails(low: "arb", high: "arb") -> bool:
        def over(mean: Fraction) -> bool:
            return bool(failure_at(high, participants, error, mean, alpha, outside=low) > failure)

        middle = min(float((low * high).sqrt().mid()), GONE)
        return any(over(mean) for mean in likely) or over(Fraction(worst(middle)))

    return all_fail(fails, least, most)


def all_fail(fails: Callable[["arb", "arb"], bool], least: "arb", most: "arb") -> bool:
    """Whether every ε in [least, most] fails, by cells of ε; most may be ∞."""
    from flint import arb

    low = arb(least.lower())
    cells = [(low, arb(most.upper()))]
    if not most.is_finite():
        if not fails(arb(GONE), arb(2**60)):
            return False
        cells = [(low, arb(GONE))]
    for _ in range(_MOST_EPSILON_CELLS):
        if not cells:
            return True
        low, high = cells.pop()
        if fails(low, high):
            continue
        middle = arb((low * high).sqrt().mid())
        if not (low < middle and middle < high) or (high / low - 1) < _NARROWEST:
            return False
        cells += [(low, middle), (middle, high)]
    return False


def sizes_too_small(
    least: int, most: int, error: "arb", failure: "arb", mean_range: tuple[float, float]
) -> bool:
    """Whether every N in [least, most] is certain to pass α with any noise at all.

    Fewer than 2NT + 1 counts are not off, and no noise makes the answer likelier to hit so many
    than the likeliest of them are together: each has at most 1/√(2eNμ(1 − μ)) (Herzog 1947). The
    product is convex in √N, so it is largest at an end.
    """
    nearest = decimal(min(max(0.5, mean_range[0]), mean_range[1]))
    spread = rational(nearest * (1 - nearest)) * 2 * rational(Fraction(1)).exp()
    if not spread > 0:
        return False
    return all((2 * n * error + 1) / (n * spread).sqrt() < 1 - failure for n in (least, most))


def sizes_surely_over(
    signal: "arb",
    least: int,
    most: int,
    error: "arb",
    failure: "arb",
    mean_range: tuple[float, float],
) -> bool:
    """Whether every N in [least, most] with N·ε ≤ `signal` is certain to pass α at mean 1/2.

    There f ≥ e^(−εNT)·E[cosh εD] − 2·exp(−2NT²) for ε ≤ 4T (what the sum counts too much where
    |D| ≥ NT is at most e^(−εNT)·E[e^(ε|D|); |D| ≥ NT]), with E[cosh εD] = cosh(ε/2)^N. In terms of
    N·ε the first part falls with N, and with N·ε while tanh(ε/2) < 2T.
    """
    if not (signal.is_finite() and mean_range[0] <= 0.5 <= mean_range[1]):
        return False
    largest = signal / least
    if not (largest <= 4 * error and (largest / 2).tanh() < 2 * error):
        return False
    spread = (signal / (2 * most)).cosh().log() * most
    return bool((spread - signal * error).exp() - 2 * (-2 * least * error**2).exp() > failure)


def _exact(mean: float) -> "arb":
    from flint import arb

    return arb(mean)
