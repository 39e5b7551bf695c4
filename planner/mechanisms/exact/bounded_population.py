"""Bounded values drawn from a population, by the counts of people with the property; see `bounded`.

E φ of the sum of N values drawn without replacement is convex in all M values, and
symmetric in them, so where Mμ is whole it is the largest where Mμ values are 1 and the others 0:
for hypergeometric counts. Where it is not, the values are an average of such ones for the two whole
numbers beside it, and with edges held f is at most the average of theirs, which is what is crossed.
Of K people with the property each is left one with probability K/K′ of K′: so sums are wider in the
same ratios.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.libraries import np
from planner.mechanisms.exact import majorant
from planner.mechanisms.exact.branch import Line
from planner.mechanisms.exact.law import (
    MeanRange,
    exactly,
    out_of_reach,
    within_reach,
)
from planner.mechanisms.exact.noise import NO_NOISE, Noise
from planner.mechanisms.exact.sums.binomial import REACH
from planner.mechanisms.exact.without_replacement import (
    Hypergeometric,
    chances_of,
    counts_about as counts_of,
    smaller_of,
)
from planner.numbers import Array

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import NoiseBall
from planner.mechanisms.exact.bounded import AnyValues

_MOST_AT_ONCE = 2**20  # chances that are held at once


@dataclass(frozen=True)
class BoundedPopulation(AnyValues, Hypergeometric):
    """Values in [0, 1] drawn without replacement, by a hypergeometric count."""

    centre: float = 0.5

    def lines(self, n: int, error: Fraction, whole: bool, mean_range: MeanRange) -> list[Line]:
        """All K about the range, and what lies between them; half where it is symmetric."""
        low, high = (self.people * exactly(mean) for mean in mean_range)
        end = math.ceil(Fraction(self.people, 2) if low + high == self.people else high)
        step, excess = Fraction(1, self.people), n * error
        return [Line(math.floor(low), end, Fraction(0), step, True, excess, excess, True)]

    def likely_means(
        self, n: int, error: Fraction, whole: bool, mean_range: MeanRange
    ) -> list[Fraction]:
        """The middle and the ends."""
        (line,) = self.lines(n, error, whole, mean_range)
        return [self.nearest(self.centre, mean_range), line.mean(line.low), line.mean(line.high)]

    def nearest(self, mean: float, mean_range: MeanRange) -> Fraction:
        """K/M of the nearest K."""
        return Fraction(round(mean * self.people), self.people)

    def over(
        self, noise: Noise, rate: Array, n: Array, mean: Array, up: Array, reach: Array
    ) -> Array:
        """Count by count."""
        drawn = smaller_of(self.people, n)
        values = np.empty(rate.shape)
        width = 2 * REACH * math.sqrt(float(np.max(drawn, initial=0))) + 3
        step = max(1, int(_MOST_AT_ONCE / width))
        for start in range(0, len(values), step):
            row = slice(start, start + step)
            counts = counts_of(self.people, drawn[row], np.rint(mean[row] * self.people))
            values[row] = majorant.over_counts(noise, counts, rate[row], up[row], reach[row])
        return values

    def over_ball(
        self, noise: "NoiseBall", n: int, mean: Fraction, up: Fraction, reach: float, failure: float
    ) -> "arb":
        """By a list of chances."""
        drawn = self.drawn(n)
        listed = chances_of(
            self.people, drawn, int(mean * self.people), within_reach(drawn, failure)
        )
        rest = out_of_reach(drawn, failure)
        return majorant.over_listed(noise, listed, drawn * mean + up, up, reach, rest, drawn)

    def counts(self, n: int, mean: float) -> tuple[Array, Array]:
        """Hypergeometric ones."""
        having = np.array([round(mean * self.people)])
        off, chance = counts_of(self.people, np.array([self.drawn(n)]), having)
        return off[0], chance[0]

    def reach_of(self, noise: Noise, rate: Array, n: Array, centre: float, excess: Array) -> Array:
        """As of so many independent people as have the same variance."""
        as_many = np.maximum(n * (self.people - 1) / np.maximum(self.people - n, 1), n)
        counted = as_many / n
        reach = majorant.reaches(noise, rate / counted, as_many, centre, excess * counted)
        return reach / counted if noise is NO_NOISE else reach
