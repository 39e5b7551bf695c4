"""Studies by one noisy count a group: tests, and the error of a difference; computed in floats.

Everyone is in one group, and the sizes of the groups are public. So each group's count gets its
own geometric noise, and each person loses ε once. What is published are the counts; proportions,
their difference, p-values and decisions follow from them (see `z_test`).
"""

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, NamedTuple

from planner import numbers
from planner.checked import dataclass as checked_dataclass
from planner.libraries import np, scipy
from planner.mechanisms.floor import SAW_TOOTHED, Floor, QuestionFloor, Regularity, Ripple
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.noisy_law import left_out
from planner.mechanisms.sample import SIMPLE, Sample
from planner.mechanisms.z_test import (
    UNSAID,
    ZTest,
    count_at_least,
    difference_of_noises,
    laws,
    threshold,
)
from planner.numbers import WHOLE_LIMIT, Array, Number, decimal, first, round_up

ONE_BY_ONE = (
    "noisy-counts is planned for people drawn one by one; leave clusters and design effect out of "
    'the sampling, or for the error of a difference give kind = "laplace-mean"'
)
"""What other people are refused with."""
_SUMMED = 10**9
"""More people are as so many with as much more ε: they have noise of the same share of them."""
_MOST_EPSILON = 50.0
"""With a larger ε noise on a count is never drawn: e^−50 is less than any probability asked."""
_DIGITS, _CLOSE, _QUICK, _STEPS = 4, 1e-3, 4e-3, 60
"""Of the least ε; it is known to so small a part, and while plans are searched."""
_ABOUT, _OF_FEW, _MOST_ABOUT, _FIRST, _ALIKE = 12, 16, 100, 24, 1_000
"""Sizes on either side of the best that are read, of few people more, and at most; and where the
fewest people are sought; of more than a thousand only every thousandth part."""
_APART = 24
"""Of a population, by how many people on either side the proportions looked at are apart."""
_BESIDE_HALF = 25  # and by what part of it less than half of them
_NODES = (1.01, 1.03, 1.1, 1.3, 2.0, 4.0, 16.0, 256.0, 65_536.0)
"""Parts of the textbook's size without noise at which it is seen what its formula lacks."""
_ROUNDS, _ROUNDING = 8, 1e-12
"""Of the textbook's formula, whose quantiles depend on what it gives; and of its square root."""
_NEAR_ZERO = 3
"""By how much a margin is larger than changes that either side of an equivalence misses alike."""
_FLATTEST, _LONGEST = 0.05, 0.03
"""The least that a secant is taken to fall, as a test's chances are not smooth, and the longest
first step towards more ε."""


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
        return _each(
            lambda e, n, t: ErrorOfDifference(float(t), 0.5).achieved(e, n, 0.0),
            epsilon, participants, error,
        )  # fmt: skip

    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        return _each(
            lambda n, t, a: ErrorOfDifference(float(t), float(a)).epsilon(n, 0.0),
            participants, error, failure,
        )  # fmt: skip

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        return _each(
            lambda t, a: ErrorOfDifference(float(t), float(a)).n_epsilon(participants, 0.0),
            error, failure,
        )  # fmt: skip


def _each(compute, *values: Number) -> Number:  # type: ignore[no-untyped-def]
    found = np.vectorize(compute, otypes=[float])(*values)
    return float(found) if found.ndim == 0 else found


class Spread(NamedTuple):
    """What the textbook's formula reads, of arrays of N: variances, but for that of the noise.

    Attributes:
        null: of the statistic under the null hypothesis.
        other: where the test is to reject, or the answer to be accurate.
        noise: what noise of variance 1 on each count adds to both.
    """

    null: Array
    other: Array
    noise: Array


