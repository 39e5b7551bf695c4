"""Shares within groups that people report: a noisy count of yes and of no in each group.

The group is part of the record, so its size is as private as the answer. Replacing one record moves
one cell down and one up, by one each: noise of scale b on every cell is 2/b-private. With Y and M
people of yes and of no in a group, S = Y + Z₁ + M + Z₂ is its noisy size and q̂ = (Y + Z₁)/S, moved
into [0, 1], its share. A group with S ≤ 0 has no share, which counts as a failure.

**Before.** Let a group have the share π ≥ r of all people, and p of yes in it. q̂ ≥ q = p + T with
q ≤ 1 means that

    Σ over its members (xᵢ − q) + Z₁(1 − q) − Z₂q ≥ 0.

For λ > 0 the mean of e^(λ·left) is at most (1 − π + π·e^(λ²/8 − λT))^N (Hoeffding's lemma for each
member, and 1 for all others) times M(λ(1 − q))·M(λq), with M the moment generating function of the
noise. M(s) = 1/(1 − s²b²) for Laplace noise, no more for geometric noise of this scale, as
sinh(s/2)/sinh(1/2b) ≤ sb; e^(s²σ²/2) for Gaussian noise. The product is largest at q = 0 or 1, as
(1 − q²x)(1 − (1 − q)²x) = 1 − x + 2xq(1 − q) + x²q²(1 − q)². So, with λ ≤ 4T, each side fails
with at most

    u = min over λ of (1 − r + r·e^(λ²/8 − λT))^N·M(λ).

S ≤ 0 lies within the two sides where both p + T and p − T are in [0, 1]. Else there is one side at
most, and Pr[S ≤ 0] takes the place of the other: at λ/√2 it is at most (1 − r + r·e^(−λ/√2))^N
times M(λ/√2)², which is no more than u's at λ if T ≤ 1/2. A larger T counts as 1/2.

At most K = min(G, ⌊1/r⌋) of G groups have the share r or more, so one of them fails with at most
2Ku. People drawn without replacement from a population have no larger means (Hoeffding 1963, §6).

**After.** Whatever the size of a group, A − pS = Σ(xᵢ − p) + Z₁(1 − p) − Z₂p, A = Y + Z₁, has

    E exp(λ(A − pS) − λ²S/8) ≤ M(λ(1 − q))·M(λq) ≤ M(λ²/8)·M(λ(1 + λ/8)),   q = p + λ/8,

so for a λ chosen beforehand p is within λ/8 + ln(M(λ²/8)M(λ(1 + λ/8))/α′)/(λS) of A/S, but for α′
on either side. A tenth of α goes to these 2G events, so all of this holds together except with α:

    2Ku ≤ 0.9·α,   α′ = 0.1·α/(2G).

ln u is the least of a function that is convex in λ: N·g(λ), with g the logarithm of a mean of
exponentials of convex functions, and −ln(1 − λ²b²) or λ²σ²/2. So a tangent bounds it from below. As
g is convex with g(0) = 0, N·g(μ/N) falls with N at each μ: u falls with N at fixed N·ε. As N grows
it goes to its least, that of noise alone, as g(λ) ≥ −rTλ. With c = rTNε/2 and Laplace noise that is

    √(1 + c²) − 1 + ln(2(√(1 + c²) − 1)/c²) = ln(2K/(0.9·α)),

and with Gaussian noise N/σ is the root of 2·ln(2K/(0.9·α)), times √2/(rT).
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from planner import numbers
from planner.libraries import np
from planner.mechanisms.floor import FALLING, QuestionFloor, Regularity
from planner.mechanisms.frontier import lowest
from planner.numbers import Number, NumberSystem, decimal, round_down, round_up

FOR_INTERVALS = Fraction(1, 10)
"""The part of α that goes to the intervals of all groups: the other nine tenths cost the planned
error ln(10/9), under two per cent of a usual ln(2K/α) of 6 or more."""
LARGEST_ERROR = 0.5
"""Every share is within it of one half."""
_ROUNDING = 1e-12
"""By how much, relatively, a rate is raised over its root in floats: more than rounding takes."""
_NEWTON = 60  # a cap: from the right of the root of a convex function every step is nearer
_DIGITS, _OF_FLOATS = 6, 1e-9
"""Of the λ of intervals; and by what part an interval is longer than in floats."""


@dataclass(frozen=True)
class ByGroupFloor(QuestionFloor):
    """The least rate for shares within groups: ε, or √2/σ for Gaussian noise; δ is not read.

    Attributes:
        groups: G [≥ 2].
        share_at_least: r, the least share of all people of a group whose error holds [(0, 1]].
        error: T, of the share within each such group.
        failure: α, a number or an array.
        gaussian: whether the noise is.
    """

    groups: int
    share_at_least: float
    error: float
    failure: Number
    gaussian: bool = False

    @property
    def regularity(self) -> Regularity:
        return FALLING

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The bound at the best λ, at most 1; numbers or arrays."""
        system = numbers.of(epsilon, participants)
        with np.errstate(all="ignore"):
            top = self._top(system, epsilon)
            like = epsilon * participants

            def value(part: Number) -> Number:
                return self._logarithm(system, part * top, epsilon, participants)

            least = system.exp(value(lowest(value, like)))
            return system.minimum(self._sides(system) * least, 1.0)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        system = numbers.of(participants, self.failure)
        with np.errstate(all="ignore"):
            sides = self._sides_over(system, self.failure)

            def value(part: Number) -> Number:
                return self._rate(system, part, participants, sides)

            least = value(lowest(value, 0.0 * participants + 0.0 * sides))
            # noise alone asks for no less, and rounding may take a little of it
            return system.maximum(least, self.noise_alone(participants, delta)) * (1 + _ROUNDING)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """The infimum of N times the rate: that of noise alone, in the end."""
        system = numbers.of(delta, self.failure)
        sides = self._sides_over(system, self.failure)
        size = system.number(self.share_at_least) * self._error(system)
        if self.gaussian:
            return 2 * system.sqrt(sides) / size
        return 2 * _noise_root(system, sides) / size

    @property
    def large_groups(self) -> int:
        """K: at most so many groups have the share r."""
        return min(self.groups, math.floor(1 / decimal(self.share_at_least)))

    def _sides(self, system: NumberSystem) -> Number:
        part = 1 - FOR_INTERVALS
        return system.number(2 * self.large_groups * part.denominator) / part.numerator

    def _sides_over(self, system: NumberSystem, failure: Number) -> Number:
        """The logarithm of 2K/(0.9·α) in a number system."""
        return system.log(self._sides(system) / system.number(failure))

    def _error(self, system: NumberSystem) -> Number:
        """T, at most 1/2."""
        return system.number(min(self.error, LARGEST_ERROR))

    def _group(self, system: NumberSystem, exponent: Number) -> Number:
        """Ln(1 − r + r·e^exponent)."""
        return system.log1p(system.number(self.share_at_least) * system.expm1(exponent))

    def _top(self, system: NumberSystem, rate: Number) -> Number:
        """Where λ ends: 4T, beyond which all grows, or where M has its pole."""
        top = 4 * self._error(system)
        return top if self.gaussian else system.minimum(top + 0 * rate, rate / 2)

    def _logarithm(
        self, system: NumberSystem, at: Number, rate: Number, participants: Number
    ) -> Number:
        """Ln u at λ."""
        people = participants * self._group(system, at * at / 8 - at * self._error(system))
        if self.gaussian:
            return people + (at / rate) ** 2
        return people - system.log1p(-((2 * at / rate) ** 2))

    def _rate(
        self, system: NumberSystem, part: Number, participants: Number, sides: Number
    ) -> Number:
        """The rate that a λ, as a part of 4T, asks for; ∞ where the sample leaves nothing."""
        error = self._error(system)
        at = 4 * error * part
        left = participants * self._group(system, at * at / 8 - at * error) + sides
        budget = -left if self.gaussian else -system.expm1(left)
        scale = at if self.gaussian else 2 * at
        if system is numbers.FLOATS:
            return scale / math.sqrt(budget) if budget > 0 else math.inf
        return np.where(budget > 0, scale / np.sqrt(np.maximum(budget, 0.0)), np.inf)


