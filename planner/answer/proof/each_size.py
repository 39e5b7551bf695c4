"""Proof in ball arithmetic that no study of any size is accurate, under an exact analysis.

Ranges of N are excluded by what noise alone asks, or by a bound that holds for every size in the
range; sizes that are left are excluded one by one, at every ε between the least that noise alone
allows and the lowest ceiling. Over a cell of δ (`boxes`) floors are read at the largest δ and
ceilings at the least, so every study has a noise between those that are looked at.
"""

from dataclasses import replace

from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import Problem
from planner.answer.problem.region import Region
from planner.numbers import WHOLE_LIMIT, Number

FEW_SIZES, MANY_SIZES = 2_000, 20_000
"""Steps after which a proof size by size, or box by box, is given up, at first and in the end."""


def each_size_excluded(problem: Problem, sizes: int = MANY_SIZES) -> str | None:
    """The argument that excludes every size at one δ, or None where it does not succeed."""
    low, high = problem.delta_bounds
    if len(problem.goals) != 1 or (problem.uses_delta and low < high):
        return None
    regions = problem.regions(low)
    all_excluded = all(_excluded(region, problem.goals[0], sizes) for region in regions)
    return "each size" if all_excluded else None


def _excluded(region: Region, goal: Goal, sizes: int) -> bool:
    others = replace(region, conditions=tuple(c for c in region.conditions if c is not goal))
    balls = others.in_balls()
    last = _last(region, balls, goal)
    if last is None:
        return False
    n, step, grows = last, 1, True  # from above, as what many people miss fewer miss too
    for _ in range(sizes):
        if n < 1:
            return True
        start = max(1, n - step + 1)
        if range_excluded(start, n, balls, goal):
            n, step, grows = start - 1, 2 * step if grows else step, True
        elif step > 1:
            step, grows = step // 2, False
        elif size_excluded(n, balls, goal):
            n -= 1
        else:
            return False
    return False


def _last(region: Region, balls: Region, goal: Goal) -> int | None:
    """The size beyond which the noise alone asks for more signal than any study can have."""
    if region.participants_ceiling <= WHOLE_LIMIT:
        return int(region.participants_ceiling)
    last = 1
    while last < WHOLE_LIMIT and not _n_epsilon_from(last, balls, goal) > balls.n_epsilon_room_from(
        last
    ):
        last *= 2
    return last if last < WHOLE_LIMIT else None


def _n_epsilon_from(n: int, balls: Region, goal: Goal) -> Number:
    return goal.floor.n_epsilon(n, balls.system.number(balls.delta_high))


def _noise_floor(n: int, balls: Region, goal: Goal) -> Number:
    number = balls.system.number
    spread = _n_epsilon_from(n, balls, goal) / number(n)
    return balls.system.maximum(spread, goal.floor.noise_alone(number(n), number(balls.delta_high)))


def range_excluded(least: int, most: int, others: Region, goal: Goal) -> bool:
    """Whether every N in a range surely has no ε in a region of the other conditions; balls."""
    ceiling = others.ceiling(others.system.number(least))  # ceilings never rise with N
    if ceiling < _noise_floor(most, others, goal):
        return True
    delta = others.system.number(others.delta_high)
    return goal.floor.certify_missed_sizes(ceiling, least, most, delta)


def size_excluded(n: int, others: Region, goal: Goal) -> bool:
    """Whether one N surely has none."""
    number = others.system.number
    size = number(n)
    least, floor = _noise_floor(n, others, goal), others.floor(size)
    most, delta = others.ceiling(size), number(others.delta_high)
    if most < floor:
        return True
    if others.delta_low == others.delta_high:  # with less δ the same ε goes with more noise
        least = others.system.maximum(least, floor)
    return bool(most < least) or goal.floor.certify_missed(least, most, n, delta)
