"""The least ε of studies by noisy counts: a textbook's guess, and a search about it in floats.

What a study does at an ε is summed, by the floors in `noisy_counts`. It is not smooth in N or ε.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from planner import numbers
from planner.libraries import np, scipy
from planner.mechanisms.floor import SAW_TOOTHED, Floor, Regularity, Ripple
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.z_test import difference_of_noises
from planner.numbers import WHOLE_LIMIT, Array, Number, first, round_up

_SUMMED = 10**9
"""More people are as so many with as much more ε: they have noise of the same share of them."""
_MOST_EPSILON = 50.0
"""With a larger ε noise on a count is never drawn: e^−50 is less than any probability asked."""
_DIGITS, _CLOSE, _QUICK, _STEPS = 4, 1e-3, 4e-3, 60
"""Of the least ε; it is known to so small a part, and while plans are searched."""
_ABOUT, _OF_FEW, _FIRST, _ALIKE = 12, 16, 24, 1_000
"""Sizes on either side of the best that are read, of few people more; and where the fewest people
are sought; of more than a thousand only every thousandth part."""
_NODES = (1.01, 1.03, 1.1, 1.3, 2.0, 4.0, 16.0, 256.0, 65_536.0)
"""Parts of the textbook's size without noise at which it is seen what its formula lacks."""
_ROUNDS, _ROUNDING = 8, 1e-12
"""Of the textbook's formula, whose quantiles depend on what it gives; and of its square root."""
_FLATTEST, _LONGEST = 0.05, 0.03
"""The least that a secant is taken to fall, as a test's chances are not smooth, and the longest
first step towards more ε."""


def of_each(compute, *values: Number) -> Number:  # type: ignore[no-untyped-def]
    """What is computed of single values, of numbers or arrays."""
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
        return of_each(lambda e, n: self.failing(*_summed(float(e), int(n))), epsilon, participants)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        return of_each(lambda n: _read(_frontier(self, False), n), participants)

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The same where critical values are sought at a few proportions: to search with."""
        return of_each(lambda n: _read(_frontier(self, True), n), participants)

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
