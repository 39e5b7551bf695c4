"""The search over δ, by branch and bound.

With δ free the problem is not convex (design idea 2): more δ makes the mechanism more accurate
and the people dearer. A cell [δ low, δ high] is bounded by its relaxed region, which reads floors
at the high end and costs at the low end; cells are halved until the best plan found is within
1e-4 of what any cell could hold, and it is then polished. So where δ is free, a plan is the best
to about one part in ten thousand. Where accuracy saw-tooths in N cells have no bound: δ is chosen
by a coarse scan of a few sizes, whose least rates of noise are the same at every δ, then N is
searched at that δ, and δ once more at the best N, until neither changes.
"""

import heapq
import math
from collections.abc import Sequence
from typing import Literal

from planner.answer.problem.problem import Problem
from planner.answer.problem.region import Region
from planner.answer.search.convex import Aim, Objective, aim, whole_range
from planner.answer.search.falling import aim as falling_aim
from planner.answer.search.saw_tooth import (
    aim as saw_toothed_aim,
    certify_feasible,
    most_room,
)
from planner.answer.search.sizes import Sizes, quick_reader, reader
from planner.libraries import np, scipy
from planner.model import Budget, MaxParticipants
from planner.numbers import FLOATS, WHOLE_LIMIT, Array, round_down

_CLOSE = 1e-4  # of the best cost, as a part
_MOST_CELLS = 4000  # before the best plan so far is taken
_LEAST_DELTA = 1e-300  # smaller δ are 0
_ENDLESS = 2**30  # more people only approach an infimum
# δ and N in turn; when ln δ has settled; room in which N moves with δ
_MOST_ROUNDS, _SETTLED, _LITTLE_ROOM = 4, 1e-2, 1.2
Sought = Objective | Literal["room"]
_RATIO, _BITS = 1.04, 40  # sizes 4 % apart, up to 2^40
_MOST = 2.0**_BITS  # larger ones double
_GRID, _REACH = 8, 1e-12  # values of δ, over twelve powers of ten
_DIGITS = 15  # fewer than a double has
_NEAR, _NEARER = 3e-2, 3e-3
"""How closely the logarithm of δ is found, and where the sizes are those of good plans."""


def best_aim(problem: Problem, objective: Objective, tolerance: float) -> Aim | None:
    """Where the objective is best over δ, N and the rules of payment; None where nothing is."""
    low, high = problem.delta_bounds
    if low > high:
        return None
    if low == high or not problem.uses_delta:
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
    if low == high or not problem.uses_delta:
        return _feasible_at(problem, low)
    if problem.saw_toothed and of_survey(problem):
        best = coarse_delta(problem, "room")
        return any(_feasible_at(problem, delta) for delta in (*best, *delta_grid(low, high)))
    if problem.saw_toothed:
        return _feasible_delta(problem) is not None
    return _branch_and_bound(problem, "participants", 1.0, 1.0) is not None


def _feasible_at(problem: Problem, delta: float) -> bool:
    """Whether some N and ε keep to every condition at one δ."""
    return _room_at(problem, delta)[0] >= 1


def _room_at(problem: Problem, delta: float) -> tuple[float, int]:
    """Enough room at one δ, and its N, or the most that there is; ∞ where some is certain."""
    regions = problem.regions(delta)
    certain = certify_feasible if problem.on_grids else _allows
    if any(certain(region) for region in regions):
        return math.inf, 0
    searched = regions if problem.on_grids else []
    return max((most_room(region, True, sufficient=1.0) for region in searched), default=(0.0, 0))


def of_survey(problem: Problem) -> bool:
    """Whether its goal is a survey, whose splits are the same at every δ."""
    return any(goal.kind == "survey" for goal in problem.goals)


def margin(problem: Problem, certain: bool = False) -> float:
    """The logarithm of the most room that a study has, at a fixed δ where accuracy saw-tooths.

    It is at least 0 where some study keeps to every condition, by the certain or the approximate
    floor.
    """
    room, _ = roomiest(problem, certain)
    if room < 1 and any(certify_feasible(region) for region in _regions(problem)):
        return math.inf
    return math.log(room) if room > 0 else -math.inf


def roomiest(problem: Problem, certain: bool = False) -> tuple[float, int]:
    """The most room that a study has at a fixed δ where accuracy saw-tooths, and its N."""
    return max((most_room(r, certain) for r in _regions(problem)), default=(0.0, 0))


def _regions(problem: Problem) -> list[Region]:
    """The regions at the fixed δ; none where no δ is allowed."""
    low, high = problem.delta_bounds
    return problem.regions(low) if low <= high else []


def _allows(region: Region) -> bool:
    if region.convex:
        return whole_range(region) is not None
    return falling_aim(region, "participants", 1.0) is not None


def split(low: float, high: float) -> float | None:
    """Where to halve a cell of δ: in the middle of its logarithms; None where it is a point."""
    middle = math.sqrt(low) * math.sqrt(high) if low else high * 1e-3
    return middle if middle > _LEAST_DELTA and low * (1 + 1e-12) < middle < high else None


def _at(
    problem: Problem, objective: Objective, tolerance: float, low: float, high: float | None = None
) -> Aim | None:
    """The best aim at one δ, or over a cell of δ."""
    aims = []
    for region in problem.regions(low, high):
        best_in = aim if region.convex else falling_aim
        best_in = saw_toothed_aim if problem.on_grids else best_in
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


