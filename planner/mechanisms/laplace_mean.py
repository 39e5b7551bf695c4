"""The mean of a proportion with Laplace noise: Hsu14's worked mechanism (§5.1)."""

from typing import ClassVar, Literal, Self

from pydantic import model_validator

from planner import numbers
from planner.checked import dataclass
from planner.checks import MeanRange, in_range
from planner.mechanisms import hoeffding
from planner.mechanisms.count_floor import CountFloor, noisy, single, summable, whole
from planner.mechanisms.counts import Noisy
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.mechanism import BoundFloor, Mechanism
from planner.mechanisms.sample import SIMPLE, Sample
from planner.mechanisms.sampled import HoeffdingFloor, SampledFloor
from planner.numbers import Number


@dataclass
class LaplaceMean(Mechanism):
    """The sample mean of N records from 0 to 1 plus Laplace noise of scale 1/(Nε).

    The error is relative to the population mean, so it includes the sampling error.

    Attributes:
        analysis: how the failure probability is computed. "exact" is the true one, at the worst
            mean (see `counts`); "hoeffding" is Hoeffding's inequality with the best split of the
            error between sample and noise, for any numbers from 0 to 1; "paper" is Hsu14 eq. 5,
            which is looser, and for proportions.
        values: of records: "zero-one" for a proportion, "any" for numbers from 0 to 1, by a bound
            that no law of their values passes (see `values`). None is "any" where the study's
            target has a range of values, else "zero-one".
        mean_range: the population means at which the answer must be accurate [in [0, 1]]; (m, m)
            is one mean. The bounds hold for every mean, and do not gain by a narrower range.
    """

    kind: ClassVar[str] = "laplace-mean"

    analysis: Literal["exact", "hoeffding", "paper"] = "exact"
    mean_range: MeanRange = (0.0, 1.0)
    values: Literal["zero-one", "any"] | None = None

    @model_validator(mode="after")
    def _covered(self) -> Self:
        if self.analysis == "paper" and self.values == "any":
            raise ValueError(
                "values = 'any' is not allowed with analysis = 'paper', which is for proportions; "
                "give analysis = 'exact' or 'hoeffding', or leave values out"
            )
        return self

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """At the likely worst mean, or 2·exp(−NT²/12) + exp(−TNε/2) (Hsu14 eq. 5)."""
        if self.analysis == "exact":
            return single(self._noisy().failure(epsilon, whole(participants), error, closely=True))
        if self.analysis == "hoeffding":
            return hoeffding.failure_probability(epsilon, participants, error)
        exp = numbers.of(epsilon, participants, error).exp
        sample = exp(participants * (error * error / -12))
        noise = exp(participants * epsilon * (error / -2))
        return 2 * sample + noise  # eq. 5

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """2·ln(1/(α − 2·exp(−NT²/12)))/(TN), the inverse of Hsu14 eq. 5 in ε; or the exact one."""
        if self.analysis == "exact":
            return single(self._noisy().least_rate(whole(participants), error, summable(failure)))
        if self.analysis == "hoeffding":
            return hoeffding.epsilon_floor(participants, error, failure)
        system = numbers.of(participants, error, failure)
        for_noise = failure - 2 * system.exp(participants * (error * error / -12))
        return system.log(for_noise) / (participants * (error / -2))

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        """What the noise alone needs: 2·ln(1/α)/T, or ln(1/α)/T where the split is free."""
        system = numbers.of(error, failure)
        noise_share = system.number(2) if self.analysis == "paper" else 1
        return -noise_share * system.log(failure) / error

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        if self.analysis == "exact":
            return CountFloor(self, error, failure, self._noisy(sample))
        sample.refuse_deviation()
        if self.analysis == "paper":
            return super().floor(error, failure, sample)
        if sample.simple:
            return BoundFloor(self, error, failure)
        return SampledFloor(HoeffdingFloor(error, failure), sample, failure)

    def _noisy(self, sample: Sample = SIMPLE) -> Noisy:
        return noisy("laplace", self.values == "any", self.mean_range, sample)
