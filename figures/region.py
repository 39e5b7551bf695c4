"""The feasible region of a study: the area between its floors and ceilings on ε, over N.

Each curve is labelled where it leaves the picture; the region is filled, and the plan marked.
Where there is no study, two areas that do not meet are drawn: the studies that are accurate, and
those that the other conditions allow.
"""

import math
from dataclasses import replace
from textwrap import fill
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes

from planner.answer.answers import Answer, Infeasible, Plan
from planner.answer.problem.curves import Curve, ceiling_curves, floor_curves, highest, lowest
from planner.answer.problem.goal import reading
from planner.answer.problem.problem import each, problem_of
from planner.answer.problem.region import Region
from planner.answer.region_table import delta_of
from planner.answer.search.find import reader
from planner.figures.curves import CEILINGS, FLOORS, PLAN, REGION, Box, plane
from planner.figures.fit import LINE, among_others, balanced, size_of, text, title
from planner.figures.labels import Labels, Place
from planner.figures.strata import draw_none
from planner.libraries import np
from planner.mechanisms import kinds
from planner.model import Budget, MaxParticipants, MinParticipants, Study
from planner.numbers import WHOLE_LIMIT, first
from planner.wording import money, plain

_NOTHING = 2e-9
_LARGE_EPSILON = 5.0
_FURTHER = 8
_OUTSIDE = 60
"""Points of a curve outside the picture on either side: 20 for each power of ten."""
_NAMES = {"survey": "accuracy"}
"""Names of curves that a picture writes otherwise."""
_CORNER = (0.03, 0.05)
"""Under the floors, which is always free: where the answer is written."""
_ACCURATE, _ALLOWED = "#DCEBF5", "#F6E1D3"
"""The areas of studies that are accurate, and of those that the other conditions allow."""
_CLOSE = 1.0
"""By how much more ε than is allowed two areas are too close to be told apart."""
_HIGH = 0.15
"""The part of the picture's height above which an area has room for two lines of words."""
_ELSEWHERE = (0.6, 0.8, 0.4, 0.2, 0.95, 0.05, 0.99)
"""Where along a curve its name may stand when the likely places are taken."""
_LINE: dict[str, Any] = {"arrowstyle": "-", "lw": 0.6, "patchA": None}
"""A line from the edge of a label to what it names; clipping it there would take long."""


