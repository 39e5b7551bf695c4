"""Bounded values: the sum of N independent values in [0, 1], whatever they are.

Such a sum S is smaller in convex order than K ~ Binomial(N, μ) of the same mean: E φ(S) ≤ E φ(K)
for every convex φ (Hoeffding 1956; for values drawn without replacement 1963, Theorem 4). With an
edge x = N(μ + T) and q(s) = Pr[Z ≥ x − s], for every convex φ ≥ q on [0, N] (see `majorant`)

    Pr[S + Z ≥ x] = E q(S) ≤ E φ(S) ≤ E φ(K).

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

Clusters. The mean of a cluster of m people is a value in [0, 1]. N people in ⌊N/m⌋ clusters and
some of one more are a weighted mean of such values, the weights no larger than 1/⌊N/m⌋, and so
smaller in convex order than that of ⌊N/m⌋ whole ones (Marshall and Olkin 1979, 11.B). A design
effect D counts N as ⌊N/D⌋ as well, by convention.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

from planner.libraries import np
from planner.mechanisms.exact import majorant
from planner.mechanisms.exact.branch import Line
from planner.mechanisms.exact.gaussian_noise import GAUSSIAN
from planner.mechanisms.exact.law import (
    Law,
    MeanRange,
    Places,
    anchors,
)
from planner.mechanisms.exact.majorant import NOISES, by_hoeffding, rates_of
from planner.mechanisms.exact.noise import NO_NOISE, Noise
from planner.mechanisms.exact.noise_balls import NoNoise, scaled
from planner.mechanisms.exact.sums.binomial import counts_about
from planner.mechanisms.exact.with_replacement import Binomial
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall

_FEW_COUNTS, _MANY_COUNTS = 2, 64
"""On narrower cells what is crossed is closer, on wider ones a wider sum."""
_TAILS = 100  # a binomial tail takes as long as so many counts
_PLACES = 4  # between two counts, as E φ(K) ripples from count to count
_TOLERANCE = 2e-6  # of a bracket: a plan is that much dearer at the most


class AnyValues(Law):
    """The law of a sum of any values, by the counts that are larger in convex order.

    Attributes:
        centre: the mean at which tangents are chosen [in [0, 1]].
    """

    centre: float
    any_values = True
    growth = 0.25
    """d ln q/d ln ε is at most 0.232 for Laplace noise; Gaussian noise has its own."""

    @abstractmethod
    def over(
        self, noise: Noise, rate: Array, n: Array, mean: Array, up: Array, reach: Array
    ) -> Array:
        """E φ(K) with an edge so far over the mean, by tangents; arrays of one shape."""

    @abstractmethod
    def over_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, reach: float, failure: float
    ) -> "arb":
        """The same in balls by one tangent; ∞ where it is not certain."""

    @abstractmethod
    def counts(self, n: int, mean: float) -> tuple[Array, Array]:
        """How far counts lie over their mean, and their chances, in floats."""

    @abstractmethod
    def reach_of(self, noise: Noise, rate: Array, n: Array, centre: float, excess: Array) -> Array:
        """About the best distances of tangents, at a mean; arrays of one shape."""

    def too_many(self, noise: Noise, n: Number) -> Number:
        """Whether so many people are planned by Hoeffding's bound."""
        return n > np.inf

    def lines(self, n: int, error: Fraction, whole: bool, mean_range: MeanRange) -> list[Line]:
        """All means, or half of them: sums are not whole, so edges move with the mean."""
        return super().lines(n, error, False, mean_range)  # type: ignore[safe-super]

    def place(self, n: int, error: Fraction, whole: bool, mean: Fraction) -> tuple[float, ...]:
        return float(mean), float(n * error), float(n * error)

    def likely(
        self, noise: Noise, n: Array, error: float, mean_range: MeanRange
    ) -> tuple[Places, Places]:
        means = [float(self.nearest(mean, mean_range)) for mean in anchors(error, mean_range)]
        near, none = np.array(means)[:, None] + np.zeros(len(n)), np.empty((0, len(n)))
        return Places(near, n * error, n * error, np.True_), Places(none, none, none, none)

    def hidden(self, noise: Noise, rate: Array, n: Array) -> Array:
        return np.ones(len(n), bool)

    def smooth(self, noise: Noise) -> float:
        """Any: no sum of any values is on a lattice. A guess, on which no proof rests."""
        return math.inf

    def for_all(
        self, noise: Noise, rate: Number, n: Number, error: Number, mean_range: MeanRange
    ) -> Number:
        if self.too_many(noise, n):
            values = n * 0 + float(self.counted(np.array(float(getattr(n, "mid", lambda: n)()))))
            return by_hoeffding(noise, rate * (n / values), values, values * error)
        return Law.for_all(self, noise, rate, n, error, mean_range)

    def tolerance(self, n: float) -> float:
        return _TOLERANCE

    def bound(self, noise: Noise, rate: float, n: float, error: float) -> float:
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
        many = np.broadcast_to(self.too_many(noise, n), n.shape)
        total = np.empty(n.shape)
        values = self.counted(n[many])
        by = n[many] / values
        total[many] = by_hoeffding(noise, rate[many] * by, values, excess[many] / by)
        few = ~many
        rates, sizes, means = rate[few], n[few], mean[few]
        reaches = [self._of_each(noise, rates, sizes, c, excess[few]) for c in self._centres]
        upper = self.over(noise, rates, sizes, means, up[few], reaches[0])
        total[few] = upper + self.over(noise, rates, sizes, 1 - means, down[few], reaches[1])
        return np.stack([np.zeros(rate.shape), total])

    def between(
        self, noise: Noise, rate: float, n: float, cell: tuple[Array, Array], up: float,
        down: float, seen: Array,
    ) -> Array:  # fmt: skip
        """What f does not pass on cells of means, by what is crossed or by a wider sum."""
        if self.too_many(noise, n):
            return seen  # a bound for all means
        start, end = cell
        moved, late = self.drawn(int(n)) * (end - start), start + end <= 1
        crossed = self.parts(noise, rate, n, start, up + moved, down - moved).sum(axis=0)
        crossed += self.parts(noise, rate, n, end, up - moved, down + moved).sum(axis=0)
        wide, narrow = np.where(late, 1 - start, end), np.where(late, 1 - end, start)
        wider = wide / np.maximum(narrow, 1e-300)
        rates, sizes, at = rate * wider, np.full(start.shape, n), np.where(late, end, start)
        of_line = 1 / wider if noise is NO_NOISE else np.ones(start.shape)
        reaches = [self._reach(noise, rate, n, c, (up + down) / 2) * of_line for c in self._centres]
        apart = self.over(noise, rates, sizes, at, up / wider, reaches[0])
        apart += self.over(noise, rates, sizes, 1 - at, down / wider, reaches[1])
        return np.maximum(seen, np.minimum(seen / 2 + crossed / 4, apart))

    def between_ball(
        self, noise: "NoiseBall", n: int, cell: tuple[Fraction, Fraction], up: Fraction,
        down: Fraction, seen: "arb", failure: float,
    ) -> "arb":  # fmt: skip
        """The same in balls: by a wider sum where it does, else by what is crossed too."""
        start, end = cell
        moved, late = self.drawn(n) * (end - start), start + end <= 1
        most = arb.pos_inf()
        narrow = 1 - end if late else start
        if moved > _FEW_COUNTS and narrow > 0:
            wider = (1 - start if late else end) / narrow
            point, wide = end if late else start, scaled(noise, wider)
            of_line = 1 / float(wider) if isinstance(noise, NoNoise) else 1.0
            reaches = [reach * of_line for reach in self._reaches(noise, n, up, down)]
            most = self.over_ball(wide, n, point, up / wider, reaches[0], failure)
            most += self.over_ball(wide, n, 1 - point, down / wider, reaches[1], failure)
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
        if self.too_many(NOISES[type(noise)], n):
            return arb(1)
        noise, reaches = noise.within(failure), self._reaches(noise, n, up, down)
        upper = self.over_ball(noise, n, mean, up, reaches[0], failure)
        return upper + self.over_ball(noise, n, 1 - mean, down, reaches[1], failure)

    def least_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float,
    ) -> "arb":  # fmt: skip
        """The same by the best tangents, from below; of counts where there are too many people."""
        if self.too_many(NOISES[type(noise)], n):
            return Law.failure_ball(self, noise, n, mean, up, down, failure)
        noise = noise.within(failure)
        upper = self._least_over(noise, n, mean, up, failure)
        mirrored = 2 * mean == 1 and up == down
        return upper + (upper if mirrored else self._least_over(noise, n, 1 - mean, down, failure))

    def _least_over(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, failure: float
    ) -> "arb":
        inside, outside = rates_of(noise)
        rate = float(f"{outside:.1e}")  # rates alike share it
        about = self._reach(NOISES[type(noise)], rate, n, float(mean), float(up))
        by = float(n / self.counted(np.array(float(n))))
        rates, excess = (inside * by, outside * by), float(up) / by
        best = _best_reach(self, NOISES[type(noise)], rates, n, mean, excess, about)
        least = majorant.least_of_all(
            noise, best, lambda reach: self.over_ball(noise, n, mean, up, reach, failure)
        )
        if least is None:  # that of q itself
            least = self.over_edge(noise, n, mean, self.drawn(n) * mean + up, failure)
        return least

    @property
    def _centres(self) -> tuple[float, float]:
        return self.centre, 1 - self.centre

    def _of_each(self, noise: Noise, rate: Array, n: Array, centre: float, excess: Array) -> Array:
        """The distances of some studies; branch and bound asks of one again and again."""
        one = [x.flat[0] for x in (rate, n, excess)] if rate.size else []
        if one and all(np.all(x == y) for x, y in zip((rate, n, excess), one, strict=True)):
            r, size, off = map(float, one)
            return np.full(rate.shape, self._reach(noise, r, size, centre, off))
        return self.reach_of(noise, rate, n, centre, excess)

    def _reach(self, noise: Noise, rate: float, n: float, centre: float, excess: float) -> float:
        return _reach_at(self, noise, rate, n, centre, excess)

    def _reaches(self, noise: "NoiseBall", n: int, up: Fraction, down: Fraction) -> list[float]:
        excess, (_, rate) = float((up + down) / 2), rates_of(noise)
        return [self._reach(NOISES[type(noise)], rate, n, c, excess) for c in self._centres]


