"""The noisy difference of the proportions of two groups of any sizes, and how often it is large.

D = X₁/n₁ − X₂/n₂ + Z, of binomial counts X₁ and X₂ and Laplace noise Z of scale b. With the chances
p(x) of the second count and y(x) = t − x₁/n₁ + x/n₂, D is t or more with the probability

    Σ p(x)·(1 − e^(y(x)/b)/2) for y(x) < 0, plus Σ p(x)·e^(−y(x)/b)/2 for the others,

on average over x₁. Both sums run over neighbours whose exponentials differ by the factor
e^(−1/(n₂b)), so all of them are built up in one pass.
"""

import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from flint import arb, fmpq

from planner.libraries import np, scipy
from planner.mechanisms.exact.law import out_of_reach, within_reach
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.exact.sums.binomial import counts_about
from planner.mechanisms.exact.with_replacement import chances_between
from planner.numbers import Array, decimal

if TYPE_CHECKING:
    from flint import arb

_RARE = 1e-12
"""What is left out of sums over counts has less than e^−36 of this."""
_STEPS = 200
"""Of common proportions, among which the worst is sought in floats, at most; a quarter at least."""


class NoisyDifference(NamedTuple):
    """The noisy difference of the proportions of two groups.

    Attributes:
        first: n₁.
        second: n₂.
        scale: b [> 0].
    """

    first: int
    second: int
    scale: float

    def over(self, one: float, other: float, edge: float) -> float:
        """How often it is an edge or more, in floats.

        Args:
            one: the proportion of the first group.
            other: that of the second.
            edge: t.
        """
        (x, first), (z, second) = (
            _listed(n, share) for n, share in ((self.first, one), (self.second, other))
        )
        decay = math.exp(-1 / (self.second * self.scale))
        after = scipy.signal.lfilter([1.0], [1.0, -decay], second[::-1])[::-1]
        before = scipy.signal.lfilter([1.0], [1.0, -decay], second)
        under = np.concatenate([[0.0], np.cumsum(second)])
        at = np.clip(np.ceil(self.second * (x / self.first - edge)), z[0], z[-1] + 1)
        place = (at - z[0]).astype(int)

        def share_of(count: Array) -> Array:
            left = np.abs(edge - x / self.first + count / self.second)
            return np.asarray(np.exp(-left / self.scale) / 2)

        far = np.append(after, 0.0)[place] * share_of(at)
        near = under[place] - np.concatenate([[0.0], before])[place] * share_of(at - 1)
        return float(first @ (near + far))

    def edge(self, one: float, other: float, chance: float) -> float:
        """The edge that it is over with a probability, in floats."""
        middle = one - other
        reach = 40 * (self.scale + math.sqrt(0.25 / self.first + 0.25 / self.second)) + 2.0
        found = scipy.optimize.brentq(
            lambda t: self.over(one, other, t) - chance,
            middle - reach, middle + reach, xtol=1e-14, rtol=1e-13,
        )  # fmt: skip
        return float(found)

    def worst(self, edge: float, within: tuple[float, float]) -> tuple[float, float]:
        """The most often that it is an edge or more, about, and at which common proportion."""
        low, high = (math.asin(math.sqrt(share)) for share in within)
        # half a standard deviation of the angle apart; of large groups it changes less
        steps = min(math.ceil(4 * (high - low) * math.sqrt(self.first + self.second)), _STEPS)
        grid = np.linspace(low, high, max(steps, _STEPS // 4))

        def at(angle: float) -> tuple[float, float]:
            share = min(max(math.sin(angle) ** 2, within[0]), within[1])
            return self.over(share, share, edge), share

        found = [at(angle) for angle in grid.tolist()]
        best = max(range(len(found)), key=lambda place: found[place])
        near = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        if near[1] > near[0]:
            closer = scipy.optimize.minimize_scalar(
                lambda angle: -at(angle)[0], bounds=near, method="bounded"
            )
            found.append(at(float(closer.x)))
        return max(found)

    def over_ball(self, one: Fraction, other: Fraction, edge: Fraction) -> "arb":
        """How often it is an edge or more, enclosed.

        Args: as of `over`.
        """
        (start, first), (begin, second) = (
            _chances(n, share) for n, share in ((self.first, one), (self.second, other))
        )
        scale = decimal(self.scale)
        decay = (-rational(1 / (self.second * scale))).exp()
        after, before, under = [arb(0)], [arb(0)], [arb(0)]
        for chance in reversed(second):
            after.append(after[-1] * decay + chance)
        after.reverse()
        for chance in second:
            before.append(before[-1] * decay + chance)
            under.append(under[-1] + chance)
        total, step = arb(0), rational(1 / (self.second * scale))
        unit = self.first * edge.denominator  # of levels, which are whole numbers of 1/unit
        for x, chance in enumerate(first, start):
            level = self.second * (x * edge.denominator - self.first * edge.numerator)
            place = min(max(-(-level // unit) - begin, 0), len(second))
            # how far the counts at the place and before it are over or under the level
            up = arb(fmpq((begin + place) * unit - level, unit)) * step
            part = under[place]
            if place < len(second):
                part += after[place] * (-up).exp() / 2
            if place > 0:
                part -= before[place] * (up - step).exp() / 2
            total += chance * part
        rest = sum((out_of_reach(n, _RARE) for n in (self.first, self.second)), arb(0))
        return total.union(total + rest)


@lru_cache(maxsize=256)
def _listed(people: int, share: float) -> tuple[Array, Array]:
    """The counts within reach, in floats, and their chances."""
    off, chances = counts_about(np.array([float(people)]), np.array([share]))
    counts = np.rint(off[0] + people * share)
    inside = (counts >= 0) & (counts <= people)
    return counts[inside], chances[0][inside]


def _chances(people: int, share: Fraction) -> "tuple[int, list[arb]]":
    """The first count within reach, and the chances of it and all that follow."""
    reach = Fraction(within_reach(people, _RARE))
    first = max(math.floor(people * share - reach), 0)
    last = min(math.ceil(people * share + reach), people)
    return first, list(chances_between(people, first, last, share))
