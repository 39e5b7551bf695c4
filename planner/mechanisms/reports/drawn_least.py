"""The least ε of a card at which N people drawn from M are accurate.

At m people with the property the edges of what is off move by N(m/M − 1/2 ± T) over p − q from 0
to 1, and the failure probability drops where an edge passes a count; between two such ties it is
smooth, and may rise or fall. What is accurate at one m need not be so at another: windows in which
all are may lie under others in which some are not. So each m that fails is followed to the least
p − q beyond which it does not, tie by tie, until none fails: no window is passed over.

In the middle a count and its mirror image are off the less often the larger p − q is
(`drawn_proof`), so nothing is accurate below a p − q at which that is too often.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from planner.libraries import np, scipy
from planner.mechanisms.exact.failure import Asked
from planner.mechanisms.exact.law import HALF
from planner.mechanisms.exact.without_replacement import Lattice
from planner.mechanisms.reports.card import about_printed, least_printed, truthful
from planner.mechanisms.reports.drawn import at_card, at_likely, beyond, quick_strengths
from planner.numbers import Array, decimal

_FEW = 60
"""Studies of so few people are far from the normal law."""
_LEAST = Fraction(1, 10**12)
"""A p − q that stands for any at all."""
_MOST_LEAPS = 2_000
"""Far more than there are ties between a guess and the least card: no search goes on for ever."""
_CLOSE = 1e-13  # of a root, as a part


@lru_cache(maxsize=8192)
def least_epsilon(of: Lattice, n: int, asked: Asked) -> float:
    """The least ε of a card; ∞ where none is accurate.

    Args:
        of: the numbers of people with the property.
        n: N.
        asked: T, α and the range of shares.
    """
    if not 1 <= n <= of.people:
        return math.inf
    strength, past = _start(of, n, asked), False
    if strength == 1:
        return math.inf
    for _ in range(_MOST_LEAPS):
        epsilon = least_printed(strength, past)
        if not math.isfinite(epsilon):
            return math.inf
        truth = truthful(epsilon)
        having, off = at_likely(of, n, 2 * truth - 1, asked)
        if off <= asked.failure:
            having, off = at_card(of, n, truth, asked)
        if off <= asked.failure:
            return epsilon
        strength, past = _One(of, n, asked, having).accurate_from(2 * truth - 1)
    return math.inf


def _start(of: Lattice, n: int, asked: Asked) -> Fraction:
    """A p − q up to which nothing is accurate; one as good as none where that is not known."""
    having, others = of.people - of.people // 2, of.people // 2
    asks_half = of.low <= having <= of.high or of.low <= others <= of.high
    one = _One(of, n, asked, having)

    def certify_fails(strength: Fraction) -> bool:
        over, _ = one.edges_beyond(strength)
        return asks_half and one.off_at(float(strength), over, n - over) > asked.failure

    if certify_fails(Fraction(1)):
        return Fraction(1)
    strength = Fraction(float(quick_strengths(of, np.array([float(n)]), asked)[0]))
    apart = 1 / (n * decimal(asked.error))
    while strength > apart:
        strength -= apart
        if certify_fails(strength) or not asks_half:
            return strength
    return _LEAST


class _One:
    """The failure probability at one m, over p − q."""

    def __init__(self, of: Lattice, n: int, asked: Asked, having: int) -> None:
        self._of, self._n, self._having, self._failure = of, n, having, asked.failure
        apart, error = Fraction(having, of.people) - HALF, decimal(asked.error)
        self._middle = n * HALF
        self._above, self._below = n * (apart + error), n * (apart - error)

    def accurate_from(self, strength: Fraction) -> tuple[Fraction, bool]:
        """The least p − q from here on from which m does not fail, and whether only beyond it."""
        while strength < 1:
            edges = self.edges_beyond(strength)
            end = min(self._next_tie(strength, *edges), Fraction(1))
            first = self._first_within(float(strength), float(end), edges)
            if first is not None:
                found = Fraction(first)
                return max(found, strength), found <= strength
            strength = end
        return Fraction(1), False

    def off_at(self, strength: float, over: int, under: int) -> float:
        """How often m is off between these ties."""
        edges = np.array([float(over)]), np.array([float(under)])
        return float(beyond(self._of, self._n, strength, [self._having], edges)[0])

    def edges_beyond(self, strength: Fraction) -> tuple[int, int]:
        """The least count that is off above, and the largest below, just beyond a p − q."""
        above = self._middle + strength * self._above
        below = self._middle + strength * self._below
        over = math.floor(above) + 1 if self._above > 0 else math.ceil(above)
        return over, math.ceil(below) - 1 if self._below < 0 else math.floor(below)

    def _next_tie(self, strength: Fraction, over: int, under: int) -> Fraction:
        """Where one of the edges reaches the next count."""
        ties = []
        for slope, count in (
            (self._above, over if self._above > 0 else over - 1),
            (self._below, under if self._below < 0 else under + 1),
        ):
            if slope:
                ties.append((count - self._middle) / slope)
        return min((tie for tie in ties if tie > strength), default=Fraction(1))

    def _first_within(self, low: float, high: float, edges: tuple[int, int]) -> float | None:
        """The first p − q between two ties at which m does not fail; None where there is none."""

        def excess(strength: float) -> float:
            return self.off_at(strength, *edges) - self._failure

        if (at_low := excess(low)) <= 0:
            return low
        good: float | None = high
        if (at_high := excess(high)) > 0:
            good = _dip(excess, low, high, min(at_low, at_high))
        return (
            None
            if good is None
            else float(scipy.optimize.brentq(excess, low, good, xtol=_CLOSE * high))
        )


def _dip(excess: Callable[[float], float], low: float, high: float, at_ends: float) -> float | None:
    """Where a smooth function that is above 0 at both ends is not; None where it always is."""
    middle = (low + high) / 2
    inside = excess(middle)
    if inside <= 0 or inside >= at_ends:
        return middle if inside <= 0 else None
    least = scipy.optimize.minimize_scalar(excess, bounds=(low, high), method="bounded")
    return float(least.x) if least.fun <= 0 else None


def quick_floors(of: Lattice, sizes: Array, asked: Asked) -> Array:
    """About the least ε over an array of N; ∞ where none is."""
    every = np.asarray(sizes, dtype=float)
    floors = about_printed(quick_strengths(of, every, asked))
    few = every <= _FEW
    floors[few] = [least_epsilon(of, int(n), asked) for n in every[few]]
    return np.where(every <= of.people, floors, np.inf)
