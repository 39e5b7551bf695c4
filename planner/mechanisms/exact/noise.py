"""Noise on a count, and none: what the exact analysis asks of each kind.

The less noise there is, the higher its rate: ε, and 1/σ for Gaussian noise. With G(t) = Pr[Z ≥ t],
a count that lies t under an edge is carried over it with probability G(t), and one that lies −t
beyond it is carried back with probability 1 − G(t). All of these noises are log-concave, so with
edges held how likely a count is right rises and then falls with the count.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact import large_study, noise_balls
from planner.mechanisms.exact.sums.binomial import REACH, counts_about, lower_tail, upper_tail
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall

GONE = 1e13
"""No rate beyond this is searched. Where a sample alone is never off by T, as of one person with
T = 1, the failure probability of continuous noise goes on falling as one over its rate."""
LARGE = 20_000
"""In studies of more people one person does not tip the worst mean."""
ON_EDGE = 1e-9
"""Counts so near to an edge are on it: floats differ by less."""
_MOST_AT_ONCE = 2**20
"""So many chances are held at once."""


class Noise(ABC):
    """One kind of noise on a count."""

    kind: str
    whole = False
    """Whether it is whole, so that edges are rounded up."""
    growth = 0.0
    """What falls with the rate in a failure probability does so once divided by rate^growth."""
    smooth = 0.0
    """The rate up to which f falls with the rate at the likely means about 1/2: whole counts then
    ripple f by less than that."""
    tips_up_to = LARGE
    """In studies of more people means at which a count tips over an edge are not looked at."""
    tips_from = 0.0
    """Nor are they with rates up to this, at which the noise hides which counts tip over."""
    unseen = 0.0
    """What sums in floats may leave out."""
    dent = Fraction(1, 2)
    """Beyond an edge c, the second derivative of Pr[|d + Z| ≥ c] is at least −dent·rate²."""

    @abstractmethod
    def carried(self, left: Array, rate: Array) -> Array:
        """How likely a count is carried over an edge so far away, or back from beyond it."""

    def density(self, x: Array) -> Array:
        """Its density at rate 1: sums of bounded values need it."""
        raise NotImplementedError

    @abstractmethod
    def tail_ball(self, x: "arb") -> "arb":
        """Pr[Z ≥ x] at rate 1, x ≥ 0, of noise on all numbers."""

    @abstractmethod
    def steep(self, rate: Number) -> Number:
        """What bounds −(ln G)″ and −(ln(1 − G))″, of the cover of noise that is not smooth."""

    @abstractmethod
    def alone(self, n: Array, error: float, failure: float) -> Array:
        """A rate that no study can do without, as noise alone is off too often at lower ones."""

    @abstractmethod
    def alone_ball(self, excess: "arb", failure: "arb") -> "arb":
        """The rate up to which noise alone is off by an excess with probability α."""

    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        """Pr[K + Z ≥ Nμ + up or ≤ Nμ − down] of a binomial count, in two parts.

        Along the first axis: that of counts that are off already, which grows with the rate, and
        that of those that the noise carries off, which falls.
        """
        return self.summed(counts_about, rate, n, mean, up, down)

    def summed(
        self, counts: Callable[[Array, Array], tuple[Array, Array]],
        rate: Number, n: Number, mean: Number, up: Number, down: Number, covered: bool = False,
    ) -> Array:  # fmt: skip
        """The same by sums over counts, of this noise or of its cover."""
        rate, n, mean, up, down = np.broadcast_arrays(rate, n, mean, up, down)
        rows = [x.ravel().astype(float) for x in (rate, n, mean, up, down)]
        carried = self.cover if covered else self.carried
        parts = np.zeros((2, rows[0].size))
        width = 2 * REACH * math.sqrt(float(np.max(rows[1], initial=0))) + 3
        step = max(1, int(_MOST_AT_ONCE / width))
        for start in range(0, rows[0].size, step):
            part = slice(start, start + step)
            off, chance = counts(rows[1][part], rows[2][part])
            for left in (rows[3][part, None] - off, rows[4][part, None] + off):
                moved, is_off = carried(left, rows[0][part, None]), left <= ON_EDGE
                parts[0, part] += np.sum(chance * np.where(is_off, 1 - moved, 0.0), axis=-1)
                parts[1, part] += np.sum(chance * np.where(is_off, 0.0, moved), axis=-1)
        return parts.reshape(2, *rate.shape)

    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        """The noise in balls, see `noise_balls`: count by count, unless it knows better."""
        return noise_balls.Termwise(self.tail_ball, inside, outside)

    def density_ball(self, x: "arb") -> "arb":
        """Its density at rate 1: populations need it."""
        raise NotImplementedError

    def bound(
        self, rate: float, n: float, error: float, sample: Sample, counts: bool = True
    ) -> float:
        """A bound on f that falls with N, of counts or of any values; 1 where none is known."""
        return 1.0

    def sufficient(self, n: Array, error: float, failure: float, sample: Sample) -> Array:
        """A rate that suffices by a bound; ∞ where the bound says nothing."""
        return np.full(np.shape(n), np.inf)

    def rounded_ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        """Noise on all numbers that this one is when rounded, in some cases."""
        return self.ball(inside, outside)

    def cover(self, left: Array, rate: Array) -> Array:
        """`carried` of what is off no less often, but smooth in the edge."""
        return self.carried(left, rate)

    def cover_ball(self, rate: "arb") -> "NoiseBall":
        return self.ball(rate, rate)

    def chord(
        self, seen: Number, left: Number, right: Number, rate: Number, n: Number, error: Number,
        goal: float,
    ) -> Number:  # fmt: skip
        """What f of a binomial count does not pass on a cell of means, closer than by its log."""
        return seen * 0 + numbers.of(seen).infinity

    def for_all(
        self, rate: Number, n: Number, error: Number, mean_range: tuple[float, float]
    ) -> Number:
        """A bound on f of a binomial count at all means at once; floats or balls."""
        return numbers.of(rate, n, error).number(1.0)

    def largest_rate(self, n: Array) -> Array:
        """The rate at which the noise is as good as gone."""
        return np.full_like(n, GONE)

    def likely_rate(self, n: Array, error: float, failure: float) -> Array | None:
        """About the least rate; not a number where the sample alone nearly fails.

        There some rates between may do.
        """
        return None


class NoNoise(Noise):
    """Nothing is added: studies that are not private, and reports that people randomise."""

    kind = "none"
    whole = True

    def tail_ball(self, x: "arb") -> "arb":
        return 0 * x

    def steep(self, rate: Number) -> Number:
        return rate * 0

    def alone(self, n: Array, error: float, failure: float) -> Array:
        return np.zeros(np.shape(n))

    def alone_ball(self, excess: "arb", failure: "arb") -> "arb":
        return 0 * excess

    def parts(self, rate: Number, n: Number, mean: Number, up: Number, down: Number) -> Array:
        n, mean, up, down = np.broadcast_arrays(np.asarray(n, float), mean, up, down)
        high, low = np.rint(n * mean + up), np.rint(n * mean - down)
        over = np.where(high >= 1, upper_tail(n, np.maximum(high, 1.0), mean), 1.0)
        under = np.where(low >= 0, lower_tail(n, np.maximum(low, 0.0), 1 - mean), 0.0)
        return np.stack([over + under, np.zeros(n.shape)])

    def carried(self, left: Array, rate: Array) -> Array:
        return np.zeros(np.broadcast(left, rate).shape)

    def ball(self, inside: "arb", outside: "arb") -> "NoiseBall":
        return noise_balls.NoNoise()

    def for_all(
        self, rate: Number, n: Number, error: Number, mean_range: tuple[float, float]
    ) -> Number:
        excess = n * error - 1
        return (
            large_study.sample_off(n, excess)
            if excess > 0
            else super().for_all(rate, n, error, mean_range)
        )


NO_NOISE = NoNoise()
