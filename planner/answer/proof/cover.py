"""The search for a cover: cuts and rules that exclude every box of a study.

A cover is found with the checker's own rules, so what is written is accepted. A box of N and δ is
excluded in three parts along N·ε: where noise alone is off too often, where the answer is at one
mean, and where a study is too expensive. Where that fails the box is cut, in N or in δ.
"""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from planner.certificate import check
from planner.certificate.check import Box
from planner.mechanisms.exact import ExactFloor
from planner.mechanisms.exact.failure import Asked
from planner.mechanisms.floor import Floor
from planner.model import Individual
from planner.numbers import WHOLE_LIMIT

_MISSED = ("noise-alone", "bound", "mean-half")
"""Rules by which no study in a box is accurate, at several N too."""
_DIGITS = 12
"""Of the ends of boxes: finer than the room that a proof has."""
_CLOSE = 1e-12
"""How far from an end of N·ε in floats, as a fraction, a cut lies on its safe side."""
MOST_BOXES, MOST_CELLS = 4_000, 60
"""Of N and δ, before a cover is given up, and of N·ε in each of them."""
_MOST_MEANS, _ROUGH = 12, 1e-3
"""That are tried before another one is searched, and how closely that is."""
_NARROW, _LEAST_DELTA = 1e-9, 1e-30
"""Narrower cells are not cut, nor δ under so little, where noise hardly depends on it."""
_NO_NOISE = 2**20
"""An ε at which the noise on a count is as good as gone."""


