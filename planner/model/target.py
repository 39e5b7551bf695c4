"""What the analyst requires: an accuracy (Hsu14 Definition 3), an expected loss, or a power.

The loss is that of the reader of a count, from the noise (Ghosh09, Gupte10); the power is that of a
test of one share (Awan18).
"""

import math
import sys
from dataclasses import field, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

from pydantic import InstanceOf, model_validator

from planner.checked import dataclass
from planner.checks import Error, Failure, Mean, Positive, Probability, Share, Value
from planner.consumers.readers import BayesianReader, MinimaxReader, loss_words
from planner.mechanisms import CountTest, Mechanism
from planner.mechanisms.count_test import NO_ERROR
from planner.mechanisms.hypotheses import Hypotheses
from planner.mechanisms.sample import Sample
from planner.numbers import decimal, not_above
from planner.wording import plain, several


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
        """Refuse a missing failure probability, and a range of values that is empty."""
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
            return f"the errors of all strata except with probability {plain(self.failure)}"
        if self.values is not None:
            low, high = self.values
            return (
                f"an error under {plain(self.in_unit(self.error))} on values from {plain(low)} "
                f"to {plain(high)} except with probability {plain(self.failure)}"
            )
        return f"an error under {plain(self.error)} except with probability {plain(self.failure)}"

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


@dataclass
class ExpectedLoss:
    """The reader of the count has at most this expected loss, with the optimal release.

    Attributes:
        consumer: the reader, at any number of participants.
        at_most: the largest expected loss [> 0].
        unit: "counts", as the loss is defined, or "share", counts as a share of the participants.
    """

    kind: ClassVar[str] = "expected loss"
    """What it is about, in two words."""
    symbol: ClassVar[str] = "L"
    """The symbol of what may be at most so much."""
    values: ClassVar[None] = None
    """None: a count has no range of values."""
    deviation: ClassVar[None] = None
    """None, likewise."""

    consumer: InstanceOf[BayesianReader] | InstanceOf[MinimaxReader]
    at_most: Share
    unit: Literal["counts", "share"] = "counts"

    @model_validator(mode="after")
    def _share_of_people(self) -> Self:
        """Refuse a share of people for other losses than the absolute one."""
        if self.unit == "share" and self.consumer.loss != "absolute":
            raise ValueError('unit = "share" is for the absolute loss; leave it out')
        return self

    @property
    def label(self) -> str:
        """The target as a phrase within a sentence."""
        of = " of the participants" if self.unit == "share" else ""
        return f"an expected {self.consumer.words} of at most {plain(self.at_most)}{of}"

    def promise(self, achieved: str) -> str:
        """What a plan promises the reader, with the loss that it achieves written out."""
        of = " of the participants" if self.unit == "share" else ""
        return f"the reader's {self.loss_words} is at most {achieved}{of} (rounding bounded)"

    @property
    def loss_words(self) -> str:
        """The name of the loss, as a phrase."""
        return f"expected {loss_words(self.consumer.loss)}"

    def allowed(self, participants: int) -> float:
        """The largest expected loss in counts."""
        return self.at_most * participants if self.unit == "share" else self.at_most


_OVER = 1 + 1e-6
"""Nobody asks for a power that is nearer to the significance."""


@dataclass
class Power:
    """A test of a share against the null value finds the alternative with this probability.

    Attributes:
        null: the share under the null hypothesis [[0, 1]].
        alternative: the share that is to be found, larger or smaller [[0, 1], not the null value].
        power: the least probability that the test rejects at the alternative, in its direction
            [over the significance, below 1].
        significance: the largest probability that the test rejects at the null value [(0, 1)].
        sides: 1, towards the alternative; or 2, a test on each side at half the significance.
    """

    kind: ClassVar[str] = "power"
    """What it is about, in a word."""
    symbol: ClassVar[str] = "beta"
    """The symbol of the probability to miss the alternative."""
    values: ClassVar[None] = None
    """None: a share has no range of values."""
    deviation: ClassVar[None] = None
    """None, likewise."""
    VARIED: ClassVar[tuple[str, ...]] = ("power", "significance", "change")
    """The quantities of it that can be varied."""

    null: Mean
    alternative: Mean
    power: Probability = 0.8
    significance: Probability = 0.05
    sides: Literal[1, 2] = 1

    @model_validator(mode="after")
    def _a_test(self) -> Self:
        """Refuse what no test has to find, or finds by chance."""
        if self.null == self.alternative:
            raise ValueError(
                f"alternative = {self.alternative!r} is the null value; give another share, which "
                "the test is to find"
            )
        if decimal(self.power) <= decimal(self.significance) / self.sides:
            each = " / 2, as there are two sides" if self.sides == 2 else ""
            raise ValueError(
                f"power = {self.power!r} is not over significance = {self.significance!r}{each}; "
                "give a larger one, such as 0.8"
            )
        return self

    @property
    def tested(self) -> Hypotheses:
        """What is tested, exactly."""
        return Hypotheses.of(self.null, self.alternative, self.power, self.significance, self.sides)

    @property
    def change(self) -> float:
        """How far the alternative is from the null value [(0, 1]]."""
        return float(abs(decimal(self.alternative) - decimal(self.null)))

    def varied(self, values: dict[str, float]) -> Self:
        """The same with other values of some quantities: `power`, `significance` or `change`.

        Raises:
            ValueError: a value is not allowed, or the quantity is not of a test.
        """
        for name in values.keys() - {*self.VARIED}:
            raise ValueError(f"{name} is not of a test; give {several([*self.VARIED], 'or')}")
        changed: dict[str, Any] = dict(values)
        if "change" in changed:
            moved = decimal(float(changed.pop("change"))) * (
                1 if self.alternative > self.null else -1
            )
            changed["alternative"] = float(decimal(self.null) + moved)
        return replace(self, **changed)

    def easiest(self, quantity: str) -> float:
        """The easiest value of one of these quantities."""
        if quantity == "change":
            return 1 - self.null if self.alternative > self.null else self.null
        if quantity == "power":
            return self.significance / self.sides * _OVER
        return min(self.power * self.sides / _OVER, 1 - 2**-53)

    @property
    def label(self) -> str:
        """The target as a phrase within a sentence."""
        sides = "one-sided" if self.sides == 1 else "two-sided"
        return (
            f"a power of {plain(self.power)} to find a share of {plain(self.alternative)} instead "
            f"of {plain(self.null)} ({sides} test, significance {plain(self.significance)})"
        )

    def promise(self, achieved: str) -> str:
        """What a plan promises, with the probability to miss the alternative written out."""
        return (
            f"the test misses the alternative with probability at most {achieved} and rejects at "
            f"the null value with probability at most {plain(self.significance)}"
        )


def refuse_test(power: Power | None, mechanism: Mechanism, sample: Sample) -> None:
    """Refuse a power by what does not test, and a test of anything else.

    Raises:
        ValueError: says what to give.
    """
    mechanisms = mechanism.alternatives or [mechanism]
    if power is None and any(one.tests for one in mechanisms):
        raise ValueError(NO_ERROR)
    if power is None:
        return
    if not all(one.tests for one in mechanisms):
        raise ValueError(
            f'a power is that of a test; give the mechanism kind = "{CountTest.kind}", not '
            f"{mechanism.words}"
        )
    for one in mechanisms:
        one.floor_of_test(power.tested, sample)
