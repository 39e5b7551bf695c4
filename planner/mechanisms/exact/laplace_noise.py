"""Laplace noise on a count: its failure probability at one mean and at the worst, with proofs.

The failure probability is f(μ) = u(μ) + u(1 − μ), with u(μ) = Pr[K + Z ≥ Nμ + NT] (see
`noisy_count`). On a cell [a, b] of means, of width w, two bounds hold, and the lower one counts:

- Stochastic order: more likely people make larger counts, so u(μ) ≤ Pr[K + Z ≥ Na + NT] at mean b.
- A chord misses a function by at most w²/8 times its second derivative. `laplace_bend` bounds that
  from below. In very small studies, or with little noise, this is closer: with G(t) = Pr[Z ≥ t],
  G″ is at most ε²G in size and G(t − s) at most e^(εs)G(t), so f″ is at most κf in size,
  κ = (Nε(1 + e^ε))². Besides, Pr[K = k] has first and second derivatives of at most N/m and (N/m)²
  times itself, with m the less of μ and 1 − μ, so κ = (N(ε + 1/m))² will do too, m = min(a, 1 − b).
  So f ≤ max(f(a), f(b))/(1 − κw²/8) where κw² < 8.
"""

import math
from functools import cache
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms import hoeffding
from planner.mechanisms.exact.balls import cell_ball, edges_about, failure_ball, within_reach
from planner.mechanisms.exact.bounds import large_study, ranges
from planner.mechanisms.exact.bounds.bracket import (
    Mean,
    WorstMean,
    bracket,
    most_cells,
    tolerance_at,
)
from planner.mechanisms.exact.bounds.cells import (
    all_settled,
    certify_smooth_over,
    order_is_closer,
)
from planner.mechanisms.exact.bounds.laplace_curvature import most_between
from planner.mechanisms.exact.noise import GONE, Asked, Noise, likely_parts, smooth_parts
from planner.mechanisms.exact.noise_balls import Exponential
from planner.mechanisms.exact.rates import LARGE
from planner.mechanisms.exact.sums.noisy_count import upper_parts, upper_side
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

_MOST_CELLS = 400_000
_SMOOTH = 0.5
"""At lower rates whole counts ripple the failure probability by less than it falls with the rate:
with h its hazard at an edge, of a count, by about ε³/(12h), where h is about 4T."""
_HARDLY_ANY = 20.0
"""From this ε on chords are of little use, and stochastic order bounds wide cells too."""


def failure_at(epsilon: Number, n: Number, error: Number, mean: Number) -> Number:
    """Pr[|K/N + Z/N − μ| ≥ T] with Laplace noise, at given means; arrays broadcast."""
    return np.asarray(np.sum(parts_at(epsilon, n, error, mean), axis=0))


def parts_at(epsilon: Number, n: Number, error: Number, mean: Number) -> Number:
    """The same in two parts, along the first axis: one grows with ε, the other falls."""
    epsilon, n, mean = np.broadcast_arrays(epsilon, n, mean)
    both = np.stack([mean, 1 - mean])  # one call for both sides: a call costs more than its numbers
    return np.sum(upper_parts(n, both, n * error, epsilon, None), axis=1)


def worst_mean(
    epsilon: float,
    participants: float,
    error: float,
    mean_range: tuple[float, float],
    tolerance: float | None = None,
    sufficient: float = 0.0,
) -> WorstMean:
    """Bracket the largest failure probability over `mean_range`.

    Args:
        epsilon: ε [> 0].
        participants: N [≥ 1].
        error: T [(0, 1]].
        mean_range: the means for which the analyst must be right [in [0, 1]].
        tolerance: of the bracket, as a fraction, or as is close for N; wider where that takes too
            many cells.
        sufficient: the search may stop once the largest value is certain to be at most this, or
            certain to pass it clearly.
    """
    n, t, e = float(participants), float(error), float(epsilon)

    def value(mean: Array) -> Array:
        return failure_at(e, n, t, mean)

    def bound(left: Array, right: Array, seen: Array, goal: float) -> Array:
        chord = by_chord(seen, left, right, e, n, t)
        with np.errstate(invalid="ignore"):
            growth = np.where(seen > 0, chord / np.maximum(seen, 5e-324) - 1, np.inf)
        apart = e * n * (right - left)
        doubtful = (chord > goal) & (order_is_closer(apart, growth) | (e > _HARDLY_ANY))
        if doubtful.any():
            crude = _crude(e, n, t, left[doubtful], right[doubtful])
            chord[doubtful] = np.minimum(chord[doubtful], crude)
        return chord

    return bracket(
        value,
        bound,
        mean_range,
        tolerance or tolerance_at(n),
        sufficient,
        most_cells(n, _MOST_CELLS),
    )


def curvature(epsilon: Number, participants: Number, rarest: Number) -> Number:
    """κ, which bounds f″/f for Laplace noise; of floats, arrays or balls.

    Args:
        epsilon: ε.
        participants: N.
        rarest: m, the least of μ and 1 − μ on the cell.
    """
    system = numbers.of(epsilon, participants, rarest)
    grown = system.minimum(system.exp(epsilon), system.number(1e100))
    steep = system.minimum(epsilon * (1 + grown), epsilon + inverse(rarest))
    curvature = participants * steep
    return curvature * curvature  # a power of a float would raise where it passes the largest one


