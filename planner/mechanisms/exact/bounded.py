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
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.libraries import np
from planner.mechanisms.exact.branch import Line
from planner.mechanisms.exact.law import Law, MeanRange, Places, anchors
from planner.mechanisms.exact.majorant import (
    NOISES,
    by_hoeffding,
    least_over,
    over,
    over_ball,
    rates_of,
    reach_at,
    reach_of,
    too_many,
)
from planner.mechanisms.exact.noise import NO_NOISE, Noise
from planner.mechanisms.exact.noise_balls import NoNoise, rational
from planner.mechanisms.exact.with_replacement import BINOMIAL, Binomial
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall

_FEW_COUNTS, _MANY_COUNTS = 2, 64
"""On narrower cells what is crossed is closer, on wider ones a wider sum."""
_PLACES = 4  # between two counts, as E φ(K) ripples from count to count
_TOLERANCE = 2e-6  # of a bracket: a plan is that much dearer at the most


@dataclass(frozen=True)
class Bounded(Binomial):
    """Independent values in [0, 1], by the count that is larger in convex order.

    Attributes:
        centre: the mean at which tangents are chosen [in [0, 1]].
    """

    centre: float = 0.5
    growth = 0.25
    """d ln q/d ln ε is at most 0.232 for Laplace noise; Gaussian noise has its own."""

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
        near = super().likely_means(n, error, False, mean_range)
        low, high = near[-2:]
        beside = [mean - Fraction(part, _PLACES * n) for mean in near for part in range(1, _PLACES)]
        return [*near, *(mean for mean in beside if low <= mean <= high)]

    def smooth(self, noise: Noise) -> float:
        """Any: no sum of any values is on a lattice. A guess, on which no proof rests."""
        return math.inf

    def for_all(
        self, noise: Noise, rate: Number, n: Number, error: Number, mean_range: MeanRange
    ) -> Number:
        """Hoeffding's bound, where there are too many people."""
        if too_many(noise, n):
            return by_hoeffding(noise, rate, n, n * error)
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
        total = by_hoeffding(noise, rate, n, excess)
        few = ~too_many(noise, n)
        rates, sizes, means = rate[few], n[few], mean[few]
        reaches = [reach_of(noise, rates, sizes, c, excess[few]) for c in self._centres]
        upper = over(noise, rates, sizes, means, up[few], reaches[0])
        total[few] = upper + over(noise, rates, sizes, 1 - means, down[few], reaches[1])
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
        if too_many(noise, n):
            return seen  # a bound for all means
        start, end = cell
        moved, late = n * (end - start), start + end <= 1
        crossed = self.parts(noise, rate, n, start, up + moved, down - moved).sum(axis=0)
        crossed += self.parts(noise, rate, n, end, up - moved, down + moved).sum(axis=0)
        wider = np.where(late, (1 - start) / (1 - end), end / np.maximum(start, 1e-300))
        rates, sizes, at = rate * wider, np.full(start.shape, n), np.where(late, end, start)
        of_line = 1 / wider if noise is NO_NOISE else np.ones(start.shape)
        reaches = [reach_at(noise, rate, n, c, (up + down) / 2) * of_line for c in self._centres]
        scaled = over(noise, rates, sizes, at, up / wider, reaches[0])
        scaled += over(noise, rates, sizes, 1 - at, down / wider, reaches[1])
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
            most = over_ball(wide, n, point, up / wider, reaches[0], failure)
            most += over_ball(wide, n, 1 - point, down / wider, reaches[1], failure)
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
        if too_many(NOISES[type(noise)], n):
            return arb(1)
        noise, reaches = noise.within(failure), self._reaches(noise, n, up, down)
        upper = over_ball(noise, n, mean, up, reaches[0], failure)
        return upper + over_ball(noise, n, 1 - mean, down, reaches[1], failure)

    @property
    def _centres(self) -> tuple[float, float]:
        """Where the tangents of the upper and the lower edge are chosen."""
        return self.centre, 1 - self.centre

    def _reaches(self, noise: "NoiseBall", n: int, up: Fraction, down: Fraction) -> list[float]:
        """The distances of either edge's tangent."""
        excess, (_, rate) = float((up + down) / 2), rates_of(noise)
        return [reach_at(NOISES[type(noise)], rate, n, c, excess) for c in self._centres]

    def least_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, down: Fraction,
        failure: float,
    ) -> "arb":  # fmt: skip
        """The same by the best tangents, from below; of counts where there are too many people."""
        if too_many(NOISES[type(noise)], n):
            return BINOMIAL.failure_ball(noise, n, mean, up, down, failure)
        noise = noise.within(failure)
        upper = least_over(noise, n, mean, up, failure)
        mirrored = 2 * mean == 1 and up == down
        return upper + (upper if mirrored else least_over(noise, n, 1 - mean, down, failure))
