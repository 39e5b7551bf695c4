"""Questions alike, as one part of a survey."""

from dataclasses import dataclass, replace

from planner.libraries import np
from planner.mechanisms.floor import QuestionFloor
from planner.numbers import Array, Number

_LEAST_NATS = 1e-2
"""With so little the noise has hardly any say in what fails: Newton's method, in steps of a nat of
the rate, comes from there to any other rate in a few of them."""


@dataclass(frozen=True)
class Part:
    """Questions alike.

    Attributes:
        floor: what one of them asks, in rates; its `failure` is replaced by a share.
        times: how many there are.
        numbers: how many numbers one of them publishes.
        convex: whether its floor, where convex in N, is so in N and α together.
    """

    floor: QuestionFloor
    times: int = 1
    numbers: int = 1
    convex: bool = True

    def at(self, failure: Number) -> QuestionFloor:
        """What one asks at a share of the failure probability."""
        return replace(self.floor, failure=failure)  # type: ignore[type-var]

    def first_rate(self, failure: Array | float, n: Array | float) -> Array:
        """About what noise alone needs, where a search for its rate may begin; above 0.

        Some questions need no ε at all: any candidate may be right with a probability over 1 − α.
        """
        alone = self.at(failure).noise_alone(n, 0.0)
        return np.maximum(alone, _LEAST_NATS / (n * self.floor.error))
