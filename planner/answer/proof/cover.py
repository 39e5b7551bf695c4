"""The search for a cover: cuts and rules that exclude every box of a study.

A cover is found with the checker's own rules, so what is written is accepted. A box of N and δ is
excluded in three parts along N·ε: where noise alone is off too often, where the answer is at one
mean, and where a study is too expensive. Where that fails the box is cut, in N or in δ.
"""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, ClassVar

from planner.answer.proof.witness import best_tangent, few_digits, signals_of, text_of, worst_mean
from planner.certificate import check, check_counts
from planner.certificate.check import Box
from planner.certificate.check_bounds import MOST_FAILURE, Formula
from planner.certificate.check_people import People, strengths
from planner.libraries import scipy
from planner.mechanisms import hoeffding
from planner.mechanisms.counts import Noisy, Share
from planner.mechanisms.floor import Floor
from planner.mechanisms.noise import NO_NOISE
from planner.model import Individual
from planner.numbers import WHOLE_LIMIT, first

_MISSED = ("noise-alone", "bound", "mean-half")
"""Rules by which no study in a box is accurate, at several N too."""
_CLOSE = 1e-12
"""How far from an end of N·ε in floats, as a fraction, a cut lies on its safe side."""
MOST_BOXES, MOST_CELLS = 4_000, 60
"""Of N and δ, before a cover is given up, and of N·ε in each of them."""
_NARROW_SIZES = 256  # of which the rule of mean 1/2 may be closer
_REPORTS = Share(NO_NOISE)
_DEAREST, _NEAR = 1e300, 3
"""A cost that stands for any; sizes about the cheapest that are looked at."""
_UNDER_ONE = 1 - Fraction(1, 2**53)
_UNDER = 2e-14
"""By what part a price is lower than the best, so that costs surely rise with N·ε."""
_MOST_MEANS = 12  # that are tried before another one is searched
_NARROW, _LEAST_DELTA = 1e-9, 1e-30
"""Narrower cells are not cut, nor δ under so little, where noise hardly depends on it."""
_NO_NOISE = 2**20
"""An ε at which the noise on a count is as good as gone."""


