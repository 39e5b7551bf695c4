"""Studies by one noisy count a group: tests, and the error of a difference; computed in floats.

Everyone is in one group, and the sizes of the groups are public. So each group's count gets its
own geometric noise, and each person loses ε once. What is published are the counts; proportions,
their difference, p-values and decisions follow from them (see `z_test`).
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from planner.checked import dataclass as checked_dataclass
from planner.libraries import np
from planner.mechanisms.floor import QuestionFloor, Ripple
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.noisy_floor import CountsFloor, Spread, of_each
from planner.mechanisms.noisy_law import left_out
from planner.mechanisms.sample import SIMPLE, Sample
from planner.mechanisms.z_test import UNSAID, ZTest, count_at_least, laws, threshold
from planner.numbers import Array, Number, decimal

ONE_BY_ONE = (
    "noisy-counts is planned for people drawn one by one; leave clusters and design effect out of "
    'the sampling, or for the error of a difference give kind = "laplace-mean"'
)
"""What other people are refused with."""
_MOST_ABOUT = 100
"""Sizes on either side of the best that are read at most."""
_APART = 24
"""Of a population, by how many people on either side the proportions looked at are apart."""
_ROUNDING = 1e-9  # of sums of proportions
_BESIDE_HALF = 25  # and by what part of it less than half of them
_NEAR_ZERO = 3
"""By how much a margin is larger than changes that either side of an equivalence misses alike."""


@checked_dataclass
class NoisyCounts(Mechanism):
    """One noisy count of each of two groups, or of all people; geometric noise.

    Its targets are `Difference` and `Power`. The accuracy is that of the difference of the
    proportions of two groups of equal size, at the worst pair of proportions that is looked at.
    """

    kind: ClassVar[str] = "noisy-counts"

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        raise ValueError(
            "noisy-counts compares two groups, or a proportion with a value; give a target of "
            'kind = "difference" or "power", or a mechanism such as "laplace-mean"'
        )

    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        return of_each(
            lambda e, n, t: ErrorOfDifference(float(t), 0.5).achieved(e, n, 0.0),
            epsilon, participants, error,
        )  # fmt: skip

    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        return of_each(
            lambda n, t, a: ErrorOfDifference(float(t), float(a)).epsilon(n, 0.0),
            participants, error, failure,
        )  # fmt: skip

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        return of_each(
            lambda t, a: ErrorOfDifference(float(t), float(a)).n_epsilon(participants, 0.0),
            error, failure,
        )  # fmt: skip


@dataclass(frozen=True)
class PowerOfGroups(CountsFloor):
    """The power of a test of two groups; attributes as of `planner.Difference`.

    Attributes:
        shares: the lowest and the highest proportion at which the size is computed.
        population: M, of whom each group is drawn without replacement; None without end.
    """

    baseline: float
    change: float
    power: float
    significance: float
    sides: int = 1
    margin: float = 0.0
    equivalence: bool = False
    shares: tuple[float, float] = UNSAID
    ratio: float = 1.0
    population: int | None = None

    @property
    def allowed(self) -> Number:
        return float(1 - decimal(self.power))

    @property
    def upwards(self) -> bool:
        """Whether the second group is to be found over the first, or not less by the margin."""
        return self.change > 0 or self.margin > 0

    @property
    def alternative(self) -> tuple[float, float]:
        """The proportions of the group that is to be over, and of the other."""
        second = float(decimal(self.baseline) + decimal(self.change))
        return (second, self.baseline) if self.upwards else (self.baseline, second)

    def test(self, epsilon: float, participants: int) -> ZTest:
        """The test of a plan, of the group that is to be over and of the other."""
        return self.test_of(epsilon, *sizes_of(participants, self.ratio))

    def test_of(self, epsilon: float, first: int, second: int) -> ZTest:
        """The same of groups of two sizes."""
        over, under = (second, first) if self.upwards else (first, second)
        return ZTest(
            over, under, epsilon, self.significance, self.sides, self.margin, self.equivalence,
            self.shares, self.population,
        )  # fmt: skip

    def failing(self, epsilon: float, participants: int, about: float = 0.0) -> float:
        if participants < 1 + max(self.ratio, 1 / self.ratio):
            return 1.0
        if max(sizes_of(participants, self.ratio)) > (self.population or math.inf):
            return 1.0
        test = self.test(epsilon, participants)
        critical = critical_of(self.test(about or epsilon, participants), quick=about > 0)
        return 1 - test.finds(*self.alternative, critical) if critical < math.inf else 1.0

    @property
    def tails(self) -> tuple[float, float]:
        missed = 1 - self.power
        if self.equivalence and _NEAR_ZERO * abs(self.change) < self.margin:
            missed /= 2  # both sides are missed about alike
        return self.significance / self.sides, missed

    @property
    def distance(self) -> float:
        if self.equivalence:
            return float(decimal(self.margin) - abs(decimal(self.change)))
        return float(abs(decimal(self.change) + decimal(self.margin)))

    def spread(self, participants: Array) -> Spread:
        part = 1 / (1 + self.ratio)
        first, second = participants * part, participants * (1 - part)
        n1, n2 = (second, first) if self.upwards else (first, second)
        over, under = self.alternative
        pooled = (n1 * over + n2 * under) / participants
        shares = pooled - self.margin * n2 / participants, pooled + self.margin * n1 / participants
        p1, p2 = (np.clip(share, 0.0, 1.0) for share in shares)
        v1, v2 = (left_out(n, self.population) / n for n in (n1, n2))
        return Spread(
            p1 * (1 - p1) * v1 + p2 * (1 - p2) * v2,
            over * (1 - over) * v1 + under * (1 - under) * v2,
            1 / n1**2 + 1 / n2**2,
        )


@dataclass(frozen=True)
class PowerOfOne(CountsFloor):
    """The power of a test of one proportion against a value; attributes as of `planner.Power`.

    Attributes:
        population: M, of whom people are drawn without replacement; None without end.
    """

    null: float
    alternative: float
    power: float
    significance: float
    sides: int = 1
    population: int | None = None

    @property
    def allowed(self) -> Number:
        return float(1 - decimal(self.power))

    @property
    def groups(self) -> int:
        return 1

    @property
    def counted(self) -> tuple[float, float]:
        """Both proportions, of the people without the property if fewer are to be found."""
        if self.alternative > self.null:
            return self.null, self.alternative
        return float(1 - decimal(self.null)), float(1 - decimal(self.alternative))

    def threshold(self, epsilon: float, participants: int) -> int:
        """The least noisy count of such people at which the test rejects."""
        alone = float(decimal(self.significance) / self.sides)
        return threshold(participants, self._null, epsilon, alone, self.population)

    @property
    def _null(self) -> float:
        """The null value; of a population the most of whole people that is not over it."""
        null, people = self.counted[0], self.population
        return null if people is None else math.floor(decimal(null) * people) / people

    def edges(self, epsilon: float, participants: int) -> dict[str, int]:
        """From which noisy count on it rejects: with "more", with "less", or with both."""
        upwards, mirrored = self.alternative > self.null, float(1 - decimal(self.null))
        edges = {}
        if upwards or self.sides == 2:
            edges["more"] = replace(self, alternative=1.0).threshold(epsilon, participants)
        if not upwards or self.sides == 2:
            of_others = replace(self, null=mirrored, alternative=1.0)
            edges["less"] = participants - of_others.threshold(epsilon, participants)
        return edges

    def failing(self, epsilon: float, participants: int, about: float = 0.0) -> float:
        if participants > (self.population or math.inf):
            return 1.0
        at = self.threshold(epsilon, participants)
        return 1 - count_at_least(participants, self.counted[1], epsilon, at, self.population)

    @property
    def tails(self) -> tuple[float, float]:
        return self.significance / self.sides, 1 - self.power

    @property
    def distance(self) -> float:
        return float(abs(decimal(self.alternative) - decimal(self.null)))

    def spread(self, participants: Array) -> Spread:
        each = left_out(participants, self.population) / participants
        null, other = (share * (1 - share) * each for share in self.counted)
        return Spread(null, other, 1 / participants**2)


@dataclass(frozen=True)
class ErrorOfDifference(CountsFloor):
    """The error of the difference of two groups' proportions, at the worst pair looked at.

    Attributes:
        error: T [(0, 1]].
        failure: α [(0, 1)].
        ratio: people of the second group for each of the first [> 0].
        population: M, of whom each group is drawn without replacement; None without end.
    """

    error: float
    failure: float
    ratio: float = 1.0
    population: int | None = None

    @property
    def allowed(self) -> Number:
        return self.failure

    def failing(self, epsilon: float, participants: int, about: float = 0.0) -> float:
        return self.failing_of(epsilon, *sizes_of(participants, self.ratio), quick=about > 0)

    def failing_of(self, epsilon: float, first: int, second: int, quick: bool = False) -> float:
        """The same of groups of two sizes; where it is quick, of pairs about (1/2, 1/2) alone."""
        if min(first, second) < 1 or max(first, second) > (self.population or math.inf):
            return 1.0
        p, q = (tuple(side) for side in zip(*self._pairs(second, quick), strict=True))
        values, chances = laws(first, p, epsilon, self.population).blocks
        apart = np.array(q)[:, None] - np.array(p)[:, None]
        middle, edge = second * (values / first + apart), second * self.error
        other, whole = laws(second, q, epsilon, self.population), 1e-9
        low = 1 - other.at_least(np.floor(middle - edge + whole) + 1)
        high = other.at_least(np.ceil(middle + edge - whole))
        return float((chances * (low + high)).sum(axis=1).max())

    def ripple(self, participants: int) -> Ripple:
        """A person of each group more or less is T in 1/T people."""
        reach = min(math.ceil(2 / self.error), _MOST_ABOUT)
        return super().ripple(participants)._replace(reach=reach)

    @property
    def tails(self) -> tuple[float, float]:
        return self.failure / 2, 0.5

    @property
    def distance(self) -> float:
        return self.error

    def spread(self, participants: Array) -> Spread:
        part = 1 / (1 + self.ratio)
        first, second = participants * part, participants * (1 - part)
        sample = sum(left_out(n, self.population) / n for n in (first, second)) / 4
        return Spread(sample, sample, 1 / first**2 + 1 / second**2)

    def _pairs(self, second: int, quick: bool) -> list[tuple[float, float]]:
        """A grid, and pairs about (1/2, 1/2) that are parts of a person of the second group apart.

        At some T more or less is a whole number of people. Those who have the property and those
        who do not trade places with (1 − p, 1 − q), which is not looked at beside (p, q). Of a
        population they are whole people of it apart.
        """
        steps = np.linspace(0.1, 0.9, 0 if quick else 5)
        pairs = [(float(p), float(q)) for p in steps for q in steps if p + q < 1 + _ROUNDING]
        edge = second * self.error
        part = edge - math.floor(edge)
        apart = [*(k / 8 for k in range(5)), part, 1 - part]
        if self.population is None:
            return [*pairs, *((0.5 - d / second / 2, 0.5 + d / second / 2) for d in apart)]
        return self._pairs_of(self.population, pairs, second)

    @staticmethod
    def _pairs_of(
        people: int, pairs: list[tuple[float, float]], second: int
    ) -> list[tuple[float, float]]:
        """The same pairs of a population, and some about its middle, whole people of it apart."""
        pairs = [(round(p * people) / people, round(q * people) / people) for p, q in pairs]
        most = max(_APART, people / second)  # by so many the two samples are a person apart
        whole = np.unique(np.rint(np.linspace(-most, most, 2 * _APART + 1))).astype(int)
        for middle in (people // 2, people // 2 - people // _BESIDE_HALF):
            both = [(middle - d // 2, middle - d // 2 + d) for d in whole.tolist()]
            pairs += [
                (x / people, y / people) for x, y in both if 0 <= min(x, y) <= max(x, y) <= people
            ]
        return pairs


def of_all_shares(*shares: float) -> tuple[float, float]:
    """The proportions that are looked at where no range is given, half way beyond some."""
    low, high = UNSAID
    return min(low, *(share / 2 for share in shares)), max(high, *((1 + x) / 2 for x in shares))


def sizes_of(participants: int, ratio: float) -> tuple[int, int]:
    """How many people are in the first group and in the second."""
    first = math.floor(Fraction(participants) / (1 + decimal(ratio)) + Fraction(1, 2))
    return first, participants - first


critical_of = lru_cache(maxsize=4096)(ZTest.critical)
"""The critical value of a test, which is asked for again when it is explained and published."""
