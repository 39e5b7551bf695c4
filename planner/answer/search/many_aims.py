"""Search along N in many regions at once: `search.convex.aim`, for arrays.

As there, more people are cheaper without end where each costs nothing but their ε; else the cost
has a least. The ends of all intervals of N that are allowed are closed in on at once. Wherever two
roundings could decide differently the answer is close, and one whose conditions nearly touch is an
edge: such a study is in doubt, and is planned by itself.
"""

from typing import NamedTuple

from planner.answer.search.find import Objective
from planner.answer.search.many import Many
from planner.libraries import np
from planner.numbers import WHOLE_LIMIT, Array

EDGE = 1e-9
"""Studies whose room is less than this part of the signal are left to the proof."""
ROUNDING = 1e-13
"""What two computations of the same may differ by, as a part of it."""
_STEPS = 200  # four for each halving of 2^50 sizes; what is open then is in doubt
_FIRST, _WIDER = 256.0, 16.0  # from 2^8 by factors of 2^4: twelve steps reach 2^53


class Aims(NamedTuple):
    """The best point of each region for one objective; `answer.search.Aim` for arrays.

    Attributes:
        feasible: whether there is one.
        value: the infimum of the objective, ∞ where there is none.
        participants: the N to plan for.
        budget: the budget of its region.
        doubt: whether rounding might change any of these.
    """

    feasible: Array
    value: Array
    participants: Array
    budget: Array
    doubt: Array


def aims(many: Many, objective: Objective, tolerance: float) -> Aims:
    """Where the objective is best in each region."""
    size = len(next(iter(many.values.values())))
    most = np.broadcast_to(many.participants_ceiling(), (size,)).astype(float)
    given = np.broadcast_to(many.given_budget, (size,)).astype(float)
    best = Aims(
        np.zeros(size, bool), np.full(size, np.inf), np.zeros(size), given.copy(),
        np.zeros(size, bool),
    )  # fmt: skip
    endless = np.flatnonzero(most == np.inf)
    bounded = np.flatnonzero((most < np.inf) & (most >= 1))
    for rows, search in ((endless, _endless), (bounded, _bounded)):
        if rows.size:
            part = search(many.take(rows), most[rows], given[rows], objective, tolerance)
            for whole, piece in zip(best, part, strict=True):
                whole[rows] = piece
    return best


def _free_of_people(many: Many, size: int) -> Array:
    """Whether people cost nothing except for their ε."""
    person = many.region.person
    entry = person.least_compensation(many.delta) + many.costs.per_person
    return np.broadcast_to(entry == 0, (size,)) & person.paid_for_epsilon


def _endless(many: Many, most: Array, given: Array, objective: Objective, tolerance: float) -> Aims:
    """Where N has no bound: more people and less ε is cheaper without end."""
    size, region = len(most), many.region
    n_epsilon = np.broadcast_to(region.n_epsilon_floor(), (size,))
    room = np.broadcast_to(region.n_epsilon_room(), (size,))
    doubt = ~(np.abs(room) > EDGE * n_epsilon)
    feasible = (room > 0) & ~doubt
    cheap = _free_of_people(many, size)
    best = Aims(feasible, np.full(size, np.inf), np.zeros(size), given.copy(), doubt)
    for rows, search in (
        (np.flatnonzero(feasible & cheap), _approached),
        (np.flatnonzero(feasible & ~cheap), _turning),
    ):
        if rows.size:
            some = many.take(rows)
            n, value, budget, close = search(
                some, n_epsilon[rows], given[rows], objective, tolerance
            )
            best.participants[rows], best.value[rows] = n, value
            best.budget[rows] = budget
            best.doubt[rows] |= close
    return best


def _approached(
    many: Many, n_epsilon: Array, given: Array, objective: Objective, tolerance: float
) -> tuple[Array, Array, Array, Array]:
    """Where only the infimum of the cost is approached: the least N that comes near enough."""
    infimum = many.region.person.n_epsilon_cost(n_epsilon) + many.costs.overhead
    infimum = np.broadcast_to(infimum, n_epsilon.shape)
    if objective == "participants":
        n, close = least(many)
        return n, n, given, close
    # the least ε is approached by ever more people, too: the plan is the cheapest
    budget = np.clip(np.minimum((1 + tolerance) * infimum, given), 5e-324, np.finfo(float).max)
    n, close = least(many.with_budget(budget))
    return n, infimum, budget, close


