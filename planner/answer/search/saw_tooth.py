"""The best N under an exact analysis, whose failure probability saw-tooths in N.

The exception of design idea 1: the floor is the least allowed ε, it need not fall with N, and no
bisection over N is exact. So N is searched on grids that close in, and then one by one; what every
study can do without, as if samples were perfect, is convex and bounds the search. What is found is
a proposal of its own: the approximate floor is that of a few means, which is never too high, so the
sizes it names are read again with the certain floor, best first, until one is as good as all that
are left could be.
"""

import math
import sys
from collections.abc import Callable, Iterator
from itertools import islice

from planner.answer.problem.goal import Goal
from planner.answer.problem.region import Region
from planner.answer.search import falling
from planner.answer.search.convex import Aim, Objective, first, whole_range
from planner.answer.search.grids import (
    ALIKE,
    ONE_BY_ONE,
    POINTS,
    alike,
    closing_in,
    grid,
    interval,
)
from planner.answer.search.sizes import Sizes, floors_by, quick_reader, reader
from planner.libraries import np
from planner.numbers import WHOLE_LIMIT, Array

_FARTHEST = 2000  # four standard errors of the count, 4·√N, at N = 250,000
_MOST_READ = 100
"""Of so many sizes the certain floor is read before a search is given up."""
# in large studies, where each certain floor takes as long as a proof: sizes kept beside the best,
# and sizes read before some are tried
_MOST_OTHERS, _FEW = 8, 4
NEARLY = 1e-6
"""Certain floors are too high by less than this fraction, but in large studies: where they leave so
little too little room, there may be a proof."""
_MOST_IDLE, _LITTLE = 6, 1e-10
"""So many readings that add so little room, as a fraction, end a search for the most."""


def aim(region: Region, objective: Objective, tolerance: float) -> Aim | None:
    """Where the objective is best in a saw-toothed region, or None where nothing is found."""
    perfect = floors_by(region, "noise_alone")
    convex = not region.n_epsilon_grows
    bounds = _whole_range(perfect) if convex else falling.bounds(perfect)
    if bounds is None:
        return None
    least, most = bounds
    last = int(min(most, WHOLE_LIMIT))
    paid = region.person.paid_for_epsilon
    endless = infimum(region) if objective == "cost" else None
    best = None
    if objective == "cost" and paid and not (endless is not None and convex):
        best = _least_from_first(lambda sizes: sizes.cost, region, least, last)
    elif objective == "epsilon" and last < WHOLE_LIMIT:
        best = _least_from_first(lambda sizes: sizes.epsilon, region, least, last)
    if best is not None and (endless is None or endless > best.value * (1 + falling.ENDLESS)):
        return best
    if endless is not None:  # where it is convex more people and less ε is cheaper without end
        sufficient = (1 + tolerance) * endless
        near = _first(lambda sizes: sizes.cost <= sufficient, region, least, last)
        if near is not None:
            return Aim(endless, False, region, near)
    fewest = _first(lambda sizes: sizes.allowed, region, least, last)
    if fewest is None:  # at an edge there may be a proof where certain floors leave no room
        room, roomiest = most_room(region, certain=True, sufficient=1.0)
        return _aim_at(roomiest, region, objective) if room > 1 - NEARLY else None
    if objective == "participants":
        return Aim(fewest, True, region, fewest)
    if objective == "epsilon" and last >= WHOLE_LIMIT:  # ever more people, ever less ε
        return Aim(0.0, False, region, fewest)
    if endless is not None:
        return Aim(endless, False, region, fewest)
    return _aim_at(fewest, region, objective)


def _whole_range(region: Region) -> tuple[int, float] | None:
    """The same as `whole_range`, over arrays, which cost little more than numbers."""
    most = region.participants_ceiling
    if not 1 <= most < math.inf:
        return whole_range(region)
    read = reader(region)
    # all that is allowed may lie between two sizes of a grid
    return interval(lambda n: read(n).allowed, min(int(most), WHOLE_LIMIT)) or whole_range(region)


