"""Strata short of people: planned to the edge of what these can know, whatever it costs."""

import math
from dataclasses import replace

import pytest

import planner
from planner.answer.strata.least_failure import least_failure
from planner.model.strata import Stratum, study_of_stratum

STRATA = (
    Stratum("Care", people=400, error=0.12, max_participants=80),
    Stratum("School", people=90, error=0.18, max_participants=40),
)
WAYS = [
    (planner.LaplaceMean(), ()),
    (planner.LaplaceMean("hoeffding"), ()),
    (planner.GeometricMean(), ()),
    pytest.param(planner.RandomizedResponse(), (), marks=pytest.mark.slow),
    (planner.GaussianMean(), (planner.Delta(1e-5),)),
    (planner.GaussianMean(), (planner.DeltaTimesNAtMost(0.01),)),
    (planner.GaussianMean(), (planner.DeltaAtMost(1e-4),)),
]


def study(failure: float, mechanism=None, conditions=()) -> planner.Study:
    return planner.Study(
        mechanism or planner.LaplaceMean(),
        planner.Accuracy(failure=failure),
        planner.Individual(0.0, 100.0),
        (planner.EpsilonAtMost(1.5), *conditions),
        planner.Costs(1.0),
        strata=STRATA,
    )


@pytest.mark.parametrize(("mechanism", "conditions"), WAYS)
@pytest.mark.parametrize("stratum", STRATA)
def test_a_stratum_is_planned_down_to_its_least_failure(mechanism, conditions, stratum) -> None:
    asked = study(0.5, mechanism, conditions)
    least = least_failure(study_of_stratum(asked, stratum, 0.5))
    assert 0 < least < 1
    verdicts = [
        planner.solve(study_of_stratum(asked, stratum, least * part), prove=False).verdict
        for part in (1.001, 0.999)
    ]
    assert verdicts[0] == "feasible"
    assert verdicts[1] != "feasible"


@pytest.mark.parametrize(
    "mechanism",
    [
        planner.LaplaceMean(),
        pytest.param(planner.RandomizedResponse(), marks=pytest.mark.slow),
    ],
)
def test_all_strata_are_planned_where_the_least_of_each_is_little_less(mechanism) -> None:
    asked = study(0.5, mechanism)
    least = [least_failure(study_of_stratum(asked, one, 0.5)) for one in STRATA]
    together = 1 - math.prod(1 - one for one in least)
    plan = planner.solve(study(together * 1.005, mechanism))
    assert plan.verdict == "feasible"
    assert plan.proof.checked
    assert plan.failure <= together * 1.005
    assert planner.solve(study(together * 0.999, mechanism), prove=False).verdict != "feasible"
    end = planner.limit(study(0.5, mechanism), "failure")
    assert together < float(end) < together * 1.005
    assert end.attained  # as no stratum has more people


@pytest.mark.parametrize("quantity", ["School.error", "times_error", "epsilon"])
def test_limits_without_a_budget_are_at_that_edge(quantity: str) -> None:
    asked = study(0.2)
    end = float(planner.limit(asked, quantity))
    changed = {
        "School.error": lambda x: replace(asked, strata=(STRATA[0], replace(STRATA[1], error=x))),
        "times_error": lambda x: replace(
            asked, strata=tuple(replace(one, error=one.error * x) for one in STRATA)
        ),
        "epsilon": lambda x: replace(asked, conditions=(planner.EpsilonAtMost(x),)),
    }[quantity]
    assert planner.solve(changed(end), prove=False).verdict == "feasible"
    less = changed(0.995 * end)
    least = [least_failure(study_of_stratum(less, one, 0.2)) for one in less.strata]
    assert 1 - math.prod(1 - one for one in least) > 0.2


def test_gaussian_noise_in_strata_needs_no_delta_of_its_own() -> None:
    """Where δ is free, each stratum has its own, at most 0.01 divided by its people."""
    plan = planner.solve(study(0.1, planner.GaussianMean()), prove=False)
    assert plan.verdict == "feasible"
    assert all(0 < one.delta * one.participants <= 0.01 for one in plan.strata)
