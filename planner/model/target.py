"""What the analyst needs to know, and how surely (Hsu14 Definition 3)."""

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from planner.quantities import Error, Failure
from planner.wording import plain


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Accuracy:
    """The published answer is off by `error` or more with probability at most `failure`.

    Attributes:
        error: T, additive error tolerated [fraction of 1, (0, 1]].
        failure: α, probability of a larger error [(0, 1)].
    """

    error: Error
    failure: Failure

    @property
    def label(self) -> str:
        """The target as a phrase that stands in a sentence."""
        return f"an error under {plain(self.error)} except with probability {plain(self.failure)}"
