"""Plans within 0.05, which take hundreds of people or more; more points of brute force."""

import math

import numpy as np
import pytest

import planner
from planner.privacy import gaussian
from tests.answer.search import test_decide as points
from tests.decisions import test_prices as prices


def study(mechanism, *conditions, base_cost=12.5, worst_cost=12_500.0) -> planner.Study:
    return planner.Study(
        mechanism=mechanism,
        target=planner.Accuracy(error=0.05, failure=0.05),
        individual=planner.Individual(base_cost, worst_cost),
        conditions=[planner.Budget(30_000), *conditions],
    )


def test_plans_with_geometric_noise() -> None:
    geometric = planner.GeometricMean()
    fewest = planner.solve(study(geometric, base_cost=254.8), minimise="participants")
    assert (fewest.participants, fewest.always_from) == (541, 551)
    assert planner.solve(study(geometric, base_cost=600.0)).verdict == "infeasible"
    few = study(geometric, planner.MaxParticipants(100), base_cost=254.8)
    assert planner.solve(few).verdict == "infeasible"


def test_plans_with_gaussian_noise() -> None:
    gaussian, delta = planner.GaussianMean(), planner.Delta(1e-6)
    answer = planner.solve(study(gaussian, delta), minimise="participants")
    assert answer.participants == 405
    fewer = np.arange(380, 405)
    floors = gaussian.floor(0.05, 0.05).approximate(fewer, 1e-6)
    assert (floors > np.log1p((30_000 / fewer - 0.0125) / 12.5)).all()
    none = planner.solve(study(gaussian, delta, planner.MaxParticipants(375), base_cost=50.0))
    assert (none.verdict, none.proof.checked) == ("infeasible", True)


def test_the_best_delta_with_gaussian_noise() -> None:
    people, harm = planner.MaxParticipants(1000), {"worst_cost": 5e5}
    capped = study(planner.GaussianMean(), people, planner.DeltaTimesNAtMost(1.0), **harm)
    best = planner.solve(capped)
    assert best.proof.checked
    scale = gaussian.scale(best.epsilon, best.delta)
    # dδ/dε = −e^ε·Q(b) at fixed σ, so the cost is least where Q(b) = E/W
    b = best.epsilon * scale + 1 / (2 * scale)
    assert 0.5 * math.erfc(b / math.sqrt(2)) == pytest.approx(12.5 / 5e5, rel=0.3)
    for factor in (0.5, 2.0):
        delta = planner.Delta(best.delta * factor)
        assert planner.solve(study(planner.GaussianMean(), people, delta, **harm)).cost > best.cost


def test_plans_with_laplace_noise() -> None:
    laplace = planner.LaplaceMean()
    found = planner.solve(study(laplace), minimise="participants")
    assert found.always_from == found.participants
    for n in range(370, found.participants):
        grid = np.geomspace(0.1, math.log1p(30_000 / (n * 12.5)), 12)
        assert (laplace.failure_probability(grid, n, 0.05) > 0.05).all()
    none = planner.solve(study(laplace, planner.MaxParticipants(386), base_cost=1e-3))
    assert (none.verdict, none.proof.checked) == ("infeasible", True)
    some = planner.solve(study(laplace, planner.MaxParticipants(387), base_cost=1e-3))
    assert (some.verdict, some.proof.checked) == ("feasible", True)
    assert laplace.floor(0.05, 0.05).always_from(30.0, 390, 0.0) == 399
    values = laplace.failure_probability(30.0, np.arange(390, 460), 0.05)
    assert values[0] <= 0.05 < values[8]  # 390 passes, 398 fails
    assert (values[9:] <= 0.05).all()


LARGE = {
    "exact": prices.study_with(planner.LaplaceMean()),
    "geometric": prices.study_with(planner.GeometricMean()),
    "gaussian": prices.study_with(planner.GaussianMean(), planner.Delta(1e-6)),
    "gaussian, capped N": prices.study_with(
        planner.GaussianMean(), planner.Delta(1e-6), planner.MaxParticipants(600)
    ),
}


@pytest.mark.parametrize("minimise", ["cost", "participants", "epsilon"])
@pytest.mark.parametrize("case", points.CASES)
def test_random_points_are_as_solved(case: str, minimise: str, monkeypatch) -> None:
    monkeypatch.setattr(points, "POINTS", 30)
    points.test_random_points_are_as_solved(case, minimise)


@pytest.mark.parametrize(
    ("mechanism", "conditions"),
    [(planner.GeometricMean(), []), (planner.GaussianMean(), [planner.Delta(1e-6)])],
)
def test_other_noise_is_compared_with_the_same_study_without(mechanism, conditions) -> None:
    people = planner.MaxParticipants(1000)
    assert planner.compare(study(mechanism, people, *conditions)).participants == (391, 391)


def test_the_fewest_people_for_a_small_error_are_found_to_about_its_inverse() -> None:
    study = planner.Study(
        planner.LaplaceMean(),
        planner.Accuracy(0.001, 0.05),
        planner.Individual(12.5),
        [planner.Budget(1e15)],
    )
    found = planner.solve(study, minimise="participants")
    assert found.proof.checked
    alone = (1.959964 / 0.002) ** 2  # by a normal sample
    assert alone - 500 <= found.participants <= alone + 2500
