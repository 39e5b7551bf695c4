"""Bounded values: the sum of N independent values in [0, 1], whatever they are.

Such a sum S is smaller in convex order than K ~ Binomial(N, μ) of the same mean: E φ(S) ≤ E φ(K)
for every convex φ (Hoeffding 1956; for values drawn without replacement 1963, Theorem 4). With an
edge x = N(μ + T) and q(s) = Pr[Z ≥ x − s], for every convex φ ≥ q on [0, N]

    Pr[S + Z ≥ x] = E q(S) ≤ E φ(S) ≤ E φ(K).

As noise is symmetric and unimodal, q is convex up to x and concave from there on. Let ℓ be the
tangent of q at some x + t, t ≥ 0: from x on it is over q, and before x it meets q once. So the
larger of q and ℓ before x, and ℓ from x on, is such a φ. No other convex φ is better than all of
these: of the tangents that are nowhere over φ from x on, the steepest is nowhere over it before x
either. The level of a tangent is convex in its slope, so E φ(K) is too: three slopes enclose the
least one.

The worst mean. Let F(μ, x) be E φ(K) with the tangent at one t. It is convex in μ, as E φ(K) is for
every convex φ, and in x. So on a cell [a, b], where x moves with μ, with y the place from 0 to 1,

    f ≤ (1 − y)²·f(a) + y²·f(b) + y(1 − y)·(F(a, x at b) + F(b, x at a)).

On cells wider than a few counts another bound is closer. K at b is K at μ and some of the others,
so K at b less Nb is expected to be (1 − b)/(1 − μ) times K − Nμ, which therefore is smaller in
convex order than (1 − a)/(1 − b) times the former; from the other side, than b/a times K at a less
Na.

The tangent is chosen once for a study, at the mean nearest 1/2, where the sum varies most.

The mean of more people is an average of means of fewer, so K/N falls in convex order as N grows. At
one N·ε noise on a share is the same: whatever fails with N people fails with fewer.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import find_root, np, scipy
from planner.mechanisms import hoeffding
from planner.mechanisms.exact.branch import Line
from planner.mechanisms.exact.curvature import least_of_convex
from planner.mechanisms.exact.exponential_noise import LAPLACE
from planner.mechanisms.exact.gaussian_noise import GAUSSIAN
from planner.mechanisms.exact.law import (
    Law,
    MeanRange,
    Places,
    anchors,
    out_of_reach,
    within_reach,
)
from planner.mechanisms.exact.noise import NO_NOISE, Noise
from planner.mechanisms.exact.noise_balls import Exponential, NoNoise, Normal, rational
from planner.mechanisms.exact.sums.binomial import (
    REACH,
    counts_about,
    log_chance,
    lower_tail,
    upper_tail,
)
from planner.mechanisms.exact.sums.binomial_tails import upper_sum
from planner.mechanisms.exact.with_replacement import BINOMIAL, Binomial, chances_between
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall

_KNOTS = 400  # of a table that is read between them: a tangent need not be the best one
_FARTHEST, _LEVEL = 40.0, 1e-13
"""Tangents lie no farther out, in units of the noise, and where its density is over this."""
_NEAR, _FOUND = 4.0, 1e-6
"""By what factor the best tangent may lie off the first one, and how near it is found."""
_APART = 1e-4
"""By what part tangents differ that enclose the best one: that is as wide as its square."""
_TOLERANCE = 2e-6  # of a bracket: a plan is that much dearer at the most
LARGEST = 2**16
"""Larger studies with Gaussian noise are planned by Hoeffding's bound: its sums take too long."""
_FEW_COUNTS, _MANY_COUNTS = 2, 64
"""On narrower cells what is crossed is closer, on wider ones a wider sum."""
_STEEPEST = 1e3  # lines that are more often steeper than the tangent at the edge are no use
_PLACES = 4  # between two counts, as E φ(K) ripples from count to count
_NO_SPREAD = 1e-3  # of a sum that is certain, whose line is nowhere the higher one but at the edge
_INFINITE = 1e300  # a rate that stands for one without end
_TILTED, _GONE = 40.0, 40.0
"""Where noise is so small beside the sample tilted odds leave the range of floats; and how many of
its lengths leave e^−40 of it."""
_MOST_AT_ONCE = 2**20  # chances that are held at once


