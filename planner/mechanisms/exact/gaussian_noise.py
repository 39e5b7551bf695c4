"""Gaussian noise on a count: its failure probability at one mean and at the worst, with proofs.

With G(d) = Q((c − d)/σ) + Q((c + d)/σ), c = NT, the failure probability is f(μ) = E[G(K − Nμ)], see
`gaussian_sums`.

Moving the mean is nearly moving the counts along, so f hardly bends: with G″ at most M₂ in size and
G⁗ at most M₄, f″ = N²E[Δ²G − 2ΔG′ + G″] − N·E[Δ²G] is at most κ = N·M₂ + (11/12)N²·M₄ in size, as
the bracket's Taylor series begins with the fourth derivative. Where f is small, what holds
relative to it is closer (see `gaussian_bend`, and `cells`): Q is log-concave, with (ln Q)″ between
−1 and 0 (Sampford 1953), so f is semiconvex in its logarithm with K = N/m² + (N/σ)². The noise
alone is measured by its `rate` 1/σ, which plays the part of ε.
"""

import math
from functools import cache
from typing import TYPE_CHECKING

from flint import arb

from planner.libraries import np, scipy
from planner.mechanisms.exact.balls import cell_ball, edges_about, failure_ball, within_reach
from planner.mechanisms.exact.bounds import cells, large_study, ranges
from planner.mechanisms.exact.bounds.bracket import (
    Mean,
    WorstMean,
    bracket,
    most_cells,
    tolerance_at,
)
from planner.mechanisms.exact.bounds.cells import all_settled, certify_smooth_over
from planner.mechanisms.exact.bounds.gaussian_curvature import most_between
from planner.mechanisms.exact.noise import GONE, Asked, Noise, likely_parts, smooth_parts
from planner.mechanisms.exact.noise_balls import Normal
from planner.mechanisms.exact.rates import LARGE
from planner.mechanisms.exact.sums.gaussian_sums import beyond, failure_at, parts_at
from planner.numbers import Array, Number
from planner.privacy.gaussian import deviate_ball

if TYPE_CHECKING:
    from flint import arb

_MOST_CELLS = 40_000
_SMALLEST = 1e-52
"""Failure probabilities under this are not followed closely; a bound for all means may do."""
_ROOM, _MOST_ROOM = 0.05, 100
_SMOOTH = 0.8
"""At such a rate whole counts ripple the failure probability by e^(−2π²σ²), 4e-14 of it."""
_UNSEEN = 1e-60
"""What the sums may leave out."""


def curvature(rate: Number, participants: Number) -> Number:
    """κ, which bounds f″ in size; of floats or balls.

    Two sides have second derivatives of at most 2φ(1) < 1/2 and fourth ones of at most
    2·0.5506 < 2·12/11, in units of σ.
    """
    square = rate**2 * participants
    return square / 2 + square**2 * 2


def log_curvature(rate: Number, participants: Number, rarest: Number) -> Number:
    """K, which bounds −(ln f)″ where μ and 1 − μ are at least m; of floats, arrays or balls."""
    return cells.log_curvature(participants, rarest) + (rate * participants) ** 2


def worst_mean(
    rate: float,
    participants: float,
    error: float,
    mean_range: tuple[float, float],
    tolerance: float | None = None,
    sufficient: float = 0.0,
) -> WorstMean:
    """Bracket the largest failure probability over a range of means; see `worst_mean`."""
    n, r = float(participants), float(rate)
    most_bent = curvature(r, n)

    def bound(left: Array, right: Array, seen: Array, goal: float) -> Array:
        width, steep = right - left, log_curvature(r, n, np.minimum(left, 1 - right))
        bounds = np.minimum(seen + width**2 / 8 * most_bent, cells.by_log_chord(seen, width, steep))
        bounds = np.minimum(bounds, most_between(seen, left, right, r, n, error, goal))
        # order moves an edge by nw, and so a tail of about the goal by the x/σ-th part of that
        x = min(n * error * r, math.sqrt(-2 * math.log(goal)) if 0 < goal < 1 else 0.0)
        by_order = seen * n * (right - left) * (1 + x * r)
        doubtful = (bounds > goal) & (3 * by_order < bounds - seen)
        if doubtful.any():
            crude = _crude(r, n, error, left[doubtful], right[doubtful])
            bounds[doubtful] = np.minimum(bounds[doubtful], crude)
        return bounds

    def value(mean: Array) -> Array:
        return failure_at(r, n, error, mean)

    smallest = 0.0 if sufficient else _SMALLEST  # what is enough may be less than that
    worst = bracket(
        value,
        bound,
        mean_range,
        tolerance or tolerance_at(n),
        sufficient,
        most_cells(n, _MOST_CELLS),
        smallest,
    )
    return worst._replace(most=worst.most + _UNSEEN)


def _crude(rate: float, n: float, error: float, left: Array, right: Array) -> Array:
    """The bound by stochastic order on each cell; see `worst_mean`."""
    excess = n * error - n * (right - left)
    ends = beyond(rate, n, right, excess, sides=1), beyond(rate, n, 1 - left, excess, sides=1)
    return np.asarray(sum(ends))


