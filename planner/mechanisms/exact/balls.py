"""The failure probability at one mean in ball arithmetic.

It is a sum over the counts within reach of the mean; the rest of the counts have together at most
Hoeffding's 2·exp(−2r²/N), which is added for either edge as a ball. Only the upper side
Pr[K + Z ≥ x] is summed: the lower one is that of the people who do not have the property.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, cast

from planner.mechanisms.exact.sums.binomial_sums import Counts, chances, series
from planner.mechanisms.exact.sums.normal_tails import block_of, tails
from planner.privacy.gaussian import upper_tail

if TYPE_CHECKING:
    from flint import arb, fmpz

_REST, _REST_OF_LARGE, _LARGE = 36.0, 22.0, 2**17
"""Counts out of reach have together less than e^−36 of α; in large studies e^−22."""
Shares = tuple["arb", "arb"]
"""μ and 1 − μ, both to all their digits."""


class Exponential(NamedTuple):
    """Laplace or geometric noise of rate ε.

    Attributes:
        inside: ε for samples that are not off yet.
        outside: ε for samples that are off already: those fail the less the more noise there is,
            the others the more, so with a smaller ε here every term is at its least over
            [outside, inside].
        whole: whether the noise is geometric, on whole edges.
    """

    inside: "arb"
    outside: "arb"
    whole: bool = False

    def reached(self, n: int, window: Counts, shares: Shares, edge: "arb", rest: float) -> "arb":
        """Pr[K + Z ≥ edge, K in a window] for K ~ Binomial(N, μ), 0 < μ < 1.

        With o the odds of μ and v, w as in `noisy_count`, counts under the edge have
        v·(1 − μ)^N·Σ C(N, k)·o^k·e^(−ε(edge − k)), the others (1 − μ)^N·Σ C(N, k)·o^k less
        w·e^(−ε(k − edge)) of it: polynomials, with e^(−ε)/o and o·e^(−ε) for the tilted ones.
        Those of counts so far from the edge that e^(−ε|k − edge|) is about e^(−rest) are bounded.
        """
        first, last = window
        under, over = _beside(edge, window)
        (mean, other), (near, far) = shares, self._weights()
        odds, total, left_out = mean / other, mean * 0, mean * 0
        if under >= first:
            start = max(first, under - _steps(rest, self.inside))
            tilted = series(n, (start, under), odds, (-self.inside).exp(), downwards=True)
            total += near * (-self.inside * (edge - under)).exp() * tilted
            if start > first:
                left_out += (-self.inside * (edge - start)).exp()
        if over <= last:
            stop = min(last, over + _steps(rest, self.outside))
            tilted = series(n, (over, stop), odds, (-self.outside).exp())
            total += series(n, (over, last), odds)
            total -= far * (-self.outside * (over - edge)).exp() * tilted
            if stop < last:
                left_out += (-self.outside * (stop - edge)).exp()
        for k in range(max(first, under + 1), min(last, over - 1) + 1):  # the ball does not tell
            total += series(n, (k, k), odds) * self.at(k, edge)
        return other**n * total + left_out.union(-left_out)

    def at(self, k: int, edge: "arb") -> "arb":
        """Pr[k + Z ≥ edge]."""
        near, far = self._weights()
        if (edge - k).is_zero():  # whatever the rate
            return near.union(1 - far)
        under = near * (self.inside * (k - edge)).exp()
        over = 1 - far * (self.outside * (edge - k)).exp()
        return under if k < edge else over if k > edge else under.union(over)

    def _weights(self) -> "tuple[arb, arb]":
        """Pr[Z ≥ 0] where it is v, and w."""
        from flint import arb

        if not self.whole:
            return arb(1) / 2, arb(1) / 2
        return 1 / (1 + (-self.inside).exp()), 1 / (1 + self.outside.exp())


class Normal(NamedTuple):
    """Gaussian noise of deviation 1/rate; see `Exponential`."""

    inside: "arb"
    outside: "arb"

    def reached(self, n: int, window: Counts, shares: Shares, edge: "arb", rest: float) -> "arb":
        """Pr[K + Z ≥ edge, K in a window] for K ~ Binomial(N, μ), 0 < μ < 1.

        Counts so far from the edge that noise carries them over it with at most e^(−rest) are
        taken together.
        """
        from flint import arb

        first, last = window
        mean, other = shares
        under, over = _beside(edge, window)
        if not self.inside.is_finite():
            under, over = first - 1, last + 1
        odds, total = mean / other, arb(0)
        deviations = math.sqrt(2 * rest)
        near = self._near(edge, deviations)
        start, sure = max(first, near[0]), min(max(over, near[1] + 1), last + 1)
        if sure <= last:
            total += series(n, (sure, last), odds)
        known = chances(n, (start, sure - 1), odds) if start < sure else []
        for rate, begin, end in ((self.inside, start, under), (self.outside, over, sure - 1)):
            step = block_of(rate)
            for k in range(begin, end + 1, step):
                block = known[k - start : min(k + step, end + 1) - start]
                total += tails(block, edge - k, rate)
        for k in range(max(first, under + 1), min(last, over - 1) + 1):
            total += known[k - start] * self.at(k, edge)
        carried = upper_tail(arb(deviations)).union(arb(0))
        return other**n * total + carried - carried

    def _near(self, edge: "arb", deviations: float) -> Counts:
        """The counts outside of which all are at least so many of the noise's deviations off."""
        slowest = float(self.inside.lower().min(self.outside.lower()))
        if not (slowest > 0 and self.inside.is_finite() and edge.is_finite()):
            return -(2**60), 2**60
        reach = min(deviations / slowest, 2.0**59) * (1 + 1e-9)
        low, high = float(edge.lower()) - reach, float(edge.upper()) + reach
        return math.floor(low) - 1, math.ceil(high) + 1

    def at(self, k: int, edge: "arb") -> "arb":
        """Pr[k + Z ≥ edge]."""
        left = edge - k
        if left.is_zero():  # whatever the rate
            return upper_tail(left)
        if left > 0:
            return upper_tail(left * self.inside)
        beyond = upper_tail(left * self.outside)
        return beyond if left < 0 else beyond.union(upper_tail(left * self.inside))


