"""The cost of k questions asked in several ways, and how many a budget pays for."""

import math
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from planner.figures.curves import CEILINGS, FLOORS, PLAN, tick
from planner.figures.fit import name, text, title
from planner.libraries import np
from planner.wording import plain

_STYLES: tuple[tuple[Any, str], ...] = (("-", FLOORS), ((0, (1, 1)), "0.25"), ("--", CEILINGS))
_ROOM = 30.0
"""How many times the largest number of questions the picture is wide: for names at the ends."""


class Cost(NamedTuple):
    """A way to ask: in words, its cost at each number of questions, and how many are paid for."""

    words: str
    costs: np.ndarray[Any, Any]
    most: int


def draw(
    axes: Axes,
    queries: np.ndarray[Any, Any],
    ways: list[Cost],
    budget: float,
    currency: str,
    participants: int,
    words: str,
) -> None:
    """Draw the cost of each way over the number of questions, and where the budget ends.

    Args:
        axes: where to draw.
        queries: k, shape of the curves.
        ways: at most three, from the dearest at the end of the curves.
        budget: of the numbers of questions that are marked [money].
        currency: of the costs.
        participants: N.
        words: the title.
    """
    axes.set(xscale="log", yscale="log", xlim=(queries[0], queries[-1] * _ROOM))
    name(axes, "questions", f"cost with {participants:,} people, {currency}")
    for way, (style, colour) in zip(ways, _STYLES, strict=False):
        axes.plot(queries, way.costs, ls=style, c=colour)
        axes.annotate(
            text(way.words), (queries[-1], way.costs[-1]), (5, 0), textcoords="offset points",
            va="center", color=colour,
        )  # fmt: skip
    axes.plot(queries[[0, -1]], [budget] * 2, ":", c=PLAN, lw=0.9)
    axes.annotate(
        text(f"budget {plain(budget)} {currency}"), (queries[-1], budget), (5, 0),
        textcoords="offset points", va="center",
    )  # fmt: skip
    paid = sorted(way.most for way in ways if way.most)
    for at, most in enumerate(paid):
        axes.plot(most, budget, "o", c=PLAN, ms=7, mfc="white", mew=2, zorder=5)
        axes.annotate(
            f"{plain(most)} questions", (most, budget), (9, -6) if at else (-9, 6),
            textcoords="offset points", ha="left" if at else "right", va="top" if at else "bottom",
        )  # fmt: skip
    low, high = axes.get_ylim()
    tick(axes.xaxis, queries[-1] / queries[0])
    axes.set_xticks([10**power for power in range(math.floor(math.log10(queries[-1])) + 1)])
    tick(axes.yaxis, high / low)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_bounds(queries[0], queries[-1])
    title(axes, words)
