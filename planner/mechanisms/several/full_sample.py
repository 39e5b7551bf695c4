"""Several questions without a curator: everybody is asked all of them, or one each by lot.

Who answers every question, each at an εᵢ of its own, is εᵢ-private in each and Σ εᵢ-private in all
(basic composition): a survey whose floors add up. By Hoeffding's inequality question i needs a
strength sᵢ = √(cᵢ/N) of all N people, with cᵢ as in `split_sample`, so that

    ε(N) = Σ εᵢ(√(cᵢ/N)),   εᵢ(s) = 2·artanh s for yes or no,

and of k groups the smaller of ln(1 + ks/(1 − s)) and 4·artanh s. Where ε is small this is about
2Σ√(cᵢ/N), more than the 2√(Σcᵢ/N) of lots. But lots need N > Σ cᵢ people, and this only N > max cᵢ:
it can be cheaper where people cost money.

Over α each of these is convex: with s² = κu, κ = 1/(2T²N) and u = ln(2k/α), and h(u) = ε, that
means h″ + h′ ≥ 0, which is

    for 2·artanh s:        2u(1 − s²) + 3s² ≥ 1, true for u ≥ ½;
    for ln(1 + ks/(1−s)):  s·ε″ + (2u − 1)ε′ ≥ 0, true for u ≥ 1 as s·ε″ ≥ −ε′.

For α < 1 both hold: u > ln 2, and u > ln 4 for two groups or more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from planner import numbers
from planner.libraries import np, sympy
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.floor import FALLING, Floor, QuestionFloor, Regularity, Ripple
from planner.mechanisms.several.best_shares import Part
from planner.mechanisms.several.split_sample import Asked, SplitQuestion, SplitSampleFloor, Way
from planner.mechanisms.several.survey import SurveyFloor
from planner.mechanisms.several.together import Added
from planner.numbers import Number

_ROOM = 1e-9
"""By so much, as a fraction, strengths lie over what is needed: cards are printed in decimals."""


@dataclass(frozen=True)
class ReportFloor(QuestionFloor):
    """The least ε at which N people, all asked one question, are enough, by Hoeffding's bound.

    Attributes:
        lot: the question.
        failure: α of all its shares together, a number or an array.
        way: how it is asked; None for the way that needs less.
    """

    lot: SplitQuestion
    failure: Number
    way: Way | None = None

    @property
    def error(self) -> Number:
        """T."""
        return self.lot.error

    @property
    def regularity(self) -> Regularity:
        """It falls; N times it grows, as √N in the end."""
        return replace(FALLING, convex_in_failure=True)

    @property
    def pieces(self) -> "Sequence[ReportFloor]":
        """One of each way."""
        return [replace(self, way=way) for way in self.lot.ways]

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The bound, at most 1."""
        system = numbers.of(epsilon, participants)
        off = participants * (system.number(self.lot.error) * self.lot.strength(epsilon)) ** 2
        bound = 2 * self.lot.numbers * system.exp(-2 * off)
        return system.minimum(bound, system.number(1.0))

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε; ∞ where N people are too few."""
        system = numbers.of(participants, self.failure)
        people = self.lot.people(system.number(self.failure))
        strength = system.sqrt(people / participants)
        if system is numbers.balls():
            if strength < 1:
                return self._least(strength)
            return system.infinity if strength >= 1 else system.number(0.0).union(system.infinity)
        within = strength * (1 + _ROOM) < 1
        least = self._least(np.where(within, strength * (1 + _ROOM), 0.5))
        least = np.where(within, least, np.inf)
        return float(least) if np.ndim(least) == 0 else least

    def _least(self, strength: Number) -> Number:
        """The ε at which reports tell people apart by a strength below 1."""
        ways = self.lot.ways if self.way is None else (self.way,)
        both = [self.lot.epsilon(way, strength) for way in ways]
        return both[0] if len(both) == 1 else numbers.of(strength).minimum(*both)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """At least 2√(cN): ε is over 2s."""
        system = numbers.of(delta, self.failure)
        people = self.lot.people(system.number(self.failure))
        return 2 * system.sqrt(people * system.maximum(people, system.number(participants)))

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """At least 2s."""
        system = numbers.of(participants, self.failure)
        return 2 * system.sqrt(self.lot.people(system.number(self.failure)) / participants)

    def sample_alone(self, participants: Number) -> Number:
        """The bound where all reports are true."""
        system = numbers.of(participants)
        off = participants * system.number(self.lot.error) ** 2
        return 2 * self.lot.numbers * system.exp(-2 * off)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether N people are surely enough for the card that is printed."""
        system = numbers.balls()
        truth, other = self.lot.card(float(epsilon.mid()))
        off = participants * (system.number(self.lot.error) * rational(truth - other)) ** 2
        most = 2 * self.lot.numbers * system.exp(-2 * off)
        return bool(most <= system.number(self.failure))

    def formula(self) -> "sympy.Expr":
        """The bound, in symbols."""
        return sympy.Symbol("2k·exp(−2N(Ts(ε))²)")


@dataclass(frozen=True)
class FullSampleFloor(SurveyFloor):
    """The least ε at which N people, all asked everything, are enough."""

    def asked(self, epsilon: float, participants: int) -> list[Asked]:
        """How a plan asks each question."""
        return [
            Asked(
                share.part.floor.lot._replace(failure=share.failure),  # type: ignore[attr-defined]
                share.rate,
                None,
                share.part.times * share.rate / epsilon,
            )
            for share in self.shared(epsilon, participants, 0.0)
        ]


def full_sample(lots: Sequence[SplitQuestion], failure: float | None) -> FullSampleFloor:
    """The floor of questions that everybody is asked, at one α or each at its own."""
    parts = (Part(ReportFloor(lot, lot.failure or failure), lot.times, lot.numbers) for lot in lots)
    return FullSampleFloor(tuple(parts), failure, Added())


@dataclass(frozen=True)
class EitherFloor(Floor):
    """The less of two floors of a survey without a curator.

    Attributes:
        by_lot: one question for each person.
        full_sample: all questions for each person.
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
