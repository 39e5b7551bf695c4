"""The cover of a study of two groups, or of a test.

Its boxes are cut as in `cover`; thresholds exclude those of tests
(`certificate.check_comparisons`).
"""

import math
from collections.abc import Iterator
from dataclasses import fields

from planner.answer.answers import Plan
from planner.answer.proof.cover import Cover
from planner.answer.proof.witness import few_digits, text_of
from planner.certificate.check import Box
from planner.certificate.check_comparisons import Comparison, even
from planner.libraries import np
from planner.mechanisms import kinds
from planner.mechanisms.count_test import PowerFloor, least_signal
from planner.mechanisms.counts import Share
from planner.mechanisms.difference_floor import DifferenceFloor
from planner.mechanisms.floor import Floor
from planner.mechanisms.noise import NOISES
from planner.mechanisms.threshold import KEPT, SURE, planned_threshold, threshold_at
from planner.model import Difference, Individual, Study

_UNDER = 1 - 1e-9
"""How far under the least signal, as a fraction, a cut lies on its safe side."""


def target_lines(study: Study) -> Iterator[tuple[str, object]]:
    """Keys and values of a test, or of a difference; of another target none."""
    test = study.power
    if test is None:
        yield "target.kind", Difference.file_kind if study.groups == 2 else None
        return
    yield "target.kind", test.file_kind
    for field in fields(test):  # type: ignore[arg-type]  # all kinds are dataclasses
        value = getattr(test, field.name)
        if value != field.default or field.name in ("power", "significance", "sides"):
            listed = isinstance(value, tuple)
            yield f"target.{field.name}", ",".join(map(repr, value)) if listed else repr(value)


def threshold_line(plan: Plan) -> list[str]:
    """The threshold of a plan that is a test by a noisy count, which its certificate states."""
    test = plan.study.power
    if test is None or plan.card is not None:
        return []
    people = test.tested.counted(plan.participants)
    level, chance = planned_threshold(test.tested, plan.epsilon, people)
    return [f"threshold {level} {chance!r}"]


class ComparisonCover(Cover):
    """Finds the cuts and rules that exclude the boxes of such a study."""

    study: Comparison

    def __init__(self, study: Comparison, floor: Floor, person: Individual) -> None:
        super().__init__(study, floor.one if isinstance(floor, DifferenceFloor) else floor, person)
        if isinstance(floor, DifferenceFloor) and floor.to_prove is not None:
            self.noisy = Share(NOISES[kinds.adds(floor.one.mechanism)])  # type: ignore[attr-defined]

    def _at_a_mean(self, box: Box) -> list[str] | None:
        """The mean at which all of a box fails, of an even number of people."""
        box = even(box)
        if box.people[0] < box.people[1]:
            return self._holds(box, ["mean-half"])
        return self._one_mean(box)

    def _missed(self, box: Box) -> list[str] | None:
        """What excludes a box as no study in it is accurate, or no test has the power."""
        if not isinstance(self.floor, PowerFloor):
            return super()._missed(box)
        found = self._holds(box, ["little-signal"])
        if found or box.people[1] == math.inf:
            return found
        first = box.people[0]
        least = few_digits(first * math.log1p(least_signal(self.floor.tested) / first) * _UNDER)
        if not least > box.signal[0]:
            return self._in_cells(box)
        under, over = box.cut("signal", least)
        cells = self._holds(under, ["little-signal"]) and self._in_cells(over)
        return cells and [f"signal {text_of(least)}", "little-signal", *cells]

    def _in_cells(self, box: Box) -> list[str] | None:
        """What excludes a box in cells of N·ε, by a threshold for each."""
        if not isinstance(self.floor, PowerFloor):
            return super()._in_cells(box)
        if self.study.groups == 1:  # the most people with the most ε speak for all
            return self._by_threshold(box)
        return self._cells(box, self._by_threshold)

    def _by_threshold(self, box: Box) -> list[str] | None:
        assert isinstance(self.floor, PowerFloor)
        tested = self.floor.tested
        sizes = [max(tested.counted(n), tested.groups) for n in box.people]
        people = sizes[0] if tested.groups == 2 else sizes[1]
        rate = np.array([min(float(box.epsilons()[1]), SURE)])
        found = threshold_at(tested, rate, np.array([float(people)]), 1 + KEPT)
        witness = [str(int(found.level[0])), repr(float(found.chance[0]))]
        if self.study.rules["power"](self.study, box, *witness):
            return [f"power {' '.join(witness)}"]
        return None
