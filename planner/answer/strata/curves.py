"""What the own answer of a stratum asks of its people, at any failure probability and size.

It is read at a few of both, and interpolated: searches over the division of α, sizes and noise ask
for it thousands of times, and the exact analysis takes hundredths of a second for each α.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from planner import numbers
from planner.answer.problem.problem import problem_of
from planner.answer.problem.region import Region
from planner.answer.strata.shares import FINEST
from planner.answer.strata.with_total import WithFactor
from planner.libraries import np, scipy
from planner.mechanisms.sample import Sample
from planner.model import MaxParticipants, Study
from planner.model.strata import study_of_stratum
from planner.numbers import WHOLE_LIMIT, Array

_FAILURES, _SIZES, _FINE = 8, 48, 1000
"""Failure probabilities and sizes at which a floor is read, and sizes between these."""
_LEAST = 1e-12
"""An N·ε that costs nothing stands for none, where any noise will do."""
_LARGEST = 64.0
"""How many times the least size of a stratum, or of what the sum's sample needs, are looked at."""


class Sizes(NamedTuple):
    """A kind of stratum at one failure probability.

    Attributes:
        sizes: N, from the least on.
        own: ε of its own answer at these.
        used: what each stratum takes of V at these.
    """

    sizes: Array
    own: Array
    used: Array


class UnreachableError(Exception):
    """A stratum has no study with all of the failure probability."""


@dataclass(frozen=True)
class Curve:
    """What the own answer of a kind of stratum asks, at any failure probability.

    Attributes:
        study: of the strata together.
        kind: of the stratum.
        place: the price of a place among the participants [money].
    """

    study: Study
    kind: WithFactor
    place: float = 0.0

    def alone(self, failure: float) -> Study:
        """The study of a stratum by itself."""
        return study_of_stratum(self.study, self.kind.stratum, failure)

    @property
    def sample(self) -> Sample:
        """How its people are drawn."""
        return self.alone(0.5).sampling.sample

    @cached_property
    def most(self) -> float:
        """How many people can take part."""
        one = self.alone(0.5)
        own = one.find(MaxParticipants)
        return min(one.sampling.most_participants, math.inf if own is None else own.n, WHOLE_LIMIT)

    @cached_property
    def regions(self) -> list[Region]:
        """All conditions but the accuracy, by each rule of payment, to be read in arrays."""
        problem = problem_of(self.alone(0.5))
        others = problem.without(*problem.goals).regions(problem.delta_bounds[0])
        return [replace(region, system=numbers.arrays()) for region in others]

    def floor(self, failure: float, sizes: Array) -> Array:
        """About the least ε of the own answer; ∞ where there is none."""
        goal = problem_of(self.alone(failure)).goals[0]
        return np.asarray(goal.floor.approximate(sizes, 0.0), float)

    @cached_property
    def table(self) -> tuple[float, "scipy.interpolate.PchipInterpolator"]:
        """The least α with an answer, and ln N of the least size and ln(N·ε) over ln α.

        Raises:
            UnreachableError: there is none with all of α.
        """
        whole = self.study.accuracy.failure
        least = whole * FINEST / 2 / len(self.study.strata)
        if self._least_size(whole) is None:
            raise UnreachableError
        if self._least_size(least) is None:
            low, high = least, whole
            while high > low * 1.05:
                middle = math.sqrt(low * high)
                low, high = (middle, high) if self._least_size(middle) is None else (low, middle)
            least = high
        nodes = np.geomspace(least, whole, _FAILURES)
        rows = [self._row(float(failure)) for failure in nodes]
        if least == whole:
            return least, lambda _: rows[0]
        return least, scipy.interpolate.PchipInterpolator(np.log(nodes), np.array(rows))

    @cached_property
    def largest(self) -> float:
        """The largest size that is looked at."""
        error, failure = self.study.accuracy.error, self.study.accuracy.failure
        of_sum = float(self.kind.weight) * math.log(4 / failure) / (2 * error**2)
        coarse = np.geomspace(1.0, min(self.most, WHOLE_LIMIT), 400).round()
        finite = np.isfinite(self.floor(failure * FINEST / len(self.study.strata), coarse))
        own = float(coarse[np.argmax(finite)]) if finite.any() else 0.0
        return min(self.most, _LARGEST * max(own, of_sum, 1.0))

    def _least_size(self, failure: float) -> int | None:
        """About the least size with an answer of its own; None where there is none."""
        sizes = np.unique(np.geomspace(1.0, self.largest, _SIZES).round())
        for _ in range(2):  # between the last without and the first with
            finite = np.isfinite(self.floor(failure, sizes))
            if not finite.any():
                return None
            first = int(np.argmax(finite))
            if first == 0:
                break
            sizes = np.unique(np.linspace(sizes[first - 1], sizes[first], _SIZES).round())
        return int(sizes[np.argmax(np.isfinite(self.floor(failure, sizes)))])

    def _row(self, failure: float) -> Array:
        """Ln N of the least size, and ln(N·ε) between it and the largest."""
        least = self._least_size(failure) or self.largest
        at = np.log(least) + np.log(self.largest / least) * np.linspace(0, 1, _SIZES) ** 2
        sizes = np.unique(np.exp(at).round().clip(least, self.largest))
        floors = self.floor(failure, sizes)
        sizes, floors = sizes[np.isfinite(floors)], floors[np.isfinite(floors)]
        known = np.log(np.maximum(sizes * floors, _LEAST))
        fine = np.log(least) + np.log(self.largest / least) * np.linspace(0, 1, _FINE) ** 2
        if len(sizes) == 1:
            return np.concatenate([[np.log(least)], np.full(_FINE, known[0])])
        read = scipy.interpolate.PchipInterpolator(np.log(sizes), known)
        return np.concatenate([[np.log(least)], read(fine.clip(*np.log(sizes[[0, -1]])))])

    def at(self, failure: float) -> Sizes | None:
        """What it asks at a failure probability; None where there is no answer."""
        least, read = self.table
        if failure < least * (1 - 1e-9):
            return None
        row = np.asarray(read(math.log(max(failure, least))))
        log = row[0] + (math.log(self.largest) - row[0]) * np.linspace(0, 1, _FINE) ** 2
        sizes = np.exp(log)
        used = float(self.kind.weight) ** 2 / (8 * self.sample.people(sizes))
        return Sizes(sizes, np.exp(row[1:] - log), used)

    def costs(self, of: Sizes, scale: float) -> Array:
        """What a stratum costs at each size; ∞ where a condition does not hold."""
        whole = of.own + float(self.kind.weight) / (of.sizes * scale)
        best = np.full(of.sizes.shape, np.inf)
        for region in self.regions:
            with np.errstate(over="ignore", invalid="ignore"):  # of an ε that nobody could pay for
                loss = np.maximum(whole, region.floor(of.sizes))
                cost = region.cost(of.sizes, loss) + self.place * of.sizes
                allowed = (loss <= region.ceiling(of.sizes)) & np.isfinite(loss)
            best = np.minimum(best, np.where(allowed, cost, np.inf))
        return best

    def at_price(self, price: float) -> "Curve":
        """The same with a price of a place among the participants; what it has read stays."""
        priced = replace(self, place=price)
        for name in ("table", "largest", "most", "regions"):
            priced.__dict__[name] = getattr(self, name)
        return priced
