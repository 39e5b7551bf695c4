"""Several mechanisms, of which a study uses the best."""

from typing import Annotated, Any, ClassVar

from annotated_types import Len
from pydantic import BeforeValidator, InstanceOf

from planner.checked import dataclass
from planner.libraries import np, sympy
from planner.mechanisms.mechanism import Mechanism
from planner.numbers import Number


def _listed(given: Any) -> Any:
    """A list as a tuple, and a single mechanism as a tuple of one."""
    return tuple(given) if isinstance(given, list | tuple) else (given,)


@dataclass
class OneOf(Mechanism):
    """One of several mechanisms: `planner.solve` plans with each and answers with the best.

    Attributes:
        mechanisms: those to choose from, at least one.
    """

    kind: ClassVar[str] = "one-of"
    summary: ClassVar[str] = "the best of several mechanisms"
    domain: ClassVar[str] = "wherever one of them is defined"
    monotone: ClassVar[str] = "as for each of them"
    convexity: ClassVar[str] = "not proven"

    mechanisms: Annotated[tuple[InstanceOf[Mechanism], ...], BeforeValidator(_listed), Len(1)]

    @property
    def alternatives(self) -> tuple[Mechanism, ...]:
        """All of them."""
        return self.mechanisms

    def given_values(self) -> "OneOf":
        """Each of them likewise."""
        return OneOf(tuple(one.given_values() for one in self.mechanisms))

    def given_delta(self, spoken_of: bool) -> "OneOf":
        """Each of them in such a study."""
        return OneOf(tuple(one.given_delta(spoken_of) for one in self.mechanisms))

    @property
    def uses_delta(self) -> bool:  # type: ignore[override]
        """Whether one of them is."""
        return any(mechanism.uses_delta for mechanism in self.mechanisms)

    @property
    def sampled(self) -> bool:
        """Whether one of them is."""
        return any(mechanism.sampled for mechanism in self.mechanisms)

    @property
    def any_values(self) -> bool:
        """Whether all of theirs hold for any values."""
        return all(mechanism.any_values for mechanism in self.mechanisms)

    @property
    def words(self) -> str:
        """All their names."""
        return ", ".join(mechanism.words for mechanism in self.mechanisms)

    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """The least of theirs; numbers or arrays."""
        return np.minimum.reduce(
            [
                mechanism.failure_probability(epsilon, participants, error, delta)
                for mechanism in self.mechanisms
            ]
        )

    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """The lowest of theirs; numbers or arrays."""
        return np.minimum.reduce(
            [
                mechanism.epsilon_floor(participants, error, failure, delta)
                for mechanism in self.mechanisms
            ]
        )

    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """The lowest of theirs."""
        return min(m.n_epsilon_floor(error, failure, delta) for m in self.mechanisms)

    def convex(self, failure: float) -> bool:
        """Not proven."""
        return False

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        """None of its own."""
        return {}
