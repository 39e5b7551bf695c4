"""Laplace, geometric and Gaussian noise on a count, in ball arithmetic."""

import math
from typing import TYPE_CHECKING, NamedTuple, cast

from flint import arb

from planner.mechanisms.exact.sums.binomial_sums import Counts, chances, series
from planner.mechanisms.exact.sums.binomial_tails import chance, upper_sum
from planner.mechanisms.exact.sums.normal_tails import block_of, tails
from planner.privacy.gaussian import upper_tail

if TYPE_CHECKING:
    from flint import arb, fmpz

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
        under, over = beside(edge, window)
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

    def over(self, n: int, shares: Shares, edge: "arb") -> "arb":
        """Pr[K + Z ≥ edge], over all counts."""
        under, over = beside(edge, (0, n))
        (mean, other), (near, far) = shares, self._weights()
        odds, total = mean / other, mean * 0
        if under >= 0:
            tilted = upper_sum(n, n - under, 1 / odds, (-self.inside).exp())
            total += near * (-self.inside * (edge - under)).exp() * tilted
        if over <= n:
            total += upper_sum(n, over, odds, mean * 0 + 1)
            tilted = upper_sum(n, over, odds, (-self.outside).exp())
            total -= far * (-self.outside * (over - edge)).exp() * tilted
        for k in range(max(0, under + 1), min(n, over - 1) + 1):  # the ball does not tell
            total += chance(n, k, odds) * self.at(k, edge)
        return total

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
        first, last = window
        mean, other = shares
        under, over = beside(edge, window)
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


def beside(edge: "arb", window: Counts) -> Counts:
    """The last count that is surely under an edge, and the first surely over it."""
    first, last = window
    if not edge.is_finite():
        return first - 1, last + 1
    under, over = (
        cast("fmpz", x.unique_fmpz()) for x in (edge.lower().ceil(), edge.upper().floor())
    )
    return min(int(under) - 1, last), max(int(over) + 1, first)
