"""Random tests of two groups of any sizes, by sums over all pairs of counts.

PLANNER_SEED and PLANNER_POWERS choose other studies, and how many.
"""

import math
import os

import numpy as np
import pytest

import planner
from planner import Stratum
from tests.answer.strata.pairs_of_counts import alternative, least_cost, over, worst

STUDIES = int(os.environ.get("PLANNER_POWERS", "10"))
SEED = int(os.environ.get("PLANNER_SEED", "42"))
_DEARER = 1.01
"""Sizes are the cheapest where the difference is normal, which it is not quite in small studies."""


def case(seed):
    """A random study, and what a person of each group costs beside the payment."""
    rng = np.random.default_rng(SEED * 1_000 + seed)
    baseline = round(float(rng.uniform(0.05, 0.95)), 2)
    change = round(float(rng.uniform(0.12, 0.3)), 2) * (1 if baseline < 0.5 else -1)
    target = {"baseline": baseline, "change": change, "sides": int(rng.integers(1, 3)),
              "significance": float(rng.choice([0.01, 0.05, 0.1])),
              "power": float(rng.choice([0.6, 0.8, 0.9]))}  # fmt: skip
    if rng.random() < 0.4:
        ends = sorted((baseline, baseline + change))
        target["baseline_range"] = (max(0.0, round(ends[0] - 0.1, 2)), min(1.0, round(ends[1], 2)))
    prices = (5.0, 5.0) if rng.random() < 0.5 else (round(float(rng.uniform(1, 40)), 2), 5.0)
    if rng.random() < 0.6 or prices == (5.0, 5.0):
        target["ratio"] = round(float(np.exp(rng.uniform(-1.2, 1.4))), 2)
    strata = (Stratum("a", per_person=prices[0]), Stratum("b"))
    base_cost = round(float(np.exp(rng.uniform(0, 3))), 2)
    return planner.Study(
        planner.CountTest(),
        planner.Difference(**target),
        planner.Individual(base_cost),
        costs=planner.Costs(per_person=5.0, overhead=100.0),
        strata=strata,
    ), prices


@pytest.mark.parametrize("seed", range(STUDIES))
def test_plans_hold_and_none_near_is_cheaper(seed):
    study, prices = case(seed)
    plan, target = planner.solve(study), study.target
    assert plan.verdict == "feasible", plan.proof.statement
    sizes = first, second = tuple(one.participants for one in plan.strata)
    assert over(sizes, plan.scale, *alternative(target), plan.edge) >= target.power
    most, allowed = worst(sizes, plan.scale, plan.edge, target)
    assert 0.98 * allowed < most <= allowed
    others = [(round(first * by), math.ceil(second * by)) for by in (0.85, 1.0, 1.2)]
    if target.ratio is None:
        others += [(round(first * by), round(second / by)) for by in (0.8, 1.25)]
    assert plan.cost <= min(least_cost(n, study, prices) for n in others) * _DEARER
