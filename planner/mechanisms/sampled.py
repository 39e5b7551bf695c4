"""What a bound asks of a sample as it is: from a finite population, or in clusters."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from planner import numbers
from planner.libraries import np
from planner.mechanisms import hoeffding
from planner.mechanisms.floor import (
    CONVEX,
    FALLING,
    PROOF_ROOM,
    QuestionFloor,
    Regularity,
    Ripple,
)
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.sample import Sample
from planner.numbers import Number


@dataclass(frozen=True)
class HoeffdingFloor(QuestionFloor):
    """The least rate of the noise on a mean of independent people, by Hoeffding's bound.

    With Gaussian noise sample and noise together are sub-Gaussian with variance N/4 + σ² in counts
    (Hoeffding 1963, proof of Theorem 2), so the failure probability is at most
    2·exp(−(NT)²/(N/2 + 2σ²)).

    Attributes:
        error: T, number or array.
        failure: α, number or array.
        gaussian: whether the noise is; its rate is 1/σ, else ε.
    """

    error: Number
    failure: Number
    gaussian: bool = False

    @property
    def regularity(self) -> Regularity:
        convex = not self.gaussian and np.max(self.failure) <= hoeffding.CONVEX_UP_TO
        return CONVEX if convex else FALLING

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        system = numbers.of(epsilon, participants)
        error = system.number(self.error)
        if not self.gaussian:
            return hoeffding.failure_probability(epsilon, participants, error)
        square = (participants * error * epsilon) ** 2
        bound = 2 * system.exp(-square / (participants * epsilon**2 / 2 + 2))
        return system.minimum(bound, system.number(1.0))

    def epsilon(self, participants: Number, delta: Number) -> Number:
        system = numbers.of(participants, self.failure)
        error, failure = system.number(self.error), system.number(self.failure)
        if not self.gaussian:
            return hoeffding.epsilon_floor(participants, error, failure)
        spread = (participants * error) ** 2 / system.log(2 / failure)
        variance = np.maximum((spread - participants / 2) / 2, 0.0)
        with np.errstate(divide="ignore"):
            return (1 / np.sqrt(variance))[()]

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        system = numbers.of(delta, self.error, self.failure)
        if self.gaussian:
            return system.sqrt(-2 * system.log(system.number(self.failure) / 2)) / self.error
        return -system.log(system.number(self.failure)) / system.number(self.error)


@dataclass(frozen=True)
class SampledFloor(QuestionFloor):
    """The least rate of a question by Hoeffding's bound, where N people count as another number.

    In the bound N stands for the sample, and N times the rate for the noise: so it is that of as
    many independent people as the sample counts, at the same N times the rate (see `sample`).

    Attributes:
        question: what it asks of independent people.
        sample: how people are drawn.
        failure: α, a number or an array.
    """

    question: QuestionFloor
    sample: Sample
    failure: Number

    @cached_property
    def _of(self) -> QuestionFloor:
        return replace(self.question, failure=self.failure)  # type: ignore[type-var]

    @property
    def regularity(self) -> Regularity:
        """As of independent people; with a finite population it falls, and is searched in cells."""
        of = self._of.regularity
        if self.sample.population is None:
            return of
        return replace(of, shape="falling", in_cells=True, on_grids=False)

    def ripple(self, participants: int) -> Ripple:
        return Ripple(spare=0.0 if self.sample.population is None else PROOF_ROOM)

    @property
    def error(self) -> Number:
        return self._of.error

    def with_error(self, error: float) -> "SampledFloor":
        return replace(self, question=self.question.with_error(error))

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        people = self.sample.people(participants)
        counted = numbers.of(people).maximum(people, 1.0)
        achieved = self._of.achieved(epsilon * participants / counted, counted, delta)
        return np.where(people < 1, 1.0, achieved)[()]

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least rate, ∞ where the sample alone is too far off; never under that of noise."""
        if numbers.of(participants) is numbers.arrays() and isinstance(self.failure, float):
            return _frontier(self).floors(participants)
        return self.computed(participants, delta)

    def computed(self, participants: Number, delta: Number) -> Number:
        people = self.sample.people(participants)
        rate = self._of.epsilon(people, delta) * people / participants
        return numbers.of(participants).maximum(rate, self.noise_alone(participants, delta))

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        return self._of.noise_alone(participants, delta)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        return self._of.n_epsilon(participants, delta)


@lru_cache(maxsize=32)
def _frontier(floor: SampledFloor) -> Frontier:
    return Frontier(lambda n: floor.computed(n, 0.0))
