"""What an accuracy asks of ε where a noisy count or sum is analysed exactly, in floats."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Self

from planner.libraries import np
from planner.mechanisms.counts import Noisy, Share
from planner.mechanisms.floor import SAW_TOOTHED, QuestionFloor, Regularity, Ripple
from planner.mechanisms.many_people import LARGE
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.noise import GEOMETRIC, NOISES
from planner.mechanisms.sample import SIMPLE, Sample
from planner.mechanisms.values import AnyValues, LimitedDeviation
from planner.numbers import Array, Number, decimal
from planner.privacy.gaussian import epsilon_at, scale

ROOM = 2e-4
"""The part of α that a plan leaves, so that a proof of it is short (`certificate.check`)."""
_LEAST_ROOM, _BETWEEN = 1e-9, 5e-7
"""The same at an edge: what sums of floats may be wrong by, or what they miss where the worst mean
may lie between those that are tried."""
LEAST_FAILURE = 1e-12
"""Sums of floats decide no smaller failure probability."""
LARGEST_POPULATION = 100_000
"""A larger one is computed as one without end: of that a sample is off at least as often."""
_RIPPLE = 4.0
"""Whole counts move the logarithm of a failure probability by less, times √N."""
_FEW, _BESIDE, _FIRST = 200, 8, 24
"""Of more people the best N lies so near to that of the smooth guess; and the fewest people."""
_TIMES = 16
"""A population of so many times the sample moves a floor no more than one without end."""
_SIZES_AFTER = 5_000
"""Of so many sizes after a plan's each is looked at, to say from where all suffice."""


def summed(sample: Sample) -> Sample:
    """The sample as counts are summed: of a large population as of one without end."""
    large = (sample.population or 0) > LARGEST_POPULATION
    return sample._replace(population=None) if large else sample


def noisy(
    kind: str, any_values: bool, mean_range: tuple[float, float], sample: Sample = SIMPLE
) -> Noisy:
    """A noisy proportion of a sample, or the mean of any values from 0 to 1.

    Clusters have means that are any values, whatever the values of their people are; those of a
    finite population err no more than those of one without end (Hoeffding 1963). Proportions do so
    at their worst mean, as sums of both laws show.

    Raises:
        ValueError: the sample is one of another analysis.
    """
    sample = summed(sample)
    noise, each = NOISES[kind], Fraction(sample.clusters_of) * decimal(sample.design_effect)
    people = sample.population if each == 1 else None
    if sample.deviation is not None:
        if noise is GEOMETRIC:
            raise ValueError(
                "deviation_at_most is for Laplace or Gaussian noise; leave it out, or give kind = "
                '"laplace-mean"'
            )
        return LimitedDeviation(noise, mean_range, float(each), people, sample.deviation)
    clustered = each > 1 and sample.population is None and noise is not GEOMETRIC
    if any_values or clustered:
        return AnyValues(noise, mean_range, float(each), people)
    people = sample.population
    if each > 1:
        raise ValueError(
            "the exact analysis is for people drawn one by one from a population, or for clusters "
            "or a design effect without one and Laplace or Gaussian noise; for others give "
            'analysis = "hoeffding" and Laplace noise'
        )
    if people is not None:
        low, high = (decimal(end) * people for end in mean_range)
        if math.ceil(low) > math.floor(high):
            raise ValueError(
                f"mean_range = {list(mean_range)} has no proportion of a population of {people}; "
                f"give one that contains a multiple of 1/{people}"
            )
    return Share(noise, people, mean_range)


def whole(participants: Number) -> Array:
    """N as floats.

    Raises:
        ValueError: some N is not whole: that is what an exact analysis is about.
    """
    n = np.asarray(participants, float)
    if not np.all(np.mod(n, 1) == 0):
        raise ValueError(f"participants must be whole for an exact analysis, not {participants!r}")
    return n


def summable(failure: Number) -> Number:
    """The failure probability, where sums of floats decide it.

    Raises:
        ValueError: it is too small.
    """
    if np.any(np.asarray(failure) < LEAST_FAILURE):
        raise ValueError(
            f"failure = {failure!r} is too small for the exact analysis, which takes at least "
            f'{LEAST_FAILURE!r}; give a larger one, or analysis = "hoeffding"'
        )
    return failure


def single(values: Array) -> Number:
    """A float of one number, else the array."""
    return float(values) if np.ndim(values) == 0 else values


@lru_cache(maxsize=64)
def known_rates(noisy: Noisy, error: float, failure: float) -> dict[float, float]:
    """The least rates that were found, by N: what a study costs does not change them."""
    return {}


