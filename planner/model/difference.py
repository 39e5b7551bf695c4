"""What the analyst requires of a comparison of two groups: an accuracy, or a power (Awan18)."""

from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from planner.checked import dataclass
from planner.checks import Change, Error, Failure, Margin, Mean as Proportion, Probability
from planner.mechanisms.hypotheses import Hypotheses
from planner.model.power import AnyPower
from planner.model.target import Accuracy
from planner.numbers import decimal, not_above
from planner.wording import confidence, plain, points


class Difference:
    """The comparison of two groups; everyone is in one, and which is public.

    `Difference(baseline=0.3, change=0.1)` is a `DifferenceTest`, and
    `Difference(error=0.05, failure=0.05)` a `DifferenceWithin`; see there.
    """

    file_kind: ClassVar[str] = "difference"
    """Its kind in study files."""

    def __new__(cls, *args: Any, **given: Any) -> "Difference":
        """The kind of comparison that the arguments give."""
        if cls is not Difference:
            return object.__new__(cls)
        within = given.keys() & {"error", "failure"}
        return object.__new__(DifferenceWithin if within else DifferenceTest)

    @staticmethod
    def of_values(error: float, low: float, high: float, failure: float) -> "DifferenceWithin":
        """The difference of two means of numbers from `low` to `high`, `error` in their unit.

        Args:
            error: T, in their unit.
            low: the smallest value of a record.
            high: the largest.
            failure: α [(0, 1)].

        Raises:
            ValueError: an argument is outside its range, or the error over high − low.
        """
        return DifferenceWithin.of_values(error, low, high, failure)


@dataclass(kw_only=True)
class DifferenceWithin(Accuracy, Difference):
    """The published difference is off by `error` or more with small probability.

    Everyone is in one of two groups, and which is public.

    Attributes:
        error: T, additive error of the difference of two proportions [fraction of 1, (0, 1]]; of
            high − low for that of two means.
        failure: α, probability of a larger error [(0, 1)].
        values: for means of numbers, the smallest and the largest value of a record; see
            `of_values`.
    """

    kind: ClassVar[str] = "difference"
    """What it is about, in a word."""

    error: Error
    failure: Failure

    @model_validator(mode="after")
    def _without_deviation(self) -> Self:
        if self.deviation_at_most is not None:
            raise ValueError("deviation_at_most is of one mean; leave it out for a difference")
        return self

    @property
    def counted(self) -> Accuracy:
        """The accuracy of the mean of those counted; see `mechanisms.difference_floor`."""
        return Accuracy(not_above(decimal(self.error) / 2), self.failure, self.values)

    @property
    def label(self) -> str:
        if self.values is not None:
            low, high = self.values
            return (
                f"a margin of error of {plain(self.in_unit(self.error))} for the difference of two "
                f"groups' means of values from {plain(low)} to {plain(high)} at "
                f"{confidence(self.failure)}"
            )
        return (
            f"a margin of error of {points(self.error)} percentage points for the difference of "
            f"two groups at {confidence(self.failure)}"
        )

    def promise(self, achieved: str) -> str:
        """What a plan promises, with the failure probability that it achieves written out."""
        return f"the difference fails with probability at most {achieved}"


