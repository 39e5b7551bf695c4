"""Proof in ball arithmetic that no study exists where δ is free and accuracy saw-tooths in N.

A box is a range [a, b] of N with a cell of δ, which conditions on δ·N cut to what a people may
have. In it nobody is paid less than at the least δ, and no study has more ε than a people can pay
for there; less noise than at that ε and the largest δ is not private. So the box holds no study
where every N in [a, b] misses with any noise from there on (`each_size`). Boxes are halved, in N or
in δ, whichever lowers what noise alone asks the more, until all are excluded.
"""

import math
from math import inf
from typing import NamedTuple

from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import Problem
from planner.answer.problem.region import Region
from planner.answer.proof.each_size import range_excluded, size_excluded
from planner.numbers import WHOLE_LIMIT

_MOST_BOXES = 6_000
"""They grow as one over what is missing, 500 at a budget two per cent too small: so many take about
ten seconds."""
_MOST_SIZES = 500
"""Where so many sizes had to be looked at by themselves, ranges of them are of little use: others
would follow by thousands, some milliseconds each."""
_LEAST_DELTA = 1e-300  # smaller δ are 0
_LITTLE = 1e-4
"""Where halving δ lowers what one size asks by no more than this part of ε, it is given up: money
that is so close to enough is about as close as plans are searched at a free δ."""


class Box(NamedTuple):
    """Studies of [least, most] people with δ in [low, high]."""

    least: int
    most: int
    low: float
    high: float


def in_boxes(problem: Problem) -> bool:
    """Whether a problem is one of boxes: δ is free, N is not, and ranges of N can be excluded."""
    low, high = problem.delta_bounds
    free = problem.uses_delta and low < high
    ranges = [goal.floor.excludes_ranges for goal in problem.goals] == [True]
    return free and ranges and _last(problem) < inf


def boxes_excluded(problem: Problem, sizes: int = _MOST_BOXES) -> str | None:
    """The argument that excludes every box, or None where it does not succeed."""
    (goal,), others, last = problem.goals, problem.without(*problem.goals), _last(problem)
    boxes = [Box(1, int(last), *problem.delta_bounds)] if last >= 1 else []
    alone = 0
    for _ in range(min(sizes, _MOST_BOXES)):
        if not boxes:
            return "ranges of N and δ"
        box = boxes.pop()
        alone += box.least == box.most
        box = box._replace(high=min(box.high, others.delta_ceiling(box.least)))
        regions = others.regions(box.low, max(box.low, box.high))
        if all(_excluded(box, region, goal) for region in regions):
            continue
        halves = _halves(box, goal)
        if halves is None or alone > _MOST_SIZES:
            return None
        boxes += halves
    return None


def _last(problem: Problem) -> float:
    """The largest N that any δ allows, ∞ if it is no whole number that floats tell apart."""
    regions = problem.without(*problem.goals).regions(*problem.delta_bounds)
    last = max((region.participants_ceiling for region in regions), default=0.0)
    return last if last <= WHOLE_LIMIT else inf


def _excluded(box: Box, region: Region, goal: Goal) -> bool:
    """Whether the box is certain to hold no study with this rule of payment."""
    most = int(min(box.most, region.participants_ceiling))
    if most < box.least:
        return True
    balls = region.in_balls()
    if most == box.least:
        return size_excluded(most, balls, goal)
    return range_excluded(box.least, most, balls, goal)


def split(low: float, high: float) -> float | None:
    """Where to halve a cell of δ: in the middle of its logarithms; None where it is a point."""
    middle = math.sqrt(low) * math.sqrt(high) if low else high * 1e-3
    return middle if middle > _LEAST_DELTA and low * (1 + 1e-12) < middle < high else None


def _halves(box: Box, goal: Goal) -> list[Box] | None:
    """The box in two; None where that is no use."""
    least, most, low, high = box
    middle = split(low, high) if low < high else None
    size = (least + most) // 2 if most < 4 * least else 2 * least

    def more(n: int, delta: float) -> float:
        """By what factor noise alone asks for more ε."""
        return float(
            goal.floor.noise_alone(float(n), delta) / goal.floor.noise_alone(float(most), high)
        )

    by_delta = more(most, middle) if middle is not None else 1.0
    if least == most:
        if middle is None or not by_delta > 1 + _LITTLE:
            return None
    elif middle is None or more(size, high) >= by_delta:
        return [box._replace(most=size), box._replace(least=size + 1)]
    return [box._replace(high=middle), box._replace(low=middle)]
