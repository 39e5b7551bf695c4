"""The cheapest plan whose payments are rounded up to coins.

All who are owed more than k − 1 coins and at most k are paid k, so at k coins the cheapest study is
that of the fewest people who are owed no more. Rounding adds at most a coin for each person; so
beginning at the plan with exact payments, more and fewer coins are tried while that is cheaper.
A cheaper study may be many coins away, where accuracy saw-tooths or people are few: so the search
also begins at the size that costs least in coins, of all that could, or of those about the plan's.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product

from planner.answer.problem.problem import Problem
from planner.answer.proof.plan import holds
from planner.answer.search.convex import Aim, Objective
from planner.answer.search.delta import best_aim
from planner.answer.search.grids import ONE_BY_ONE
from planner.answer.search.sizes import quick_reader
from planner.libraries import np
from planner.model import Choice, Costs, Individual, MaxHarm
from planner.numbers import WHOLE_LIMIT, decimal

_MISSES = 3
"""So many more, or fewer, coins in a row that are not cheaper end the search."""
_ALL, _ABOUT = 4 * ONE_BY_ONE, 4
"""So many sizes are all looked at; of more, those within a quarter of the plan's: farther away the
cost has mostly risen by more than a tooth or a coin saves."""


def with_rounded_payments(
    problem: Problem,
    costs: Costs,
    choice: Choice,
    minimise: Objective,
    prove: Callable[[Problem, Aim], Choice | None],
) -> tuple[Choice, float, bool]:
    """A plan with payments in coins, what it costs, and whether it keeps to every condition."""
    best = choice
    if minimise == "cost" and problem.individual.pieces[0].paid_for_epsilon:
        aim = _cheapest(problem, costs, choice)
        best = (aim and prove(*aim)) or choice
        best = min(best, choice, key=lambda each: _cost(costs, problem.individual, each))
    fits = holds(replace(problem, costs=costs), best)
    return best, _cost(costs, problem.individual, best), fits


def _cost(costs: Costs, person: Individual, choice: Choice) -> float:
    owed = person.compensation(choice.epsilon, choice.delta)
    return float(costs.total(choice.participants, owed))


def _cheapest(problem: Problem, costs: Costs, choice: Choice) -> tuple[Problem, Aim] | None:
    """The fewest people at the best number of coins, and the problem capped there."""
    coin = decimal(costs.smallest_coin)
    exact = problem.individual.compensation(choice.epsilon, choice.delta)
    paid = {float(costs.payment(owed)) for owed in (exact, _owed_in_coins(problem, costs, choice))}
    starts = [int(decimal(each) / coin) for each in sorted(paid) if math.isfinite(each)]
    least = _cost(costs, problem.individual, choice)
    best: tuple[Problem, Aim] | None = None
    for coins, step in product(starts, (1, -1)):
        misses, count = 0, coins if step > 0 else coins - 1
        while misses < _MISSES and 0 < count < WHOLE_LIMIT:
            capped = _owed_at_most(problem, float(count * coin))
            aim = best_aim(capped, "participants", 1.0)
            cost = float(costs.total(aim.participants, float(count * coin))) if aim else least
            better = aim is not None and cost < least
            if aim is not None and better:
                least, best = cost, (capped, aim)
            misses, count = 0 if better else misses + 1, count + step
    return best


def _owed_in_coins(problem: Problem, costs: Costs, choice: Choice) -> float:
    n, coin = choice.participants, costs.smallest_coin
    # each is paid a coin or more
    most = (_cost(costs, problem.individual, choice) - costs.overhead) / (costs.per_person + coin)
    if most <= _ALL:
        sizes = np.arange(1, int(most) + 2)
    else:
        reach = n // _ABOUT + 1
        sizes = np.arange(max(1, n - reach), n + reach, max(1, 2 * reach // ONE_BY_ONE))
    found = []
    for region in problem.regions(choice.delta):
        read = quick_reader(region)(sizes)
        epsilon = np.where(read.allowed, read.epsilon, choice.epsilon)
        owed = region.person.compensation(epsilon, choice.delta)
        cost = np.where(read.allowed, costs.total(sizes, owed), np.inf)
        best = int(np.argmin(cost))
        found.append((float(cost[best]), float(owed[best])))
    return min(found)[1]


def _owed_at_most(problem: Problem, money: float) -> Problem:
    """The problem of people who are owed at most this much."""
    caps = [c.money for c in problem.conditions if isinstance(c, MaxHarm)]
    return problem.with_conditions(MaxHarm(min([money, *caps])))
