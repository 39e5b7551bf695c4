"""The failure probability at one mean in ball arithmetic.

It is a sum over the counts within reach of the mean; the rest of the counts have together at most
Hoeffding's 2·exp(−2r²/N), which is added for either edge as a ball. Of many people, sums over all
counts are quicker, where there are such (see `binomial_tails`). Only the upper side
Pr[K + Z ≥ x] is summed: the lower one is that of the people who do not have the property.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb, fmpq

from planner.mechanisms.exact.noise_balls import Exponential, Normal, Shares
from planner.mechanisms.exact.sums.binomial_sums import series
from planner.mechanisms.exact.sums.binomial_tails import MANY, upper_sum

if TYPE_CHECKING:
    from flint import arb

_REST, _REST_OF_LARGE, _LARGE = 36.0, 22.0, 2**17
"""Counts out of reach have together less than e^−36 of α; in large studies e^−22."""
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
    return arb(fmpq(fraction.numerator, fraction.denominator))


def within_reach(participants: int, failure: float) -> float:
    """How far from the mean the counts are that are summed."""
    return math.sqrt(participants * out_to(participants, failure) / 2) + 1


def out_to(participants: int, failure: float) -> float:
    """Minus the logarithm of what counts out of reach have together."""
    return (_REST if participants <= _LARGE else _REST_OF_LARGE) - math.log(failure)


def upper_ball(
    noise: Exponential | Normal, n: int, edge: "arb", shares: Shares, failure: float
) -> "arb":
    """Pr[K + Z ≥ edge] at a mean μ, of μ and 1 − μ."""
    mean, other = shares
    if mean.is_zero() or other.is_zero():
        return noise.at(0 if mean.is_zero() else n, edge)
    if n > MANY and isinstance(noise, Exponential):
        return noise.over(n, shares, edge)
    centre, reach = float(mean.mid()) * n, within_reach(n, failure)
    first, last = max(0, math.floor(centre - reach)), min(n, math.ceil(centre + reach))
    total = noise.reached(n, (first, last), shares, edge, out_to(n, failure))
    if first > 0 or last < n:
        total += _out_of_reach(n, reach)
    return total


def counts_reached(n: int, least: int, shares: Shares, failure: float) -> "arb":
    """Pr[K ≥ least], without noise, of μ and 1 − μ."""
    mean, other = shares
    if least <= 0 or least > n:
        return arb(least <= 0)
    if mean.is_zero() or other.is_zero():
        return arb(other.is_zero())
    if n > MANY:
        return upper_sum(n, least, mean / other, arb(1))
    centre, reach = float(mean.mid()) * n, within_reach(n, failure)
    first, last = max(least, math.floor(centre - reach)), min(n, math.ceil(centre + reach))
    total = other**n * series(n, (first, last), mean / other) if first <= last else arb(0)
    if first > least or last < n:
        total += _out_of_reach(n, reach)
    return total


def _out_of_reach(n: int, reach: float) -> "arb":
    """What all counts out of reach have together."""
    return (2 * (-2 * arb(reach - 1) ** 2 / n).exp()).union(arb(0))
