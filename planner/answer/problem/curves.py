"""Floors and ceilings on ε as curves over N: what a picture or a table of a region is made of."""

from typing import Any, NamedTuple

from planner.answer.problem.goal import Goal
from planner.answer.problem.region import Region
from planner.libraries import np
from planner.mechanisms.noisy_floor import CountsFloor
from planner.model import Condition, MinParticipants
from planner.numbers import WHOLE_LIMIT, Array


class Curve(NamedTuple):
    """One floor or ceiling.

    Attributes:
        label: the condition's phrase.
        name: the condition in a word or two.
        epsilon: ε at each N, shape of N; ∞ where the condition allows none (or all).
    """

    label: str
    name: str
    epsilon: Array


def floor_curves(regions: list[Region], n: Array) -> list[Curve]:
    """Every floor over an array of N, shape of N, except bounds on N itself."""
    region, curves = regions[0].in_arrays, []
    for condition in region.floors:
        if isinstance(condition, MinParticipants):  # a bound on the axis, not a curve
            continue
        if isinstance(condition, Goal) and isinstance(condition.floor, CountsFloor):
            condition = condition.read("smooth")  # sizes of tests take long to read
        with np.errstate(all="ignore"):
            epsilon = condition.epsilon_floor(n, region.delta_high)
        curves.append(Curve(condition.label, condition.kind, np.broadcast_to(epsilon, n.shape)))
    return curves


def ceiling_curves(regions: list[Region], n: Array) -> list[Curve]:
    """Every ceiling over an array of N, shape of N: the higher one where two payments apply."""
    curves = []
    for condition in regions[0].ceilings:
        epsilon = np.max([_ceiling(condition, region, n) for region in regions], axis=0)
        curves.append(Curve(condition.label, condition.kind, epsilon))
    return curves


def _ceiling(condition: Condition, region: Region, n: Array) -> Any:
    """One ceiling in one region; −∞ where the condition allows no ε at all."""
    payment = (region.delta_low, region.person, region.costs)
    with np.errstate(all="ignore"):
        epsilon = condition.epsilon_ceiling(n, *payment)
    most = float(min(condition.participants_ceiling(*payment), WHOLE_LIMIT))
    return np.where((n <= most) & (epsilon > 0), epsilon, -np.inf)


def highest(floors: list[Curve]) -> Array:
    """The highest floor at each N."""
    return np.asarray(np.max([curve.epsilon for curve in floors], axis=0))


def lowest(ceilings: list[Curve], n: Array) -> Array:
    """The lowest ceiling at each N, ∞ where there is none."""
    return np.asarray(
        np.min([curve.epsilon for curve in ceilings] or [np.full_like(n, np.inf)], axis=0)
    )
