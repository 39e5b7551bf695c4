"""The mean of a proportion with Gaussian noise, (ε, δ)-private."""

from typing import ClassVar, Literal

from planner import numbers
from planner.checked import dataclass
from planner.checks import MeanRange, in_range
from planner.libraries import np
from planner.mechanisms.count_floor import CountFloor, noisy, single, summable, whole
from planner.mechanisms.counts import Noisy
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.sample import SIMPLE, Sample
from planner.numbers import Number
from planner.privacy.gaussian import epsilon_at, scale


@dataclass
class GaussianMean(Mechanism):
    """The sample mean of N records from 0 to 1 plus Gaussian noise of standard deviation σ/N.

    σ is the smallest that is (ε, δ)-private (Balle and Wang 2018, see `privacy.gaussian`). The σ
    that is accurate depends on N alone; ε then follows for each δ. As everyone is also paid δW,
    Laplace noise with δ = 0 is often cheaper for one mean: Gaussian noise is better if failures
    must be rare, as its tails are lighter, and if many answers are composed.

    Attributes:
        mean_range: the population means at which the answer must be accurate [in [0, 1]]; (m, m)
            is one mean.
        values: of records: "zero-one" for a proportion, "any" for numbers from 0 to 1, by a bound
            that no law of their values passes (see `values`). None is "any" where the
            study's target has a range of values, else "zero-one".
    """

    kind: ClassVar[str] = "gaussian-mean"
    uses_delta: ClassVar[bool] = True

    mean_range: MeanRange = (0.0, 1.0)
    values: Literal["zero-one", "any"] | None = None

    def _noisy(self, sample: Sample = SIMPLE) -> Noisy:
        return noisy("gaussian", self.values == "any", self.mean_range, sample)

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """The largest at the means that are likely the worst; 1 at δ = 0."""
        rate = 1 / scale(epsilon, delta)
        return single(self._noisy().failure(rate, whole(participants), error, closely=True))

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        rate = self._noisy().least_rate(whole(participants), error, summable(failure))
        return single(np.asarray(epsilon_at(1 / rate, delta)))

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        """0: in a study large enough δ alone allows the noise; ∞ at δ = 0."""
        system = numbers.of(error, failure, delta)
        return system.number(0.0) if delta > 0 else system.infinity

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        """The exact one, from a finite population, in clusters and with a design effect too."""
        return CountFloor(self, error, failure, self._noisy(sample))