@dataclass(frozen=True)
class CountsFloor(Floor):
    """The least ε at which a study by noisy counts does what it is to do.

    What it achieves is the probability that it does not.
    """

    @property
    def regularity(self) -> Regularity:
        return Regularity(SAW_TOOTHED.shape, on_grids=True)

    def ripple(self, participants: int) -> Ripple:
        return Ripple(_ABOUT if participants > _ALIKE else _OF_FEW, _FIRST, alike=_ALIKE)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        if numbers.of(epsilon, participants, delta) is numbers.FRACTIONS:
            raise numbers.Inexact
        return _each(lambda e, n: self.failing(*_summed(float(e), int(n))), epsilon, participants)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        return _each(lambda n: _read(_frontier(self, False), n), participants)

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The same where critical values are sought at a few proportions: to search with."""
        return _each(lambda n: _read(_frontier(self, True), n), participants)

    def smooth(self, participants: Number, delta: Number) -> Number:
        """By the textbook's formula, with what it lacks at a few sizes."""
        n = np.asarray(participants, float)
        return self.textbook(n, np.interp(np.log(n), *_lacking(self)))

    def textbook(self, participants: Number, part: Number = 1.0) -> Number:
        """By the textbook's formula, z₁√(V₀ + v) + z₂√(V₁ + v) = d, solved for the noise v.

        The quantiles are those of normal variables; as noise is more of a spread, they come to be
        those of noise alone.

        Args:
            participants: N, number or array.
            part: of d.
        """
        n = np.asarray(participants, float)
        found = self._variance_of_noise(n, self.distance * part)
        with np.errstate(all="ignore"):
            epsilon = 2 * np.arcsinh(1 / np.sqrt(2 * found))
        epsilon = np.where(found > 0, np.minimum(epsilon, _MOST_EPSILON), np.inf)
        return float(epsilon) if epsilon.ndim == 0 else epsilon

    @property
    def without_noise(self) -> int:
        """The fewest people who do without noise, by the textbook's formula."""
        return first(lambda n: math.isfinite(float(self.textbook(float(n)))), 1, WHOLE_LIMIT)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """About its limit: what it is of a thousand million people and more."""
        least = float(self.epsilon(float(_SUMMED), 0.0)) * _SUMMED
        return numbers.of(delta).number(least * (1 - _CLOSE))

    @property
    @abstractmethod
    def tails(self) -> tuple[float, float]:
        """The chances whose quantiles the textbook's formula reads, each under 1/2."""

    @property
    @abstractmethod
    def distance(self) -> float:
        """What the quantiles add up to."""

    @abstractmethod
    def spread(self, participants: Array) -> Spread:
        """The variances of studies of some sizes."""

    @abstractmethod
    def failing(self, epsilon: float, participants: int, about: float = 0.0) -> float:
        """How often a study of whole people does not do what it is to do.

        Args:
            epsilon: ε.
            participants: N.
            about: an ε whose critical value, at some proportions, stands for that of ε; 0 for none.
        """

    @property
    def groups(self) -> int:
        """How many counts are published."""
        return 2

    def _variance_of_noise(self, n: Array, distance: Array | float) -> Array:
        null, other, noise = self.spread(n)
        v = np.zeros(n.shape)
        with np.errstate(all="ignore"):
            for _ in range(_ROUNDS):
                z1, z2 = (
                    self._quantile(tail, v / (v + sample))
                    for tail, sample in zip(self.tails, (null, other), strict=True)
                )
                # x = √(V₀ + v) is a root of (z₁² − z₂²)x² − 2dz₁x + d² − z₂²(V₁ − V₀)
                a, b = z1**2 - z2**2, distance * z1
                c = distance**2 - z2**2 * (other - null)
                left = b**2 - a * c
                left = np.where(np.abs(left) < _ROUNDING * b**2, 0.0, left)
                x = c / (b + np.sqrt(left))
                v = np.where(x > 0, np.maximum(x**2 - null, 0.0), 0.0)
        return v / noise

    def reached(self, epsilon: float, participants: int) -> float:
        """The d that the textbook's formula gives for some ε."""
        null, other, noise = (float(x) for x in self.spread(np.asarray(float(participants))))
        kept = math.exp(-epsilon)
        v = 2 * kept / (1 - kept) ** 2 * noise
        return sum(
            float(self._quantile(tail, np.asarray(v / (v + sample)))) * math.sqrt(v + sample)
            for tail, sample in zip(self.tails, (null, other), strict=True)
            if v + sample > 0
        )

    def _quantile(self, tail: float, part: Array) -> Array:
        """How many deviations are exceeded with a chance, where noise is a part of the variance."""
        normal = float(-scipy.special.ndtri(tail))
        noise = math.log(0.5 / tail) / math.sqrt(2)
        if self.groups == 2:
            noise = difference_of_noises(tail) / 2
        return normal + (noise - normal) * np.nan_to_num(part) ** 2


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
        return Ripple(min(math.ceil(2 / self.error), _MOST_ABOUT), _FIRST, alike=_ALIKE)

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

        At some T more or less is a whole number of people. Of a population they are whole people
        of it apart.
        """
        steps = np.linspace(0.1, 0.9, 0 if quick else 5)
        pairs = [(float(p), float(q)) for p in steps for q in steps]
        edge = second * self.error
        part = edge - math.floor(edge)
        apart = [*(k / 8 for k in range(-4, 5)), part, -part, 1 - part, part - 1]
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


@lru_cache(maxsize=256)
def _lacking(floor: CountsFloor) -> tuple[list[float], list[float]]:
    """The logarithms of a few sizes, and by what part of d the textbook's formula gives ε there."""
    least = floor.without_noise
    sizes, parts = [], []
    for n in sorted({min(math.ceil(least * node), _SUMMED) for node in _NODES}):
        epsilon = _least_epsilon(floor, n, True)
        if math.isfinite(epsilon):
            sizes.append(math.log(n))
            parts.append(floor.reached(epsilon, n) / floor.distance)
    return (sizes, parts) if sizes else ([0.0], [1.0])


