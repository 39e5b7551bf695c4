"""What a planned test decides, from the published counts.

The p-value is the largest probability of as much or more under the null hypothesis: of one noisy
count at the null value, of two at all proportions that the plan was computed at. The proportions
that are not rejected so as null values are an interval; of two groups these are the differences.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

from planner.libraries import np, scipy
from planner.mechanisms.noisy_counts import PowerOfGroups, PowerOfOne
from planner.mechanisms.z_test import ZTest, count_at_least
from planner.numbers import decimal
from planner.wording import at_most, plain, points

Side = Literal["over", "under", "either", "within"]
_DIGITS = 6
"""After the point, of the ends of the interval."""
_CLOSE = 1e-5
"""To which the ends of an interval of differences are found."""


@dataclass(frozen=True)
class Decision:
    """The result of a test.

    Attributes:
        null: the null value; of two groups the difference, second less first: 0, or the margin
            under it; for equivalence the margin.
        side: whether the test is to find a value "over" the null value, "under" it, "either", or
            "within" the margin.
        significance: the largest probability to reject the null value.
        z: of two groups the statistic, of the sign of the difference, second less first; for
            equivalence the smaller of both. None of one proportion.
        p_value: as above; of either side twice the smaller of both, and for equivalence the larger
            [[0, 1]].
        rejected: whether the null value is.
        interval: [low, high], the proportions that are not rejected, or the differences.
    """

    null: float
    side: Side
    significance: float
    z: float | None
    p_value: float
    rejected: bool
    interval: list[float]

    @property
    def words(self) -> str:
        says = "rejects" if self.rejected else "does not reject"
        z = "" if self.z is None else f"z {self.z:.4g}, "
        most = "" if self.z is None else ", the largest over all such proportions"
        chances = (
            f"{z}p-value {at_most(self.p_value, 4)}{most}; significance {plain(self.significance)}"
        )
        low, high = (plain(end) for end in self.interval)
        of_groups = self.z is not None
        what = plain(self.null)
        if of_groups:
            apart = f"{points(abs(self.null))} percentage points or more"
            what = "that the proportions are equal"
            if self.side == "within":
                what = f"that the proportions differ by {apart}"
            elif self.null < 0:
                what = f"that the second proportion is smaller by {apart}"
        which = "differences" if of_groups else "proportions"
        how = "" if self.side == "either" else " on one side"
        if self.side == "within":
            how = f", each side at {plain(self.significance)}"
        return f"{says} {what} ({chances}); {which} from {low} to {high} are not rejected{how}"


def decide_one(floor: PowerOfOne, epsilon: float, participants: int, count: int) -> Decision:
    """The decision about one proportion.

    Args:
        floor: the test.
        epsilon: ε of the noise.
        participants: N, whose count it is.
        count: the noisy count.
    """
    people = floor.population

    def at_least(least: int, null: float) -> float:
        share = null if people is None else math.floor(decimal(null) * people) / people
        return count_at_least(participants, share, epsilon, least, people)

    def over(null: float) -> float:
        return at_least(count, null)

    def under(null: float) -> float:
        return at_least(participants - count, 1 - null)

    def end(chance, far: float) -> float:  # type: ignore[no-untyped-def]
        """The proportion between one that is seldom so and the far end, where it is not."""
        if chance(1 - far) >= alone:
            return 1 - far
        if chance(far) <= alone:  # noise has moved the count beyond all people
            return far
        return float(scipy.optimize.brentq(lambda x: chance(x) - alone, 0.0, 1.0, xtol=1e-12))

    alone = floor.significance / floor.sides
    side: Side = "over" if floor.alternative > floor.null else "under"
    side = "either" if floor.sides == 2 else side
    least, most = over(floor.null), under(floor.null)
    p_value = {"over": least, "under": most, "either": min(1.0, 2 * min(least, most))}[side]
    low = _down(end(over, 1.0)) if side != "under" else 0.0
    high = 1 - _down(1 - end(under, 0.0)) if side != "over" else 1.0
    rejected = p_value <= floor.significance
    interval = [low, round(high, _DIGITS)]
    return Decision(floor.null, side, floor.significance, None, p_value, rejected, interval)


def decide_groups(
    floor: PowerOfGroups, epsilon: float, sizes: tuple[int, int], counts: tuple[int, int]
) -> Decision:
    """The decision about two groups.

    Args:
        floor: the test.
        epsilon: ε of the noise.
        sizes: the people of the first group and of the second.
        counts: the noisy counts of both.
    """
    test = floor.test_of(epsilon, *sizes)
    up, down = _signs(test, counts if not floor.upwards else counts[::-1])
    z, p_value, side = up, test.p_value(up), "over" if floor.upwards else "under"
    if floor.equivalence:
        z, side = min(up, down), "within"
        p_value = test.p_value(z)
    elif floor.sides == 2:
        z, side = (up if up >= down else -down), "either"
        p_value = min(1.0, 2 * test.p_value(max(up, down)))
    null = floor.margin if floor.equivalence else 0.0 - floor.margin
    interval = differences(floor, epsilon, sizes, counts)
    rejected = p_value <= floor.significance
    z = z if floor.upwards or floor.equivalence else 0.0 - z
    return Decision(null, side, floor.significance, z, p_value, rejected, interval)  # type: ignore[arg-type]


def _signs(test: ZTest, counts: tuple[int, ...]) -> tuple[float, float]:
    """The z of the group that is to be over, and of people without the property."""
    over, under = (np.asarray(float(count)) for count in counts)
    mirrored = test.first - over, test.second - under
    return float(test.statistic(over, under)), float(test.statistic(*mirrored))


def differences(
    floor: PowerOfGroups, epsilon: float, sizes: tuple[int, int], counts: tuple[int, int]
) -> list[float]:
    """The least and the largest difference, second less first, that a test does not reject.

    Args: as of `decide_groups`.
    """
    plain_test = ZTest(
        sizes[1], sizes[0], epsilon, floor.significance, floor.sides, population=floor.population
    )
    low, high = floor.shares

    def end(test: ZTest, counts: tuple[int, ...]) -> float:
        """The least difference that is not rejected as too small."""
        least, most = low - high, high - low
        over, under = (np.asarray(float(count)) for count in counts)
        for _ in range(60):
            middle = (least + most) / 2
            one = replace(test, margin=-middle)
            rejected = one.p_value(float(one.statistic(over, under))) <= one.alone
            least, most = (middle, most) if rejected else (least, middle)
            if most - least < _CLOSE:
                break
        return least if least > low - high else -1.0

    given = replace(plain_test, shares=floor.shares)
    mirrored = replace(given, shares=(1 - high, 1 - low))
    upper, lower = 1.0, -1.0
    if floor.sides == 2 or floor.equivalence or floor.upwards:
        lower = end(given, counts[::-1])
    if floor.sides == 2 or floor.equivalence or not floor.upwards:
        upper = -end(mirrored, (sizes[1] - counts[1], sizes[0] - counts[0]))
    ends = _down(1 + lower) - 1, 1 - _down(1 - upper)
    return [round(end, _DIGITS) for end in ends]


def _down(x: float) -> float:
    return max(float(np.floor(x * 10**_DIGITS - 1e-3) / 10**_DIGITS), 0.0)


def count_of(answer: float, participants: int) -> int:
    """The noisy count behind a published proportion."""
    return round(decimal(answer) * participants)
