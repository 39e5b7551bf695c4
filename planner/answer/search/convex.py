"""Search along N in one region, by bisection over whole numbers.

Sets of N here are intervals and functions of N are convex or concave, so bisection is exact, up
to the rounding of floats; what is found is a proposal that `proof.plan` checks.
"""

import math
import sys
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, NamedTuple

from planner.answer.problem.region import Region
from planner.model import Budget
from planner.numbers import WHOLE_LIMIT

_CLOSE = 1e-6  # gaps nearer to 0 drown in rounding
Objective = Literal["cost", "participants", "epsilon"]


class Aim(NamedTuple):
    """The best point of a region for one objective.

    Attributes:
        value: the infimum of the objective.
        attained: whether a study in the region reaches it.
        region: the region, with the budget lowered where only the infimum can be approached.
        participants: the N to plan for.
        step: where to look next if no ε can be printed at that N: +1 more people, −1 fewer.
        others: sizes to look at before that, best first.
    """

    value: float
    attained: bool
    region: Region
    participants: int
    step: int = 1
    others: tuple[int, ...] = ()


def first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least N in [low, high] at which `holds`, which then holds up to `high`."""
    return low + bisect_left(range(low, high), True, key=holds)


def peak(function: Callable[[int], float], low: int, high: int) -> int:
    """The N in [low, high] at which a concave function is largest.

    Slopes are taken over a millionth of N: finer ones drown in rounding, and there the function
    is flat to the last digit.
    """
    top = first(lambda n: function(n + 1 + (n >> 20)) <= function(n), low, high)
    return max(top, high, key=function) if function(high) > function(top) else top


def top_of_gap(region: Region, last: int) -> int | None:
    """The N in [1, last] with the largest gap; None where no N has any accurate ε."""

    def possible(n: int) -> bool:
        return bool(region.floor(n) < math.inf)

    end = _doubled(possible, 1, last)
    if end is None:
        return None
    best = peak(region.gap, first(possible, 1, end), last)
    n_epsilon = best * region.floor(best)
    if best < 2**20 or not abs(region.gap(best)) < _CLOSE * n_epsilon:
        return best
    return _exact_top(region, best, last)


def _exact_top(region: Region, best: int, last: int) -> int:
    """The whole N near `best` at which the gap is largest, told apart in ball arithmetic."""
    gap, reach = region.in_balls().gap, 4 * (best >> 20)
    low, high = max(1, best - reach), min(last, best + reach)
    return first(lambda n: bool(gap(n + 1) <= gap(n)), low, high)


def whole_range(region: Region) -> tuple[int, float] | None:
    """The least and the largest N (or ∞) at which the region allows some ε."""
    allowed = region.allows
    most = region.participants_ceiling
    if most == math.inf:
        end = _doubled(allowed, 1, WHOLE_LIMIT) if region.n_epsilon_room() > 0 else None
        return (first(allowed, 1, end), most) if end else None
    last = int(min(most, WHOLE_LIMIT))
    best = top_of_gap(region, last)
    if best is None or not allowed(best):
        return None
    return first(allowed, 1, best), first(lambda n: not allowed(n), best, last + 1) - 1


def _doubled(holds: Callable[[int], bool], low: int, high: float) -> int | None:
    """A power of two times `low`, at most `high`, at which `holds`; none if it holds nowhere."""
    n = low
    while n < high and not holds(n):
        n *= 2
    n = int(min(n, high))
    return n if n >= low and holds(n) else None


def aim(region: Region, objective: Objective, tolerance: float) -> Aim | None:
    """Where the objective is best in a region, or None where the region is empty."""
    bounds = whole_range(region)
    if bounds is None:
        return None
    least, most = bounds
    if objective == "participants":
        return Aim(least, True, region, least)
    if objective == "epsilon":
        if most >= WHOLE_LIMIT:  # ever more people, ever less ε
            return Aim(0.0, False, region, least)
        return Aim(region.floor(int(most)), True, region, int(most), -1)
    return _cheapest(region, least, most, tolerance)


def _cheapest(region: Region, least: int, most: float, tolerance: float) -> Aim:
    if region.entry_cost == 0 and region.person.paid_for_epsilon:
        if most == math.inf:  # more people and less ε is cheaper without end
            n_epsilon = region.n_epsilon_floor()
            infimum = region.person.n_epsilon_cost(n_epsilon) + region.costs.overhead
            near = with_budget(region, (1 + tolerance) * infimum)
            bounds = whole_range(near)
            return Aim(infimum, False, near, bounds[0] if bounds else least)
        best = int(most)
    else:
        high = min(most, WHOLE_LIMIT)
        end = _doubled(lambda n: _rises(region, n), least, high) or int(high)
        best = first(lambda n: _rises(region, n), least, end)
    return Aim(region.cost_at_floor(best), True, region, best, -1 if best == most else 1)


def _rises(region: Region, n: int) -> bool:
    """Whether one more (in a million) makes the cheapest study of n people dearer."""
    cost = region.cost_at_floor(n)
    return cost < math.inf and bool(region.cost_at_floor(n + 1 + (n >> 20)) >= cost)


def with_budget(region: Region, money: float) -> Region:
    """The region with its budget lowered to `money`, or with that budget if it has none."""
    others = tuple(c for c in region.conditions if not isinstance(c, Budget))
    given = [c.money for c in region.conditions if isinstance(c, Budget)]
    lowered = min(max(money, 5e-324), sys.float_info.max, *given)
    return replace(region, conditions=(*others, Budget(lowered)))
