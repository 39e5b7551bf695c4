"""A noisy sum of any values from 0 to 1, in floats: a bound that no law of the values passes.

With an edge x and q(s) = Pr[Z ≥ x − s], the sum S passes the edge with E q(S). Where φ ≥ q is
convex, E q(S) ≤ E φ(S) ≤ E φ(K), K a binomial count of the same mean (Hoeffding 1956, Theorem 3). q
is convex up to x and concave beyond. So let φ be a tangent of q that touches it beyond x, and
before x the larger of this tangent and q. The best tangent is sought; any will do.

Where values are known to deviate by s at most, let them have mean μ and lie β = 1 − μ over it at
the most. For every φ whose second derivative never falls E φ(S) is the largest where each value is
one of two, −w/β or β from μ (Bennett 1962; Bentkus 2004, Lemma 4.3), with w the smaller of s² and
the largest μ(1 − μ). So with K ~ Binomial(N, p), p = w/(β² + w), and d = β + w/β,
E q(S) ≤ E φ(d(K − Np)). φ is q up to a distance before the edge, and from there on a parabola that
q leads into without a jump of its slope, that bends at least as much as q does up to there, and
that lies over a tangent of q beyond the edge. Under the edge the same holds of 1 minus the values.

Clusters: the mean of m people is one value. N people in ⌊N/m⌋ clusters, and some of one more, are a
weighted mean of such values, which is smaller in convex order than that of ⌊N/m⌋ (Marshall and
Olkin 1979, 11.B). A design effect D counts N as ⌊N/D⌋ as well, by convention.

Of a population of M people, N drawn without replacement have a sum that is smaller in convex order
than that of independent values (Hoeffding 1963, Theorem 4). It errs by just as much as that of the
M − N who are left out, so where these are fewer, they stand for the sample.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from planner.libraries import np, scipy
from planner.mechanisms import hoeffding
from planner.mechanisms.chances import chances
from planner.mechanisms.counts import MOST_SUMMED, Noisy
from planner.mechanisms.noise import GAUSSIAN, LAPLACE, Noise
from planner.numbers import Array

_GRID = np.geomspace(0.01, 30.0, 25)
"""Where tangents are tried to touch, in units of the noise."""
_FINE = 400  # tangents that are tried for a proof
_BESIDE = np.geomspace(0.8, 1.25, 5)
"""About the best of them more are tried."""
_PARTS, _RIPPLED = 4, 0.15
"""With more noise than of this rate the bound is alike at all means about 1/2; with less it is
read at means that lie these parts of a count apart."""
_NODES, _FARTHEST = 61, 6.0
"""Of a normal sum, by which tangents and parabolas are chosen."""
_JOINS = tuple(1.25**k / 20 for k in range(45))
"""Distances before the edge from which a parabola is tried, in units of the noise."""
_MEANS = 8  # that are tried where a deviation is known
_NOBODY = 1e-6
"""So small a value stands for none, where a census leaves nobody out."""
_SMALL = 0.25
"""Up to such a deviation the bound for any values, which may deviate by 1/2, is not looked at."""


def density(noise: Noise, t: Array) -> Array:
    """The density of noise of rate 1 at distances t ≥ 0."""
    if noise.kind == "laplace":
        return 0.5 * np.exp(-t)
    return np.exp(-(t**2) / 2) / math.sqrt(2 * math.pi)


@dataclass(frozen=True)
class AnyValues(Noisy):
    """The mean of any values, with Laplace or Gaussian noise on their sum.

    Attributes:
        noise: on the sum.
        mean_range: the means at which it must be accurate.
        each: how many people count as one value [≥ 1].
        population: M, of whom they are drawn one by one; None for a population without end.
    """

    noise: Noise = LAPLACE
    mean_range: tuple[float, float] = (0.0, 1.0)
    each: float = 1.0
    population: int | None = None
    falls = False  # a lattice of counts is smoothed by more noise

    @property
    def middle(self) -> float:
        """The mean of the range that is nearest 1/2, about which the bound is largest."""
        return min(max(0.5, self.mean_range[0]), self.mean_range[1])

    def counted(self, n: Array) -> tuple[Array, Array]:
        """How many values so many people count as, and of how many people each is the mean."""
        values = np.maximum(np.floor(n / self.each * (1 + 1e-15)), 1.0)
        if self.population is None:
            return values, n / values
        left = np.clip(self.population - n, _NOBODY, n)
        return np.maximum(left, 1.0), np.minimum(left, 1.0)

    def spread(self, n: Array) -> Array:
        values, people = self.counted(n)
        return np.sqrt(values * self.middle * (1 - self.middle)) * people

    def failures(self, n: Array, error: Array, roughly: bool = False) -> Any:
        if n.size and n.max() > MOST_SUMMED:
            return lambda rate, row: self._by_hoeffding(rate, n[row], error[row])
        values, people = self.counted(n)
        edge = n * error / people
        tables = cache(lambda side, part: _about(values, self._mean(values, side, part)))

        def best_touch(side: int, rates: Array, row: Array) -> Array:
            """Where the best tangent touches: about as of a normal sum, and then of counts."""
            off, chance = (x[row] for x in tables(side, 0))
            spread = np.sqrt(np.sum(chance * off**2, axis=1, keepdims=True))
            points, weights = _normal()
            normal = edge[row, None] - spread * points
            about = _best_touch(self.noise, rates, normal, weights, _GRID[:, None])
            left = edge[row, None] - off
            return _best_touch(self.noise, rates, left, chance, about * _BESIDE[:, None])

        def failure(rate: Array, row: Array) -> Array:
            rates, worst = (rate * people[row])[:, None], 0 * rate
            upper = best_touch(1, rates, row)
            touches = {1: upper, -1: upper if self.middle == 0.5 else best_touch(-1, rates, row)}
            rippled = rate * people[row] > _RIPPLED  # the others are read at one mean
            for part in range(_PARTS if rippled.any() else 1):
                off = 0 * rate
                for side, touch in touches.items():
                    away, chance = (x[row] for x in tables(side, part))
                    off = off + over(self.noise, rates, edge[row, None] - away, chance, touch)
                worst = np.where(rippled | (part == 0), np.maximum(worst, off), worst)
            return np.minimum(worst, 1.0)

        return failure

    def _mean(self, values: Array, side: int, part: int) -> Array:
        """The mean, or what is left of 1: the nearest to 1/2, or a part of a count beside it."""
        aside = part / _PARTS / values * (1 if self.middle > 0.5 else -1)
        mean = np.clip(self.middle + aside, *self.mean_range)
        return mean if side > 0 else 1 - mean

    def _by_hoeffding(self, rate: Array, n: Array, error: Array) -> Array:
        """Hoeffding's bound, of studies too large to sum counts."""
        values, people = self.counted(n)
        rates, edge = rate * people, n * error / people
        if self.noise.kind == "laplace":
            return np.asarray(hoeffding.failure_probability(rates, values, edge / values))
        return np.asarray(2 * np.exp(-(edge**2) / (values / 2 + 2 / rates**2)))

    def witness(self, rate: float, participants: int, error: float) -> tuple[Any, ...]:
        """By what the bound is proved at one rate and N: where the tangent touches."""
        values, people = self.counted(np.array([float(participants)]))
        rates, edge = rate * people[:, None], participants * error / people[0]
        off, chance = _about(values, self.middle)
        fine = np.geomspace(_GRID[0], _GRID[-1], _FINE)[:, None]
        touch = _best_touch(self.noise, rates, edge - off, chance, fine)
        return "touch", float(touch.ravel()[0])