def draw(axes: Axes, answer: Answer, box: Box | None = None, panel: bool | None = None) -> None:
    """Draw a study's region and its answer on `axes`.

    Args:
        axes: where to draw.
        answer: the answer of `planner.solve`.
        box: the part of the plane to show; by default what the axes already show of it, or around
            the region.
        panel: whether `axes` is one of several beside each other, as it is in a grid: labels are
            then short, and inside.
    """
    if answer.study.strata:  # several studies, none of which is the reason
        draw_none(axes, answer, panel)
        return
    chosen = each(answer.study)[1:] or (isinstance(answer, Plan) and answer.alternatives)
    answer = _by_one(answer)
    regions = problem_of(answer.study).regions(delta_of(answer))
    moved = box is None and panel is None  # later, or by other axes that share an axis
    panel = among_others(axes) if panel is None else panel
    box = box or _on(axes, _box(regions, answer))
    n, seen = box.n, slice(None)
    if moved:
        n, seen = _beyond(box)
    floors, ceilings = floor_curves(regions, n), ceiling_curves(regions, n)
    smallest, largest = float(n[0]), float(n[-1])
    cap = min(max(region.participants_ceiling for region in regions), largest)
    bound = answer.study.find(MinParticipants)
    fewest = max(bound.n if bound else 1, smallest)
    inside, every_floor = (n >= fewest) & (n <= cap), floors
    floor, ceiling = np.where(inside, highest(floors), np.inf), lowest(ceilings, n)

    plane(axes, box, panel)
    drawn = box.beyond if moved else box
    low, high = (np.clip(curve, drawn.bottom, drawn.top) for curve in (floor, ceiling))
    axes.fill_between(n, low, high, where=floor <= ceiling, color=REGION, lw=0)
    for curve in floors:
        axes.plot(n, box.clip(curve.epsilon), "-", c=FLOORS)
    for curve in ceilings:
        axes.plot(n, box.clip(curve.epsilon), "--", c=CEILINGS)
    floors, ceilings = (
        [curve._replace(epsilon=curve.epsilon[seen]) for curve in curves]
        for curves in (floors, ceilings)
    )
    labels = Labels(axes, box, [curve.epsilon for curve in floors + ceilings])
    if isinstance(answer, Infeasible):
        needed = np.where(inside, floor, 0)
        axes.set_facecolor("0.94")
        accurate, allowed = highest(every_floor), np.where(inside, ceiling, 0)
        low, high = (np.clip(curve, drawn.bottom, drawn.top) for curve in (accurate, allowed))
        axes.fill_between(n, low, drawn.top, color=_ACCURATE, lw=0, zorder=0.5)
        axes.fill_between(n, drawn.bottom, high, color=_ALLOWED, lw=0, zorder=0.5)
        _name_conflict(labels, needed[seen], ceiling[seen])
        top, bottom = np.full(box.n.size, box.top), np.full(box.n.size, box.bottom)
        _name_area(labels, "accurate,\nnot allowed", low[seen], top, FLOORS)
        _name_area(labels, "allowed,\nnot accurate", bottom, high[seen], CEILINGS)
    if isinstance(answer, Plan):
        _draw_plan(labels, answer, panel)
    most = answer.study.find(MaxParticipants)
    words = "at most" if most is not None and most.n == cap else "budget for"
    if answer.study.most_participants == cap:
        words = "population of" if answer.study.sampling.response_rate == 1 else "respondents:"
    _draw_end(labels, cap, largest, f"{words}\n{plain(int(cap))} people")
    _draw_end(labels, fewest, smallest, f"at least\n{plain(int(fewest))} people")
    if panel:
        _label_inside(labels, floors, ceilings, answer)
    else:
        _label_outside(axes, floors, ceilings, box)
    delta = regions[0].delta_low
    at_delta = f", at δ = {plain(delta)}" if delta else ""
    by = "by" if isinstance(answer, Plan) else "drawn by"
    by = f", {by} {kinds.words(answer.study.mechanism)}" if chosen else ""
    title(axes, f"{answer.study.title or 'Study'}: {answer.verdict}{by}{at_delta}")


def _by_one(answer: Answer) -> Answer:
    """The answer by one mechanism: where all fail, by the cheapest without the budget."""

    def cost(study: Study) -> float:
        budgets = (c for c in study.conditions if isinstance(c, Budget))
        free = problem_of(study).without(*budgets)
        (region, *_) = free.regions(delta_of(replace(answer, study=study)))
        low = float(_first_low(region.in_arrays, 1))
        return float(reader(region)(np.geomspace(low, _FURTHER * low).round()).cost.min())

    mechanisms = each(answer.study)
    return replace(answer, study=min(mechanisms, key=cost) if mechanisms[1:] else mechanisms[0])


def _beyond(box: Box) -> tuple[np.ndarray[Any, Any], slice]:
    """The values of N far beyond a picture, few of them outside, and which are in the picture."""
    before = np.geomspace(box.beyond.first_n, box.first_n, _OUTSIDE)[:-1]
    after = np.geomspace(box.last_n, box.beyond.last_n, _OUTSIDE)[1:]
    return np.concatenate([before, box.n, after]), slice(before.size, before.size + box.n.size)


def _on(axes: Axes, box: Box) -> Box:
    """What axes show of the plane: their limits where they were set, with what is drawn there."""
    sides = []
    for axis, low, high in ((axes.xaxis, *box[:2]), (axes.yaxis, *box[2:])):
        start, last = sorted(axis.get_view_interval())
        is_x = axis is axes.xaxis
        scaled = axes.get_autoscalex_on() if is_x else axes.get_autoscaley_on()
        shared = axes.get_shared_x_axes() if is_x else axes.get_shared_y_axes()
        if scaled or not 0 < start < last:
            sides += [low, high]
        elif any(other.has_data() for other in shared.get_siblings(axes)):
            sides += [min(low, start), max(high, last)]
        else:
            sides += [start, last]
    return Box(max(1.0, sides[0]), *sides[1:])


