"""The cover of a study of reports, of a finite population, or with geometric noise.

Its boxes are cut as in `cover`; other means and tangents exclude them (`certificate.check_people`).
"""

import math
from fractions import Fraction

from planner.answer.proof.cover import Cover, few_digits, text_of
from planner.certificate.check import Box
from planner.certificate.check_people import People, signals, strengths
from planner.mechanisms.exact import ExactFloor
from planner.mechanisms.exact.sizes import best_tangent
from planner.mechanisms.exact.without_replacement import Hypergeometric
from planner.mechanisms.reports.worst import worst_share

_PLACES = 10**15
"""Means are rounded to one part of so many: finer than the room that a proof has."""


class PeopleCover(Cover):
    """Finds the cuts and rules that exclude the boxes of such a study."""

    study: People

    def _at_a_mean(self, box: Box) -> list[str] | None:
        if self.study.reports and box.people[0] == box.people[1]:
            return self._of_reports(box)
        if not self.study.finite or box.people[0] == box.people[1]:
            return super()._at_a_mean(box)
        endless = box.most_signal() == math.inf
        return None if self.study.whole or endless else self._of_population(box)

    def _of_reports(self, box: Box) -> list[str] | None:
        n, strong = box.people[0], Fraction(strengths(box)[1])
        ends = (Fraction(1, 2) + (mean - Fraction(1, 2)) * strong for mean in self._range)
        worst = worst_share(n, self.study.error * strong, *ends) * _PLACES  # where an edge is hit
        sides = (Fraction(end(worst), _PLACES) for end in (math.floor, math.ceil))
        for mean in (Fraction(1, 2), *sides):
            if self.study.rules["one-mean"](self.study, box, text_of(mean)):
                return [f"one-mean {text_of(mean)}"]
        return None

    @property
    def _range(self) -> tuple[Fraction, Fraction]:
        return self.study.low, self.study.high

    def _of_population(self, box: Box) -> list[str] | None:
        assert isinstance(self.floor, ExactFloor)
        share = self.floor.share
        assert isinstance(share.law, Hypergeometric)
        most, least = (float(signal.mid()) for signal in signals(self.study, box))
        having = share.law.lattice(self.floor.mean_range).near(0.5)
        found = best_tangent(
            share.law, share.noise, most, least, box.people, having, float(self.study.error)
        )
        witness = [text_of(few_digits(x)) for x in found or ()]
        if found and self.study.rules["population"](self.study, box, *witness):
            return [f"population {' '.join(witness)}"]
        return None
