"""The money of a study: what a plan spends it on, and what accuracy costs."""

import math
from typing import Any, NamedTuple

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.answer.answers import Answer, Plan
from planner.answer.problem.vary import value_of
from planner.comparison.cost_of_accuracy import (
    CostOfAccuracy,
    cost_of_accuracy,
    has_cost_of_accuracy,
)
from planner.explanation.amounts import in_unit, unit
from planner.explanation.results.sums import parts
from planner.figures import region
from planner.figures.curves import CEILINGS, FLOORS, PLAN, number, tick
from planner.figures.fit import name, size_of, text, title, width
from planner.libraries import np, scipy
from planner.model import Budget
from planner.numbers import decimal
from planner.wording import money, plain

_FILLS: dict[str, dict[str, Any]] = {
    "payments": {"fc": FLOORS},
    "recruiting": {"fc": "#7FB8DE"},
    "invitations": {"fc": "#C6DFF0"},
    "overhead": {"fc": "0.72"},
    "unused": {"fc": "white", "hatch": "...", "ec": "0.75"},
}
"""How the parts of a bar are filled: from dark to light, so that they differ in grey."""
_DRAWN = 100
"""Points of a curve as it is drawn."""
_STEEP = 100.0
"""Costs of more than so many times the study's own are not shown."""
_BESIDE = 5.0
"""How far words stand from an arrow [points]."""
_WHITE: Any = {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1}


class Segment(NamedTuple):
    """A part of the bar: its name, its words, and how much money it is."""

    name: str
    words: str
    amount: float


def segments(plan: Plan) -> list[Segment]:
    """What the plan spends on each part, and what it leaves of the budget."""
    spent = [(part.name, part.cents / 100) for part in parts(plan)] or [("payments", plan.cost)]
    budget = plan.study.find(Budget)
    if budget is not None:
        left = decimal(budget.money) - sum(decimal(amount) for _, amount in spent)
        spent.append(("unused", max(0.0, float(left))))
    return [Segment(one, f"{one}\n{money(amount)}", amount) for one, amount in spent if amount]


def draw_bar(axes: Axes, plan: Plan) -> None:
    """Draw one bar of all the money, each part named under it, and the budget marked."""
    found = segments(plan)
    ends = np.cumsum([one.amount for one in found])
    middles = (ends - np.array([one.amount for one in found]) / 2) / ends[-1]
    size, room = rcParams["font.size"], size_of(axes, alone=True)[0]
    widths = np.array([max(width(line, size) for line in one.words.split("\n")) for one in found])
    places = _apart(middles, (widths + size) / room)
    for one, end, middle, place in zip(found, ends, middles, places, strict=True):
        fill = {"ec": "0.2", **_FILLS[one.name]}
        axes.barh(0, one.amount, 1.0, end - one.amount, lw=0.8, **fill)
        axes.annotate(
            text(one.words), (middle, 0), (place, -0.4), xycoords="axes fraction",
            textcoords="axes fraction", ha="center", va="top", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "lw": 0.6, "color": "0.4", "relpos": (0.5, 1)},
        )  # fmt: skip
    budget, currency = plan.study.find(Budget), plan.study.currency
    words = f"Cost {money(plan.cost, currency)}"
    if budget is not None:
        axes.plot([budget.money] * 2, [-0.7, 0.7], "--", c=CEILINGS, lw=1.6, clip_on=False)
        words += f", budget {plain(budget.money)} {currency}".rstrip() + " (dashed)"
    axes.set(xlim=(0, ends[-1]), ylim=(-0.5, 0.5), yticks=[], xticks=[])
    axes.set_frame_on(False)
    title(axes, words, room=room)


def _apart(middles: Any, widths: Any) -> Any:
    """Places of words as near to their middles as they can stand side by side, within 0 and 1."""
    places, edge = middles.copy(), 0.0
    for at in range(places.size):
        places[at] = max(places[at], edge + widths[at] / 2)
        edge = places[at] + widths[at] / 2
    edge = 1.0
    for at in reversed(range(places.size)):
        places[at] = min(places[at], edge - widths[at] / 2)
        edge = places[at] - widths[at] / 2
    return places