@lru_cache(maxsize=4096)
def _reach_at(
    law: AnyValues, noise: Noise, rate: float, n: float, centre: float, excess: float
) -> float:
    one = (np.array([x], dtype=float) for x in (rate, n, excess))
    rates, sizes, excesses = one
    return float(law.reach_of(noise, rates, sizes, centre, excesses)[0])


@lru_cache(maxsize=4096)
def _best_reach(
    law: AnyValues, noise: Noise, rates: tuple[float, float], n: int, mean: Fraction,
    excess: float, about: float,
) -> float:  # fmt: skip
    """The best distance of one study, nearly to the last digit, with two rates."""
    return majorant.best_reach(noise, rates, law.counts(n, float(mean)), excess, about)


@dataclass(frozen=True)
class Bounded(AnyValues, Binomial):
    """Independent values in [0, 1], or the means of clusters of people, by a binomial count.

    Attributes:
        each: how many people count as one value [≥ 1].
    """

    centre: float = 0.5
    each: Fraction = Fraction(1)

    @property
    def sample(self) -> Sample:
        return Sample(design_effect=float(self.each))

    def counted(self, n: Array) -> Array:
        return np.maximum(np.floor(n * self.each.denominator / self.each.numerator), 1.0)

    def too_many(self, noise: Noise, n: Number) -> Number:
        return majorant.too_many(noise, n)

    def likely_means(
        self, n: int, error: Fraction, whole: bool, mean_range: MeanRange
    ) -> list[Fraction]:
        """The anchors, places between them and the next count, and the ends of the range."""
        near = super().likely_means(n, error, False, mean_range)
        low, high = near[-2:]
        beside = [mean - Fraction(part, _PLACES * n) for mean in near for part in range(1, _PLACES)]
        return [*near, *(mean for mean in beside if low <= mean <= high)]

    def terms(self, noise: Noise, n: int, failure: float) -> float:
        """Few, as tails are known in closed form; of Gaussian noise one for each count."""
        return super().terms(noise, n, failure) if noise is GAUSSIAN else _TAILS

    def over(
        self, noise: Noise, rate: Array, n: Array, mean: Array, up: Array, reach: Array
    ) -> Array:
        values = self.counted(n)
        return majorant.over(noise, rate * (n / values), values, mean, up * (values / n), reach)

    def over_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, reach: float, failure: float
    ) -> "arb":
        values = self._counted(n)
        wide = scaled(noise, Fraction(n, values))
        return majorant.over_ball(wide, values, mean, up * Fraction(values, n), reach, failure)

    def over_edge(
        self, noise: "NoiseBall", n: int, mean: Fraction, edge: Fraction, failure: float
    ) -> "arb":
        values = self._counted(n)
        wide = scaled(noise, Fraction(n, values))
        return super().over_edge(wide, values, mean, edge * Fraction(values, n), failure)

    def _counted(self, n: int) -> int:
        return max(int(n / self.each), 1)

    def counts(self, n: int, mean: float) -> tuple[Array, Array]:
        off, chance = counts_about(np.array([float(self._counted(n))]), np.array([mean]))
        return off[0], chance[0]

    def reach_of(self, noise: Noise, rate: Array, n: Array, centre: float, excess: Array) -> Array:
        values = self.counted(n)
        return majorant.reaches(noise, rate * (n / values), values, centre, excess * (values / n))