def _turning(
    many: Many, n_epsilon: Array, given: Array, objective: Objective, tolerance: float
) -> tuple[Array, Array, Array, Array]:
    n, close = least(many)
    if objective == "participants":
        return n, n, given, close
    best, close_2 = cheapest(many, n, np.full(n.shape, float(WHOLE_LIMIT)))
    cost = np.broadcast_to(many.region.cost(best, many.region.floor(best)), n.shape)
    return best, cost, given, close | close_2


def _bounded(many: Many, most: Array, given: Array, objective: Objective, tolerance: float) -> Aims:
    """Where N is bounded: the interval of allowed N, and the best in it."""
    size = len(most)
    last = np.minimum(most, WHOLE_LIMIT)
    within, doubt = inside(many, last)
    feasible = (within > 0) & ~doubt
    n, value = np.zeros(size), np.full(size, np.inf)
    rows = np.flatnonzero(feasible)
    if rows.size:
        some, end, inner = many.take(rows), last[rows], within[rows]
        free = _free_of_people(some, rows.size)
        close = np.zeros(rows.size, bool)
        if objective == "participants" or not free.all():
            fewest, close = boundary(some, inner, np.zeros(rows.size))
        if objective == "participants":
            n[rows] = value[rows] = fewest
        else:
            beyond, close_2 = boundary(some, inner, end + 1)
            close |= close_2
            best = beyond
            if objective == "cost" and not free.all():
                turn, close_3 = cheapest(some, fewest, beyond)
                best = np.where(free, beyond, turn)
                close |= close_3 & ~free
            n[rows] = best
            floor = np.broadcast_to(some.region.floor(best), best.shape)
            value[rows] = floor if objective == "epsilon" else some.region.cost(best, floor)
            doubt[rows] |= best >= WHOLE_LIMIT
        doubt[rows] |= close
    return Aims(feasible, value, n, given, doubt)


class _Read(NamedTuple):
    gap: Array
    allowed: Array
    close: Array
    edge: Array


def _read(many: Many, n: Array) -> _Read:
    region = many.region
    floor, ceiling = region.floor(n), region.ceiling(n)
    n_epsilon = n * floor
    gap = np.where(np.isfinite(floor), n * ceiling - n_epsilon, -np.inf)
    near = np.abs(gap)
    limit = np.where(np.isfinite(n_epsilon), n_epsilon, 0.0)
    return _Read(gap, (gap >= 0) & (ceiling > 0), near <= ROUNDING * limit, near <= EDGE * limit)


def least(many: Many) -> tuple[Array, Array]:
    """The least allowed N where all N from some on are; close where none up to 2^53 is."""
    size = len(next(iter(many.values.values())))
    low, high = np.zeros(size), np.full(size, _FIRST)
    waiting = np.arange(size)
    missing = np.zeros(size, bool)
    while waiting.size:
        waiting = waiting[~_read(many.take(waiting), high[waiting]).allowed]
        missing[waiting[high[waiting] >= WHOLE_LIMIT]] = True
        waiting = waiting[high[waiting] < WHOLE_LIMIT]
        low[waiting] = high[waiting]
        high[waiting] = np.minimum(high[waiting] * _WIDER, WHOLE_LIMIT)
    least, close = boundary(many, high, low)
    return least, close | missing


