"""A histogram with noise on every count: how often any of its shares is off.

Replacing one record moves two counts by one each, so k counts with Laplace noise of rate r are
2r-private, and with Gaussian noise of rate 1/σ lose as much as one count at √2/σ.

With f(μ) what one noisy share of mean μ fails with, the union bound is Σ f(μⱼ). As the shares sum
to 1 at most, any line above f, f(μ) ≤ a + bμ on [0, 1], bounds it by ka + b, and the least is
k·f̂(1/k), f̂ the least concave function above f: far less than k worst shares, as few shares can be
near 1/2 at once. f is the same at μ and 1 − μ, so with b ≥ 0 the line is proved on [0, 1/2].

As if the sample were normal, the chord of f from mean 0 is the highest at 1/k if it ends at some
mean. There its height hardly depends on its end, so the true chord to about there is the highest
too, but for a little that the room of a proof covers.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from planner.libraries import np
from planner.mechanisms.counts import MOST_SUMMED, Noisy, Share
from planner.mechanisms.floor import QuestionFloor, Regularity, Ripple
from planner.mechanisms.many_people import large
from planner.mechanisms.noise import GAUSSIAN, Noise
from planner.numbers import Array, Number

_MEANS = 24  # between which the smooth chord is looked at
_FEW, _BELOW, _ABOVE = 100, 257, 65
"""Of fewer people all chords are looked at, from so many means up to 1/k to as many from there on.
"""
_TINY = 1e-300  # keeps divisions finite
_RIPPLED = {"laplace": 0.05, "gaussian": 0.8}
"""From such a rate on whole counts ripple f."""
_BESIDE = np.linspace(-0.5, 0.5, 9)[:, None]
"""Counts around the end of the chord that are looked at there."""
_ROUNDS = 4  # of a line, each eight times finer
_APART = 1e-4  # means that are told apart


def per_count(noise: Noise) -> float:
    """The rate of the noise on one count, where two counts together have rate 1."""
    return 0.5**0.5 if noise is GAUSSIAN else 0.5


class Line(NamedTuple):
    """A line a + bμ over the means of a share, b ≥ 0."""

    a: float
    b: float


@dataclass(frozen=True)
class Shares(Noisy):
    """All shares of a histogram of independent people, by the highest chord; rates are of all.

    Attributes:
        noise: on each count.
        groups: k [≥ 3].
    """

    noise: Noise
    groups: int

    @cached_property
    def one(self) -> Share:
        """One of the shares."""
        return Share(self.noise)

    def spread(self, n: Array) -> Array:
        return self.one.spread(n)

    def alone(self, n: Array, error: Array, failure: Array) -> Array:
        return self.one.alone(n, error, failure / self.groups) / per_count(self.noise)

    def smooth(self, rate: Array, n: Array, error: Array) -> Array:
        rate, n, error = np.broadcast_arrays(rate * per_count(self.noise), n, error)
        with np.errstate(all="ignore"):
            ends, failures = self._smoothly(rate, n, error)
            rise = (failures[1:] - failures[0]) / ends
        most = np.maximum(np.max(rise, axis=0), 0.0)
        return np.asarray(np.minimum(self.groups * failures[0] + most, 1.0))

    def failures(self, n: Array, error: Array, roughly: bool = False) -> Any:
        def failure(rate: Array, row: Array) -> Array:
            of = rate * per_count(self.noise), n[row], error[row]
            many = n[row] > MOST_SUMMED
            if many.all():
                return np.minimum(self.groups * large(self.noise, *of), 1.0)
            few = n[row] < _FEW
            found = np.empty(len(rate))
            for some, height in ((few, self._by_chords), (~few, self._by_chord)):
                if some.any():
                    found[some] = height(*(values[some] for values in of))
            return np.minimum(found, 1.0)

        return failure

    def _smoothly(self, rate: Array, n: Array, error: Array) -> tuple[Array, Array]:
        """Means from 1/k to 1/2, and what a normal share fails with at 0 and at these."""
        means = np.linspace(1 / self.groups, 0.5, _MEANS + 1)
        means = means.reshape(-1, *[1] * np.ndim(rate))
        deviation = np.sqrt(n * means * (1 - means))
        alone = 2 * self.noise.tail(n * error, rate)
        normal = self.noise.on_normal(n * error, deviation, rate)
        return means, np.concatenate([alone[None], normal])

    def _by_chord(self, rate: Array, n: Array, error: Array) -> Array:
        """K times the height at 1/k of the chord from mean 0 to about the best other mean."""
        alone = 2 * self.noise.tail(n * error, rate)
        ends = self.ends(rate, n, error)
        value = (self.one.at_means(rate, n, error, ends) - alone) / ends
        return np.asarray(self.groups * alone + np.maximum(value.max(axis=0), 0.0))

    def _by_chords(self, rate: Array, n: Array, error: Array) -> Array:
        """K times the height at 1/k of the highest of all chords: few people are not normal.

        A chord that ends over 1/2 is that to the same value below 1/k: it is flat.
        """
        centre = 1 / self.groups
        below = np.linspace(0.0, centre, _BELOW)[:, None]
        above = np.linspace(centre, 0.5, _ABOVE)[:, None]
        under, over = (self.one.at_means(rate, n, error, means) for means in (below, above))
        weight = (above - centre) / np.maximum(above - below.T, _TINY)
        weight[0, -1] = 1.0  # where both ends are the centre
        mixed = weight[..., None] * under + (1 - weight)[..., None] * over[:, None]
        return self.groups * np.maximum(mixed.max(axis=(0, 1)), under.max(axis=0))

    def ends(self, rate: Array, n: Array, error: Array) -> Array:
        """About where the highest chord ends: at a mean, or where f ripples near some.

        Args:
            rate: of the noise on one count.
            n: N.
            error: T.

        Returns:
            Means in [1/k, 1/2], one a row.
        """
        with np.errstate(all="ignore"):
            means, failures = self._smoothly(rate, n, error)
            alone, rise = failures[0], failures[1:] - failures[0]
            height = np.log(np.maximum(alone + rise / (self.groups * means), _TINY))
            best, column = np.argmax(height, axis=0), np.arange(len(rate))
            at = np.clip(best, 1, _MEANS - 1)
            before, here, after = (height[at + step, column] for step in (-1, 0, 1))
            beside = (after - before) / (2 * (2 * here - before - after))
        inside = (best == at) & (np.abs(beside) <= 1)
        apart = float(means.ravel()[1] - means.ravel()[0])
        end = means.ravel()[best] + apart * np.where(inside, beside, 0.0)
        rippled = rate > _RIPPLED[self.noise.kind]
        if not np.any(rippled):
            return np.asarray(end[None])
        return np.clip(end + np.where(rippled, _BESIDE / n, 0.0), 1 / self.groups, 0.5)

    def line(self, rate: float, n: float, error: float) -> tuple[Line, float]:
        """A line that is about above f and lowest at 1/k, and the failure probability by it.

        Args:
            rate: of the whole histogram [> 0].
            n: N.
            error: T.
        """
        rates, sizes, errors = (np.array([x]) for x in (rate * per_count(self.noise), n, error))
        centre = 1 / self.groups
        near = np.linspace(0.0, centre, 9), np.linspace(centre, 0.5, 17)
        below = above = lower = upper = np.empty(0)
        for _ in range(_ROUNDS):
            left, right = (
                self.one.at_means(rates, sizes, errors, means[:, None])[:, 0] for means in near
            )
            below, lower = _joined(below, near[0], lower, left)
            above, upper = _joined(above, near[1], upper, right)
            i, j, best = _highest(centre, (below, lower), (above, upper))
            near = _around(below, i, 8), _around(above, j, 16)
        # the slopes with which a line through the value at 1/k is above f on either side
        first, last = centre - below > _APART, above - centre > _APART
        most = float(np.min((best - lower[first]) / (centre - below[first])))
        least = float(np.max((upper[last] - best) / (above[last] - centre)))
        slope = max((least + most) / 2, 0.0)
        alone = float(lower[0])  # at mean 0, where a difference would have no digits
        if best - slope * centre < alone * (1 + 1e-9):
            return Line(alone, (best - alone) / centre), self.groups * best
        return Line(best - slope * centre, slope), self.groups * best


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


@dataclass(frozen=True)
class WorstShares(QuestionFloor):
    """The shares of a histogram, each off as often as the worst one: by a bound, or of few.

    Attributes:
        one: what one share asks of the rate of its noise.
        groups: k [≥ 2].
        failure: α of all, a number or an array.
        each: the rate of the noise on one count, where that of the histogram is 1.
    """

    one: QuestionFloor
    groups: int
    failure: Number
    each: float

    @property
    def error(self) -> Number:
        return self.one.error

    def with_error(self, error: float) -> "WorstShares":
        return replace(self, one=self.one.with_error(error))

    @property
    def regularity(self) -> Regularity:
        return self.one.regularity

    def ripple(self, participants: int) -> Ripple:
        return self.one.ripple(participants)

    @property
    def least_failure(self) -> float:  # type: ignore[override]
        return self.groups * self.one.least_failure

    @property
    def of_whole_counts(self) -> bool:
        return self.one.of_whole_counts

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        off = self._share.achieved(epsilon * self.each, participants, delta)
        return np.minimum(self.groups * np.asarray(off), 1.0)[()]

    def likely(self, rate: Array, participants: Array) -> Array:
        return np.minimum(self.groups * self._share.likely(rate * self.each, participants), 1.0)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        return self._share.epsilon(participants, delta) / self.each

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        return self._share.noise_alone(participants, delta) / self.each

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        return self._share.n_epsilon(participants, delta) / self.each

    @cached_property
    def _share(self) -> QuestionFloor:
        """One share, with its part of α."""
        part = np.asarray(self.failure) / self.groups
        return replace(self.one, failure=part[()])  # type: ignore[type-var]
