"""What the analyst requires: an accuracy (Hsu14 Definition 3); of a test see `power`."""

import math
import sys
from dataclasses import field
from fractions import Fraction
from typing import ClassVar, Self

from pydantic import model_validator

from planner.checked import dataclass
from planner.checks import Error, Failure, Positive, Value
from planner.numbers import decimal, not_above
from planner.wording import confidence, plain, points


@dataclass
class Accuracy:
    """The published answer is off by `error` or more with probability at most `failure`.

    Attributes:
        error: T, additive error tolerated [fraction of 1, (0, 1]]; of high − low where records
            are numbers. Left out only where strata have errors of their own.
        failure: α, probability of a larger error [(0, 1)].
        values: for the mean of numbers, the smallest and the largest value of a record; see
            `of_values`.
        deviation_at_most: the most that the standard deviation of the numbers is, in their unit: an
            assumption, public before anybody is asked [above 0, at most half the range]; None where
            none is made.
    """

    kind: ClassVar[str] = "accuracy"
    """What it is about, in a word."""
    symbol: ClassVar[str] = "alpha"
    """The symbol of what may be at most so much."""

    error: Error = None  # type: ignore[assignment]  # of a study with strata alone, which checks it
    failure: Failure = None  # type: ignore[assignment]  # refused below
    values: tuple[Value, Value] | None = None
    deviation_at_most: Positive | None = field(default=None, kw_only=True)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.failure is None:
            raise ValueError("Accuracy: failure is missing; give a probability such as 0.05")
        if self.values is not None and not self.values[0] < self.values[1]:
            low, high = self.values
            raise ValueError(f"low = {low!r} is not below high = {high!r}; give a range of values")
        if self.deviation_at_most is not None:
            if self.values is None:
                raise ValueError(
                    "deviation_at_most is of values; give low and high, or leave it out"
                )
            deviation_share(self.deviation_at_most, *self.values)
        return self

    @property
    def deviation(self) -> float | None:
        """The assumed deviation as a fraction of the range, rounded up."""
        if self.deviation_at_most is None or self.values is None:
            return None
        return deviation_share(self.deviation_at_most, *self.values)

    @property
    def error_unit(self) -> str:
        """The unit of errors as people read them; empty for that of the values."""
        return "percentage points" if self.values is None else ""

    @classmethod
    def of_values(
        cls,
        error: float,
        low: float,
        high: float,
        failure: float,
        deviation_at_most: float | None = None,
    ) -> Self:
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
        return cls(
            error=not_above(share),
            failure=failure,
            values=(low, high),
            deviation_at_most=deviation_at_most,
        )

    def in_unit(self, error: float) -> float:
        """An error, here a fraction of 1, in the unit of the answer; see `of_values`.

        It is the one with the fewest digits that is the same fraction.
        """
        if self.values is None:
            return error
        low, high = self.values
        width = decimal(high) - decimal(low)
        value = float(min(decimal(error) * width, decimal(sys.float_info.max)))
        for digits in range(1, 17):
            shorter = float(f"{value:.{digits}g}")
            fits = 0 < shorter < math.inf and decimal(shorter) <= width
            if fits and self.of_values(shorter, low, high, self.failure).error == error:
                return shorter
        return value

    @property
    def label(self) -> str:
        """The target as a phrase within a sentence."""
        if self.error is None:
            return f"the margins of error of all strata at {confidence(self.failure)}"
        if self.values is not None:
            low, high = self.values
            return (
                f"a margin of error of {plain(self.in_unit(self.error))} on values from "
                f"{plain(low)} to {plain(high)} at {confidence(self.failure)}"
            )
        return (
            f"a margin of error of {points(self.error)} percentage points at "
            f"{confidence(self.failure)}"
        )

    def promise(self, achieved: str) -> str:
        """What a plan promises, with the failure probability that it achieves written out."""
        return f"the answer fails with probability at most {achieved}"


def deviation_share(deviation: float, low: float, high: float) -> float:
    """A standard deviation as a fraction of the range of the values, rounded up.

    Raises:
        ValueError: it is over half the range, which no values deviate by.
    """
    share = decimal(float(deviation)) / (decimal(float(high)) - decimal(float(low)))
    if share > Fraction(1, 2):
        raise ValueError(
            f"deviation_at_most = {deviation!r} is over half the range of values, more than any "
            f"values from {plain(low)} to {plain(high)} deviate by; give at most "
            f"{plain((high - low) / 2)}, or leave it out"
        )
    return math.nextafter(float(share), 1.0) if decimal(float(share)) < share else float(share)