def _best_touch(noise: Noise, rate: Array, left: Array, chance: Array, touches: Array) -> Array:
    """Where the best of some tangents touches, for each study; a row of `touches` a try."""
    values = _by_tangents(noise, rate, left, chance, touches)
    rows = np.broadcast_to(touches, (len(touches), len(rate)))
    return np.asarray(rows[np.argmin(values, axis=0), np.arange(len(rate))])


@lru_cache(maxsize=1)
def _normal() -> tuple[Array, Array]:
    """Points of a standard normal law and their probabilities."""
    points = np.linspace(-_FARTHEST, _FARTHEST, _NODES)
    weights = np.exp(-(points**2) / 2)
    return points, weights / weights.sum()


def _about(n: Array, mean: Any) -> tuple[Array, Array]:
    """How far counts lie over their mean, and their chances."""
    count, chance = chances(n, n * mean)
    return count - (n * mean)[:, None], chance


def over(noise: Noise, rate: Array, left: Array, chance: Array, touch: Any) -> Array:
    """E φ with the tangent that touches beyond the edge, in units of the noise; a row a study."""
    return _by_tangents(noise, rate, left, chance, np.reshape(touch, (1, -1)))[0]


def _by_tangents(noise: Noise, rate: Array, left: Array, chance: Array, touches: Array) -> Array:
    """The same of several tangents, one a row of `touches`."""
    passed = np.where(left > 0, noise.tail(np.maximum(left, 0.0), rate), -np.inf)
    touch = np.reshape(touches, (len(touches), -1, 1))
    slope = density(noise, touch)
    level = 1 - noise.tail(touch, np.ones(1)) - slope * touch
    value = np.maximum(passed, level - slope * (rate * left))
    return np.asarray(np.einsum("...k,...k->...", chance, value))


