"""Convex functions over the tail of a noise, and what a binomial count expects of them.

With an edge x and q(s) = Pr[Z ≥ x − s]: as noise is symmetric and unimodal, q is convex up to x and
concave from there on. Let ℓ be the tangent of q at some x + t, t ≥ 0: from x on it is over q, and
before x it meets q once, at the turn. So φ, the larger of q and ℓ before x, and ℓ from x on, is
convex and over q. No other convex φ is better than all of these: of the tangents that are nowhere
over φ from x on, the steepest is nowhere over it before x either. The level of a tangent is convex
in its slope, so E φ(K) is too: three slopes enclose the least one.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import find_root, np, scipy
from planner.mechanisms import hoeffding
from planner.mechanisms.exact.curvature import least_of_convex
from planner.mechanisms.exact.exponential_noise import LAPLACE
from planner.mechanisms.exact.gaussian_noise import GAUSSIAN
from planner.mechanisms.exact.law import out_of_reach, within_reach
from planner.mechanisms.exact.noise import NO_NOISE, Noise
from planner.mechanisms.exact.noise_balls import Exponential, NoNoise, Normal
from planner.mechanisms.exact.sums.binomial import (
    REACH,
    counts_about,
    log_chance,
    lower_tail,
    upper_ratio,
    upper_tail,
)
from planner.mechanisms.exact.sums.binomial_tails import upper_sum
from planner.mechanisms.exact.with_replacement import chances_between
from planner.numbers import Array, Number, rational

if TYPE_CHECKING:
    from planner.mechanisms.exact.noise_balls import NoiseBall

_KNOTS = 400  # of a table that is read between them: a tangent need not be the best one
_FARTHEST, _LEVEL = 40.0, 1e-13
"""Tangents lie no farther out, in units of the noise, and where its density is over this: there
their levels lack 1e-12 of 1, of which doubles hold four digits."""
_NEAR, _FOUND = 4.0, 1e-6
"""By what factor the best tangent may lie off the first one, and how near it is found."""
_APART = 1e-4
"""By what part tangents differ that enclose the best one: that is as wide as its square."""
_NEAREST, _TRIED = 1e-5, 100
"""The nearest distance that is tried, as a part of the farthest, and how many are."""
LARGEST = 2**16
"""Larger studies with Gaussian noise are planned by Hoeffding's bound: its sums take too long."""
_STEEPEST = 1e3
"""Lines steeper than q before the edge are no use. Where it is more often steeper than beyond, or
infinitely, a search ends here: a line that is not the best leaves `least_over` q itself."""
_NO_SPREAD = 1e-3  # of a sum that is certain, whose line is nowhere the higher one but at the edge
_INFINITE = 1e300  # a rate that stands for one without end
_TILTED = 40.0  # rates times √N from which tilted odds leave the range of floats
_MOST_AT_ONCE = 2**20  # chances that are held at once


def too_many(noise: Noise, n: Number) -> Number:
    """Whether so many people are planned by Hoeffding's bound."""
    return (noise is GAUSSIAN) & (n > LARGEST)


def by_hoeffding(noise: Noise, rate: Number, n: Number, excess: Number) -> Number:
    """Hoeffding's bound, of floats, arrays or balls."""
    if noise is LAPLACE:
        return hoeffding.failure_probability(rate, n, excess / n)
    noisy = 0 * n if noise is NO_NOISE else 2 / rate**2
    return 2 * numbers.of(rate, n, excess).exp(-(excess**2) / (n / 2 + noisy))


def reaches(noise: Noise, rate: Array, n: Array, centre: float, excess: Array) -> Array:
    """The distances of the tangents of studies, each found once."""
    rows = np.stack([x.ravel() for x in (rate, n, excess)])
    studies, of = np.unique(rows, axis=1, return_inverse=True)
    found = _reaches(noise, studies[0], studies[1], centre, studies[2])
    return np.asarray(found[of.reshape(-1)].reshape(rate.shape))