@dataclass
class DifferenceTest(Difference, AnyPower):
    """A test of two groups finds a difference of proportions with this probability.

    Everyone is in one group, and which is public. The null hypothesis is that both have one
    proportion.

    Attributes:
        baseline: the proportion of the second group at the alternative [[0, 1]].
        change: how much larger the proportion of the first group is there, or smaller if it is
            negative [not 0; the proportion is in [0, 1]].
        power: the least probability that the test rejects at the alternative, in its direction
            [over 1/2, below 1].
        significance: the largest probability that the test rejects where both groups have the same
            proportion, whichever it is [(0, 1/2)].
        sides: 1, towards the alternative; or 2, a test on each side at half the significance.
        baseline_range: the lowest and the highest proportion that the groups may have; both of the
            alternative lie in it.
        margin: m, to find that the proportion of the first group is not smaller by as much or
            more: this is then the null hypothesis [at least 0; over −change, which may be 0 here].
    """

    MOST_SIGNIFICANCE: ClassVar[float] = 0.5 - 2**-54
    """The largest with which the null hypothesis is known that is rejected most."""
    OVER: ClassVar[float] = 0.5
    """With less power it is not known whether a test with more noise has less of it."""

    baseline: Proportion
    change: Change
    power: Probability = 0.8
    significance: Probability = 0.05
    sides: Literal[1, 2] = 1
    baseline_range: tuple[Proportion, Proportion] = (0.0, 1.0)
    margin: Margin = 0.0

    @model_validator(mode="after")
    def _a_test(self) -> Self:
        """Refuse what no test has to find, finds by chance, or is not sure of."""
        if self.margin and (self.sides == 2 or self.change <= -self.margin):
            raise ValueError(
                f"margin = {self.margin!r} is for a test on one side of a first proportion that is "
                f"less than that under the second; give sides = 1 and a change over "
                f"{-self.margin!r}"
            )
        if self.change == 0 and not self.margin:
            raise ValueError("change = 0 is no difference; give the one that the test is to find")
        other = decimal(self.baseline) + decimal(self.change)
        if not 0 <= other <= 1:
            raise ValueError(
                f"change = {self.change!r} leads from {self.baseline!r} to {plain(float(other))}, "
                "which is not a proportion; give a change that ends in 0 to 1"
            )
        if self.significance > self.MOST_SIGNIFICANCE:
            raise ValueError(
                f"significance = {self.significance!r} is not allowed; give less than 0.5, such as "
                "0.05"
            )
        low, high = self.baseline_range
        outside = [x for x in (self.baseline, float(other)) if not low <= x <= high]
        if self.margin > decimal(high) - decimal(low):
            raise ValueError(
                f"margin = {self.margin!r} is wider than the range of the proportions; give at "
                f"most {plain(float(decimal(high) - decimal(low)))}"
            )
        if outside:
            raise ValueError(
                f"baseline_range = [{plain(low)}, {plain(high)}] does not contain the proportion "
                f"{plain(outside[0])}; give a range with the proportions of both groups"
            )
        self.refuse_chance()
        return self

    @property
    def tested(self) -> Hypotheses:
        return Hypotheses.of_groups(
            self.baseline,
            self.change,
            self.power,
            self.significance,
            self.sides,
            self.baseline_range,
            self.margin,
        )

    @property
    def distance(self) -> float:
        """How far the difference of the proportions is from the null hypothesis [(0, 1]]."""
        return float(abs(decimal(self.change) + decimal(self.margin)))

    @property
    def farthest(self) -> float:
        low, high = (decimal(share) for share in self.baseline_range)
        start = decimal(self.baseline)
        return float(high - start + decimal(self.margin) if self.upwards else start - low)

    @property
    def upwards(self) -> bool:
        """Whether the first group has a larger proportion than under the null hypothesis."""
        return self.change > 0 or self.margin > 0

    def moved(self, distance: float) -> Self:
        step = decimal(float(distance)) * (1 if self.upwards else -1)
        return replace(self, change=float(step - decimal(self.margin)))

    @property
    def found(self) -> str:
        within = f", with a margin of {plain(self.margin)}," if self.margin else ""
        return f"proportions of {self.at} in two groups{within}"

    @property
    def at(self) -> str:
        first = float(decimal(self.baseline) + decimal(self.change))
        return f"{plain(first)} and {plain(self.baseline)}"

    @property
    def rejected(self) -> str:
        if self.margin:
            return f"a first proportion that is smaller by {plain(self.margin)} or more"
        return "equal proportions"

    @property
    def published(self) -> str:
        return "the noisy difference of the counts of the first group and the second"
