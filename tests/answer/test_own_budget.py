"""A plan's own cost and people, given as the budget and the cap, are enough for a plan."""

from dataclasses import replace

import pytest

import planner

DELTA = (planner.DeltaTimesNAtMost(0.01),)
SURVEY = planner.Survey(
    [
        planner.Share("a", 0.12),
        planner.Histogram("b", groups=4, error=0.13),
        planner.Mean("c", low=0, high=50, error=8.0, deviation_at_most=11.0),
        planner.Quantile("d", at=0.5, low=0, high=40, step=2, error=0.15),
    ],
    failure=0.1,
)
STRATA = [
    planner.Stratum("A", share=0.4, error=0.12),
    planner.Stratum("B", share=0.6, error=0.1, per_person=9.0),
]
WHOLE = [replace(stratum, error=None) for stratum in STRATA]


def study(target=None, mechanism=None, conditions=(), **given) -> planner.Study:
    given = {
        "individual": planner.Individual(3.5, 900.0),
        "costs": planner.Costs(2.5, 40.0),
    } | given
    if mechanism is not None:
        given["mechanism"] = mechanism
    target = target or planner.Accuracy(0.11, 0.08)
    return planner.Study(target=target, conditions=conditions, **given)


COINS = planner.Costs(2.5, 40.0, smallest_coin=0.05)
STUDIES = {
    "proportion": study(),
    "geometric": study(mechanism=planner.GeometricMean()),
    "free δ": study(mechanism=planner.GaussianMean(), conditions=DELTA),
    "population": study(sampling=planner.Sampling(population=700)),
    "clusters": study(sampling=planner.Sampling(clusters_of=6)),
    "invitations": study(sampling=planner.Sampling(response_rate=0.4)),
    "coins": study(costs=COINS),
    "values": study(planner.Accuracy.of_values(6.0, 0, 50, 0.08)),
    "deviation": study(planner.Accuracy.of_values(6.0, 0, 50, 0.08, deviation_at_most=9.0)),
    "bound": study(mechanism=planner.LaplaceMean("hoeffding")),
    "count": study(mechanism=planner.GeometricCount()),
    "cards": study(mechanism=planner.RandomizedResponse()),
    "survey": study(SURVEY),
    "best noise": study(SURVEY, planner.AddedNoise("best"), DELTA),
    "survey in coins": study(SURVEY, costs=COINS),
    "groups": study(planner.Difference(error=0.17, failure=0.08)),
    "unequal groups": study(planner.Difference(error=0.17, failure=0.08, ratio=6.0)),
    "test": study(planner.Difference(baseline=0.2, change=0.15, power=0.8, significance=0.05)),
    "one proportion": study(planner.Power(null=0.2, alternative=0.35)),
    "strata": study(planner.Accuracy(failure=0.08), strata=STRATA),
    "all of strata": study(planner.Accuracy(0.08, 0.08), strata=WHOLE),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", STUDIES)
def test_a_budget_of_a_plan_s_cost_is_enough(kind: str) -> None:
    asked = STUDIES[kind]
    plan = planner.solve(asked)
    assert plan.verdict == "feasible"
    caps = (planner.Budget(plan.cost), planner.MaxParticipants(plan.participants))
    again = planner.solve(replace(asked, conditions=(*asked.conditions, *caps)))
    assert again.verdict == "feasible"
    assert again.proof.checked == plan.proof.checked
    assert again.cost <= plan.cost
