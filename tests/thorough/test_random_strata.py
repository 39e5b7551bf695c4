"""Studies with strata at random: never dearer than every split of α on a grid, and as accurate."""

import math
import os
from fractions import Fraction

import numpy as np
import pytest

import planner
from planner.answer.strata.together import failure
from planner.model.strata import Stratum, study_of_stratum
from planner.numbers import decimal

STUDIES = int(os.environ.get("PLANNER_STRATA", "25"))
PARTS = 30
"""Of −ln(1 − α), which strata share in whole parts."""
SEED = int(os.environ.get("PLANNER_SEED", "41"))


def random_study(rng: np.random.Generator) -> planner.Study:
    count = int(rng.integers(2, 6))
    finite = bool(rng.integers(2))
    cuts = np.sort(rng.choice(np.arange(1, 100), count - 1, replace=False))
    shares = np.diff([0, *cuts, 100]) / 100
    strata = [
        Stratum(
            f"s{k}",
            people=int(rng.integers(500, 50_000)) if finite else None,
            share=None if finite else float(share),
            error=float(rng.choice([0.05, 0.08, 0.1, 0.15, 0.2])),
            per_person=float(rng.choice([1.0, 5.0, 20.0])) if rng.integers(2) else None,
            base_cost=float(rng.choice([2.0, 12.5, 60.0])) if rng.integers(2) else None,
            response_rate=float(rng.choice([0.3, 0.8])) if rng.integers(2) else None,
            max_participants=int(rng.integers(100, 900)) if rng.integers(4) == 0 else None,
        )
        for k, share in enumerate(shares)
    ]
    return planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(failure=float(rng.choice([0.01, 0.05, 0.2]))),
        planner.Individual(10.0, 2_000.0),
        (),
        planner.Costs(per_person=3.0, overhead=float(rng.choice([0.0, 500.0]))),
        strata=strata,
    )


def cheapest_on_a_grid(study: planner.Study) -> float:
    """The least sum of costs over all ways to give each stratum whole parts of −ln(1 − α)."""
    whole = -math.log1p(-study.accuracy.failure)
    best = np.full(PARTS + 1, np.inf)
    best[0] = 0.0
    for stratum in study.strata:
        costs = np.full(PARTS + 1, np.inf)
        for part in range(1, PARTS + 1):
            alpha = -math.expm1(-whole * part / PARTS)
            answer = planner.solve(study_of_stratum(study, stratum, alpha), prove=False)
            costs[part] = answer.cost if answer.verdict == "feasible" else np.inf
        best = np.array([
            min(best[k - part] + costs[part] for part in range(k + 1)) for k in range(PARTS + 1)
        ])  # fmt: skip
    return float(best[PARTS] + study.costs.overhead)


@pytest.mark.parametrize("at", range(STUDIES))
def test_no_split_on_a_grid_is_cheaper(at: int) -> None:
    study = random_study(np.random.default_rng((SEED, at)))
    grid, answer = cheapest_on_a_grid(study), planner.solve(study)
    if not grid < math.inf:
        assert answer.verdict != "feasible" or answer.failure <= study.accuracy.failure
        return
    assert answer.verdict == "feasible"
    assert answer.cost <= grid * 1.005
    assert failure(answer.strata) <= decimal(study.accuracy.failure)
    total = sum(Fraction(decimal(one.cost)) for one in answer.strata) + decimal(
        study.costs.overhead
    )
    assert abs(answer.cost - float(total)) <= 1e-9 * answer.cost
    poor = planner.Budget(answer.cost * 0.9)
    none = planner.solve(planner.Study(**{**vars(study), "conditions": (poor,)}))
    assert none.verdict != "feasible"
