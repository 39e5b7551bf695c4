"""The accuracy that the analyst requires (Hsu14 Definition 3)."""

import math
from typing import ClassVar, Self

from pydantic import model_validator

from planner.checked import dataclass
from planner.checks import Error, Failure, Value
from planner.numbers import decimal
from planner.wording import plain


@dataclass
class Accuracy:
    """The published answer is off by `error` or more with probability at most `failure`.

    Attributes:
        error: T, additive error tolerated [fraction of 1, (0, 1]]; of high − low where records
            are numbers.
        failure: α, probability of a larger error [(0, 1)].
        values: for the mean of numbers, the smallest and the largest value of a record; see
            `of_values`.
    """

    kind: ClassVar[str] = "accuracy"
    """What it is about, in a word."""
    symbol: ClassVar[str] = "alpha"
    """The symbol of what may be at most so much."""

    error: Error
    failure: Failure
    values: tuple[Value, Value] | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        """Refuse a range of values that is empty."""
        if self.values is not None and not self.values[0] < self.values[1]:
            low, high = self.values
            raise ValueError(f"low = {low!r} is not below high = {high!r}; give a range of values")
        return self

    @classmethod
    def of_values(cls, error: float, low: float, high: float, failure: float) -> Self:
        """The accuracy of a mean of numbers from `low` to `high`, with `error` in their unit.

        Raises:
            ValueError: an argument is outside its range, or the error over high − low.
        """
        if not low < high:
            return cls(error=1.0, failure=failure, values=(low, high))  # this raises the error
        share = decimal(float(error)) / (decimal(float(high)) - decimal(float(low)))
        if share > 1:
            raise ValueError(
                f"error = {error!r} exceeds the range of values; give at most {plain(high - low)}"
            )
        nearest = float(share)
        less = nearest if decimal(nearest) <= share else math.nextafter(nearest, 0.0)
        return cls(error=less, failure=failure, values=(low, high))

    @property
    def label(self) -> str:
        """The target as a phrase within a sentence."""
        if self.values is not None:
            low, high = self.values
            return (
                f"an error under {plain(self.error * (high - low))} on values from {plain(low)} "
                f"to {plain(high)} except with probability {plain(self.failure)}"
            )
        return f"an error under {plain(self.error)} except with probability {plain(self.failure)}"

    def promise(self, achieved: str) -> str:
        """What a plan promises, with the failure probability that it achieves written out."""
        return f"the answer fails with probability at most {achieved}"
