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
from planner.publication.items import Item
from planner.wording import at_most, plain

Side = Literal["over", "under", "either"]
_DIGITS = 6
"""After the point, of the ends of the interval."""


@dataclass(frozen=True)
class Decision:
    """The result of a test of a share.

    Attributes:
        null: the null value.
        side: whether the test is to find a share "over" the null value, "under" it, or "either".
        significance: the largest probability to reject the null value.
        drawn: u, the number drawn beside the count.
        p_value: as above; of either side twice the smaller of both [[0, 1]].
        rejected: whether the null value is.
        interval: [low, high], the shares that are not rejected.
    """

    null: float
    side: Side
    significance: float
    drawn: float
    p_value: float
    rejected: bool
    interval: list[float]

    @property
    def words(self) -> str:
        """It as a clause."""
        says = "rejects" if self.rejected else "does not reject"
        low, high = self.interval
        return (
            f"{says} {plain(self.null)} (p-value {at_most(self.p_value, 4)}, significance "
            f"{plain(self.significance)}); shares from {plain(low)} to {plain(high)} are not "
            "rejected"
        )


def draw() -> float:
    """A number from (−½, ½)."""
    return secrets.SystemRandom().uniform(-0.5, 0.5)


def decide(power: Power, item: Item, share: float, drawn: float) -> Decision:
    """The decision of a test.

    Args:
        power: the test.
        item: as it was published, with the scale of its noise.
        share: what was published: the noisy count as a share of the people.
        drawn: u [(−½, ½)].
    """
    n, rate = np.float64(item.participants), np.float64(1 / (item.scale or 1.0))
    count = np.round(share * n)

    def over(null: float) -> float:
        """The p-value of shares over a null value; 1 less that of shares under it."""
        edges = np.stack([count, count + 1])
        at, more = noisy_count_over(Shares(null, null), edges, rate, n)  # type: ignore[arg-type]
        return float(more + (at - more) * (0.5 - drawn))

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
    above = over(power.null)
    chance = {"over": above, "under": 1 - above, "either": 2 * min(above, 1 - above)}[side]
    p_value = min(chance / (1 - KEPT), 1.0)
    alone = power.significance / power.sides
    low = end(alone, False) if side != "under" else 0.0
    high = end(alone, True) if side != "over" else 1.0
    rejected = p_value <= power.significance
    return Decision(power.null, side, power.significance, drawn, p_value, rejected, [low, high])


def _down(x: float) -> float:
    """A share of a few digits that is not above x."""
    return max(float(np.floor(x * 10**_DIGITS - 1e-3) / 10**_DIGITS), 0.0)