def noise_alone(participants: Number, error: Number, failure: Number) -> Number:
    """The rate at which noise alone is off by NT with probability α: z/(NT), 2Q(z) = α."""
    return -scipy.special.ndtri(failure / 2) / (participants * error)


def certify_at_most(
    rate: Number,
    participants: Number,
    asked: Asked,
) -> bool:
    """Whether the failure probability is certain to be at most α at every mean of the range."""
    error, failure, mean_range = asked
    if large_study.gaussian_bound(rate, participants, error, mean_range) <= failure:
        return True
    n, alpha = int(float(participants.mid())), float(failure.mid())
    excess, noise, most_bent = error * n, Normal(rate, rate), curvature(rate, arb(n))
    shift = rate * math.sqrt(-2 * math.log(alpha))

    @cache
    def value(mean: float) -> "arb":
        at = asked.enclosed(mean)
        return failure_ball(noise, n, edges_about(n, at, excess), at, alpha)

    def settled(left: float, right: float) -> bool | None:
        worst = value(left).max(value(right))
        if not worst <= failure:
            return False
        start, end, width = asked.enclosed(left), asked.enclosed(right), arb(right) - arb(left)
        steep = log_curvature(rate, arb(n), start.min(1 - end))
        if worst + width**2 / 8 * most_bent <= failure:
            return True
        chord = cells.by_log_chord(worst, width, steep)
        chord = chord.min(most_between(worst, start, end, rate, arb(n), error, alpha))
        if chord <= failure:
            return True
        # order moves an edge by nw, and so a tail of about α by the x/σ-th part of that
        if not cells.order_is_closer(n * width * shift, chord / worst - 1):
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
    """Whether α is certain to be passed at some mean, for all rates in [least, most]."""
    error, alpha = float(asked.error.mid()), float(asked.failure.mid())

    def worst(rate: float) -> Mean:
        return worst_mean(rate, participants, error, asked.mean_range, 1e-3, alpha).mean

    return certify_smooth_over(Normal, worst, least, most, participants, asked)


def certify_sizes_over(rate: "arb", least: int, most: int, asked: Asked) -> bool:
    """Whether every N in [least, most] is certain to pass α at mean 1/2, at all rates up to a ball.

    G″ is at least −φ(1)/σ², −0.242/σ² (see `ranges`).
    """
    excess = asked.error * most
    return ranges.certify_sizes_over(
        Normal,
        lambda rate: rate**2 * 31 / 125,
        deviate_ball(asked.failure / 2) / excess,
        rate,
        (least, most),
        excess,
        asked,
    )


def _parts(rate: Number, n: Number, error: float, mean: Number) -> Number:
    # Pr[Z ≥ −t] = Φ(rt) grows no faster than r^0.3, as xφ(x)/Φ(x) < 0.3
    return parts_at(rate, n, mean, np.asarray(n) * error, sides=2)


def _worst_mean(rate: float, n: float, asked: Asked) -> WorstMean:
    error, failure, mean_range = asked
    bound = _bound(rate, n, error)
    if bound <= failure:
        return WorstMean(0.0, bound, 0.5)
    worst = worst_mean(rate, n, error, mean_range, sufficient=failure)
    return worst._replace(most=min(worst.most, bound))


def _bound(rate: float, n: float, error: float) -> float:
    # sample and noise together are sub-Gaussian
    hoeffding = 2 * math.exp(-((n * error * rate) ** 2) / (n * rate**2 / 2 + 2))
    if n * error <= 1:
        return hoeffding
    return min(hoeffding, float(large_study.gaussian_by_normal_sample(rate, n, n * error - 1)))


def _sufficient(n: Array, error: float, failure: float) -> Array:
    # sample and noise together are sub-Gaussian: 2·exp(−(NT)²/(N/2 + 2σ²)) ≤ α
    size = np.asarray(n, dtype=float)
    variance = ((size * error) ** 2 / math.log(2 / failure) - size / 2) / 2
    with np.errstate(divide="ignore"):
        return 1 / np.sqrt(np.maximum(variance, 0.0))


def _likely_rate(n: Array, error: float, failure: float) -> Array:
    # as if the sample were normal too; its variance is nearly too much where it alone nearly fails
    both, sample = (n * error / scipy.special.ndtri(failure / 2)) ** 2, n / 4
    room = np.minimum(_ROOM * sample, _MOST_ROOM)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(both - sample > room, 1 / np.sqrt(both - sample), np.nan)


GAUSSIAN = Noise(
    parts=smooth_parts(_parts),
    likely_parts=likely_parts(_parts, LARGE // 10, _SMOOTH),
    growth=0.3,
    worst_mean=_worst_mean,
    bound=_bound,
    sufficient=_sufficient,
    least_rate=noise_alone,
    # beside the sample's deviation as little noise as any other
    largest_rate=lambda n: GONE / np.sqrt(n),
    certify_at_most=certify_at_most,
    certify_over=certify_over,
    certify_sizes_over=certify_sizes_over,
    likely_rate=_likely_rate,
    smooth=_SMOOTH,
)
