"""Several questions without a curator: everybody is asked all of them, or one each by lot.

Who answers every question, each at an εᵢ of its own, is εᵢ-private in each and Σ εᵢ-private in all
(basic composition). By Hoeffding's inequality question i needs a strength sᵢ = √(cᵢ/N) of all N
people, with cᵢ as in `split_sample`, so that

    ε(N) = Σ εᵢ(√(cᵢ/N)),   εᵢ(s) = 2·artanh s for yes or no,

and of k groups the smaller of ln(1 + ks/(1 − s)) and 4·artanh s. Where ε is small this is about
2Σ√(cᵢ/N), more than the 2√(Σcᵢ/N) of lots. But lots need N > Σ cᵢ people, and this only N > max cᵢ:
it can be cheaper where people cost money. One α is shared out as `everyone_shares` finds best at N.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from planner import numbers
from planner.libraries import np, sympy
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.floor import FALLING, Floor, Regularity, Ripple
from planner.mechanisms.reports.full_sample_shares import (
    at_any_shares,
    best_shares,
    least_epsilon,
    ways,
)
from planner.mechanisms.reports.split_sample import (
    Asked,
    SplitQuestion,
    SplitSampleFloor,
    stated,
    together_at_most,
)
from planner.numbers import Array, Number, round_down

_ROOM = 1e-9
_DIGITS = 12


@dataclass(frozen=True)
class FullSampleFloor(Floor):
    """The least ε at which N people, all asked everything, are enough.

    Attributes:
        lots: one for each question.
        failure: α of all together, where the survey gives one.
    """

    lots: tuple[SplitQuestion, ...]
    failure: float | None = None

    @property
    def regularity(self) -> Regularity:
        """It falls; N times it grows, as √N in the end."""
        return FALLING

    @property
    def allowed(self) -> Number:
        """α, or the sum of all αᵢ."""
        return self.failure or sum(lot.times * lot.failure for lot in self.lots)

    def stated(self, participants: int) -> tuple[SplitQuestion, ...]:
        """The lots with their shares of α at the N of a plan."""
        return self.lots if self.failure is None else _stated(self.lots, self.failure, participants)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """Σ εᵢ(N); ∞ where some question needs more people."""
        if numbers.of(participants) is numbers.balls():
            return self._ball(participants)

        n = np.asarray(participants, dtype=float)
        each = self._each(n.ravel())
        floors: Array = np.sum(
            [lot.times * row for lot, row in zip(self.lots, each, strict=True)], axis=0
        )
        return float(floors[0]) if n.ndim == 0 else floors.reshape(n.shape)

    def _each(self, n: Array) -> list[Array]:
        """What each question needs of each of N people, with room for rounding."""
        shares = np.array([np.full(n.shape, lot.failure) for lot in self.lots])
        if self.failure is not None:
            shares = best_shares(self.lots, self.failure, n)
        each = []
        for lot, a in zip(self.lots, shares, strict=True):
            strength = np.sqrt(lot.people(a) / n) * (1 + _ROOM)
            within = strength < 1
            floor = _least(lot, np.where(within, strength, 0.5))
            each.append(np.where(within, floor, np.inf))
        return each

    def _ball(self, participants: Number) -> Number:
        """Between what is surely enough and what every split of α needs."""
        system = numbers.balls()
        number, infinity = system.number, system.infinity
        lots = self.stated(round(float(participants.mid())))
        sufficient, reachable = number(0.0), True
        for lot in lots:
            strength = system.sqrt(lot.people(number(lot.failure)) / participants)
            reachable = reachable and bool(strength < 1)
            sufficient = sufficient + lot.times * _least(lot, strength) if reachable else infinity
        if self.failure is None:
            return sufficient if reachable else self._beyond(participants)
        if not reachable:
            return self._beyond(participants)
        shares = [lot.failure for lot in lots]
        return sufficient.union(at_any_shares(self.lots, self.failure, shares, participants))

    def _beyond(self, participants: Number) -> Number:
        """∞ where N is surely too small, else anything up to it; balls."""
        system = numbers.balls()
        off = [
            2 * lot.numbers * system.exp(-2 * participants * system.number(lot.error) ** 2)
            for lot in self.lots
        ]
        if self.failure is None:
            over = any(
                x > system.number(lot.failure) for x, lot in zip(off, self.lots, strict=True)
            )
        else:
            together = sum(lot.times * x for x, lot in zip(off, self.lots, strict=True))
            over = together > system.number(self.failure)
        return system.infinity if over else system.number(0.0).union(system.infinity)

    def shares(self, epsilon: float, participants: int) -> tuple[float, ...]:
        """The εᵢ of each question at a plan: as much over its floor for all, at most ε together."""
        floors = [float(row[0]) for row in self._each(np.array([float(participants)]))]
        whole = sum(lot.times * floor for lot, floor in zip(self.lots, floors, strict=True))
        return tuple(round_down(floor * epsilon / whole, _DIGITS) for floor in floors)

    def asked(self, epsilon: float, participants: int) -> list[Asked]:
        """How a plan asks each question."""
        own = zip(self.stated(participants), self.shares(epsilon, participants), strict=True)
        return [Asked(lot, x, None, lot.times * x / epsilon) for lot, x in own]

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """A bound on the probability that some answer is off."""
        shares, total = self.shares(float(epsilon), int(participants)), 0.0
        for lot, share in zip(self.lots, shares, strict=True):
            truth, other = lot.card(share)
            off = int(participants) * (lot.error * float(truth - other)) ** 2
            total += lot.times * min(1.0, 2 * lot.numbers * math.exp(-2 * off))
        return min(1.0, total)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the cards are together ε-private, and N people surely enough for each."""
        system = numbers.balls()
        given, people = float(epsilon.mid()), int(float(participants.mid()))
        lots, shares = self.stated(people), self.shares(given, people)
        spent = sum(lot.times * Fraction(x) for lot, x in zip(lots, shares, strict=True))
        if not (spent <= Fraction(given) and together_at_most(lots, self.failure)):
            return False
        for lot, share in zip(lots, shares, strict=True):
            truth, other = lot.card(share)
            off = people * (system.number(lot.error) * rational(truth - other)) ** 2
            if not 2 * lot.numbers * system.exp(-2 * off) <= system.number(lot.failure):
                return False
        return True

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """At least 2√N·Σ√cᵢ; no question has more than all of α."""
        system = numbers.of(delta)
        least = [lot.people(system.number(self.failure or lot.failure)) for lot in self.lots]
        people = system.number(participants)
        for each in least:
            people = system.maximum(people, each)
        pairs = zip(self.lots, least, strict=True)
        return 2 * sum(lot.times * system.sqrt(each) for lot, each in pairs) * system.sqrt(people)

    def formula(self) -> "sympy.Expr":
        """The bound of all questions together, in symbols."""
        return sympy.Symbol("Σ 2kᵢ·exp(−2N(Tᵢsᵢ(εᵢ))²), Σ εᵢ ≤ ε,")


