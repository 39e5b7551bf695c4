"""People drawn from the M of a population, of whom K have the property: hypergeometric counts.

Those left out are as far from their mean as those drawn, so the smaller of the two is summed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from flint import arb

from planner import numbers
from planner.libraries import np, scipy
from planner.mechanisms.exact import curvature
from planner.mechanisms.exact.branch import Line
from planner.mechanisms.exact.law import (
    HALF,
    Cell,
    Counts,
    Law,
    MeanRange,
    Places,
    anchors,
    exactly,
    out_of_reach,
    summed,
    within_reach,
)
from planner.mechanisms.exact.sums.binomial import REACH
from planner.mechanisms.exact.sums.binomial_tails import log_ways
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise import Noise
    from planner.mechanisms.exact.noise_balls import NoiseBall

LARGEST = 100_000
"""Larger populations are planned by Hoeffding's bound: their counts are summed one by one."""
_ON_EDGE = 1e-9  # floats differ by less
_HIDES = 0.5
"""At rates up to this the noise hides which counts of a finite population tip over an edge."""


@dataclass(frozen=True)
class Hypergeometric(Law):
    """People drawn without replacement.

    Attributes:
        people: M.
    """

    people: int

    @property
    def sample(self) -> Sample:
        return Sample(self.people)

    def drawn(self, n: int) -> int:
        """The smaller of the sample and of those left out; of more than there are, nobody."""
        return max(min(n, self.people - n), 0)

    def variance(self, n: Array) -> Array:
        return np.asarray(n * np.maximum(self.people - n, 0) / max(self.people - 1, 1) / 4)

    def nearest(self, mean: float, mean_range: MeanRange) -> Fraction:
        return Fraction(self.lattice(mean_range).near(mean), self.people)

    def lattice(self, mean_range: MeanRange) -> "Lattice":
        """The K whose mean lies in a range; see `lattice`."""
        return lattice(self.people, mean_range)

    def lines(self, n: int, error: Fraction, whole: bool, mean_range: MeanRange) -> list[Line]:
        of, step = self.lattice(mean_range), Fraction(1, self.people)
        return [Line(of.low, of.high, Fraction(0), step, True, n * error, n * error)]

    def place(self, n: int, error: Fraction, whole: bool, mean: Fraction) -> tuple[float, ...]:
        return float(mean), float(n * error), float(n * error)

    def likely(
        self, noise: "Noise", n: Array, error: float, mean_range: MeanRange
    ) -> tuple[Places, Places]:
        """The K nearest to the anchors, and to them the K at which a count is just off above."""
        of = self.lattice(mean_range)
        near = sorted({of.near(mean) for mean in anchors(error, mean_range)})
        having, excess = np.array(near)[:, None] + np.zeros(len(n)), n * error
        drawn = np.maximum(smaller_of(self.people, n), 1)
        level = np.ceil(drawn * having / self.people + excess)
        edges = np.concatenate([level, level - 1])
        tips = np.clip(np.floor((edges - excess) * self.people / drawn + _ON_EDGE), of.low, of.high)
        return tuple(Places(at / self.people, excess, excess, np.True_) for at in (having, tips))  # type: ignore[return-value]

    def hidden(self, noise: "Noise", rate: Array, n: Array) -> Array:
        return np.zeros(rate.shape, bool) if noise.whole else np.asarray(rate <= _HIDES)

    def likely_means(
        self, n: int, error: Fraction, whole: bool, mean_range: MeanRange
    ) -> list[Fraction]:
        of = self.lattice(mean_range)
        return [Fraction(k, self.people) for k in (of.near(HALF), of.low, of.high)]

    def parts(
        self, noise: "Noise", rate: Number, n: Number, mean: Number, up: Number, down: Number,
        covered: bool = False,
    ) -> Array:  # fmt: skip

        def counts(n: Array, mean: Array) -> tuple[Array, Array]:
            having = np.rint(mean * self.people)
            return counts_about(self.people, smaller_of(self.people, n), having)

        return noise.summed(counts, rate, n, mean, up, down, covered)

    def chord(
        self, noise: "Noise", line: Line, rate: Number, n: int, error: Number, cell: Cell,
        covered: "Callable[[], Number]", goal: float,
    ) -> Number:  # fmt: skip
        drawn, alpha = self.drawn(n), min(max(goal, 1e-300), 1.0)
        reach = within_reach(drawn, alpha)
        bent = curvature.of_population(
            self.people, drawn, noise.steep(rate), cell.left, cell.right, reach
        )
        chord = curvature.by_log_chord(covered(), cell.right - cell.left, bent)
        return chord + numbers.of(cell.seen).number(
            2 * math.exp(-2 * (reach - 1) ** 2 / max(drawn, 1))
        )

    def over_edge(
        self, noise: "NoiseBall", n: int, mean: Fraction, edge: Fraction, failure: float
    ) -> "arb":
        drawn = self.drawn(n)
        counts = chances_of(
            self.people, drawn, int(mean * self.people), within_reach(drawn, failure)
        )
        return summed(noise, counts, edge) + out_of_reach(drawn, failure)


