"""The search over δ, by branch and bound.

With δ free the problem is not convex (design idea 2): more δ makes the mechanism more accurate
and the people dearer. A cell [δ low, δ high] is bounded by its relaxed region, which reads floors
at the high end and costs at the low end; cells are halved until the best plan found is within
1e-4 of what any cell could hold, and it is then polished. So where δ is free, a plan is the best
to about one part in ten thousand. Where accuracy saw-tooths in N cells have no bound, and δ is
searched on a grid that closes in, then polished.
"""

import heapq
import math
from typing import Literal

from planner.answer.problem.problem import Problem
from planner.answer.problem.region import Region
from planner.answer.search.convex import Aim, Objective, aim, whole_range
from planner.model import Budget, Population
from planner.numbers import round_down

_CLOSE = 1e-4
_MOST_CELLS = 4000
_LEAST_DELTA = 1e-300
_GRID, _REACH = 8, 1e-12
_ENDLESS = 2**30


def best_aim(problem: Problem, objective: Objective, tolerance: float) -> Aim | None:
    """Where the objective is best over δ, N and the rules of payment; None where nothing is."""
    low, high = problem.delta_bounds
    if low > high:
        return None
    if low == high or not problem.approximate:
        return _at(problem, objective, tolerance, low)
    if problem.saw_toothed:
        return _on_grids(problem, objective, tolerance)
    best = _branch_and_bound(problem, objective, tolerance, _CLOSE)
    return best and _polished(problem, objective, tolerance, *best)


def feasible(problem: Problem) -> bool:
    """Whether some δ, N and ε keep to every condition, in floats."""
    low, high = problem.delta_bounds
    if low > high:
        return False
    if low == high or not problem.approximate:
        if problem.on_grids:
            return _feasible_at(problem, low)
        return any(_allows(region) for region in problem.regions(low))
    if problem.saw_toothed and of_survey(problem):
        best = glanced_delta(problem, "room")
        return any(_feasible_at(problem, delta) for delta in (*best, *_grid(low, high)))
    if problem.saw_toothed:
        return any(_at(problem, "participants", 1.0, delta) for delta in _grid(low, high))
    return _branch_and_bound(problem, "participants", 1.0, 1.0) is not None


def _feasible_at(problem: Problem, delta: float) -> bool:
    """Whether some N and ε do at one δ, where they are searched on grids."""
    from planner.answer.search.saw_tooth import most_room, surely_feasible

    regions = problem.regions(delta)
    if any(surely_feasible(region) for region in regions):
        return True
    return any(most_room(region, enough=1.0)[0] >= 1 for region in regions)


def of_survey(problem: Problem) -> bool:
    """Whether its goal is a survey, whose splits are the same at every δ."""
    return any(goal.kind == "survey" for goal in problem.goals)


def glanced_delta(problem: Problem, objective: Objective | Literal["room"]) -> list[float]:
    """About the best δ of a survey, by a glance at a few sizes; none where it shows none."""
    from scipy.optimize import minimize_scalar

    from planner.answer.search.glance import glance

    low, high = problem.delta_bounds

    def value(log_delta: float) -> float:
        return glance(problem, objective, math.exp(log_delta))

    grid = [math.log(delta) for delta in _grid(low, high)]
    values = [value(x) for x in grid]
    best = min(range(len(grid)), key=values.__getitem__)
    if math.isinf(values[best]):
        return []
    ends = grid[min(best + 1, len(grid) - 1)], grid[max(best - 1, 0)]
    worst = abs(values[best]) * 10 + 1
    near = minimize_scalar(
        lambda x: min(value(x), worst), bounds=ends, method="bounded", options={"xatol": 3e-2}
    )
    return [min(math.exp(near.x if near.fun < values[best] else grid[best]), high)]


def margin(problem: Problem) -> float:
    """The logarithm of the most room that a study has, at a fixed δ where accuracy saw-tooths.

    It is at least 0 where some study keeps to every condition.
    """
    from planner.answer.search.saw_tooth import surely_feasible

    room, _ = roomiest(problem)
    if room < 1 and any(surely_feasible(region) for region in _regions(problem)):
        return math.inf
    return math.log(room) if room > 0 else -math.inf


def roomiest(problem: Problem, about: int = 0, spread: float = 0.0) -> tuple[float, int]:
    """The most room that a study has at a fixed δ where accuracy saw-tooths, and its N.

    Args:
        problem: the study.
        about: the N about which alone it is searched, by the quick floor; 0 for all.
        spread: how far about, as a fraction; at 0 that N is read with the certain floor.
    """
    from planner.answer.search.saw_tooth import most_room, room_about

    regions = _regions(problem)
    rooms = (room_about(r, about, spread) if about else most_room(r) for r in regions)
    return max(rooms, default=(0.0, 0))


def _regions(problem: Problem) -> list[Region]:
    """The regions at the fixed δ; none where no δ is allowed."""
    low, high = problem.delta_bounds
    return problem.regions(low) if low <= high else []


def _allows(region: Region) -> bool:
    if region.convex:
        return whole_range(region) is not None
    from planner.answer.search.falling import aim as aim_in_cells

    return aim_in_cells(region, "participants", 1.0) is not None


