"""The proportion of people who accept, over base costs: what a pilot shows, in two ways."""

from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes

from planner.figures.curves import CEILINGS, FLOORS
from planner.figures.fit import name, text, title
from planner.figures.labels import Spot, Words
from planner.libraries import np
from planner.pilot.estimate import Estimate
from planner.wording import plain

_MOST_BARS = 30
"""Intervals that are told apart in the width of a page."""
_POINTS = 400
_WHITE: Any = {"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1}


def draw(axes: Axes, estimate: Estimate) -> None:
    """Draw the observed proportions with their intervals, and the log-normal spread.

    Args:
        axes: where to draw.
        estimate: of `planner.pilot.estimate`.
    """
    observed, fitted = estimate.observed, estimate.log_normal
    costs = observed.costs
    right = 1.05 * float(costs[-1])
    steps = np.concatenate([[0.0], costs, [right]])
    shares = np.concatenate([[0.0], observed.shares, observed.shares[-1:]])
    axes.step(steps, shares, where="post", c=FLOORS, lw=1, alpha=0.5)
    some = np.linspace(0, costs.size - 1, min(costs.size, _MOST_BARS)).round().astype(int)
    costs, shares, low, high = (
        x[some] for x in (costs, observed.shares, observed.low, observed.high)
    )
    axes.vlines(costs, low, high, color=FLOORS, alpha=0.4, lw=3)
    axes.plot(costs, shares, "o", c=FLOORS, ms=5, label="observed, with 95 % intervals")
    smooth = np.linspace(right / _POINTS, right, _POINTS)
    axes.plot(smooth, fitted.share_up_to(smooth), c=CEILINGS, ls="--", lw=1.6, label="log-normal")
    half = (1 - fitted.never) / 2
    axes.plot([fitted.low, min(fitted.high, right)], [half, half], c=CEILINGS, lw=3, alpha=0.5)
    if fitted.median < right:
        axes.plot(fitted.median, half, "o", c=CEILINGS, ms=5)
    axes.set(xlim=(0, right), ylim=(0, 1))
    axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.0f} %")
    axes.xaxis.set_major_formatter(lambda x, _: plain(float(f"{x:g}")))
    unit = f", {text(estimate.currency)}" if estimate.currency else ""
    name(axes, f"base cost{unit}", "people with at most this base cost", short_y="people")
    if fitted.median < right:
        at = float(fitted.median), half
        far = [Spot(at, way, -way, (away, 5)) for away in (7, 30, 50, 70) for way in (1, -1)]
        words = f"median {plain(float(f'{fitted.median:.3g}'))}"
        Words(axes).write(words, far, color=CEILINGS, bbox=_WHITE)
    axes.legend(loc="lower right", frameon=False, fontsize=rcParams["font.size"])
    title(axes, f"What {plain(estimate.pilot.people)} people ask to be paid")
    axes.spines[["top", "right"]].set_visible(False)