def _box(regions: list[Region], answer: Answer) -> Box:
    """The part of the plane to show: the curves near the region or the conflict."""
    first_n, last_n = _span(regions[0], answer)
    n = Box(first_n, last_n, math.nan, math.nan).n  # those that are drawn, so that all is read once
    curves = [highest(floor_curves(regions, n)), lowest(ceiling_curves(regions, n), n)]
    # a floor near 0 does not bind
    curves = [curve[np.isfinite(curve) & (curve > _NOTHING)] for curve in curves]
    shown = [e for curve in curves for e in curve] or [1.0]
    bottom, top = min(shown), min(max(shown), 2 * _LARGE_EPSILON)
    if isinstance(answer, Plan):
        bottom, top = min(bottom, answer.epsilon), max(top, answer.epsilon)
    return Box(first_n, last_n, bottom / 2, 2 * max(top, 2 * bottom))


def _span(region: Region, answer: Answer) -> tuple[float, float]:
    drawn = replace(region.in_arrays, conditions=reading(region.conditions, "smooth"))
    low = float(_first_low(drawn, answer.participants if isinstance(answer, Plan) else 1))
    low = 1.0 if low >= WHOLE_LIMIT else low
    high = 30 * low
    cap = region.participants_ceiling
    if isinstance(answer, Plan):
        low, high = min(low, answer.participants), max(high, 4.0 * answer.participants)
    elif cap < math.inf and cap < low:
        low = max(cap, 1.0)
    return max(1.0, low / 2), high


