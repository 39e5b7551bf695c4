"""Decides studies: in arrays where that is sure, and one by one where it is not."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from planner.answer.problem.problem import each, problem_of
from planner.answer.problem.vary import with_values
from planner.answer.search.find import Objective, near_best, reader
from planner.answer.search.many import Many, Values, in_arrays
from planner.answer.search.many_aims import aims
from planner.answer.search.many_plans import plans
from planner.answer.solve import solve
from planner.libraries import np
from planner.mechanisms.count_floor import CountFloor
from planner.mechanisms.several.survey import SurveyFloor
from planner.model import MinParticipants, Study
from planner.numbers import WHOLE_LIMIT, Array

FEASIBLE, INFEASIBLE, UNDECIDED = 1, 0, -1  # codes, as arrays hold numbers
VERDICTS = {"feasible": FEASIBLE, "infeasible": INFEASIBLE, "undecided": UNDECIDED}
BLOCK = 32_768
"""Studies decided at once: their arrays then stay in the processor's cache."""
_AT_EDGE = 0.98
"""With so much room and no plan a study may have one that leaves no room for a short proof."""


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

    def one_by_one(single: dict[str, float]) -> tuple[float, ...]:
        return _row(solve(with_values(study, single), objective, False, tolerance))

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
    floor = problem_of(study).goals[0].floor
    if floor.regularity.saw_toothed and isinstance(floor, CountFloor | SurveyFloor):
        columns, doubt = _by_sizes(study, values, objective)
        columns.put(np.flatnonzero(doubt), _singly(values, np.flatnonzero(doubt), one_by_one))
        return columns
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


def _row(answer: Any) -> tuple[float, ...]:
    verdict = VERDICTS[answer.verdict]
    if verdict != FEASIBLE:
        return (verdict, *_NONE[1:])
    return (verdict, *(getattr(answer, name) for name in Columns._fields[1:]))


def _by_sizes(study: Study, values: Values, objective: Objective) -> tuple[Columns, Array]:
    """Exact studies in arrays: sizes about the best of each, and which are left in doubt.

    At an edge a study may need the part of α that others leave for their proof.
    """
    size = len(next(iter(values.values())))
    first = {name: value[0] for name, value in values.items()}
    columns, doubt = Columns.empty(size), np.zeros(size, bool)
    start = study.find(MinParticipants)
    best, most_room = np.full(size, np.inf), np.zeros(size)
    for many in Many.of(with_values(study, first), values):
        last = np.minimum(many.participants_ceiling(), WHOLE_LIMIT)
        least = float(start.n) if start else 1.0
        rows = np.flatnonzero(last >= least)
        doubt |= (many.participants_ceiling() == np.inf) & (objective != "participants")
        if not rows.size:
            continue
        near = many.take(rows)
        region = near.in_columns.region
        goal = near.problem.goals[0]
        quick, exact = reader(region, "smooth"), reader(region)
        ends = np.full(rows.size, least), last[rows]
        sizes = exact(near_best(quick, exact, *ends, objective, [goal.floor]))
        most_room[rows] = np.maximum(most_room[rows], sizes.room.max(axis=1))
        worth = np.where(sizes.allowed, sizes.worth(objective), np.inf)
        n = sizes.n[np.arange(rows.size), np.argmin(worth, axis=1)]
        better = worth.min(axis=1) < best[rows]
        found, n, near = rows[better], n[better], near.take(np.flatnonzero(better))
        if not found.size:
            continue
        best[found] = worth.min(axis=1)[better]
        plan = plans(near, n)
        doubt[found] |= plan.doubt
        delta = np.broadcast_to(near.delta, n.shape)
        verdict = np.full(n.shape, FEASIBLE, np.int8)
        columns.put(found, Columns(verdict, plan.epsilon, delta, n, plan.cost, plan.compensation))
    doubt &= columns.verdict == FEASIBLE
    return columns, doubt | ((most_room > _AT_EDGE) & (columns.verdict != FEASIBLE))
