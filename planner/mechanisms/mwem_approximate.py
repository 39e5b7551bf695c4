"""Multiplicative weights exponential mechanism, (ε, δ)-private (Hsu14 §8.2)."""

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from planner import numbers
from planner.mechanisms.mechanism import Mechanism
from planner.mechanisms.mwem import log_size, union_factor
from planner.mechanisms.ranges import in_range
from planner.numbers import Number
from planner.quantities import Queries, UniverseSize

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class MwemApproximate(Mechanism):
    """MWEM with δ > 0: more accurate for the same N·ε.

    Its accuracy is T = 8(ln|X| ln(1/δ))^¼ √ln(32|C|ln|X|/(βT²)) / √(Nε). Squared and solved for
    β this has 64 in the exponent; Hsu14 §8.2 prints 8.

    Attributes:
        universe_size: |X|, number of possible records [≥ 2].
        queries: |C|, number of counting queries [≥ 1].
        constant: "derived" (64) or "printed" (8, to reproduce the paper's plan).
    """

    kind: ClassVar[str] = "mwem-approximate"
    summary: ClassVar[str] = "many counting queries by multiplicative weights, δ > 0 (Hsu14 §8.2)"
    domain: ClassVar[str] = "N ≥ 1, ε > 0, 0 < T ≤ 1, 0 < δ < 1; (ε, δ)-private"
    monotone: ClassVar[str] = "the failure probability falls with ε, N, T and δ"
    convexity: ClassVar[str] = "convex in (N, N·ε) at fixed δ, not where δ is free"
    approximate: ClassVar[bool] = True

    universe_size: UniverseSize
    queries: Queries
    constant: Literal["derived", "printed"] = "derived"

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """32|C|ln|X|/T² · exp(−εNT²/(64√(ln|X| ln(1/δ)))) (Hsu14 §8.2, solved for β)."""
        system = numbers.of(epsilon, participants, error, delta)
        decay = error**2 / self._scale(system, delta)
        return union_factor(self, system, error) * system.exp(-epsilon * participants * decay)

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """64√(ln|X| ln(1/δ)) ln(32|C|ln|X|/(αT²))/(NT²); ∞ at δ = 0."""
        system = numbers.of(participants, error, failure, delta)
        return self.signal_floor(error, failure, delta) * system.number(1) / participants

    def signal_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """N·ε itself, the same at every N."""
        system = numbers.of(error, failure, delta)
        bits = system.log(union_factor(self, system, error) / failure)
        return self._scale(system, delta) * bits / error**2

    def _scale(self, system: numbers.NumberSystem, delta: Number) -> Number:
        constant = 64 if self.constant == "derived" else 8
        return constant * system.sqrt(log_size(self, system) * -system.log(delta))

    def formula(self) -> "sympy.Expr":
        """Hsu14 §8.2 with this study's |X| and |C|."""
        import sympy

        n, t, epsilon, delta = sympy.symbols("N T varepsilon delta", positive=True)
        return self.failure_probability(epsilon, n, t, delta)
