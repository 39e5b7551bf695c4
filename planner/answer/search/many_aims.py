"""Search along N in many regions at once: `search.convex.aim`, for arrays.

As there, more people are cheaper without end where each costs nothing but their ε; else the cost
has a least. A study is in doubt where `many_sizes` finds a close call, and is then planned by
itself.
"""

from typing import NamedTuple

from planner.answer.search.convex import Objective
from planner.answer.search.many import Many
from planner.answer.search.many_sizes import EDGE, boundary, cheapest, inside, least
from planner.libraries import np
from planner.numbers import WHOLE_LIMIT, Array


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
    """Where people cost something: the N at which the cost is least."""
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
