"""What a planned test decides, from the published count.

The count W is a whole number, so a number u is drawn from (−½, ½) beside it: W + u is the count
with Awan18's Tulap noise. The p-value is the probability of as much or more of it under the null
hypothesis, Pr[W' > W] + (½ − u)·Pr[W' = W], and is uniform there. It is at most the significance
where the planned test rejects (see `planner.mechanisms.threshold`). The proportions that are not
rejected so as null values are an interval; the true proportion is in it except with the
significance. Without a curator W is the number of people who report the property.

With a margin m the null hypothesis is that the first proportion is smaller by m or more. Its
p-value is that at the pair of proportions where the null hypothesis is rejected most, if it is
certain which that is (see `planner.mechanisms.power_proof`), else 1. Where any pair is possible,
it is one of equal people with the same mean, so that the differences that are not rejected are
those of an interval of means.
"""

import secrets
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from planner.libraries import np, scipy
from planner.mechanisms.hypotheses import Shares
from planner.mechanisms.power_proof import seldom_over
from planner.mechanisms.threshold import KEPT, SURE, noisy_count_over
from planner.model import Power
from planner.model.power import AnyPower
from planner.numbers import decimal
from planner.publication.items import Item
from planner.wording import at_most, plain, points

Side = Literal["over", "under", "either"]
_HALF = 0.5
_LEFT_OUT = 1e-16
"""More than the chances together that a sum in floats over two different groups leaves out."""
_DIGITS = 6
"""After the point, of the ends of the interval."""


@dataclass(frozen=True)
class Decision:
    """The result of a test of a proportion.

    Attributes:
        null: the null value; of two groups the difference: 0, or under it by the margin.
        side: whether the test is to find a proportion "over" the null value, "under" it, or
            "either".
        significance: the largest probability to reject the null value.
        drawn: u, the number drawn beside the count.
        p_value: as above; of either side twice the smaller of both [[0, 1]].
        rejected: whether the null value is.
        interval: [low, high], the proportions that are not rejected, or with a margin the
            differences; None of two groups without one, and where the differences are not an
            interval of means.
    """

    null: float
    side: Side
    significance: float
    drawn: float
    p_value: float
    rejected: bool
    interval: list[float] | None

    @property
    def words(self) -> str:
        says = "rejects" if self.rejected else "does not reject"
        chances = f"p-value {at_most(self.p_value, 4)}, significance {plain(self.significance)}"
        of_margin = self.null < 0
        if of_margin:
            what = f"that the first proportion is smaller by {points(-self.null)} percentage points"
            what += " or more"
        else:
            equal = "that the proportions are equal"
            what = plain(self.null) if self.interval is not None else equal
        if self.interval is None:
            none = "; no interval of differences agrees with this test" if of_margin else ""
            return f"{says} {what} ({chances}){none}"
        low, high = self.interval
        which = "differences" if of_margin else "proportions"
        between = f"{which} from {plain(low)} to {plain(high)}"
        return f"{says} {what} ({chances}); {between} are not rejected"


def draw() -> float:
    """A number from (−½, ½)."""
    return secrets.SystemRandom().uniform(-0.5, 0.5)


def decide(power: AnyPower, item: Item, value: float, drawn: float) -> Decision:
    """The decision of a test.

    Args:
        power: the test.
        item: as it was published, with the scale of its noise.
        value: what was published: a proportion, or the difference of two.
        drawn: u [(−½, ½)].
    """
    n, rate = np.asarray(float(item.participants)), np.asarray(1 / (item.scale or 1 / SURE))
    counted = Fraction((value - item.low) / (item.high - item.low))
    count = np.round(float(counted) * n)

    def at_least(shares: Shares) -> float:
        """The p-value of more people counted than under proportions; 1 less that of fewer."""
        edges = np.stack([count, count + 1])
        at, more = noisy_count_over(shares, edges, rate, n)
        return float(more + (at - more) * (0.5 - drawn))

    def over(null: float) -> float:
        return at_least(Shares(null, null))  # type: ignore[arg-type]

    def end(significance: float, upper: bool) -> float:

        def excess(null: float) -> float:
            return (1 - over(null) if upper else over(null)) - significance

        last, first = (1.0, 0.0) if upper else (0.0, 1.0)
        if excess(last) >= 0:
            return last
        if excess(first) < 0:  # noise has moved the count beyond all people
            return first
        found = float(scipy.optimize.brentq(excess, 0.0, 1.0, xtol=1e-12))
        return round(1 - _down(1 - found), _DIGITS) if upper else _down(found)

    def certain(mean: Fraction) -> bool:
        return seldom_over(mean, item.participants - 2, int(count) - 1)

    side: Side = "either" if power.sides == 2 else "over" if power.upwards else "under"
    tested, interval = power.tested, None
    if isinstance(power, Power):
        null, above = power.null, over(power.null)
    else:
        null, shares = float(2 * tested.null.mean - 1), tested.null
        above = at_least(shares if power.upwards else shares.others)
    left_out = 0.0 if tested.null == tested.null.alike else _LEFT_OUT
    chance = {"over": above, "under": 1 - above, "either": 2 * min(above, 1 - above)}[side]
    p_value = min(chance / (1 - KEPT) + left_out, 1.0)
    if tested.groups == 2 and p_value > _HALF:  # more may be, at other common shares
        p_value = 1.0
    if tested.margin and not certain(tested.null.mean):
        p_value = 1.0
    alone = power.significance / power.sides
    if isinstance(power, Power):
        low = end(alone, False) if side != "under" else 0.0
        high = end(alone, True) if side != "over" else 1.0
        interval = [low, high]
    elif tested.margin and tested.null == tested.null.alike:
        mean = decimal(end(alone, False))
        interval = [float(2 * mean - 1), 1.0] if not mean or certain(mean) else None
    rejected = p_value <= power.significance
    return Decision(null, side, power.significance, drawn, p_value, rejected, interval)


def _down(x: float) -> float:
    return max(float(np.floor(x * 10**_DIGITS - 1e-3) / 10**_DIGITS), 0.0)
