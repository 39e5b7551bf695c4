"""Several questions without a curator: everybody is asked all of them, or one each by lot.

Who answers every question, each at an εᵢ of its own, is εᵢ-private in each and Σ εᵢ-private in all
(basic composition): a survey whose floors add up. Exactly, they are those of `report_floor`, at
shares of α by the best ties (`ties`). By Hoeffding's inequality question i needs a
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

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from planner import numbers
from planner.libraries import np, sympy
from planner.mechanisms.exact.noise_balls import rational
from planner.mechanisms.floor import FALLING, QuestionFloor, Regularity, Ripple
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.several import bounds
from planner.mechanisms.several.best_shares import Part
from planner.mechanisms.several.questions import PROOF_PART, Certain
from planner.mechanisms.several.report_floor import ExactReportFloor
from planner.mechanisms.several.split import DIGITS
from planner.mechanisms.several.split_sample import Asked, SplitQuestion, Way
from planner.mechanisms.several.survey import SurveyFloor
from planner.mechanisms.several.ties import Ties, best, of_epsilon
from planner.mechanisms.several.together import Added
from planner.numbers import Array, Number, round_down

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
        asked = []
        for share in self.shared(epsilon, participants, 0.0):
            lot: SplitQuestion = share.part.floor.lot  # type: ignore[attr-defined]
            lot, part = lot._replace(failure=share.failure), share.part.times * share.rate / epsilon
            asked.append(lot.asked(share.rate, None, part))
        return asked


@dataclass(frozen=True)
class ExactFullSampleFloor(FullSampleFloor):
    """The same by the exact failure probability of each question.

    α is shared out by the best ties (`ties`); at its share each question is read again.
    """

    @property
    def regularity(self) -> Regularity:
        """As of one share: N·ε grows as √N."""
        return replace(self.parts[0].floor.regularity, on_grids=True)

    def ripple(self, participants: int) -> Ripple:
        """As of one share."""
        return self.parts[0].floor.ripple(participants)

    def at(self, epsilon: float, participants: int) -> "ExactFullSampleFloor":
        """How a plan of one question asks it: there is no other way."""
        return self

    def asked(self, epsilon: float, participants: int) -> list[Asked]:
        """How a plan asks each question."""
        asked = []
        for part, rate, failure in self.shared(epsilon, participants, 0.0):
            question: ExactReportFloor = part.floor  # type: ignore[assignment]
            way, lot = question.report(rate, participants), question.lot._replace(failure=failure)
            share = part.times * rate / epsilon
            asked.append(Asked(lot, rate, None, share, way.way, *way.card(rate)))
        return asked

    def certain(self, participants: Number, delta: Number) -> Certain:
        """Each question's share of α, rounded down, and its certain floor."""
        if self.alone is not None:
            return super().certain(participants, delta)
        assert self.failure is not None
        return _certain(self, float(participants))

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The sum of the best ties, over an array of N."""
        if self.alone is not None:
            return super().approximate(participants, delta)
        return _ties_frontier(self).floors(participants)

    def best(self, participants: Array) -> Ties:
        """The best ties over an array of N."""
        assert self.failure is not None
        alpha, lots = self.failure * (1 - PROOF_PART), self.lots
        # by Hoeffding's bound shares in proportion to 1/T are about the best
        whole = sum(lot.times / lot.error for lot in lots)
        shares = [np.full(participants.shape, alpha / lot.error / whole) for lot in lots]
        pairs = zip(lots, shares, strict=True)
        return best([of_epsilon(lot, participants, a) for lot, a in pairs], None, alpha)

    def sums(self, participants: Array) -> Array:
        """The ε of the best ties together."""
        with np.errstate(all="ignore"):
            return np.asarray(np.array(self.times) @ self.best(participants).price)

    @property
    def lots(self) -> list[SplitQuestion]:
        """The questions."""
        return [part.floor.lot for part in self.parts]  # type: ignore[attr-defined]

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """The sum of what each needs with all of α."""
        pairs = zip(self.times, self.whole, strict=True)
        return sum(times * floor.n_epsilon(participants, delta) for times, floor in pairs)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """The sum of what each needs with all of α."""
        pairs = zip(self.times, self.whole, strict=True)
        return sum(times * floor.noise_alone(participants, delta) for times, floor in pairs)

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε up to `most` is certain to miss, at any split."""
        if self.certify_missed_sizes(most, participants, participants, delta):
            return True
        given = (least, most, participants, delta)
        if any(question.certify_missed(*given) for question in self.whole):
            return True
        return super().certify_missed(least, most, participants, delta)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] surely misses at every ε up to a ball, at any split."""
        whole = list(zip(self.times, self.whole, strict=True))
        if any(floor.certify_missed_sizes(epsilon, least, most, delta) for _, floor in whole):
            return True
        if not epsilon.is_finite():
            return False
        whole = epsilon * most
        if self.failure is None:
            return bounds.refuted(self.parts, None, whole, least, most)
        ball = type(epsilon)

        def failing(question: ExactReportFloor) -> bounds.Failing:
            def fails(end: float, start: float = 0.0) -> Number:
                up_to = (ball(end) / least).min(epsilon)
                return question.failing(up_to, least, most, start / most, ball(end))

            return fails

        every = [failing(part.floor) for part in self.parts]  # type: ignore[arg-type]
        return bounds.beyond(self.parts, every, self.failure, whole, lambda: self._price(most))

    def _price(self, n: float) -> float:
        """What a little less of α costs in N·ε, by Hoeffding's bound at shares in proportion."""
        assert self.failure is not None
        alpha, count = self.failure, sum(self.times)
        return sum(
            lot.times * math.sqrt(n / lot.people(alpha / count)) / (2 * lot.error**2 * alpha)
            for lot in self.lots
        )


@lru_cache(maxsize=2**13)
def _certain(floor: ExactFullSampleFloor, participants: float) -> Certain:
    """The questions at the best ties of one N, each with its part of what is left of α."""
    with np.errstate(all="ignore"):
        ties = floor.best(np.array([participants]))
    assert floor.failure is not None
    failures = np.maximum(ties.failure[:, 0], np.finfo(float).tiny)
    together = float(np.dot(floor.times, failures))
    shares = [round_down(floor.failure * a / together, DIGITS) for a in failures.tolist()]
    rates = [
        part.at(a * (1 - PROOF_PART)).epsilon(participants, 0.0)
        for part, a in zip(floor.parts, shares, strict=True)
    ]
    return tuple(zip(floor.parts, shares, map(float, rates), strict=True))


@lru_cache(maxsize=32)
def _ties_frontier(floor: ExactFullSampleFloor) -> Frontier:
    return Frontier(floor.sums)


def full_sample(
    lots: Sequence[SplitQuestion], failure: float | None, exact: bool = False
) -> FullSampleFloor:
    """The floor of questions that everybody is asked, at one α or each at its own."""
    of, survey = (
        (ExactReportFloor, ExactFullSampleFloor) if exact else (ReportFloor, FullSampleFloor)
    )
    parts = (Part(of(lot, lot.failure or failure), lot.times, lot.numbers) for lot in lots)
    return survey(tuple(parts), failure, Added())
