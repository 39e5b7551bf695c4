"""The least cost of a mean over its error, by each bound, and over what zero-one values need."""

from typing import NamedTuple

from matplotlib.axes import Axes

from planner.figures import fit
from planner.figures.curves import CEILINGS, FLOORS, PLAN, tick
from planner.numbers import Array


class Bound(NamedTuple):
    """One bound's costs.

    Attributes:
        words: at its curve.
        costs: one for each error [money].
        place: where along its curve its words stand [from 0 to 1].
        under: whether they stand under it.
    """

    words: str
    costs: Array
    place: float
    under: bool = False


_STYLES = ((":", CEILINGS, 1.6), ("--", CEILINGS, 1.6), ("-", FLOORS, 3.4), ("-", PLAN, 0.9))
"""Of Hsu14's bound, Hoeffding's, the one for any values, and zero-one values."""


_BELOW = 0.15
"""From the least cost on so far down: words of three lines stand under its curve."""


def draw(axes: Axes, errors: Array, bounds: list[Bound], plan: tuple[float, float, str]) -> None:
    """Draw the costs by each bound on `axes`, from the loosest to what no bound can be under.

    Args:
        axes: where to draw.
        errors: T [fraction of 1, (0, 1]].
        bounds: at most four, the last of zero-one values.
        plan: the error and the cost of a study that is marked, and its words.
    """
    _curves(axes, errors, bounds)
    error, cost, words = plan
    axes.plot(error, cost, "o", c=PLAN, ms=6, zorder=4)
    line = {"arrowstyle": "-", "color": PLAN, "lw": 0.6, "shrinkA": 0, "shrinkB": 3}
    for text, arrow in ((words, None), ("", line)):  # a line would belong to its words' box
        axes.annotate(
            text, (error, cost), (0, -58), textcoords="offset points", ha="center", va="top",
            fontsize=8, arrowprops=arrow,
        )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlim=(errors[0], errors[-1]))
    axes.set_ylim(bottom=_BELOW * bounds[-1].costs.min())
    tick(axes.xaxis, errors[-1] / errors[0])
    tick(axes.yaxis, 1e6)
    fit.name(axes, "error T, as a fraction of the range of values", "least cost of the study, USD")


def draw_over_least(axes: Axes, errors: Array, bounds: list[Bound]) -> None:
    """Draw by how much the costs by each bound exceed what zero-one values need, on `axes`."""
    *others, least = bounds
    over = [
        one._replace(costs=100 * (one.costs / least.costs - 1), place=0.4, under=False)
        for one in others
    ]
    _curves(axes, errors, over)
    axes.set(xscale="log", yscale="log", xlim=(errors[0], errors[-1]))
    tick(axes.xaxis, errors[-1] / errors[0])
    tick(axes.yaxis, 1e6)
    fit.name(
        axes, "error T, as a fraction of the range of values",
        "cost over that of zero-one values, %",
    )  # fmt: skip


def _curves(axes: Axes, errors: Array, bounds: list[Bound]) -> None:
    """The curves, each with its words beside it."""
    for bound, (line, colour, wide) in zip(bounds, _STYLES, strict=False):
        axes.plot(errors, bound.costs, line, c=colour, lw=wide)
        at = round(bound.place * (len(errors) - 1))
        side = -1 if bound.under else 1
        axes.annotate(
            bound.words, (errors[at], bound.costs[at]), (4 * side, 4 * side),
            textcoords="offset points", color=colour, fontsize=8,
            ha="right" if bound.under else "left", va="top" if bound.under else "bottom",
        )  # fmt: skip
