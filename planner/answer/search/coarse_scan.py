"""About how good a study is at one δ, by a glance at a few sizes: to choose δ by.

The least rates of noise are the same at every δ. So they are read at sizes that are the same for
every δ, where they are kept, and only turned into ε again.
"""

import math
from collections.abc import Sequence
from typing import Literal

from planner.answer.problem.problem import Problem
from planner.answer.problem.region import Region
from planner.answer.search.convex import Objective
from planner.answer.search.sizes import Sizes, quick_reader
from planner.libraries import np, scipy
from planner.numbers import WHOLE_LIMIT, Array

Sought = Objective | Literal["room"]
_RATIO, _BITS = 1.04, 40  # sizes 4 % apart, up to 2^40
_MOST = 2.0**_BITS  # larger ones double
_GRID, _REACH = 8, 1e-12  # values of δ, over twelve powers of ten
_CLOSE, _CLOSER = 3e-2, 3e-3
"""How closely the logarithm of δ is found, and where the sizes are those of good plans."""


def coarse_scan(
    problem: Problem,
    sought: Sought,
    delta: float,
    sizes: Sequence[int] | None = None,
    delta_high: float | None = None,
) -> float:
    """About the least value, or the most room with its sign turned, at a δ; ∞ where none is.

    Over a cell of δ floors are read at its high end and costs at its low end: no δ is better.
    """
    regions = problem.regions(delta, delta_high)
    return min((_of(region, sought, sizes) for region in regions), default=math.inf)


def coarse_delta(problem: Problem, sought: Sought) -> list[float]:
    """About the best δ, by a glance at a few sizes; none where it shows none."""
    return _best(problem, sought, delta_grid(*problem.delta_bounds))


def delta_beside(problem: Problem, sought: Sought, delta: float, sizes: Sequence[int]) -> float:
    """The best δ of these sizes about a good one."""
    low, high = problem.delta_bounds
    reach = _REACH ** (1 / _GRID)
    beside = [min(delta / reach, high), delta, max(delta * reach, low)]
    return next(iter(_best(problem, sought, beside, sizes)), delta)


def delta_grid(low: float, high: float) -> list[float]:
    """Values of δ, the largest first, even in their logarithms."""
    least = max(low, high * _REACH)
    return [max(least, high * _REACH ** (k / _GRID)) for k in range(_GRID + 1)]


def _best(
    problem: Problem, sought: Sought, deltas: list[float], sizes: Sequence[int] | None = None
) -> list[float]:
    """The best of some δ, refined between its neighbours; none where none is allowed."""

    def value(log_delta: float) -> float:
        return coarse_scan(problem, sought, math.exp(log_delta), sizes)

    grid = [math.log(delta) for delta in deltas]
    values = [value(x) for x in grid]
    best = min(range(len(grid)), key=values.__getitem__)
    if math.isinf(values[best]):
        return []
    ends = grid[min(best + 1, len(grid) - 1)], grid[max(best - 1, 0)]
    worst = abs(values[best]) * 10 + 1
    near = scipy.optimize.minimize_scalar(
        lambda x: min(value(x), worst),
        bounds=ends,
        method="bounded",
        options={"xatol": _CLOSE if sizes is None else _CLOSER},
    )
    nearer = min(math.exp(near.x), problem.delta_bounds[1])
    return [nearer if near.fun < values[best] else deltas[best]]


def _of(region: Region, sought: Sought, sizes: Sequence[int] | None) -> float:
    last = int(min(region.participants_ceiling, WHOLE_LIMIT))
    if last < 1:
        return math.inf
    read = quick_reader(region)
    if sizes is not None:
        return _best_of(read(np.array(sizes)), sought)[0]
    sizes_up_to = _sizes(last)
    best, at = _best_of(read(sizes_up_to), sought)
    if at < len(sizes_up_to) - 1 or sizes_up_to[at] == last:
        return best
    # the last size itself is another one for each amount of money, with a floor of its own
    return min(best, _best_of(read(np.array([sizes_up_to[at], last])), sought)[0])


def _best_of(read: Sizes, sought: Sought) -> tuple[float, int]:
    """The value of what is sought, and where it is best; at the end where nothing is allowed."""
    if sought == "room":
        at = int(np.argmax(read.room))
        return (-math.log(read.room[at]), at) if read.room[at] > 0 else (math.inf, len(read.n) - 1)
    if not read.allowed.any():
        return math.inf, len(read.n) - 1
    if sought == "participants":
        return _first(read.n, read.room), int(np.argmax(read.allowed))
    values = np.where(read.allowed, read.cost if sought == "cost" else read.epsilon, np.inf)
    at = int(np.argmin(values))
    return float(values[at]), at


def _sizes(last: int) -> Array:
    """Sizes up to the last one, even in their logarithms, and few that are huge."""
    count = int(math.log(min(last, _MOST)) / math.log(_RATIO))
    sizes = np.rint(_RATIO ** np.arange(count + 1))
    larger = _MOST * 2.0 ** np.arange(1, max(last.bit_length() - _BITS, 1))
    return np.unique(np.concatenate([sizes, larger])).astype(np.int64)


def _first(n: Array, room: Array) -> float:
    """About where room is first enough, on a line between two sizes."""
    at = int(np.argmax(room >= 1))
    if not at or not room[at - 1] > 0:
        return float(n[at])
    before, here = np.log(room[at - 1]), np.log(room[at])
    return float(n[at] - (n[at] - n[at - 1]) * here / (here - before))
