"""The mean of a proportion with two-sided geometric noise on the count."""

from typing import ClassVar

from planner import numbers
from planner.checked import dataclass
from planner.checks import MeanRange, in_range
from planner.mechanisms.count_floor import CountFloor, noisy, single, summable, whole
from planner.mechanisms.counts import Noisy
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.sample import SIMPLE, Sample
from planner.numbers import Number


@dataclass
class GeometricMean(Mechanism):
    """The proportion among N zero-one records, with geometric noise on the count.

    Pr[Z = z] ∝ e^(−ε|z|).

    The published count is a whole number. The answer is off by T or more if |K + Z − Nμ| ≥ NT, so
    an edge that is a whole number counts as off, and the worst mean has such an edge. Laplace
    noise, which is almost never on an edge, therefore needs a slightly smaller ε: at T = α = 0.05
    1.5 % less with 1,000 people, 0.1 % less with 10,000. At one mean geometric noise can be better:
    if Nμ ± NT are not whole, it has up to one person of room.

    Attributes:
        mean_range: the population means at which the answer must be accurate [in [0, 1]]; (m, m)
            is one mean.
    """

    kind: ClassVar[str] = "geometric-mean"

    mean_range: MeanRange = (0.0, 1.0)

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """The largest at the means that are likely the worst."""
        return single(self._noisy().failure(epsilon, whole(participants), error, closely=True))

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        return single(self._noisy().least_rate(whole(participants), error, summable(failure)))

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        return least_n_epsilon(participants, error, failure)

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        return CountFloor(self, error, failure, self._noisy(sample))

    def _noisy(self, sample: Sample = SIMPLE) -> Noisy:
        return noisy("geometric", False, self.mean_range, sample)


def least_n_epsilon(participants: int, error: Number, failure: Number) -> Number:
    """N·ln(1/α)/(NT + 1), which geometric noise on a count asks of studies of N people or more.

    With a = e^(−ε) and m = ⌈2NT⌉ it is off by NT, at the sample least likely to be, with
    probability a^(m/2) or 2a^((m + 1)/2)/(1 + a), which is at least a^(NT + 1).
    """
    system = numbers.of(error, failure)
    n = system.number(participants)
    return -system.log(failure) * n / (n * error + 1)
