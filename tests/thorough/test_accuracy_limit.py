"""Studies stop at the least error and the least failure probability."""

from dataclasses import replace

import pytest

import planner

NARROW = (1e-06, 0.002)
CAP = planner.EpsilonAtMost
STUDIES = {
    "laplace": (
        planner.LaplaceMean(),
        0.2,
        0.05,
        [planner.Budget(3000), planner.MaxParticipants(60)],
    ),
    "noise helps": (planner.LaplaceMean(), 0.4, 0.2, [CAP(9.0), planner.MaxParticipants(7)]),
    "any rate": (planner.GeometricMean((0.179, 0.8827)), 0.2, 0.35, [planner.MaxParticipants(5)]),
    "gaussian": (
        planner.GaussianMean((0.5, 0.5)),
        0.1,
        0.05,
        [planner.MaxParticipants(150), CAP(1.0), planner.Delta(1e-6)],
    ),
}


def study(name: str, **target: float) -> planner.Study:
    mechanism, error, failure, conditions = STUDIES[name]
    accuracy = {"error": error, "failure": failure} | target
    return planner.Study(
        mechanism, planner.Accuracy(**accuracy), planner.Individual(12.5, 1274.0), conditions
    )


@pytest.mark.parametrize("name", ["laplace"])
@pytest.mark.parametrize("quantity", ["error", "failure"])
def test_a_study_stops_at_its_limit(name: str, quantity: str) -> None:
    limit = float(planner.limit(study(name), quantity))
    assert planner.solve(study(name, **{quantity: limit})).verdict == "feasible"
    beyond = planner.solve(study(name, **{quantity: limit * (1 - 1e-5)}), prove=False)
    assert beyond.verdict != "feasible"


def test_a_limit_is_found_where_the_failure_hardly_falls_with_the_error() -> None:
    clinic = planner.Study(
        planner.GeometricMean(),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5, 1274.0),
        [planner.Budget(30_822), planner.MaxParticipants(4000)],
        costs=planner.Costs(per_person=5.0),
    )
    least = float(planner.limit(clinic, "error"))
    for factor, found in ((1.0, True), (1 - 1e-7, False)):
        moved = replace(clinic, target=planner.Accuracy(least * factor, 0.05))
        assert (planner.solve(moved, prove=False).verdict == "feasible") is found


def test_a_quantity_keeps_its_limit_while_it_changes() -> None:
    limit = planner.limit(study("laplace"), "error")
    assert planner.limit(study("laplace", error=0.21), "error") == limit
    assert planner.limit(study("laplace", failure=0.06), "error") < limit


def test_no_mean_of_the_range_can_be_missed() -> None:
    mechanism = planner.GeometricMean(NARROW)
    rare = planner.Study(
        mechanism,
        planner.Accuracy(1.0, 0.13),
        planner.Individual(2.0, 2.0),
        [planner.MaxParticipants(3)],
    )
    assert planner.limit(rare, "error") == pytest.approx(0.002, rel=1e-6)
    assert planner.limit(rare, "failure") <= 1e-12  # the least that is searched
