"""Several questions without a curator by lot, each by the exact failure probability of its reports.

Question i is put to Nᵢ people at the whole ε, so that the numbers of people add up; `lots` finds
them. A plan is proved question by question, with the shares of α that it states.

None exists where the people are too few at every split. Of all Nᵢ in a range and all cards up to ε
it is known what they fail with at least (`report_floor`), and any split keeps to Σ tᵢ·fᵢ ≤ α: so
the bound by one multiplier holds (`bounds`), with people for N·ε. It holds for all N up to one at
once, as some people may be asked nothing.
"""

import math
from dataclasses import dataclass

from planner import numbers
from planner.libraries import np, sympy
from planner.mechanisms.floor import Floor, Regularity, Ripple
from planner.mechanisms.reports import floor
from planner.mechanisms.several import bounds
from planner.mechanisms.several.best_shares import Part
from planner.mechanisms.several.lots import Lots, known, lots_at
from planner.mechanisms.several.report_floor import ExactReportFloor
from planner.mechanisms.several.split_sample import Asked, SplitQuestion, together_at_most
from planner.numbers import Number

_FIRST = 0.8
"""The first piece of ε that is refuted goes down to this part of the largest."""
_MOST = 40.0  # e^−40 of the reports of a larger ε are untrue
_LEAST_PART = 1e-6  # of ε: below it one piece takes all


@dataclass(frozen=True)
class ExactSplitSampleFloor(Floor):
    """The least ε at which N people are enough for all lots.

    Attributes:
        lots: one for each question.
        failure: α of all together; None where each has its own.
    """

    lots: tuple[SplitQuestion, ...]
    failure: float | None = None

    @property
    def regularity(self) -> Regularity:
        """As of one share: N·ε grows as √N."""
        return Regularity("saw-toothed", n_epsilon_grows=True, in_cells=True, on_grids=True)

    def ripple(self, participants: int) -> Ripple:
        """Proofs take room as those of one share do; its ε never rises with N."""
        return Ripple(spare=floor.ripple(participants).spare)

    @property
    def allowed(self) -> Number:
        """α, or the sum of all αᵢ."""
        return self.failure or sum(lot.times * lot.failure for lot in self.lots)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probabilities of all questions, added up."""
        plan = self._at(epsilon)
        if not plan.sizes:
            return 1.0
        total = sum(
            lot.times * ExactReportFloor(lot, lot.failure).achieved(epsilon, n, 0.0)
            for lot, n in zip(plan.lots, plan.sizes, strict=True)
        )
        return min(1.0, total)

    def sizes(self, epsilon: float) -> tuple[int, ...]:
        """How many people each question is put to."""
        return self._at(epsilon).sizes

    def people(self, epsilon: float) -> float:
        """How many people that is together; ∞ where no number is enough."""
        return self._at(epsilon).people

    def asked(self, epsilon: float, participants: int) -> list[Asked]:
        """How a plan asks each question."""
        plan = self._at(epsilon)
        rows = zip(plan.lots, plan.sizes, plan.ways, strict=True)
        return [
            Asked(lot, epsilon, n, lot.times * n / participants, way.way, *way.card(epsilon))
            for lot, n, way in rows
        ]

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε that is known to be enough; ∞ where none is."""
        certain = known(self.lots, self.failure).certain
        floors = np.vectorize(lambda n: certain(float(n)), otypes=[float])(participants)
        return float(floors) if np.ndim(floors) == 0 else floors

    def approximate(self, participants: Number, delta: Number) -> Number:
        """About the same over an array of N, the closer to it the nearer its sizes lie."""
        return known(self.lots, self.failure).approximate(np.asarray(participants, dtype=float))

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """The same."""
        return self.approximate(participants, delta)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """What the question that asks most would need of all people, with all of α."""
        system = numbers.of(participants)
        most = participants * 0
        for question in self._whole:
            most = system.maximum(most, question.noise_alone(participants, delta))
        return most

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """N times that, which grows with N."""
        size = numbers.of(delta).number(participants)
        return size * self.noise_alone(size, delta)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the numbers of people are at most N, and each is surely enough for its card."""
        given = float(epsilon.mid())
        plan = self._at(given)
        return (
            bool(plan.people <= participants)
            and together_at_most(plan.lots, self.failure)
            and all(
                ExactReportFloor(lot, lot.failure).certify_at(given, n)
                for lot, n in zip(plan.lots, plan.sizes, strict=True)
            )
        )

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε up to `most` is certain to miss."""
        return self.certify_missed_sizes(most, participants, participants, delta)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N up to `most` is certain to miss at every ε up to a ball, at any split.

        They are looked at in pieces of ε, from what noise alone asks on: shares of the reports that
        all cards of a piece leave possible lie far apart only if their ε do not. Far below what is
        needed wide pieces are refuted too, so each is twice as wide as the one above it; for yes or
        no half of the reports are always possible, and two pieces will do.
        """
        lowest = float(self.noise_alone(numbers.balls().number(most), delta).lower())
        up_to, part = epsilon, _FIRST
        several = any(lot.numbers > 2 for lot in self.lots)
        while not up_to <= lowest:
            low = float(up_to.mid()) * part if up_to.is_finite() else _MOST
            above = low if low > lowest and part > _LEAST_PART else lowest
            if not self._missed(above, up_to, most):
                return False
            up_to, part = type(epsilon)(above), part**2 if several else 0.0
        return True

    def _missed(self, above: float, epsilon: Number, most: int) -> bool:
        """The same for ε from one to another."""

        def failing(question: ExactReportFloor) -> bounds.Failing:
            def fails(end: float, start: float = 0.0) -> Number:
                first, last = max(math.ceil(start), 1), math.floor(end)
                if first > last:  # no whole number
                    return numbers.balls().number(math.inf)
                return question.failing(epsilon, first, last, above)

            return fails

        whole = numbers.balls().number(most)
        questions = self._whole
        every = [failing(question) for question in questions]
        parts = [Part(question, question.lot.times) for question in questions]
        if self.failure is None:
            least = whole * 0
            for part, fails in zip(parts, every, strict=True):
                alpha = numbers.balls().number(part.floor.failure)
                least += part.times * bounds.least_priced(fails, alpha, 0.0, float(most))[0]
            return bool(least > whole)
        # by Hoeffding's bound, for the best split
        strengths = [lot.strength(float(epsilon.mid())) for lot in self.lots]
        pairs = zip(self.lots, strengths, strict=True)
        price = sum(lot.times / (2 * (lot.error * s) ** 2) for lot, s in pairs) / self.failure
        return bounds.beyond(parts, every, self.failure, whole, lambda: price)

    def _at(self, epsilon: Number) -> Lots:
        return lots_at(self.lots, self.failure, float(epsilon))

    @property
    def _whole(self) -> list[ExactReportFloor]:
        """Each question at all of α, or at its own."""
        return [ExactReportFloor(lot, self.failure or lot.failure) for lot in self.lots]

    def formula(self) -> "sympy.Expr":
        """The union bound of all lots together, in words."""
        return sympy.Symbol("Σ kᵢ·max over μ of Pr[|Yᵢ/Nᵢ − λ| ≥ Tᵢ(p − q)] over lots, Σ Nᵢ ≤ N,")
