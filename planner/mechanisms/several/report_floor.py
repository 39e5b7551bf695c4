"""What one question without a curator asks of ε, exactly, where everybody is asked it.

A yes/no question is a share by randomised response (see `reports`). Of k groups a person reports
one, by the card of k answers at ε, or yes or no for every group, by that of two answers at ε/2. In
either way each group's share is off with the largest failure probability that it may have, and all
k of them are with at most k times that (union bound). Reports of people drawn from a population are
off no more often, see `RandomizedResponse.floor_of_sample`.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from planner import numbers
from planner.libraries import np, sympy
from planner.mechanisms.floor import SAW_TOOTHED, QuestionFloor, Regularity, Ripple
from planner.mechanisms.reports import card, floor, least, proof, worst
from planner.mechanisms.several.split_sample import SplitQuestion, Way
from planner.numbers import Number, fraction

if TYPE_CHECKING:
    from flint import arb

_PRINTED = 1 - 10.0 ** (1 - card.DIGITS)
"""A printed card's p − q is at least this part of what its ε allows."""


class Report(NamedTuple):
    """One report of a person.

    Attributes:
        way: what is reported.
        answers: from how many one is chosen.
        reports: how many change with a person; each gets so much less of ε.
    """

    way: Way
    answers: int
    reports: int

    def truth(self, epsilon: float) -> Fraction:
        """The p that is printed at a question's ε, an input's decimal."""
        exact = Fraction(repr(float(epsilon))) / self.reports
        return card.truthful(exact, answers=self.answers)

    def card(self, epsilon: float) -> tuple[Fraction, Fraction]:
        """The p and q that are printed there."""
        truth = self.truth(epsilon)
        return truth, (1 - truth) / (self.answers - 1)

    def strength(self, epsilon: Number) -> Number:
        """The p − q at a question's ε, in the number system of ε."""
        if numbers.of(epsilon) is numbers.balls() and not epsilon.is_finite():
            return numbers.balls().number(1)
        return card.strength(epsilon / self.reports, self.answers)


def reports_of(lot: SplitQuestion) -> tuple[Report, ...]:
    """The ways in which a question can be asked."""
    return tuple(
        Report(way, lot.numbers if way == "group" else 2, 2 if way == "groups" else 1)
        for way in lot.ways
    )


def asked_of(lot: SplitQuestion, report: Report, failure: Number) -> card.Asked:
    """What is asked of each of its shares."""
    return card.Asked(lot.error, failure / lot.numbers, answers=report.answers)


