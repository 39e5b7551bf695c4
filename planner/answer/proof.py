"""The proof of a plan: every constraint re-checked at the very numbers that are printed.

What needs only + − × ÷ is decided in exact fractions of the printed decimals; the rest in balls
that hold each input's decimal and its double. A plan must pass in floats too, so that whoever
puts it back into the formulas sees it pass.
"""

import math
from typing import NamedTuple

from planner import numbers
from planner.answer.problem import Problem
from planner.answer.region import Region
from planner.model import Choice, Condition, Individual
from planner.model.condition import Piece
from planner.numbers import Inexact, NumberSystem, round_up

ROUNDING_ROOM = 1e-6
"""By what part ε, and the cost, may lie above their least values for ε to have few digits."""


class Proof(NamedTuple):
    """How a verdict was proved.

    Attributes:
        method: the argument, in a few words.
        checked: whether ball arithmetic confirmed it.
        statement: the argument as a sentence.
    """

    method: str
    checked: bool
    statement: str


def holds(problem: Problem, plan: Choice, prove: bool = True) -> bool:
    """Whether the plan keeps to every condition: in floats, and certainly if `prove`."""
    return all(
        _within(condition, problem, plan, problem.individual, numbers.FLOATS)
        and (not prove or _certain(condition, problem, plan))
        for condition in problem.conditions
    )


def _certain(condition: Condition, problem: Problem, plan: Choice) -> bool:
    # a person costs the less of the two payments, so a condition that one keeps holds
    return any(_certain_for(condition, problem, plan, p) for p in problem.individual.pieces)


def _certain_for(condition: Condition, problem: Problem, plan: Choice, person: Piece) -> bool:
    try:
        return _within(condition, problem, plan, person, numbers.FRACTIONS)
    except Inexact:
        return _within(condition, problem, plan, person, numbers.balls())


def _within(
    condition: Condition,
    problem: Problem,
    plan: Choice,
    person: Individual | Piece,
    system: NumberSystem,
) -> bool:
    read = Choice(*(system.number(value) for value in plan))
    return condition.kept(read, person, problem.costs)


def printable_plan(
    problem: Problem, region: Region, participants: int, prove: bool = True
) -> Choice | None:
    """The plan at N whose ε has the fewest digits, just above its floor; None if there is none."""
    floor, delta = region.floor(participants), region.delta_low
    if not floor < math.inf:
        return None
    ceiling = min(region.ceiling(participants), _about_as_cheap(region, problem, floor))
    near = Problem(region.conditions, problem.individual, problem.costs)
    for digits in range(1, 18):
        plan = Choice(round_up(floor, digits), delta, participants)
        if plan.epsilon <= ceiling and holds(near, plan, prove):
            return plan
    return None


def _about_as_cheap(region: Region, problem: Problem, floor: float) -> float:
    """How far over its floor ε may lie to have few digits: a millionth, or a millionth of the cost.

    Where people are paid in full, or for events that are certain, no cost stands in the way.
    """
    as_cheap = floor * (1 + ROUNDING_ROOM / (1 + problem.individual.family * floor))
    owed = region.person.compensation(floor, region.delta_low) * (1 + ROUNDING_ROOM)
    if owed < math.inf:
        as_cheap = max(as_cheap, region.person.epsilon_ceiling(owed, region.delta_low))
    return float(min(as_cheap, floor * (1 + ROUNDING_ROOM)))
