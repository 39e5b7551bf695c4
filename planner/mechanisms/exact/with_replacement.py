"""People drawn independently, from a population without end: their count is binomial."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact import curvature
from planner.mechanisms.exact.branch import Line
from planner.mechanisms.exact.law import (
    HALF,
    Cell,
    Law,
    MeanRange,
    Places,
    anchors,
    exactly,
    out_of_reach,
    summed,
    within_reach,
)
from planner.mechanisms.exact.noise_balls import Exponential, NoNoise, Normal
from planner.mechanisms.exact.sums.binomial_tails import MANY, log_ways, upper_sum
from planner.mechanisms.sample import Sample
from planner.numbers import Array, Number, decimal, rational

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise import Noise
    from planner.mechanisms.exact.noise_balls import NoiseBall


@dataclass(frozen=True)
class Binomial(Law):
    """People drawn independently, from a population without end."""

    symmetric = True

    @property
    def sample(self) -> Sample:
        return Sample()

    def drawn(self, n: int) -> int:
        return n

    def lines(self, n: int, error: Fraction, whole: bool, mean_range: MeanRange) -> list[Line]:
        """All means, half of them where the range is symmetric; the tips and ends for whole noise.

        There the tips of one edge are the mirror image of those of the other.
        """
        (low, high), excess = map(exactly, mean_range), n * error
        mirrored = low + high == 1
        if not whole:
            end = HALF if mirrored else high
            return [Line(low, end, Fraction(0), Fraction(1), False, excess, excess)]
        other = math.ceil(2 * excess) - excess
        lines = []
        for end in (low,) if mirrored or low == high else (low, high):
            up, down = math.ceil(n * end + excess) - n * end, n * end - math.floor(n * end - excess)
            lines.append(Line(0, 0, end, Fraction(0), True, up, down))
        edges = ((-error, excess, other),) if mirrored else (
            (-error, excess, other), (error, other, excess)
        )  # fmt: skip
        for start, up, down in edges:
            first, last = math.ceil(n * (low - start)), math.floor(n * (high - start))
            if first <= last:
                lines.append(Line(first, last, start, Fraction(1, n), True, up, down))
        return lines

    def place(self, n: int, error: Fraction, whole: bool, mean: Fraction) -> tuple[float, ...]:
        expected, excess = n * mean, n * error
        if not whole:
            return float(mean), float(excess), float(excess)
        up = math.ceil(expected + excess) - expected
        return float(mean), float(up), float(expected - math.floor(expected - excess))

    def likely(
        self, noise: "Noise", n: Array, error: float, mean_range: MeanRange
    ) -> tuple[Places, Places]:
        """The `anchors`, and beside them the tips of the upper edge; of whole noise those alone."""
        near = anchors(error, mean_range)
        if noise.whole:
            none = np.empty((0, len(n)))
            return Places(none, none, none, none), self._tips(n, error, mean_range, near)
        means = np.array(near)[:, None] + np.zeros(len(n))
        beside = [
            np.clip((np.ceil(n * (mean + error)) - step) / n - error, *mean_range)
            for mean in near
            for step in (0, 1)
        ]
        excess = n * error
        return tuple(Places(mean, excess, excess, np.True_) for mean in (means, np.array(beside)))  # type: ignore[return-value]

    def _tips(self, n: Array, error: float, mean_range: MeanRange, near: list[float]) -> Places:
        """The tips nearest to the anchors, and ends of the range that are nearer."""
        (low, high), t = map(exactly, mean_range), decimal(error)
        apart, rows = _whole_from(n, 2 * t), []
        here, there = n * error, np.maximum(apart - n * error, n * error)
        for anchor in near:
            centre = min(max(decimal(anchor), low), high)
            above, below = _whole_from(n, centre + t), -_whole_from(n, t - centre)
            rows += [((above - step) / n - error, here, there) for step in (0, 1)]
            if low + high != 1:
                rows += [((below + step) / n + error, there, here) for step in (0, 1)]
            if centre in (low, high):
                rows.append((np.full(n.shape, anchor), above - n * anchor, n * anchor - below))
        mean, up, down = (np.array(x) for x in zip(*rows, strict=True))
        inside = (mean >= mean_range[0]) & (mean <= mean_range[1])
        return Places(np.where(inside, mean, mean_range[0]), up, down, inside)

    def hidden(self, noise: "Noise", rate: Array, n: Array) -> Array:
        return np.asarray((n > noise.tips_up_to) | (rate <= noise.tips_from))

    def likely_means(
        self, n: int, error: Fraction, whole: bool, mean_range: MeanRange
    ) -> list[Fraction]:
        """The anchors, or the tips beside them, and the ends of the range."""
        low, high = ends = [exactly(end) for end in mean_range]
        near = [decimal(mean) for mean in anchors(float(error), mean_range)]
        if not whole:
            return [*near, *ends]
        tips = [
            (edge + step) / n - off
            for mean in near
            for off in (error, -error)
            for edge in [Fraction(math.floor(n * (mean + off)))]
            for step in (0, 1)
        ]
        return [*(tip for tip in tips if low <= tip <= high), *ends]

    def parts(
        self, noise: "Noise", rate: Number, n: Number, mean: Number, up: Number, down: Number,
        covered: bool = False,
    ) -> Array:  # fmt: skip
        return noise.parts(rate, n, mean, up, down)

    def for_all(
        self, noise: "Noise", rate: Number, n: Number, error: Number, mean_range: MeanRange
    ) -> Number:
        return noise.for_all(rate, n, error, mean_range)

    def chord(
        self, noise: "Noise", line: Line, rate: Number, n: int, error: Number, cell: Cell,
        covered: "Callable[[], Number]", goal: float,
    ) -> Number:  # fmt: skip
        """By the logarithm, or the noise's own chord; along tips by the chances of counts alone."""
        width, size = cell.right - cell.left, numbers.of(cell.seen).number(n)
        if line.whole:
            bent, rest = curvature.of_tips(size, cell.start, cell.end, goal)
            return curvature.by_log_chord(cell.seen, width, bent) + rest
        bent = curvature.of_means(size, cell.start, cell.end, noise.steep(rate))
        chord = curvature.by_log_chord(cell.seen, width, bent)
        own = noise.chord(cell.seen, cell.start, cell.end, rate, size, error, goal)
        return numbers.of(cell.seen).minimum(chord, own)

    def over_edge(
        self, noise: "NoiseBall", n: int, mean: Fraction, edge: Fraction, failure: float
    ) -> "arb":
        """By a list of chances; of many people by sums over all counts, where there are such."""
        edge = Fraction(math.ceil(edge)) if noise.whole else edge
        if mean in (0, 1):
            return summed(noise, (int(n * mean), [arb(1)]), edge)
        odds = rational(mean / (1 - mean))
        if n > MANY and isinstance(noise, NoNoise):
            return upper_sum(n, math.ceil(edge), odds, arb(1)) if edge <= n else arb(0)
        if n > MANY and isinstance(noise, Exponential):
            return noise.of_many(n, odds, edge)
        reach = within_reach(n, failure)
        first, last = math.floor(n * mean - Fraction(reach)), math.ceil(n * mean + Fraction(reach))
        first, last, rest = max(first, 0), min(last, n), out_of_reach(n, failure)
        if n <= MANY:
            return summed(noise, (first, chances_between(n, first, last, mean)), edge) + rest
        near = Fraction(min(noise.reach, 2.0**60))
        first, sure = max(first, math.floor(edge - near)), math.ceil(edge + near)
        if sure > last:
            return summed(noise, (first, chances_between(n, first, last, mean)), edge) + rest
        total = upper_sum(n, max(sure, 0), odds, arb(1))
        if isinstance(noise, Normal):  # counts farther from the edge than noise carries any
            total += noise.left_out.union(-noise.left_out)
        if sure > first:
            total += summed(noise, (first, chances_between(n, first, sure - 1, mean)), edge)
        return total + rest


@lru_cache(maxsize=1024)
def chances_between(n: int, first: int, last: int, mean: Fraction) -> "list[arb]":
    """The chances of the counts of a range."""
    if mean in (0, 1):
        return [arb(k == n * mean) for k in range(first, last + 1)]
    share, other = rational(mean), rational(1 - mean)
    log_first = log_ways(n, first) + first * share.log() + (n - first) * other.log()
    chances, odds = [log_first.exp()], share / other
    for k in range(first, last):
        chances.append(chances[-1] * (odds * (n - k) / (k + 1)))
    return chances


def _whole_from(n: Array, share: Fraction) -> Array:
    """⌈n·share⌉ for an array of whole n: floats decide but where they are near a whole number."""
    level = n * float(share)
    rounded = np.ceil(level)
    near = np.abs(level - np.rint(level)) < 1e-9 * np.maximum(np.abs(level), 1.0)
    if near.any():
        exact = n[near].astype(np.int64).astype(object)  # whole numbers of any length
        rounded[near] = -(-exact * share.numerator // share.denominator)
    return rounded


BINOMIAL = Binomial()
