"""How often a share estimated from randomised reports is off, N people drawn from M.

Of the M people m have the property; K of those drawn have it, K hypergeometric, and the number of
reports is Y ~ Binomial(K, p) + Binomial(N − K, q). The estimate is off by T or more exactly where
|Y − Nλ| ≥ Nτ, λ = q + (m/M)(p − q), τ = T(p − q). All of it is decided in fractions; the chances
are summed in floats, by the characteristic function of Y: p + qe^(iθ) and q + pe^(iθ) have one
absolute value, so only its phase depends on K. Where θ is over 13 divided by the standard
deviation of Y, it is under 1e-15: Y is a sum of independent bits.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from planner.libraries import np, scipy
from planner.mechanisms.exact.failure import Asked
from planner.mechanisms.exact.law import HALF
from planner.mechanisms.exact.without_replacement import Lattice, counts_about, smaller_of
from planner.mechanisms.reports.worst import near_tips
from planner.numbers import Array, Number, decimal

_REACH = 5.3
"""Reports farther off than this times √N have less than 1e-24 together (Hoeffding)."""
_FADED = 13.3  # so many standard deviations leave e^(−88)
_HALVINGS = 40  # to 1e-12
_LEAST = 1e-12  # a p − q that stands for any at all
_NEAR = range(-6, 7)  # tips that guide a search; what it finds is looked at at all of them


@dataclass(frozen=True)
class Reports:
    """The reports of N people, and how far off is too far; whole numbers decide on which side.

    Attributes:
        of: the numbers of people with the property.
        n: N.
        strength: p − q [above 0].
        error: T.
    """

    of: Lattice
    n: int
    strength: Fraction
    error: Fraction

    def over(self, having: int) -> int:
        """The least number of reports that is off above."""
        (above, _), slope, unit = self._edges
        return -((-above - having * slope) // unit)

    def under(self, having: int) -> int:
        """The largest number of reports that is off below."""
        (_, below), slope, unit = self._edges
        return (below + having * slope) // unit

    def last_over(self, count: int) -> int:
        """The largest m at which so many reports are off above."""
        (above, _), slope, unit = self._edges
        return (count * unit - above) // slope

    def first_under(self, count: int) -> int:
        """The least m at which so many reports are off below."""
        (_, below), slope, unit = self._edges
        return -((below - count * unit) // slope)

    @cached_property
    def _edges(self) -> tuple[tuple[int, int], int, int]:
        """At m the edges are (above + m·slope)/unit and (below + m·slope)/unit."""
        (tells, whole), (error, part) = (x.as_integer_ratio() for x in (self.strength, self.error))
        middle, side = self.n * self.of.people * part, 2 * self.n * self.of.people * error
        shift = middle * (whole - tells)
        ends = shift + side * tells, shift - side * tells
        return ends, 2 * self.n * tells * part, 2 * self.of.people * whole * part

    def likely(self, near: Array) -> list[int]:
        """The m likely to be the worst: the ends, the middle, and where counts beside it tip."""
        low, high, middle = self.of.low, self.of.high, self.of.near(HALF)
        above, below = self.over(middle), self.under(middle)
        tips = [self.last_over(above + step) for step in near.tolist()]
        tips += [self.first_under(below - step) - 1 for step in near.tolist()]
        beside = {min(max(m, low), high) for tip in tips for m in (tip, tip + 1)}
        return sorted(beside | {low, high, middle})


def failures(reports: Reports, having: list[int]) -> Array:
    """The failure probability at each of some m."""
    over, under = (
        np.array([edge(k) for k in having], dtype=float) for edge in (reports.over, reports.under)
    )
    return beyond(reports.of, reports.n, float(reports.strength), having, (over, under))


def beyond(
    of: Lattice, n: int, tells: float, having: list[int], edges: tuple[Array, Array]
) -> Array:
    """Pr[Y ≥ over] + Pr[Y ≤ under] at each of some m, with the edges of each.

    Args:
        of: the numbers of people with the property.
        n: N.
        tells: p − q.
        having: the m.
        edges: the counts over and under.
    """
    over, under = edges
    people, m = of.people, np.array(having, dtype=float)
    reach = math.ceil(_REACH * math.sqrt(n)) + 1
    period, mean = 2 * reach + 1, n * (0.5 + tells * (m / people - 0.5))
    varies = np.sqrt(np.min(_variance(of, float(n), tells, m / people)))
    points = min(reach, math.ceil(period * _FADED / max(2 * math.pi * varies, 1e-9)) + 1)
    angle = 2 * math.pi * np.arange(1, points + 1) / period
    transform = _transform(people, n, tells, m, angle)
    high = np.clip(over, np.rint(mean) - reach, np.rint(mean) + reach + 1)
    low = np.clip(under, np.rint(mean) - reach - 1, np.rint(mean) + reach)
    right = np.maximum(high - low - 1, 0.0)
    # the sum of e^(−iθy) over the counts that are right
    kernel = np.sin(np.outer(right, angle) / 2) / np.sin(angle / 2)
    turned = transform * np.exp(-1j * np.outer((high + low) / 2, angle))
    inside = (right + 2 * (np.real(turned) * kernel).sum(axis=1)) / period
    return np.asarray(np.clip(1 - inside, 0.0, 1.0))


def _transform(people: int, n: int, tells: float, m: Array, angle: Array) -> Array:
    """E e^(iθY), for each m and θ."""
    truth, other = (1 + tells) / 2, (1 - tells) / 2
    turn = np.exp(1j * angle)
    having, others = other + truth * turn, truth + other * turn
    left = int(smaller_of(people, np.array([n]))[0])
    off, chance = counts_about(people, np.array([left]), m)
    sign = 1 if left == n else -1  # those left out are as far off the other way
    reach = off.shape[1] // 2
    spin = np.angle(having) - np.angle(others)
    steps = np.exp(1j * np.outer(sign * np.arange(-reach, reach + 1), spin))
    start = n * m / people + sign * off[:, reach]
    phase = np.outer(start, spin) + n * np.angle(others)
    return np.asarray(np.abs(having) ** n * np.exp(1j * phase) * (chance @ steps))


def _variance(of: Lattice, n: Number, strength: Number, share: Number) -> Array:
    """Of the number of reports."""
    left_out = np.maximum(of.people - n, 0.0) / max(of.people - 1, 1)
    return np.asarray(n * ((1 - strength**2) / 4 + strength**2 * share * (1 - share) * left_out))


def at_likely(of: Lattice, n: int, strength: Fraction, asked: Asked) -> tuple[int, float]:
    """The m most likely to be the worst, among those beside the middle, and how often it fails."""
    return _worst(Reports(of, n, strength, decimal(asked.error)), np.array(_NEAR))


@lru_cache(maxsize=4096)
def at_card(of: Lattice, n: int, truth: Fraction, asked: Asked) -> tuple[int, float]:
    """The same of a card, among all counts that may be the worst."""
    strength = 2 * truth - 1
    excess = n * asked.error * float(strength)
    near = near_tips(n, max(excess, math.sqrt(n) / 4))
    return _worst(Reports(of, n, strength, decimal(asked.error)), near)


def _worst(reports: Reports, near: Array) -> tuple[int, float]:
    having = reports.likely(near)
    off = failures(reports, having)
    at = int(np.argmax(off))
    return having[at], float(off[at])


def failure_at(of: Lattice, n: int, truth: Fraction, asked: Asked) -> float:
    """The failure probability of a card at the worst m."""
    if n > of.people or truth == HALF:
        return 1.0
    return at_card(of, n, truth, asked)[1]


def quick_strengths(of: Lattice, n: Array, asked: Asked) -> Array:
    """About the least p − q over an array of N, by the normal law; 1 where none is."""
    low, high = np.full(n.shape, _LEAST), np.ones(n.shape)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        good = likely_failures(of, middle, n, asked) <= asked.failure
        low, high = np.where(good, low, middle), np.where(good, middle, high)
    return high


def likely_failures(of: Lattice, strength: Array, n: Array, asked: Asked) -> Array:
    """About the failure probability where a count tips over an edge near the middle."""
    share = of.near(HALF) / of.people
    varies = np.sqrt(np.maximum(_variance(of, n, strength, share), 1e-12))
    excess = n * asked.error * strength
    right = np.ceil(2 * excess) - 1
    off = scipy.special.ndtr((0.5 - excess) / varies) + scipy.special.ndtr(
        (excess - right - 0.5) / varies
    )
    return np.where(n <= of.people, np.minimum(off, 1.0), 1.0)
