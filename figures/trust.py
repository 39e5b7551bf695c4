"""What trust in a curator is worth: costs with one and without, over the breach and the error."""

from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.figures.curves import CEILINGS, FLOORS, PLAN, Box, number
from planner.figures.fit import name, title as write_title
from planner.figures.labels import Labels, Place
from planner.libraries import np
from planner.wording import at_most

Values = np.ndarray[Any, np.dtype[np.float64]]


class Costs(NamedTuple):
    """Costs of a study over some quantity.

    Attributes:
        over: the values of the quantity.
        curator: the least cost with a curator at each [money].
        no_curator: without one [money].
    """

    over: Values
    curator: Values
    no_curator: Values


def draw_breach(
    axes: Axes, costs: Costs, title: str, even: float | None, currency: str = ""
) -> None:
    """Draw both costs over the probability of a breach, and the breach at which they are equal.

    Args:
        axes: to draw on.
        costs: over the breach.
        title: of the study.
        even: that breach; None where there is none.
        currency: of the costs.
    """
    words = title
    if even is not None:
        shown = f"{at_most(100 * even, 3)} %"
        words += f": cheaper without a curator if the records leak with probability {shown} or more"
    _axes(axes, costs.over, words, "probability that the records leak (breach)", currency)
    axes.xaxis.set_major_locator(LogLocator(base=10))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{number(100 * x)} %"))
    labels = _two_curves(axes, costs, (0.85, 0.6, 0.75, 0.4, 0.3, 0.2))
    if even is None:
        return
    axes.plot(
        [even], [costs.no_curator[0]], "o", c=PLAN, ms=7, mfc="white", mew=2, zorder=5,
        clip_on=False,
    )  # fmt: skip
    places = [
        Place(even, costs.no_curator[0], right=right, above=above, gap=(7 + 12 * far, 6))
        for far in (0, 1, 2) for above in (False, True) for right in (True, False)
    ]  # fmt: skip
    labels.write(f"equal at {shown}", places, "black")


def draw_error(axes: Axes, costs: Costs, title: str, currency: str = "") -> None:
    """Draw both costs over the error that is tolerated."""
    _axes(axes, costs.over, title, "margin of error [percentage points]", currency)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: number(100 * x)))
    _two_curves(axes, costs, (0.08, 0.2, 0.4, 0.6, 0.8))


def _axes(axes: Axes, over: Values, title: str, words: str, currency: str) -> None:
    axes.set(xscale="log", yscale="log", xlim=(over[0], over[-1]))
    name(axes, words, f"cost, {currency}".removesuffix(", "))
    write_title(axes, title)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: number(y)))


def _two_curves(axes: Axes, costs: Costs, along: tuple[float, ...]) -> Labels:
    """The curves, with their names; the likely places along them first."""
    axes.plot(costs.over, costs.curator, "-", c=FLOORS)
    axes.plot(costs.over, costs.no_curator, "--", c=CEILINGS)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * (high / low) ** 0.08)
    box = Box(costs.over[0], costs.over[-1], *axes.get_ylim())
    curves = [_between(box.n, costs.over, curve) for curve in costs[1:]]
    labels = Labels(axes, box, curves)
    for words, curve, shares, colour in (
        ("with a curator", curves[0], along, FLOORS),
        ("without a curator", curves[1], (0.08, *along, 0.95), CEILINGS),
    ):
        places = [
            Place(box.n[at], curve[at], right=right, above=above)
            for above, right in ((True, False), (True, True), (False, True), (False, False))
            for at in (int(share * (box.n.size - 1)) for share in shares)
        ]
        labels.write(words, places, colour)
    return labels


def _between(n: Values, over: Values, cost: Values) -> Values:
    """A curve at other values, straight between its own in the picture."""
    return np.asarray(np.exp(np.interp(np.log(n), np.log(over), np.log(cost))))
