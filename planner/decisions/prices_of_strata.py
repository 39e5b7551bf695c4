"""What a little more of each quantity costs a study with strata whose answer for all has an error.

At the best sizes, noise and division of the failure probability the cost does not change with these
to first order. So a person's costs have the price that they have at the plan, and an error, or α,
that of studies with 5 % more and 5 % less of it, made in the plan's way. Where the plan is at a
bend of the cost, that is the mean of both sides.
"""

import math
from dataclasses import replace

from planner.answer.answers import StrataPlan, TotalPlan
from planner.answer.problem.vary import Varied, value_of, with_value
from planner.answer.solve import solve
from planner.answer.strata.plans import plans_of
from planner.answer.strata.total import least_cost
from planner.model import Budget, Study
from planner.model.strata import Total
from planner.quantities import QUANTITIES

_STEP = 0.05
"""As a part of a quantity: so short that a cost is nearly straight, and so long that whole people,
and the tenth of a percent to which the least cost of such a study is found, hardly matter."""


def prices_of_strata(plan: StrataPlan | TotalPlan) -> dict[Varied, tuple[float, float | None]]:
    """The value of each quantity, and by what the cost grows with one more unit of it [money].

    Args:
        plan: a plan with strata. None stands for a price where a study has none.
    """
    kept = tuple(c for c in plan.study.conditions if not isinstance(c, Budget))
    study = replace(plan.study, conditions=kept)
    if study.groups == 1:
        study = replace(study, total=_way(plan))
    strata, plans = study.strata, plans_of(plan)
    of_base = sum(
        one.participants * math.expm1(one.study.individual.family * one.epsilon)
        for stratum, one in zip(strata, plans, strict=True)
        if stratum.base_cost is None
    )
    asked = sum(
        one.participants
        for stratum, one in zip(strata, plans, strict=True)
        if stratum.per_person is None
    )
    known: dict[Varied, float | None] = {"per_person": float(asked)} if asked else {}
    known["overhead"] = 1.0
    if not study.individual.listed_events and not study.costs.incentive:
        known["base_cost"] = of_base
    errors = [f"{stratum.name}.error" for stratum in strata if stratum.error is not None]
    found = {}
    targets = ("error", "failure") if study.power is None else study.power.VARIED
    for quantity in (*targets, *errors, *known):
        value = value_of(study, quantity)
        if value is not None:
            price = known[quantity] if quantity in known else _price(study, plan, quantity, value)
            found[quantity] = value, price
    return found


def _way(plan: StrataPlan | TotalPlan) -> Total | None:
    """The way in which the plan makes the answer for all people."""
    if isinstance(plan, TotalPlan):
        return plan.way
    if plan.total_failure is None:
        return None
    return "sum" if plan.total_scale is None else "both"


def _price(
    study: Study, plan: StrataPlan | TotalPlan, quantity: Varied, value: float
) -> float | None:
    """The slope of the cost between 5 % less and 5 % more."""
    low, high = value * (1 - _STEP), value * (1 + _STEP)
    costs = []
    for other in (low, high):
        try:
            changed = with_value(study, quantity, other)
        except ValueError:  # outside the range of the quantity
            return None
        if isinstance(plan, TotalPlan):
            costs.append(least_cost(changed, plan.way))
        else:
            costs.append(solve(changed, "cost", False).cost)
    less, more = costs
    if less is None or more is None:
        return None
    slope = (more - less) / (high - low)
    # what is harder costs no less; a difference of the other sign is that of two searches
    return max(0.0, slope) if QUANTITIES[quantity].more_is_harder else min(0.0, slope)
