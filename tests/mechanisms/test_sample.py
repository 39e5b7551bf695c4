"""Samples as they are: the bounds beside hypergeometric sums, and values derived by hand."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

import planner
from planner.answer.problem.vary import with_value
from planner.mechanisms.sample import Sample
from tests.oracles.invitations import invited

LAPLACE = planner.LaplaceMean(analysis="hoeffding")
REPORTS = planner.RandomizedResponse(analysis="hoeffding")


def study(mechanism: object, *conditions: object, **sampling: object) -> planner.Study:
    return planner.Study(
        mechanism,
        planner.Accuracy(0.05, 0.05),
        planner.Individual(1.0, 100.0),
        conditions,
        sampling=planner.Sampling(**sampling),
    )


def test_a_finite_population_leaves_less_to_chance() -> None:
    assert Sample(1000).left_out(600) == pytest.approx(0.400666666667, abs=1e-12)
    assert Sample(1000).left_out(1000) < 1e-29
    assert Sample().left_out(600) == 1
    n = np.arange(1, 1001)
    assert np.all(np.diff(n / Sample(1000).left_out(n.astype(float))) > 0)


@pytest.mark.parametrize(("population", "drawn", "error"), [(60, 20, 0.2), (200, 150, 0.05)])
def test_the_bound_with_noise_holds_for_every_population(
    population: int, drawn: int, error: float
) -> None:
    floor = LAPLACE.floor(error, 0.05, Sample(population))
    for epsilon in (0.05, 0.3, 2.0):
        bound = floor.achieved(epsilon, drawn, 0.0)
        scale = 1 / (drawn * epsilon)
        k = np.arange(drawn + 1)
        for having in range(population + 1):
            chances = hypergeom.pmf(k, population, having, drawn)
            off = k / drawn - having / population
            high = np.where(off >= error, 1 - np.exp(-(off - error) / scale) / 2, 0)
            high = np.where(off < error, np.exp(-(error - off) / scale) / 2, high)
            low = np.where(-off >= error, 1 - np.exp(-(-off - error) / scale) / 2, 0)
            low = np.where(-off < error, np.exp(-(error + off) / scale) / 2, low)
            assert np.sum(chances * (high + low)) <= bound + 1e-12


@pytest.mark.parametrize(("population", "drawn", "error"), [(24, 15, 0.4), (20, 20, 0.35)])
def test_the_bound_of_reports_holds_for_every_population(
    population: int, drawn: int, error: float
) -> None:
    floor = REPORTS.floor(error, 0.05, Sample(population))
    for epsilon in (0.5, 1.5, 4.0):
        truth = math.exp(epsilon) / (1 + math.exp(epsilon))
        bound = floor.achieved(epsilon, drawn, 0.0)
        for having in range(population + 1):
            share = having / population
            failing = 0.0
            for k in range(drawn + 1):
                law = np.convolve(
                    binom.pmf(np.arange(k + 1), k, truth),
                    binom.pmf(np.arange(drawn - k + 1), drawn - k, 1 - truth),
                )
                estimate = (np.arange(drawn + 1) / drawn - (1 - truth)) / (2 * truth - 1)
                off = np.abs(estimate - share) >= error
                failing += hypergeom.pmf(k, population, having, drawn) * law[off].sum()
            assert failing <= bound + 1e-12


@pytest.mark.parametrize("mechanism", [LAPLACE])
@pytest.mark.parametrize("sample", [Sample(5000), Sample(design_effect=1.7), Sample(clusters_of=4)])
def test_floors_are_inverse_and_falling(mechanism: object, sample: Sample) -> None:
    floor = mechanism.floor(0.05, 0.05, sample)
    n = np.array([1500.0, 2600.0, 3400.0, 4999.0, 5000.0])
    least = floor.epsilon(n, 0.0)
    assert all(a > b for a, b in pairwise(least[np.isfinite(least)]))
    for size, epsilon in zip(n.tolist(), least.tolist(), strict=True):
        if math.isinf(epsilon):
            continue
        assert floor.achieved(epsilon * (1 + 1e-9), size, 0.0) <= 0.05
        assert floor.achieved(epsilon * (1 - 1e-6), size, 0.0) > 0.05


def test_a_census_keeps_the_noise_alone() -> None:
    plan = planner.solve(study(LAPLACE, population=1000))
    assert plan.participants == 1000
    assert plan.epsilon == pytest.approx(math.log(20) / 0.05 / 1000, rel=1e-5)


@pytest.mark.slow
def test_limits_of_who_responds_and_of_clusters() -> None:
    asked = planner.Study(
        LAPLACE,
        planner.Accuracy(0.05, 0.05),
        planner.Individual(1.0),
        [planner.Budget(2000.0)],
        planner.Costs(per_invitation=0.5),
        sampling=planner.Sampling(population=5000, response_rate=0.9),
    )
    for name, beyond in (("response_rate", 1 - 1e-6), ("design_effect", 1 + 1e-6)):
        end = planner.limit(asked, name)
        assert planner.solve(with_value(asked, name, end)).verdict == "feasible"
        assert planner.solve(with_value(asked, name, end * beyond)).verdict != "feasible"
    assert planner.limit(replace(asked, costs=planner.Costs(), conditions=()), "response_rate") > 0
    endless = replace(asked, costs=planner.Costs(), sampling=planner.Sampling())
    assert planner.limit(endless, "response_rate") == 0
    with pytest.raises(ValueError, match="drawn one by one"):
        planner.limit(replace(asked, mechanism=planner.LaplaceMean()), "design_effect")


@pytest.mark.parametrize("analysis", ["hoeffding", "exact"])
def test_sweeps_over_populations(analysis: str) -> None:
    pytest.importorskip("xarray")
    asked = planner.Study(
        planner.LaplaceMean(analysis),
        planner.Accuracy(0.1, 0.05),
        planner.Individual(1.0),
        costs=planner.Costs(1.0, per_invitation=0.5),
    )
    rows = planner.sweep(asked, population=[300, 2000], response_rate=[0.5, 1.0])
    for people in (300, 2000):
        for rate in (0.5, 1.0):
            sampling = planner.Sampling(population=people, response_rate=rate)
            plan = planner.solve(replace(asked, sampling=sampling))
            cell = rows.sel(population=people, response_rate=rate)
            if plan.verdict == "feasible":
                assert float(cell.cost) == pytest.approx(plan.cost, rel=1e-5)
            else:
                assert int(cell.verdict) == 0


@pytest.mark.slow
@pytest.mark.parametrize("analysis", ["hoeffding", "exact"])
def test_prices_are_those_of_the_sample(analysis: str) -> None:
    asked = planner.Study(
        planner.LaplaceMean(analysis),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(1.0),
        costs=planner.Costs(1.0),
        sampling=planner.Sampling(population=2000),
    )
    prices = {price.quantity: price.cost for price in planner.prices(asked)}
    for name in ("error", "failure"):
        targets = (
            planner.Accuracy(**{"error": 0.05, "failure": 0.05, name: v}) for v in (0.0505, 0.0495)
        )
        more, less = (planner.solve(replace(asked, target=target)).least_cost for target in targets)
        assert prices[name] == pytest.approx((more - less) / 0.001, rel=0.02)


def test_the_best_size_by_trying_all() -> None:
    asked = planner.Study(
        LAPLACE,
        planner.Accuracy(0.05, 0.05),
        planner.Individual(1.0),
        costs=planner.Costs(0.2, per_invitation=0.3),
        sampling=planner.Sampling(population=4000, response_rate=0.6),
    )
    n = np.arange(1.0, 2301.0)
    floor = LAPLACE.floor(0.05, 0.05, Sample(4000))
    cost = n * (np.expm1(floor.epsilon(n, 0.0)) + 0.2) + 0.3 * invited(n, 0.6)
    plan = planner.solve(asked)
    assert plan.participants == n[np.argmin(cost)]
    assert plan.least_cost == pytest.approx(cost.min(), rel=1e-9)
    assert plan.invitations == invited(plan.participants, 0.6)


def test_who_responds_and_what_is_assumed_is_said() -> None:
    plan = planner.solve(
        study(LAPLACE, planner.MaxParticipants(4000), design_effect=1.5, response_rate=0.8)
    )
    assert "assuming that the sample errs like N/1.5 independent people" in plan.proof.statement
    assert any("Invite" in note for note in plan.notes)
    none = planner.solve(study(LAPLACE, planner.MaxParticipants(500), design_effect=1.5))
    assert none.verdict == "infeasible"
    assert "assuming" in none.proof.statement
    small = planner.solve(study(LAPLACE, population=1000, response_rate=0.3))
    assert small.verdict == "infeasible"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"response_rate": 0.0}, "a proportion of those invited"),
        ({"design_effect": 0.9}, "at least 1"),
        ({"clusters_of": 2, "population": 9}, "leave population"),
    ],
)
def test_sampling_that_cannot_be_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        planner.Sampling(**given)
