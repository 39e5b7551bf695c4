"""One answer for all people of a stratified sample, without privacy: the plan's bound, no noise."""

from planner.answer.answers import TotalPlan
from planner.answer.strata.total import fewest_without_noise
from planner.model.strata import study_of_stratum


def without_privacy(plan: TotalPlan, exposure: float) -> tuple[int, float]:
    """How many people a study that is not private takes, and its cost [money]."""
    sizes = fewest_without_noise(plan)
    cost = plan.study.costs.overhead
    for stratum, people in zip(plan.study.strata, sizes, strict=True):
        one = study_of_stratum(plan.study, stratum, plan.failure)
        cost += float(one.costs.total(people, one.individual.compensation_exposed(exposure)))
    return sum(sizes), cost