@lru_cache(maxsize=64)
def _frontier(floor: CountsFloor, quick: bool) -> Frontier:
    return Frontier(lambda sizes: np.array([_least_epsilon(floor, int(n), quick) for n in sizes]))


def _summed(epsilon: float, people: int) -> tuple[float, int]:
    """An ε and a number of people whose counts are summed."""
    return (epsilon, people) if people <= _SUMMED else (epsilon * people / _SUMMED, _SUMMED)


def _read(frontier: Frontier, participants: float) -> float:
    return float(frontier.floors(np.array([participants]))[0])


def _least_epsilon(floor: CountsFloor, people: int, quick: bool) -> float:
    """The least ε of four digits that is found to do, about the textbook's; ∞ where none does.

    A critical value hardly depends on ε, so that of the ε before stands for the next one's.
    """
    if people > _SUMMED:
        return _read(_frontier(floor, quick), _SUMMED) * (_SUMMED / people)
    at = min(float(floor.textbook(float(people))), _MOST_EPSILON)
    close = _QUICK if quick else _CLOSE
    for _ in range(_ROUNDS):
        found = _root(floor, people, at, close)
        near = abs(math.log(found / at)) < 2 * close
        at = min(found, _MOST_EPSILON)
        if near or found == math.inf:
            break
    if quick or found == math.inf:
        return found
    step = 10.0**-_DIGITS
    for _ in range(_STEPS):
        found = round_up(found, _DIGITS)
        if floor.failing(found, people) <= floor.allowed:
            return found
        found, step = found * (1 + step), min(2 * step, _LONGEST)
    return math.inf


def _root(floor: CountsFloor, people: int, about: float, close: float) -> float:
    """Where it fails as often as allowed, with the critical value of an ε; ∞ where it does not."""
    sought = float(scipy.special.ndtri(floor.allowed))

    def short(log_epsilon: float) -> float:
        """Over 0 where the study fails too often."""
        chance = floor.failing(math.exp(log_epsilon), people, about)
        return float(scipy.special.ndtri(min(max(chance, 1e-300), 1 - 1e-16))) - sought

    most = math.log(_MOST_EPSILON)
    at, low, high = math.log(about), -math.inf, math.inf
    value, slope, longest = short(at), -1.0, _LONGEST
    if value > 0 and short(most) > 0:
        return math.inf
    for _ in range(_STEPS):
        low, high = (at, high) if value > 0 else (low, min(at, high))
        if high - low < close:
            break
        # a secant's root and a little beyond; by short steps, as it may do earlier than it seems
        step = -value / slope + math.copysign(close / 3, value)
        near, longest = min(at + max(-1.0, min(step, longest)), most), 1.5 * longest
        if not low < near < high:
            near = (max(low, high - 1) + min(high, most)) / 2
        new = short(near)
        slope = min((new - value) / (near - at), -_FLATTEST)
        at, value = near, new
    return math.exp(high)
