"""The search for the best study, in arrays over studies and sizes (design idea 3).

The least ε at N has an approximation that is smooth in N. A grid of sizes closes in on the size
that is best by it; then a few dozen sizes about that one are read exactly. Where no study is
allowed, the size with the most room takes the place of the best. Where δ is free, its part of the
largest δ that so many people may have is a second axis of the same grid.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from planner import numbers
from planner.answer.problem.goal import Goal, Reading, reading
from planner.answer.problem.problem import Problem
from planner.answer.problem.region import Region
from planner.libraries import np
from planner.mechanisms.floor import SMOOTH_FROM, Floor
from planner.model import Budget, Costs, DeltaTimesNAtMost, MinParticipants
from planner.numbers import WHOLE_LIMIT, Array, round_down

Objective = Literal["cost", "participants", "epsilon"]
Sought = Literal["cost", "participants", "epsilon", "room"]
_POINTS, _FEW_POINTS = 64, 16
"""Of a grid; of one whose sizes are read exactly."""
_FAR = 0.03
"""A part of the best size; so far off a better one lies only where a guess is not close."""
_ABOUT = 24
"""How many sizes to either side are read exactly."""
_EDGE = 0.9
"""Where the best of the sizes read lies so near an end of them, the guess was not close."""
_ALIKE = 20_000
"""Of so many people and more only every so manyth size is read."""
_FARTHEST = 2_000
"""How far sizes are read where whole numbers of people move a floor from afar."""
_WIDE, _BESIDE, _LEAST_BESIDE = (0.6, 3.0), 0.005, 8
"""Where the smooth guess is off, exact sizes close in between these parts of it; or a parabola so
far to either side of the best size of a study that is nearly the same leads to the best one."""
_PARTS, _LEAST_PART = 25, 1e-12
"""Of the largest δ that N allows: how many are tried, and the least."""
_INSIDE = 1 - 1e-12  # so that δ·N keeps to its cap in floats
_PART_CLOSE = 1e-3  # how closely the logarithm of a part is found
_DIGITS, _AS_GOOD = 15, 1e-6
"""Of δ; it has as few as keep the objective as good as this."""
_MOST_EPSILON = 1e280
"""Where nothing limits ε, the size with the lowest floor has the most room."""
_COINS, _SMALL, _MOST_PRICED, _HALF, _GUESSED = 16, 400, 4096, 0.5, 1e-3
"""Numbers of coins that are looked at; of so few people also those of far fewer; sizes whose
payments are guessed, the room that these may lack, and how close their corrected guess is."""
_EXACTLY, _AROUND, _NEARLY = 16, 24, 0.99
"""Sizes beside the best whose floors are read exactly, where they are searched about so, and how
many on either side where the fewest people are sought; and the room that may then be enough."""
ROUNDED = 1 + 1e-13
"""By what factor floats may miss what a plan just keeps to; the plan itself is then looked at."""
_ENDLESS = 1e-9  # so close to an infimum larger studies come


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
        return self.room >= 1

    def worth(self, sought: Sought) -> Array:
        """What is to be least; where nothing is allowed, along the last axis, room is sought."""
        with np.errstate(divide="ignore"):
            short = -np.log(self.room)
        if sought == "room":
            return short
        value = {"cost": self.cost, "participants": self.n, "epsilon": self.epsilon}[sought]
        value = np.where(self.allowed, np.minimum(value, sys.float_info.max), np.inf)
        found = np.isfinite(value).any(axis=-1, keepdims=True)
        return np.where(found, value, short)


Reader = Callable[[Array], Sizes]


class Aim(NamedTuple):
    """The best point of a region for one objective.

    Attributes:
        value: the infimum of the objective.
        attained: whether a study in the region reaches it.
        region: the region, with the budget lowered where only the infimum can be approached.
        participants: the N to plan for.
        others: sizes that are nearly as good, best first.
    """

    value: float
    attained: bool
    region: Region
    participants: int
    others: tuple[int, ...] = ()


def reader(region: Region, what: Reading = "approximate") -> Reader:
    """Reads floor, ceiling and cost of a region over arrays of N."""
    conditions = reading(region.conditions, what)
    arrays = replace(region, conditions=conditions, system=numbers.arrays())
    budget = min((c.money for c in region.conditions if isinstance(c, Budget)), default=math.inf)

    def read(n: Array) -> Sizes:
        with np.errstate(all="ignore"):
            size = np.asarray(n, float)
            epsilon = np.broadcast_to(arrays.floor(size), size.shape)
            ceiling = np.broadcast_to(arrays.ceiling(size), size.shape)
            possible = (ceiling > 0) & np.isfinite(epsilon)
            allowed = np.minimum(ceiling, _MOST_EPSILON)
            room = np.where(possible, allowed / np.maximum(epsilon, 5e-324), 0.0)
            cost = np.where(room >= 1, arrays.cost(size, epsilon), np.inf)
            cost = np.where(np.isnan(cost), np.inf, cost)
            if region.costs.smallest_coin:  # rounding may pass the budget
                over = (room >= 1) & (cost > budget)
                room, cost = np.where(over, budget / cost, room), np.where(over, np.inf, cost)
        return Sizes(size, epsilon, room, cost)

    return read


def closing_in(
    read: Reader, low: Array, high: Array, sought: Sought, points: int = _POINTS
) -> Array:
    """About the best size of each study, between two sizes for each; arrays of one length."""
    steps = np.linspace(0.0, 1.0, points)
    rows = np.arange(len(low))
    best = low
    for _ in range(60):
        n = np.rint(low[:, None] * (high / low)[:, None] ** steps)
        worth = read(n).worth(sought)
        at = np.argmin(worth, axis=1)
        at = np.where(np.isfinite(worth[rows, at]), at, points - 1)  # more people may be enough
        best = n[rows, at]
        low, high = n[rows, np.maximum(at - 1, 0)], n[rows, np.minimum(at + 1, points - 1)]
        if np.all(high - low <= np.maximum(points / 2, best * 2**-40)):
            break
    return best


def about(best: Array, first_: Array, last: Array, reach: int, alike: float) -> Array:
    """The sizes about the best ones that are read exactly; a row for each study.

    The first and the last are farther off, and show where the guess is.
    """
    step = np.maximum(1.0, np.rint(best / alike))
    sizes = best[:, None] + np.arange(-reach, reach + 1) * step[:, None]
    apart = np.maximum((reach + 1) * step, np.rint(_FAR * best))
    sizes = np.column_stack([best - apart, sizes, best + apart])
    return np.clip(sizes, first_[:, None], last[:, None])


def near_best(
    quick: Reader, exact: Reader, low: Array, high: Array, sought: Sought, floors: list[Floor]
) -> Array:
    """The sizes about the best of each study, which are to be read exactly; see the module."""
    best = closing_in(quick, low, high, sought)
    if not all(floor.guess_is_close for floor in floors):
        best = _closer(exact, best, low, high, sought)
    return about_best(best, low, high, sought, floors)


def _beside(exact: Reader, near: int, least: int, most: int) -> Array | None:
    """The size with the most room near one, by a parabola; None where it is farther off."""
    apart = max(round(_BESIDE * near), _LEAST_BESIDE)
    tried = np.clip([near - apart, near, near + apart], least, most)
    before, here, after = short = exact(tried[None]).worth("room")[0]
    if near in (least, most) and here <= min(before, after):
        return tried[[1]]
    inside = least < near - apart and near + apart < most and np.isfinite(short).all()
    bend = before + after - 2 * here if inside else 0.0
    if not (bend > 0 and abs(before - after) <= 2 * bend):
        return None
    return np.rint([near + apart * (before - after) / (2 * bend)])


def _closer(exact: Reader, guess: Array, low: Array, high: Array, sought: Sought) -> Array:
    """The best size of each study, by exact floors, where the guess is not close."""
    start, end = (np.clip(np.floor(guess * part), low, high) for part in _WIDE)
    return closing_in(exact, start, end, sought, _FEW_POINTS)


def about_best(best: Array, low: Array, high: Array, sought: Sought, floors: list[Floor]) -> Array:
    """The sizes about the best ones that are read exactly, so many as floors ripple."""
    ripples = [floor.ripple(int(best.max())) for floor in floors]
    reaches = [min(_FARTHEST, ripple.reach or _ABOUT) for ripple in ripples]
    if sought == "participants":
        reaches += [ripple.first for ripple in ripples]
    reach = max(reaches, default=_ABOUT)
    alike = math.inf
    if any(floor.regularity.saw_toothed for floor in floors):
        alike = min(ripple.alike for ripple in ripples)
    return about(best, low, high, reach, alike)


# ------------------------------------------------------------------ one study


def best_aim(problem: Problem, objective: Objective, tolerance: float) -> Aim | None:
    """Where the objective is best over δ, N and the rules of payment; None where nothing is."""
    low, high = problem.delta_bounds
    if low > high:
        return None
    if low < high and problem.uses_delta:
        return _best_delta(problem, objective, tolerance)
    best = None
    for region in problem.regions(low):
        found = _aim(region, objective, tolerance)
        if found and (best is None or found.value < best.value):
            best = found
    return best


def feasible(problem: Problem) -> bool:
    """Whether some δ, N and ε keep to every condition, in floats."""
    return roomiest(problem)[0] >= 1


def margin(problem: Problem, about: bool = False) -> float:
    """The logarithm of the most room that a study has; at least 0 where one is allowed.

    About: by the smooth guess alone.
    """
    return as_margin(roomiest(problem, about)[0])


def as_margin(room: float) -> float:
    """The logarithm of room; −∞ where there is none."""
    return math.log(room) if room > 0 else -math.inf


def roomiest(problem: Problem, about: bool = False, near: int = 0) -> tuple[float, int]:
    """The most room that a study has, ceiling over floor of ε, and its N; perhaps a guess.

    Near the N of a study that is nearly the same, where one is known.
    """
    low, high = problem.delta_bounds
    if low > high:
        return 0.0, 0
    delta = free_delta(problem, "room")[0] if low < high and problem.uses_delta else low
    found = (most_room(region, about, near) for region in problem.regions(delta))
    return max(found, default=(0.0, 0))


def least_epsilon(problem: Problem, participants: int) -> float:
    """The least ε with so many people, in floats; ∞ where none is allowed."""
    size, (delta, _) = np.array([float(participants)]), problem.delta_bounds
    regions = (r for r in problem.regions(delta) if r.participants_ceiling >= participants)
    read = (reader(region)(size) for region in regions)
    return min((float(one.epsilon[0]) for one in read if one.allowed[0]), default=math.inf)


def most_room(region: Region, about: bool = False, near: int = 0) -> tuple[float, int]:
    """The most room that a study of a region has, and its N; perhaps a guess."""
    ends = ends_of(region)
    if ends is None:
        return 0.0, 0
    if about:
        quick = reader(region.without_coins, "smooth")
        low, high = (np.array([float(end)]) for end in ends)
        sizes = quick(closing_in(quick, low, high, "room", _FEW_POINTS)[:, None])
    else:
        sizes = _sizes(region, *ends, "room", near)
    best = int(np.argmax(sizes.room[0]))
    return float(sizes.room[0, best]), int(sizes.n[0, best])


def ends_of(region: Region) -> tuple[int, int] | None:
    """The fewest and the most people that the region may have."""
    least = max((c.n for c in region.conditions if isinstance(c, MinParticipants)), default=1)
    most = int(min(region.participants_ceiling, WHOLE_LIMIT))
    return (least, most) if least <= most else None


def _sizes(region: Region, least: int, most: int, sought: Sought, near: int = 0) -> Sizes:
    floors = [goal.floor for goal in region.conditions if isinstance(goal, Goal)]
    ends = np.array([float(least)]), np.array([float(most)])
    quick = reader(region.without_coins, "smooth")
    exact = reader(region)
    close = all(floor.guess_is_close for floor in floors)
    beside = None
    if sought == "room" and not close:
        near = near or int(closing_in(quick, *ends, sought)[0])
        beside = _beside(exact, near, least, most)
    if beside is None:
        sizes = exact(near_best(quick, exact, *ends, sought, floors))
    else:
        sizes = exact(about_best(beside, *ends, sought, floors))
    if sought != "room":
        sizes = _farther(exact, sizes, *ends, sought, floors)
        if not sizes.allowed.any():  # a few may be allowed where room is largest
            sizes = exact(near_best(quick, exact, *ends, "room", floors))
    if region.costs.smallest_coin and sought == "cost" and region.person.paid_for_epsilon:
        sizes = _in_coins(region, quick, exact, sizes, least, most)
    return sizes


def _farther(
    exact: Reader, sizes: Sizes, low: Array, high: Array, sought: Sought, floors: list[Floor]
) -> Sizes:
    """The sizes, or others where better ones may lie beyond them, as the guess was off.

    Those about the best one, and if it still lies at an end, those that are closed in on.
    """

    def best_of(some: Sizes) -> tuple[Array, bool]:
        best, near = some.n[0, np.argmin(some.worth(sought)[0])], some.n[0, 1:-1]
        at_end = abs(best - near.mean()) > _EDGE * np.ptp(near) / 2 and low[0] < best < high[0]
        return np.array([best]), bool(at_end)

    best, at_end = best_of(sizes)
    if at_end and sizes.allowed.any():
        sizes = exact(about_best(best, low, high, sought, floors))
        best, at_end = best_of(sizes)
    if at_end or not sizes.allowed.any():
        closer = _closer(exact, best, low, high, sought)
        sizes = exact(about_best(closer, low, high, sought, floors))
    return sizes


def _in_coins(
    region: Region, quick: Reader, exact: Reader, found: Sizes, least: int, most: int
) -> Sizes:
    """Sizes about the fewest people who are owed no more than each number of coins.

    All who are owed more than k − 1 coins and at most k are paid k, so these are the cheapest.
    Where floors hardly ripple, they lie where the cost without rounding is less than the best one,
    and the guess of ε is corrected by what it misses there.
    """
    at = int(np.argmin(found.worth("cost")[0]))
    best, cost = float(found.n[0, at]), float(found.cost[0, at])
    guess = float(quick(np.array([best])).epsilon[0])
    floors = [goal.floor for goal in region.conditions if isinstance(goal, Goal)]
    ripples = [floor.ripple(int(best)).reach for floor in floors]
    missed, reach = 1.0, _ABOUT

    def priced(n: Array, by: Costs) -> tuple[Array, Array]:
        sizes = quick(n)
        with np.errstate(all="ignore"):
            owed = region.person.compensation(sizes.epsilon * missed, region.delta_low)
            paid = np.where(sizes.room > _HALF, by.payment(owed), np.inf)
            return paid, np.where(np.isfinite(paid), by.total(n, paid), np.inf)

    low = least if best < _SMALL else max(least, best / 4)
    high = min(most, 4 * best + _SMALL)
    if max(guess, cost) < math.inf and all(0 < ripple <= _ABOUT for ripple in ripples):
        missed = float(found.epsilon[0, at]) / guess
        reach = min(math.ceil(best * _GUESSED), _ABOUT)
        n = np.unique(np.rint(np.geomspace(low, high, _POINTS)))
        _, unrounded = priced(n, replace(region.costs, smallest_coin=0.0))
        cheap = np.flatnonzero(unrounded <= cost * (1 + 1 / best))
        if cheap.size:
            low, high = n[max(cheap[0] - 1, 0)], n[min(cheap[-1] + 1, len(n) - 1)]
    n = np.unique(np.rint(np.geomspace(low, high, _MOST_PRICED)))
    paid, costs = priced(n, region.costs)
    _, fewest = np.unique(paid, return_index=True)
    fewest = fewest[np.isfinite(costs[fewest])]
    fewest = fewest[np.argsort(costs[fewest])][:_COINS]
    if not fewest.size:
        return found
    step = np.maximum(1.0, np.rint(n[fewest] / _ALIKE))
    sizes = n[fewest] + np.arange(-reach, reach + 1)[:, None] * step
    rows = exact(np.unique(np.clip(sizes, least, most))[None])
    return Sizes(*(np.concatenate(pair, axis=1) for pair in zip(found, rows, strict=True)))


def _lacking_little(sizes: Sizes) -> list[int]:
    """Sizes that lack little room, the roomiest first."""
    n, at = np.unique(sizes.n[0], return_index=True)
    room = sizes.room[0, at]
    order = np.argsort(-room, kind="stable")
    return [int(n[k]) for k in order[:_EXACTLY] if _NEARLY < room[k] < 1]


def _exact_reader(region: Region) -> Reader:
    """Reads the exact floors of a region, whose budget may be the cost of a plan."""
    budgets = (Budget(c.money * ROUNDED) for c in region.conditions if isinstance(c, Budget))
    others = (c for c in region.conditions if not isinstance(c, Budget))
    return reader(replace(region, conditions=(*others, *budgets)), "epsilon")


def _aim(region: Region, objective: Objective, tolerance: float) -> Aim | None:
    """Where the objective is best in one region."""
    ends = ends_of(region)
    if ends is None:
        return None
    sizes = _sizes(region, *ends, objective)
    nearly = _lacking_little(sizes)
    if not sizes.allowed.any():
        if not nearly:
            return None
        sizes, nearly = _exact_reader(region)(np.array([nearly], float)), []
    worth = np.where(sizes.allowed, sizes.worth(objective), np.inf)[0]
    best = int(np.argmin(worth))
    if not math.isfinite(worth[best]):
        return None
    if objective == "epsilon" and ends[1] >= WHOLE_LIMIT:  # ever more people, ever less ε
        fewest = _aim(region, "participants", tolerance)
        return fewest and fewest._replace(value=0.0, attained=False)
    order = np.argsort(worth, kind="stable")
    near = dict.fromkeys(int(sizes.n[0, k]) for k in order if math.isfinite(worth[k]))
    others = tuple(n for n in (*near, *nearly) if n != int(sizes.n[0, best]))
    value = float(worth[best]) if worth[best] < sys.float_info.max else math.inf
    found = Aim(value, True, region, int(sizes.n[0, best]), others)
    endless = infimum(region) if objective == "cost" else None
    if endless is None or endless > value * (1 + _ENDLESS):
        return found
    near_it = with_budget(region, (1 + tolerance) * endless)
    fewest = _aim(near_it, "participants", tolerance)
    return (fewest or found)._replace(value=endless, attained=False)


def exactly(aim: Aim, objective: Objective) -> Aim | None:
    """The aim at the best of its sizes by their exact floors, where those read are about so.

    The fewest people are the first size about the aim's that is allowed, as each is read by itself.
    None where no size is allowed by these.
    """
    read = _exact_reader(aim.region)
    if objective == "participants":
        least, most = ends_of(aim.region) or (1, 1)
        ends = max(aim.participants - _AROUND, least), min(aim.participants + _AROUND, most)
        around = range(ends[0], ends[1] + 1)
        fewest = next((n for n in around if read(np.array([float(n)])).allowed.any()), None)
        if fewest is None:
            return None
        others = tuple(n for n in aim.others if n > fewest)
        return aim._replace(value=float(fewest), participants=fewest, others=others)
    sizes = [aim.participants, *aim.others[:_EXACTLY]]
    found = read(np.array([sizes], float))
    worth = np.where(found.allowed, found.worth(objective), np.inf)[0]
    best, *order = np.argsort(worth, kind="stable")
    if not np.isfinite(worth[best]):
        return None
    allowed = (sizes[k] for k in order if np.isfinite(worth[k]))
    return aim._replace(
        value=float(worth[best]) if aim.attained else aim.value,
        participants=sizes[best],
        others=(*allowed, *aim.others[_EXACTLY:]),
    )


def infimum(region: Region) -> float | None:
    """What ever more people with ever less ε cost in the end; None where nothing says so."""
    endless = region.participants_ceiling == math.inf and region.entry_cost == 0
    endless &= not region.costs.smallest_coin  # as each is paid one at least
    if region.n_epsilon_grows or not (endless and region.person.paid_for_epsilon):
        return None
    asked = [
        goal.floor.n_epsilon(WHOLE_LIMIT, region.delta_high)
        for goal in region.conditions
        if isinstance(goal, Goal)
    ]
    least = float(max([region.n_epsilon_floor(), *asked]))
    return float(region.person.n_epsilon_cost(least) + region.costs.overhead)


def with_budget(region: Region, money: float) -> Region:
    """The region with its budget lowered to `money`, or with that budget if it has none."""
    others = tuple(c for c in region.conditions if not isinstance(c, Budget))
    given = [c.money for c in region.conditions if isinstance(c, Budget)]
    lowered = min(max(money, 5e-324), sys.float_info.max, *given)
    return replace(region, conditions=(*others, Budget(lowered)))


# ------------------------------------------------------------------ a free δ


def _best_delta(problem: Problem, objective: Objective, tolerance: float) -> Aim | None:
    """The best plan at the best δ, which has few digits."""
    others = tuple(c for c in problem.conditions if not isinstance(c, Budget))
    unlimited = replace(problem, conditions=others) if objective == "cost" else problem
    delta, piece = free_delta(unlimited, objective)  # the cheapest shows if a budget is kept to
    if not delta > 0:
        return None

    def at(value: float) -> Aim | None:
        return _aim(problem.regions(value)[piece], objective, tolerance)

    best = at(delta)
    if best is None:
        return None
    free = problem.regions(problem.delta_bounds[0])[piece]
    endless = free.participants_ceiling == math.inf and free.entry_cost == 0
    if objective == "cost" and endless and not free.costs.smallest_coin:
        least = _aim(problem.without_room.regions(delta)[piece], objective, tolerance) or best
        near_it = with_budget(best.region, (1 + tolerance) * least.value).conditions
        fewest = _best_delta(replace(problem, conditions=near_it), "participants", tolerance)
        return (fewest or best)._replace(value=least.value, attained=False)
    low, _ = problem.delta_bounds
    for digits in range(1, _DIGITS + 1):
        rounded = at(max(low, round_down(delta, digits)))
        spare = _AS_GOOD * (objective != "participants")
        if rounded and rounded.value <= best.value * (1 + spare):
            return rounded._replace(value=best.value)
    return best


def free_delta(problem: Problem, sought: Sought) -> tuple[float, int]:
    """The best δ and the rule of payment it is best by; 0 where no δ is allowed."""
    found = [
        (*_delta_in(problem, piece, sought), piece)
        for piece in range(len(problem.regions(problem.delta_bounds[0])))
    ]
    _, delta, piece = min(found)
    return delta, piece


def largest_delta(problem: Problem, n: Array) -> Array:
    """The largest δ that so many people allow, or the least there is."""
    low, high = problem.delta_bounds
    times = [c.x for c in problem.conditions if isinstance(c, DeltaTimesNAtMost)]
    return np.maximum(np.minimum(high, min(times, default=math.inf) * _INSIDE / n), low)


def at_largest_delta(problem: Problem, what: Reading, region: Region) -> Reader:
    """Reads a region; where δ is free, at the largest that each size allows."""
    if not problem.uses_delta:
        return reader(region, what)
    return lambda n: reader(with_delta(region, largest_delta(problem, n)), what)(n)


def with_delta(region: Region, delta: Any) -> Region:
    """The region at one δ for each size of an array."""
    return replace(region, delta_low=delta, delta_high=delta)


def _delta_in(problem: Problem, piece: int, sought: Sought) -> tuple[float, float]:
    """The value of what is sought and the best δ, by one rule of payment.

    A grid of sizes and of parts of the largest δ at each closes in on the best.
    """
    low, high = problem.delta_bounds
    region = problem.regions(low)[piece]
    ends = ends_of(region)
    if ends is None:
        return math.inf, 0.0
    least, most = (float(end) for end in ends)
    parts = math.log(max(_LEAST_PART, low / high)), 0.0
    best: tuple[float, float] = (math.inf, 0.0)
    floors = [goal.floor for goal in region.conditions if isinstance(goal, Goal)]
    for what in ("smooth", "approximate"):
        if what != "smooth" and least > SMOOTH_FROM and all(f.guess_is_close for f in floors):
            break
        for _ in range(40):
            points = _POINTS if what == "smooth" else _FEW_POINTS
            n = np.unique(np.rint(np.geomspace(least, most, points)))
            part = np.exp(np.linspace(*parts, _PARTS))[:, None]
            delta = np.maximum(largest_delta(problem, n) * part, low)
            sizes = reader(with_delta(region, delta), what)(np.broadcast_to(n, delta.shape))
            flat = Sizes(*(x.reshape(1, -1) for x in sizes))
            worth = flat.worth(sought).reshape(delta.shape)
            row, column = divmod(int(np.argmin(worth)), worth.shape[1])
            best = float(worth[row, column]), float(delta[row, column])
            width = (parts[1] - parts[0]) / (_PARTS - 1)
            middle = math.log(float(part[row, 0]))
            parts = max(parts[0], middle - width), min(parts[1], middle + width)
            least, most = float(n[max(column - 1, 0)]), float(n[min(column + 1, len(n) - 1)])
            if width < _PART_CLOSE and most - least <= points:
                break
        if not np.isfinite(best[0]):
            return math.inf, 0.0
        least, most = max(ends[0], 0.97 * least - 8), min(ends[1], 1.03 * most + 8)
        parts = (
            max(math.log(max(_LEAST_PART, low / high)), parts[0] - 0.1),
            min(0.0, parts[1] + 0.1),
        )
    return best
