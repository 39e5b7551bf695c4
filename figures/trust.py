"""What trust in a curator is worth: costs with one and without, over the breach and the error."""

from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.figures.curves import CEILINGS, FLOORS, PLAN, number, text
from planner.wording import at_most, plain

_NEAR_END = 0.05
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
    axes: Axes, costs: Costs, title: str, even: tuple[float, int] | None, currency: str = ""
) -> None:
    """Draw both costs over the probability of a breach, and the breach at which they are equal.

    Args:
        axes: to draw on.
        costs: over the breach.
        title: of the study.
        even: that breach, and how many people the study with a curator then takes.
        currency: of the costs.
    """
    _axes(axes, costs.over, title, "breach: the records become known", currency)
    axes.xaxis.set_major_locator(LogLocator(numticks=4))  # panels are narrow
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{number(100 * x)} %"))
    half, most = (costs.over[part * len(costs.over) // 4] for part in (2, 3))
    met = even[0] if even else 1.0
    _two_curves(axes, costs, 0.85 if met < most else 0.6, "right", bool(met < half))
    if even is None:
        return
    breach, people = even
    at_end = breach > _NEAR_END * costs.over[-1]
    axes.plot([breach], [costs.no_curator[0]], "o", c=PLAN, ms=7, mfc="white", mew=2)
    axes.annotate(
        f"{at_most(100 * breach, 3)} %, with\n{plain(people)} people",
        (breach, costs.no_curator[0]), (-8 if at_end else 7, -6), textcoords="offset points",
        ha="right" if at_end else "left", va="top",
    )  # fmt: skip


def draw_error(axes: Axes, costs: Costs, title: str, currency: str = "") -> None:
    """Draw both costs over the error that is tolerated."""
    _axes(axes, costs.over, title, "error tolerated, as a share of 1", currency)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: number(x)))
    _two_curves(axes, costs, 0.08, "left")


def _axes(axes: Axes, over: Values, title: str, words: str, currency: str) -> None:
    axes.set(xscale="log", yscale="log", xlim=(over[0], over[-1]), xlabel=words)
    axes.set(ylabel=text(f"cost, {currency}".removesuffix(", ")))
    axes.set_title(text(title), loc="left")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: number(y)))


def _two_curves(
    axes: Axes, costs: Costs, where: float, ha: Literal["left", "right"], at_end: bool = False
) -> None:
    """The curves, with their names above them: the first so far along it, the second at an end."""
    axes.plot(costs.over, costs.curator, "-", c=FLOORS)
    axes.plot(costs.over, costs.no_curator, "--", c=CEILINGS)
    at, last = int(where * len(costs.over)), len(costs.over) - 1
    end = last - last // 30 if at_end else last // 12
    axes.annotate(
        "with a curator", (costs.over[at], costs.curator[at]), (-4 if ha == "right" else 0, 5),
        ha=ha, textcoords="offset points", color=FLOORS,
    )  # fmt: skip
    axes.annotate(
        "without a curator", (costs.over[end], costs.no_curator[end]), (0, 5),
        ha="right" if at_end else "left", textcoords="offset points", color=CEILINGS,
    )  # fmt: skip
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * (high / low) ** 0.08)