@dataclass(frozen=True)
class Bounded(Binomial):
    """Independent values in [0, 1], by the count that is larger in convex order.

    Attributes:
        centre: the mean at which tangents are chosen [in [0, 1]].
    """

    centre: float = 0.5

    def lines(self, n: int, error: Fraction, whole: bool, mean_range: MeanRange) -> list[Line]:
        """All means, or half of them: sums are not whole, so edges move with the mean."""
        return super().lines(n, error, False, mean_range)

    def place(self, n: int, error: Fraction, whole: bool, mean: Fraction) -> tuple[float, ...]:
        """With the same edges at every mean."""
        return super().place(n, error, False, mean)

    def likely(
        self, noise: Noise, n: Array, error: float, mean_range: MeanRange
    ) -> tuple[Places, Places]:
        """The `anchors`, and no tips."""
        means, none = np.array(anchors(error, mean_range)), np.empty((0, len(n)))
        near = Places(means[:, None] + np.zeros(len(n)), n * error, n * error, np.True_)
        return near, Places(none, none, none, none)

    def hidden(self, noise: Noise, rate: Array, n: Array) -> Array:
        """Everywhere."""
        return np.ones(len(n), bool)

    def likely_means(
        self, n: int, error: Fraction, whole: bool, mean_range: MeanRange
    ) -> list[Fraction]:
        """The anchors, places between them and the next count, and the ends of the range."""
        low, high = means = super().likely_means(n, error, False, mean_range)[-2:]
        near = super().likely_means(n, error, False, mean_range)
        beside = [mean - Fraction(part, _PLACES * n) for mean in near for part in range(1, _PLACES)]
        return [*near, *(mean for mean in beside if low <= mean <= high), *means]

    growth = 0.25  # d ln q/d ln ε is at most 0.232 for Laplace noise; Gaussian noise has its own

    def smooth(self, noise: Noise) -> float:
        """Any: no sum of any values is on a lattice. A guess, on which no proof rests."""
        return math.inf

    def for_all(
        self, noise: Noise, rate: Number, n: Number, error: Number, mean_range: MeanRange
    ) -> Number:
        """Hoeffding's bound, where there are too many people."""
        if _too_many(noise, n):
            return _by_hoeffding(noise, rate, n, n * error)
        return Law.for_all(self, noise, rate, n, error, mean_range)

    def tolerance(self, n: float) -> float:
        """Wider: cells grow as one over its root."""
        return _TOLERANCE

    def bound(self, noise: Noise, rate: float, n: float, error: float) -> float:
        """By what holds for any values."""
        return noise.bound(rate, n, error, self.sample, counts=False)

    def parts(
        self, noise: Noise, rate: Number, n: Number, mean: Number, up: Number, down: Number,
        covered: bool = False,
    ) -> Array:  # fmt: skip
        """Either side's E φ(K), all of it as a part that falls with the rate (see `growth`)."""
        rate, n, mean, up, down = (
            x.astype(float) for x in np.broadcast_arrays(rate, n, mean, up, down)
        )
        excess = (up + down) / 2
        total = _by_hoeffding(noise, rate, n, excess)
        few = ~_too_many(noise, n)
        rates, sizes, means = rate[few], n[few], mean[few]
        reaches = [_reach_of(noise, rates, sizes, c, excess[few]) for c in self._centres]
        over = _over(noise, rates, sizes, means, up[few], reaches[0])
        total[few] = over + _over(noise, rates, sizes, 1 - means, down[few], reaches[1])
        return np.stack([np.zeros(rate.shape), total])

    def between(
        self, noise: Noise, rate: float, n: float, cell: tuple[Array, Array], up: float,
        down: float, seen: Array,
    ) -> Array:  # fmt: skip
        """What f does not pass on cells of means, by what is crossed or by a wider sum.

        Args:
            noise: Z.
            rate: of the noise.
            n: N.
            cell: the least and the largest means.
            up: how far over its mean a sum is off.
            down: how far under it.
            seen: the larger value at the ends.
        """
        if _too_many(noise, n):
            return seen  # a bound for all means
        start, end = cell
        moved, late = n * (end - start), start + end <= 1
        crossed = self.parts(noise, rate, n, start, up + moved, down - moved).sum(axis=0)
        crossed += self.parts(noise, rate, n, end, up - moved, down + moved).sum(axis=0)
        wider = np.where(late, (1 - start) / (1 - end), end / np.maximum(start, 1e-300))
        rates, sizes, at = rate * wider, np.full(start.shape, n), np.where(late, end, start)
        of_line = 1 / wider if noise is NO_NOISE else np.ones(start.shape)
        reaches = [_reach(noise, rate, n, c, (up + down) / 2) * of_line for c in self._centres]
        scaled = _over(noise, rates, sizes, at, up / wider, reaches[0])
        scaled += _over(noise, rates, sizes, 1 - at, down / wider, reaches[1])
        return np.maximum(seen, np.minimum(seen / 2 + crossed / 4, scaled))

    def between_ball(
        self, noise: "NoiseBall", n: int, cell: tuple[Fraction, Fraction], up: Fraction,
        down: Fraction, seen: "arb", failure: float,
    ) -> "arb":  # fmt: skip
        """The same in balls: by a wider sum where it does, else by what is crossed too."""
        start, end = cell
        moved, late = n * (end - start), start + end <= 1
        most = arb.pos_inf()
        if moved > _FEW_COUNTS:
            wider = (1 - start) / (1 - end) if late else end / start
            point, wide, of_line = end if late else start, noise, 1.0
            if isinstance(noise, NoNoise):
                of_line = 1 / float(wider)
            else:
                wide = noise._replace(
                    inside=noise.inside * rational(wider), outside=noise.outside * rational(wider)
                )
            reaches = [reach * of_line for reach in self._reaches(noise, n, up, down)]
            most = _over_ball(wide, n, point, up / wider, reaches[0], failure)
            most += _over_ball(wide, n, 1 - point, down / wider, reaches[1], failure)
        if not most <= failure and moved < _MANY_COUNTS:
            crossed = self.failure_ball(noise, n, start, up + moved, down - moved, failure)
            crossed += self.failure_ball(noise, n, end, up - moved, down + moved, failure)
            most = most.min(seen / 2 + crossed / 4)
        return most.max(seen)

    def failure_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float = 1.0,
    ) -> "arb":  # fmt: skip
        """Either side's E φ(K), by the tangents of the study; 1 where there are too many people."""
        if _too_many(_NOISES[type(noise)], n):
            return arb(1)
        noise, reaches = noise.within(failure), self._reaches(noise, n, up, down)
        upper = _over_ball(noise, n, mean, up, reaches[0], failure)
        return upper + _over_ball(noise, n, 1 - mean, down, reaches[1], failure)

    @property
    def _centres(self) -> tuple[float, float]:
        """Where the tangents of the upper and the lower edge are chosen."""
        return self.centre, 1 - self.centre

    def _reaches(self, noise: "NoiseBall", n: int, up: Fraction, down: Fraction) -> list[float]:
        """The distances of either edge's tangent."""
        excess, (_, rate) = float((up + down) / 2), _rates(noise)
        return [_reach(_NOISES[type(noise)], rate, n, c, excess) for c in self._centres]

    def least_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float,
    ) -> "arb":  # fmt: skip
        """The same by the best tangents, from below; of counts where there are too many people."""
        if _too_many(_NOISES[type(noise)], n):
            return BINOMIAL.failure_ball(noise, n, mean, up, down, failure)
        noise = noise.within(failure)
        upper = _least_over(noise, n, mean, up, failure)
        mirrored = 2 * mean == 1 and up == down
        return upper + (upper if mirrored else _least_over(noise, n, 1 - mean, down, failure))


