"""The feasible region of a study: the area between its floors and ceilings on ε, over N.

Curves are the floors and ceilings themselves. Floors are solid, ceilings dashed, each labelled
where it leaves the picture; the region is filled, and the plan marked. Where there is no study,
the hatched band shows by how much the highest floor lies over the lowest ceiling.
"""

import math
from collections.abc import Callable
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.answer.answers import Answer, Infeasible, Plan
from planner.answer.free_delta import best_aim
from planner.answer.problem import Problem, problem
from planner.answer.region import Region
from planner.answer.search import first
from planner.model import Budget
from planner.numbers import WHOLE_LIMIT
from planner.wording import money, plain, several

_FLOORS, _CEILINGS, _REGION, _PLAN = "#0072B2", "#D55E00", "#A9D8C6", "#000000"
_POINTS = 600
_LARGE_EPSILON = 5.0


class Curve(NamedTuple):
    """One floor or ceiling.

    Attributes:
        label: the condition's phrase.
        epsilon: ε at each N, shape of N; ∞ where the condition allows none (or all).
    """

    label: str
    epsilon: np.ndarray[Any, Any]


def draw(axes: Axes, answer: Answer) -> None:
    """Draw a study's region and its answer on `axes`."""
    question = problem(answer.study)
    regions = question.regions(_delta(question, answer))
    first_n, last_n = _span(regions[0], answer)
    n = np.geomspace(first_n, last_n, _POINTS)
    floors, ceilings = floor_curves(regions, n), ceiling_curves(regions, n)
    highest = np.max([curve.epsilon for curve in floors], axis=0)
    lowest = np.min([curve.epsilon for curve in ceilings] or [np.full_like(n, np.inf)], axis=0)
    cap = min(max(region.participants_ceiling for region in regions), last_n)
    bottom, top = _height(highest, lowest, answer)

    axes.set(xscale="log", yscale="log", xlim=(first_n, last_n), ylim=(bottom, top))
    axes.set(xlabel="participants N", ylabel="privacy parameter ε (more privacy below)")
    _tick(axes.xaxis, last_n / first_n, lambda x: plain(int(x)))
    _tick(axes.yaxis, top / bottom, lambda y: f"{y:g}")
    inside = (highest <= lowest) & (n <= cap)
    visible = np.clip(lowest, bottom, top)
    axes.fill_between(n, np.clip(highest, bottom, top), visible, where=inside, color=_REGION, lw=0)
    if isinstance(answer, Infeasible):
        _draw_conflict(axes, n, np.where(n <= cap, highest, 0), lowest, answer)
    for curve, colour, style in (
        *((c, _FLOORS, "-") for c in floors),
        *((c, _CEILINGS, "--") for c in ceilings),
    ):
        # beyond the picture stands for ∞, so that a curve that ends does so in a vertical line
        axes.plot(n, np.clip(curve.epsilon, bottom / 10, 10 * top), style, c=colour)
    if cap < last_n:
        axes.axvspan(max(cap, first_n), last_n, color="0.94", lw=0, zorder=0)
        axes.axvline(cap, color="0.35", ls=":")
        text = f"at most\n{plain(int(cap))} people"
        axes.annotate(text, (cap, top), (3, -4), textcoords="offset points", va="top", color="0.25")
    _label(axes, floors, ceilings, bottom, top)
    _draw_plan(axes, answer)
    delta = regions[0].delta_low
    at_delta = f", at δ = {plain(delta)}" if delta else ""
    title = (answer.study.title or "Study").replace("$", r"\$")  # a dollar is no formula
    axes.set_title(f"{title}: {answer.verdict}{at_delta}", loc="left")


def floor_curves(regions: list[Region], n: np.ndarray[Any, Any]) -> list[Curve]:
    """Every floor over an array of N, shape of N."""
    region = regions[0]
    found = []
    for condition in region.floors:
        epsilon = condition.epsilon_floor(n, region.delta_high)
        found.append(Curve(f"at least: {condition.label}", np.broadcast_to(epsilon, n.shape)))
    return found


def ceiling_curves(regions: list[Region], n: np.ndarray[Any, Any]) -> list[Curve]:
    """Every ceiling over an array of N, shape of N: the higher one where two payments apply."""
    found = []
    for condition in regions[0].ceilings:
        each = [
            np.broadcast_to(condition.epsilon_ceiling(n, r.delta_low, r.person, r.costs), n.shape)
            for r in regions
        ]
        # a budget that is spent before anyone is compensated allows no ε at all
        epsilon = np.where(np.max(each, axis=0) > 0, np.max(each, axis=0), -np.inf)
        found.append(Curve(f"at most: {condition.label}", epsilon))
    return found


