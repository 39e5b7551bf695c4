"""Every plan with strata as a plan of each, so that one code pays, asks and reads their people."""

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.model.strata import study_of_stratum, weights
from planner.numbers import decimal, round_up

_DIGITS = 15
"""Of a scale."""


def plans_of(plan: Plan | StrataPlan | TotalPlan) -> tuple[Plan, ...]:
    """The plan of each stratum as a study by itself; of one population that plan alone.

    Of an answer for all people alone it has the people, ε and payment of the stratum. Its error is
    that of all people, which it does not keep by itself. One noise of scale b on the weighted sum
    is as one of scale b/|W| on the mean of a stratum, so this stands as its scale.
    """
    if isinstance(plan, Plan):
        return (plan,)
    if isinstance(plan, StrataPlan):
        return plan.strata
    parts = zip(plan.study.strata, weights(plan.study), plan.strata, strict=True)
    found = []
    for stratum, weight, share in parts:
        scale = round_up(float(decimal(plan.scale) / weight) * (1 + 1e-15), _DIGITS)
        study = study_of_stratum(plan.study, stratum, plan.failure)
        found.append(
            Plan(
                study=study, minimise=plan.minimise, epsilon=share.epsilon, delta=plan.delta,
                participants=share.participants, compensation=share.compensation, cost=share.cost,
                failure=plan.failure, slack={}, least_cost=share.cost, attained=False,
                proof=plan.proof, invitations=share.invitations, noise="laplace", scale=scale,
            )
        )  # fmt: skip
    return tuple(found)
