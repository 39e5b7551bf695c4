"""The power of a planned test, over the number of people and over the change that is to be found.

Beside the plan's curve stand those of a half of its ε and of a quarter, and that without privacy.
"""

from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from planner.answer.answers import Plan
from planner.answer.problem.problem import problem_of
from planner.answer.problem.vary import with_value
from planner.figures.curves import CEILINGS, FLOORS, PLAN
from planner.figures.fit import name, spread, title
from planner.libraries import np
from planner.model.power import AnyPower
from planner.numbers import Array
from planner.wording import at_most, plain, points

_POINTS = 121
_WHITE: Any = {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1}
"""What words stand on."""
_ROOM = 0.3
"""The part of the picture that a name beside its curve takes."""
_NO_NOISE = 1e9
"""An ε with which noise is never drawn."""


class _Curve(NamedTuple):
    """A curve of the picture.

    Attributes:
        words: its name.
        epsilon: ε.
        style: of its line.
        color: of its line.
        level: the power at which its name stands.
        before: whether that is on the left of it.
    """

    words: str
    epsilon: float
    style: str
    color: str
    level: float
    before: bool


def draw(figure: Figure, plan: Plan) -> None:
    """Draw both on an empty figure, beside each other or on a narrow one under each other."""
    wide = figure.get_figwidth() > figure.get_figheight()
    people, change = figure.subplots(*((1, 2) if wide else (2, 1)), sharey=True)
    draw_over_people(people, plan)
    draw_over_change(change, plan)


def draw_over_people(axes: Axes, plan: Plan) -> None:
    """Draw the power over the number of people, at several ε; the plan is marked."""
    floor, test = problem_of(plan.study).goals[0].floor, _test(plan)
    people = np.linspace(0, 2 * plan.participants, _POINTS)[1:]
    curves = [
        _Curve("without\nprivacy", _NO_NOISE, ":", CEILINGS, 0.9, True),
        _of(plan.epsilon, "-", PLAN, 0.45),
        _of(plan.epsilon / 2, "--", FLOORS, 0.35),
        _of(plan.epsilon / 4, "-.", FLOORS, 0.25),
    ]
    for curve in curves:
        _line(axes, curve, people, 1 - np.asarray(floor.achieved(curve.epsilon, people, 0.0)))
    _mark(axes, plan, plan.participants, f"{plain(plan.participants)} people")
    name(axes, "participants N", f"power to find {test.at}", short_y="power")
    title(axes, "The more people, the more power")
    _frame(axes, (0, 2 * plan.participants), test)


def draw_over_change(axes: Axes, plan: Plan) -> None:
    """Draw the power over the change, with the plan's people, at its ε and without privacy."""
    test = _test(plan)
    most = min(2 * test.distance, test.farthest)
    changes = np.linspace(0, most, _POINTS)[1:]
    floors = [
        problem_of(with_value(plan.study, "change", float(x))).goals[0].floor for x in changes
    ]
    curves = [
        _Curve("without\nprivacy", _NO_NOISE, ":", CEILINGS, 0.9, True),
        _of(plan.epsilon, "-", PLAN, 0.45),
    ]
    for curve in curves:
        missed = [f.achieved(curve.epsilon, float(plan.participants), 0.0) for f in floors]
        _line(axes, curve, changes, 1 - np.array(missed))
    _mark(axes, plan, test.distance, f"a change of {points(test.distance)} points")
    people = f"{plain(plan.participants)} people"
    name(axes, f"change [percentage points], {people}", "", short_x="change [points]")
    title(axes, "The larger the change, the more power")
    _frame(axes, (0, most), test)
    axes.xaxis.set_major_formatter(lambda x, _: plain(float(f"{100 * x:.6g}")))


def _of(epsilon: float, style: str, color: str, level: float) -> _Curve:
    return _Curve(f"ε = {at_most(epsilon, 3)}", epsilon, style, color, level, False)


def _test(plan: Plan) -> AnyPower:
    test = plan.study.power
    assert test is not None  # the picture is of tests
    return test


def _line(axes: Axes, curve: _Curve, x: Array, power: Array) -> None:
    """A curve, and its name beside it."""
    axes.plot(x, power, curve.style, color=curve.color, lw=1.6)
    at = int(np.searchsorted(np.maximum.accumulate(power), curve.level))
    if at < len(x):
        before = x[at] > (_ROOM if curve.before else 1 - _ROOM) * x[-1]
        axes.annotate(
            curve.words, (x[at], curve.level), (-6 if before else 6, 0),
            textcoords="offset points", ha="right" if before else "left", va="center",
            color=curve.color, bbox=_WHITE, zorder=2.5,
        )  # fmt: skip


def _mark(axes: Axes, plan: Plan, x: float, words: str) -> None:
    """The plan, and what it is."""
    power = plan.power or 0.0
    axes.plot(x, power, "o", color=PLAN, markersize=7, zorder=3)
    axes.annotate(
        f"{words},\npower {points(_test(plan).power)} %", (x, power), (9, -5),
        textcoords="offset points", va="top", bbox=_WHITE, zorder=2.5,
    )  # fmt: skip


def _frame(axes: Axes, ends: tuple[float, float], test: AnyPower) -> None:
    """The ends of the axes, and a line at the significance, which is there without any change."""
    chance = test.significance / test.sides
    axes.axhline(chance, color="0.6", lw=0.8)
    side = " on each side" if test.sides == 2 else ""
    axes.annotate(
        f"significance {points(chance)} %{side}", (1, chance), (-3, 2), va="bottom", ha="right",
        xycoords=("axes fraction", "data"), textcoords="offset points", color="0.35",
    )  # fmt: skip
    axes.set(xlim=ends, ylim=(0, 1.02))
    spread(axes.xaxis)
    axes.xaxis.set_major_formatter(lambda x, _: plain(float(f"{x:.6g}")))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    axes.spines[["top", "right"]].set_visible(False)
