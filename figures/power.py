"""The power of a planned test, over the number of people and over the change that is to be found.

Beside the plan's curve stand those of a half of its ε and of a quarter, and that without privacy.
"""

from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from planner.answer.answers import Plan
from planner.answer.problem.vary import with_value
from planner.figures.curves import CEILINGS, FLOORS, PLAN
from planner.figures.fit import name, spread, title
from planner.figures.labels import Spot, Words
from planner.libraries import np
from planner.mechanisms.noisy_floor import CountsFloor
from planner.model import Study
from planner.model.power import AnyPower
from planner.numbers import Array
from planner.wording import at_most, plain, points

_POINTS = 61
_WHITE: Any = {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1}
"""What words stand on."""
_LEVELS = tuple(percent / 100 for percent in range(10, 100, 5))
"""Powers at which the name of a curve may stand."""
_APART = 6
"""Points of a curve from one place of its name to the next, where it is flat."""
_GAPS = tuple((across, up) for across in (40.0, 70.0, 100.0, 130.0) for up in (4.0, 24.0, 44.0))
"""How far words stand from what they name where nothing nearer is free [points]."""
_NO_NOISE = 50.0
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
    test = _test(plan.study)
    floor = test.floor
    people = np.unique(np.linspace(0, 2 * plan.participants, _POINTS)[1:].round())
    curves = [
        _Curve("without\nprivacy", _NO_NOISE, ":", CEILINGS, 0.9, True),
        _of(plan.epsilon, "-", PLAN, 0.45),
        _of(plan.epsilon / 2, "--", FLOORS, 0.35),
        _of(plan.epsilon / 4, "-.", FLOORS, 0.25),
    ]
    powers = [1 - np.array([_missed(floor, one, n) for n in people]) for one in curves]
    name(axes, "participants N", f"power to find {test.at}", short_y="power")
    title(axes, "The more people, the more power")
    _frame(axes, (0, 2 * plan.participants), test)
    marked = plan.participants, f"{plain(plan.participants)} people"
    _draw(axes, plan, curves, people, powers, *marked)


def draw_over_change(axes: Axes, plan: Plan) -> None:
    """Draw the power over the change, with the plan's people, at its ε and without privacy."""
    test = _test(plan.study)
    most = min(2 * test.distance, test.farthest)
    changes = np.linspace(0, most, _POINTS)[1:]
    floors = [_test(with_value(plan.study, "change", float(x))).floor for x in changes]
    curves = [
        _Curve("without\nprivacy", _NO_NOISE, ":", CEILINGS, 0.9, True),
        _of(plan.epsilon, "-", PLAN, 0.45),
    ]
    powers = [
        1 - np.array([_missed(floor, one, plan.participants) for floor in floors]) for one in curves
    ]
    people = f"{plain(plan.participants)} people"
    name(axes, f"change [percentage points], {people}", "", short_x="change [points]")
    title(axes, "The larger the change, the more power")
    _frame(axes, (0, most), test)
    axes.xaxis.set_major_formatter(lambda x, _: plain(float(f"{100 * x:.6g}")))
    marked = test.distance, f"a change of {points(test.distance)} points"
    _draw(axes, plan, curves, changes, powers, *marked)


def _missed(floor: CountsFloor, curve: _Curve, people: float) -> float:
    """How often the alternative is missed, about as closely as can be drawn."""
    return floor.failing(curve.epsilon, max(round(people), 1), curve.epsilon)


def _of(epsilon: float, style: str, color: str, level: float) -> _Curve:
    return _Curve(f"ε = {at_most(epsilon, 3)}", epsilon, style, color, level, False)


def _test(study: Study) -> AnyPower:
    test = study.power
    assert test is not None  # the picture is of tests
    return test


def _draw(
    axes: Axes, plan: Plan, curves: list[_Curve], x: Array, powers: list[Array], at: float, of: str
) -> None:
    """Draw curves and the plan, which is `of` something at an x, and write what they are."""
    for curve, power in zip(curves, powers, strict=True):
        axes.plot(x, power, curve.style, color=curve.color, lw=1.6)
    mark = at, plan.power or 0.0
    axes.plot(*mark, "o", color=PLAN, markersize=7, zorder=3)
    words, test = Words(axes), _test(plan.study)
    chance, side = _chance(test), " on each side" if test.sides == 2 else ""
    words.write(
        f"significance {points(chance)} %{side}",
        [Spot((axes.get_xlim()[1], chance), -1, 1, (3, 2))], color="0.35",
    )  # fmt: skip
    beside = [Spot(mark, way, -way, (9, 5)) for way in (1, -1)]
    far = [Spot(mark, way, up, gap) for gap in _GAPS for way in (1, -1) for up in (-way, way)]
    said = f"{of},\npower {points(test.power)} %"
    words.write(said, beside + far, bbox=_WHITE, zorder=2.5)
    # the flattest curve has the fewest places
    for curve, power in reversed(list(zip(curves, powers, strict=True))):
        spots = _spots(curve, x, power)
        words.write(curve.words, spots, color=curve.color, bbox=_WHITE, zorder=2.5)


def _spots(curve: _Curve, x: Array, power: Array) -> list[Spot]:
    """Where the name of a rising curve may stand: below it on its right, or above on its left."""
    levels = np.searchsorted(np.maximum.accumulate(power), _LEVELS)
    places = np.union1d(levels[levels < x.size], np.arange(0, x.size, _APART))
    nearest = places[np.argsort(np.abs(power[places] - curve.level))]
    on = [(float(x[at]), float(power[at])) for at in nearest]
    ways = (-1, 1) if curve.before else (1, -1)
    near = [Spot(one, way, up) for way in ways for one in on for up in (0, -way)]
    far = [Spot(one, way, -way, gap) for gap in _GAPS for way in ways for one in on]
    return near + far


def _chance(test: AnyPower) -> float:
    """The power where there is no change, on one side."""
    return test.significance / test.sides


def _frame(axes: Axes, ends: tuple[float, float], test: AnyPower) -> None:
    """The ends of the axes, and a line at the significance, which is there without any change."""
    axes.axhline(_chance(test), color="0.6", lw=0.8)
    axes.set(xlim=ends, ylim=(0, 1.02))
    spread(axes.xaxis)
    axes.xaxis.set_major_formatter(lambda x, _: plain(float(f"{x:.6g}")))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    axes.spines[["top", "right"]].set_visible(False)