def _first_low(region: Region, near: int) -> int:
    """The least N at which no floor is high, searched from a size that may be near."""

    def low(n: int) -> bool:
        return _highest(region, n) <= _LARGE_EPSILON

    least, most = 1, near
    while most < WHOLE_LIMIT and not low(most):
        least, most = most + 1, min(_FURTHER * most, WHOLE_LIMIT)
    while least < most // _FURTHER and low(most // _FURTHER):
        most //= _FURTHER
    return first(low, max(least, most // _FURTHER), most)


def _highest(region: Region, participants: int) -> float:
    return float(np.max(region.floor(np.array([float(participants)]))))


def _draw_end(labels: Labels, at: float, edge: float, words: str) -> None:
    """Draw the smallest or the largest number of participants, beyond which there is no study."""
    if at == edge:
        return
    labels.axes.axvspan(*sorted((at, edge)), color="0.94", lw=0, zorder=0)
    labels.axes.axvline(at, color="0.35", ls=":")
    box, right = labels.box, edge > at
    if (at < box.last_n) if right else (at > box.first_n):
        _label_line(labels, words, at, right)


def _label_line(labels: Labels, words: str, n: float, right: bool) -> None:
    """Write words beside a vertical line, where they hide no curve."""
    n = max(n, labels.box.first_n)
    heights = np.geomspace(labels.box.top, labels.box.bottom, 12)[:-1]
    places = [
        Place(n, float(height), right=side, above=False, gap=(3, 4))
        for side in (right, not right)
        for height in heights
    ]
    labels.line(n)
    labels.write(words, places, "0.25")


def _name_area(labels: Labels, words: str, low: Any, high: Any, colour: str) -> None:
    """Write words within an area between two curves, where it is high; nothing where it is low."""
    box = labels.box
    low, high = (np.clip(curve, box.bottom, box.top) for curve in (low, high))
    part = np.log(high / low) / math.log(box.top / box.bottom)
    likely = np.flatnonzero(part > _HIGH)[:: max(1, box.n.size // 24)]
    middle = np.sqrt(low * high)
    places = [
        Place(box.n[at], middle[at], right, True, (4, 0))
        for at in likely
        for right in (True, False)
    ]
    if places:
        labels.write(words, places, colour, spare=True)


def _name_conflict(labels: Labels, floor: Any, ceiling: Any) -> None:
    """Say that no study meets all; of areas too close to tell apart by how much they do not."""
    axes, words = labels.axes, "no study: the areas do not meet"
    with np.errstate(all="ignore"):
        over = floor[floor > 0] / ceiling[floor > 0] - 1
    if over.size and 0 < np.min(over) < _CLOSE:
        percent = math.floor(1000 * np.min(over)) / 10
        words = f"no study: accuracy needs at least {percent:g} % more ε than is allowed"
    size, room = rcParams["font.size"], 0.9 * size_of(axes)[0]
    words = balanced(words, room, size)
    labels.note(words, _CORNER, frame=1.5 * size)
    axes.text(
        *_CORNER, words, transform=axes.transAxes,
        bbox={"fc": "white", "ec": "0.6", "boxstyle": "round"},
    )  # fmt: skip


def _draw_plan(labels: Labels, answer: Plan, panel: bool) -> None:
    """Mark the plan; in a panel, which has little room, without its ε."""
    labels.axes.plot(
        answer.participants, answer.epsilon, "o", c=PLAN, ms=7, mfc="white", mew=2, zorder=5
    )
    epsilon = "" if panel else f"ε = {plain(answer.epsilon)}, "
    words = f"plan: {epsilon}N = {plain(answer.participants)}"
    if not answer.study.costs_nothing:
        words += f"\ncost {money(answer.cost, answer.study.currency)}"
    labels.note(words, _CORNER, (answer.participants, answer.epsilon))
    labels.axes.annotate(
        text(words),
        (answer.participants, answer.epsilon),
        _CORNER,
        textcoords="axes fraction",
        arrowprops=_LINE | {"color": PLAN, "shrinkB": 4, "relpos": (0.5, 1)},
        bbox={"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1},
        zorder=6,
    )


def _label_inside(
    labels: Labels, floors: list[Curve], ceilings: list[Curve], answer: Answer
) -> None:
    """Name each curve inside the picture, on its outer side; curves fall to the right."""
    box = labels.box
    at_right = isinstance(answer, Plan) and answer.participants**2 > box.first_n * box.last_n
    ends = sorted(
        (float(curve.epsilon[-1]), curve.name, curve.epsilon, colour)
        for curves, colour in ((floors, FLOORS), (ceilings, CEILINGS))
        for curve in curves
    )
    for rank, (_, name, epsilon, colour) in enumerate(ends):
        seen = np.flatnonzero((epsilon > 2 * box.bottom) & (epsilon < box.top / 2))
        if not seen.size:  # a curve along an edge
            seen = np.flatnonzero((epsilon > box.bottom) & (epsilon < box.top))
        if not seen.size:
            continue
        above = rank >= len(ends) / 2
        likely = (0.72, 0.9, 0.5, 0.3) if above or not at_right else (0.3, 0.1, 0.5, 0.72)
        points = [int(seen[int(share * (seen.size - 1))]) for share in (*likely, *_ELSEWHERE)]
        places = [
            Place(box.n[at], epsilon[at], right, up, gap)
            for gap in ((5, 3), (24, 3))
            for right, up in ((above,) * 2, (not above,) * 2, (True, False), (False, True))
            for at in points
        ]
        labels.write(_NAMES.get(name, name), places, colour)


def _label_outside(axes: Axes, floors: list[Curve], ceilings: list[Curve], box: Box) -> None:
    """Name each curve at the right edge, moved apart where they would overlap."""
    labels = []
    for curves, colour in ((floors, FLOORS), (ceilings, CEILINGS)):
        for curve in curves:
            seen = curve.epsilon[np.isfinite(curve.epsilon)]
            end = float(np.clip(curve.epsilon[-1], box.bottom, box.top)) if seen.size else box.top
            height = math.log(end / box.bottom) / math.log(box.top / box.bottom)
            labels.append((height, curve.label, colour))
    labels.sort()
    line = LINE * rcParams["font.size"] / size_of(axes)[1]
    lines = [fill(label, 30).count("\n") + 1 for _, label, _ in labels]
    spacing = (max(lines, default=1) + 0.3) * line
    # the lowest ends over the numbers of the axis
    place = (lines[0] - 1) * line / 2 - spacing if lines else 0.0
    overflow = max(0.0, (len(labels) - 1) * spacing - 1)
    for rank, (height, label, colour) in enumerate(labels):
        place = max(height, place + spacing, -overflow)
        place = min(place, 1 - spacing * (len(labels) - 1 - rank))
        axes.annotate(
            fill(label, 30), (1, min(max(height, 0.0), 1.0)), (1.03, place),
            xycoords="axes fraction", textcoords="axes fraction", va="center", color=colour,
            arrowprops=_LINE | {"color": colour, "relpos": (0, 0.5)}, annotation_clip=False,
        )  # fmt: skip
