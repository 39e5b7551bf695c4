"""Decides studies: in arrays where that is sure, and one by one where it is not."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from planner.answer.problem.problem import Problem, each, problem_of
from planner.answer.problem.vary import with_values
from planner.answer.search.convex import Objective
from planner.answer.search.many import Many, Values, in_arrays
from planner.answer.search.many_aims import EDGE, aims
from planner.answer.search.many_plans import plans
from planner.answer.solve import propose, solve
from planner.libraries import np
from planner.model import Budget, Choice, Study
from planner.numbers import Array
from planner.quantities import ACCURACY

FEASIBLE, INFEASIBLE, UNDECIDED = 1, 0, -1  # codes, as arrays hold numbers
VERDICTS = {"feasible": FEASIBLE, "infeasible": INFEASIBLE, "undecided": UNDECIDED}
BLOCK = 32_768
"""Studies decided at once: their arrays then stay in the processor's cache."""

_WORTH_IT = 200
"""Studies for which neighbouring floors are worth computing before they are asked for."""


class Columns(NamedTuple):
    """What is found for each study; NaN where it is not feasible.

    Attributes:
        verdict: 1 feasible, 0 infeasible, −1 undecided.
        epsilon, delta, participants, cost, compensation: of the plan.
    """

    verdict: Array
    epsilon: Array
    delta: Array
    participants: Array
    cost: Array
    compensation: Array

    @classmethod
    def empty(cls, size: int) -> "Columns":
        return cls(np.zeros(size, np.int8), *(np.full(size, np.nan) for _ in cls._fields[1:]))

    def put(self, rows: Array | slice, part: "Columns") -> None:
        for whole, piece in zip(self, part, strict=True):
            whole[rows] = piece


_NONE = (INFEASIBLE, *[math.nan] * (len(Columns._fields) - 1))


def decide(study: Study, values: Values, objective: Objective, tolerance: float) -> Columns:
    """Decide the studies with these values, arrays of one shape; payments are not rounded."""
    study = study.unrounded
    if len(each(study)) == 1:  # nothing is left to choose
        (study,) = each(study)
    size = len(next(iter(values.values())))
    columns = Columns.empty(size)
    accuracies = [np.unique(v).size for name, v in values.items() if name in (*ACCURACY, "delta")]
    alike = size // max(math.prod(accuracies), 1)
    one_by_one = _row_solver(study, objective, tolerance, alike)
    for start in range(0, size, BLOCK):
        rows = slice(start, min(start + BLOCK, size))
        block = {name: value[rows] for name, value in values.items()}
        columns.put(rows, _decide_block(study, block, objective, tolerance, one_by_one))
    return columns


Single = Callable[[dict[str, float]], tuple[float, ...]]


def _decide_block(
    study: Study, values: Values, objective: Objective, tolerance: float, one_by_one: Single
) -> Columns:
    size = len(next(iter(values.values())))
    if not in_arrays(study, set(values)):
        return _singly(values, np.arange(size), one_by_one)
    columns = Columns.empty(size)
    base = values.get("base_cost")
    doubt = np.zeros(size, bool)
    if base is None or base.all():
        columns, doubt = _in_arrays(study, values, objective, tolerance)
    else:  # nobody is paid for ε where the base cost is zero
        for free in (True, False):
            rows = np.flatnonzero((base == 0) == free)
            some = {name: value[rows] for name, value in values.items()}
            of = with_values(study, {"base_cost": 0.0}) if free else study
            if free:
                del some["base_cost"]
            if rows.size and some:
                part, unsure = _in_arrays(of, some, objective, tolerance)
                columns.put(rows, part)
                doubt[rows] = unsure
            elif rows.size:
                doubt[rows] = True
    rows = np.flatnonzero(doubt)
    if rows.size:

        def proven(single: dict[str, float]) -> tuple[float, ...]:
            return _row(solve(with_values(study, single), objective, True, tolerance))

        columns.put(rows, _singly(values, rows, proven))
    return columns


