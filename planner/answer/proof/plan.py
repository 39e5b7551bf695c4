"""The proof of a plan: every constraint re-checked at the very numbers that are printed.

It is decided in fractions of the printed decimals, with e^x and ln x to 100 digits. A plan must
pass in floats too, so that whoever puts it back into the formulas sees it pass.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from planner import numbers
from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import Problem
from planner.answer.problem.region import Region
from planner.answer.search.find import ROUNDED, reader
from planner.libraries import np
from planner.model import Choice, Condition
from planner.model.individual import Individual
from planner.model.payment import Payment
from planner.numbers import WHOLE_LIMIT, Number, NumberSystem, round_up

ROUNDING_ROOM = 1e-6
"""By what part ε, and the cost, may lie above their least values for ε to have few digits."""

_MOST_UNPROVED = 4  # plans: each has a digit more than the last, so less ε and less room
_ROOMS = (0.0, 1e-3)
"""By what part ε may lie above its floor where nothing nearer to it is proved, or holds."""
# ε is tried at the geometric mean of its floor and four times that, so at twice the floor, where a
# proof is quick; a fourth digit moves it by a part in a thousand at most
_ROOMY, _FEW_DIGITS = 4.0, 4


class Proof(NamedTuple):
    """How a verdict was proved.

    Attributes:
        method: the argument, in a few words.
        checked: whether it was proved.
        statement: the argument as a sentence.
    """

    method: str
    checked: bool
    statement: str


def holds(problem: Problem, choice: Choice, prove: bool = True) -> bool:
    """Whether the choice keeps to every condition: in floats, and certainly if `prove`."""
    return all(
        _within(condition, problem, choice, problem.individual, numbers.FLOATS)
        and (not prove or certain(condition, problem, choice))
        for condition in problem.conditions
    )


def certain(condition: Condition, problem: Problem, choice: Choice) -> bool:
    """Whether the choice certainly keeps to a condition."""
    # a person costs the less of the two payments, so a condition that one keeps holds
    people = problem.individual.pieces
    return any(_within(condition, problem, choice, one, numbers.FRACTIONS) for one in people)


def _within(
    condition: Condition,
    problem: Problem,
    choice: Choice,
    person: Individual | Payment,
    system: NumberSystem,
) -> bool:
    if isinstance(condition, Goal):  # the checker of certificates proves it
        system = numbers.FLOATS
    read = Choice(*(system.number(value) for value in choice))
    return condition.kept(read, person, problem.costs)


Prover: TypeAlias = Callable[[Choice], bool]
"""Whether a choice is proved to keep to every condition."""


def printable_plan(
    problem: Problem, region: Region, participants: int, proves: Prover | None = None
) -> Choice | None:
    """The plan at N whose ε has the fewest digits, just above its floor; None if there is none.

    Where a failure probability hardly falls with ε, a proof may need more room than the digits.
    """
    floor = float(region.floor(float(participants)))
    if not floor < math.inf:
        return None
    tried = (_shortest(problem, region, participants, floor * (1 + r), proves) for r in _ROOMS)
    return next(filter(None, tried), None)


def any_plan(
    problem: Problem, region: Region, participants: int, proves: Prover | None = None
) -> Choice | None:
    """A plan at N, whatever its ε; None where none is found.

    Its ε is far from its floor and ceiling, if it can be: there a proof is short, as the failure
    probability is well under α, and an approximate floor is enough. Of few people more ε may fail
    more often: where the floats say so, the least ε is tried.
    """
    if not 1 <= participants <= min(region.participants_ceiling, WHOLE_LIMIT):
        return None
    sizes = reader(region)(np.array([participants]))
    floor, room = float(sizes.epsilon[0]), min(float(sizes.room[0]), _ROOMY)
    if not room >= 1:
        return None
    middle, most = floor * room**0.5, floor * room**0.75
    short = (round_up(middle, digits) for digits in range(_FEW_DIGITS, 18))
    epsilon = next((x for x in short if x <= most), middle)
    plan = Choice(epsilon, region.delta_low, participants)
    if holds(problem, plan, prove=False):
        return plan if proves is None or proves(plan) else None
    return printable_plan(problem, region, participants, proves)


def _shortest(
    problem: Problem, region: Region, participants: int, least: float, proves: Prover | None
) -> Choice | None:
    """The plan with the fewest digits of ε from `least` on."""
    near_floor = about_as_cheap(region, least, problem.individual.family)
    ceiling = min(float(region.ceiling(participants)) * ROUNDED, near_floor)
    if ceiling < least:
        return None
    unproved, last = 0, None
    digits = range(1, 18)
    fewest = bisect_left(digits, True, key=lambda d: round_up(least, d) <= ceiling)
    for d in digits[fewest:]:
        plan = Choice(round_up(least, d), region.delta_low, participants)
        if holds(problem, plan, prove=False):
            if proves is None or (plan != last and proves(plan)):
                return plan
            unproved, last = unproved + 1, plan
        if unproved == _MOST_UNPROVED:  # less ε is no easier to prove
            break
    return None


def about_as_cheap(region: Region, floor: Number, family: int) -> Number:
    """How far over its floor ε may lie to have few digits; of floats or arrays.

    As far as the cost rises by a millionth, but by no more than a millionth of ε: where people are
    paid in full, for events that are certain, or more than any money, no cost stands in the way.
    """
    system, delta = region.system, region.delta_low
    as_cheap = floor * (1 + ROUNDING_ROOM / (1 + family * floor))
    owed = region.person.compensation(floor, delta) * (1 + ROUNDING_ROOM)
    paid_for = region.person.epsilon_ceiling(system.minimum(owed, system.largest), delta)
    paid_for = system.maximum(paid_for, system.all_or_nothing(owed - system.largest))
    most = floor * (1 + ROUNDING_ROOM)
    if region.costs.smallest_coin:  # and as many coins
        paid = region.costs.payment(region.person.compensation(floor, delta))
        most = system.minimum(most, region.person.epsilon_ceiling(paid, delta))
    return system.minimum(system.maximum(as_cheap, paid_for), most)
