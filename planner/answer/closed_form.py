"""Hsu14's closed-form sufficient conditions (eqs 6-8): a plan by hand."""

import math
from typing import NamedTuple

from planner import numbers
from planner.answer.answers import Given, study_of
from planner.mechanisms import kinds
from planner.model import Budget
from planner.numbers import Number


class ClosedFormPlan(NamedTuple):
    """The plan of Hsu14 §5.1.

    Attributes:
        epsilon: T/6.
        participants: 12/T² · ln(3/α), rounded up.
        epsilon_ceiling: the largest ε within the budget at that N (right side of eq. 8).
        cost: the cost of the plan [money].
        holds: whether it is within the budget; sufficient for feasibility, not necessary.
    """

    epsilon: float
    participants: int
    epsilon_ceiling: float
    cost: float
    holds: bool


def least_participants(error: Number, failure: Number) -> Number:
    """12/T² · ln(3/α), the N at which 3·exp(−NT²/12) = α (Hsu14 eq. 7)."""
    system = numbers.of(error, failure)
    return 12 * system.log(3 / failure) / error**2


def epsilon_ceiling(budget: Number, base_cost: Number, error: Number, failure: Number) -> Number:
    """ln(1 + BT²/(12E ln(3/α))), the ε that the budget allows at that N (Hsu14 eq. 8)."""
    system = numbers.of(budget, base_cost, error, failure)
    return system.log1p(budget / (base_cost * least_participants(error, failure)))


def closed_form_plan(study: Given) -> ClosedFormPlan | None:
    """The closed plan of a mean study with only a budget, as in the paper; None for any other.

    Sufficient because eq. 5 is at most 3·exp(−NT²/12) once ε ≥ T/6 (eq. 6).
    """
    study = study_of(study)
    budget = study.find(Budget)
    if not kinds.is_of_paper(study.mechanism) or budget is None or study.strata:
        return None
    if study.groups == 2:
        return None
    person = study.individual
    if person.family > 1:  # eq. 8 is about the paper's compensation
        return None
    if study.conditions != (budget,) or not person.base_cost:
        return None
    error, failure = study.accuracy.error, study.accuracy.failure
    epsilon = error / 6
    least = least_participants(error, failure)
    if not math.isfinite(least):
        return None
    participants = math.ceil(least)
    allowed = epsilon_ceiling(budget.money, study.individual.base_cost, error, failure)
    cost = study.costs.total(participants, study.individual.compensation(epsilon))
    return ClosedFormPlan(epsilon, participants, allowed, cost, cost <= budget.money)