def _too_many(noise: Noise, n: Number) -> Number:
    """Whether so many people are planned by Hoeffding's bound."""
    return (noise is GAUSSIAN) & (n > LARGEST)


def _by_hoeffding(noise: Noise, rate: Number, n: Number, excess: Number) -> Number:
    """Hoeffding's bound, of floats, arrays or balls."""
    if noise is LAPLACE:
        return hoeffding.failure_probability(rate, n, excess / n)
    noisy = 0 * n if noise is NO_NOISE else 2 / rate**2
    return 2 * numbers.of(rate, n, excess).exp(-(excess**2) / (n / 2 + noisy))


# --- floats


def _reach_of(noise: Noise, rate: Array, n: Array, centre: float, excess: Array) -> Array:
    """The distances of the tangents of studies, each found once."""
    rows = np.stack([x.ravel() for x in (rate, n, excess)])
    studies, of = np.unique(rows, axis=1, return_inverse=True)
    if studies.shape[1] == 1:  # branch and bound asks again and again
        size, off = float(studies[1, 0]), float(studies[2, 0])
        return np.full(rate.shape, _reach(noise, float(studies[0, 0]), size, centre, off))
    found = _reaches(noise, studies[0], studies[1], centre, studies[2])
    return np.asarray(found[of.reshape(-1)].reshape(rate.shape))


