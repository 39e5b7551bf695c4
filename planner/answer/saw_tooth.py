"""The best N under an exact analysis, whose failure probability saw-tooths in N.

The exception of design idea 1: the floor is the least allowed ε, it need not fall with N, and no
bisection over N is exact. So N is searched on grids that close in, and then one by one; what every
study can do without, as if samples were perfect, is convex and bounds the search. What is found is
a proposal: the floor here is that of the mean nearest to 1/2, and `proof` checks the plan at all.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from planner import numbers
from planner.answer import cells
from planner.answer.goal import Goal
from planner.answer.problem import as_noise_alone
from planner.answer.region import Region
from planner.answer.search import Aim, Objective, whole_range
from planner.numbers import WHOLE_LIMIT

Array = Any
_GRID = 64
_ONE_BY_ONE = 250
_FARTHEST = 2000


class Sizes(NamedTuple):
    """Studies of several sizes, each at its least ε.

    Attributes:
        n: participants.
        epsilon: the least allowed ε, ∞ where none is.
        room: ceiling over floor; allowed where at least 1.
        cost: money, ∞ where not allowed.
    """

    n: Array
    epsilon: Array
    room: Array
    cost: Array

    @property
    def allowed(self) -> Array:
        """Where a study exists."""
        return self.room >= 1


def aim(region: Region, objective: Objective, tolerance: float) -> Aim | None:
    """Where the objective is best in a saw-toothed region, or None where nothing is found."""
    perfect = _noise_alone(region)
    bounds = whole_range(perfect) if region.person.convex else cells.bounds(perfect)
    if bounds is None:
        return None
    least, most = bounds
    last = int(min(most, WHOLE_LIMIT))
    read = _reader(region)
    fewest = _first(lambda found: found.allowed, read, least, last)
    if fewest is None:
        return None
    if objective == "participants":
        return Aim(fewest, True, region, fewest)
    if objective == "epsilon":
        if last >= WHOLE_LIMIT:  # ever more people, ever less ε
            return Aim(0.0, False, region, fewest)
        found = _least(lambda found: found.epsilon, read, fewest, last)
        return Aim(float(read(np.array([found])).epsilon[0]), True, region, found, -1)
    if not region.person.paid_for_epsilon:
        return Aim(_cost(read, fewest), True, region, fewest)
    if region.participants_ceiling == np.inf and region.entry_cost == 0:
        infimum = float(region.person.signal_cost(_last_signal(region)) + region.costs.overhead)
        convex = region.person.convex  # then more people and less ε is cheaper without end
        best = fewest if convex else _least(lambda found: found.cost, read, fewest, last)
        if convex or infimum <= _cost(read, best) * (1 + cells.ENDLESS):
            enough = (1 + tolerance) * infimum
            near = _first(lambda found: found.cost <= enough, read, fewest, last)
            return Aim(infimum, False, region, near or fewest)
    else:
        best = _least(lambda found: found.cost, read, fewest, last)
    return Aim(_cost(read, best), True, region, best)


def _cost(read: Callable[[Array], Sizes], n: int) -> float:
    return float(read(np.array([n])).cost[0])


def _last_signal(region: Region) -> float:
    """The signal that the floors ask of ever larger studies."""
    asked = [
        goal.signal_floor_from(WHOLE_LIMIT, region.delta_high)
        for goal in region.conditions
        if isinstance(goal, Goal)
    ]
    return float(max(region.signal_floor(), *asked))


def _noise_alone(region: Region) -> Region:
    return replace(region, conditions=as_noise_alone(region.conditions))


def quick(region: Region) -> Region:
    """The region with a floor that is quick over arrays of N."""
    conditions = tuple(c.quick() if isinstance(c, Goal) else c for c in region.conditions)
    return replace(region, conditions=conditions, system=numbers.arrays())


def _reader(region: Region) -> Callable[[Array], Sizes]:
    """Reads floor, ceiling and cost of the region over an array of N."""
    arrays = quick(region)

    def read(n: Array) -> Sizes:
        with np.errstate(all="ignore"):
            size = n.astype(float)
            epsilon = np.broadcast_to(arrays.floor(size), size.shape)
            ceiling = np.broadcast_to(arrays.ceiling(size), size.shape)
            possible = (n <= region.participants_ceiling) & (ceiling > 0) & np.isfinite(epsilon)
            room = np.where(possible, ceiling / np.maximum(epsilon, 5e-324), 0.0)
            cost = np.where(room >= 1, arrays.cost(size, epsilon), np.inf)
        return Sizes(n, epsilon, room, np.where(np.isnan(cost), np.inf, cost))

    return read


def _first(
    wanted: Callable[[Sizes], Array], read: Callable[[Array], Sizes], low: int, high: int
) -> int | None:
    """The least N in [low, high] that is wanted, as far as the grids see."""
    found = read(_grid(low, high))
    chosen = wanted(found)
    for _ in range(3):
        if chosen.any():
            break
        best = int(np.argmax(found.room))  # nearer to where the room is largest
        ends = found.n[max(best - 1, 0)], found.n[min(best + 1, len(found.n) - 1)]
        found = read(_grid(int(ends[0]), int(ends[1])))
        chosen = wanted(found)
    if not chosen.any():
        return None
    at = int(np.argmax(chosen))
    first, before = int(found.n[at]), int(found.n[at - 1]) if at else int(found.n[0])
    while first - before > _ONE_BY_ONE:
        found = read(_grid(before, first))
        at = int(np.argmax(wanted(found)))
        first, before = int(found.n[at]), int(found.n[max(at - 1, 0)])
    # teeth are as wide as the standard error of the sample, and flat where the noise is larger
    epsilon = float(read(np.array([first])).epsilon[0])
    reach = min(_FARTHEST, 8 + int(4 * first**0.5 * min(1.0, epsilon**2)))
    near = read(np.arange(max(low, before - reach), first + 1))
    return int(near.n[int(np.argmax(wanted(near)))])


def _least(
    value: Callable[[Sizes], Array], read: Callable[[Array], Sizes], low: int, high: int
) -> int:
    """The N in [low, high] at which `value` is least, as far as the grids see."""
    while True:
        found = read(_grid(low, high))
        worth = np.where(found.allowed, value(found), np.inf)
        best = int(np.argmin(worth))
        if high - low <= _ONE_BY_ONE:
            return int(found.n[best])
        low, high = int(found.n[max(best - 1, 0)]), int(found.n[min(best + 1, len(found.n) - 1)])


def _grid(low: int, high: int) -> Array:
    if high - low <= _ONE_BY_ONE:
        return np.arange(low, high + 1)
    return np.unique(np.rint(np.geomspace(low, high, _GRID)).astype(np.int64).clip(low, high))
