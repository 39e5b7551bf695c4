"""A histogram with noise on every count: the failure probability of all its shares at once.

Replacing one record moves two counts by one each, so k counts with Laplace noise of rate r are
2r-private, and with Gaussian noise of rate 1/σ lose as much as one count at √2/σ.

With f(μ) what one noisy share of mean μ fails with, the union bound is Σ f(μⱼ). As the shares sum
to 1, any line above f, f(μ) ≤ a + bμ on [0, 1], bounds it by ka + b, and the least of these is
k·f̂(1/k), f̂ the least concave function above f: far less than k worst shares, as few shares can be
near 1/2 at once. f is the same at μ and 1 − μ, so with b ≥ 0 the line is proved on [0, 1/2].

By Hoeffding's bound f is the same at every mean, and the union bound is k·f.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact import gaussian_noise, laplace_noise
from planner.mechanisms.exact.balls import cell_ball, edges_about, failure_ball, within_reach
from planner.mechanisms.exact.bounds.cells import all_settled, by_log_chord
from planner.mechanisms.exact.bounds.gaussian_curvature import most_between
from planner.mechanisms.exact.noise_balls import Exponential, Normal
from planner.mechanisms.exact.sums import gaussian_sums
from planner.mechanisms.survey.tangent_point import at_zero, tangent_point
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

_SMOOTH = {"laplace": 0.05, "gaussian": 0.8}
"""Up to such a rate whole counts hardly ripple f."""
_BESIDE = -0.5, 0.5, 9
_ROUNDS = 4
_APART = 1e-4
_FOR_RARE = 8


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
        centre = 1 / self.groups
        near = np.linspace(0.0, centre, 9), np.linspace(centre, max(0.5, 2 * centre), 17)
        below = above = lower = upper = np.empty(0)
        for _ in range(_ROUNDS):
            # one call for both sides: a call costs more than its numbers
            left, right = np.split(self._at(rate, n, np.concatenate(near)), [len(near[0])])
            below, lower = _joined(below, near[0], lower, left)
            above, upper = _joined(above, near[1], upper, right)
            i, j, best = _highest(centre, (below, lower), (above, upper))
            near = _around(below, i, 8), _around(above, j, 16)
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
        at = laplace_noise.failure_at if self.kind == "laplace" else gaussian_sums.failure_at
        rates, sizes = np.broadcast_to(rate, means.shape), np.broadcast_to(n, means.shape)
        return np.asarray(at(rates, sizes, self.error, means))

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
        start += (failure - value).max(ball(0)) / (_FOR_RARE * self.groups)
        slope = failure - self.groups * start
        if not slope >= 0:  # a mean and its mirror image need the line on either side
            return False
        growth = self._growth(rate, size)
        noise = (Exponential if self.kind == "laplace" else Normal)(rate, rate)
        excess = number(self.error) * size

        @cache
        def value_at(mean: float) -> "arb":
            at = ball(mean)
            return failure_ball(noise, size, edges_about(size, at, excess), at, alpha)

        def settled(left: float, right: float) -> bool | None:
            ends = ball(left), ball(right)
            room = [start + slope * end - value_at(float(end)) for end in ends]
            if not all(one >= 0 for one in room):
                return False
            worst = value_at(left).max(value_at(right))
            if growth(worst, ends) <= room[0].min(room[1]):
                return True
            edges = size * ends[1] - excess, size * ends[0] + excess
            if float(size * (ends[1] - ends[0]) * rate) > 1:
                return None
            most = cell_ball(noise, size, edges, *ends, alpha)
            return True if most <= start + slope * ends[0] else None

        return all_settled(settled, 0.0, 0.5, within_reach(size, alpha))

    def _growth(self, rate: "arb", n: int) -> Callable[..., Number]:
        """By how much f may pass its chord on a cell with at most `worst` at its ends."""
        size, error = type(rate)(n), numbers.balls().number(self.error)
        if self.kind == "laplace":

            def laplace(worst: "arb", ends: "tuple[arb, arb]") -> Number:
                left, right = ends
                return laplace_noise.by_chord(worst, left, right, rate, size, error) - worst

            return laplace
        most_bent = gaussian_noise.curvature(rate, size)

        def gaussian(worst: "arb", ends: "tuple[arb, arb]") -> Number:
            left, right = ends
            width, steep = (
                right - left,
                gaussian_noise.log_curvature(rate, size, left.min(1 - right)),
            )
            chord = by_log_chord(worst, width, steep)
            chord = chord.min(
                most_between(worst, left, right, rate, size, error, float(worst.mid()))
            )
            return chord.min(worst + width**2 / 8 * most_bent) - worst

        return gaussian


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
    """Nodes between the neighbours of one."""
    return np.linspace(nodes[max(at - 1, 0)], nodes[min(at + 1, len(nodes) - 1)], parts + 1)


def _joined(nodes: Array, more: Array, values: Array, at_more: Array) -> tuple[Array, Array]:
    """All nodes in order, with their values."""
    both, first = np.unique(np.concatenate([nodes, more]), return_index=True)
    return both, np.concatenate([values, at_more])[first]
