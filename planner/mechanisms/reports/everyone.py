"""Several questions without a curator: everybody is asked all of them, or one each by lot.

Who answers every question, each at an εᵢ of its own, is εᵢ-private in each and Σ εᵢ-private in all
(basic composition). By Hoeffding's inequality question i needs a strength sᵢ = √(cᵢ/N) of all N
people, with cᵢ as in `lots`, so that

    ε(N) = Σ εᵢ(√(cᵢ/N)),   εᵢ(s) = 2·artanh s for yes or no,

and of k groups the smaller of ln(1 + ks/(1 − s)) and 4·artanh s. Where ε is small this is about
2Σ√(cᵢ/N), more than the 2√(Σcᵢ/N) of lots. But lots need N > Σ cᵢ people, and this only N > max cᵢ:
it can be cheaper where people cost money. αᵢ is in proportion to 1/(Tᵢsᵢ), which is best for small
ε but for a slowly varying factor.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner import numbers
from planner.mechanisms.floor import Floor, Shape
from planner.mechanisms.reports.lots import Asked, Lot, LotsFloor
from planner.numbers import Number, round_down

if TYPE_CHECKING:
    import sympy

_ROOM = 1e-9
_DIGITS = 12


@dataclass(frozen=True)
class EveryoneFloor(Floor):
    """The least ε at which N people, all asked everything, are enough.

    Attributes:
        lots: the questions, each with the α of its own.
        failure: α of all together, where the survey gives one.
    """

    lots: tuple[Lot, ...]
    failure: float | None = None

    @property
    def shape(self) -> Shape:
        """It falls; N times it grows, as √N in the end."""
        return "falling"

    @property
    def allowed(self) -> Number:
        """α, or the sum of all αᵢ."""
        return self.failure or sum(lot.times * lot.failure for lot in self.lots)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """Σ εᵢ(N); ∞ where some question needs more people."""
        return sum(lot.times * self._of(lot, participants) for lot in self.lots)

    def _of(self, lot: Lot, participants: Number) -> Number:
        """What one question needs of each of N people."""
        system = numbers.of(participants)
        number = system.number
        strength = system.sqrt(lot.people(system) / participants)
        if system is not numbers.balls():
            strength = strength * (1 + _ROOM)
        if system is not numbers.arrays():
            if strength >= 1:
                return system.infinity
            if not strength < 1:  # a ball that holds 1: nothing is known
                return number(0.0).union(system.infinity)
        strength = system.minimum(strength, number(1.0))
        odds = system.log1p(strength) - system.log1p(-strength)
        if lot.numbers == 1:
            return odds
        return system.minimum(system.log1p(lot.numbers * strength / (1 - strength)), 2 * odds)

    def shares(self, epsilon: float, participants: int) -> tuple[float, ...]:
        """The εᵢ of each question at a plan: as much over its floor for all, at most ε together."""
        floors = [float(self._of(lot, float(participants))) for lot in self.lots]
        whole = sum(lot.times * floor for lot, floor in zip(self.lots, floors, strict=True))
        return tuple(round_down(floor * epsilon / whole, _DIGITS) for floor in floors)

    def asked(self, epsilon: float, participants: int) -> list[Asked]:
        """How a plan asks each question."""
        own = zip(self.lots, self.shares(epsilon, participants), strict=True)
        return [Asked(lot, x, None, lot.times * x / epsilon) for lot, x in own]

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """A bound on the probability that some answer is off."""
        shares, total = self.shares(float(epsilon), int(participants)), 0.0
        for lot, share in zip(self.lots, shares, strict=True):
            truth, other = lot.card(share)
            off = int(participants) * (lot.error * float(truth - other)) ** 2
            total += lot.times * min(1.0, 2 * lot.numbers * math.exp(-2 * off))
        return min(1.0, total)

    def surely_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the cards are together ε-private, and N people surely enough for each."""
        from planner.mechanisms.exact.balls import rational

        system = numbers.balls()
        given, people = float(epsilon.mid()), int(float(participants.mid()))
        shares = self.shares(given, people)
        spent = sum(lot.times * Fraction(x) for lot, x in zip(self.lots, shares, strict=True))
        if not spent <= Fraction(given):
            return False
        for lot, share in zip(self.lots, shares, strict=True):
            truth, other = lot.card(share)
            off = people * (system.number(lot.error) * rational(truth - other)) ** 2
            if not 2 * lot.numbers * system.exp(-2 * off) <= system.number(lot.failure):
                return False
        return True

    def signal(self, delta: Number) -> Number:
        """At least 2√(max cᵢ)·Σ√cᵢ: each εᵢ is over 2√(cᵢ/N), and N over max cᵢ."""
        return self.signal_from(1, delta)

    def signal_from(self, participants: int, delta: Number) -> Number:
        """At least 2√N·Σ√cᵢ."""
        system = numbers.of(delta)
        people = system.number(participants)
        for lot in self.lots:
            people = system.maximum(people, lot.people(system))
        roots = sum(lot.times * system.sqrt(lot.people(system)) for lot in self.lots)
        return 2 * roots * system.sqrt(people)

    def formula(self) -> "sympy.Expr":
        """The bound of all questions together, in symbols."""
        import sympy

        return sympy.Symbol("Σ 2kᵢ·exp(−2N(Tᵢsᵢ(εᵢ))²), Σ εᵢ ≤ ε,")