def _in_arrays(
    study: Study, values: Values, objective: Objective, tolerance: float
) -> tuple[Columns, Array]:
    """What arrays decide, and which studies they leave in doubt."""
    size = len(next(iter(values.values())))
    first = {name: value[0] for name, value in values.items()}
    rules = Many.of(with_values(study, first), values)
    columns, doubt = Columns.empty(size), np.zeros(size, bool)
    with np.errstate(all="ignore"):
        aimed = [aims(many, objective, tolerance) for many in rules]
        for one in aimed:
            doubt |= one.doubt | (np.isnan(one.value) & one.feasible)
        if len(rules) > 1:
            a, b = (one.value for one in aimed)
            doubt |= (a != b) & (np.abs(a - b) <= 1e-12 * np.abs(a))
            if objective == "epsilon":  # approached by one rule, reached by the other
                doubt |= aimed[0].feasible & aimed[1].feasible
        best = np.argmin([one.value for one in aimed], axis=0)
        for which, (many, one) in enumerate(zip(rules, aimed, strict=True)):
            rows = np.flatnonzero(one.feasible & (best == which) & ~doubt)
            if not rows.size:
                continue
            near = many.take(rows)
            if np.isfinite(one.budget[rows]).all():
                near = near.with_budget(one.budget[rows])
            n = one.participants[rows]
            plan = plans(near, n)
            doubt[rows] |= plan.doubt
            delta = np.broadcast_to(near.delta, n.shape)
            verdict = np.full(n.shape, FEASIBLE, np.int8)
            columns.put(
                rows, Columns(verdict, plan.epsilon, delta, n, plan.cost, plan.compensation)
            )
    return columns, doubt


def _singly(values: Values, rows: Array, decide_one: Single) -> Columns:
    columns = Columns.empty(len(rows))
    for at, row in enumerate(rows):
        single = {name: float(value[row]) for name, value in values.items()}
        for column, number in zip(columns, decide_one(single), strict=True):
            column[at] = number
    return columns


def _row_solver(study: Study, objective: Objective, tolerance: float, alike: int) -> Single:
    """How one study is decided where arrays cannot; `alike` of them share their accuracy."""
    answer_of = single_solver(objective, tolerance, alike)

    def solved(single: dict[str, float]) -> tuple[float, ...]:
        one = with_values(study, single)
        answer = answer_of(one)
        if answer is None:
            return _NONE
        if not isinstance(answer, Choice):
            return _row(answer)
        owed = one.individual.compensation(answer.epsilon, answer.delta)
        cost = one.costs.total(answer.participants, owed)
        return (FEASIBLE, answer.epsilon, answer.delta, answer.participants, cost, owed)

    return solved


def _row(answer: Any) -> tuple[float, ...]:
    verdict = VERDICTS[answer.verdict]
    if verdict != FEASIBLE:
        return (verdict, *_NONE[1:])
    return (verdict, *(getattr(answer, name) for name in Columns._fields[1:]))


def single_solver(objective: Objective, tolerance: float, studies: int) -> Callable[[Study], Any]:
    """How each of about `studies` of one accuracy is answered: without proof, but near an edge.

    Returns:
        A function from a study to an `Answer`, or to a plan (`Choice`), or None for infeasible.
    """

    def answered(one: Study) -> Any:
        if one.mechanism.alternatives:
            return solve(one, objective, False, tolerance)
        problem = problem_of(one)
        low, high = problem.delta_bounds
        fixed = low == high or not problem.uses_delta
        if not problem.on_grids or not fixed or low > high:
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
    for condition in problem.conditions:
        if isinstance(condition, Budget):
            return problem.with_conditions(Budget(condition.money * (1 + 2 * EDGE)))
    return None


def _at_edge(problem: Problem, choice: Choice) -> bool:
    return any(
        condition.slack(choice, problem.individual, problem.costs) < EDGE * condition.money
        for condition in problem.conditions
        if isinstance(condition, Budget)
    )