def over(noise: Noise, rate: Array, n: Array, mean: Array, up: Array, reach: Array) -> Array:
    """E φ(K) with an edge so far over the mean, by a tangent; arrays of one shape.

    Counts under the turn, where the line becomes the higher one, are carried over by the noise. Of
    Laplace noise they have a sum: with tilted odds it is a binomial tail.
    """
    level, slope = _tangent(noise, rate, reach)
    edge = n * mean + up
    turn = _turn(noise, rate, edge, reach)
    whole, sum_ = _from(n, mean, turn)
    line = (level - slope * edge) * whole + slope * sum_
    if noise is NO_NOISE:
        return line
    if noise is not LAPLACE:
        return line + _carried_under(noise, rate, n, mean, edge, turn)
    certain = (mean <= 0) | (mean >= 1)
    with np.errstate(all="ignore"):
        tilted_mean = n * mean / (mean + (1 - mean) * np.exp(-rate))
    # else the tilted counts lie far beyond the turn, and the odds may leave the range of floats
    near = (rate * np.sqrt(n) <= _TILTED) | (tilted_mean <= turn - 1)
    tilts = near & ~certain & (turn <= n)
    under = np.empty(rate.shape)
    for rows, under_turn in ((tilts, _tilted), (~tilts, _last_counts)):
        if rows.any():
            under[rows] = under_turn(*(x[rows] for x in (rate, n, mean, edge, turn)))
    return np.asarray(line + under)


def _tilted(rate: Array, n: Array, mean: Array, edge: Array, turn: Array) -> Array:
    """The chance of all counts under a turn that Laplace noise carries over an edge."""
    growth = mean * np.expm1(rate)
    scale = np.exp(n * np.log1p(growth) - rate * edge) / 2
    without = (1 - mean) / (1 + growth)  # the chance, with tilted odds, of no property
    return np.where(turn > 0, scale * lower_tail(n, np.maximum(turn - 1, 0.0), without), 0.0)


def _last_counts(rate: Array, n: Array, mean: Array, edge: Array, turn: Array) -> Array:
    """The same where noise is so small that only the last of these counts matter."""
    all_under = turn > n  # with K = N beyond all: the whole sum
    last = np.clip(np.where(all_under, n, turn) - 1, 0.0, n)
    certain = (mean <= 0) | (mean >= 1)
    share = np.where(certain, 0.5, mean)
    odds = (1 - share) / share * np.exp(-rate)
    with np.errstate(all="ignore"):
        chance = np.exp(log_chance(n, last, share, 1 - share, last - n * share))
        sums = chance * upper_ratio(n, n - last, odds)
        everything = np.exp(n * np.log(share + (1 - share) * np.exp(-rate)))
    sums = np.where(turn > 0, sums, 0.0) * np.exp(-rate * np.maximum(edge - last, 0.0))
    sums = np.where(all_under, everything * np.exp(-rate * np.maximum(edge - n, 0.0)), sums)
    known = np.where(n * mean < turn, np.exp(-rate * np.maximum(edge - n * mean, 0.0)), 0.0)
    return np.asarray(np.where(certain, known, sums) / 2)


def _turn(noise: Noise, rate: Array, edge: Array, reach: Array) -> Array:
    """The first count at which the line is at least as high as q."""
    level, slope = _tangent(noise, rate, reach)
    _, met = _places(noise, rate, reach)

    def higher(count: Array) -> Array:
        left = edge - count
        carried = np.where(left > 0, noise.carried(np.maximum(left, 0.0), rate), 0.0)
        return np.asarray((left <= 0) | (level - slope * left >= carried))

    guess = np.ceil(edge - met)  # of a table: the next count may be the one
    guess = np.where(higher(guess - 1), guess - 1, guess)
    return np.where(higher(guess), guess, guess + 1)