@dataclass(frozen=True)
class ExactReportFloor(QuestionFloor):
    """The least ε at which N people, all asked one question, are enough.

    Attributes:
        lot: the question.
        failure: α of all its shares together, a number.
    """

    lot: SplitQuestion
    failure: Number

    @property
    def error(self) -> Number:
        """T."""
        return self.lot.error

    @property
    def regularity(self) -> Regularity:
        """As of one share: N·ε grows as √N."""
        return replace(SAW_TOOTHED, n_epsilon_grows=True, in_cells=True, convex_in_failure=False)

    def ripple(self, participants: int) -> Ripple:
        """As of one share."""
        return floor.ripple(participants)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability of the card, at most 1; floats of one study."""
        return self._by(self.report(epsilon, int(participants)), epsilon, int(participants))

    def report(self, epsilon: float, participants: int) -> Report:
        """How the question is asked: the way that fails less often."""
        ways = reports_of(self.lot)
        return min(ways, key=lambda way: self._by(way, epsilon, participants))

    def _by(self, way: Report, epsilon: float, participants: int) -> float:
        truth, k = way.truth(epsilon), self.lot.numbers
        one = worst.failure_at(participants, truth, self.lot.error, (0.0, 1.0), way.answers)
        return min(1.0, k * one)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε of a card, over floats or arrays of N; ∞ where none is."""

        def least_of(n: float) -> float:
            return min(
                way.reports * least.least_epsilon(int(n), self._asked(way))
                for way in reports_of(self.lot)
            )

        floors = np.vectorize(least_of, otypes=[float])(participants)
        return float(floors) if np.ndim(floors) == 0 else floors

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The least ε for the shares that are likely the worst, over an array of N."""
        ways = reports_of(self.lot)
        return np.min(
            [way.reports * least.frontier(self._asked(way)).floors(participants) for way in ways],
            axis=0,
        )

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability at the shares that are likely the worst."""
        e, n = np.broadcast_arrays(epsilon, participants)
        flat = [
            worst.likely_failures(e.ravel() / way.reports, n.ravel(), self._asked(way))
            for way in reports_of(self.lot)
        ]
        return np.minimum(self.lot.numbers * np.min(flat, axis=0), 1.0).reshape(n.shape)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """By Hoeffding's bound."""
        strength = np.sqrt(self.lot.people(self.failure) / participants)
        some = np.minimum(strength, 1.0)
        ways = reports_of(self.lot)
        least_of = [way.reports * card.about_printed(some, way.answers) for way in ways]
        return np.where(strength < 1, np.min(least_of, axis=0), np.inf)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """What every study of N people needs, at any share of 1/k of the people."""
        if self.lot.numbers <= 2:
            failure = self.failure / self.lot.numbers
            return floor.needed_by_all(participants, self.lot.error, failure)
        falls_from = _falls_from(self)
        if falls_from is None:
            return participants * 0
        system = numbers.of(participants)
        size = system.maximum(participants, system.number(falls_from))
        return self._n_epsilon_of_all(size) / size

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """N times that, which grows with N."""
        system = numbers.of(delta)
        least = self._n_epsilon_of_all(system.number(participants))
        return system.maximum(least, system.number(0.0))

    def _n_epsilon_of_all(self, participants: Number) -> Number:
        """((1 − α/k)·√(2eN(k − 1))/k − 1)·2(k − 1)/(kT), for a card of k answers.

        At λ = 1/k fewer than 2Nτ + 1 counts are right, each with a probability of at most
        1/√(2eNλ(1 − λ)) (Herzog 1947), and s ≤ εk/(4(k − 1)).
        """
        system = numbers.of(participants)
        right = 1 - system.number(self.failure) / self.lot.numbers
        euler, error = system.exp(system.number(1.0)), system.number(self.lot.error)
        needed = []
        for way in reports_of(self.lot):
            k = way.answers
            counts = right * system.sqrt(2 * euler * participants * (k - 1)) / k - 1
            needed.append(counts * 2 * (k - 1) * way.reports / (k * error))
        return needed[0] if len(needed) == 1 else system.minimum(*needed)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The smallest N ≥ `participants` from which the card suffices."""
        way = self.report(epsilon, participants)
        strength = float(card.strength_of(way.truth(epsilon), way.answers))
        return floor.always_from(strength, participants, self._asked(way))

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the failure probability of the card is certain to be at most α."""
        n = participants.unique_fmpz()
        return n is not None and self.certify_at(float(epsilon.mid()), int(n))

    def certify_at(self, epsilon: float, participants: int) -> bool:
        """The same at the decimal of an ε."""
        way = self.report(epsilon, participants)
        return proof.certify_at_most(participants, way.truth(epsilon), self._in_balls(way))

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε up to `most` is certain to fail in every way."""
        return all(
            proof.certify_over(
                participants,
                floor.most_truthful(most / way.reports, way.answers),
                self._in_balls(way),
            )
            for way in reports_of(self.lot)
        )

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] is certain to fail at every ε up to a ball."""
        return bool(self.failing(epsilon, least, most) > numbers.balls().number(self.failure))

    def failure_between(
        self, n_epsilon: Number, least: int, most: int, lowest: Number | None = None
    ) -> Number:
        """What every N in [least, most] with N·ε up to a ball fails with at least."""
        above = 0 if lowest is None else float((lowest / most).lower())
        return self.failing(n_epsilon / least, least, most, above, n_epsilon)

    def failing(
        self,
        epsilon: Number,
        least: int,
        most: int,
        above: float = 0.0,
        n_epsilon: Number | None = None,
    ) -> "arb":
        """What every N in [least, most] fails with at least, in every way, at every ε in a range.

        ∞ where every one is known to fail with more than α (`n_epsilon`).

        Args:
            epsilon: up to this ball.
            least: the smallest N.
            most: the largest N.
            above: from here on.
            n_epsilon: what N·ε is at most, where that is known too.
        """
        system = numbers.balls()
        error, alpha = system.number(self.lot.error), float(self.failure) / self.lot.numbers
        if (epsilon * most if n_epsilon is None else n_epsilon) < self.n_epsilon(least, error * 0):
            return system.infinity
        lowest = system.number(1)
        for way in reports_of(self.lot):
            excess = most * error * way.strength(epsilon)
            if way.answers == 2 and n_epsilon is not None:  # N·tanh(y/2N) grows with N
                excess = most * error * way.strength(n_epsilon / most)
            shares = _reported_from(above / way.reports, way.answers)
            one = proof.least_failing_between(least, most, excess, shares, alpha)
            if way.answers == 2 and not one > 0:
                one = proof.least_failing(least, most, excess, alpha)
            lowest = lowest.min(self.lot.numbers * one)
        return lowest

    def formula(self) -> "sympy.Expr":
        """What it is, in words."""
        return sympy.Symbol("k·max over μ of Pr[|Y/N − λ| ≥ T(p − q)], Y ~ Binomial(N, λ)")

    def _asked(self, way: Report) -> card.Asked:
        return asked_of(self.lot, way, self.failure)

    def _in_balls(self, way: Report) -> card.Asked:
        number = numbers.balls().number
        asked = asked_of(self.lot, way, number(self.failure))
        return asked._replace(error=number(self.lot.error))


@lru_cache(maxsize=256)
def _falls_from(floor: ExactReportFloor) -> int | None:
    """The N from which (A√N − 1)/N falls, 4/A², where fewer people surely fail at every ε."""
    k, right = floor.lot.numbers, 1 - float(floor.failure) / floor.lot.numbers
    first = math.ceil(4 / (right**2 * 2 * math.e * (k - 1) / k**2))
    few = (floor.failing(numbers.balls().infinity, n, n) for n in range(1, first))
    return first if all(fails > floor.failure for fails in few) else None


def _reported_from(epsilon: float, answers: int) -> tuple[Fraction, Fraction]:
    """Shares of reports between which every card from an ε on leaves all possible."""
    centre = Fraction(1, answers)
    if not epsilon > 0:
        return centre, centre
    strength = card.strength(numbers.balls().number(epsilon), answers) * _PRINTED
    s = fraction(strength.lower())
    return centre * (1 - s), centre + (1 - centre) * s