def _least_from_first(
    value: Callable[[Sizes], Array], region: Region, low: int, high: int
) -> Aim | None:
    """`_least` among all sizes; where no grid sees any allowed, from the first that is."""
    read = quick_reader(region)
    if read(grid(low, high)).allowed.any():
        return _least(value, region, low, high)
    start = _first_quick(lambda sizes: sizes.allowed, read, low, high)
    return None if start is None else _least(value, region, start, high)


def _aim_at(n: int, region: Region, objective: Objective) -> Aim:
    epsilon = min(float(region.floor(n)), float(region.ceiling(n)))
    value = {"participants": n, "epsilon": epsilon, "cost": region.cost(n, epsilon)}[objective]
    return Aim(min(float(value), sys.float_info.max), True, region, n)


def most_room(
    region: Region, certain: bool = False, sufficient: float = math.inf
) -> tuple[float, int]:
    """The largest ceiling over floor, as far as the grids see, and its N; allowed from 1 on.

    The approximate floor is never too high, and close but for a handful of people. If `certain`,
    the sizes with the most room by it are read again with the certain floor, until one has
    `sufficient`, or as much as all that are left; in large studies the two are as good as alike.
    """
    last = int(min(region.participants_ceiling, WHOLE_LIMIT))
    if last < 1:
        return 0.0, 0
    read = quick_reader(region)

    def lacking(n: Array) -> Array:
        sizes, at = np.unique(np.minimum(n, last), return_inverse=True)
        return -read(sizes).room[at]

    # grids that are the same whatever the cap on N: their floors are computed once
    largest = min(2 ** last.bit_length(), WHOLE_LIMIT)
    sizes, lack = closing_in(lacking, 1, largest, _oscillation_period(region))
    sizes, at_sizes = np.unique(np.minimum(sizes, last), return_index=True)
    room = -lack[at_sizes]
    best = int(np.argmax(room))
    if not certain or room[best] < 1 or sizes[best] >= ALIKE:
        return float(room[best]), int(sizes[best])
    again, found, idle = reader(region), (0.0, 0), 0
    for at in np.argsort(-room)[:_MOST_READ]:
        hopeless = room[at] < sufficient < math.inf or room[at] <= found[0]
        if hopeless or found[0] >= sufficient or idle == _MOST_IDLE:
            break
        before = found[0]
        found = max(found, (float(again(sizes[at : at + 1]).room[0]), int(sizes[at])))
        # ever larger studies have as much room: where some do, these need not all be read
        idle = idle + 1 if 1 <= found[0] <= before * (1 + _LITTLE) else 0
    return found


def _oscillation_period(region: Region) -> Callable[[int], int]:
    """How far from the best size of a grid a better one may lie, as the floors say too."""
    floors = [goal.floor for goal in region.conditions if isinstance(goal, Goal)]
    return lambda n: max(min(ONE_BY_ONE, math.isqrt(n)), *(f.ripple(n).reach for f in floors))


def infimum(region: Region) -> float | None:
    """What ever more people with ever less ε cost in the end; None where nothing says so."""
    endless = region.participants_ceiling == np.inf and region.entry_cost == 0
    if region.n_epsilon_grows or not (endless and region.person.paid_for_epsilon):
        return None
    return float(region.person.n_epsilon_cost(_last_n_epsilon(region)) + region.costs.overhead)


def certify_feasible(region: Region) -> bool:
    """Whether a bound on the failure probability shows at once that some study is allowed."""
    last = int(min(region.participants_ceiling, WHOLE_LIMIT))
    by_bound = reader(floors_by(region, "sufficient"))
    return last >= 1 and bool(by_bound(grid(1, last)).allowed.any())


def _last_n_epsilon(region: Region) -> float:
    asked = [
        goal.floor.n_epsilon(WHOLE_LIMIT, region.delta_high)
        for goal in region.conditions
        if isinstance(goal, Goal)
    ]
    return float(max(region.n_epsilon_floor(), *asked))


