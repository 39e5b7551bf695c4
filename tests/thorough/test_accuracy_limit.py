"""The least error and failure probability, read off the ceilings, are where studies stop."""

import pytest

import planner
from planner.decisions.accuracy_limit import least_error, least_failure

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
    "twice": (
        planner.Repeated(planner.LaplaceMean(), 2, "basic"),
        0.2,
        0.05,
        [planner.MaxParticipants(90), CAP(0.8)],
    ),
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


@pytest.mark.parametrize("name", ["laplace", "twice"])
@pytest.mark.parametrize("quantity", ["error", "failure"])
def test_a_study_stops_at_its_limit(name: str, quantity: str) -> None:
    limit = float(planner.limit(study(name), quantity))
    assert planner.solve(study(name, **{quantity: limit})).verdict == "feasible"
    beyond = planner.solve(study(name, **{quantity: limit * (1 - 1e-5)}), prove=False)
    assert beyond.verdict != "feasible"


def test_what_is_read_off_is_near_the_limit() -> None:
    base = study("laplace")
    failure, error = least_failure(base), least_error(base)
    assert failure.certain == pytest.approx(planner.limit(base, "failure"), rel=4e-8)
    assert error is not None
    assert error.certain == pytest.approx(planner.limit(base, "error"), rel=4e-8)
    assert failure.likely <= failure.certain


def test_an_edge_is_the_limit_where_the_failure_hardly_falls_with_the_error() -> None:
    clinic = planner.Study(
        planner.GeometricMean(),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5, 1274.0),
        [planner.Budget(30_822), planner.MaxParticipants(4000)],
        costs=planner.Costs(per_person=5.0),
    )
    edge = least_error(clinic)
    assert edge is not None
    assert 1e-7 < edge.certain / edge.likely - 1 < 2e-7
    assert edge.certain == pytest.approx(planner.limit(clinic, "error"), rel=1e-9)


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
    assert planner.limit(rare, "failure") == 0.0