class Lattice(NamedTuple):
    """How many of a population may have the property.

    Attributes:
        people: M.
        low: the least K.
        high: the largest; the failure probability is the same at M − K, so where the range is
            symmetric it ends in the middle.
    """

    people: int
    low: int
    high: int

    def near(self, mean: float | Fraction) -> int:
        return min(max(round(mean * self.people), self.low), self.high)


def lattice(people: int, mean_range: MeanRange) -> Lattice:
    """The K whose mean lies in a range."""
    low, high = (people * exactly(mean) for mean in mean_range)
    least, most = math.ceil(low), math.floor(high)
    if least > most:
        raise ValueError(
            f"no whole number of {people!r} people is a proportion between {mean_range[0]!r} and "
            f"{mean_range[1]!r}; give a wider mean_range"
        )
    return Lattice(people, least, people // 2 if least + most == people else most)


def smaller_of(people: int, participants: Array) -> Array:
    """The smaller of the sample and of those left out, over an array of N."""
    drawn = np.clip(np.rint(participants), 0, people)
    return np.minimum(drawn, people - drawn)


@lru_cache(maxsize=1024)
def chances_of(people: int, drawn: int, having: int, reach: float) -> Counts:
    """The first count within reach of the mean, and the chances of all of them."""
    mean = Fraction(drawn * having, people)
    first = max(0, drawn - (people - having), math.floor(mean - Fraction(reach)))
    last = min(drawn, having, math.ceil(mean + Fraction(reach)))
    others = people - having - drawn
    log_first = (
        log_ways(having, first) + log_ways(people - having, drawn - first) - log_ways(people, drawn)
    )
    chances = [log_first.exp()]
    for y in range(first, last):
        ratio = (having - y) * (drawn - y), (y + 1) * (others + y + 1)
        chances.append(chances[-1] * ratio[0] / ratio[1])
    return first, chances


def counts_about(people: int, drawn: Array, having: Array) -> tuple[Array, Array]:
    """How far counts lie over their mean, and their chances, along the last axis."""
    drawn, having = (x[..., None] for x in np.broadcast_arrays(drawn, having))
    mean = drawn * having / people
    reach = math.ceil(REACH * math.sqrt(float(np.max(drawn, initial=0)))) + 1
    count = np.rint(mean) + np.arange(-reach, reach + 1)
    possible = (count >= np.maximum(0, drawn - people + having)) & (
        count <= np.minimum(drawn, having)
    )
    table, k = _log_factorials(people), np.where(possible, count, np.rint(mean)).astype(int)
    d, h = drawn.astype(int), having.astype(int)
    logs = table[k] + table[h - k] + table[d - k] + table[people - h - d + k]
    logs = np.where(possible, logs, np.inf)
    chance = np.exp(np.min(logs, axis=-1, keepdims=True) - logs)
    return count - mean, chance / np.sum(chance, axis=-1, keepdims=True)


@lru_cache(maxsize=8)
def _log_factorials(people: int) -> Array:
    return np.asarray(scipy.special.gammaln(np.arange(people + 1) + 1.0))
