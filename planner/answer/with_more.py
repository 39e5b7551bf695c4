"""What a few more people buy: a plan with the fewest people may take an ε that is far larger."""

import math

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.problem.problem import problem_of
from planner.answer.search.find import least_epsilon
from planner.answer.strata.together import plans_of
from planner.answer.strata.total import least_epsilon_of_total
from planner.model import MaxParticipants
from planner.numbers import decimal


def with_more_people(plan: Plan | StrataPlan | TotalPlan, part: float) -> tuple[int, float]:
    """The people of a plan and a part of them more, and the least ε with so many, in floats.

    Returns:
        How many people they are together, and the largest ε of a stratum; ∞ where so many cannot
        take part.
    """
    sizes = [math.ceil(one.participants * (1 + decimal(part))) for one in plans_of(plan)]
    cap = plan.study.find(MaxParticipants)
    if cap is not None and sum(sizes) > cap.n:
        return sum(sizes), math.inf
    if isinstance(plan, TotalPlan):
        return sum(sizes), least_epsilon_of_total(plan, sizes)
    problems = (problem_of(one.study) for one in plans_of(plan))
    return sum(sizes), max(map(least_epsilon, problems, sizes))
