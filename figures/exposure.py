"""The cost of a study with and without privacy over the exposure φ, and the break-even."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.answer.answers import Plan
from planner.comparison.compare import Comparison
from planner.comparison.sizes import Bracket
from planner.figures.curves import CEILINGS, FLOORS, PLAN, POINTS, number, text
from planner.wording import at_least, at_most, money

_LEAST_EXPOSURE = 1e-7
_WHITE = {"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1}


def draw(axes: Axes, comparison: Comparison) -> None:
    """Draw both costs over φ, the break-even, and the exposure of the comparison, on `axes`.

    The cost without privacy is a band, since the size it needs is known between two bounds.
    """
    study, sizes = comparison.study, comparison.participants
    exposure = np.geomspace(_LEAST_EXPOSURE, 1, POINTS)
    axes.set(xscale="log", yscale="log", xlim=(exposure[0], 1))
    axes.set(xlabel="exposure φ: share of the people who\nare exposed without privacy")
    axes.set(ylabel=text(f"cost, {study.currency}".removesuffix(", ")))
    axes.set_title(text(study.title or "Study"), loc="left")
    if sizes:
        owed = study.individual.compensation_exposed(exposure)
        low, high = (study.costs.total(n, owed) for n in sizes)
        axes.fill_between(exposure, low, high, color=CEILINGS, alpha=0.25, lw=0)
        for curve in (low, high):
            axes.plot(exposure, curve, "--", c=CEILINGS, lw=1)
        at = int(0.92 * POINTS)
        axes.annotate(
            "without privacy", (exposure[at], high[at]), (-4, 0), textcoords="offset points",
            ha="right", color=CEILINGS,
        )  # fmt: skip
    if isinstance(comparison.private, Plan):
        _draw_private(axes, comparison.private, comparison.break_even_exposure)
    axes.axvline(comparison.exposure, color="0.35", ls=":")
    axes.annotate(
        f"φ = {100 * comparison.exposure:g} %", (comparison.exposure, 0.03), (3, 0),
        xycoords=("data", "axes fraction"), textcoords="offset points", color="0.25",
    )  # fmt: skip
    for axis, words in ((axes.xaxis, lambda x: f"{number(100 * x)} %"), (axes.yaxis, number)):
        axis.set_major_locator(LogLocator(base=100))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda x, _, words=words: words(x)))


def _draw_private(axes: Axes, private: Plan, even: Bracket | None) -> None:
    """Draw the private cost, and on it the range of φ in which either study may be cheaper."""
    axes.axhline(private.cost, c=FLOORS)
    shown = even is not None and _LEAST_EXPOSURE <= even.least < 1
    at_right = even is not None and even.most < _LEAST_EXPOSURE**0.5
    axes.annotate(
        text(f"private: {money(private.cost, private.study.currency)}"),
        (0.98 if at_right else 0.02, private.cost), (0, 4), ha="right" if at_right else "left",
        xycoords=("axes fraction", "data"), textcoords="offset points", color=FLOORS,
    )  # fmt: skip
    if even is None or not shown:
        return
    least, most = even.least, min(even.most, 1.0)
    axes.plot([least, most], [private.cost] * 2, "-", c=PLAN, lw=4, solid_capstyle="butt")
    share = f"{at_least(100 * least, 2)} to {at_most(100 * most, 2)} %"
    axes.annotate(
        f"break-even\n{share}", (most, private.cost), (4, -6), textcoords="offset points",
        ha="right" if most > 0.01 else "left", va="top", bbox=_WHITE,
    )  # fmt: skip