def by_chord(
    seen: Number, left: Number, right: Number, epsilon: Number, participants: Number, error: Number
) -> Number:
    """What f does not pass on a cell of means, by the closer chord; see `most_between`."""
    system = numbers.of(seen, left, right, epsilon, participants, error)
    rarest = system.minimum(left, 1 - right)
    width = right - left
    curved = width * width * curvature(epsilon, participants, rarest) / 8  # 0 ± r squared is NaN
    chord = seen / system.maximum(1 - curved, system.number(1e-300))
    chord = system.maximum(chord, system.all_or_nothing(curved - 1))
    return system.minimum(chord, most_between(seen, left, right, epsilon, participants, error))


def inverse(rarest: Number) -> Number:
    """1/m, no more than 10^100; of floats, arrays or balls."""
    system = numbers.of(rarest)
    return 1 / system.maximum(rarest, system.number(1e-100))


def _crude(e: float, n: float, t: float, left: Array, right: Array) -> Array:
    """The bound by stochastic order on each cell."""
    excess = n * t - n * (right - left)
    fits = excess > 0
    both = np.stack([right, 1 - left])
    bound = np.sum(upper_side(n, both, np.where(fits, excess, n * t), e, None), axis=0)
    return np.where(fits, bound, 1.0)


def certify_at_most(
    epsilon: Number,
    participants: Number,
    asked: Asked,
) -> bool:
    """Whether the failure probability is certain to be at most α at every mean of the range.

    Args:
        epsilon: ε, a ball.
        participants: N, a ball that holds a whole number alone.
        asked: T and α are balls.
    """
    error, failure, mean_range = asked
    if large_study.bound(epsilon, participants, error, mean_range) <= failure:
        return True
    n, alpha = int(float(participants.mid())), float(failure.mid())
    excess, noise = error * n, Exponential(epsilon, epsilon)

    @cache
    def value(mean: float) -> "arb":
        at = asked.enclosed(mean)
        return failure_ball(noise, n, edges_about(n, at, excess), at, alpha)

    def settled(left: float, right: float) -> bool | None:
        worst = value(left).max(value(right))
        if not worst <= failure:
            return False
        start, end, width = asked.enclosed(left), asked.enclosed(right), arb(right) - arb(left)
        most = by_chord(worst, start, end, epsilon, arb(n), error)
        if most <= failure:
            return True
        wide = epsilon > _HARDLY_ANY
        if not (wide or order_is_closer(epsilon * n * width, most / worst - 1)):
            return None
        edges = n * end - excess, n * start + excess
        return True if cell_ball(noise, n, edges, start, end, alpha) <= failure else None

    return all_settled(settled, *asked.half, within_reach(n, alpha))


def certify_over(
    least: "arb",
    most: "arb",
    participants: int,
    asked: Asked,
) -> bool:
    """Whether the failure probability is certain to pass α at some mean, for all ε in a range."""
    error, alpha = float(asked.error.mid()), float(asked.failure.mid())

    def worst(epsilon: float) -> Mean:
        return worst_mean(epsilon, float(participants), error, asked.mean_range, 1e-3, alpha).mean

    return certify_smooth_over(Exponential, worst, least, most, participants, asked)


def certify_sizes_over(epsilon: "arb", least: int, most: int, asked: Asked) -> bool:
    """Whether every N in [least, most] is certain to pass α at mean 1/2, at every ε up to a ball.

    Beyond an edge G is 1 − e^(−ε|d|)·sinh εc, so G″ is at least −ε²/2 (see `ranges`).
    """
    excess = asked.error * most
    return ranges.certify_sizes_over(
        Exponential,
        lambda rate: rate**2 / 2,
        -asked.failure.log() / excess,
        epsilon,
        (least, most),
        excess,
        asked,
    )


def _worst_mean(epsilon: float, n: float, asked: Asked) -> WorstMean:
    error, failure, mean_range = asked
    for_all = float(large_study.bound(epsilon, n, error, mean_range))
    if for_all <= failure:  # in large studies one line does for all means
        return WorstMean(0.0, for_all, 0.5)
    worst = worst_mean(epsilon, n, error, mean_range, sufficient=failure)
    return worst._replace(most=min(worst.most, for_all))


def bound(epsilon: float, n: float, error: float) -> float:
    """By Hoeffding's inequality."""
    return float(hoeffding.failure_probability(epsilon, n, error))


LAPLACE = Noise(
    parts=smooth_parts(parts_at),
    likely_parts=likely_parts(parts_at, LARGE),
    growth=0.0,
    worst_mean=_worst_mean,
    bound=bound,
    sufficient=hoeffding.epsilon_floor,
    # the noise alone is off by NT with probability e^(−εNT); a sample that is off makes it no less
    least_rate=lambda n, error, failure: -math.log(failure) / (n * error),
    largest_rate=lambda n: np.full_like(n, GONE),
    certify_at_most=certify_at_most,
    certify_over=certify_over,
    certify_sizes_over=certify_sizes_over,
    smooth=_SMOOTH,
)
