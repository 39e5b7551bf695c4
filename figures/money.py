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
from planner.figures.labels import Spot, Words
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
    if costs.not_private is not None:
        _curve(axes, errors, costs.not_private, ":", "0.25")
        seen.append(costs.not_private[np.isfinite(costs.not_private)])
    budget = answer.study.find(Budget)
    amounts = np.concatenate(seen)
    usual = costs.private[costs.own]
    amounts = amounts[~(amounts > _STEEP * usual)]  # near the most people costs have no bound
    low, high = (amounts.min(), amounts.max()) if amounts.size else (1.0, 10.0)
    if budget is not None:
        low, high = min(low, budget.money), max(high, budget.money)
        axes.axhline(budget.money, ls="--", c=CEILINGS)
    axes.set(xlim=(errors[0], errors[-1]), ylim=(low / 1.5, high * 1.8))
    name(axes, over, f"least cost, {study.currency}".removesuffix(", "), short_x="margin of error")
    for axis, (first, last) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        tick(axis, last / first, number)
    title(axes, "What accuracy costs")
    words = Words(axes)
    gap = _gap(words, costs, answer, own)
    if budget is not None:
        ends = [
            Spot((errors[end], budget.money), way, 1, (4, 3)) for end, way in ((-1, -1), (0, 1))
        ]
        # the curves are lower on the right where there is a plan, else higher than the budget
        spots = ends if isinstance(answer, Plan) else ends[::-1]
        said = f"budget {plain(budget.money)} {study.currency}".rstrip()
        below = [spot._replace(up=-1) for spot in spots]
        words.write(text(said), spots + below, color=CEILINGS, bbox=_WHITE)
    _mark(words, answer, own, gap)
    _name_curve(words, errors, costs.private, "private", FLOORS, above=True)
    if costs.not_private is not None:
        _name_curve(words, errors, costs.not_private, "not private", "0.25", above=False)


def _curve(axes: Axes, errors: Any, costs: Any, style: str, color: str) -> None:
    """Draw a smooth curve through the computed costs, where there are any."""
    known = np.isfinite(costs) & (costs > 0)
    if known.sum() < 2:
        return
    across, up = np.log(errors[known]), np.log(costs[known])
    drawn = np.linspace(across[0], across[-1], _DRAWN)
    through = scipy.interpolate.PchipInterpolator(across, up)(drawn)
    axes.plot(np.exp(drawn), np.exp(through), style, c=color)


def _name_curve(words: Words, errors: Any, costs: Any, name: str, color: str, above: bool) -> None:
    """Write the name of a falling curve on its outer side: above on its right, or below."""
    known = np.flatnonzero(np.isfinite(costs))
    if not known.size:
        return
    likely = known[(2 * known.size) // 3 if above else -2 * (known.size > 1)]
    on = [(errors[at], costs[at]) for at in sorted(known, key=lambda at: abs(at - likely))]
    way = 1 if above else -1
    spots = [Spot(one, side, side, (4, 4)) for side in (way, -way) for one in on]
    words.write(name, spots, color=color, bbox=_WHITE)


def _gap(
    words: Words, costs: CostOfAccuracy, answer: Answer, own: float
) -> tuple[float, float] | None:
    """Draw the gap between the budget and what accuracy costs, where there is no plan."""
    budget, needed = answer.study.find(Budget), float(costs.private[costs.own])
    if isinstance(answer, Plan) or budget is None:
        return None
    if not math.isfinite(needed) or needed <= budget.money:
        return None
    low, high = (own, budget.money), (own, needed)
    words.axes.annotate(
        "", high, low, arrowprops={"arrowstyle": "<->", "color": PLAN, "shrinkA": 0, "shrinkB": 0}
    )
    words.keep_off([low, high])
    return budget.money, needed


def _mark(words: Words, answer: Answer, own: float, gap: tuple[float, float] | None) -> None:
    """Mark the plan; without one say how large the gap is."""
    currency = answer.study.currency
    if isinstance(answer, Plan):
        plan = own, answer.cost
        words.axes.plot(*plan, "o", c=PLAN, ms=7, mfc="white", mew=2, zorder=5)
        gaps = ((9, 5), (9, 25), (30, 5), (30, 25))
        spots = [Spot(plan, side, side, gap) for gap in gaps for side in (1, -1)]
        said = f"the plan\n{money(answer.cost, currency)}"
        words.write(text(said), spots, bbox=_WHITE, zorder=6)
    elif gap is not None:
        low, high = gap
        middle = own, math.sqrt(low * high)
        beside = [
            Spot(middle, side, 0, (_BESIDE, 0)) for side in (-1, 1)
        ]  # left, curves are higher
        beyond = [
            Spot((own, end), side, up, (away, away))
            for away in (_BESIDE, 4 * _BESIDE, 8 * _BESIDE)
            for end, up in ((high, 1), (low, -1))
            for side in (1, -1)
        ]
        said = f"needs\n{money(high, currency)},\nhas {plain(low)}"
        words.write(text(said), beside + beyond, bbox=_WHITE)


def draw(figure: Figure, answer: Answer) -> None:
    """Draw the bar of a plan, what accuracy costs, and the feasible region, on an empty figure."""
    bar = [0.12] * (isinstance(answer, Plan) and answer.cost > 0)
    if not has_cost_of_accuracy(answer.study):
        rows = figure.add_gridspec(len(bar) + 1, 1, height_ratios=[*bar, 1.0])
        if bar and isinstance(answer, Plan):
            draw_bar(figure.add_subplot(rows[0]), answer)
        region.draw(figure.add_subplot(rows[-1]), answer, panel=False)
        return
    rows = figure.add_gridspec(len(bar) + 1, 2, height_ratios=[*bar, 1.0], width_ratios=[0.8, 1.0])
    if bar and isinstance(answer, Plan):
        draw_bar(figure.add_subplot(rows[0, :]), answer)
    draw_cost(figure.add_subplot(rows[-1, 0]), cost_of_accuracy(answer), answer)
    region.draw(figure.add_subplot(rows[-1, 1]), answer, panel=True)
