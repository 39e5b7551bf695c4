"""The ranking of uncertain inputs: how much each alone changes the least cost.

A bar extends from the least cost at the input's easy end to that at its hard end; the part above
the budget, and an end without a feasible study, are hatched.
"""

import math

from matplotlib import rcParams
from matplotlib.axes import Axes

from planner.decisions.uncertain.tornado import Bar, End, Tornado
from planner.figures.curves import CEILINGS
from planner.figures.fit import among_others, broken, name, size_of, spread, text, title, width
from planner.quantities import QUANTITIES
from planner.wording import plain

_EASY, _HARD = "0.80", "0.50"
_NAMES = 0.4
"""The names of inputs beside one of several pictures, as a part of its width."""


def draw(axes: Axes, tornado: Tornado) -> None:
    """Draw ranked inputs on `axes`, the largest swing on top.

    Args:
        axes: where to draw.
        tornado: the ranking of `planner.decisions.tornado`.
    """
    costs = [end.least_cost for bar in tornado.bars for end in (bar.easy, bar.hard)]
    shown = [c for c in (*costs, tornado.middle) if math.isfinite(c)]
    shown += [tornado.budget] if tornado.budget is not None else []
    low, high = (min(shown), max(shown)) if shown else (0.0, 1.0)
    room = (high - low) * 0.3 or 0.3 * high or 1.0
    left, right = low - room, high + room
    axes.set(xlim=(left, right), ylim=(len(tornado.bars) - 0.4, -0.6))
    size = rcParams["font.size"]
    for row, bar in enumerate(tornado.bars):
        _draw_bar(axes, row, bar, tornado, right)
    if math.isfinite(tornado.middle):
        axes.axvline(tornado.middle, c="black", lw=1, zorder=3)
        _name_line(
            axes, tornado.middle, f"all inputs at their medians: {_money(tornado.middle)}", 14
        )
    if tornado.budget is not None:
        axes.axvline(tornado.budget, c=CEILINGS, ls="--", lw=1.4, zorder=3)
        _name_line(axes, tornado.budget, f"budget {_money(tornado.budget)}", 2)
    room = math.inf if not among_others(axes) else _NAMES * size_of(axes)[0]
    names = [broken(QUANTITIES[bar.quantity].words, room, size) for bar in tornado.bars]
    axes.set_yticks(range(len(tornado.bars)), names)
    axes.xaxis.set_major_formatter(lambda x, _: plain(float(f"{x:g}")))
    unit = f", {tornado.study.currency}" if tornado.study.currency else ""
    spread(axes.xaxis)
    words = f"least cost{unit}, with one input at either end (hatched: infeasible)"
    name(axes, words, "", short_x=f"least cost{unit}")
    title(axes, f"{tornado.study.title or 'Study'}: which input matters most", pad=30)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _draw_bar(axes: Axes, row: int, bar: Bar, tornado: Tornado, right: float) -> None:
    """Draw one input: an easy and a hard half, from the middle to the ends."""
    for end, grey, other in ((bar.easy, _EASY, bar.hard), (bar.hard, _HARD, bar.easy)):
        start = tornado.middle if math.isfinite(tornado.middle) else right
        stop = end.least_cost if math.isfinite(end.least_cost) else right
        turn = stop if end.verdict == "feasible" else start
        if tornado.budget is not None and turn == start < tornado.budget < stop:
            turn = tornado.budget
        for first, last, colour, hatch in ((start, turn, grey, ""), (turn, stop, "white", "////")):
            if first != last:
                axes.barh(
                    row, last - first, 0.56, first, color=colour, hatch=hatch or None,
                    edgecolor="0.3", lw=0.8, zorder=2,
                )  # fmt: skip
        toward_left = end.least_cost < other.least_cost or (
            end.least_cost == other.least_cost and end is bar.easy
        )
        axes.annotate(
            _words(end), (stop, row), (-5 if toward_left else 5, 0), textcoords="offset points",
            ha="right" if toward_left else "left", va="center", fontsize=8, zorder=4,
            annotation_clip=False, bbox={"fc": "white", "ec": "none", "alpha": 0.85, "pad": 0.6},
        )  # fmt: skip


def _words(end: End) -> str:
    """The value at an end of an input, and its verdict."""
    verdict = {"feasible": "", "infeasible": "\nnot feasible"}.get(end.verdict, "\nundecided")
    return f"{plain(float(f'{end.value:.3g}'))}{verdict}"


def _name_line(axes: Axes, at: float, words: str, rise: float) -> None:
    """Label a vertical line above the picture, between its left and its right edge."""
    left, right = axes.get_xlim()
    across, half = size_of(axes)[0], width(text(words), 8) / 2
    place = across * (at - left) / (right - left)
    inside = min(max(place, half), max(across - half, half))
    axes.annotate(
        text(words), (at, 1), (inside - place, rise), xycoords=("data", "axes fraction"),
        textcoords="offset points", ha="center", va="bottom", fontsize=8,
    )  # fmt: skip


def _money(amount: float) -> str:
    return plain(float(f"{amount:.4g}"))