def _noise_root(system: NumberSystem, sides: Number) -> Number:
    """The c with √(1 + c²) − 1 + ln(2(√(1 + c²) − 1)/c²) = sides.

    The left side is the most of cz + ln(1 − z²) over z: convex, and of slope z. At √2(sides + ln 2)
    it is over the right one, so Newton's steps come down from there.
    """
    c = math.sqrt(2) * (sides + math.log(2))
    for _ in range(_NEWTON):
        root = system.sqrt(1 + c * c)
        step = (_noise_alone(system, c) - sides) * c / (root - 1)
        c = c - step
        if np.all(np.abs(step) <= _ROUNDING * c):
            break
    return c


def _noise_alone(system: NumberSystem, c: Number) -> Number:
    """The most of cz + ln(1 − z²), which is √(1 + c²) − 1 + ln(2/(√(1 + c²) + 1))."""
    root = system.sqrt(1 + c * c)
    return root - 1 - system.log((root + 1) / 2)


# ----------------------------------------------------------------- after the noise is drawn


class Reach(NamedTuple):
    """How far the share of a group may be from its noisy one, at any size.

    Attributes:
        at: λ.
        nats: the logarithm over λS.
    """

    at: float
    nats: float

    def of(self, size: float) -> float:
        """The half of its interval, rounded up; at least 1 where nothing is known."""
        if size <= 0:
            return 1.0
        reach = (self.at / 8 + self.nats / (self.at * size)) * (1 + _OF_FLOATS)
        return min(round_up(reach, 4), 1.0)


@lru_cache
def reach(floor: ByGroupFloor, rate: float, participants: int) -> Reach:
    """The intervals of all groups, shortest for a group of the share r; they are chosen before."""
    size = floor.share_at_least * participants
    each = float(floor.failure) * float(FOR_INTERVALS) / (2 * floor.groups)

    def nats(at: float) -> float:
        moments = (at * at / 8, at * (1 + at / 8))
        if floor.gaussian:
            noise = sum((x / rate) ** 2 for x in moments)
        else:
            noise = -sum(numbers.FLOATS.log1p(-min((2 * x / rate) ** 2, 1.0)) for x in moments)
        return noise - math.log(each)

    top = 8.0 if floor.gaussian else min(8.0, rate / 2)  # at λ = 8 the half is over 1

    def half(part: float) -> float:
        at = part * top
        return at / 8 + nats(at) / (at * size) if at else math.inf

    at = round_down(lowest(half, size) * top, _DIGITS)
    return Reach(at, nats(at))
