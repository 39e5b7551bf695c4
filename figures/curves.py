"""Floors and ceilings on ε as curves over N, and the axes they are drawn on.

Curves are the floors and ceilings themselves, never a grid of yes and no. Floors are solid,
ceilings dashed, so that they can be told apart in grey.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from planner.answer.goal import Accurate
from planner.answer.region import Region
from planner.answer.saw_tooth import quick
from planner.answer.useful import Useful
from planner.model import (
    Budget,
    Condition,
    EpsilonAtLeastOneOverN,
    EpsilonAtMost,
    Harm,
    PopulationAtLeast,
    TargetedPublication,
)
from planner.wording import plain

FLOORS, CEILINGS, REGION, PLAN = "#0072B2", "#D55E00", "#A9D8C6", "#000000"
POINTS = 600
_NAMES: dict[type[Condition], str] = {
    Accurate: "accuracy",
    Useful: "expected loss",
    Budget: "budget",
    Harm: "harm per person",
    EpsilonAtMost: "largest ε",
    EpsilonAtLeastOneOverN: "1/N",
    TargetedPublication: "targeted publication",
}


class Curve(NamedTuple):
    """One floor or ceiling.

    Attributes:
        label: the condition's phrase.
        name: the condition in a word or two.
        epsilon: ε at each N, shape of N; ∞ where the condition allows none (or all).
    """

    label: str
    name: str
    epsilon: np.ndarray[Any, Any]


class Box(NamedTuple):
    """The part of the plane of N and ε that is shown."""

    first_n: float
    last_n: float
    bottom: float
    top: float

    @property
    def n(self) -> np.ndarray[Any, Any]:
        """The N at which curves are drawn."""
        return np.geomspace(self.first_n, self.last_n, POINTS)

    def clip(self, epsilon: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """ε within reach of the picture.

        Just beyond it stands for ∞, so that a curve that ends does so in a vertical line.
        """
        return np.asarray(np.clip(epsilon, self.bottom / 10, 10 * self.top))


def floor_curves(regions: list[Region], n: np.ndarray[Any, Any]) -> list[Curve]:
    """Every floor over an array of N, shape of N, but for bounds on N itself."""
    region = quick(regions[0])  # an exact floor is slow over many N
    found = []
    for condition in region.floors:
        if isinstance(condition, PopulationAtLeast):  # a bound on the axis, not a curve
            continue
        with np.errstate(all="ignore"):
            epsilon = condition.epsilon_floor(n, region.delta_high)
        label = f"at least: {condition.label}"
        found.append(Curve(label, _name(condition), np.broadcast_to(epsilon, n.shape)))
    return found


def ceiling_curves(regions: list[Region], n: np.ndarray[Any, Any]) -> list[Curve]:
    """Every ceiling over an array of N, shape of N: the higher one where two payments apply."""
    found = []
    for condition in regions[0].ceilings:
        epsilon = np.max([_ceiling(condition, region, n) for region in regions], axis=0)
        found.append(Curve(f"at most: {condition.label}", _name(condition), epsilon))
    return found


def _ceiling(condition: Condition, region: Region, n: np.ndarray[Any, Any]) -> Any:
    """One ceiling in one region; −∞ where the condition allows no ε at all."""
    payment = (region.delta_low, region.person, region.costs)
    with np.errstate(all="ignore"):
        epsilon = condition.epsilon_ceiling(n, *payment)
    return np.where(
        (n <= condition.participants_ceiling(*payment)) & (epsilon > 0), epsilon, -np.inf
    )


def highest(floors: list[Curve]) -> np.ndarray[Any, Any]:
    """The highest floor at each N."""
    return np.asarray(np.max([curve.epsilon for curve in floors], axis=0))


def lowest(ceilings: list[Curve], n: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The lowest ceiling at each N, ∞ where there is none."""
    return np.asarray(
        np.min([curve.epsilon for curve in ceilings] or [np.full_like(n, np.inf)], axis=0)
    )


def plane(axes: Axes, box: Box, panel: bool = False) -> None:
    """Make `axes` the plane of N and ε, both logarithmic; a `panel` has fewer, shorter ticks."""
    axes.set(xscale="log", yscale="log", xlim=box[:2], ylim=box[2:])
    axes.set(xlabel="participants N", ylabel="privacy parameter ε (more privacy below)")
    if panel:
        tick(axes.xaxis, math.inf, _short)
    else:
        tick(axes.xaxis, box.last_n / box.first_n, lambda x: plain(int(x)))
    tick(axes.yaxis, box.top / box.bottom, lambda y: f"{y:g}")


def _short(x: float) -> str:
    for unit, word in ((1e9, "bn"), (1e6, "M"), (1e3, "k")):
        if x >= unit:
            return f"{x / unit:g} {word}"
    return f"{x:g}"


def tick(axis: Axis, ratio: float, words: Callable[[float], str]) -> None:
    """Ticks at 1, 2 and 5 on short axes, at powers of ten on long ones, in plain numbers."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if ratio < 200 else (1,)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda x, _: words(x)))


def text(words: str) -> str:
    """Words as a figure's text: a dollar is no formula."""
    return words.replace("$", r"\$")


def _name(condition: Condition) -> str:
    kinds = (name for kind, name in _NAMES.items() if isinstance(condition, kind))
    return next(kinds, condition.label)
