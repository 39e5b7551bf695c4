"""What the analyst requires of a comparison of two groups: an accuracy, or a power."""

from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from planner.checked import dataclass
from planner.checks import Change, Error, Failure, Margin, Mean as Proportion, Positive, Probability
from planner.mechanisms import Mechanism, NoisyCounts, kinds
from planner.mechanisms.difference_floor import DifferenceFloor, difference_floor
from planner.mechanisms.noisy_counts import ErrorOfDifference, PowerOfGroups, of_all_shares
from planner.mechanisms.sample import Sample
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
    def of_values(
        error: float,
        low: float,
        high: float,
        failure: float,
        deviation_at_most: float | None = None,
    ) -> "DifferenceWithin":
        """The difference of two means of numbers from `low` to `high`, `error` in their unit.

        Args:
            error: T, in their unit.
            low: the smallest value of a record.
            high: the largest.
            failure: α [(0, 1)].
            deviation_at_most: the most that the values of either group deviate by.

        Raises:
            ValueError: an argument is outside its range, or the error over high − low.
        """
        return DifferenceWithin.of_values(error, low, high, failure, deviation_at_most)


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
        deviation_at_most: the most that the values of either group deviate by; see `Accuracy`.
        ratio: how many people of the second group there are for each of the first [> 0].
    """

    kind: ClassVar[str] = "difference"
    """What it is about, in a word."""

    error: Error
    failure: Failure
    ratio: Positive = 1.0

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
    proportion; see `mechanisms.z_test`.

    Attributes:
        baseline: the proportion of the first group at the alternative [[0, 1]].
        change: how much larger the proportion of the second group is there, or smaller if it is
            negative [not 0; the proportion is in [0, 1]].
        power: the least probability that the test rejects at the alternative, in its direction
            [over 1/2, below 1].
        significance: the largest probability that the test rejects where both groups have the same
            proportion, whichever of those it is computed at [(0, 1/2)].
        sides: 1, towards the alternative; or 2, for a test that rejects on either side.
        baseline_range: the lowest and the highest proportion that the groups may have; both of the
            alternative lie in it. None for all from 1/2 % to 99 1/2 %, and beyond those of the
            alternative.
        margin: m, to find that the proportion of the second group is not smaller by as much or
            more: this is then the null hypothesis [at least 0; over −change, which may be 0 here].
        equivalence: to find that the proportions differ by less than the margin, either way.
        ratio: how many people of the second group there are for each of the first [> 0].
    """

    baseline: Proportion
    change: Change
    power: Probability = 0.8
    significance: Probability = 0.05
    sides: Literal[1, 2] = 1
    baseline_range: tuple[Proportion, Proportion] | None = None
    margin: Margin = 0.0
    equivalence: bool = False
    ratio: Positive = 1.0

    @model_validator(mode="after")
    def _a_test(self) -> Self:
        """Refuse what no test has to find, or finds by chance."""
        self._refuse_margin()
        if self.change == 0 and not self.margin:
            raise ValueError("change = 0 is no difference; give the one that the test is to find")
        other = decimal(self.baseline) + decimal(self.change)
        if not 0 <= other <= 1:
            raise ValueError(
                f"change = {self.change!r} leads from {self.baseline!r} to {plain(float(other))}, "
                "which is not a proportion; give a change that ends in 0 to 1"
            )
        low, high = self.shares
        outside = [x for x in (self.baseline, float(other)) if not low <= x <= high]
        if self.margin >= decimal(high) - decimal(low):
            raise ValueError(
                f"margin = {self.margin!r} is not narrower than the range of the proportions; give "
                f"less than {plain(float(decimal(high) - decimal(low)))}"
            )
        if outside:
            raise ValueError(
                f"baseline_range = [{plain(low)}, {plain(high)}] does not contain the proportion "
                f"{plain(outside[0])}; give a range with the proportions of both groups"
            )
        self.refuse_chance()
        return self

    def _refuse_margin(self) -> None:
        if self.equivalence and not self.margin:
            raise ValueError(
                "equivalence = true needs a margin; give the difference that is too large, such as "
                "margin = 0.1"
            )
        if self.margin and self.sides == 2:
            raise ValueError(
                f"margin = {self.margin!r} is tested on one side, and for equivalence on each at "
                "the whole significance; give sides = 1"
            )
        if self.equivalence and abs(self.change) >= self.margin:
            raise ValueError(
                f"change = {self.change!r} is not less than margin = {self.margin!r}, so the "
                "groups are not equivalent; give a change nearer to 0, or a larger margin"
            )
        if self.margin and self.change <= -self.margin:
            raise ValueError(
                f"change = {self.change!r} is as bad as margin = {self.margin!r} or worse; give a "
                f"change over {-self.margin!r}"
            )

    @property
    def shares(self) -> tuple[float, float]:
        """The lowest and the highest proportion that is looked at."""
        both = self.baseline, float(decimal(self.baseline) + decimal(self.change))
        return self.baseline_range or of_all_shares(*both)

    @property
    def floor(self) -> PowerOfGroups:
        return PowerOfGroups(
            self.baseline, self.change, self.power, self.significance, self.sides, self.margin,
            self.equivalence, self.shares, self.ratio,
        )  # fmt: skip

    @property
    def distance(self) -> float:
        """How far the difference of the proportions is from the null hypothesis [(0, 1]]."""
        return self.floor.distance

    @property
    def farthest(self) -> float:
        if self.equivalence:
            return self.margin
        low, high = (decimal(share) for share in self.baseline_range or (0.0, 1.0))
        start = decimal(self.baseline)
        return float(high - start + decimal(self.margin) if self.upwards else start - low)

    @property
    def upwards(self) -> bool:
        """Whether the second group has a larger proportion than under the null hypothesis."""
        return self.floor.upwards

    def moved(self, distance: float) -> Self:
        step, margin = decimal(float(distance)), decimal(self.margin)
        if self.equivalence:
            return replace(self, change=float(margin - step) * (-1 if self.change < 0 else 1))
        return replace(self, change=float((step if self.upwards else -step) - margin))

    @property
    def found(self) -> str:
        if self.equivalence:
            return (
                f"proportions of {self.at} in two groups that differ by less than "
                f"{plain(self.margin)}"
            )
        within = f", with a margin of {plain(self.margin)}," if self.margin else ""
        return f"proportions of {self.at} in two groups{within}"

    @property
    def at(self) -> str:
        second = float(decimal(self.baseline) + decimal(self.change))
        return f"{plain(self.baseline)} and {plain(second)}"

    @property
    def rejected(self) -> str:
        if self.equivalence:
            return f"proportions that differ by {plain(self.margin)} or more"
        if self.margin:
            return f"a second proportion that is smaller by {plain(self.margin)} or more"
        return "equal proportions"


def for_groups(mechanism: Mechanism, target: DifferenceWithin) -> Mechanism:
    """The mechanism for the groups: proportions of unequal ones are told by a count of each."""
    of_counts = target.ratio != 1 and target.values is None and kinds.is_exact(mechanism)
    return NoisyCounts() if of_counts and kinds.adds(mechanism) else mechanism


def floor_of_difference(
    mechanism: Mechanism, target: DifferenceWithin, sample: Sample
) -> DifferenceFloor | ErrorOfDifference:
    """What the accuracy of a difference asks of a mechanism.

    Raises:
        ValueError: the mechanism is not for it, or people are not independent.
    """
    if isinstance(mechanism, NoisyCounts):
        if target.values is not None:
            raise ValueError(
                "noisy-counts is for proportions; for the difference of two means give kind = "
                '"laplace-mean"'
            )
        return ErrorOfDifference(target.error, target.failure, target.ratio, sample.population)
    if target.ratio != 1:
        instead = 'give kind = "noisy-counts"' if target.values is None else "leave ratio out"
        raise ValueError(
            f"ratio = {target.ratio!r} is not for {mechanism.kind}, which compares groups of one "
            f"size; {instead}"
        )
    return difference_floor(mechanism, target.counted.error, target.failure, sample)