def _from(n: Array, mean: Array, first: Array) -> tuple[Array, Array]:
    """Pr[K ≥ c] and E[K; K ≥ c]."""
    whole = np.where(first <= 0, 1.0, upper_tail(n, np.maximum(first, 1.0), mean))
    fewer = np.where(first <= 1, 1.0, upper_tail(n - 1, np.maximum(first - 1, 1.0), mean))
    return whole, n * mean * fewer


def _carried_under(
    noise: Noise, rate: Array, n: Array, mean: Array, edge: Array, turn: Array
) -> Array:
    """The chance of all counts under a turn that the noise carries over an edge."""
    rates, sizes, means, edges, turns = (x.ravel() for x in (rate, n, mean, edge, turn))
    values = np.empty(len(sizes))
    for size in np.unique(sizes):  # larger ones have more counts
        rows = np.flatnonzero(sizes == size)
        step = max(1, int(_MOST_AT_ONCE / (2 * REACH * math.sqrt(size) + 3)))
        for start in range(0, len(rows), step):
            row = rows[start : start + step]
            off, chance = _counts(float(size), tuple(means[row].tolist()))
            left = edges[row, None] - (size * means[row, None] + off)
            under = size * means[row, None] + off < turns[row, None] - 0.5
            moved = noise.carried(np.maximum(left, 0.0), rates[row, None])
            values[row] = np.sum(chance * np.where(under, moved, 0.0), axis=1)
    return values.reshape(rate.shape)


@lru_cache(maxsize=512)
def _counts(n: float, means: tuple[float, ...]) -> tuple[Array, Array]:
    if len(set(means)) == 1:
        means = means[:1]
    return counts_about(np.full(len(means), n), np.array(means))


def _tangent(noise: Noise, rate: Array, reach: Array) -> tuple[Array, Array]:
    """The level at the edge and the slope of the tangent at a distance of so many noises beyond it.

    Under 0 it is a line through the edge that is so much steeper than the tangent there: one over a
    q that bends at its edge, as where the rate is another one beyond. Without noise the distance is
    that, before the edge, at which the line is 0 [counts].
    """
    if noise is NO_NOISE:
        return np.ones(reach.shape), 1 / reach
    beyond = np.maximum(reach, 0.0)
    density = noise.density(beyond)
    level = 1 - noise.carried(beyond, np.ones(1)) - density * beyond
    return level, rate * density * (1 + beyond - reach)


def _reaches(noise: Noise, rate: Array, n: Array, mean: float, excess: Array) -> Array:
    """About the best distances of tangents: of the counts where the line is the larger of the two.

    The mean of these counts is where the best tangent touches q, as then E φ(K) does not change
    with its slope. A normal sample gives the first guess, and the counts themselves the next.
    """
    share = np.minimum(mean, 1 - excess / n)  # with T > 1/2 sums are off at no larger means
    certain = (share <= 0) | (share >= 1)
    share = np.where(certain, 0.5, share)
    deviation = np.sqrt(n * share * (1 - share))

    def surplus(reach: Array, deviation: Array, excess: Array, rate: Array) -> Array:
        """How far the mean of those counts lies over where the tangent touches, if normal."""
        touches, met = _places(noise, rate, reach)
        z = (excess - met) / deviation
        hazard = math.sqrt(2 / math.pi) / scipy.special.erfcx(z / math.sqrt(2))
        return deviation * hazard - excess - touches

    farthest = excess + 10 * deviation if noise is NO_NOISE else np.full(n.shape, _FARTHEST)
    tried = np.geomspace(_NEAREST, 1.0, _TRIED)[:, None] * farthest
    at_tried = surplus(tried, deviation, excess, rate)
    first = np.clip(np.argmax(at_tried <= 0, axis=0), 1, _TRIED - 1)
    before, after = (at_tried[first - back, np.arange(len(n))] for back in (1, 0))
    share_of_step = np.clip(before / np.where(before > after, before - after, 1.0), 0.0, 1.0)
    reach = tried[first - 1, np.arange(len(n))] * (1 / _NEAREST) ** (share_of_step / (_TRIED - 1))
    args = (deviation, excess, rate)
    # one step by the counts themselves: their ripples are larger than what more would gain
    step = 1e-3 * reach
    slope = (surplus(reach + step, *args) - surplus(reach, *args)) / step
    touches, _ = _places(noise, rate, reach)
    whole, sum_ = _from(n, share, _turn(noise, rate, n * share + excess, reach))
    over = sum_ / np.maximum(whole, 1e-300) - n * share - excess - touches
    actual = np.where(whole > 0, over, -np.inf)  # beyond all counts the line is nowhere higher
    return np.where(
        certain, _NO_SPREAD, np.clip(reach - actual / slope, reach / _NEAR, _NEAR * reach)
    )


