"""What the shares of a histogram ask of ε, or of 1/σ for Gaussian noise."""

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from planner import numbers
from planner.libraries import np, scipy
from planner.mechanisms import exact, hoeffding
from planner.mechanisms.exact.sizes import FAILS_WITH
from planner.mechanisms.floor import CONVEX, FALLING, SAW_TOOTHED, QuestionFloor, Regularity
from planner.mechanisms.laplace_mean import LaplaceMean
from planner.mechanisms.sample import SIMPLE, Sample
from planner.mechanisms.several import gaussian_floor
from planner.mechanisms.several.best_shares import Part
from planner.mechanisms.several.histogram import Counts
from planner.mechanisms.several.split import split
from planner.numbers import Array, Number
from planner.privacy import gaussian

if TYPE_CHECKING:
    from planner.mechanisms.several.histogram import Counts

Noise = Literal["laplace", "geometric", "gaussian"]
PER_COUNT = {"laplace": 0.5, "geometric": 0.5, "gaussian": math.sqrt(0.5)}
"""The rate of the noise on one count, where two counts together have rate 1."""
_APART, _POINTS = 0.12, 8
"""How far apart, in logarithms, and how many are the rates that are read at once."""
_CLOSE = 0.003
"""Between rates this close a line leads to the root, nearer than `_NEAR`."""
_NEAR, _LARGEST = (
    2e-5,
    math.log(1e4),
)  # of a first bracket; beyond this there is hardly any noise
_PROOF_ROOM = 2e-4
"""By what part of α a floor keeps from the line that proves it: closer proofs take long."""


