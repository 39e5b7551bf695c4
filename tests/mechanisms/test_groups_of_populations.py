"""Two groups, and one proportion, of populations; differences in designs and of known spread."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import hypergeom

import planner
from planner.explanation.papers.consent import consent
from planner.mechanisms.noisy_counts import critical_of, sizes_of

PERSON, COSTS = planner.Individual(1.0), planner.Costs(per_person=2.0)
PEOPLE = planner.Sampling(population=120)


def solve(target, mechanism=None, sampling=PEOPLE):
    mechanism = mechanism or planner.NoisyCounts()
    study = planner.Study(mechanism, target, PERSON, [], COSTS, sampling=sampling)
    return planner.solve(study, prove=False)


def counts(population: int, yes: int, drawn: int, epsilon: float, reach: int):
    """Noisy counts from −reach on, and their chances: hypergeometric, with geometric noise."""
    noise = np.exp(-epsilon * np.abs(np.arange(-reach, reach + 1)))
    law = hypergeom.pmf(np.arange(drawn + 1), population, yes, drawn)
    return np.arange(-reach, drawn + reach + 1), np.convolve(law, noise / noise.sum())


@pytest.mark.slow
def test_the_error_of_a_difference_holds_at_every_pair_of_a_population() -> None:
    plan = solve(planner.Difference(error=0.2, failure=0.1))
    sizes, reach = sizes_of(plan.participants, 1.0), math.ceil(30 / plan.epsilon)
    worst = 0.0
    for first, second in product(range(0, 121, 6), repeat=2):
        (x, p), (y, q) = (
            counts(120, yes, n, plan.epsilon, reach)
            for yes, n in zip((first, second), sizes, strict=True)
        )
        apart = y[None, :] / sizes[1] - x[:, None] / sizes[0] - (second - first) / 120
        off = np.abs(apart) >= 0.2 - 1e-12
        worst = max(worst, float(p @ off @ q))
    assert 0.8 * 0.1 <= worst <= 0.1
    endless = solve(planner.Difference(error=0.2, failure=0.1), sampling=planner.Sampling())
    assert plan.cost < 0.85 * endless.cost


@pytest.mark.slow
def test_a_test_of_a_population_keeps_its_size_and_finds_its_alternative() -> None:
    target = planner.Difference(baseline=0.3, change=0.25, power=0.8, significance=0.05, sides=2)
    plan = solve(target)
    test = plan.study.test.test(plan.epsilon, plan.participants)
    critical, reach = critical_of(test), math.ceil(30 / plan.epsilon)

    def rejects(over: int, under: int) -> tuple[float, float]:
        (x, p), (y, q) = (
            counts(120, yes, n, plan.epsilon, reach)
            for yes, n in zip((over, under), (test.first, test.second), strict=True)
        )
        z = test.statistic(x[:, None].astype(float), y[None, :].astype(float))
        return float(p @ (z >= critical) @ q), float(p @ (z <= -critical) @ q)

    assert rejects(66, 36)[0] >= 0.8 * (1 - 1e-3)
    for yes in range(1, 120):
        assert sum(rejects(yes, yes)) <= 0.05 * (1 + 1e-3)


@pytest.mark.slow
def test_one_proportion_of_a_population_is_tested_at_its_size() -> None:
    plan = solve(planner.Power(null=0.3, alternative=0.5, power=0.8, significance=0.05))
    threshold = plan.study.test.threshold(plan.epsilon, plan.participants)
    reach = math.ceil(30 / plan.epsilon)

    def found(yes: int) -> float:
        y, chance = counts(120, yes, plan.participants, plan.epsilon, reach)
        return float(chance[y >= threshold].sum())

    assert max(found(yes) for yes in range(37)) <= 0.05
    assert found(60) >= 0.8
    endless = solve(
        planner.Power(null=0.3, alternative=0.5, power=0.8, significance=0.05),
        sampling=planner.Sampling(),
    )
    assert plan.cost < endless.cost


@pytest.mark.slow
def test_no_more_people_take_part_than_both_groups_have() -> None:
    plan = solve(planner.Difference(error=0.02, failure=0.05))
    assert plan.verdict == "feasible"
    assert plan.participants <= 240  # a census of both is off by its noise alone
    first, second = sizes_of(plan.participants, 1.0)
    assert max(first, second) <= 120


MEANS = {"error": 10.0, "low": 0.0, "high": 200.0, "failure": 0.05}


@pytest.mark.slow
def test_what_is_known_of_the_spread_of_both_groups_is_used() -> None:
    """Two means within 10 at a deviation of 16: about 40 in each group without privacy."""
    known = planner.Difference.of_values(**MEANS, deviation_at_most=16.0)
    plan = solve(known, planner.LaplaceMean(), planner.Sampling())
    loose = solve(planner.Difference.of_values(**MEANS), planner.LaplaceMean(), planner.Sampling())
    assert plan.participants < 0.2 * loose.participants
    rng, n = np.random.default_rng(3), plan.participants // 2
    runs, off = 20_000, []
    for mean in (0.05, 0.5):  # as parts of the range; values of two numbers that deviate by 0.08
        up = min(1 - mean, 0.08**2 / mean)
        down = 0.08**2 / up
        chance = down / (up + down)
        first, second = ((up + down) * (rng.binomial(n, chance, runs) / n - chance) for _ in "ab")
        noise = rng.laplace(0, plan.scale / 200, runs)
        off.append(np.mean(np.abs(second - first + noise) >= 0.05))
    assert max(off) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "times"), [({"design_effect": 2.0}, 2), ({"clusters_of": 4}, 4)]
)
def test_a_difference_takes_more_people_as_its_design_says(design, times) -> None:
    target = planner.Difference.of_values(**MEANS)
    plan = solve(target, planner.LaplaceMean(), planner.Sampling(**design))
    alone = solve(target, planner.LaplaceMean(), planner.Sampling())
    assert alone.participants < plan.participants < 1.05 * times * alone.participants


def test_noisy_counts_are_of_people_drawn_one_by_one() -> None:
    with pytest.raises(ValueError, match='give kind = "laplace-mean"'):
        solve(
            planner.Difference(error=0.1, failure=0.05), sampling=planner.Sampling(None, 1.0, 2.0)
        )


def test_the_remedy_for_geometric_noise_on_people_of_a_population_works() -> None:
    target = planner.Difference(error=0.2, failure=0.1)
    with pytest.raises(ValueError, match='of a population give kind = "noisy-counts"'):
        solve(target, planner.GeometricMean())
    plan = solve(target, planner.NoisyCounts())
    assert plan.verdict == "feasible"
    assert "of 120" in str(planner.simulate(plan, runs=1000))
    assert "from 120 in each group" in str(consent(plan))