def _on_grids(problem: Problem, objective: Objective, tolerance: float) -> Aim | None:
    """The best plan, as far as scans over δ see."""

    def plans(deltas: list[float]) -> list[tuple[Aim, float]]:
        aims = ((_at(problem, objective, tolerance, delta), delta) for delta in deltas)
        return [(plan, delta) for plan, delta in aims if plan]

    capped = any(isinstance(c, MaxParticipants) for c in problem.conditions)
    endless = objective == "cost" and not capped and not problem.costs.recruiting(FLOATS)
    others = delta_grid(*problem.delta_bounds) if endless else []
    found = plans(coarse_delta(problem, objective) + others) or plans(_at_edge(problem))
    if not found:
        return None
    best, delta = min(found, key=_value)
    while objective == "cost" and found:
        found = plans(most_delta(problem, best.participants))
        found = [each for each in found if _value(each) < best.value * (1 - _CLOSE)]
        best, delta = min([(best, delta), *found], key=_value)
    if endless and best.participants > _ENDLESS:
        # ever more people with ever less δ: the smallest study that costs little more
        near = problem.with_conditions(Budget(_lowered(problem, (1 + tolerance) * best.value)))
        fewest = _on_grids(near, "participants", tolerance)
        return fewest and fewest._replace(value=best.value, attained=False)
    if of_survey(problem):
        return _rounded(problem, objective, tolerance, best, delta)
    if objective != "participants" and _tight(best):  # with more δ or less, N must change too
        return _polished(problem, objective, tolerance, best, delta)
    settled = _settled(problem, objective, tolerance, best, delta)
    return _rounded(problem, objective, tolerance, *settled)


def _value(plan: tuple[Aim, float]) -> float:
    return plan[0].value


def _tight(best: Aim) -> bool:
    return float(reader(best.region)(np.array([best.participants])).room[0]) < _LITTLE_ROOM


def _at_edge(problem: Problem) -> list[float]:
    """Some δ to look at where few sizes, or none, are allowed, which scans pass over."""
    if of_survey(problem):
        return delta_grid(*problem.delta_bounds)
    delta = _feasible_delta(problem)
    return [] if delta is None else [delta]


def _feasible_delta(problem: Problem) -> float | None:
    """A δ at which some study exists, where one is found: the roomiest one, δ and N in turn."""
    roomiest_n = (0.0, 1)
    for delta in coarse_delta(problem, "room") or delta_grid(*problem.delta_bounds):
        for _ in range(_MOST_ROUNDS):
            room, n = _room_at(problem, delta)
            if room >= 1:
                return delta
            roomiest_n = max(roomiest_n, (room, max(n, 1)))
            before, delta = delta, delta_beside(problem, "room", delta, [max(n, 1)])
            if abs(math.log(delta / before)) < _SETTLED:
                break
    most = most_delta(problem, roomiest_n[1])
    return next((delta for delta in most if _room_at(problem, delta)[0] >= 1), None)


def most_delta(problem: Problem, participants: int) -> list[float]:
    """The largest δ that so many people, one less and one more may have, where N limits it.

    Fewer may have more δ, so that what is sought jumps there, where scans do not look.
    """
    low, high = problem.delta_bounds
    sizes = range(max(participants - 1, 1), participants + 2)
    most = (round_down(problem.delta_ceiling(n), _DIGITS) for n in sizes)
    return [delta for delta in most if low < delta < high]


def _settled(
    problem: Problem, objective: Objective, tolerance: float, best: Aim, delta: float
) -> tuple[Aim, float]:
    """The best plan at the best δ for its own N, and others as good as it, and that δ."""
    sought = "room" if objective == "participants" else objective
    for _ in range(_MOST_ROUNDS):
        if math.isinf(best.value):
            break
        nearer = delta_beside(problem, sought, delta, [best.participants, *best.others])
        if abs(math.log(nearer / delta)) < _SETTLED:
            break
        plan = _at(problem, objective, tolerance, nearer)
        if plan is None or plan.value >= best.value:
            break
        best, delta = plan, nearer
    return best, delta


def _lowered(problem: Problem, money: float) -> float:
    return min([money, *(c.money for c in problem.conditions if isinstance(c, Budget))])


def _polished(
    problem: Problem, objective: Objective, tolerance: float, best: Aim, delta: float
) -> Aim:
    """The best plan near a good δ, at a δ with few digits."""
    if math.isinf(best.value):
        return best

    def value(log_delta: float) -> float:
        plan = _at(problem, objective, tolerance, math.exp(log_delta))
        # worse than any plan worth having, but finite: the search fits parabolas
        return min(plan.value if plan else math.inf, 10 * best.value + 1)

    low, high = problem.delta_bounds
    reach, exact = (3, 1e-2) if problem.saw_toothed else (8, 1e-6)
    bounds = (math.log(max(low, delta / reach)), math.log(min(high, delta * reach)))
    near = scipy.optimize.minimize_scalar(
        value, bounds=bounds, method="bounded", options={"xatol": exact}
    )
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
    """About the best δ, by a coarse scan of a few sizes; none where it shows none."""
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
        options={"xatol": _NEAR if sizes is None else _NEARER},
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
    at = int(np.argmax(room >= 1))
    if not at or not room[at - 1] > 0:
        return float(n[at])
    before, here = np.log(room[at - 1]), np.log(room[at])
    return float(n[at] - (n[at] - n[at - 1]) * here / (here - before))
