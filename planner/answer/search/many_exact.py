"""Many studies under the exact analysis, one by one: each is planned as `planner.solve` plans it.

Their frontiers depend on the error, the failure probability, the range of means and δ, and not on
money, so studies that share these read the same one.
"""

from collections.abc import Callable
from typing import Any

from planner.answer.problem.problem import Problem, problem_of
from planner.answer.search.convex import Objective
from planner.answer.search.many_sizes import EDGE
from planner.answer.solve import propose, solve
from planner.model import Budget, Choice, Study

_WORTH_IT = 200
"""Studies for which neighbouring floors are worth computing before they are asked for."""


def single_solver(objective: Objective, tolerance: float, studies: int) -> Callable[[Study], Any]:
    """How each of about `studies` of one accuracy is answered: without proof, but near an edge.

    Returns:
        A function from a study to an `Answer`, or to a plan (`Choice`), or None for infeasible.
    """

    def answered(one: Study) -> Any:
        problem = problem_of(one)
        low, high = problem.delta_bounds
        fixed = low == high or not problem.uses_delta
        if not problem.on_grids or one.expected_loss or not fixed or low > high:
            return solve(one, objective, False, tolerance)
        if studies >= _WORTH_IT:
            problem.goals[0].floor.read_often()
        proposal = propose(problem, objective, False, tolerance)
        if proposal is None:
            near = _loosened(problem)
            if near and propose(near, "participants", False, tolerance):
                return solve(one, objective, True, tolerance)
            return None
        _, _, plan = proposal
        if plan is None or _at_edge(problem, plan):
            return solve(one, objective, True, tolerance)
        return plan

    return answered


def _loosened(problem: Problem) -> Problem | None:
    """The problem with a budget larger by what counts as the edge."""
    for condition in problem.conditions:
        if isinstance(condition, Budget):
            return problem.with_conditions(Budget(condition.money * (1 + 2 * EDGE)))
    return None


def _at_edge(problem: Problem, choice: Choice) -> bool:
    """Whether the choice takes the whole budget."""
    return any(
        condition.slack(choice, problem.individual, problem.costs) < EDGE * condition.money
        for condition in problem.conditions
        if isinstance(condition, Budget)
    )