@dataclass(frozen=True)
class CountFloor(QuestionFloor):
    """The least ε of a noisy count or sum; read in floats and arrays alone.

    Attributes:
        mechanism: what answers.
        error: T [fraction of 1], number or array.
        failure: α, number or array.
        noisy: the sample and the noise.
        room: the part of α that is left, for a proof.
    """

    mechanism: Mechanism
    error: Number
    failure: Number
    noisy: Noisy
    room: float = ROOM

    least_failure = LEAST_FAILURE

    def __post_init__(self) -> None:
        summable(self.failure)

    @property
    def regularity(self) -> Regularity:
        return SAW_TOOTHED

    def ripple(self, participants: int) -> Ripple:
        """Whole noise and a small population move it a little, and so do few people."""
        population = getattr(self.noisy, "population", None) or math.inf
        smooth = not self.noisy.noise.whole and population >= _TIMES * participants
        return Ripple(_BESIDE, _FIRST) if smooth and participants > _FEW else Ripple()

    @property
    def leaves_room(self) -> bool:
        return self.room > _BETWEEN

    @property
    def without_room(self) -> Self:
        """The same with as little room as floats need."""
        between = isinstance(self.noisy, Share) and self.noisy.smooth_in_mean
        return replace(self, room=_BETWEEN if between else _LEAST_ROOM)

    @property
    def uses_delta(self) -> bool:
        return self.mechanism.uses_delta

    @property
    def guess_is_close(self) -> bool:
        return isinstance(self.noisy, Share)

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """How often it is off: of one study at the worst mean, of arrays at the likely worst."""
        rate, one = self.rate(epsilon, delta), np.ndim(participants) == 0
        return single(self.noisy.failure(rate, participants, self.error, closely=one))

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least ε that leaves a little of α; its rate is found once for each N."""
        n = np.asarray(participants, float)
        if np.ndim(self.error) or np.ndim(self.failure):  # of several studies
            rates = self.noisy.least_rate(n, self.error, self._allowed)
        else:
            sizes, back = self._sizes(n)
            known = known_rates(self.noisy, float(self.error), float(self._allowed))
            new = np.array([size for size in sizes if size not in known])
            found = self.noisy.least_rate(new, self.error, self._allowed)
            known.update(zip(new, found, strict=True))
            rates = back(np.array([known[size] for size in sizes]))
        return single(self._epsilon(rates, delta))

    approximate = epsilon

    def likely(self, rate: Array, participants: Array) -> Array:
        return self.noisy.smooth(rate, participants, np.asarray(self.error))

    def smooth(self, participants: Number, delta: Number) -> Number:
        sizes, back = self._sizes(participants)
        rates = self.noisy.smooth_rate(sizes, self.error, self._allowed)
        return single(self._epsilon(back(rates), delta))

    @property
    def _allowed(self) -> Array:
        return np.asarray(self.failure) * (1 - self.room)

    def _sizes(self, participants: Number) -> tuple[Array, Callable[[Array], Array]]:
        """The sizes of one study, each once, and what puts them back; of several studies all."""
        n = np.asarray(participants, float)
        if np.ndim(self.error) or np.ndim(self.failure):
            return n, lambda found: found
        sizes, at = np.unique(n, return_inverse=True)
        return sizes, lambda found: np.asarray(found[at].reshape(n.shape))

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        """What noise alone asks of so many people."""
        if self.uses_delta:
            return 0.0 if delta > 0 else math.inf
        n = np.asarray(float(participants))
        return single(self.noisy.alone(n, self.error, np.asarray(self.failure)) * n)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        n = np.asarray(participants, float)
        alone = self.noisy.alone(n, self.error, np.asarray(self.failure))
        return single(self._epsilon(alone, delta))

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The smallest N ≥ `participants` from which ε suffices, as far as sizes are looked at."""
        if not isinstance(self.noisy, Share) or participants >= LARGE:
            return participants
        sizes = participants + np.arange(0, _SIZES_AFTER, dtype=float)
        if self.noisy.population is not None:
            sizes = sizes[sizes <= self.noisy.population]
        rate = float(self.rate(epsilon, delta))
        about = self.noisy.smooth(np.full(sizes.shape, rate), sizes, np.asarray(self.error))
        enough = np.flatnonzero(about < self.failure * math.exp(-_RIPPLE / math.sqrt(participants)))
        sizes = sizes[: enough[0] + 1 if enough.size else len(sizes)]
        failing = self.noisy.failure(np.array(rate), sizes, self.error) > self.failure
        late = np.flatnonzero(failing)
        return int(sizes[late[-1]]) + 1 if late.size else participants

    @property
    def of_whole_counts(self) -> bool:
        return isinstance(self.noisy, Share)

    def rate(self, epsilon: Number, delta: Number) -> Number:
        """The rate of the noise at ε and δ."""
        return 1 / scale(epsilon, delta) if self.uses_delta else epsilon

    def _epsilon(self, rate: Array, delta: Number) -> Array:
        if not self.uses_delta:
            return rate
        with np.errstate(divide="ignore"):
            return np.asarray(epsilon_at(1 / rate, delta))


@dataclass(frozen=True)
class RateFloor(CountFloor):
    """The same of one question among several: ε is the rate of its noise, and δ is not read."""

    @property
    def uses_delta(self) -> bool:
        return False