@dataclass(frozen=True)
class HistogramFloor(QuestionFloor):
    """The least rate of a histogram: ε, or √2/σ for Gaussian noise; δ is not read.

    Attributes:
        groups: k [≥ 2].
        error: T, of every share at once.
        failure: α, a number or an array.
        noise: its kind.
        analysis: "exact" or "hoeffding".
        sample: how people are drawn; where not independently k worst shares are taken.
    """

    groups: int
    error: float
    failure: Number
    noise: Noise
    analysis: Literal["exact", "hoeffding"]
    sample: Sample = SIMPLE

    @property
    def regularity(self) -> Regularity:
        if self.analysis == "exact":
            return SAW_TOOTHED
        convex = self.noise != "gaussian" and self.failure <= hoeffding.CONVEX_UP_TO
        return CONVEX if convex else FALLING

    def achieved(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """The failure probability at a rate, at most 1; floats or balls of one study."""
        rate = epsilon * self._per_count(epsilon)
        if self.analysis == "hoeffding":
            return numbers.of(rate, participants).minimum(
                self.groups * self._bound(rate, participants), 1.0
            )
        size = float(participants)
        if self.by_worst:
            one = exact.failure_probability(self._share, rate, size, self.error, (0.0, 1.0))
            return min(self.groups * one, 1.0)
        return min(self._counts.line(float(rate), size)[1] * (1 + 1e-6), 1.0)

    def likely(self, epsilon: Number, participants: Number, delta: Number) -> Number:
        """About the same over arrays of rates and N of one shape, with the room of a proof."""
        rate = np.asarray(epsilon) * PER_COUNT[self.noise]
        if self.analysis == "hoeffding":
            return np.minimum(self.groups * self._bound(rate, participants), 1.0)
        n = np.asarray(participants, dtype=float)
        if self._always_by_worst:
            likely = self.groups * self._share.likely_worst(rate, n, self.error, (0.0, 1.0))
        else:
            likely = self._counts.failure(rate, n) / (1 - _PROOF_ROOM)
        return np.minimum(likely, 1.0)

    def likely_beside(self, rates: Number, participants: Number) -> Number:
        """The same at rates close together, along the first axis, with the middle one exact."""
        n = np.asarray(participants, dtype=float)
        if self.analysis == "hoeffding" or self._always_by_worst:
            several = self.likely(np.ravel(rates), np.tile(n, len(rates)), 0.0)
            return np.reshape(several, np.shape(rates))
        per_count = rates * PER_COUNT[self.noise]
        # where the chord is highest its height hardly depends on its end
        end = self._counts.end(per_count[len(rates) // 2], n)
        flat = per_count.ravel(), np.tile(n, len(rates)), np.tile(end, len(rates))
        failures = self._counts.by_chord(*flat).reshape(rates.shape)
        return np.minimum(failures / (1 - _PROOF_ROOM), 1.0)

    def epsilon(self, participants: Number, delta: Number) -> Number:
        """The least rate, a little over it where a line must prove it; ∞ where none is allowed."""
        if self.analysis == "hoeffding":
            return self._of_bound(participants)
        size = float(participants)
        if self.by_worst:
            failure = self.failure / self.groups
            worst = exact.least_rates(self._share, size, self.error, failure, (0.0, 1.0))
            return worst / PER_COUNT[self.noise]
        return self._least(size)

    def approximate(self, participants: Number, delta: Number) -> Number:
        if self.analysis == "hoeffding":
            return self._of_bound(participants)

        return split((Part(self),), float(self.failure), 1).shares(participants)[1][0]

    def _least(self, size: float) -> float:
        goal = math.log(self.failure * (1 - _PROOF_ROOM))

        @cache
        def excess(log_rate: float) -> float:
            return math.log(max(self._counts.line(math.exp(log_rate), size)[1], 1e-300)) - goal

        near = self._nearly_least(size, goal)
        if math.isinf(near):
            return math.inf
        low, high = near - _NEAR, near + _NEAR
        while excess(high) > 0:
            low, high = high, high + 8 * (high - low)
            if high > _LARGEST:
                return math.inf
        if excess(low) <= 0:
            low, high = low - 8 * (high - low), low
        root = scipy.optimize.brentq(excess, low, high, xtol=1e-9) if excess(low) > 0 else low
        return math.exp(root) * (1 + 1e-8) / PER_COUNT[self.noise]

    def _nearly_least(self, size: float, goal: float) -> float:
        """About the logarithm of the least rate of one count, by the quick reading; ∞ for none."""

        def over(log_rates: Array) -> Array:
            values = self._counts.failure(np.exp(log_rates), np.full(log_rates.shape, size))
            return np.log(np.maximum(values, 1e-300)) - goal

        low, apart = (
            math.log(float(self.noise_alone(size, 0.0)) * PER_COUNT[self.noise]) - 0.1,
            _APART,
        )
        while low <= _LARGEST:
            at = low + apart * np.arange(_POINTS)
            values = over(at)
            if values[0] <= 0:
                return float(low)
            reached = int(np.argmax(values <= 0))
            if reached and apart < _CLOSE:
                share = values[reached - 1] / (values[reached - 1] - values[reached])
                return float(at[reached - 1] + apart * share)
            low = float(at[reached - 1])  # the last one where none is reached
            apart = apart / (_POINTS - 1) if reached else apart
        return math.inf

    def sufficient(self, participants: Number, delta: Number) -> Number:
        return self._of_bound(participants)

    def sample_alone(self, participants: Number) -> Number:
        system = numbers.of(participants)
        if self.analysis != "hoeffding":
            return participants * 0
        return 2 * self.groups * system.exp(-2 * participants * system.number(self.error) ** 2)

    def noise_alone(self, participants: Number, delta: Number) -> Number:
        """What noise alone asks: at every line the k counts fail with k times that of one."""
        system = numbers.of(participants, self.failure)
        number = system.number
        error, share = number(self.error), number(self.failure) / number(self.groups)
        if self.noise != "gaussian":
            return -system.log(share) / (participants * error * number(0.5))

        if system is numbers.balls():
            deviate = gaussian.deviate_ball(share / 2)
        else:
            deviate = -scipy.special.ndtri(share / 2)
        return deviate / (participants * error * self._per_count(participants))

    def n_epsilon(self, participants: int, delta: Number) -> Number:
        return self.noise_alone(numbers.of(self.failure).number(1), delta)

    def failure_between(
        self, n_epsilon: Number, least: int, most: int, lowest: Number | None = None
    ) -> Number:
        """What every N in a range fails with at least.

        The line that bounds k shares is over the one through f(0) and f(1/2), so the bound is at
        least 2f(1/2) + (k − 2)f(0).
        """
        if self.analysis != "exact" or self.noise not in FAILS_WITH:
            return super().failure_between(n_epsilon, least, most)

        of_count, share = n_epsilon * self._per_count(n_epsilon), self._share
        if self._always_by_worst:
            cell = exact.ExactFloor(LaplaceMean(), self.error, self.failure, share, (0.0, 1.0))
            return self.groups * cell.failure_between(of_count, least, most)
        at_half = FAILS_WITH[self.noise](of_count, self.error, least, most)
        at_zero = 2 * share.noise.tail_ball(of_count * numbers.balls().number(self.error))
        return 2 * at_half + (self.groups - 2) * at_zero

    def certify_reached(self, epsilon: Number, participants: Number, delta: Number) -> bool:
        number = numbers.balls().number
        rate, failure = epsilon * self._per_count(epsilon), number(self.failure)
        if self.analysis == "hoeffding":
            return bool(self.groups * self._bound(rate, participants) <= failure)
        if self.by_worst:
            asked = exact.Asked(number(self.error), failure / self.groups, (0.0, 1.0))
            return self._share.certify_at_most(rate, participants, asked)
        return self._counts.certify_at_most(rate, participants, failure)

    @property
    def of_whole_counts(self) -> bool:
        return self.analysis == "exact" and self.by_worst and self.noise != "gaussian"

    @property
    def by_worst(self) -> bool:
        return self.groups == 2 or self._always_by_worst

    @property
    def _always_by_worst(self) -> bool:
        return self.noise == "geometric" or not self.sample.simple

    @property
    def _share(self) -> "exact.NoisyShare":
        return exact.noisy(self.noise, False, (0.0, 1.0), self.sample)

    def _per_count(self, like: Number) -> Number:
        if numbers.of(like) is not numbers.balls():
            return PER_COUNT[self.noise]
        half = numbers.balls().number(0.5)
        return half.sqrt() if self.noise == "gaussian" else half

    def _bound(self, rate: Number, participants: Number) -> Number:
        error = numbers.of(rate, participants).number(self.error)
        if self.noise == "gaussian":
            return gaussian_floor.failure_probability(rate, participants, error)
        return hoeffding.failure_probability(rate, participants, error)

    def _of_bound(self, participants: Number) -> Number:
        number = numbers.of(participants, self.failure).number
        share = number(self.failure) / number(self.groups)
        of = gaussian_floor.least_rate if self.noise == "gaussian" else hoeffding.epsilon_floor
        return of(participants, number(self.error), share) / self._per_count(participants)

    @property
    def _counts(self) -> "Counts":
        kind: Literal["laplace", "gaussian"] = "gaussian" if self.noise == "gaussian" else "laplace"
        return Counts(self.groups, self.error, kind)