class Cover:
    """Finds the cuts and rules that exclude the boxes of a study.

    Attributes:
        study: as the checker reads it.
        floor: what its accuracy asks.
    """

    def __init__(self, study: check.Study, floor: Floor, person: Individual) -> None:
        self.study, self.floor, self.person = study, floor, person
        self._means = [Fraction(1, 2)]

    def lines(self, most_boxes: int = MOST_BOXES) -> list[str]:
        """A cover; `unproved` stands for each box that is not excluded.

        Once one of them cannot be cut the others are left too: the cover is not complete.
        """
        lines: list[str] = []
        boxes, left = [self.study.box], most_boxes
        while boxes:
            box = boxes.pop()
            found = self._excluded(box) if left > 0 else None
            cut = None if found or left <= 0 else self._cut(box)
            if cut:
                boxes += reversed(box.cut(*cut))
                found = [f"{cut[0]} {text_of(cut[1])}"]
            left = left - 1 if found else 0
            lines += found or ["unproved"]
        return lines

    def _holds(self, box: Box, names: Iterable[str]) -> list[str] | None:
        """The rule of these that excludes a box, of those that are about such a study."""
        rules = self.study.rules
        known = (name for name in names if name in rules)
        return next(([name] for name in known if rules[name](self.study, box)), None)

    def _cut(self, box: Box) -> tuple[str, Fraction] | None:
        """Where a box is cut: in N or in δ, where noise differs more; None where in neither."""
        first, last = box.people
        if last == math.inf:
            return ("people", Fraction(2 * first)) if first < WHOLE_LIMIT else None
        deltas = box.delta[0], _most_delta(self.study, box)
        ends = [min(max(float(d), _LEAST_DELTA), 0.5) for d in deltas]
        low, high = (-math.log(d) for d in ends)  # deviations are about its root
        if max(last / first, low / high) < 1 + _NARROW:
            return None
        if (last / first) ** 2 < low / high:
            return "delta", few_digits(math.exp(-math.sqrt(low * high)))
        return "people", Fraction((first + last) // 2 if last < 4 * first else 2 * first)

    def _excluded(self, box: Box) -> list[str] | None:
        """What excludes a box of N and δ: a rule, or a cut in N·ε and what excludes both parts."""
        found = self._holds(box, ("limits", *_MISSED))
        if found:
            return found
        top = self._paid_from(box)
        if top is None:
            return self._missed(box)
        under, over = box.cut("signal", top)
        missed = self._missed(under)
        return missed and [
            f"signal {text_of(top)}",
            *missed,
            *(self._holds(over, ["limits"]) or []),
        ]

    def _paid_from(self, box: Box) -> Fraction | None:
        """An N·ε from which on a study in the box is too expensive; None where none is."""
        (first, last), study = box.people, self.study
        left, each = float(study.budget - study.overhead), float(study.recruiting)
        delta, highest = float(box.delta[0]), 0.0
        for rule in self.person.pieces:
            sure = float(rule.least_compensation(delta))
            rest = left - first * (each + sure)
            if last == math.inf:
                highest = max(highest, float(rule.n_epsilon_ceiling(rest)))
                continue
            money = min(rest / last + sure, float(study.max_harm))
            highest = max(highest, last * float(rule.epsilon_ceiling(money, delta)))
        for step in (1e-12, 1e-9, 1e-6):
            least = few_digits(highest * (1 + step)) if 0 < highest < WHOLE_LIMIT else None
            if least and self._holds(box._replace(signal=(least, box.signal[1])), ["limits"]):
                return least
        return None

    def _missed(self, box: Box) -> list[str] | None:
        found = self._holds(box, ("noise-alone", "bound"))
        if found or not self.study.exact:
            return found
        least = self._alone_up_to(box)
        alone = box._replace(signal=(box.signal[0], least))
        if not (least > box.signal[0] and self._holds(alone, ["noise-alone"])):
            return self._in_cells(box)
        cells = self._in_cells(box.cut("signal", least)[1])
        return cells and [f"signal {text_of(least)}", "noise-alone", *cells]

    def _alone_up_to(self, box: Box) -> Fraction:
        """The N·ε up to which noise alone is off too often in a box, as far as floats see."""
        (first, last), delta = box.people, float(_most_delta(self.study, box))
        if self.study.uses_delta and not delta:
            return Fraction(0)
        most = first if last == math.inf else last
        epsilon = float(self.floor.noise_alone(float(most), delta))
        people = first if self.study.uses_delta else most  # of Laplace noise N·ε is what counts
        return few_digits(people * epsilon * (1 - _CLOSE)) if epsilon < math.inf else Fraction(0)

    def _in_cells(self, box: Box) -> list[str] | None:
        """What excludes a box in cells of N·ε, at one mean for each."""
        last = min(box.most_signal(), Fraction(_NO_NOISE * box.people[0]))
        if not self._at_a_mean(box._replace(signal=(last, box.signal[1]))):
            return None
        return self._cells(box, self._at_a_mean)

    def _cells(self, box: Box, excluded: Callable[[Box], list[str] | None]) -> list[str] | None:
        """The cuts of a box in N·ε, and what excludes each cell; None where they are too many."""
        lines: list[str] = []
        cells = [box]
        for _ in range(MOST_CELLS):
            if not cells:
                return lines
            cell = cells.pop()
            found = excluded(cell)
            if not found:
                low, high = _signals(cell)
                middle = few_digits(math.sqrt(max(low, high / WHOLE_LIMIT) * high))
                cells += reversed(cell.cut("signal", middle))
                found = [f"signal {text_of(middle)}"]
            lines += found
        return None

    def _at_a_mean(self, box: Box) -> list[str] | None:
        if box.people[0] < box.people[1]:
            return self._holds(box, ["mean-half"])
        for place, mean in enumerate(self._means):
            if self.study.rules["one-mean"](self.study, box, text_of(mean)):
                self._means.insert(0, self._means.pop(place))
                return [f"one-mean {text_of(mean)}"]
        assert isinstance(self.floor, ExactFloor)
        inside, outside = (float(rate.mid()) for rate in check.rates(self.study, box))
        asked = Asked(float(self.study.error), float(self.study.failure), self.floor.mean_range)
        rate = min(math.sqrt(inside * outside) if outside > 0 else inside, _NO_NOISE)
        mean = self.floor.share.worst_mean(rate, box.people[0], asked, _ROUGH).mean
        if mean in self._means or not self.study.rules["one-mean"](self.study, box, text_of(mean)):
            return None
        self._means = [mean, *self._means[:_MOST_MEANS]]
        return [f"one-mean {text_of(mean)}"]


def _signals(box: Box) -> tuple[float, float]:
    """The ends of N·ε; where it has none, noise is as good as gone."""
    return float(box.signal[0]), float(min(box.most_signal(), _NO_NOISE * box.people[0]))


def _most_delta(study: check.Study, box: Box) -> Fraction:
    """The largest δ of a box, as δ·N may be limited."""
    return min(box.delta[1], study.delta_times_n_at_most / box.people[0])


def few_digits(x: float) -> Fraction:
    """A number of few digits."""
    return Fraction(f"{x:.{_DIGITS}g}")


def text_of(x: Fraction) -> str:
    """As the checker reads it: a decimal where it is one of few digits."""
    short = repr(float(x))
    return short if Fraction(short) == x else f"{x.numerator}/{x.denominator}"
