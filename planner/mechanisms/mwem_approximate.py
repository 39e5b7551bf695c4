"""Multiplicative weights exponential mechanism, (ε, δ)-private (Hsu14 §8.2)."""

from typing import ClassVar, Literal, Protocol

from planner import numbers
from planner.checked import dataclass
from planner.checks import Queries, UniverseSize, in_range
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.mwem import Sized, log_size, union_factor
from planner.numbers import Number, NumberSystem


@dataclass
class MwemApproximate(Mechanism):
    """MWEM with δ > 0: more accurate for the same N·ε.

    Its error is T = 8(ln|X| ln(1/δ))^¼ √ln(32|C|ln|X|/(βT²)) / √(Nε). Squared and solved for β
    this has 64 in the exponent; Hsu14 §8.2 prints 8.

    Attributes:
        universe_size: |X|, number of possible records [≥ 2].
        queries: |C|, number of counting queries [≥ 1].
        constant: "derived" (64) or "printed" (8, to reproduce the paper's plan).
    """

    kind: ClassVar[str] = "mwem-approximate"
    uses_delta: ClassVar[bool] = True

    universe_size: UniverseSize
    queries: Queries
    constant: Literal["derived", "printed"] = "derived"

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        system = numbers.of(epsilon, participants, error, delta)
        decay = error**2 / _scale(self, system, delta)
        return union_factor(self, system, error) * system.exp(-epsilon * participants * decay)

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        system = numbers.of(participants, error, failure, delta)
        return self.n_epsilon_floor(error, failure, delta) * system.number(1) / participants

    def n_epsilon_floor(
        self, error: Number, failure: Number, delta: Number = 0.0, participants: int = 1
    ) -> Number:
        system = numbers.of(error, failure, delta)
        bits = system.log(union_factor(self, system, error) / failure)
        return _scale(self, system, delta) * bits / error**2


class _Constant(Sized, Protocol):
    @property
    def constant(self) -> str: ...


def _scale(mechanism: _Constant, system: NumberSystem, delta: Number) -> Number:
    """64·√(ln|X| ln(1/δ)), or 8 in place of 64 as Hsu14 prints it."""
    factor = 64 if mechanism.constant == "derived" else 8
    return factor * system.sqrt(log_size(mechanism, system) * -system.log(delta))
