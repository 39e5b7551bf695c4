"""Lots at each ε: how many people each question is put to, and how few people that is together.

At one ε the best ties share out people and α (`ties`). The numbers are then confirmed at every
share of the reports, with the very card that is printed, and what they leave of α is given to all
questions in proportion. The least ε of N people is the least whose lots take no more: ε are looked
at on a grid that is made finer where it is read.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from planner.libraries import np
from planner.mechanisms.reports import card, worst
from planner.mechanisms.several import ties
from planner.mechanisms.several.questions import PROOF_PART
from planner.mechanisms.several.report_floor import Report, reports_of
from planner.mechanisms.several.split_sample import SplitQuestion, stated
from planner.numbers import Array, round_up

_MOST = 40.0  # e^−40 of the reports of a larger ε are untrue: no count feels it
_LEAST = 1e-9  # no smaller ε is searched
_COARSE, _FINE, _CUT = 1.06, 2e-4, 8
"""Known ε are so far apart at first and in the end, as a ratio; each gap is cut in so many."""
_PER_GAP = 4
"""Where several N are read, known ε lie this much closer together than these."""
_DIGITS = 6  # of an ε that is looked at, well within the finest gap
_MOST_READ = 16  # ε whose confirmed numbers are too large are passed over so often
_MOST_MORE = 64  # people more than at a tie, where floats differ from the confirmed numbers


class Lots(NamedTuple):
    """Lots at one ε.

    Attributes:
        lots: the questions, each with its share of α.
        sizes: how many people each is put to; empty where no numbers are enough.
        ways: how each is asked.
    """

    lots: tuple[SplitQuestion, ...]
    sizes: tuple[int, ...]
    ways: tuple[Report, ...]

    @property
    def people(self) -> float:
        """How many there are together."""
        if not self.sizes:
            return math.inf
        return float(sum(lot.times * n for lot, n in zip(self.lots, self.sizes, strict=True)))


@lru_cache(maxsize=2**12)
def lots_at(lots: tuple[SplitQuestion, ...], failure: float | None, epsilon: float) -> Lots:
    """The confirmed lots at an ε, an input's decimal.

    Args:
        lots: the questions.
        failure: α of all together; None where each has its own.
        epsilon: ε.
    """
    best = _best(lots, failure, np.array([epsilon]))
    if not np.isfinite(best.price).all():
        return Lots(lots, (), ())
    sizes, ways, failures = [], [], []
    for i, lot in enumerate(lots):
        way = reports_of(lot)[int(best.way[i, 0])]
        most = best.failure[i, 0] if failure is not None else lot.failure
        n, fails = _confirmed(lot, way, int(best.price[i, 0]), way.truth(epsilon), float(most))
        sizes.append(n)
        ways.append(way)
        failures.append(fails)
    if failure is None:
        return Lots(lots, tuple(sizes), tuple(ways))
    together = sum(lot.times * a for lot, a in zip(lots, failures, strict=True))
    if together > failure:
        return Lots(lots, (), ())
    shares = stated(lots, [failure * a / together for a in failures])
    return Lots(shares, tuple(sizes), tuple(ways))


def _confirmed(
    lot: SplitQuestion, way: Report, n: int, truth: Fraction, most: float
) -> tuple[int, float]:
    """The first N from a tie's on that fails no more often than a tie should, and how often."""
    for more in range(_MOST_MORE):
        one = worst.failure_at(n + more, truth, lot.error, (0.0, 1.0), way.answers)
        if lot.numbers * one <= most * (1 + 1e-9):
            return n + more, lot.numbers * one
    return n, 1.0


def _best(lots: tuple[SplitQuestion, ...], failure: float | None, epsilon: Array) -> ties.Ties:
    """The best ties at each ε of an array."""
    strengths = [_strengths(lot, epsilon) for lot in lots]
    if failure is None:
        shares = [np.full(epsilon.shape, lot.failure) for lot in lots]
        failures: Sequence[float] | None = [lot.failure for lot in lots]
        alpha = 1.0
    else:
        alpha, failures = failure * (1 - PROOF_PART), None
        # by Hoeffding's bound they are the best in proportion to 1/(Ts)²
        weights = [
            1 / (lot.error * s.max(axis=0)) ** 2 for lot, s in zip(lots, strengths, strict=True)
        ]
        whole = sum(lot.times * weight for lot, weight in zip(lots, weights, strict=True))
        shares = [alpha * weight / whole for weight in weights]
    rows = zip(lots, strengths, shares, strict=True)
    return ties.best([ties.of_people(*row) for row in rows], failures, alpha)


