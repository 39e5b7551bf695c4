"""What a planned test decides, from the published count.

The count W is a whole number, so a number u is drawn from (−½, ½) beside it: W + u is the count
with Awan18's Tulap noise. The p-value is the probability of as much or more of it under the null
hypothesis, Pr[W' > W] + (½ − u)·Pr[W' = W], and is uniform there. It is at most the significance
where the planned test rejects (see `planner.mechanisms.threshold`). The shares that are not
rejected so as null values are an interval; the true share is in it except with the significance.
"""

import secrets
from dataclasses import dataclass
from typing import Literal

from planner.libraries import np, scipy
from planner.mechanisms.hypotheses import Shares
from planner.mechanisms.threshold import KEPT, noisy_count_over
from planner.model import Power
from planner.model.power import AnyPower
from planner.publication.items import Item
from planner.wording import at_most, plain

Side = Literal["over", "under", "either"]
_HALF = 0.5
_DIGITS = 6
"""After the point, of the ends of the interval."""


@dataclass(frozen=True)
class Decision:
    """The result of a test of a share.

    Attributes:
        null: the null value; of two groups the difference 0.
        side: whether the test is to find a share "over" the null value, "under" it, or "either".
        significance: the largest probability to reject the null value.
        drawn: u, the number drawn beside the count.
        p_value: as above; of either side twice the smaller of both [[0, 1]].
        rejected: whether the null value is.
        interval: [low, high], the shares that are not rejected; None of two groups.
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
        """It as a clause."""
        says = "rejects" if self.rejected else "does not reject"
        what = plain(self.null) if self.interval is not None else "that the shares are equal"
        chances = f"p-value {at_most(self.p_value, 4)}, significance {plain(self.significance)}"
        if self.interval is None:
            return f"{says} {what} ({chances})"
        low, high = self.interval
        between = f"shares from {plain(low)} to {plain(high)} are not rejected"
        return f"{says} {what} ({chances}); {between}"


def draw() -> float:
    """A number from (−½, ½)."""
    return secrets.SystemRandom().uniform(-0.5, 0.5)


def decide(power: AnyPower, item: Item, value: float, drawn: float) -> Decision:
    """The decision of a test.

    Args:
        power: the test, without a margin.
        item: as it was published, with the scale of its noise.
        value: what was published: a share, or the difference of two.
        drawn: u [(−½, ½)].
    """
    n, rate = np.asarray(float(item.participants)), np.asarray(1 / (item.scale or 1.0))
    count = np.round((value - item.low) / (item.high - item.low) * n)

    def at_least(shares: Shares) -> float:
        """The p-value of more people counted than under shares; 1 less that of fewer."""
        edges = np.stack([count, count + 1])
        at, more = noisy_count_over(shares, edges, rate, n)
        return float(more + (at - more) * (0.5 - drawn))

    def over(null: float) -> float:
        return at_least(Shares(null, null))  # type: ignore[arg-type]

    def end(significance: float, upper: bool) -> float:
        """The end of the interval on one side."""

        def excess(null: float) -> float:
            return (1 - over(null) if upper else over(null)) - significance

        last, first = (1.0, 0.0) if upper else (0.0, 1.0)
        if excess(last) >= 0:
            return last
        if excess(first) < 0:  # noise has moved the count beyond all people
            return first
        found = float(scipy.optimize.brentq(excess, 0.0, 1.0, xtol=1e-12))
        return round(1 - _down(1 - found), _DIGITS) if upper else _down(found)

    side: Side = "either" if power.sides == 2 else "over" if power.upwards else "under"
    if isinstance(power, Power):
        null, above = power.null, over(power.null)
    else:
        null, shares = 0.0, power.tested.null
        above = at_least(shares if power.upwards else shares.others)
    chance = {"over": above, "under": 1 - above, "either": 2 * min(above, 1 - above)}[side]
    p_value = min(chance / (1 - KEPT), 1.0)
    if not isinstance(power, Power) and p_value > _HALF:  # more may be, at other common shares
        p_value = 1.0
    rejected, alone = p_value <= power.significance, power.significance / power.sides
    interval = None
    if isinstance(power, Power):
        low = end(alone, False) if side != "under" else 0.0
        high = end(alone, True) if side != "over" else 1.0
        interval = [low, high]
    return Decision(null, side, power.significance, drawn, p_value, rejected, interval)


def _down(x: float) -> float:
    """A share of a few digits that is not above x."""
    return max(float(np.floor(x * 10**_DIGITS - 1e-3) / 10**_DIGITS), 0.0)
