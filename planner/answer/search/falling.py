"""The best N where floors and ceilings fall with N, and nothing more is known of them.

So it is where people are paid for events whose risk stops at certainty: the compensation is neither
convex nor concave in ε, and the sizes that are allowed need not lie together. So it is without a
curator too, where N·ε grows with N. A cell [a, b] of sizes holds none if the floor at b is over the
ceiling at a, and none of its studies costs less than a people at the floor of b; cells are cut
until what is left cannot matter.
"""

from collections.abc import Callable
from dataclasses import replace

from planner import numbers
from planner.answer.problem.region import Region
from planner.answer.search.convex import Aim, Objective, with_budget
from planner.libraries import np
from planner.numbers import WHOLE_LIMIT, Array

_CLOSE = (1e-9, 1e-6, 1e-4)  # of the best cost, as a part
ENDLESS = 1e-7
"""Where no study is this fraction cheaper than ever larger ones, ever larger ones are the best."""
_MOST_CELLS = 20_000  # before the best plan so far is taken
_MOST_ROUNDS = 400  # of cells cut in two
_FEW, _PARTS = 200, 16
"""So few cells are cut in more parts than two, as an array costs little more than a number."""


def aim(region: Region, objective: Objective, tolerance: float) -> Aim | None:
    """Where the objective is best, or None where nothing is allowed."""
    arrays = replace(region, system=numbers.arrays())
    last = int(min(region.participants_ceiling, WHOLE_LIMIT))
    fewest = _least(arrays, last, _size)
    if fewest is None:
        return None
    if objective == "participants":
        return Aim(fewest, True, region, fewest)
    if objective == "epsilon":
        if last >= WHOLE_LIMIT:  # ever more people, ever less ε
            return Aim(0.0, False, region, fewest)
        most = _least(arrays, last, _floor)
        return Aim(region.floor(most), True, region, most, -1) if most else None
    if not region.person.paid_for_epsilon:
        return Aim(region.cost_at_floor(fewest), True, region, fewest)
    best = _least(arrays, last, _cost) or fewest
    cost = region.cost_at_floor(best)
    endless = region.participants_ceiling > WHOLE_LIMIT and region.entry_cost == 0
    if endless and not region.n_epsilon_grows:
        signal = region.n_epsilon_floor(WHOLE_LIMIT)
        infimum = region.person.n_epsilon_cost(signal) + region.costs.overhead
        if infimum <= cost * (1 + ENDLESS):  # more people and less ε is cheaper without end
            near = with_budget(region, (1 + tolerance) * infimum)
            few = _least(replace(near, system=numbers.arrays()), last, _size)
            return Aim(infimum, False, near if few else region, few or best)
    return Aim(cost, True, region, best)


def bounds(region: Region) -> tuple[int, int] | None:
    """The least and the largest N, up to 2^53, at which the region allows some ε."""
    arrays = replace(region, system=numbers.arrays())
    last = int(min(region.participants_ceiling, WHOLE_LIMIT))
    fewest = _least(arrays, last, _size)
    most = _least(arrays, last, lambda region, low, high: -high.astype(float))
    return None if fewest is None or most is None else (fewest, most)


def _size(region: Region, low: Array, high: Array) -> Array:
    return low.astype(float)


def _floor(region: Region, low: Array, high: Array) -> Array:
    return np.broadcast_to(region.floor(high.astype(float)), high.shape)


def _cost(region: Region, low: Array, high: Array) -> Array:
    """The least cost of low people or more at the floor of high, by both of two bounds."""
    n, end = low.astype(float), high.astype(float)
    epsilon = np.broadcast_to(region.floor(end), end.shape)
    cost = region.cost(n, epsilon)
    if region.payments_fall:  # so all of them are paid what the last are
        sure = region.person.least_compensation(region.delta_low)
        paid = end * (region.person.compensation(epsilon, region.delta_low) - sure)
        entry = region.costs.recruiting(numbers.FLOATS) + sure
        return np.fmax(cost, n * entry + paid + region.costs.overhead)
    return cost


def _least(region: Region, last: int, bound: Callable[[Region, Array, Array], Array]) -> int | None:
    """The allowed N in [1, last] at which the objective is least; None where none is found."""
    if last < 1:
        return None
    low = 2 ** np.arange(last.bit_length(), dtype=np.int64)
    high = np.minimum(2 * low - 1, last)
    best, value = None, np.inf
    with np.errstate(all="ignore"):
        for _ in range(_MOST_ROUNDS):
            possible = region.floor(high.astype(float)) <= region.ceiling(low.astype(float))
            low, high = low[_all(possible, low)], high[_all(possible, low)]
            # both are nearly in order, which a stable sort uses and np.unique does not
            sizes = np.sort(np.concatenate([low, high]), kind="stable")
            sizes = sizes[np.diff(sizes, prepend=0) > 0]
            worth = _at(region, sizes, bound)
            if worth.size and worth.min() < value:
                best, value = int(sizes[worth.argmin()]), float(worth.min())
            close = _CLOSE[int(np.searchsorted([_MOST_CELLS, 4 * _MOST_CELLS], low.size))]
            open_ = (high - low > 1) & (
                bound(region, low, high) < value - close * (abs(value) if np.isfinite(value) else 0)
            )
            low, high = low[open_], high[open_]
            if not low.size or low.size > 16 * _MOST_CELLS:
                break
            low, high = _cut(low, high, _PARTS if low.size <= _FEW else 2)
    return best


def _cut(low: Array, high: Array, parts: int) -> tuple[Array, Array]:
    ends = low[:, None] + (high - low)[:, None] * np.arange(parts + 1) // parts
    low, high = ends[:, :-1].ravel(), ends[:, 1:].ravel()
    return low[high > low], high[high > low]


def _all(chosen: Array, like: Array) -> Array:
    return np.broadcast_to(chosen, like.shape)


def _at(region: Region, n: Array, bound: Callable[[Region, Array, Array], Array]) -> Array:
    """The objective at sizes, ∞ where they are not allowed."""
    size = n.astype(float)
    floor, ceiling = region.floor(size), region.ceiling(size)
    allowed = (floor <= ceiling) & (ceiling > 0) & np.isfinite(floor)
    return np.where(_all(allowed, n), bound(region, n, n), np.inf)
