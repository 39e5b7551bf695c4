"""The net mechanism: a small synthetic database, chosen privately among all (Naor; BLR08).

Answers all |C| counting queries by a database of m records that the exponential mechanism chooses
from U^m, after Blum, Ligett and Roth 2008 (BLR08). Its score is minus its largest error, which one
person changes by at most 1/N.

A good one exists. Draw m records from the data. Each query is off by T₁ or more with probability
at most 2e^(−2mT₁²) (Hoeffding), and any of them with probability under 1 where m > ln(2|C|)/(2T₁²).
So for some m ≤ ln(2|C|)/(2T₁²) + 1 there are m records that answer all within T₁.

It is nearly found. The |U|^m databases weigh e^(−εN·error/2). One of error under T₁ outweighs each
of error T or more by e^(εN(T − T₁)/2), so the latter come up with probability at most

    β = |U|^m·e^(−εN(T − T₁)/2),  m = ln(2|C|)/(2T₁²) + 1.

The best split T₁ = sT. For given ε the exponent's derivative in s is zero at

    s³ = 2·ln(2|C|)·ln|U|/(NεT³),

and where that is under 1, β = |U|·exp(−NεT/2 + (3/4)·∛(2·ln(2|C|)·ln|U|·(Nε)²)). Else no split
helps: s = 1, and β is over 1. For given β let A = ln(2|C|)ln|U|/(2T²) and B = ln|U| + ln(1/β).
Then Nε = 2(A/s² + B)/((1 − s)T) is least where s³ + 3ps − 2p = 0 with p = A/B. As
4sinh³θ + 3sinh θ = sinh 3θ, that is at

    s = 2√p·sinh(asinh(1/√p)/3), between 0 and 2/3.

Where A is much the larger, Nε is nearly (27/4)·ln(2|C|)·ln|U|/T³: MWEM's order, with its 128
replaced by 27/4, but its running time grows as |U|^m. The + 1 stands for rounding m up, and costs
at most a part of about 1/m of ε.
"""

import math
from typing import ClassVar

from planner import numbers
from planner.checked import dataclass
from planner.checks import Queries, UniverseSize, in_range
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.mwem import Sized, log_size
from planner.numbers import Number, NumberSystem


@dataclass
class Net(Mechanism):
    """Answers many counting queries by one synthetic database, all within T.

    This is for planning; only tiny universes can be run (`planner.selection.exponential`).

    Attributes:
        universe_size: |U|, number of possible records [≥ 2].
        queries: |C|, number of counting queries [≥ 1].
    """

    kind: ClassVar[str] = "net"

    universe_size: UniverseSize
    queries: Queries

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        system = numbers.of(epsilon, participants, error)
        n_epsilon = epsilon * participants
        split = system.minimum(
            system.number(1), _split_for_n_epsilon(self, n_epsilon, error, system)
        )
        return _bound(self, split, n_epsilon, error, system)

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        system = numbers.of(participants, error, failure)
        return self.n_epsilon_floor(error, failure) * system.number(1) / participants

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        system = numbers.of(error, failure)
        split = _split_for_failure(self, error, failure, system)
        candidates = _log_candidates(self, split, error, system)
        return 2 * (candidates - system.log(failure)) / ((1 - split) * error)

    @in_range
    def database_size(self, error: float, failure: float) -> int:
        """m, the records of the synthetic database at `epsilon_floor`.

        Args:
            error: T [fraction of 1, (0, 1]].
            failure: α [(0, 1)].
        """
        share: float = _split_for_failure(self, error, failure, numbers.FLOATS) * error
        return math.floor(math.log(2 * self.queries) / (2 * share**2)) + 1


def at_best_split(
    mechanism: Sized, n_epsilon: Number, error: Number, system: NumberSystem
) -> Number:
    """β at an N·ε, where the best split is under 1."""
    split = _split_for_n_epsilon(mechanism, n_epsilon, error, system)
    return _bound(mechanism, split, n_epsilon, error, system)


def _bound(
    mechanism: Sized, split: Number, n_epsilon: Number, error: Number, system: NumberSystem
) -> Number:
    """|U|^m·exp(−εN(1 − s)T/2) at one split s."""
    candidates = _log_candidates(mechanism, split, error, system)
    return system.exp(candidates - n_epsilon * error * (1 - split) / 2)


def _log_candidates(mechanism: Sized, split: Number, error: Number, system: NumberSystem) -> Number:
    """m·ln|U| with m = ln(2|C|)/(2s²T²) + 1."""
    size = _log_answers(mechanism, system) / (2 * (split * error) ** 2) + 1
    return size * log_size(mechanism, system)


def _split_for_n_epsilon(
    mechanism: Sized, n_epsilon: Number, error: Number, system: NumberSystem
) -> Number:
    """The best s for an ε, ∛(2·ln(2|C|)·ln|U|/(NεT³)); no split helps where it is over 1."""
    cube = (
        2 * _log_answers(mechanism, system) * log_size(mechanism, system) / (n_epsilon * error**3)
    )
    return system.exp(system.log(cube) / 3)


def _split_for_failure(
    mechanism: Sized, error: Number, failure: Number, system: NumberSystem
) -> Number:
    """The best s for an α, 2√p·sinh(asinh(1/√p)/3)."""
    size = log_size(mechanism, system)
    a = _log_answers(mechanism, system) * size / (2 * error**2)
    root = system.sqrt(a / (size - system.log(failure)))
    # asinh y = ln(1 + y + y²/(1 + √(1 + y²))), which keeps its digits where y is small
    y = 1 / root
    third = system.log1p(y + y**2 / (1 + system.sqrt(1 + y**2))) / 3
    grown = system.expm1(third)
    return root * (grown + grown / (1 + grown))


def _log_answers(mechanism: Sized, system: NumberSystem) -> Number:
    return system.log(system.number(2 * mechanism.queries))
