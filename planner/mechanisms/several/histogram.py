"""A histogram with noise on every count: the failure probability of all its shares at once.

Replacing one record moves two counts by one each, so k counts with Laplace noise of rate r are
2r-private, and with Gaussian noise of rate 1/σ lose as much as one count at √2/σ.

With f(μ) what one noisy share of mean μ fails with, the union bound is Σ f(μⱼ). As the shares sum
to 1 at most, any line above f, f(μ) ≤ a + bμ on [0, 1], bounds it by ka + b, and the least is
k·f̂(1/k), f̂ the least concave function above f: far less than k worst shares, as few shares can be
near 1/2 at once. f is the same at μ and 1 − μ, so with b ≥ 0 the line is proved on [0, 1/2].

By Hoeffding's bound f is the same at every mean, and the union bound is k·f.

The line touches f where, as if the sample were normal, the chord from mean 0 is the highest at 1/k.
There its height hardly depends on its end, so the true chord to about there is nearly the highest.
"""

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from planner import numbers
from planner.libraries import np, scipy
from planner.mechanisms.exact.branch import Point, all_hold
from planner.mechanisms.exact.failure import SHARES
from planner.mechanisms.exact.law import Cell, within_reach
from planner.mechanisms.exact.with_replacement import BINOMIAL
from planner.numbers import Array, decimal, rational

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise import Noise

_MEANS = 24  # between which the chord is looked at first
_TINY = 1e-300  # keeps divisions finite
_SMOOTH = {"laplace": 0.05, "gaussian": 0.8}
"""Up to such a rate whole counts hardly ripple f."""
_BESIDE = -0.5, 0.5, 9  # counts around a tip
_ROUNDS = 4  # each is eight times finer
_APART = 1e-4  # means that are told apart
FOR_RARE = 8
"""One over the part of what is left of α that goes to rare groups."""