def _over(noise: Noise, rate: Array, n: Array, mean: Array, up: Array, reach: Array) -> Array:
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
    tilts = rate * np.sqrt(n) <= _TILTED
    under = np.empty(rate.shape)
    under[tilts] = _tilted(*(x[tilts] for x in (rate, n, mean, edge, turn)))
    under[~tilts] = _last_counts(*(x[~tilts] for x in (rate, n, mean, edge, turn)))
    return np.asarray(line + under)


def _tilted(rate: Array, n: Array, mean: Array, edge: Array, turn: Array) -> Array:
    """The chance of all counts under a turn that Laplace noise carries over an edge."""
    growth = mean * np.expm1(rate)
    scale = np.exp(n * np.log1p(growth) - rate * edge) / 2
    without = (1 - mean) / (1 + growth)  # the chance, with tilted odds, of no property
    return np.where(turn > 0, scale * lower_tail(n, np.maximum(turn - 1, 0.0), without), 0.0)


def _last_counts(rate: Array, n: Array, mean: Array, edge: Array, turn: Array) -> Array:
    """The same where noise is so small that only the last of these counts matter."""
    if not rate.size:
        return rate
    counts = turn[:, None] - np.arange(1, math.ceil(_GONE / float(np.min(rate))) + 1)
    inside = (counts >= 0) & (counts <= n[:, None])
    k, sizes, share = np.where(inside, counts, 0.0), n[:, None], mean[:, None]
    log_chances = log_chance(sizes, k, share, 1 - share, k - sizes * share)
    carried = np.exp(log_chances - rate[:, None] * (edge[:, None] - k)) / 2
    return np.asarray(np.sum(np.where(inside, carried, 0.0), axis=1))


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
    """How far counts of one size lie over their means, and their chances."""
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
    if not 0 < mean < 1:  # the sum is certain
        return np.full(n.shape, _NO_SPREAD)
    deviation = np.sqrt(n * mean * (1 - mean))

    def surplus(reach: Array, deviation: Array, excess: Array, rate: Array) -> Array:
        """How far the mean of those counts lies over where the tangent touches, if normal."""
        touches, met = _places(noise, rate, reach)
        z = (excess - met) / deviation
        hazard = math.sqrt(2 / math.pi) / scipy.special.erfcx(z / math.sqrt(2))
        return deviation * hazard - excess - touches

    ends = np.zeros(n.shape), np.full(n.shape, _FARTHEST)
    if noise is NO_NOISE:
        ends = np.full(n.shape, 1e-9), excess + 10 * deviation
    args = (deviation, excess, rate)
    reach = find_root(surplus, ends, args=args, tolerances={"xrtol": 1e-3}).x
    # one step by the counts themselves: their ripples are larger than what more would gain
    step = 1e-3 * reach
    slope = (surplus(reach + step, *args) - surplus(reach, *args)) / step
    touches, _ = _places(noise, rate, reach)
    share = np.full(n.shape, mean)
    whole, sum_ = _from(n, share, _turn(noise, rate, n * mean + excess, reach))
    over = sum_ / np.maximum(whole, 1e-300) - n * mean - excess - touches
    actual = np.where(whole > 0, over, -np.inf)  # beyond all counts the line is nowhere higher
    return np.clip(reach - actual / slope, reach / _NEAR, _NEAR * reach)


def _places(noise: Noise, rate: Array, reach: Array) -> tuple[Array, Array]:
    """Where beyond the edge a tangent touches q, and where before it meets q again."""
    if noise is NO_NOISE:
        return 0 * reach, reach
    knots, met = _table(noise)
    return reach / rate, np.interp(reach, knots, met) / rate


@lru_cache(maxsize=4)
def _table(noise: Noise) -> tuple[Array, Array]:
    """Distances of tangents, and where they meet q again, at rate 1."""
    knots = np.concatenate([[0.0], np.geomspace(1e-4, _FARTHEST, _KNOTS)])
    knots = knots[noise.density(knots) > _LEVEL]
    one = np.ones(knots.shape)
    level, slope = _tangent(noise, one, knots)

    def over(met: Array, level: Array, slope: Array) -> Array:
        return noise.carried(met, np.ones(1)) - (level - slope * met)

    root = find_root(over, (0 * one, 1 / slope + knots), args=(level, slope))
    return knots, np.where(knots > 0, root.x, 0.0)


