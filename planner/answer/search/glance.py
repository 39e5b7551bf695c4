"""About how good a survey is at one δ, by a glance at a few sizes: to choose δ by.

The least rates of a survey are the same at every δ. So they are read at sizes that are the same for
every δ, where they are kept, and only turned into ε again.
"""

import math
from typing import Literal

import numpy as np

from planner.answer.problem.problem import Problem
from planner.answer.problem.region import Region
from planner.answer.search.convex import Objective
from planner.answer.search.saw_tooth import quick_reader
from planner.numbers import WHOLE_LIMIT, Array

_RATIO, _MOST = 1.04, 2.0**40


def glance(
    problem: Problem,
    objective: Objective | Literal["room"],
    delta: float,
    delta_high: float | None = None,
) -> float:
    """About the least value, or the most room with its sign turned, at a δ; ∞ where none is.

    Over a cell of δ floors are read at its high end and costs at its low end: no δ is better.
    """
    regions = problem.regions(delta, delta_high)
    return min((_of(region, objective) for region in regions), default=math.inf)


def _of(region: Region, objective: Objective | Literal["room"]) -> float:
    last = int(min(region.participants_ceiling, WHOLE_LIMIT))
    if last < 1:
        return math.inf
    sizes = quick_reader(region)(_sizes(last))
    if objective == "room":
        most = float(np.max(sizes.room))
        return -math.log(most) if most > 0 else math.inf
    if not sizes.allowed.any():
        return math.inf
    if objective == "participants":
        return _first(sizes.n, sizes.room)
    values = sizes.cost if objective == "cost" else sizes.epsilon
    return float(np.min(values[sizes.allowed]))


def _sizes(last: int) -> Array:
    """Sizes up to the last one, even in their logarithms."""
    count = int(math.log(min(last, _MOST)) / math.log(_RATIO))
    sizes = np.rint(_RATIO ** np.arange(count + 1))
    return np.unique(np.append(sizes, float(last))).astype(np.int64)


def _first(n: Array, room: Array) -> float:
    """About where room is first enough, on a line between two sizes."""
    at = int(np.argmax(room >= 1))
    if not at or not room[at - 1] > 0:
        return float(n[at])
    before, here = np.log(room[at - 1]), np.log(room[at])
    return float(n[at] - (n[at] - n[at - 1]) * here / (here - before))