def _steps(rest: float, rate: "arb") -> int:
    """After how many counts e^(−rate) to their power is about e^(−rest)."""
    slowest = float(rate.lower())
    return math.ceil(min(rest / slowest, 2.0**59)) if slowest > 0 else 2**60


Edges = tuple["arb", "arb"]
"""The counts at most and at least which are off."""


def failure_ball(
    noise: Exponential | Normal, participants: int, edges: Edges, mean: "arb", failure: float = 1.0
) -> "arb":
    """Pr[K + Z ≤ low edge] + Pr[K + Z ≥ high edge], enclosed.

    Args:
        noise: Z.
        participants: N.
        edges: of counts, see `edges_about` and `exact_edges`.
        mean: μ.
        failure: the size of answer that matters; the rest is known to a tiny part of it.
    """
    return cell_ball(noise, participants, edges, mean, mean, failure)


def cell_ball(
    noise: Exponential | Normal,
    participants: int,
    edges: Edges,
    left: "arb",
    right: "arb",
    failure: float,
) -> "arb":
    """What the failure probability does not pass between two means, by stochastic order.

    More likely people make larger counts: the upper side is at most that of the right mean with the
    edge of the left one, the lower side the other way round; those are the edges to give.
    """
    n, (low, high) = participants, edges
    upper = upper_ball(noise, n, high, (right, 1 - right), failure)
    return upper + upper_ball(noise, n, n - low, (1 - left, left), failure)


def edges_about(participants: int, mean: "arb", excess: "arb") -> Edges:
    """Nμ ∓ NT."""
    return participants * mean - excess, participants * mean + excess


def exact_edges(participants: int, error: Fraction, mean: Fraction) -> Edges:
    """Nμ ∓ NT of decimals, so that an edge that is a whole number is known to be one.

    However little noise there is, whether a count lies on its edge decides.
    """
    return rational(participants * (mean - error)), rational(participants * (mean + error))


def rational(fraction: Fraction) -> "arb":
    """A ball about a fraction: the number itself where it has a binary form."""
    from flint import arb, fmpq

    return arb(fmpq(fraction.numerator, fraction.denominator))


def within_reach(participants: int, failure: float) -> float:
    """How far from the mean the counts are that are summed."""
    return math.sqrt(participants * _rest(participants, failure) / 2) + 1


def _rest(participants: int, failure: float) -> float:
    """Minus the logarithm of what counts out of reach have together."""
    return (_REST if participants <= _LARGE else _REST_OF_LARGE) - math.log(failure)


def upper_ball(
    noise: Exponential | Normal, n: int, edge: "arb", shares: Shares, failure: float
) -> "arb":
    """Pr[K + Z ≥ edge] at a mean μ, of μ and 1 − μ."""
    mean, other = shares
    if mean.is_zero() or other.is_zero():
        return noise.at(0 if mean.is_zero() else n, edge)
    centre, reach = float(mean.mid()) * n, within_reach(n, failure)
    first, last = max(0, math.floor(centre - reach)), min(n, math.ceil(centre + reach))
    total = noise.reached(n, (first, last), shares, edge, _rest(n, failure))
    if first > 0 or last < n:
        total += _out_of_reach(n, reach)
    return total


def counts_reached(n: int, least: int, shares: Shares, failure: float) -> "arb":
    """Pr[K ≥ least], without noise, of μ and 1 − μ."""
    from flint import arb

    mean, other = shares
    if least <= 0 or least > n:
        return arb(least <= 0)
    if mean.is_zero() or other.is_zero():
        return arb(other.is_zero())
    centre, reach = float(mean.mid()) * n, within_reach(n, failure)
    first, last = max(least, math.floor(centre - reach)), min(n, math.ceil(centre + reach))
    total = other**n * series(n, (first, last), mean / other) if first <= last else arb(0)
    if first > least or last < n:
        total += _out_of_reach(n, reach)
    return total


def _out_of_reach(n: int, reach: float) -> "arb":
    """What all counts out of reach have together."""
    from flint import arb

    return (2 * (-2 * arb(reach - 1) ** 2 / n).exp()).union(arb(0))


def _beside(edge: "arb", window: Counts) -> Counts:
    """The last count that is surely under an edge, and the first surely over it."""
    first, last = window
    if not edge.is_finite():
        return first - 1, last + 1
    under, over = (
        cast("fmpz", x.unique_fmpz()) for x in (edge.lower().ceil(), edge.upper().floor())
    )
    return min(int(under) - 1, last), max(int(over) + 1, first)
