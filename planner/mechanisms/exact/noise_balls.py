"""Noise on a count in ball arithmetic: how many counts of a list it carries over an edge.

A noise has two rates: one for samples that are not off yet, and one for those that are already.
Those fail the less the more noise there is, the others the more, so with the highest rate inside
and the lowest outside every term is at its least over a range of rates.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from flint import arb, arb_poly

from planner.mechanisms.exact.sums.binomial_tails import upper_sum
from planner.mechanisms.exact.sums.normal_tails import block_of, tails
from planner.numbers import rational
from planner.privacy.gaussian import upper_tail

if TYPE_CHECKING:
    from flint import arb

REST = 36.0
"""What is left out of a sum has less than e^−36 of the failure probability that matters."""


class Exponential(NamedTuple):
    """Laplace or geometric noise.

    Attributes:
        inside: the rate for counts under an edge.
        outside: the rate for those beyond it.
        near: how likely a count just under an edge is carried over it.
        far: how likely one on an edge is carried back.
        whole: whether the noise is whole, so that edges are rounded up.
    """

    inside: "arb"
    outside: "arb"
    near: "arb"
    far: "arb"
    whole: bool = False

    @property
    def reach(self) -> float:
        """How far it carries a count at most, but for what is left out."""
        return math.inf

    def within(self, failure: float) -> "Exponential":
        return self

    def under(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """The sum of chances[j]·Pr[Z ≥ left − j], where left − j > 0 for all of them."""
        first = (-self.inside * (left - (len(chances) - 1))).exp() * self.near
        return first * arb_poly(list(chances[::-1]))((-self.inside).exp())

    def over(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """The same where left + j is how far counts lie beyond the edge, at least 0."""
        lost = (-self.outside * left).exp() * arb_poly(list(chances))((-self.outside).exp())
        return sum(chances, arb(0)) - self.far * lost

    def of_many(self, n: int, odds: "arb", edge: Fraction) -> "arb":
        """Pr[K + Z ≥ edge] for K ~ Binomial(n, μ), o the odds of μ, by sums over all counts.

        Those from the edge on, less what noise carries back, and what it carries over.
        """
        over, total = math.ceil(edge), arb(0)
        if over > 0:
            tilted = upper_sum(n, n - over + 1, 1 / odds, (-self.inside).exp())
            total += self.near * (-self.inside * rational(edge - over + 1)).exp() * tilted
        if over <= n:
            tilted = upper_sum(n, max(over, 0), odds, (-self.outside).exp())
            lost = (-self.outside * rational(max(over, 0) - edge)).exp() * tilted
            total += upper_sum(n, max(over, 0), odds, arb(1)) - self.far * lost
        return total


class Normal(NamedTuple):
    """Gaussian noise of deviation 1/rate; see `Exponential`.

    Attributes:
        inside: the rate for counts under an edge.
        outside: the rate for those beyond it.
        deviations: how many the noise passes so rarely that it is left out.
    """

    inside: "arb"
    outside: "arb"
    deviations: float = math.sqrt(2 * REST)
    whole: bool = False

    @property
    def reach(self) -> float:
        """So many deviations of the lower rate."""
        slowest = float(self.inside.lower().min(self.outside.lower()))
        return self.deviations / slowest if slowest > 0 else math.inf

    @property
    def left_out(self) -> "arb":
        return upper_tail(arb(self.deviations))

    def within(self, failure: float) -> "Normal":
        """Q(x) is less than e^(−x²/2)."""
        return self._replace(deviations=math.sqrt(2 * (REST - math.log(failure))))

    def under(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        return self._by_blocks(chances, left, self.inside)

    def over(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """All, less those that noise brings back."""
        lost = self._by_blocks(chances[::-1], left + len(chances) - 1, self.outside)
        return sum(chances, arb(0)) - lost

    def _by_blocks(self, chances: "Sequence[arb]", left: "arb", rate: "arb") -> "arb":
        """The sum of chances[j]·Q((left − j)·rate), of counts so far away by a bound."""
        if rate == arb.pos_inf():
            return arb(0)
        slowest, first = float(rate.lower()), 0
        if slowest > 0:
            first = max(math.floor(float(left.lower()) - self.deviations / slowest) - 1, 0)
        step, rest = block_of(rate), self.left_out.union(arb(0)) if first else arb(0)
        blocks = range(min(first, len(chances)), len(chances), step)
        return sum((tails(list(chances[j : j + step]), left - j, rate) for j in blocks), rest)


class Termwise(NamedTuple):
    """Noise by its tail alone, count by count; see `Exponential`.

    Attributes:
        tail: Pr[Z ≥ x] at rate 1, x ≥ 0.
    """

    tail: Callable[["arb"], "arb"]
    inside: "arb"
    outside: "arb"
    whole: bool = False
    reach: float = math.inf

    def within(self, failure: float) -> "Termwise":
        return self

    def under(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        terms = (chance * self.tail((left - j) * self.inside) for j, chance in enumerate(chances))
        return sum(terms, arb(0))

    def over(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """All, less those that noise brings back."""
        terms = (chance * self.tail((left + j) * self.outside) for j, chance in enumerate(chances))
        return sum(chances, arb(0)) - sum(terms, arb(0))


class NoNoise(NamedTuple):
    """No noise: a count is over an edge or is not."""

    whole: bool = True
    reach: float = 0.0

    def within(self, failure: float) -> "NoNoise":
        return self

    def under(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        return arb(0)

    def over(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        return sum(chances, arb(0))


NoiseBall = Exponential | Normal | Termwise | NoNoise


def scaled(noise: NoiseBall, by: Fraction) -> NoiseBall:
    """The noise with its rates multiplied, where near and far hold at every rate."""
    if isinstance(noise, NoNoise) or by == 1:
        return noise
    inside, outside = noise.inside * rational(by), noise.outside * rational(by)
    return noise._replace(inside=inside, outside=outside)


def laplace(inside: "arb", outside: "arb") -> Exponential:
    """Laplace noise."""
    return Exponential(inside, outside, arb(1) / 2, arb(1) / 2)


def geometric(inside: "arb", outside: "arb") -> Exponential:
    """Geometric noise."""
    near, far = 1 / (1 + (-inside).exp()), 1 / (1 + outside.exp())
    return Exponential(inside, outside, near, far, whole=True)


def geometric_cover(rate: "arb") -> Exponential:
    """What is off no less often than geometric noise, but smooth in the edge; see `noise`."""
    return geometric(rate, rate)._replace(outside=rate * rate.exp(), whole=False)
