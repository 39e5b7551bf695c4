"""The failure probability of a sample from a finite population, in ball arithmetic.

Edges are fractions, so that a count on one is known to be there. As in `exact.balls`, counts out of
reach of their mean have at most Hoeffding's 2·exp(−2r²/n) on either side, which holds for samples
drawn without replacement too (Hoeffding 1963, Theorem 4).
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from flint import arb, arb_poly

from planner.mechanisms.exact.balls import rational, within_reach
from planner.mechanisms.exact.sums.normal_tails import block_of, tails

if TYPE_CHECKING:
    from flint import arb


class Sample(NamedTuple):
    """n people drawn from M of whom K have the property.

    Attributes:
        people: M.
        drawn: n, at most M/2.
        having: K.
    """

    people: int
    drawn: int
    having: int

    @property
    def mean(self) -> Fraction:
        """nK/M."""
        return Fraction(self.drawn * self.having, self.people)

    @property
    def others(self) -> "Sample":
        """The same of those who do not have the property."""
        return self._replace(having=self.people - self.having)


class Noise(Protocol):
    """Noise on numbers; with a rate for counts under an edge, and one for those beyond it."""

    @property
    def whole(self) -> bool:
        """Whether edges are rounded up."""

    def under(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """The sum of chances[j]·Pr[Z ≥ left − j], where left − j > 0 for all of them."""

    def over(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """The same where left + j is how far counts lie beyond the edge, at least 0."""


class Exponential(NamedTuple):
    """Laplace or geometric noise; see `exact.balls.Exponential` for its two rates.

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

    def under(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """A polynomial in e^ε."""
        first = (-self.inside * (left - (len(chances) - 1))).exp() * self.near
        return first * arb_poly(list(chances[::-1]))((-self.inside).exp())

    def over(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """All, less a polynomial in e^(−ε)."""
        lost = (-self.outside * left).exp() * arb_poly(list(chances))((-self.outside).exp())
        lost *= self.far
        return sum(chances, arb(0)) - lost


def laplace(inside: "arb", outside: "arb") -> Exponential:
    """Laplace noise."""
    return Exponential(inside, outside, arb(1) / 2, arb(1) / 2)


def geometric(inside: "arb", outside: "arb") -> Exponential:
    """Geometric noise."""
    return Exponential(
        inside, outside, 1 / (1 + (-inside).exp()), 1 / (1 + outside.exp()), whole=True
    )


def geometric_cover(rate: "arb") -> Exponential:
    """What is off no less often, but smooth in the edge; see `cells`."""
    return geometric(rate, rate)._replace(outside=rate * rate.exp(), whole=False)


class Normal(NamedTuple):
    """Gaussian noise of deviation 1/rate."""

    inside: "arb"
    outside: "arb"
    whole: bool = False

    def under(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """By blocks."""
        return _by_blocks(chances, left, self.inside)

    def over(self, chances: "Sequence[arb]", left: "arb") -> "arb":
        """All, less those that noise brings back."""
        lost = _by_blocks(chances[::-1], left + len(chances) - 1, self.outside)
        return sum(chances, arb(0)) - lost


def _by_blocks(chances: "Sequence[arb]", left: "arb", rate: "arb") -> "arb":

    if not rate.is_finite():
        return arb(0) * len(chances)
    step = block_of(rate)
    return sum(
        (tails(list(chances[j : j + step]), left - j, rate) for j in range(0, len(chances), step)),
        arb(0),
    )


def over_edge(noise: Noise, sample: Sample, edge: Fraction, failure: float) -> "arb":
    """Pr[Y + Z ≥ edge], enclosed; counts out of reach are known to e^−36 of a failure."""
    first, chances = chances_of(sample, within_reach(max(sample.drawn, 1), failure))
    edge = Fraction(math.ceil(edge)) if noise.whole else edge
    beyond = min(max(math.ceil(edge) - first, 0), len(chances))
    total = out_of_reach(sample.drawn, failure)
    if beyond:
        total += noise.under(chances[:beyond], rational(edge - first))
    if beyond < len(chances):
        total += noise.over(chances[beyond:], rational(first + beyond - edge))
    return total


def failure_ball(noise: Noise, sample: Sample, excess: Fraction, failure: float) -> "arb":
    """The chance to be off by `excess` or more, either way."""
    return cell_ball(noise, sample, sample, excess, failure)


def cell_ball(noise: Noise, least: Sample, most: Sample, excess: Fraction, failure: float) -> "arb":
    """What no K between two passes, by stochastic order."""
    under = least.others
    upper = over_edge(noise, most, least.mean + excess, failure)
    return upper + over_edge(noise, under, most.others.mean + excess, failure)


def out_of_reach(n: int, failure: float) -> "arb":
    """What all counts out of reach of their mean have together."""
    if not n:
        return arb(0)
    reach = arb(within_reach(n, failure) - 1)
    return (2 * (-2 * reach**2 / n).exp()).union(arb(0))


@lru_cache(maxsize=1024)
def chances_of(sample: Sample, reach: float) -> "tuple[int, list[arb]]":
    """The first count within reach of the mean, and the chances of all of them."""
    people, drawn, having = sample
    first = max(0, drawn - (people - having), math.floor(sample.mean - Fraction(reach)))
    last = min(drawn, having, math.ceil(sample.mean + Fraction(reach)))
    others = people - having - drawn
    log_first = (
        log_ways(having, first) + log_ways(people - having, drawn - first) - log_ways(people, drawn)
    )
    chances = [log_first.exp()]
    for y in range(first, last):
        ratio = (having - y) * (drawn - y), (y + 1) * (others + y + 1)
        chances.append(chances[-1] * ratio[0] / ratio[1])
    return first, chances


def log_ways(n: int, k: int) -> "arb":
    """The logarithm of n choose k."""
    return arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()