@dataclass(frozen=True)
class LimitedDeviation(AnyValues):
    """The mean of values whose standard deviation is known.

    Attributes:
        deviation: s, the largest that it may be, as a fraction of the range [(0, 1/2]].
    """

    deviation: float = 0.5

    @property
    def means(self) -> list[float]:
        """Those tried: from where values 0 and 1 deviate just so much, up to 1/2 and beyond."""
        variance = self.deviation**2
        rare = variance / (0.5 + math.sqrt(max(0.25 - variance, 0.0)))
        low, high = self.mean_range
        tried = np.geomspace(rare, 0.5, _MEANS)
        beyond = () if low + high == 1.0 else 1 - tried  # else they mirror those under 1/2
        return sorted({float(min(max(mean, low), high)) for mean in (*tried, *beyond)})

    def spread(self, n: Array) -> Array:
        values, people = self.counted(n)
        return np.sqrt(values) * people * self.deviation

    def failures(self, n: Array, error: Array, roughly: bool = False) -> Any:
        if n.size and n.max() > MOST_SUMMED:
            return super().failures(n, error)
        limited = self._limited(n, error)
        if self.deviation <= _SMALL:
            return limited
        unlimited = super().failures(n, error)
        return lambda rate, row: np.minimum(limited(rate, row), unlimited(rate, row))

    def _limited(self, n: Array, error: Array) -> Any:
        """The same by parabolas alone."""
        values, people = self.counted(n)
        edge = n * error / people
        tables = list(self._laws(values))

        def failure(rate: Array, row: Array) -> Array:
            rates = (rate * people[row])[:, None]
            at = self._join(rates, values[row], edge[row])
            parabola = _parabolas(self.noise.kind)[:, at, None]
            total = {mean: np.zeros(len(row)) for mean, *_ in tables}
            for mean, off, chance in tables:
                left = edge[row, None] - off[row]
                total[mean] += _curved(self.noise, parabola, rates, left, chance[row])
            worst = np.max([np.zeros(len(row)), *total.values()], axis=0)  # of no spread: 0
            return np.minimum(worst, 1.0)

        return failure

    def _laws(self, values: Array) -> Iterator[tuple[float, Array, Array]]:
        """At each mean, under either edge: how far sums lie over it, and their chances."""
        for mean in self.means:
            spread = min(mean * (1 - mean), self.deviation**2)
            for above in (1 - mean, mean) if spread > 0 else ():
                off, chance = _about(values, spread / (above**2 + spread))
                yield mean, off * (above + spread / above), chance

    def witness(self, rate: float, participants: int, error: float) -> tuple[Any, ...]:
        """By what the bound is proved: where the parabola begins and touches, or a touch."""
        n, errors = np.array([float(participants)]), np.array([error])
        rates, row = np.array([rate]), np.zeros(1, int)
        unlimited = super().failures(n, errors)(rates, row)
        if self.deviation > _SMALL and unlimited < self._limited(n, errors)(rates, row):
            return super().witness(rate, participants, error)
        values, people = self.counted(n)
        at = int(self._join((rates * people)[:, None], values, n * errors / people)[0])
        before, touches, *_ = parabola_from(self.noise.kind, _JOINS[at])
        return "parabola", before, touches

    def _join(self, rates: Array, values: Array, edge: Array) -> Array:
        """Which distance before the edge is best, if a sum that deviates the most were normal.

        q″ of Gaussian noise falls again from one deviation before the edge on.
        """
        points, weights = _normal()
        left = edge[:, None] - np.sqrt(values)[:, None] * self.deviation * points
        first = int(np.searchsorted(_JOINS, 1.0)) if self.noise is GAUSSIAN else 0
        several = _parabolas(self.noise.kind)[:, first:, None, None]
        found = _curved(self.noise, several, rates, left, weights)
        return np.asarray(first + np.argmin(found, axis=0))


