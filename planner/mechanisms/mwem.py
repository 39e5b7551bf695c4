"""Multiplicative weights exponential mechanism, ε-private (Hsu14 §5.3)."""

from typing import ClassVar, Protocol

from planner import numbers
from planner.checked import dataclass
from planner.checks import Queries, UniverseSize, in_range
from planner.mechanisms.mechanism import Mechanism
from planner.numbers import Number, NumberSystem


@dataclass
class Mwem(Mechanism):
    """Answers many counting queries, all within T except with the failure probability.

    Attributes:
        universe_size: |X|, number of possible records [≥ 2].
        queries: |C|, number of counting queries [≥ 1].
    """

    kind: ClassVar[str] = "mwem"

    universe_size: UniverseSize
    queries: Queries

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        system = numbers.of(epsilon, participants, error)
        decay = error**3 / (128 * log_size(self, system))
        return union_factor(self, system, error) * system.exp(-epsilon * participants * decay)

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
        bits = system.log(union_factor(self, system, error) / failure)
        return 128 * log_size(self, system) * bits / error**3


class Sized(Protocol):
    """A mechanism over a universe of records that answers several queries."""

    @property
    def universe_size(self) -> int:
        """|X|."""

    @property
    def queries(self) -> int:
        """|C|."""


def log_size(mechanism: "Sized", system: NumberSystem) -> Number:
    """ln|X| in the given number system."""
    return system.log(system.number(mechanism.universe_size))


def union_factor(mechanism: "Sized", system: NumberSystem, error: Number) -> Number:
    """32|C|ln|X|/T²: what both accuracy bounds of MWEM multiply their exponential with."""
    return 32 * mechanism.queries * log_size(mechanism, system) / error**2