def split(low: float, high: float) -> float | None:
    """Where to halve a cell of δ: in the middle of its logarithms; None where it is a point."""
    middle = math.sqrt(low) * math.sqrt(high) if low else high * 1e-3
    return middle if middle > _LEAST_DELTA and low * (1 + 1e-12) < middle < high else None


def _at(
    problem: Problem, objective: Objective, tolerance: float, low: float, high: float | None = None
) -> Aim | None:
    aims = []
    for region in problem.regions(low, high):
        best_in = aim
        if problem.on_grids:
            from planner.answer.search.saw_tooth import aim as best_in
        elif not region.convex:
            from planner.answer.search.falling import aim as best_in
        aims.append(best_in(region, objective, tolerance))
    return min((a for a in aims if a), key=lambda a: a.value, default=None)


def _branch_and_bound(
    problem: Problem, objective: Objective, tolerance: float, close: float
) -> tuple[Aim, float] | None:
    """A plan within the fraction `close` of the best, and its δ; with 1 the first plan found."""
    low, high = problem.delta_bounds
    best, best_delta = _at(problem, objective, tolerance, high), high
    relaxed = _at(problem, objective, tolerance, low, high)
    cells = [(relaxed.value, low, high)] if relaxed else []
    for _ in range(_MOST_CELLS):
        if not cells or (best and cells[0][0] >= best.value * (1 - close)):
            break
        _, low, high = heapq.heappop(cells)
        middle = split(low, high)
        if middle is None:
            continue
        plan = _at(problem, objective, tolerance, middle)
        if plan and (best is None or plan.value < best.value):
            best, best_delta = plan, middle
        for cell in ((low, middle), (middle, high)):
            relaxed = _at(problem, objective, tolerance, *cell)
            if relaxed:
                heapq.heappush(cells, (relaxed.value, *cell))
    return (best, best_delta) if best else None


def _grid(low: float, high: float) -> list[float]:
    least = max(low, high * _REACH)
    return [max(least, high * _REACH ** (k / _GRID)) for k in range(_GRID + 1)]


def _on_grids(problem: Problem, objective: Objective, tolerance: float) -> Aim | None:
    """The best plan, as far as grids of δ see."""
    glanced = glanced_delta(problem, objective) if of_survey(problem) else []
    grid = glanced or _grid(*problem.delta_bounds)
    by_delta = {delta: _at(problem, objective, tolerance, delta) for delta in grid}
    plans = {delta: plan for delta, plan in by_delta.items() if plan}
    if not plans and glanced:  # at an edge a few sizes between those of the glance may be left
        grid = _grid(*problem.delta_bounds)
        by_delta = {delta: _at(problem, objective, tolerance, delta) for delta in grid}
        plans = {delta: plan for delta, plan in by_delta.items() if plan}
    if not plans:
        return None
    delta = min(plans, key=lambda d: plans[d].value)
    best = plans[delta]
    capped = any(isinstance(c, Population) for c in problem.conditions)
    if objective == "cost" and best.participants > _ENDLESS and not capped:
        # ever more people with ever less δ: the smallest study that costs little more
        near = problem.with_conditions(Budget(_lowered(problem, (1 + tolerance) * best.value)))
        fewest = _on_grids(near, "participants", tolerance)
        return fewest and fewest._replace(value=best.value, attained=False)
    if glanced:
        return _rounded(problem, objective, tolerance, best, delta)
    return _polished(problem, objective, tolerance, best, delta)


def _lowered(problem: Problem, money: float) -> float:
    return min([money, *(c.money for c in problem.conditions if isinstance(c, Budget))])


def _polished(
    problem: Problem, objective: Objective, tolerance: float, best: Aim, delta: float
) -> Aim:
    """The best plan near a good δ, at a δ with few digits."""
    from scipy.optimize import minimize_scalar

    if math.isinf(best.value):
        return best

    def value(log_delta: float) -> float:
        plan = _at(problem, objective, tolerance, math.exp(log_delta))
        # worse than any plan worth having, but finite: the search fits parabolas
        return min(plan.value if plan else math.inf, 10 * best.value + 1)

    exact = 3e-2 if problem.saw_toothed else 1e-6
    low, high = problem.delta_bounds
    reach = _REACH ** (-1 / _GRID) if problem.saw_toothed else 8
    bounds = (math.log(max(low, delta / reach)), math.log(min(high, delta * reach)))
    near = minimize_scalar(value, bounds=bounds, method="bounded", options={"xatol": exact})
    if near.fun < best.value:
        delta = math.exp(near.x)
        best = _at(problem, objective, tolerance, delta) or best
    return _rounded(problem, objective, tolerance, best, delta)


def _rounded(
    problem: Problem, objective: Objective, tolerance: float, best: Aim, delta: float
) -> Aim:
    """The best plan at a δ with few digits."""
    low, _ = problem.delta_bounds
    for digits in range(1, 17):
        rounded = _at(problem, objective, tolerance, max(low, round_down(delta, digits)))
        if rounded and rounded.value <= best.value * (1 + _CLOSE * (objective != "participants")):
            return rounded._replace(value=best.value)
    return best
