"""The failure probability at one mean in ball arithmetic.

It is a sum over the counts within reach of the mean; the rest of the counts have together at most
Hoeffding's 2·exp(−2r²/N), which is added for either edge as a ball.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.privacy.gaussian import upper_tail

if TYPE_CHECKING:
    from flint import arb

_REST = 60.0
"""Counts out of reach have together less than e^−60 of α."""


def failure_ball(
    epsilon: "arb",
    participants: int,
    excess: "arb",
    mean: "arb",
    failure: float = 1.0,
    outside: "arb | None" = None,
) -> "arb":
    """Pr[|K + Z − Nμ| ≥ NT] with Laplace noise, enclosed.

    Args:
        epsilon: ε.
        participants: N.
        excess: NT.
        mean: μ.
        failure: the size of answer that matters; the rest is told to e^−60 of it.
        outside: ε for samples that are off already, if another: those fail the less the more noise
            there is, the others the more, so that with a smaller ε here every term is at its least
            over [outside, epsilon].
    """
    edges = (participants * mean - excess, participants * mean + excess)

    def carried(off: "arb", side: int) -> _Carried:
        return _Carried(epsilon, outside or epsilon, off, side)

    return _sum(participants, edges, mean, failure, carried)


def cell_ball(
    epsilon: "arb", participants: int, excess: "arb", left: "arb", right: "arb", failure: float
) -> "arb":
    """What the failure probability does not pass between two means, by stochastic order.

    More likely people make larger counts: the upper side is at most that of the right mean with the
    edge of the left one, the lower side the other way round.
    """
    n = participants

    def carried(off: "arb", side: int) -> _Carried:
        return _Carried(epsilon, epsilon, off, side)

    upper = _sum(n, (None, n * left + excess), right, failure, carried)
    return upper + _sum(n, (n * right - excess, None), left, failure, carried)


def held_cell_ball(
    epsilon: "arb",
    participants: int,
    edges: tuple[int, int],
    left: "arb",
    right: "arb",
    failure: float,
) -> "arb":
    """The same with geometric noise, for the edges (g, h) of the cell."""
    from flint import arb

    low, high = edges

    def carried(off: "arb", side: int) -> _Carried:
        return _Carried(epsilon, epsilon, off, side, whole=True)

    upper = _sum(participants, (None, arb(high)), right, failure, carried)
    return upper + _sum(participants, (arb(low), None), left, failure, carried)


def exact_failure_ball(
    epsilon: "arb",
    participants: int,
    error: Fraction,
    mean: Fraction,
    failure: float = 1.0,
    outside: "arb | None" = None,
) -> "arb":
    """`failure_ball` at decimals, so that an edge that is a whole number is known to be one.

    However little noise there is, whether a count lies on its edge decides.
    """

    def carried(off: "arb", side: int) -> _Carried:
        return _Carried(epsilon, outside or epsilon, off, side)

    edges = _exact_edges(participants, error, mean)
    return _sum(participants, edges, rational(mean), failure, carried)


def _exact_edges(participants: int, error: Fraction, mean: Fraction) -> "tuple[arb, arb]":
    return rational(participants * (mean - error)), rational(participants * (mean + error))


def rational(fraction: Fraction) -> "arb":
    """A ball about a fraction: the number itself where it has a binary form."""
    from flint import arb, fmpq

    return arb(fmpq(fraction.numerator, fraction.denominator))


def held_ball(
    epsilon: "arb",
    participants: int,
    edges: tuple[int, int],
    mean: "arb",
    failure: float = 1.0,
    outside: "arb | None" = None,
) -> "arb":
    """Pr[K + Z ≤ g] + Pr[K + Z ≥ h] with geometric noise, for edges (g, h); see `failure_ball`."""
    from flint import arb

    low, high = edges

    def carried(off: "arb", side: int) -> _Carried:
        return _Carried(epsilon, outside or epsilon, off, side, whole=True)

    return _sum(participants, (arb(low), arb(high)), mean, failure, carried)


def gaussian_ball(
    rate: "arb",
    participants: int,
    excess: "arb",
    mean: "arb",
    failure: float = 1.0,
    outside: "arb | None" = None,
) -> "arb":
    """Pr[|K + Z − Nμ| ≥ NT] with Gaussian noise of deviation 1/rate; see `failure_ball`."""
    edges = (participants * mean - excess, participants * mean + excess)
    return _sum(
        participants, edges, mean, failure, lambda _, side: _Normal(rate, outside or rate, side)
    )


def gaussian_cell_ball(
    rate: "arb", participants: int, excess: "arb", left: "arb", right: "arb", failure: float
) -> "arb":
    """`cell_ball` with Gaussian noise of deviation 1/rate."""
    n = participants

    def carried(_: "arb", side: int) -> _Normal:
        return _Normal(rate, rate, side)

    upper = _sum(n, (None, n * left + excess), right, failure, carried)
    return upper + _sum(n, (n * right - excess, None), left, failure, carried)


def exact_gaussian_ball(
    rate: "arb",
    participants: int,
    error: Fraction,
    mean: Fraction,
    failure: float = 1.0,
    outside: "arb | None" = None,
) -> "arb":
    """`gaussian_ball` at decimals; see `exact_failure_ball`."""
    edges = _exact_edges(participants, error, mean)
    return _sum(
        participants,
        edges,
        rational(mean),
        failure,
        lambda _, side: _Normal(rate, outside or rate, side),
    )


def within_reach(participants: int, failure: float) -> float:
    """How far from the mean the counts are that are summed."""
    return math.sqrt(participants * (_REST - math.log(failure)) / 2) + 1


def _sum(
    n: int,
    edges: "tuple[arb | None, arb | None]",
    mean: "arb",
    failure: float,
    carried: "Callable[[arb, int], _Carried | _Normal]",
) -> "arb":
    from flint import arb

    centre = float(mean.mid()) * n
    reach = within_reach(n, failure)
    first, last = max(0, math.floor(centre - reach)), min(n, math.ceil(centre + reach))
    if mean.is_zero() or (1 - mean).is_zero():
        first = last = 0 if mean.is_zero() else n
        chance = arb(1)
    else:
        chance = _chance(n, first, mean)
    odds = mean / (1 - mean) if first < last else arb(0)
    sides = [
        (edge, carried(first - edge, side))
        for edge, side in zip(edges, (-1, 1), strict=True)
        if edge is not None
    ]
    total = arb(0)
    for k in range(first, last + 1):
        for edge, noise in sides:
            total += chance * noise.reach(k, edge)
            noise.step()
        chance *= odds * (n - k) / (k + 1)
    if first > 0 or last < n:
        rest = 4 * (-2 * arb(reach - 1) ** 2 / n).exp()  # once for either edge
        total += rest.union(arb(0))
    return total


class _Carried:
    """The chances that a count and its noise reach an edge, one count after the other.

    Attributes:
        side: 1 for counts of at least the edge, −1 for counts of at most it.
    """

    def __init__(
        self, inside: "arb", outside: "arb", off: "arb", side: int, whole: bool = False
    ) -> None:
        from flint import arb

        # v·e^(ε(k − edge)) and the like, for the ε that counts on either side of the edge
        near, far = arb(1) / 2, arb(1) / 2
        if whole:
            near, far = 1 / (1 + (-inside).exp()), 1 / (1 + outside.exp())
        self.near, self.far = (
            near * (side * inside * off).exp(),
            far * (-side * outside * off).exp(),
        )
        self.approach, self.leave = (side * inside).exp(), (-side * outside).exp()
        self.side = side

    def reach(self, k: int, edge: "arb") -> "arb":
        """The chance for the count k."""
        if k < edge if self.side > 0 else k > edge:
            return self.near
        beyond = 1 - self.far
        return beyond if k > edge or k < edge else self.near.union(beyond)

    def step(self) -> None:
        """Go on to the next count."""
        self.near *= self.approach
        self.far *= self.leave


class _Normal:
    """The same for Gaussian noise, whose chances are found one by one."""

    def __init__(self, inside: "arb", outside: "arb", side: int) -> None:
        self.inside, self.outside, self.side = inside, outside, side

    def reach(self, k: int, edge: "arb") -> "arb":
        """The chance for the count k."""
        left = edge - k if self.side > 0 else k - edge
        if left > 0:
            return upper_tail(left * self.inside)
        beyond = upper_tail(left * self.outside)
        return beyond if left < 0 else beyond.union(upper_tail(left * self.inside))

    def step(self) -> None:
        """Nothing is carried along."""


def _chance(n: int, k: int, mean: "arb") -> "arb":
    """Pr[K = k]."""
    from flint import arb

    ways = arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()
    return (ways + k * mean.log() + (n - k) * (1 - mean).log()).exp()