class Cover:
    """Finds the cuts and rules that exclude the boxes of a study.

    Attributes:
        study: as the checker reads it.
        floor: what its accuracy asks.
        most_coins: numbers of coins between which is cut.
    """

    most_coins: ClassVar[float] = 2.0**53

    def __init__(self, study: check.Study, floor: Floor, person: Individual) -> None:
        self.study, self.floor, self.person = study, floor, person
        self._means = [Fraction(1, 2)]
        noisy = getattr(floor, "noisy", None)
        self.noisy = noisy if isinstance(noisy, Share) else as_share(noisy)
        self.each = getattr(study, "each", Fraction(1))

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
        if threshold := self._coins(box):
            return threshold
        deltas = box.delta[0], _most_delta(self.study, box)
        ends = [min(max(float(d), _LEAST_DELTA), 0.5) for d in deltas]
        low, high = (-math.log(d) for d in ends)  # deviations are about its root
        if max(last / first, low / high) < 1 + _NARROW:
            return None
        if (last / first) ** 2 < low / high:
            return "delta", few_digits(math.exp(-math.sqrt(low * high)))
        return "people", Fraction((first + last) // 2 if last < 4 * first else 2 * first)

    def _coins(self, box: Box) -> tuple[str, Fraction] | None:
        """The ε that half of the coins pay for; None where N differs more than coins do."""
        study, rule = self.study, self.person.pieces[0]
        if not study.smallest_coin or study.budget == math.inf:
            return None
        left = (study.budget - study.running(box.people[0])) / box.people[0]
        low, high = box.epsilons()
        owed = float(rule.compensation(float(min(high, Fraction(_NO_NOISE))), 0.0))
        most = min(float(left), owed) // float(study.smallest_coin)
        least = max(float(rule.compensation(float(low), 0.0)) // float(study.smallest_coin), 0.0)
        if not 0 < most - least <= self.most_coins:
            return None
        if (most + 1) / (least + 1) < box.people[1] / box.people[0]:
            return None
        coins = math.floor((least + most) / 2) * study.smallest_coin
        at = float(rule.epsilon_ceiling(float(coins), 0.0)) * (1 + _CLOSE)
        return ("epsilon", few_digits(at)) if low < few_digits(at) < high else None

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
        left = float(study.budget - study.running(first))
        delta, highest = float(box.delta[0]), 0.0
        for rule in self.person.pieces:
            sure = float(rule.least_compensation(delta))
            rest = left - first * sure
            if rest < 0:
                continue
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
        if box.people[1] == math.inf and self.study.uses_delta:
            return self._cells(box, lambda cell: self._holds(cell, ["noise-alone"]))
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
        """What excludes a cell of N·ε: one mean at which all of it is off too often."""
        if box.people[1] == math.inf or "one-mean" not in self.study.rules:
            return None
        if "convex" in self.study.rules and (found := self._convex(box)):
            return found
        if box.people[0] == box.people[1]:
            return self._one_mean(box)
        narrow = box.people[1] - box.people[0] <= _NARROW_SIZES
        return self._holds(box, ["mean-half"]) if narrow else None

    def _one_mean(self, box: Box) -> list[str] | None:
        """The rule of one mean, which is one that excluded another box, or the likely worst."""
        for place, mean in enumerate(self._means):
            if self.study.rules["one-mean"](self.study, box, text_of(mean)):
                self._means.insert(0, self._means.pop(place))
                return [f"one-mean {text_of(mean)}"]
        inside, outside = (float(rate.mid()) for rate in check_counts.rates(self.study, box))
        rate = min(math.sqrt(inside * outside) if outside > 0 else inside, _NO_NOISE)
        mean = worst_mean(self.noisy, rate, box.people[0], self.study.error)
        if mean in self._means or not self.study.rules["one-mean"](self.study, box, text_of(mean)):
            return None
        self._means = [mean, *self._means[:_MOST_MEANS]]
        return [f"one-mean {text_of(mean)}"]

    def _convex(self, box: Box) -> list[str] | None:
        """The convex rule, by the best of some tangents as far as floats see."""
        most, least = signals_of(self.study, box)
        few, many = (max(math.floor(n / self.each), 1) for n in box.people)
        found = best_tangent(self.noisy, self.study, (few, many), least, most)
        if found is None:
            return None
        witness = [text_of(few_digits(x)) for x in found]
        if not self.study.rules["convex"](self.study, box, *witness):
            return None
        return [f"convex {' '.join(witness)}"]


def as_share(noisy: Noisy | None) -> Share:
    """Values 0 and 1 with the same noise: where they are off, so are some values."""
    return Share(noisy.noise) if noisy is not None else _REPORTS


def _signals(box: Box) -> tuple[float, float]:
    """The ends of N·ε; where it has none, noise is as good as gone."""
    return float(box.signal[0]), float(min(box.most_signal(), _NO_NOISE * box.people[0]))


def _most_delta(study: check.Study, box: Box) -> Fraction:
    """The largest δ of a box, which is under 1, as δ·N may be limited."""
    return min(box.delta[1], _UNDER_ONE, study.delta_times_n_at_most / box.people[0])


class PeopleCover(Cover):
    """Finds the cuts and rules that exclude boxes of reports, populations and whole noise."""

    study: People

    def _at_a_mean(self, box: Box) -> list[str] | None:
        if not self.study.reports or "one-mean" not in self.study.rules:
            return super()._at_a_mean(box)
        if box.people[0] < box.people[1]:
            return self._holds(box, ["mean-half"])
        n, strong = box.people[0], Fraction(strengths(box)[1])
        worst = worst_mean(_REPORTS, 1.0, n, self.study.error * strong)
        for mean in (Fraction(1, 2), worst):
            if self.study.rules["one-mean"](self.study, box, text_of(mean)):
                return [f"one-mean {text_of(mean)}"]
        return None


class FormulaCover(Cover):
    """Finds the cuts and tangents that exclude the boxes of a study by one formula."""

    study: Formula

    def __init__(self, study: Formula, floor: Floor, person: Individual) -> None:
        super().__init__(study, floor, person)
        self._places: dict[str, dict[Any, int | None]] = {"_capped": {}, "_cheapest": {}}

    def _excluded(self, box: Box) -> list[str] | None:
        return super()._excluded(box) or self._by_tangent(box)

    def _by_tangent(self, box: Box) -> list[str] | None:
        """The rule of a tangent at the end of the box that is nearer to the cheapest size."""
        if self.study.budget == math.inf:
            return None
        for n in {box.people[0], box.people[1]} - {math.inf}:
            witness = self._tangent(
                int(n), float(_most_delta(self.study, box)), float(box.delta[0])
            )
            if witness and self.study.rules["tangent"](self.study, box, *witness):
                return [f"tangent {' '.join(witness)}"]
        return None

    def _cut(self, box: Box) -> tuple[str, Fraction] | None:
        """At the cheapest size, so that costs rise or fall in each part; else in two."""
        whole = self.study.box._replace(delta=box.delta)
        for place in (self._capped, self._cheapest):
            if box.delta not in self._places[place.__name__]:
                self._places[place.__name__][box.delta] = place(whole)
            at = self._places[place.__name__][box.delta]
            if at is not None and box.people[0] <= at < box.people[1]:
                return "people", Fraction(at)
        return super()._cut(box)

    def _capped(self, box: Box) -> int | None:
        """The most people whose ε would pass a ceiling on ε or on harm; None where none are."""
        first_, last = box.people[0], int(min(box.people[1], WHOLE_LIMIT))
        high, rule = float(_most_delta(self.study, box)), self.person.pieces[0]
        most = min(float(box.epsilons()[1]), _NO_NOISE)
        if self.study.max_harm < math.inf:
            most = min(
                most, float(rule.epsilon_ceiling(float(self.study.max_harm), float(box.delta[0])))
            )

        def allowed(n: int) -> bool:
            return bool(self.floor.epsilon(float(n), high) <= most)

        if most >= _NO_NOISE or allowed(first_) or not allowed(last):
            return None
        return first(allowed, first_, last) - 1

    def _cheapest(self, box: Box) -> int | None:
        first, last = box.people[0], int(min(box.people[1], WHOLE_LIMIT))
        high, low = float(_most_delta(self.study, box)), float(box.delta[0])
        rule, study = self.person.pieces[0], self.study
        each = float(study.per_person + study.per_invitation / study.response_rate)
        if first >= last:
            return None

        def cost(n: float) -> float:
            owed = float(rule.compensation(float(self.floor.epsilon(n, high)), low))
            total = n * (owed + each)
            return min(total, _DEAREST) if total == total else _DEAREST

        found = scipy.optimize.minimize_scalar(
            lambda x: cost(math.exp(x)), bounds=(math.log(first), math.log(last)),
            method="bounded", options={"xatol": 1e-12},
        )  # fmt: skip
        best = round(math.exp(found.x))
        near = [n for n in range(best - _NEAR, best + _NEAR + 1) if first <= n < last]
        return min(near, key=cost, default=None)

    def _tangent(self, n: int, delta: float, low: float) -> list[str] | None:
        """N, N·ε, the price of accuracy, and of Hoeffding's bound the sample's part of α."""
        epsilon = float(self.floor.epsilon(float(n), delta))
        if not 0 < epsilon < _NO_NOISE:
            return None
        y, t, alpha = n * epsilon, float(self.study.error), float(self.study.failure)
        part: list[float] = []
        if not math.isfinite(y):
            return None
        if self.study.formula != "laplace-mean":
            rise = 1.0
        elif self.study.analysis == "paper":
            rise = t / 2 * math.exp(-t * y / 2)
        else:
            if alpha > MOST_FAILURE:
                return None
            counted = n / float(self.study.each)
            split = hoeffding.best_split(y / counted, counted, t)
            beta = min(2 * math.exp(-2 * counted * (split * t) ** 2), alpha * (1 - _CLOSE))
            rise, part = -math.log(alpha - beta) / y**2, [beta]
        more = float(self.person.pieces[0].compensation_slope(epsilon, low))  # type: ignore[attr-defined]
        price = more / rise * (1 - _UNDER) if rise > 0 else 0.0
        if not 0 < price < _DEAREST:
            return None
        return [str(n), *(text_of(Fraction(repr(float(x)))) for x in (y, price, *part))]
