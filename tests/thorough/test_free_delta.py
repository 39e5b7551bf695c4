"""Gaussian noise with a free δ in small studies: every size and a fine grid of δ by the oracle.

PLANNER_SEED and PLANNER_STUDIES choose others than the fixed ones.
"""

import math
import os

import numpy as np
import pytest

import planner
from tests.thorough import oracle_exact as exact, oracle_gaussian as gaussian
from tests.thorough.oracle_questions import Asked, table

SEED = int(os.environ.get("PLANNER_SEED", "20260101"))
STUDIES = int(os.environ.get("PLANNER_STUDIES", "4"))
CAP, DELTAS = 0.01, 40
SIZES = 45
"""So many people at most are asked, as the oracle sums over each size."""


def least_rate(n: int, error: float, failure: float) -> float:
    """The least 1/σ at which N people are accurate, on a fine grid; ∞ where none is."""
    rates, values = table(Asked("share", error), "gaussian", "exact", n)
    good = np.flatnonzero(values <= failure)
    if not good.size:
        return math.inf
    high = float(rates[good[0]])
    low = float(rates[good[0] - 1]) if good[0] else high / 2
    for _ in range(15):  # to a part of 1e-5 of a step of the grid
        middle = (low + high) / 2
        fails = exact.worst("gaussian", middle, n, error, (0.0, 1.0)).value > failure
        low, high = (middle, high) if fails else (low, middle)
    return high


@pytest.mark.parametrize("index", range(STUDIES))
def test_no_budget_is_undecided_far_from_the_least_cost(index: int) -> None:
    rng = np.random.default_rng([SEED, index])
    error, failure = float(rng.choice([0.25, 0.3, 0.4])), round(float(rng.uniform(0.05, 0.4)), 2)
    base = round(float(np.exp(rng.uniform(0, 6))), 2)
    worst = round(base * float(np.exp(rng.uniform(0, 8))), 2)
    each = round(base * float(np.exp(rng.uniform(-4, 1))), 2)

    def study(budget: float) -> planner.Study:
        return planner.Study(
            planner.GaussianMean(),
            planner.Accuracy(error, failure),
            planner.Individual(base, worst),
            [planner.Budget(budget), planner.MaxParticipants(SIZES)],
            planner.Costs(each, 10.0),
        )

    least = math.inf
    for n in range(1, SIZES + 1):
        rate = least_rate(n, error, failure)
        if math.isinf(rate):
            continue
        for delta in np.geomspace(1e-12, CAP, DELTAS) / n:
            epsilon = gaussian.epsilon_of(1 / rate, float(delta))
            owed = math.expm1(epsilon) * base + float(delta) * worst
            least = min(least, n * (owed + each) + 10.0)
    assert planner.solve(study(1.001 * least)).verdict == "feasible"
    plan = planner.solve(study(2 * least))
    for part in (0.98, 0.95, 0.9, 0.7):
        answer = planner.solve(study(part * plan.least_cost))
        assert answer.verdict == "infeasible", f"{part} of {plan.least_cost}"
        assert answer.proof.checked
        assert part * plan.least_cost < least