def _strengths(lot: SplitQuestion, epsilon: Array) -> Array:
    """The p − q of the cards that are printed; rows by way."""
    return np.array(
        [
            [float(card.strength_of(way.truth(e), way.answers)) for e in epsilon.tolist()]
            for way in reports_of(lot)
        ]
    )


class Known:
    """The numbers of people at the ε that have been looked at."""

    def __init__(self, lots: tuple[SplitQuestion, ...], failure: float | None) -> None:
        """Begin with a coarse grid, which goes on to lower ε as more people are asked about."""
        self._lots, self._failure = lots, failure
        self._epsilon = self._people = np.empty(0)
        self._look_at(_MOST / _COARSE ** np.arange(4 * round(math.log(_MOST) / math.log(_COARSE))))

    def approximate(self, participants: Array) -> Array:
        """About the least ε of each N: between two known ones as if people fell with a power."""
        sizes = np.unique(participants)
        gaps = np.diff(np.log(sizes))
        self._look_closer(sizes, float(np.min(gaps, initial=np.inf)) / _PER_GAP)
        at = self._first(participants)
        after = np.minimum(at, len(self._epsilon) - 1)
        before = np.maximum(after - 1, 0)
        with np.errstate(all="ignore"):
            x, y = np.log(self._epsilon), np.log(self._people)
            part = (y[after] - np.log(participants)) / (y[after] - y[before])
            between = np.exp(x[after] + np.clip(part, 0.0, 1.0) * (x[before] - x[after]))
        found = np.where(np.isfinite(between), between, self._epsilon[after])
        return np.where(at < len(self._epsilon), found, np.inf)

    def certain(self, participants: float) -> float:
        """The least known ε whose confirmed lots take no more people; ∞ where none is."""
        self._look_closer(np.array([participants]), _FINE)
        enough = self._epsilon[self._people <= participants]
        for epsilon in enough[:_MOST_READ].tolist():
            if lots_at(self._lots, self._failure, epsilon).people <= participants:
                return float(epsilon)
        return math.inf

    def _first(self, participants: Array) -> Array:
        """The places of the least known ε that take no more people, beyond the end where none."""
        fewest = np.minimum.accumulate(self._people)
        return np.searchsorted(-fewest, -np.asarray(participants, float), side="left")

    def _look_closer(self, sizes: Array, apart: float) -> None:
        """Make the grid so fine, as a ratio less 1, just under the least ε of each N."""
        while self._people[0] < sizes[-1] and self._epsilon[0] > _LEAST:
            steps = np.arange(1, round(math.log(4) / math.log(_COARSE)))
            self._look_at(self._epsilon[0] / _COARSE**steps)
        while True:
            at = np.unique(self._first(sizes))
            at = at[(at > 0) & (at < len(self._epsilon))]
            low, high = self._epsilon[at - 1], self._epsilon[at]
            wide = high > low * (1 + max(apart, _FINE))
            if not wide.any():
                return
            cuts = np.linspace(low[wide], high[wide], _CUT + 1)[1:-1].ravel()
            if not self._look_at(cuts):
                return

    def _look_at(self, epsilon: Array) -> bool:
        """Look at ε that are not known yet, with few digits; whether there are any."""
        rounded = np.array([round_up(e, _DIGITS) for e in epsilon.tolist()])
        new = np.setdiff1d(rounded, self._epsilon)
        if not new.size:
            return False
        with np.errstate(all="ignore"):
            best = _best(self._lots, self._failure, new)
        times = np.array([lot.times for lot in self._lots])
        people = np.append(self._people, times @ best.price)
        order = np.argsort(every := np.append(self._epsilon, new))
        self._epsilon, self._people = every[order], people[order]
        return True


@lru_cache(maxsize=64)
def known(lots: tuple[SplitQuestion, ...], failure: float | None) -> Known:
    """What is known of a survey."""
    return Known(lots, failure)
