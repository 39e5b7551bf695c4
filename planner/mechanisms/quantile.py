"""A quantile of numbers, by the exponential mechanism over candidates (McSherry and Talwar 2007).

The candidates c₁ < … < c_k cut the line: c_j stands for the values in (c_{j−1}, c_j], and the ends
take the rest. With A_j people at or below c_j its utility is −max(0, A_{j−1} − Nq, Nq − A_j): how
many people its interval lies from the rank q. One record moves it by at most 1, so the draw with
probabilities in proportion to e^(ε·utility/2) is ε-private. Some candidate always has utility 0,
whatever the gaps and ties, so the probability that one of utility −t or less is drawn is at most
w/(1 + w), w = (k − 1)e^(−εt/2).

The error is in rank: the distance of q from [F(c_{j−1}), F(c_j)], F of the population. A candidate
drawn is off by T only if its utility is −(1 − s)NT or less, or if the sample is off by sT at one of
two candidates, the nearest that are off by T on either side (counts beyond them lie farther still):

    f = 2·exp(−2N(sT)²) + w/(1 + w),   w = (k − 1)·exp(−εN(1 − s)T/2),  at the best s in (0, 1).

Both terms are convex in s where they are at most 1/4, as (sT)² is then over 1/(4N), and w under 1.
Written with β for the first and γ for the second, T = √(ln(2/β)/2N) + 2·ln((k − 1)(1 − γ)/γ)/(Nε)
is jointly convex in (N, Nε, β, γ) for γ ≤ 1/4 (with L = ln((k − 1)(1 − γ)/γ), 2L·L″ ≥ L′² there),
so the accurate (N, Nε) form a convex set where α ≤ 1/4.
"""

from typing import ClassVar

from planner import numbers
from planner.checked import dataclass
from planner.checks import Candidates, in_range
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.frontier import lowest
from planner.mechanisms.mechanism import BoundFloor, Mechanism
from planner.mechanisms.sample import SIMPLE, Sample
from planner.mechanisms.sampled import SampledFloor
from planner.numbers import Number, NumberSystem

CONVEX_UP_TO = 0.25
"""The largest α at which the accurate studies are proven to form a convex set in (N, Nε)."""
_ANY_SIGNAL = 1e-9
"""An N·ε that stands for any at all, where α is over 1 − 1/k: it changes no odds by more than a
billionth. Proofs that there is no study count it as none."""


@dataclass
class ExponentialQuantile(Mechanism):
    """Publishes the candidate nearest to a quantile of the population, in rank.

    Attributes:
        candidates: k, how many values may be published [≥ 2].
    """

    kind: ClassVar[str] = "quantile"

    candidates: Candidates

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        system = numbers.of(epsilon, participants, error)

        def value(split: Number) -> Number:
            return _bound(self, split, epsilon, participants, error)

        split = lowest(value, epsilon * participants * error)
        return system.minimum(value(split), 1.0)

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """The ε at which the bound at the best split is α; ∞ where the sample alone is too far."""

        def value(split: Number) -> Number:
            return _least(self, split, participants, error, failure)

        return value(lowest(value, participants * error * failure))

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        """What the draw alone needs: 2·ln((k − 1)(1 − α)/α)/T, where that is any."""
        system = numbers.of(error, failure)
        odds = system.log(system.number(self.candidates - 1) * (1 - failure) / failure)
        return system.maximum(2 * odds / error, _any_n_epsilon(system) + 0 * error)

    def floor(self, error: Number, failure: Number, sample: Sample = SIMPLE) -> QuestionFloor:
        of = _QuantileFloor(self, error, failure)
        return of if sample.simple else SampledFloor(of, sample, failure)


class _QuantileFloor(BoundFloor):
    """What an error in rank asks; convex for fewer α than a mean."""

    convex_up_to = CONVEX_UP_TO


def _bound(
    mechanism: ExponentialQuantile, split: Number, epsilon: Number, n: Number, error: Number
) -> Number:
    system = numbers.of(split, epsilon, n, error)
    lost = epsilon * n * error * (1 - split) / 2
    drawn = 1 / (1 + system.exp(lost) / system.number(mechanism.candidates - 1))
    return 2 * system.exp(-2 * n * (split * error) ** 2) + drawn


def _least(
    mechanism: ExponentialQuantile, split: Number, n: Number, error: Number, failure: Number
) -> Number:
    """The ε that one split s asks for, ∞ where it leaves nothing for the draw."""
    system = numbers.of(split, n, error, failure)
    drawn = failure - 2 * system.exp(-2 * n * (split * error) ** 2)
    odds = -system.log(drawn / ((1 - drawn) * system.number(mechanism.candidates - 1)))
    return system.maximum(2 * odds / ((1 - split) * error * n), _any_n_epsilon(system) / n)


def _any_n_epsilon(system: NumberSystem) -> Number:
    """What stands for any N·ε at all."""
    return system.number(_ANY_SIGNAL)