def draw_cost(axes: Axes, costs: CostOfAccuracy, answer: Answer) -> None:
    """Draw the least cost over the margin of error, private and not, with plan and budget.

    Where there is no plan, the gap between the cost and the budget is drawn.
    """
    study = answer.study
    errors, own, over = costs.errors, 1.0, "margins of error, times those planned"
    if study.survey is None:
        errors = np.array([in_unit(study, "error", float(error)) for error in costs.errors])
        own = in_unit(study, "error", value_of(study, "error") or 1.0)
        of = unit(study, "error")
        over = f"margin of error{f' [{of}]' if of else ''}"
    axes.set(xscale="log", yscale="log")
    _curve(axes, errors, costs.private, "-", FLOORS)
    seen = [costs.private[np.isfinite(costs.private)]]
    _name_curve(axes, errors, costs.private, "private", FLOORS, above=True)
    if costs.not_private is not None:
        _curve(axes, errors, costs.not_private, ":", "0.25")
        seen.append(costs.not_private[np.isfinite(costs.not_private)])
        _name_curve(axes, errors, costs.not_private, "not private", "0.25", above=False)
    budget = answer.study.find(Budget)
    amounts = np.concatenate(seen)
    usual = costs.private[costs.own]
    amounts = amounts[~(amounts > _STEEP * usual)]  # near the most people costs have no bound
    low, high = (amounts.min(), amounts.max()) if amounts.size else (1.0, 10.0)
    if budget is not None:
        low, high = min(low, budget.money), max(high, budget.money)
        axes.axhline(budget.money, ls="--", c=CEILINGS)
        words = f"budget {plain(budget.money)} {study.currency}".rstrip()
        right = isinstance(answer, Plan)  # the curves are then lower on the right, else higher
        axes.annotate(
            text(words), (1 if right else 0, budget.money), (-4 if right else 4, 3),
            xycoords=("axes fraction", "data"), textcoords="offset points",
            ha="right" if right else "left", va="bottom", color=CEILINGS, bbox=_WHITE,
        )  # fmt: skip
    axes.set(xlim=(errors[0], errors[-1]), ylim=(low / 1.5, high * 1.8))
    _mark(axes, costs, answer, own, budget)
    name(axes, over, f"least cost, {study.currency}".removesuffix(", "), short_x="margin of error")
    for axis, (first, last) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        tick(axis, last / first, number)
    title(axes, "What accuracy costs")


def _curve(axes: Axes, errors: Any, costs: Any, style: str, color: str) -> None:
    """Draw a smooth curve through the computed costs, where there are any."""
    known = np.isfinite(costs) & (costs > 0)
    if known.sum() < 2:
        return
    across, up = np.log(errors[known]), np.log(costs[known])
    drawn = np.linspace(across[0], across[-1], _DRAWN)
    through = scipy.interpolate.PchipInterpolator(across, up)(drawn)
    axes.plot(np.exp(drawn), np.exp(through), style, c=color)


def _name_curve(axes: Axes, errors: Any, costs: Any, words: str, color: str, above: bool) -> None:
    """Write the name of a curve on its outer side."""
    known = np.flatnonzero(np.isfinite(costs))
    if not known.size:
        return
    at = known[(2 * known.size) // 3 if above else -2 * (known.size > 1)]
    axes.annotate(
        words, (errors[at], costs[at]), (4, 4) if above else (-4, -4),
        textcoords="offset points", ha="left" if above else "right",
        va="bottom" if above else "top", color=color, bbox=_WHITE,
    )  # fmt: skip


def _mark(
    axes: Axes, costs: CostOfAccuracy, answer: Answer, own: float, budget: Budget | None
) -> None:
    """Mark the plan; without one the gap between what accuracy costs and the budget."""
    currency = answer.study.currency
    if isinstance(answer, Plan):
        axes.plot(own, answer.cost, "o", c=PLAN, ms=7, mfc="white", mew=2, zorder=5)
        axes.annotate(
            text(f"the plan\n{money(answer.cost, currency)}"), (own, answer.cost), (9, 5),
            textcoords="offset points", va="bottom", bbox=_WHITE, zorder=6,
        )  # fmt: skip
        return
    needed = float(costs.private[costs.own])
    if budget is None or not math.isfinite(needed) or needed <= budget.money:
        return
    axes.annotate(
        "", (own, needed), (own, budget.money),
        arrowprops={"arrowstyle": "<->", "color": PLAN, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
    words = f"needs\n{money(needed, currency)},\nhas {plain(budget.money)}"
    first, last = axes.get_xlim()
    beside = math.log(own / first) / math.log(last / first) * size_of(axes, alone=True)[0] - _BESIDE
    longest = max(width(line, rcParams["font.size"]) for line in words.split("\n"))
    left = longest < beside  # where the curves are higher
    axes.annotate(
        text(words), (own, math.sqrt(needed * budget.money)), (-_BESIDE if left else _BESIDE, 0),
        textcoords="offset points", ha="right" if left else "left", va="center",
        bbox=None if left else _WHITE,
    )  # fmt: skip


def draw(figure: Figure, answer: Answer) -> None:
    """Draw the bar of a plan, what accuracy costs, and the feasible region, on an empty figure."""
    if not has_cost_of_accuracy(answer.study):
        rows = figure.add_gridspec(2, 1, height_ratios=[0.12, 1.0])
        if isinstance(answer, Plan):
            draw_bar(figure.add_subplot(rows[0]), answer)
        region.draw(figure.add_subplot(rows[1]), answer, panel=False)
        return
    bar = [0.12] * isinstance(answer, Plan)
    rows = figure.add_gridspec(len(bar) + 1, 2, height_ratios=[*bar, 1.0], width_ratios=[0.8, 1.0])
    if isinstance(answer, Plan):
        draw_bar(figure.add_subplot(rows[0, :]), answer)
    draw_cost(figure.add_subplot(rows[-1, 0]), cost_of_accuracy(answer), answer)
    region.draw(figure.add_subplot(rows[-1, 1]), answer, panel=True)