def _delta(question: Problem, answer: Answer) -> float:
    """The plan's δ; without a plan the δ that would be cheapest if money were no object."""
    if isinstance(answer, Plan):
        return answer.delta
    budgets = [c for c in question.conditions if isinstance(c, Budget)]
    aim = best_aim(question.without(*budgets), "cost", 0.01)
    return aim.region.delta_low if aim else max(question.delta_bounds[0], 0.0)


def _span(region: Region, answer: Answer) -> tuple[float, float]:
    """The range of N in which the picture is interesting."""
    low = float(first(lambda n: region.floor(n) <= _LARGE_EPSILON, 1, WHOLE_LIMIT))
    low = 1.0 if low >= WHOLE_LIMIT else low
    high = 30 * low
    cap = region.participants_ceiling
    if isinstance(answer, Plan):
        low, high = min(low, answer.participants), max(high, 4.0 * answer.participants)
    elif cap < math.inf and cap < low:
        low = max(cap, 1.0)
    return max(1.0, low / 2), high


def _height(highest: Any, lowest: Any, answer: Answer) -> tuple[float, float]:
    """The range of ε to show: the curves where they meet, and the plan."""
    shown = [*highest[np.isfinite(highest)], *lowest[np.isfinite(lowest)]] or [1.0]
    bottom, top = min(shown), min(max(shown), 2 * _LARGE_EPSILON)
    if isinstance(answer, Plan):
        bottom, top = min(bottom, answer.epsilon), max(top, answer.epsilon)
    return bottom / 2, 2 * max(top, 2 * bottom)


def _tick(axis: Axis, ratio: float, words: Callable[[float], str]) -> None:
    """Ticks at 1, 2 and 5 on short axes, at powers of ten on long ones, in plain numbers."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if ratio < 200 else (1,)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda x, _: words(x)))


def _draw_conflict(axes: Axes, n: Any, highest: Any, lowest: Any, answer: Infeasible) -> None:
    bottom, top = axes.get_ylim()
    low, high = np.clip(lowest, bottom, top), np.clip(highest, bottom, top)
    axes.fill_between(
        n, low, high, where=lowest < highest, facecolor="none", edgecolor="0.6", hatch="///", lw=0
    )
    axes.text(
        0.03, 0.05, fill("in conflict: " + several(list(answer.conflict)), 34),
        transform=axes.transAxes, bbox={"fc": "white", "ec": "0.6", "boxstyle": "round"},
    )  # fmt: skip


def _draw_plan(axes: Axes, answer: Answer) -> None:
    if not isinstance(answer, Plan):
        return
    axes.plot(answer.participants, answer.epsilon, "o", c=_PLAN, ms=7, mfc="white", mew=2, zorder=5)
    text = (
        f"plan: ε = {answer.epsilon:.3g}, N = {plain(answer.participants)}\n"
        f"cost {money(answer.cost, answer.study.currency)}".replace("$", r"\$")
    )
    place = axes.transLimits.transform(np.log10([answer.participants, answer.epsilon]))
    at_right, at_top = place > (0.55, 0.85)
    axes.annotate(
        text,
        (answer.participants, answer.epsilon),
        (-12 if at_right else 12, -28 if at_top else 12),
        textcoords="offset points",
        ha="right" if at_right else "left",
        bbox={"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1},
        zorder=6,
    )


def _label(
    axes: Axes, floors: list[Curve], ceilings: list[Curve], bottom: float, top: float
) -> None:
    """Name each curve at the right edge, moved apart where they would overlap."""
    labels = []
    for curves, colour in ((floors, _FLOORS), (ceilings, _CEILINGS)):
        for label, epsilon in curves:
            seen = epsilon[np.isfinite(epsilon)]
            end = float(np.clip(epsilon[-1], bottom, top)) if seen.size else top
            labels.append((math.log(end / bottom) / math.log(top / bottom), label, colour))
    spacing, place = 0.16, -1.0
    overflow = max(0.0, (len(labels) - 1) * spacing - 1)
    for height, label, colour in sorted(labels):
        place = max(height, place + spacing, -overflow)
        room = spacing * (len(labels) - 1 - sorted(labels).index((height, label, colour)))
        place = min(place, 1 - room)
        axes.annotate(
            fill(label, 30), (1, min(max(height, 0.0), 1.0)), (1.03, place),
            xycoords="axes fraction", textcoords="axes fraction", va="center", color=colour,
            arrowprops={"arrowstyle": "-", "color": colour, "lw": 0.6}, annotation_clip=False,
        )  # fmt: skip
