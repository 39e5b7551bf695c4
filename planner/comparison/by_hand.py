"""Hsu14's own comparison, for a mean study with only a budget (Theorem 9, eqs 9, 10)."""

import math
from typing import NamedTuple

from planner.answer import closed_form
from planner.comparison import chernoff
from planner.mechanisms import kinds
from planner.model import Budget, Costs, Study
from planner.numbers import WHOLE_LIMIT, Number


class ByHand(NamedTuple):
    """The closed plan of §5.1 and the smallest study that is not private.

    Attributes:
        participants: N′, the smallest size without privacy, not rounded (eq. 10).
        cost: B′ = φWN′, the smallest cost without privacy [money].
        epsilon: T/6, of the closed plan of §5.1.
        epsilon_ceiling: the right side of eq. 9.
        private_cost: the cost of the closed plan of §5.1 [money].
        cheaper: whether eq. 9 holds, a sufficient condition for the private study to be cheaper.
        break_even_exposure: the φ from which eq. 9 holds; it may exceed 1.
        break_even_ratio: the W/E from which eq. 9 holds; ∞ at φ = 0.
    """

    participants: float
    cost: float
    epsilon: float
    epsilon_ceiling: float
    private_cost: float
    cheaper: bool
    break_even_exposure: float
    break_even_ratio: float


def private_epsilon_ceiling(
    exposure: Number, worst_cost: Number, base_cost: Number, error: Number, failure: Number
) -> Number:
    """ln(1 + φW ln(1/2α)/(96E ln(3/α))): eq. 8 with the budget B′ = φWN′ (Hsu14 eq. 9)."""
    budget = exposure * worst_cost * chernoff.least_participants(error, failure)
    return closed_form.epsilon_ceiling(budget, base_cost, error, failure)


def by_hand(study: Study, exposure: float) -> ByHand | None:
    """The comparison by eqs 9 and 10; None where they do not apply."""
    mechanism, person = study.mechanism, study.individual
    if not kinds.is_of_paper(mechanism) or study.groups == 2:
        return None
    if any(not isinstance(c, Budget) for c in study.conditions) or study.costs != Costs():
        return None
    target = study.accuracy
    if not chernoff.applies(
        target.error, target.failure, getattr(mechanism, "mean_range", (0.0, 1.0))
    ):
        return None
    size = chernoff.least_participants(target.error, target.failure)
    if not person.base_cost or not person.worst_cost or person.family > 1:
        return None
    epsilon = target.error / 6
    ceiling = private_epsilon_ceiling(
        exposure, person.worst_cost, person.base_cost, target.error, target.failure
    )
    private_size = closed_form.least_participants(target.error, target.failure)
    if not private_size <= WHOLE_LIMIT:
        return None
    # eq. 9 as an equality: φW·N′ = (e^(T/6) − 1)E·N
    exposed = person.compensation(epsilon) * private_size / size
    return ByHand(
        participants=size,
        cost=exposure * person.worst_cost * size,
        epsilon=epsilon,
        epsilon_ceiling=ceiling,
        private_cost=person.compensation(epsilon) * math.ceil(private_size),
        cheaper=epsilon <= ceiling,
        break_even_exposure=exposed / person.worst_cost,
        break_even_ratio=exposed / exposure / person.base_cost if exposure else math.inf,
    )
