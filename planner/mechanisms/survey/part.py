"""Questions alike, as one part of a survey."""

from dataclasses import dataclass, replace

from planner.mechanisms.floor import Floor
from planner.numbers import Number


@dataclass(frozen=True)
class Part:
    """Questions alike.

    Attributes:
        floor: what one of them asks, in rates; its `failure` is replaced by a share.
        times: how many there are.
        numbers: how many numbers one of them publishes.
        convex: whether its floor, where convex in N, is so in N and α together.
    """

    floor: Floor
    times: int = 1
    numbers: int = 1
    convex: bool = True

    def at(self, failure: Number) -> Floor:
        """What one asks at a share of the failure probability."""
        return replace(self.floor, failure=failure)  # type: ignore[type-var]
