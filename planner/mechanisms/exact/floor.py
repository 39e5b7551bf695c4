"""The floor of a noisy proportion under the exact analysis: the least rate of its noise.

The rate is ε itself, and 1/σ for Gaussian noise, from which ε follows for each δ. So the frontier,
the least rate at each N, is searched once for an error, a failure probability and a range of means.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner import numbers
from planner.mechanisms.exact.analysis import noise_of
from planner.mechanisms.exact.bounds.ranges import sizes_too_small
from planner.mechanisms.exact.frontier import always_from, frontier, kept_back
from planner.mechanisms.exact.least_failure import laplace
from planner.mechanisms.exact.noise import Asked
from planner.mechanisms.floor import MechanismFloor
from planner.numbers import Number
from planner.privacy import gaussian
from planner.privacy.gaussian import epsilon_at, scale, scale_ball

if TYPE_CHECKING:
    from planner.mechanisms.exact.analysis import Kind
    from planner.mechanisms.exact.noise import Asked, Noise
    from planner.mechanisms.frontier import Frontier


@dataclass(frozen=True)
class ExactFloor(MechanismFloor):
    """What an accuracy asks where the failure probability is exact; see `MechanismFloor`.

    Attributes:
        kind: of noise.
        mean_range: the population means at which it must hold.
    """

    kind: "Kind"
    mean_range: tuple[float, float]

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The least ε for the means that are likely the worst, over an array of N."""
        return self._epsilon(self._frontier.floors(participants), delta)

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability at the means that are likely the worst."""
        rate = self._rate(epsilon, delta)
        return self._noise.likely_worst(rate, participants, self.error, self.mean_range)

    def kept_back(self, participants: float) -> float:
        """By what part of α the certain floor stays under it: the width of its brackets."""
        return kept_back(participants)

    def read_often(self) -> None:
        """Compute floors of neighbouring sizes before they are asked for."""
        self._frontier.read_often()

    def sufficient(self, participants: Number, delta: Number) -> Number:
        """By a bound on the failure probability."""
        return self._epsilon(self._noise.sufficient(participants, self.error, self.failure), delta)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        """The smallest N ≥ `participants` from which ε and δ always suffice."""
        rate = float(self._rate(epsilon, delta))
        return always_from(self._noise, rate, participants, self._asked)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the failure probability is certain to be at most α at every mean."""
        return self._noise.certify_at_most(
            self._rate(epsilon, delta), participants, self._asked_in_balls
        )

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε in [least, most] is certain to fail at some mean."""
        rates = self._rate(least, delta), self._rate(most, delta)
        return self._noise.certify_over(*rates, participants, self._asked_in_balls)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] is certain to fail at every ε up to a ball."""
        if sizes_too_small(least, most, self._asked_in_balls):
            return True
        return self._noise.certify_sizes_over(
            self._rate(epsilon, delta), least, most, self._asked_in_balls
        )

    def failure_between(self, n_epsilon: Number, least: int, most: int) -> Number:
        """What every N in a range fails with at least, at mean 1/2 where that is asked of."""
        low, high = self.mean_range
        if self.kind != "laplace" or not low <= 0.5 <= high:
            return super().failure_between(n_epsilon, least, most)

        return laplace(n_epsilon, self.error, least, most)

    def _rate(self, epsilon: Number, delta: Number) -> Number:
        """The rate of the noise at ε and δ; of floats, arrays or balls."""
        return epsilon

    def _epsilon(self, rate: Number, delta: Number) -> Number:
        """The least ε at which the noise may have this rate; of floats or arrays."""
        return rate

    @property
    def _noise(self) -> "Noise":

        return noise_of(self.kind)

    @property
    def _frontier(self) -> "Frontier":

        return frontier(self._noise, self._asked)

    @property
    def _asked(self) -> "Asked":

        return Asked(self.error, self.failure, self.mean_range)

    @property
    def _asked_in_balls(self) -> "Asked":
        number = numbers.balls().number
        return self._asked._replace(error=number(self.error), failure=number(self.failure))


@dataclass(frozen=True)
class GaussianFloor(ExactFloor):
    """The same for Gaussian noise, the smallest that is (ε, δ)-private (see `privacy.gaussian`)."""

    def of_noise(self, participants: Number, delta: Number) -> Number:
        """The ε at which noise alone is off by NT with probability α; of floats, arrays or balls.

        A sample that is off makes that no less likely, as the noise is symmetric and unimodal.
        """
        error, failure = self.target(participants, delta)
        if numbers.of(participants, delta) is numbers.balls():
            deviate = gaussian.deviate_ball(failure / 2)
            return gaussian.epsilon_ball(participants * error / deviate, delta)
        return self._epsilon(self._noise.least_rate(participants, error, failure), delta)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the failure probability is certain to be at most α; never at δ = 0."""
        return bool(delta > 0) and super().certify_reached(epsilon, participants, delta)

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε in [least, most] is certain to fail; always at δ = 0."""
        return not delta > 0 or super().certify_missed(least, most, participants, delta)

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] is certain to fail; always at δ = 0."""
        return not delta > 0 or super().certify_missed_sizes(epsilon, least, most, delta)

    def _rate(self, epsilon: Number, delta: Number) -> Number:

        if numbers.of(epsilon, delta) is not numbers.balls():
            return 1 / scale(epsilon, delta)
        if epsilon.is_finite():
            return 1 / scale_ball(epsilon, delta)
        infinity = numbers.balls().infinity
        return infinity if epsilon.lower() == infinity else 0 * infinity  # not a number: unknown

    def _epsilon(self, rate: Number, delta: Number) -> Number:

        return epsilon_at(1 / rate, delta)