@dataclass(frozen=True)
class UnlikeValues(LimitedDeviation):
    """The sum of values whose means differ, and whose variances are s² on average.

    Each may lie by its whole range over its mean or under it. The bound of values alike then holds
    with β = 1 under both edges (Bentkus 2004, Theorem 1.1).
    """

    def _laws(self, values: Array) -> Iterator[tuple[float, Array, Array]]:
        spread = self.deviation**2
        off, chance = _about(values, spread / (1 + spread))
        for _ in ("over", "under"):
            yield 0.0, off * (1 + spread), chance


def _curved(noise: Noise, parabola: Any, rate: Array, left: Array, chance: Array) -> Array:
    """E φ with parabolas; a row a study."""
    before, _, value, slope, bend = parabola
    y = before - rate * left
    with np.errstate(over="ignore"):  # of hardly any noise
        curved = value + y * (slope + bend * y / 2)
    under = noise.tail(np.maximum(left, 0.0), rate)
    return np.asarray(np.sum(chance * np.where(y > 0, curved, under), axis=-1))


@cache
def _parabolas(kind: str) -> Array:
    """A column for each: where it begins, touches, and its value, slope and bend there."""
    return np.array([parabola_from(kind, before) for before in _JOINS]).T


@lru_cache(maxsize=64)
def parabola_from(kind: str, before: float) -> tuple[float, float, float, float, float]:
    """The parabola that bends the least, of those that begin so far before the edge."""
    noise = LAPLACE if kind == LAPLACE.kind else GAUSSIAN
    found = scipy.optimize.minimize_scalar(
        lambda touches: _parabola(noise, before, touches)[-1],
        bounds=(0.0, 20.0), method="bounded", options={"xatol": 1e-9},
    )  # fmt: skip
    tried = (_parabola(noise, before, 0.0), _parabola(noise, before, float(found.x)))
    return min(tried, key=lambda parabola: parabola[-1])


def _parabola(
    noise: Noise, before: float, touches: float
) -> tuple[float, float, float, float, float]:
    at, one = np.array([before, touches]), np.ones(1)
    (value, beyond), (slope, steep) = noise.tail(at, one), density(noise, at)
    apart = value - (1 - beyond - steep * (touches + before))
    bend = (slope - steep) ** 2 / (2 * apart) if apart > 0 else math.inf
    # q″ of Gaussian noise is largest one deviation before the edge; up by more than floats are off
    steepest = slope if noise is LAPLACE else density(noise, one)[0]
    return before, touches, float(value), float(slope), max(bend, float(steepest)) * (1 + 1e-9)
