"""The floor of a noisy share under the exact analysis: the least rate of its noise.

The rate is ε itself, and 1/σ for Gaussian noise, from which ε follows for each δ. So the frontier,
the least rate at each N, is searched once for an error, a failure probability and a range of means.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact.exponential_noise import LAPLACE
from planner.mechanisms.exact.failure import Asked, NoisyShare, worst_failure
from planner.mechanisms.exact.law import HALF
from planner.mechanisms.exact.least_rate import always_from, frontier, least_rates
from planner.mechanisms.exact.sizes import FAILS_WITH, fails_with
from planner.mechanisms.floor import SAW_TOOTHED
from planner.mechanisms.mechanism import MechanismFloor
from planner.numbers import Number
from planner.privacy import gaussian
from planner.privacy.gaussian import epsilon_at, scale, scale_ball

if TYPE_CHECKING:
    from planner.mechanisms.frontier import Frontier


@dataclass(frozen=True)
class ExactFloor(MechanismFloor):
    """What an accuracy asks where the failure probability is exact; see `MechanismFloor`.

    Attributes:
        share: the law of the sample and the noise.
        mean_range: the population means at which it must hold.
    """

    share: NoisyShare
    mean_range: tuple[float, float]

    regularity = SAW_TOOTHED

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        asked = self._asked._replace(failure=0.0)

        def worst(rate: float, n: float) -> float:
            return worst_failure(self.share, float(rate), float(n), asked)

        failures = np.vectorize(worst, otypes=[float])(self._rate(epsilon, delta), participants)
        return float(failures) if np.ndim(failures) == 0 else failures

    def epsilon(self, participants: Number, delta: Number) -> Number:
        return self._epsilon(least_rates(self.share, participants, *self._asked), delta)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """What noise alone asks; of Gaussian noise the ε at which it is off by NT that often.

        A sample that is off makes that no less likely, as the noise is symmetric and unimodal.
        """
        if not self.uses_delta:
            return super().noise_alone(participants, delta)
        error, failure = self.target(participants, delta)
        if numbers.of(participants, delta) is numbers.balls():
            deviate = gaussian.deviate_ball(failure / 2)
            return gaussian.epsilon_ball(participants * error / deviate, delta)
        return self._epsilon(self.share.noise.alone(participants, error, failure), delta)

    def approximate(self, participants: Number, delta: Number) -> Number:
        """The least ε for the means that are likely the worst, over an array of N."""
        return self._epsilon(self._frontier.floors(participants), delta)

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        rate = self._rate(epsilon, delta)
        return self.share.likely_worst(rate, participants, self.error, self.mean_range)

    def sufficient(self, participants: Number, delta: Number) -> Number:
        return self._epsilon(self.share.sufficient(participants, self.error, self.failure), delta)

    def always_from(self, epsilon: float, participants: int, delta: float) -> int:
        rate = float(self._rate(epsilon, delta))
        return always_from(self.share, rate, participants, self._asked)

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        """Whether the failure probability is certain to be at most α at every mean."""
        rate = self._rate(epsilon, delta)
        return self._private(delta) and self.share.certify_at_most(
            rate, participants, self._asked_in_balls
        )

    def certify_missed(self, least: Number, most: Number, participants: int, delta: Number) -> bool:
        """Whether every ε in [least, most] is certain to fail at some mean."""
        rates = self._rate(least, delta), self._rate(most, delta)
        return not self._private(delta) or self.share.certify_over(
            *rates, participants, self._asked_in_balls
        )

    def certify_missed_sizes(self, epsilon: Number, least: int, most: int, delta: Number) -> bool:
        """Whether every N in [least, most] is certain to fail at every ε up to a ball."""
        rate = self._rate(epsilon, delta)
        return not self._private(delta) or self.share.certify_sizes_over(
            rate, least, most, self._asked_in_balls
        )

    def failure_between(
        self, n_epsilon: Number, least: int, most: int, lowest: Number | None = None
    ) -> Number:
        """What every N in a range fails with at least, at mean 1/2 where that is asked of."""
        low, high = self.mean_range
        noise, law = self.share.noise, self.share.law
        if noise.kind not in FAILS_WITH or not low <= 0.5 <= high:
            return super().failure_between(n_epsilon, least, most)
        known = n_epsilon * 0
        if law.symmetric:
            counted = (int(law.counted(np.array(float(n)))) for n in (least, most))
            known = FAILS_WITH[noise.kind](n_epsilon, self.error, *counted)
        excess, failure = most * self._asked.decimal, float(self.failure)
        if noise is not LAPLACE:  # sums with Gaussian noise would decide 2 % more, in a minute
            return known
        if not (lowest is not None and lowest > 0 and excess > HALF and n_epsilon.is_finite()):
            return known
        if law.any_values:  # whatever fails with the most people fails with fewer
            ball = noise.ball(n_epsilon / most, lowest / most)
            mean = law.likely_means(most, self._asked.decimal, False, self.mean_range)[0]
            return known.max(law.least_ball(ball, most, mean, excess, excess, failure))
        if not law.symmetric:
            return known
        rates = lowest / most, n_epsilon / least
        return known.max(fails_with(noise, *rates, least, most, self._asked.decimal, failure))

    def _private(self, delta: Number) -> bool:
        """Whether there is such noise at all: Gaussian noise needs some δ."""
        return not self.uses_delta or bool(delta > 0)

    def _rate(self, epsilon: Number, delta: Number) -> Number:
        """The rate of the noise at ε and δ; of floats, arrays or balls.

        Of Gaussian noise the smallest that is (ε, δ)-private (see `privacy.gaussian`).
        """
        if not self.uses_delta:
            return epsilon
        if numbers.of(epsilon, delta) is not numbers.balls():
            return 1 / scale(epsilon, delta)
        if not delta > 0:
            return numbers.balls().number(0.0)
        if epsilon.is_finite():
            return 1 / scale_ball(epsilon, delta)
        infinity = numbers.balls().infinity
        return infinity if epsilon.lower() == infinity else 0 * infinity  # not a number: unknown

    def _epsilon(self, rate: Number, delta: Number) -> Number:
        """The least ε at which the noise may have this rate; of floats or arrays."""
        return epsilon_at(1 / rate, delta) if self.uses_delta else rate

    @property
    def of_whole_counts(self) -> bool:
        return not self.share.law.any_values

    @property
    def _frontier(self) -> "Frontier":
        return frontier(self.share, self._asked)

    @property
    def _asked(self) -> Asked:
        return Asked(self.error, self.failure, self.mean_range)

    @property
    def _asked_in_balls(self) -> Asked:
        number = numbers.balls().number
        return self._asked._replace(error=number(self.error), failure=number(self.failure))