@dataclass(frozen=True)
class EitherFloor(Floor):
    """The less of two floors of a survey without a curator.

    Attributes:
        by_lot: one question for each person.
        everyone: all questions for each person.
    """

    by_lot: LotsFloor
    everyone: EveryoneFloor

    def at(self, epsilon: float, participants: int) -> LotsFloor | EveryoneFloor:
        """How a plan asks: by lot where that is enough."""
        sizes = self.by_lot.sizes(epsilon)
        people = sum(lot.times * n for lot, n in zip(self.by_lot.lots, sizes, strict=True))
        return self.by_lot if people <= participants else self.everyone

    @property
    def shape(self) -> Shape:
        """It falls, as both do."""
        return "falling"

    @property
    def signal_grows(self) -> bool:
        """Yes."""
        return True

    @property
    def loose(self) -> bool:
        """Yes: whole numbers of people are not smooth."""
        return True

    @property
    def allowed(self) -> Number:
        """α, or the sum of all αᵢ."""
        return self.by_lot.allowed

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """That of how the plan asks."""
        way = self.at(float(epsilon), int(participants))
        return way.achieved(epsilon, participants, delta)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The less of both."""
        both = (way.epsilon(participants, delta) for way in (self.by_lot, self.everyone))
        return numbers.of(participants).minimum(*both)

    def signal(self, delta: Number) -> Number:
        """The less of both."""
        both = (way.signal(delta) for way in (self.by_lot, self.everyone))
        return numbers.of(delta).minimum(*both)

    def signal_from(self, participants: int, delta: Number) -> Number:
        """The less of both."""
        both = (way.signal_from(participants, delta) for way in (self.by_lot, self.everyone))
        return numbers.of(delta).minimum(*both)

    def surely_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the way that the plan asks surely reaches it."""
        way = self.at(float(epsilon.mid()), int(float(participants.mid())))
        return way.surely_reached(epsilon, participants, delta)

    def formula(self) -> "sympy.Expr":
        """That of lots, which most plans use."""
        return self.by_lot.formula()


def all_asked(lots: tuple[Lot, ...], failure: float | None) -> EveryoneFloor:
    """The floor where everybody is asked everything, α shared out in proportion to 1/(Tᵢsᵢ)."""
    if failure is None:
        return EveryoneFloor(lots)
    weights = [1 / (lot.error * float(lot.strength(math.log(3)))) for lot in lots]
    whole = sum(lot.times * weight for lot, weight in zip(lots, weights, strict=True))
    own = (round_down(failure * weight / whole, _DIGITS) for weight in weights)
    shared = tuple(lot._replace(failure=x) for lot, x in zip(lots, own, strict=True))
    return EveryoneFloor(shared, failure)