# --- balls

_NOISES: dict[type, Noise] = {Exponential: LAPLACE, Normal: GAUSSIAN, NoNoise: NO_NOISE}


def _rates(noise: "NoiseBall") -> tuple[float, float]:
    """About the rates of a noise under an edge and beyond it; 1 where there is none."""
    if isinstance(noise, NoNoise):
        return 1.0, 1.0
    return min(float(noise.inside.mid()), _INFINITE), float(noise.outside.mid())


@lru_cache(maxsize=4096)
def _reach(noise: Noise, rate: float, n: float, mean: float, excess: float) -> float:
    """About the best distance of one study."""
    study = (np.array([x], dtype=float) for x in (rate, n, excess))
    rates, sizes, excesses = study
    return float(_reaches(noise, rates, sizes, mean, excesses)[0])


@lru_cache(maxsize=4096)
def _best_reach(
    noise: Noise, inside: float, outside: float, n: int, mean: float, excess: float
) -> float:
    """The best distance of one study, nearly to the last digit, with two rates; see `_tangent`."""
    about = _reach(noise, float(f"{outside:.1e}"), n, mean, excess)  # rates alike share it
    off, chance = counts_about(np.array([float(n)]), np.array([mean]))
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
    """The level at the edge and the slope of a tangent; see `_tangent`."""
    if isinstance(noise, NoNoise):
        return arb(1), 1 / arb(reach)
    kind, at = _NOISES[type(noise)], arb(max(reach, 0.0))
    density = kind.density_ball(at)
    steeper = 1 + at - arb(reach)
    return 1 - kind.tail_ball(at) - density * at, noise.outside * density * steeper


def _over_ball(
    noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, reach: float, failure: float
) -> "arb":
    """E φ(K) with an edge so far over the mean, by one tangent; ∞ where the turn is not certain."""
    level, slope = _tangent_ball(noise, reach)
    edge = n * mean + up
    guess = _turn_of(noise, reach, float(up))

    def higher(k: int) -> bool | None:
        """Whether the line is certain to be the higher one at a count, or not to be."""
        if k >= edge:
            return True
        line, off = level - slope * rational(edge - k), _carried(noise, rational(edge - k))
        return True if line >= off else False if line <= off else None

    turn = next(
        (k for k in (math.ceil(edge - guess) + step for step in (0, -1, 1))
         if higher(k) is True and higher(k - 1) is False), None
    )  # fmt: skip
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


def _carried(noise: "NoiseBall", left: "arb") -> "arb":
    """The chance that noise carries a count over an edge so far away, over 0."""
    if isinstance(noise, NoNoise):
        return arb(0)
    return _NOISES[type(noise)].tail_ball(noise.inside * left)


def _turn_of(noise: "NoiseBall", reach: float, up: float) -> float:
    """About how far before the edge the line becomes the higher one."""
    inside, outside = _rates(noise)
    kind = _NOISES[type(noise)]
    level, slope = (float(x[0]) for x in _tangent(kind, np.array([outside]), np.array([reach])))
    if kind is NO_NOISE:
        return reach

    def over(left: float) -> float:
        return float(kind.carried(np.array(left), np.array(inside))) - (level - slope * left)

    return 0.0 if over(0.0) >= 0 else float(scipy.optimize.brentq(over, 0.0, 1.1 * level / slope))


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


def _least_over(noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, failure: float) -> "arb":
    """What E φ(K) is no less than for every convex φ over q.

    That of q itself, or what three tangents enclose.
    """
    best = _best_reach(_NOISES[type(noise)], *_rates(noise), n, float(mean), float(up))
    apart = _APART * abs(best)
    reaches = [best + apart, best, best - apart]
    slopes = [_tangent_ball(noise, reach)[1] for reach in reaches]
    values = [_over_ball(noise, n, mean, up, reach, failure) for reach in reaches]
    finite = all(value.is_finite() for value in values)
    least = least_of_convex(slopes, values) if finite else None
    return BINOMIAL.over_edge(noise, n, mean, n * mean + up, failure) if least is None else least