def _places(noise: Noise, rate: Array, reach: Array) -> tuple[Array, Array]:
    """Where beyond the edge a tangent touches q, and where before it meets q again."""
    if noise is NO_NOISE:
        return 0 * reach, reach
    knots, met = _table(noise)
    return reach / rate, np.interp(reach, knots, met) / rate


@lru_cache(maxsize=4)
def _table(noise: Noise) -> tuple[Array, Array]:
    knots = np.concatenate([[0.0], np.geomspace(1e-4, _FARTHEST, _KNOTS)])
    knots = knots[noise.density(knots) > _LEVEL]
    one = np.ones(knots.shape)
    level, slope = _tangent(noise, one, knots)

    def over(met: Array, level: Array, slope: Array) -> Array:
        return noise.carried(met, np.ones(1)) - (level - slope * met)

    root = find_root(over, (0 * one, 1 / slope + knots), args=(level, slope))
    return knots, np.where(knots > 0, root.x, 0.0)


NOISES: dict[type, Noise] = {Exponential: LAPLACE, Normal: GAUSSIAN, NoNoise: NO_NOISE}


def rates_of(noise: "NoiseBall") -> tuple[float, float]:
    """About the rates of a noise under an edge and beyond it; 1 where there is none."""
    if isinstance(noise, NoNoise):
        return 1.0, 1.0
    return min(float(noise.inside.mid()), _INFINITE), float(noise.outside.mid())


def best_reach(
    noise: Noise, rates: tuple[float, float], counts: tuple[Array, Array], excess: float,
    about: float,
) -> float:  # fmt: skip
    """The best distance of one study, nearly to the last digit, with two rates; see `_tangent`."""
    off, chance = counts
    inside, outside = rates
    left = excess - off
    carried = np.where(left > 0, noise.carried(left, np.array([inside])), 0.0)

    def value(reach: float) -> float:
        level, slope = _tangent(noise, np.array([outside]), np.array([reach]))
        return float(np.sum(chance * np.maximum(carried, level - slope * left)))

    ends = (
        (about / _NEAR if noise is NO_NOISE else 1 - min(inside / outside, _STEEPEST)),
        about * _NEAR,
    )
    found = scipy.optimize.minimize_scalar(
        value, bounds=ends, method="bounded", options={"xatol": _FOUND * about}
    )
    return float(found.x)


def _tangent_ball(noise: "NoiseBall", reach: float) -> "tuple[arb, arb]":
    if isinstance(noise, NoNoise):
        return arb(1), 1 / arb(reach)
    kind, at = NOISES[type(noise)], arb(max(reach, 0.0))
    density = kind.density_ball(at)
    steeper = 1 + at - arb(reach)
    return 1 - kind.tail_ball(at) - density * at, noise.outside * density * steeper


