"""Sampled studies: which are feasible, in which a given plan holds, and what it costs in each.

Harder inputs only turn a yes into a no, so that few of many studies are decided one by one.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from planner.answer.answers import Plan
from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import TOLERANCE, problem_of
from planner.answer.problem.vary import with_values
from planner.answer.proof.plan import holds
from planner.answer.search.decide import (
    FEASIBLE,
    INFEASIBLE,
    UNDECIDED,
    VERDICTS,
    decide,
    single_solver,
)
from planner.answer.search.many import Many, in_arrays
from planner.libraries import np
from planner.mechanisms import Mechanism
from planner.model import Budget, Choice, Condition, Study
from planner.numbers import Array
from planner.quantities import ACCURACY, QUANTITIES

Values = dict[str, Array]
YES, NO, UNKNOWN = FEASIBLE, INFEASIBLE, UNDECIDED


class Proposed(NamedTuple):
    """The answer of one of many studies, proved only near an edge.

    Attributes:
        verdict: 1 feasible, 0 infeasible, −1 undecided.
        choice: ε, δ and N of the cheapest plan, if feasible.
        mechanism: by which it is.
    """

    verdict: int
    choice: Choice | None
    mechanism: Mechanism


def solver(study: Study, names: Iterable[str], many: int) -> Callable[[Study], Proposed]:
    """A function that answers each of about `many` studies that differ in these quantities."""
    solve = single_solver("cost", TOLERANCE, 1 if varies_accuracy(names) else many)

    def proposed(one: Study) -> Proposed:
        answer = solve(one)
        if isinstance(answer, Choice):
            return Proposed(YES, answer, study.mechanism)
        if isinstance(answer, Plan):
            choice = Choice(answer.epsilon, answer.delta, answer.participants)
            return Proposed(YES, choice, answer.study.mechanism)
        return Proposed(NO if answer is None else VERDICTS[answer.verdict], None, study.mechanism)

    return proposed


def varies_accuracy(names: Iterable[str]) -> bool:
    """Whether some of the quantities change the required accuracy."""
    return any(name in ACCURACY for name in names)


def feasible(study: Study, values: Values) -> Array:
    """The verdict on each sampled study: 1 feasible, 0 infeasible, −1 undecided."""
    if in_arrays(study, set(values)):
        return decide(study, values, "cost", TOLERANCE).verdict
    size = len(next(iter(values.values())))
    proposed = solver(study, values, size if len(values) > 1 else 1)
    return answered(_hardness(values), lambda row: proposed(_one(study, values, row)).verdict)


def kept(choice: Choice, study: Study, values: Values) -> Array:
    """Whether a plan's ε, δ and N meet every condition of each sampled study.

    The plan is proved to meet every condition without uncertain inputs, except the
    budget.
    """
    size = len(next(iter(values.values())))
    if _plain(study):
        many = _many(study, values)
        keeps, left = np.ones(size, bool), []
        for condition in many.region.conditions:
            in_arrays = study.mechanism.broadcasts and study.survey is None
            if isinstance(condition, Goal) and not in_arrays:
                left.append(condition)
            else:
                keeps &= _kept(condition, choice, many)
        if left:
            accuracy = {name: v for name, v in values.items() if name in ACCURACY}
            keeps &= _kept_one_by_one(study, accuracy, choice, True, size)
        return keeps
    return _kept_one_by_one(study, values, choice, False, size)


def costs(choice: Choice, study: Study, values: Values) -> Array:
    """The cost of the plan in each sampled study [money]."""
    size = len(next(iter(values.values())))
    if _plain(study):
        many = _many(study, values)
        with np.errstate(all="ignore"):
            owed = np.minimum.reduce([
                np.broadcast_to(p.compensation(choice.epsilon, choice.delta), size)
                for p in many.persons
            ])  # fmt: skip
            return np.broadcast_to(many.costs.total(choice.participants, owed), size)
    money = {n: v for n, v in values.items() if n not in ACCURACY}
    totals = []
    for row in range(size):
        one = _one(study, money, row)
        owed = one.individual.compensation(choice.epsilon, choice.delta)
        totals.append(one.costs.total(choice.participants, owed))
    return np.array(totals, float)


def _one(study: Study, values: Values, row: int) -> Study:
    """The study of one draw."""
    return with_values(study, {name: float(value[row]) for name, value in values.items()})


def _hardness(values: Values) -> Array:
    """The inputs of each draw, larger meaning harder."""
    return np.stack(
        [v if QUANTITIES[name].more_is_harder else -v for name, v in values.items()], axis=1
    )


def _plain(study: Study) -> bool:
    """Whether the compensation broadcasts over arrays."""
    return not study.individual.listed_events and study.individual.family == 1


def _many(study: Study, values: Values) -> Many:
    """The studies with these values, as one."""
    return Many.of(with_values(study, {n: float(v[0]) for n, v in values.items()}), values)[0]


def _kept(condition: Condition, choice: Choice, many: Many) -> Array:
    """Whether a plan keeps to a condition in each draw."""
    size = len(next(iter(many.values.values())))
    choices = Choice(np.asarray(choice.epsilon), np.asarray(choice.delta), choice.participants)
    keeps = np.zeros(size, bool)
    for person in many.persons:
        with np.errstate(all="ignore"):
            left, right = condition.sides(choices, person, many.costs)
        drawn = np.size(left) > 1 or np.size(right) > 1
        if not drawn and not isinstance(condition, Budget):
            return np.ones(size, bool)
        room = right - left
        keeps |= room > 0 if condition.relation == "<" else room >= 0
    return keeps


def _kept_one_by_one(study: Study, values: Values, choice: Choice, goals: bool, size: int) -> Array:
    """Whether a plan keeps to the target, or to the other conditions, in each draw."""
    if not values:
        return np.ones(size, bool)

    def ask(row: int) -> int:
        problem = problem_of(_one(study, values, row))
        if goals:
            others = [c for c in problem.conditions if not isinstance(c, Goal)]
            problem = problem.without(*others)
        elif not any(name in ACCURACY for name in values):
            problem = problem.without(*problem.goals)
        return YES if holds(problem, choice, prove=False) else NO

    return answered(_hardness(values), ask) == YES


def answered(hardness: Array, ask: Callable[[int], int]) -> Array:
    """The answer in each case, with few evaluations.

    A yes decides every case that is no harder in any input, a no every case that is no easier.
    Open cases are bisected, so with one input the number of evaluations is logarithmic.

    Args:
        hardness: the inputs of each case, larger meaning harder; shape (cases, inputs).
        ask: the answer in the case of a row: yes 1, no 0, unknown −1, which decides no other case.
    """
    answers = np.full(len(hardness), UNKNOWN, np.int8)
    ranks = np.argsort(np.argsort(hardness, axis=0, kind="stable"), axis=0, kind="stable")
    open_ = np.argsort(ranks.sum(axis=1), kind="stable")
    while open_.size:
        at = len(open_) // 2
        row = open_[at]
        answer = ask(int(row))
        answers[row] = answer
        settled = np.zeros(len(open_), bool)
        if answer == YES:
            settled = (hardness[open_] <= hardness[row]).all(axis=1)
        elif answer == NO:
            settled = (hardness[open_] >= hardness[row]).all(axis=1)
        answers[open_[settled]] = answer
        settled[at] = True
        open_ = open_[~settled]
    return answers