def inside(many: Many, last: Array) -> tuple[Array, Array]:
    """An allowed N in [1, last] for each region, or 0; and where that is in doubt."""
    inside, doubt = np.zeros(len(last)), np.zeros(len(last), bool)
    low, high = np.ones(len(last)), last.copy()
    n, open_ = last.copy(), np.arange(len(last))
    for _ in range(_STEPS):
        if not open_.size:
            break
        some, at = many.take(open_), n[open_]
        read = _read(some, at)
        inside[open_[read.allowed & ~read.edge]] = at[read.allowed & ~read.edge]
        large = (np.abs(read.gap) <= 1e-6 * at * some.region.floor(at)) & (at >= 2**20)
        doubt[open_] |= read.edge | (large & ~read.allowed)
        over = at + 1 + np.floor(at / 2**20)
        beyond = _read(some, np.minimum(over, last[open_]))
        right = np.isneginf(read.gap) | (beyond.gap > read.gap)
        low[open_] = np.where(right, at + 1, low[open_])
        high[open_] = np.where(right, high[open_], at - 1)
        keep = (inside[open_] == 0) & (low[open_] <= high[open_])
        open_ = open_[keep]
        lo, hi = low[open_], high[open_]
        middle = np.where(hi > 4 * lo, np.sqrt(lo * hi), (lo + hi) / 2)
        n[open_] = np.clip(np.floor(middle), lo, hi)
    doubt[open_] = True
    return inside, doubt & (inside == 0)


def boundary(many: Many, inside: Array, outside: Array) -> tuple[Array, Array]:
    """The last allowed N from `inside` toward `outside`, which is not; and where it is close.

    Secants with a weight that shrinks at an end that stays (Anderson and Björck), every fourth
    step a halving, so that none takes long.
    """
    inner, outer = inside.copy(), outside.copy()
    size = len(inner)
    close = np.zeros((2, size), bool)
    gaps = np.stack([np.full(size, np.nan), np.full(size, np.nan)])  # of inner and outer
    open_ = np.flatnonzero(np.abs(inner - outer) > 1)
    for step in range(_STEPS):
        if not open_.size:
            break
        a, b = inner[open_], outer[open_]
        low, high = np.minimum(a, b), np.maximum(a, b)
        middle = np.where(high > 4 * low, np.sqrt(np.maximum(low, 1) * high), (low + high) / 2)
        if step % 4 != 3:
            g, h = gaps[0, open_], gaps[1, open_]
            secant = a - g * (b - a) / (h - g)
            middle = np.where(np.isfinite(secant), secant, middle)
        n = np.clip(np.rint(middle), low + 1, high - 1)
        read = _read(many.take(open_), n)
        for side, hit in ((0, read.allowed), (1, ~read.allowed)):
            at = open_[hit]
            old, new = gaps[side, at], read.gap[hit]
            (inner if side == 0 else outer)[at] = n[hit]
            gaps[side, at] = new
            close[side, at] = read.close[hit]
            weight = 1 - new / old
            gaps[1 - side, at] *= np.where(weight > 0, weight, np.where(np.isnan(old), 1, 0.5))
        open_ = open_[np.abs(inner[open_] - outer[open_]) > 1]
    stuck = np.zeros(size, bool)
    stuck[open_] = True
    return inner, close.any(axis=0) | stuck


def cheapest(many: Many, least: Array, last: Array) -> tuple[Array, Array]:
    """The first N in [least, last] from which costs rise, `last` if they never do."""
    low, high = least - 1, least.copy()
    close = np.zeros(len(least), bool)
    open_ = np.arange(len(least))
    rising = np.zeros(len(least), bool)
    while open_.size:  # doubled until costs rise
        rises, near = _rises(many.take(open_), high[open_])
        rising[open_], close[open_] = rises, near
        open_ = open_[~rises & (high[open_] < last[open_])]
        low[open_] = high[open_]
        high[open_] = np.minimum(2 * high[open_], last[open_])
    open_ = np.flatnonzero(high - low > 1)
    while open_.size:
        middle = np.floor((low[open_] + high[open_]) / 2)
        rises, near = _rises(many.take(open_), middle)
        high[open_] = np.where(rises, middle, high[open_])
        low[open_] = np.where(rises, low[open_], middle)
        close[open_] |= near
        open_ = open_[high[open_] - low[open_] > 1]
    return high, close


def _rises(many: Many, n: Array) -> tuple[Array, Array]:
    """Whether one more (in a million) makes the cheapest study dearer; and where that is close."""
    region = many.region
    more = n + 1 + np.floor(n / 2**20)
    cost, next_ = region.cost(n, region.floor(n)), region.cost(more, region.floor(more))
    close = np.abs(next_ - cost) <= ROUNDING * cost / 10
    return (cost < np.inf) & (next_ >= cost), close & region.person.paid_for_epsilon
