"""Noisy shares of a finite population, against sums over all of them."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from scipy.stats import hypergeom, norm

import planner
from planner.mechanisms.count_floor import noisy
from planner.mechanisms.sample import Sample as Drawn

WHOLE = (0.0, 1.0)


def tail(kind: str, left: np.ndarray, rate: float) -> np.ndarray:
    """Pr[Z ≥ left]."""
    if kind == "gaussian":
        return norm.sf(rate * left)
    if kind == "geometric":
        whole = np.ceil(left - 1e-9)
        outer = np.exp(-rate * np.where(whole > 0, whole, 1 - whole)) / (1 + np.exp(-rate))
        return np.where(whole > 0, outer, 1 - outer)
    t = rate * left
    return np.where(t >= 0, np.exp(-np.abs(t)) / 2, 1 - np.exp(-np.abs(t)) / 2)


def failure(kind: str, people: int, n: int, rate: float, error: float, having: int) -> float:
    """The failure probability where K have the property."""
    counts = np.arange(n + 1)
    off = counts - n * having / people
    fails = tail(kind, n * error - off, rate) + tail(kind, n * error + off, rate)
    return float(hypergeom.pmf(counts, people, having, n) @ fails)


def worst(
    kind: str, people: int, n: int, rate: float, error: float, mean_range: tuple[float, float]
) -> float:
    """The largest over all K in a range."""
    low, high = (people * Fraction(repr(mean)) for mean in mean_range)
    return max(
        failure(kind, people, n, rate, error, having)
        for having in range(math.ceil(low), math.floor(high) + 1)
    )


def drawn_cases() -> list[tuple[str, int, int, float, float, tuple[float, float]]]:
    """Random samples, some with hardly any noise, a census among them."""
    cases = []
    for seed in range(36):
        rng = random.Random(seed)
        people = rng.choice([7, 30, 61, 200])
        n = people if seed % 8 == 0 else rng.randint(1, people)
        error = rng.choice([0.05, 0.1, 0.25, 0.6])
        rate = rng.choice([0.3, 1.0, 3.0, 30.0]) / (n * error) + (5.0 if seed % 5 == 0 else 0.0)
        ends = rng.choice([WHOLE, WHOLE, (0.2, 0.8), (0.0, 0.3), (0.6, 0.9)])
        kind = ("gaussian", "laplace", "geometric")[seed % 3]
        cases.append((kind, people, n, rate, error, ends))
    return cases


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "people", "n", "rate", "error", "mean_range"), drawn_cases())
def test_the_worst_share_by_trying_all(
    kind: str, people: int, n: int, rate: float, error: float, mean_range: tuple[float, float]
) -> None:
    true = worst(kind, people, n, rate, error, mean_range)
    share = noisy(kind, False, mean_range, Drawn(people))
    found = float(share.failure(np.array(rate), np.array(float(n)), np.array(error)))
    assert found == pytest.approx(true, rel=1e-8, abs=1e-14)


def study(people: int | None, *conditions: object, **costs: float) -> planner.Study:
    return planner.Study(
        planner.LaplaceMean(),
        planner.Accuracy(0.1, 0.05),
        planner.Individual(1.0, 100.0),
        conditions,
        planner.Costs(**costs),
        sampling=planner.Sampling(population=people),
    )


def test_a_census_has_noise_alone() -> None:
    plan = planner.solve(study(300))
    assert plan.participants == 300
    assert plan.epsilon == pytest.approx(math.log(20) / 0.1 / 300, rel=1e-4)
    assert plan.proof.checked


def best_size_by_trying_all(people: int) -> None:
    """Check that a plan is the cheapest of all sizes, and that nothing cheaper exists."""
    floor = planner.LaplaceMean().floor(0.1, 0.05, Drawn(people)).without_room
    best = math.inf
    for n in range(1, people + 1):
        epsilon = floor.epsilon(n, 0.0)
        if math.isinf(epsilon):
            assert worst("laplace", people, n, 1e4, 0.1, WHOLE) > 0.05
            continue
        assert worst("laplace", people, n, epsilon, 0.1, WHOLE) <= 0.05
        assert worst("laplace", people, n, epsilon * (1 - 1e-6), 0.1, WHOLE) > 0.05
        best = min(best, n * (math.expm1(epsilon) + 0.5))
    plan = planner.solve(study(people, per_person=0.5))
    assert plan.least_cost == pytest.approx(best, rel=1e-7)
    assert plan.cost <= best * (1 + 2e-4)
    less = planner.solve(study(people, planner.Budget(0.9999 * best), per_person=0.5))
    assert less.verdict == "infeasible"
    assert less.proof.checked


@pytest.mark.slow
def test_a_census_is_accurate_where_a_sample_of_as_many_is_not() -> None:
    # of 3 people drawn with replacement the counts alone are off by 0.2 too often
    census = planner.Sampling(3)
    mechanism = planner.LaplaceMean("exact", mean_range=(0.4, 0.9))
    accuracy, person = planner.Accuracy(0.2, 0.2), planner.Individual(6.5, 7.5)
    conditions = [planner.MaxParticipants(3)]
    study = planner.Study(mechanism, accuracy, person, conditions, sampling=census)
    assert planner.solve(study).verdict == "feasible"
    assert planner.solve(replace(study, sampling=planner.Sampling())).verdict == "infeasible"


@pytest.mark.slow
def test_the_best_size_by_trying_all() -> None:
    best_size_by_trying_all(40)


@pytest.mark.slow
def test_a_population_is_cheaper_than_none_and_dearer_the_larger_it_is() -> None:
    costs = [planner.solve(study(people, per_person=1.0)).cost for people in (200, 800, 20_000)]
    endless = planner.solve(study(None, per_person=1.0)).cost
    assert costs[0] < costs[1] < costs[2] < endless
    bound = replace(study(800, per_person=1.0), mechanism=planner.LaplaceMean("hoeffding"))
    assert planner.solve(bound).cost > costs[1]


@pytest.mark.slow
def test_gaussian_noise_on_a_population() -> None:
    given = replace(
        study(400, planner.Delta(1e-6), per_person=1.0), mechanism=planner.GaussianMean()
    )
    plan = planner.solve(given)
    rate = 1 / planner.privacy.gaussian.scale(plan.epsilon, plan.delta)
    assert worst("gaussian", 400, plan.participants, rate, 0.1, WHOLE) <= 0.05
    less = (planner.Delta(1e-6), planner.Budget(0.999 * plan.cost))
    assert planner.solve(replace(given, conditions=less)).verdict == "infeasible"


@pytest.mark.slow
def test_what_stands_around_a_plan() -> None:
    plan = planner.solve(study(200, per_person=1.0))
    assert planner.simulate(plan).verdict == "consistent"
    assert "of 200 records, of which 100 are 1," in planner.simulate(plan).simulated
    assert planner.limit(study(200, planner.MaxParticipants(100)), "error") < 0.1
    trust = planner.compare(plan, exposure=0.01).trust
    assert trust.no_curator.least_cost > plan.least_cost
    with pytest.raises(ValueError, match="leave its sampling out"):
        planner.plan_sequence([study(200), study(200)])
    scope: dict[str, object] = {}
    pytest.importorskip("opendp")
    exec(planner.explain(plan).to_dict()["opendp"], scope)


@pytest.mark.slow
def test_geometric_noise_on_a_population() -> None:
    given = replace(study(300, per_person=1.0), mechanism=planner.GeometricMean())
    plan = planner.solve(given)
    assert worst("geometric", 300, plan.participants, plan.epsilon, 0.1, WHOLE) <= 0.05
    assert plan.cost > planner.solve(study(300, per_person=1.0)).cost
    less = replace(given, conditions=(planner.Budget(0.99 * plan.cost),))
    assert planner.solve(less).verdict == "infeasible"


def test_ends_of_a_range_that_are_no_share_of_the_population_do_not_count() -> None:
    few = planner.LaplaceMean(mean_range=(0.9, 1.0)).floor(1.0, 0.135, Drawn(5))
    all_of_them = planner.LaplaceMean(mean_range=(1.0, 1.0)).floor(1.0, 0.135, Drawn(5))
    assert few.epsilon(2, 0.0) == pytest.approx(all_of_them.epsilon(2, 0.0), rel=1e-9)


def test_samples_that_are_not_summed_are_refused() -> None:
    with pytest.raises(ValueError, match="drawn one by one"):
        replace(study(500), sampling=planner.Sampling(population=500, design_effect=2.0))


@pytest.mark.slow
def test_a_large_population_is_planned_as_one_without_end() -> None:
    costly = study(500, per_person=1.0)
    large = planner.solve(replace(costly, sampling=planner.Sampling(population=250_000)))
    endless = planner.solve(replace(costly, sampling=planner.Sampling()))
    assert (large.participants, large.epsilon) == (endless.participants, endless.epsilon)
    assert large.proof.checked
    assert "without end, which is safe" in " ".join(large.notes)
    capped = replace(large.study, conditions=[planner.MaxParticipants(large.participants - 90)])
    assert (
        planner.solve(replace(capped, target=planner.Accuracy(0.003, 0.05))).verdict != "feasible"
    )


@pytest.mark.slow
def test_at_its_worst_share_a_population_is_off_no_more_often_than_one_without_end() -> None:
    """By both laws; Laplace noise carries a count from d to the error and beyond."""
    rng = np.random.default_rng(11)

    def worst_of(laws, n, error, epsilon) -> float:
        k, failures = np.arange(n + 1), []
        for law, share in laws:
            away = [scipy.stats.laplace.sf(n * error + s * (k - n * share), scale=1 / epsilon)
                    for s in (1, -1)]  # fmt: skip
            failures.append(law.pmf(k) @ (away[0] + away[1]))
        return max(failures)

    for _ in range(60):
        n = int(rng.integers(1, 50))
        people = int(rng.integers(n, 4 * n + 10))
        shares = [(j, j / people) for j in range(people + 1)]
        error, epsilon = rng.uniform(0.02, 0.4), 10 ** rng.uniform(-1, 1.3)
        drawn = worst_of(
            ((scipy.stats.hypergeom(people, j, n), p) for j, p in shares), n, error, epsilon
        )
        endless = worst_of(((scipy.stats.binom(n, p), p) for _, p in shares), n, error, epsilon)
        assert drawn <= endless + 1e-12 or endless > 0.5