def over_ball(
    noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, reach: float, failure: float
) -> "arb":
    """E φ(K) with an edge so far over the mean, by one tangent; ∞ where the turn is not certain."""
    level, slope = _tangent_ball(noise, reach)
    edge = n * mean + up
    turn = _certain_turn(noise, reach, edge, up)
    if turn is None:
        return arb.pos_inf()
    if turn <= 0:
        return level - slope * rational(up)
    line_at_0 = level - slope * rational(edge)
    if mean in (0, 1):
        k = int(n * mean)
        return line_at_0 + slope * k if k >= turn else _carried(noise, rational(edge - k))
    whole, fewer = arb(0), arb(0)
    if turn <= n:
        odds = rational(mean / (1 - mean))
        whole = upper_sum(n, turn, odds, arb(1))
        fewer = upper_sum(n - 1, turn - 1, odds, arb(1)) if n > 1 else arb(1)
    under = _under(noise, n, mean, edge, turn, failure)
    return under + line_at_0 * whole + slope * rational(n * mean) * fewer


def _certain_turn(noise: "NoiseBall", reach: float, edge: Fraction, up: Fraction) -> int | None:
    """The first count at which the line is certain to be at least as high as q."""
    level, slope = _tangent_ball(noise, reach)
    guess = _turn_of(noise, reach, float(up))
    if not math.isfinite(guess):
        return None

    def higher(k: int) -> bool | None:
        """Whether the line is certain to be the higher one at a count, or not to be."""
        if k >= edge:
            return True
        line, off = level - slope * rational(edge - k), _carried(noise, rational(edge - k))
        return True if line >= off else False if line <= off else None

    return next(
        (k for k in (math.ceil(edge - guess) + step for step in (0, -1, 1))
         if higher(k) is True and higher(k - 1) is False), None
    )  # fmt: skip


def _carried(noise: "NoiseBall", left: "arb") -> "arb":
    """The chance that noise carries a count over an edge so far away, over 0."""
    if isinstance(noise, NoNoise):
        return arb(0)
    return NOISES[type(noise)].tail_ball(noise.inside * left)


def _turn_of(noise: "NoiseBall", reach: float, up: float) -> float:
    inside, outside = rates_of(noise)
    kind = NOISES[type(noise)]
    level, slope = (float(x[0]) for x in _tangent(kind, np.array([outside]), np.array([reach])))
    if kind is NO_NOISE:
        return reach

    def over(left: float) -> float:
        return float(kind.carried(np.array(left), np.array(inside))) - (level - slope * left)

    if not (slope > 0 and math.isfinite(over(0.0))):
        return math.inf  # a tangent so far out that floats know no slope of it
    if over(0.0) >= 0:
        return 0.0
    return float(scipy.optimize.brentq(over, 0.0, 1.1 * level / slope, disp=False))


def _under(
    noise: "NoiseBall", n: int, mean: Fraction, edge: Fraction, turn: int, failure: float
) -> "arb":
    """The chance of all counts under a turn that the noise carries over an edge."""
    if isinstance(noise, NoNoise) or not noise.inside.is_finite():
        return arb(0)
    last = min(turn - 1, n)
    if isinstance(noise, Exponential):
        odds, back = rational(mean / (1 - mean)), (-noise.inside).exp()
        tilted = upper_sum(n, n - last, 1 / odds, back)
        return noise.near * (-noise.inside * rational(edge - last)).exp() * tilted
    counts = Fraction(within_reach(n, failure))
    first = max(math.floor(n * mean - counts), 0)
    last = min(last, math.ceil(n * mean + counts))
    rest = out_of_reach(n, failure)
    if last < first:
        return rest
    chances = chances_between(n, first, last, mean)
    return noise.under(chances, rational(edge - first)) + rest


def least_of_all(noise: "NoiseBall", best: float, over: "Callable[[float], arb]") -> "arb | None":
    """What E φ(K) is no less than for every convex φ over q, by three tangents about the best.

    None where they do not enclose it.
    """
    apart = _APART * abs(best)
    reaches = [best + apart, best, best - apart]
    slopes = [_tangent_ball(noise, reach)[1] for reach in reaches]
    values = [over(reach) for reach in reaches]
    if not all(value.is_finite() for value in values):
        return None
    return least_of_convex(slopes, values)
