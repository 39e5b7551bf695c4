"""Multiplicative weights exponential mechanism, ε-private (Hsu14 §5.3)."""

from types import SimpleNamespace
from typing import Any, ClassVar, Protocol

from planner import numbers
from planner.checked import dataclass
from planner.checks import Queries, UniverseSize, in_range
from planner.libraries import sympy
from planner.mechanisms.mechanism import Mechanism
from planner.numbers import Number, NumberSystem

SIZE_SYMBOLS = {"universe_size": "|X|", "queries": "|C|"}


@dataclass
class Mwem(Mechanism):
    """Answers many counting queries, all within T except with the failure probability.

    Attributes:
        universe_size: |X|, number of possible records [≥ 2].
        queries: |C|, number of counting queries [≥ 1].
    """

    kind: ClassVar[str] = "mwem"
    runs: ClassVar = "queries"
    asks: ClassVar = "queries"
    derivation: ClassVar = "mwem"
    summary: ClassVar[str] = "many counting queries by multiplicative weights (Hsu14 §5.3)"
    domain: ClassVar[str] = "N ≥ 1, ε > 0, 0 < T ≤ 1; ε-private"
    monotone: ClassVar[str] = "the failure probability falls with ε, N and T"
    convexity: ClassVar[str] = "convex in (N, N·ε): N·ε ≥ constant"
    symbols: ClassVar = SIZE_SYMBOLS

    universe_size: UniverseSize
    queries: Queries

    @property
    def sampled(self) -> bool:
        return False

    @property
    def broadcasts(self) -> bool:
        return True

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

    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        system = numbers.of(error, failure)
        bits = system.log(union_factor(self, system, error) / failure)
        return 128 * log_size(self, system) * bits / error**3

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        n, t, epsilon = sympy.symbols("N T epsilon", positive=True)
        return {"": cls.failure_probability(symbolic_size(), epsilon, n, t)}


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


def symbolic_size(**attributes: str) -> Any:
    """A stand-in for a mechanism whose |X| and |C| are symbols, to typeset its formulas."""
    sizes = {name: sympy.Symbol(symbol, positive=True) for name, symbol in SIZE_SYMBOLS.items()}
    return SimpleNamespace(**sizes, **attributes)
