"""The exact analysis for many studies: its floors over N are computed once and remembered.

They depend on the error, the failure probability, the range of means and δ, and not on money. Each
study is then planned as `planner.solve` plans it, by the same search on the same grids.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.answer.problem.goal import Accurate, Goal
from planner.answer.problem.problem import Problem, problem
from planner.answer.search.convex import Objective
from planner.answer.search.many_sizes import EDGE
from planner.answer.solve import propose, solve
from planner.model import Budget, Choice, Study
from planner.numbers import Array, Number

_TABLE = 2**17
_SIDE_BY_SIDE = 512
"""Floors of so many sizes are computed at once: one alone costs nearly as much."""
_WORTH_IT = 200
"""Studies for which neighbouring floors are worth computing before they are asked for."""


class Memory:
    """Floors, and failure probabilities, of one accuracy at one δ."""

    def __init__(self, goal: Accurate, delta: float, side_by_side: bool) -> None:
        self._quick, self._goal, self._delta = goal.quick(), goal, delta
        self._block = _SIDE_BY_SIDE if side_by_side else 1
        self._table = np.full(_TABLE, np.nan)
        self._beyond: dict[float, float] = {}
        self._floors: dict[float, float] = {}
        self._achieved: dict[tuple[float, float], float] = {}

    def floor(self, n: float) -> float:
        """The exact floor at one N."""
        if n not in self._floors:
            self._floors[n] = float(self._goal.epsilon_floor(n, self._delta))
        return self._floors[n]

    def achieved(self, epsilon: float, n: float) -> float:
        """The failure probability of a plan."""
        if (epsilon, n) not in self._achieved:
            plan = Choice(epsilon, self._delta, n)
            self._achieved[epsilon, n] = float(self._goal.achieved(plan))
        return self._achieved[epsilon, n]

    def floors(self, n: Array) -> Array:
        """The quick floors over an array of N."""
        small = n < _TABLE
        at = np.where(small, n, 1).astype(int)
        found = np.where(small, self._table[at], np.nan)
        missing = np.isnan(found)
        if not missing.any():
            return found
        self._fill(at[small & missing])
        found = np.where(small, self._table[at], np.nan)
        for row in np.flatnonzero(~small):
            found[row] = self._beyond.get(float(n[row]), np.nan)
        rows = np.flatnonzero(np.isnan(found))
        if rows.size:
            found[rows] = self._quick.epsilon_floor(n[rows], self._delta)
            self._beyond.update(zip(n[rows].tolist(), found[rows].tolist(), strict=True))
        return found

    def _fill(self, at: Array) -> None:
        blocks = np.unique(at // self._block)
        sizes = (blocks[:, None] * self._block + np.arange(self._block)).reshape(-1)
        sizes = sizes[(sizes >= 1) & np.isnan(self._table[sizes])]
        if sizes.size:
            floors = self._quick.epsilon_floor(sizes.astype(float), self._delta)
            self._table[sizes] = floors


@dataclass(frozen=True)
class Remembering(Accurate):
    """Accuracy that remembers its floors."""

    memory: Memory

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The floor at one N, or at each of an array."""
        if np.ndim(participants):
            return np.array([self.memory.floor(float(n)) for n in participants])
        return self.memory.floor(float(participants))

    def achieved(self, plan: Choice) -> Number:
        """The failure probability."""
        return self.memory.achieved(float(plan.epsilon), float(plan.participants))

    def quick(self) -> Goal:
        """With the quick floors."""
        return QuicklyRemembering(self.mechanism, self.target, self.memory)


@dataclass(frozen=True)
class QuicklyRemembering(Remembering):
    """Accuracy with quick floors over arrays of N, remembered."""

    def epsilon_floor(self, participants: Number, delta: Number) -> Number:
        """The floors over an array of N."""
        return self.memory.floors(participants)


def single_solver(
    study: Study, objective: Objective, tolerance: float, studies: int
) -> Callable[[Study], Any]:
    """How each of `studies` like this one is answered: as without proof, but near an edge.

    Returns:
        A function from a study to an `Answer`, or to a plan (`Choice`), or None for infeasible.
    """
    memories: dict[Any, Memory] = {}

    def answered(one: Study) -> Any:
        question = problem(one)
        low, high = question.delta_bounds
        fixed = low == high or not question.approximate
        if not question.saw_toothed or not fixed or low > high:
            return solve(one, objective, False, tolerance)
        (goal,) = question.goals
        if not isinstance(goal, Accurate):
            return solve(one, objective, False, tolerance)
        key = (goal, low)
        if key not in memories:
            memories[key] = Memory(goal, low, studies >= _WORTH_IT)
        quick = Remembering(goal.mechanism, goal.target, memories[key])
        question = replace(
            question, conditions=tuple(quick if c is goal else c for c in question.conditions)
        )
        found = propose(question, objective, False, tolerance)
        if found is None:
            near = _loosened(question)
            if near and propose(near, "participants", False, tolerance):
                return solve(one, objective, True, tolerance)
            return None
        _, _, plan = found
        if plan is None or _at_edge(question, plan):
            return solve(one, objective, True, tolerance)
        return plan

    return answered


def _loosened(question: Problem) -> Problem | None:
    """The problem with a budget larger by what counts as the edge."""
    for condition in question.conditions:
        if isinstance(condition, Budget):
            return question.with_conditions(Budget(condition.money * (1 + 2 * EDGE)))
    return None


def _at_edge(question: Problem, plan: Choice) -> bool:
    """Whether the plan takes the whole budget."""
    return any(
        condition.slack(plan, question.individual, question.costs) < EDGE * condition.money
        for condition in question.conditions
        if isinstance(condition, Budget)
    )