def tangent_point(
    kind: Literal["laplace", "gaussian"], rate: Array, n: Array, error: float, centre: float
) -> Array:
    """About the mean in [1/k, 1/2] to which the chord from mean 0 is the highest at 1/k.

    Args:
        kind: of the noise.
        rate: its rates.
        n: N, of the same shape.
        error: T.
        centre: 1/k.
    """
    means, apart = np.linspace(centre, max(centre, 0.5), _MEANS + 1, retstep=True)
    alone = at_zero(kind, rate, n, error)
    rise = _failure(kind, rate, n, error, means[:, None]) - alone
    height = np.log(np.maximum(alone + rise * (centre / means)[:, None], _TINY))
    best, column = np.argmax(height, axis=0), np.arange(len(rate))
    at = np.clip(best, 1, _MEANS - 1)
    before, here, after = (height[at + step, column] for step in (-1, 0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        beside = (after - before) / (2 * (2 * here - before - after))
    inside = (best == at) & (np.abs(beside) <= 1)
    return np.asarray(means[best] + apart * np.where(inside, beside, 0.0))


def at_zero(kind: Literal["laplace", "gaussian"], rate: Array, n: Array, error: float) -> Array:
    """The failure probability at mean 0, of the noise alone."""
    excess = rate * n * error
    return np.asarray(np.exp(-excess) if kind == "laplace" else 2 * scipy.special.ndtr(-excess))


def _failure(
    kind: Literal["laplace", "gaussian"], rate: Array, n: Array, error: float, mean: Array
) -> Array:
    variance, off = n * mean * (1 - mean), n * error
    if kind == "gaussian":
        return np.asarray(2 * scipy.special.ndtr(-off / np.sqrt(variance + 1 / rate**2)))
    deviation = np.sqrt(variance)
    far, wide = off / deviation, rate * deviation
    # the sample alone, and the noise that carries it over either edge, or back
    over = np.exp(wide**2 / 2 - rate * off + scipy.special.log_ndtr(far - wide))
    back = np.exp(np.minimum(wide**2 / 2 + rate * off + scipy.special.log_ndtr(-far - wide), 0.0))
    return np.asarray(2 * scipy.special.ndtr(-far) + over - back)


class Line(NamedTuple):
    """A line a + bμ over the means of a share, b ≥ 0."""

    a: float
    b: float


class Counts(NamedTuple):
    """The counts of a histogram: k of them, off by NT or more, with one kind of noise.

    Attributes:
        groups: k.
        error: T.
        kind: of the noise.
    """

    groups: int
    error: float
    kind: Literal["laplace", "gaussian"]

    def failure(self, rate: Array, n: Array) -> Array:
        """k·f̂(1/k) about, from below, for arrays of rates and N of one shape."""
        rate, n = np.atleast_1d(rate), np.atleast_1d(n)
        return self.by_chord(rate, n, self.end(rate, n))

    def end(self, rate: Array, n: Array) -> Array:
        """The mean to which the chord from mean 0 is about the highest at 1/k.

        With little noise f jumps as counts tip over, so there several means are looked at.
        """
        centre = 1 / self.groups
        end = tangent_point(self.kind, rate, n, self.error, centre)
        rippled = np.flatnonzero(rate > _SMOOTH[self.kind])
        if rippled.size:
            near = end[rippled] + np.linspace(*_BESIDE)[:, None] / n[rippled]
            near = np.clip(near, centre, max(centre, 0.5))
            values = self._values(rate[rippled], n[rippled], near)
            best = np.argmax(values / near, axis=0)
            end[rippled] = near[best, np.arange(len(rippled))]
        return end

    def by_chord(self, rate: Array, n: Array, end: Array) -> Array:
        """K times the height at 1/k of the chord from mean 0 to another mean."""
        alone = at_zero(self.kind, rate, n, self.error)
        rise = self._values(rate, n, end[None])[0] - alone
        return np.asarray(self.groups * alone + rise / end)

    def line(self, rate: float, n: float) -> tuple[Line, float]:
        """A line that is about above f and lowest at 1/k, and the failure probability by it."""
        return self._line_over(*self._nodes(rate, n))

    def _nodes(
        self, rate: float, n: float, rounds: int = _ROUNDS
    ) -> tuple[Array, Array, Array, Array]:
        """Means up to 1/k with f at them, and means from 1/k on: close together at the line."""
        centre = 1 / self.groups
        near = np.linspace(0.0, centre, 9), np.linspace(centre, max(0.5, 2 * centre), 17)
        below = above = lower = upper = np.empty(0)
        for _ in range(rounds):
            # one call for both sides: a call costs more than its numbers
            left, right = np.split(self._at(rate, n, np.concatenate(near)), [len(near[0])])
            below, lower = _joined(below, near[0], lower, left)
            above, upper = _joined(above, near[1], upper, right)
            i, j, _ = _highest(centre, (below, lower), (above, upper))
            near = _around(below, i, 8), _around(above, j, 16)
        return below, lower, above, upper

    def _line_over(
        self, below: Array, lower: Array, above: Array, upper: Array
    ) -> tuple[Line, float]:
        """The line that is lowest at 1/k over the values at means on either side of it."""
        centre = 1 / self.groups
        *_, best = _highest(centre, (below, lower), (above, upper))
        # the slopes with which a line through the value at 1/k is above f on either side
        left, right = centre - below > _APART, above - centre > _APART
        most = float(np.min((best - lower[left]) / (centre - below[left])))
        least = float(np.max((upper[right] - best) / (above[right] - centre)))
        slope = max((least + most) / 2, 0.0)
        alone = float(lower[0])  # at mean 0, where a difference would have no digits
        if best - slope * centre < alone * (1 + 1e-9):
            return Line(alone, (best - alone) / centre), self.groups * best
        return Line(best - slope * centre, slope), self.groups * best

    def _at(self, rate: float, n: float, means: Array) -> Array:
        return self._values(np.array([rate]), np.array([n]), means[:, None])[:, 0]

    def _values(self, rate: Array, n: Array, means: Array) -> Array:
        """F at means, which lie along the first axis, for rates and N of one shape."""
        rates, sizes = np.broadcast_to(rate, means.shape), np.broadcast_to(n, means.shape)
        excess = sizes * self.error
        return np.asarray(self._noise.parts(rates, sizes, means, excess, excess).sum(axis=0))

    def certify_at_most(self, rate: "arb", n: "arb", failure: "arb") -> bool:
        """Whether k·f̂(1/k) is certain to be at most α: some line above f shows it."""
        if not (rate.is_finite() and rate > 0):
            return False
        size, alpha = int(float(n.mid())), float(failure.mid())
        line, value = self.line(float(rate.mid()), float(size))
        if not 0 < value <= alpha * (1 + 1e-12):
            return False
        number = numbers.balls().number
        ball = type(rate)
        # the line takes all of α; a little of what is left is for rare groups, where it is low
        start = ball(line.a) / value * failure
        start += (failure - value).max(ball(0)) / (FOR_RARE * self.groups)
        slope = failure - self.groups * start
        if not slope >= 0:  # a mean and its mirror image need the line on either side
            return False
        exact, error = decimal(self.error), number(self.error)
        (cells,), noise = BINOMIAL.lines(size, exact, False, (0.0, 1.0)), self._noise
        same, excess = noise.ball(rate, rate), size * exact

        @cache
        def value_at(mean: Fraction) -> "arb":
            return BINOMIAL.failure_ball(same, size, mean, excess, excess, alpha)

        def holds(first: Point, last: Point) -> bool | None:
            left, right = Fraction(first), Fraction(last)
            ends, values = (rational(left), rational(right)), (value_at(left), value_at(right))
            spare = [start + slope * end - one for end, one in zip(ends, values, strict=True)]
            if not all(one >= 0 for one in spare):
                return False
            worst = values[0].max(values[1])
            cell = Cell(*ends, worst, *ends)
            goal = float(worst.mid())
            chord = BINOMIAL.chord(noise, cells, rate, size, error, cell, lambda: worst, goal)
            if chord - worst <= spare[0].min(spare[1]):
                return True
            moved = size * (right - left)
            if float(moved) * float(rate.mid()) > 1 or moved >= excess:
                return None
            held = (
                BINOMIAL.failure_ball(same, size, mean, *edges, alpha)
                for mean, edges in (
                    (left, (excess, excess - moved)), (right, (excess - moved, excess))
                )
            )  # fmt: skip
            return True if all(one <= start + slope * ends[0] for one in held) else None

        return all_hold(holds, cells, within_reach(size, alpha))

    @property
    def _noise(self) -> "Noise":
        return SHARES[self.kind].noise


def _highest(
    centre: float, below: tuple[Array, Array], above: tuple[Array, Array]
) -> tuple[int, int, float]:
    """The pair of points on either side whose chord is the highest at the centre, and how high."""
    over, under = above[0] - centre, (centre - below[0])[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.nan_to_num(over / (over + under), nan=1.0)
    value = below[1][:, None] * weight + above[1] * (1 - weight)
    best = float(np.max(value))
    if not best > above[1][0]:  # no chord is higher than the value there
        return len(below[0]) - 1, 0, best
    i, j = divmod(int(np.argmax(value)), value.shape[1])
    return i, j, best


def _around(nodes: Array, at: int, parts: int) -> Array:
    return np.linspace(nodes[max(at - 1, 0)], nodes[min(at + 1, len(nodes) - 1)], parts + 1)


def _joined(nodes: Array, more: Array, values: Array, at_more: Array) -> tuple[Array, Array]:
    both, first = np.unique(np.concatenate([nodes, more]), return_index=True)
    return both, np.concatenate([values, at_more])[first]
