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

The tangent is chosen once for a study, at the mean nearest 1/2, where the sum varies most. With
more people K − N/2 grows in convex order, so with the edges of the largest N of a range the least N
fails the least often at mean 1/2.
"""

import math
from collections.abc import Callable
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
from planner.mechanisms.exact.sums.binomial import REACH, counts_about
from planner.mechanisms.exact.with_replacement import BINOMIAL, Binomial, chances_between
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall

_KNOTS = 400  # of a table that is read between them: a tangent need not be the best one
_FARTHEST, _LEVEL = 40.0, 1e-13
"""Tangents lie no farther out, in units of the noise, and where its density is over this."""
_NEAR, _FOUND = 4.0, 1e-7
"""By what factor the best tangent may lie off the first one, and how near it is found."""
_APART = 1e-4
"""By what part tangents differ that enclose the best one: that is as wide as its square."""
_TOLERANCE = 2e-6  # of a bracket: a plan is that much dearer at the most
LARGEST = 2**16
"""Larger studies are planned by Hoeffding's bound: sums over counts take too long in proofs."""
_STEEPEST = 1e3  # lines that are more often steeper than the tangent at the edge are no use
_PLACES = 4  # between two counts, as E φ(K) ripples from count to count
_NO_SPREAD = 1e-3  # of a sum that is certain, whose line is nowhere the higher one but at the edge
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
        """In large studies Hoeffding's bound."""
        if n > LARGEST:
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
        excess, few = (up + down) / 2, n <= LARGEST
        total = _by_hoeffding(noise, rate, n, excess)
        for side, (share, edge, centre) in enumerate(
            ((mean, up, self.centre), (1 - mean, down, 1 - self.centre))
        ):
            rates, sizes = rate[few], n[few]
            reach = _reach_of(noise, rates, sizes, centre, excess[few])
            over = _over(noise, rates, sizes, share[few], edge[few], reach)
            total[few] = over if not side else total[few] + over
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
        start, end = cell
        if n > LARGEST:
            return seen
        moved = n * (end - start)
        late = start + end <= 1
        wider = np.where(late, (1 - start) / (1 - end), end / np.maximum(start, 1e-300))
        crossed, scaled = np.zeros(start.shape), np.zeros(start.shape)
        for first, last, edge, centre in (
            (start, end, up, self.centre), (1 - end, 1 - start, down, 1 - self.centre)
        ):  # fmt: skip
            reach = np.full(start.shape, _reach(noise, rate, n, centre, (up + down) / 2))
            rates, sizes = np.full(start.shape, rate), np.full(start.shape, n)
            crossed += _over(noise, rates, sizes, first, edge + moved, reach)
            crossed += _over(noise, rates, sizes, last, edge - moved, reach)
            at = np.where(late == (centre is self.centre), last, first)
            reach = reach / wider if noise is NO_NOISE else reach
            scaled += _over(noise, rates * wider, sizes, at, edge / wider, reach)
        return np.maximum(seen, np.minimum(seen / 2 + crossed / 4, scaled))

    def between_ball(
        self, noise: "NoiseBall", n: int, cell: tuple[Fraction, Fraction], up: Fraction,
        down: Fraction, seen: "arb", failure: float,
    ) -> "arb":  # fmt: skip
        """The same in balls."""
        start, end = cell
        moved, late = n * (end - start), start + end <= 1
        wider = (1 - start) / (1 - end) if late else end / start
        most = [arb(0), arb(0)]
        wide = noise if isinstance(noise, NoNoise) else noise._replace(
            inside=noise.inside * rational(wider), outside=noise.outside * rational(wider)
        )  # fmt: skip
        for first, last, edge, centre in (
            (start, end, up, self.centre), (1 - end, 1 - start, down, 1 - self.centre)
        ):  # fmt: skip
            reach = _reach(
                _NOISES[type(noise)], _rates(noise)[1], n, centre, float((up + down) / 2)
            )
            most[0] += _over_ball(noise, n, first, edge + moved, reach, failure)
            most[0] += _over_ball(noise, n, last, edge - moved, reach, failure)
            at = last if late == (centre is self.centre) else first
            reach = reach / float(wider) if isinstance(noise, NoNoise) else reach
            most[1] += _over_ball(wide, n, at, edge / wider, reach, failure)
        return (seen / 2 + most[0] / 4).min(most[1]).max(seen)

    def failure_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float = 1.0,
    ) -> "arb":  # fmt: skip
        """Either side's E φ(K), by the tangent of the study; 1 in large studies."""
        if n > LARGEST:
            return arb(1)
        noise, total = noise.within(failure), arb(0)
        for share, edge, centre in ((mean, up, self.centre), (1 - mean, down, 1 - self.centre)):
            kind, excess = _NOISES[type(noise)], float((up + down) / 2)
            reach = _reach(kind, _rates(noise)[1], n, centre, excess)
            total += _over_ball(noise, n, share, edge, reach, failure)
        return total

    def least_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float,
    ) -> "arb":  # fmt: skip
        """The same by the best tangent of either side, from below; in large studies of counts."""
        if n > LARGEST:
            return BINOMIAL.failure_ball(noise, n, mean, up, down, failure)
        noise = noise.within(failure)
        upper = _least_over(noise, n, mean, up, failure)
        mirrored = 2 * mean == 1 and up == down
        return upper + (upper if mirrored else _least_over(noise, n, 1 - mean, down, failure))


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
    """E φ(K) with an edge so far over the mean, by a tangent; arrays of one shape."""

    def value(off: Array, chance: Array, row: Array) -> Array:
        rates, left = rates_[row, None], edges[row, None] - off
        level, slope = (x[:, None] for x in _tangent(noise, rates_[row], reaches[row]))
        carried = np.where(left > 0, noise.carried(left, rates), 0.0)
        return np.asarray(np.sum(chance * np.maximum(carried, level - slope * left), axis=1))

    rates_, sizes, means, edges, reaches = (x.ravel() for x in (rate, n, mean, up, reach))
    return _by_counts(value, sizes, means).reshape(rate.shape)


