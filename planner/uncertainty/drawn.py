"""Drawn studies: which are feasible, which a given plan keeps to, and what it costs in each."""

from typing import Any

import numpy as np

from planner.answer.answers import Plan
from planner.answer.goal import Goal
from planner.answer.problem import problem
from planner.answer.proof import holds
from planner.answer.varied import with_values
from planner.mechanisms import LaplaceMean, Mwem, MwemApproximate
from planner.model import AtRisk, Choice, Condition, Study
from planner.sweeps.many import Many, in_arrays
from planner.sweeps.points import VERDICTS, decide
from planner.uncertainty.monotone import NO, YES, answered
from planner.uncertainty.uncertain import HARDER

Array = Any
Values = dict[str, Array]
_ACCURACY = ("error", "failure", "queries", "loss")
_TOLERANCE = 0.01


def feasible(study: Study, values: Values) -> Array:
    """The verdict on each drawn study: 1 feasible, 0 infeasible, −1 undecided."""
    if in_arrays(study, set(values)):
        return decide(study, values, "cost", _TOLERANCE).verdict
    from planner.sweeps.remembered import single_solver

    accuracies = any(name in _ACCURACY for name in values)
    solver = single_solver(study, "cost", _TOLERANCE, 1 if accuracies else 2 ** (6 * len(values)))

    def ask(row: int) -> int:
        # what is remembered is of one accuracy; of many it would fill the memory
        solved = single_solver(study, "cost", _TOLERANCE, 1) if accuracies else solver
        answer = solved(_one(study, values, row))
        if answer is None:
            return NO
        return YES if isinstance(answer, Choice) else VERDICTS[answer.verdict]

    return answered(_hardness(values), ask)


def kept(plan: Plan, study: Study, values: Values) -> Array:
    """Whether the plan's ε, δ and N keep to every condition of each drawn study.

    A condition in which nothing is drawn is one that the plan has been proved to keep to.
    """
    study = study.by(plan.study.mechanism)
    choice = Choice(plan.epsilon, plan.delta, plan.participants)
    size = len(next(iter(values.values())))
    if _plain(study):
        many = _many(study, values)
        found, left = np.ones(size, bool), []
        for condition in many.region.conditions:
            if isinstance(condition, Goal) and not _goal_in_arrays(study):
                left.append(condition)
            else:
                found &= _kept(condition, choice, many)
        if left:
            accuracy = {name: v for name, v in values.items() if name in _ACCURACY}
            found &= _kept_one_by_one(study, accuracy, choice, True, size)
        return found
    return _kept_one_by_one(study, values, choice, False, size)


def costs(plan: Plan, study: Study, values: Values) -> Array:
    """What the plan costs in each drawn study [money]."""
    size = len(next(iter(values.values())))
    study = study.by(plan.study.mechanism)
    if _plain(study):
        many = _many(study, values)
        with np.errstate(all="ignore"):
            owed = np.minimum.reduce([
                np.broadcast_to(p.compensation(plan.epsilon, plan.delta), size)
                for p in many.persons
            ])  # fmt: skip
            return np.broadcast_to(many.costs.total(plan.participants, owed), size)
    money = {n: v for n, v in values.items() if n not in _ACCURACY}
    totals = []
    for row in range(size):
        one = _one(study, money, row)
        owed = one.individual.compensation(plan.epsilon, plan.delta)
        totals.append(one.costs.total(plan.participants, owed))
    return np.array(totals, float)


def _one(study: Study, values: Values, row: int) -> Study:
    return with_values(study, {name: float(value[row]) for name, value in values.items()})


def _hardness(values: Values) -> Array:
    return np.stack([v if name in HARDER else -v for name, v in values.items()], axis=1)


def _plain(study: Study) -> bool:
    """Whether what people are owed reads arrays."""
    return not isinstance(study.individual, AtRisk) and study.individual.family == 1


def _goal_in_arrays(study: Study) -> bool:
    mechanism = study.mechanism
    known = isinstance(mechanism, LaplaceMean | Mwem | MwemApproximate)
    return known and not mechanism.saw_toothed


def _many(study: Study, values: Values) -> Many:
    return Many.of(with_values(study, {n: float(v[0]) for n, v in values.items()}), values)[0]


def _kept(condition: Condition, choice: Choice, many: Many) -> Array:
    size = len(next(iter(many.values.values())))
    plan = Choice(np.asarray(choice.epsilon), np.asarray(choice.delta), choice.participants)
    found = np.zeros(size, bool)
    for person in many.persons:
        with np.errstate(all="ignore"):
            left, right = condition.sides(plan, person, many.costs)
        if np.size(left) == 1 and np.size(right) == 1:  # nothing in it is drawn
            return np.ones(size, bool)
        room = right - left
        found |= room > 0 if condition.relation == "<" else room >= 0
    return found


def _kept_one_by_one(
    study: Study, values: Values, choice: Choice, goals: bool, size: int
) -> Array:
    if not values:
        return np.ones(size, bool)

    def ask(row: int) -> int:
        question = problem(_one(study, values, row))
        if goals:
            others = [c for c in question.conditions if not isinstance(c, Goal)]
            question = question.without(*others)
        elif not any(name in _ACCURACY for name in values):
            question = question.without(*question.goals)
        return YES if holds(question, choice, prove=False) else NO

    return answered(_hardness(values), ask) == YES