def _first(wanted: Callable[[Sizes], Array], region: Region, low: int, high: int) -> int | None:
    """The least N in [low, high] that is wanted, as far as the grids see."""
    read, certain = quick_reader(region), reader(region)
    start = _first_quick(wanted, read, low, high)
    unread, skip, failed = _MOST_READ, 0, low - 1

    def holds(n: int) -> bool:
        return bool(wanted(certain(np.array([n])))[0])

    while start is not None and start <= high and unread > 0:
        few = ONE_BY_ONE if start < ALIKE else _FEW
        block = np.arange(start, min(start + few, high + 1))
        start, tried = int(block[-1]) + 1, unread
        for n in islice(_hopeful(wanted, read, block), unread):
            if holds(n):
                return _between(holds, failed, n) if skip else n
            unread, failed = unread - 1, n
            skip = 2 * skip or n // ALIKE
            if skip:
                start = n + 1 + skip
                break
        unread -= unread == tried
    return None


def _hopeful(
    wanted: Callable[[Sizes], Array], read: Callable[[Array], Sizes], block: Array
) -> Iterator[int]:
    """The sizes of a block that are wanted by the approximate floor, read as they are asked for."""
    for at in range(0, len(block), POINTS):
        part = block[at : at + POINTS]
        yield from map(int, part[wanted(read(part))])


def _between(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Where it first holds in (low, high], as if it then held on; in large studies about there."""
    unit = alike(high)
    steps = -(-(high - low) // unit)
    return min(high, low + unit * first(lambda k: holds(min(high, low + unit * k)), 1, steps))


def _first_quick(
    wanted: Callable[[Sizes], Array], read: Callable[[Array], Sizes], low: int, high: int
) -> int | None:
    sizes = read(grid(low, high))
    chosen = wanted(sizes)
    for _ in range(3):
        if chosen.any():
            break
        best = int(np.argmax(sizes.room))  # nearer to where the room is largest
        ends = sizes.n[max(best - 1, 0)], sizes.n[min(best + 1, len(sizes.n) - 1)]
        sizes = read(grid(int(ends[0]), int(ends[1])))
        chosen = wanted(sizes)
    if not chosen.any():
        return None
    at = int(np.argmax(chosen))
    first, before = int(sizes.n[at]), int(sizes.n[at - 1]) if at else int(sizes.n[0])
    while first - before > ONE_BY_ONE:
        sizes = read(grid(before, first))
        at = int(np.argmax(wanted(sizes)))
        first, before = int(sizes.n[at]), int(sizes.n[max(at - 1, 0)])
    # teeth are as wide as the standard error of the sample, and flat where the noise is larger
    epsilon = float(read(np.array([first])).epsilon[0])
    reach = min(_FARTHEST, 8 + int(4 * first**0.5 * min(1.0, epsilon**2)))
    near = read(np.arange(first, max(low, before - reach) - 1, -alike(first))[::-1])
    return int(near.n[int(np.argmax(wanted(near)))])


def _least(value: Callable[[Sizes], Array], region: Region, low: int, high: int) -> Aim | None:
    """The N in [low, high] at which `value` is least, as far as the grids see."""
    read, certain = quick_reader(region), reader(region)
    sizes, worth = closing_in(
        lambda n: _worth(read(n), value), low, high, _oscillation_period(region)
    )
    order = np.argsort(worth)[: int(np.isfinite(worth).sum())]
    sure = np.full(worth.shape, np.inf)
    large = int(sizes[0]) >= ALIKE
    sufficient, most = (_MOST_OTHERS, 2 * _MOST_OTHERS) if large else (_MOST_READ, _MOST_READ)
    for at in order[:most]:
        if worth[at] >= sure.min() or np.isfinite(sure).sum() >= sufficient:
            break
        read_again = certain(sizes[at : at + 1])
        sure[at] = _worth(read_again, value)[0]
    best = int(np.argmin(sure))
    if np.isinf(sure[best]):
        return None
    found, others = int(sizes[best]), [int(n) for n in sizes[order] if n != sizes[best]]
    step = -1 if found == high else 1
    least = float(sure[best]) if sure[best] < sys.float_info.max else np.inf
    return Aim(least, True, region, found, step, tuple(others[:_MOST_OTHERS]))


def _worth(sizes: Sizes, value: Callable[[Sizes], Array]) -> Array:
    """The value where a study is allowed, finite even where no money pays for it; else ∞."""
    return np.where(sizes.allowed, np.minimum(value(sizes), sys.float_info.max), np.inf)