@dataclass(frozen=True)
class EitherFloor(Floor):
    """The less of two floors of a survey without a curator.

    Attributes:
        by_lot: one question for each person.
        everyone: all questions for each person.
    """

    by_lot: SplitSampleFloor
    full_sample: FullSampleFloor

    def at(self, epsilon: float, participants: int) -> SplitSampleFloor | FullSampleFloor:
        """How a plan asks: by lot where that is enough."""
        sizes = self.by_lot.sizes(epsilon)
        people = sum(lot.times * n for lot, n in zip(self.by_lot.lots, sizes, strict=True))
        return self.by_lot if people <= participants else self.full_sample

    @property
    def regularity(self) -> Regularity:
        """As both are."""
        return self.by_lot.regularity

    def ripple(self, participants: int) -> Ripple:
        """Whole numbers of people are not smooth."""
        return self.by_lot.ripple(participants)

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
        both = (way.epsilon(participants, delta) for way in (self.by_lot, self.full_sample))
        return numbers.of(participants).minimum(*both)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """The less of both."""
        both = (way.n_epsilon(participants, delta) for way in (self.by_lot, self.full_sample))
        return numbers.of(delta).minimum(*both)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the way that the plan asks surely reaches it."""
        way = self.at(float(epsilon.mid()), int(float(participants.mid())))
        return way.certify_reached(epsilon, participants, delta)

    def formula(self) -> "sympy.Expr":
        """That of lots, which most plans use."""
        return self.by_lot.formula()


def _least(lot: SplitQuestion, strength: Number) -> Number:
    """The ε of the way that needs less, at a strength below 1."""
    system = numbers.of(strength)
    both = [least_epsilon(way, lot.numbers, strength, system) for way in ways(lot)]
    return both[0] if len(both) == 1 else system.minimum(*both)


@lru_cache(maxsize=256)
def _stated(
    lots: tuple[SplitQuestion, ...], failure: float, participants: int
) -> tuple[SplitQuestion, ...]:
    """The lots with the shares of α that are best at N."""
    shares = best_shares(lots, failure, np.array([float(participants)]))
    return stated(lots, shares[:, 0].tolist())
