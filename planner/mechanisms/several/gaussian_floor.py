"""What one question with Gaussian noise asks of its rate 1/σ; δ turns rates into ε together.

Of the mean of numbers in [0, 1], by Hoeffding's bound: sample and noise together are sub-Gaussian
with variance N/4 + σ² in counts (Hoeffding 1963, proof of Theorem 2), so the failure probability is
at most

    2·exp(−(NT)²/(N/2 + 2σ²)).
"""

from dataclasses import dataclass

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact.floor import ExactFloor
from planner.mechanisms.floor import FALLING, QuestionFloor, Regularity
from planner.numbers import Number
from planner.privacy.gaussian import deviate_ball


def failure_probability(rate: Number, participants: Number, error: Number) -> Number:
    """The bound, at most 1; numbers, arrays or balls."""
    system = numbers.of(rate, participants, error)
    square = (participants * error * rate) ** 2
    bound = 2 * system.exp(-square / (participants * rate**2 / 2 + 2))
    return system.minimum(bound, system.number(1.0))


def least_rate(participants: Number, error: Number, failure: Number) -> Number:
    """The rate at which the bound is α; ∞ where the sample alone is too far off."""
    system = numbers.of(participants, error, failure)
    logarithm = system.log(2 / failure)
    variance = ((participants * error) ** 2 / logarithm - participants / 2) / 2
    if system is numbers.arrays():
        with np.errstate(divide="ignore"):
            return 1 / np.sqrt(np.maximum(variance, 0.0))
    if variance > 0:
        return 1 / system.sqrt(variance)
    if variance <= 0:
        return system.infinity
    return system.number(0).union(system.infinity)  # too close to call


class GaussianShareFloor(ExactFloor):
    """The least 1/σ of a share, exactly; its δ turns rates into ε elsewhere."""

    @property
    def uses_delta(self) -> bool:
        return False

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """The rate at which noise alone is off by NT with probability α."""
        error, failure = self.target(participants)
        if numbers.of(participants) is numbers.balls():
            return deviate_ball(failure / 2) / (participants * error)
        return self.share.noise.alone(participants, error, failure)

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        return self.noise_alone(numbers.of(delta).number(1), delta)


@dataclass(frozen=True)
class GaussianMeanFloor(QuestionFloor):
    """The least 1/σ of the mean of numbers, by Hoeffding's bound.

    Attributes:
        error: T, as a share of the range of the numbers.
        failure: α, a number or an array.
    """

    error: float
    failure: Number

    @property
    def regularity(self) -> Regularity:
        return FALLING

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        error = numbers.of(epsilon, participants).number(self.error)
        return failure_probability(epsilon, participants, error)

    def sample_alone(self, participants: Number) -> Number:
        system = numbers.of(participants)
        return 2 * system.exp(-2 * participants * system.number(self.error) ** 2)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        number = numbers.of(participants, self.failure).number
        return least_rate(participants, number(self.error), number(self.failure))

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        system = numbers.of(participants, self.failure)
        logarithm = system.log(system.number(2) / system.number(self.failure))
        return system.sqrt(2 * logarithm) / (participants * system.number(self.error))
