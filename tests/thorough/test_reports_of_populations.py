"""Plans by randomised response in finite populations, against every card at every size.

PLANNER_SEED and PLANNER_STUDIES choose others than the fixed ones.
"""

import math
import os

import numpy as np
import pytest

import planner
from planner.mechanisms.exact.failure import Asked
from planner.mechanisms.exact.without_replacement import lattice
from planner.mechanisms.reports import drawn_least
from tests.thorough import oracle_drawn_reports as oracle

SEED = int(os.environ.get("PLANNER_SEED", "20260101"))
STUDIES = int(os.environ.get("PLANNER_STUDIES", "8"))
CARDS = 60
"""How many cards are tried at each size that could cost less than the plan."""
WHOLE = (0.0, 1.0)
NEAR = 1 - 1e-5


def drawn(rng: np.random.Generator) -> planner.Study:
    people = int(rng.integers(5, 350))
    error, failure = (
        round(float(rng.uniform(0.1, 0.35)), 3),
        round(float(rng.uniform(0.05, 0.4)), 3),
    )
    base, each = (float(f"{np.exp(rng.uniform(*ends)):.3g}") for ends in ((0, 4), (0.5, 4)))
    return planner.Study(
        planner.RandomizedResponse(),
        planner.Accuracy(error, failure),
        planner.Individual(base),
        [],
        planner.Costs(each),
        sampling=planner.Sampling(population=people),
    )


@pytest.mark.parametrize("index", range(STUDIES))
def test_no_card_at_any_size_costs_less(index: int) -> None:
    rng = np.random.default_rng([SEED, index])
    study = drawn(rng)
    people, target = study.sampling.population, study.accuracy
    plan = planner.solve(study)
    assert plan.verdict == "feasible"
    off = oracle.worst(people, plan.participants, oracle.card(plan.epsilon), target.error)
    assert off <= target.failure * (1 + 1e-9)
    assert off == pytest.approx(plan.failure, rel=1e-9)
    base, each = study.individual.base_cost, study.costs.per_person
    for n in range(1, min(people, math.ceil(plan.cost / each)) + 1):
        paid = (plan.cost / n - each) / base
        if paid <= 0:
            continue
        most = math.log1p(paid) * NEAR
        for epsilon in most * np.sort(rng.uniform(0.2, 1, CARDS)):
            off = oracle.worst(people, n, oracle.card(float(epsilon)), target.error)
            assert off > target.failure * (1 - 1e-9), f"N={n} ε={epsilon!r} fails {off!r}"


@pytest.mark.parametrize("index", range(STUDIES))
def test_no_less_epsilon_is_accurate_at_one_size(index: int) -> None:
    rng = np.random.default_rng([SEED + 1, index])
    people = int(rng.integers(2, 200))
    n = int(rng.integers(1, min(people, 60) + 1))
    error = round(float(rng.uniform(0.05, 0.5)), int(rng.integers(1, 4)))
    failure = round(float(rng.uniform(0.02, 0.5)), 3)
    least = drawn_least.least_epsilon(lattice(people, WHOLE), n, Asked(error, failure, WHOLE))
    most = least if math.isfinite(least) else 25.0
    if math.isfinite(least):
        assert oracle.worst(people, n, oracle.card(least), error) <= failure * (1 + 1e-9)
    for epsilon in (
        most * NEAR * np.concatenate([rng.uniform(0, 1, 150), 1 - np.geomspace(1e-6, 0.1, 30)])
    ):
        if epsilon > 1e-6:
            off = oracle.worst(people, n, oracle.card(float(epsilon)), error)
            assert off > failure * (1 - 1e-9), f"ε={epsilon!r} fails {off!r}"