def _by_counts(value: Callable[[Array, Array, Array], Array], sizes: Array, means: Array) -> Array:
    """A sum over counts for each row, by size: larger ones have more counts.

    Args:
        value: of counts, their chances and the rows that they are of.
        sizes: N of each row.
        means: μ of each row.
    """
    values = np.empty(len(sizes))
    for n in np.unique(sizes):
        rows = np.flatnonzero(sizes == n)
        step = max(1, int(_MOST_AT_ONCE / (2 * REACH * math.sqrt(n) + 3)))
        for start in range(0, len(rows), step):
            row = rows[start : start + step]
            first = float(means[row[0]])
            if (means[row] == first).all():
                off, chance = _counts(float(n), first)
            else:
                off, chance = counts_about(sizes[row], means[row])
            values[row] = value(off, chance, row)
    return values


@lru_cache(maxsize=512)
def _counts(n: float, mean: float) -> tuple[Array, Array]:
    """How far counts of one size lie over their mean, and their chances."""
    return counts_about(np.array([n]), np.array([mean]))


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
    level, rise = (x[:, None] for x in _tangent(noise, rate, reach))
    touches, _ = _places(noise, rate, reach)

    def of_counts(off: Array, chance: Array, row: Array) -> Array:
        left = excess[row, None] - off
        carried = np.where(left > 0, noise.carried(left, rate[row, None]), 0.0)
        chance = np.where(level[row] - rise[row] * left >= carried, chance, 0.0)
        whole = np.sum(chance, 1)  # beyond all counts the line is nowhere the higher one
        over = np.sum(chance * off, 1) / np.maximum(whole, 1e-300) - excess[row] - touches[row]
        return np.where(whole > 0, over, -np.inf)

    actual = _by_counts(of_counts, n, np.full(n.shape, mean))
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
    return float(noise.inside.mid()), float(noise.outside.mid())


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
    about = _reach(noise, outside, n, mean, excess)
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
    """E φ(K) with an edge so far over the mean, by one tangent."""
    level, slope = _tangent_ball(noise, reach)
    expected, counts = n * mean, Fraction(within_reach(n, failure))
    first = max(math.floor(expected - counts), 0)
    last = min(math.ceil(expected + counts), n)
    chances, rest = chances_between(n, first, last, mean), out_of_reach(n, failure)
    edge = expected + up

    def line(k: int) -> "arb":
        return level - slope * rational(edge - k)

    def carried(k: int) -> "arb":
        left = edge - k
        if left <= 0 or isinstance(noise, NoNoise):
            return arb(0)
        return _NOISES[type(noise)].tail_ball(noise.inside * rational(left))

    # the first count at which the line is the higher one; floats guess it, balls make sure
    left = float(edge) - np.arange(first, last + 1)
    off = np.where(left > 0, _NOISES[type(noise)].carried(left, _inside(noise)), 0.0)
    higher = float(level.mid()) - float(slope.mid()) * left >= off
    turn = first + (int(np.argmax(higher)) if higher.any() else last + 1 - first)
    near = range(max(turn - 1, first), min(turn + 2, last + 1))
    under, beyond = near.start - 1, near.stop
    sure = (under < first or carried(under) >= line(under)) and (
        beyond > last or line(beyond) >= carried(beyond)
    )
    if not sure:
        return arb.pos_inf()
    total = noise.under(chances[: near.start - first], rational(edge - first))
    for k in near:
        total += chances[k - first] * (line(k) if k >= edge else line(k).max(carried(k)))
    whole, moment = _sums_from(n, first, last, mean)[max(beyond - first, 0)] if (
        beyond <= last
    ) else (arb(0), arb(0))  # fmt: skip
    total += whole * line(first) + slope * moment
    return total + (rest * (1 + n * slope)).union(arb(0))


def _inside(noise: "NoiseBall") -> Array:
    """The rate for counts under an edge, in floats."""
    return np.ones(1) if isinstance(noise, NoNoise) else np.array([float(noise.inside.mid())])


@lru_cache(maxsize=1024)
def _sums_from(n: int, first: int, last: int, mean: Fraction) -> "list[tuple[arb, arb]]":
    """From each count on: the chance of all, and the sum of their distances from the first one."""
    whole, moment, sums = arb(0), arb(0), []
    chances = chances_between(n, first, last, mean)
    for at in range(len(chances) - 1, -1, -1):
        whole, moment = whole + chances[at], moment + at * chances[at]
        sums.append((whole, moment))
    return sums[::-1]


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
