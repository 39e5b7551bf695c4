"""Random tests and estimates of two groups of any sizes, by sums over all pairs of counts.

PLANNER_SEED and PLANNER_POWERS choose other studies, and how many.
"""

import math
import os

import numpy as np
import pytest
import scipy

import planner
from planner import Stratum
from planner.mechanisms.exact.error_of_difference import ErrorOfDifference
from tests.answer.strata.pairs_of_counts import alternative, least_cost, off, over, worst

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


def estimate(seed):
    """A random estimate, and what a person of each group costs beside the payment."""
    rng = np.random.default_rng(SEED * 1_000 + seed)
    prices = (5.0, 5.0) if rng.random() < 0.5 else (round(float(rng.uniform(1, 40)), 2), 5.0)
    target = {"error": round(float(np.exp(rng.uniform(math.log(0.06), math.log(0.6)))), 3),
              "failure": float(rng.choice([1e-4, 0.01, 0.05, 0.2]))}  # fmt: skip
    if rng.random() < 0.6 or prices == (5.0, 5.0):
        target["ratio"] = round(float(np.exp(rng.uniform(-1.5, 1.5))), 2)
    return planner.Study(
        planner.LaplaceMean(),
        planner.Difference(**target),
        planner.Individual(round(float(np.exp(rng.uniform(-2, 4))), 2)),
        costs=planner.Costs(per_person=5.0, overhead=100.0),
        strata=(Stratum("a", per_person=prices[0]), Stratum("b")),
    ), prices


def most_off(sizes, scale, error, seed=0):
    """How often the difference is off at the worst of some pairs of proportions."""
    rng = np.random.default_rng(seed)
    pairs = [(0.5, 0.5), *rng.uniform(0, 1, (20, 2)), *rng.uniform(0.46, 0.54, (20, 2))]
    return max(off(sizes, scale, *pair, error) for pair in pairs)


@pytest.mark.parametrize("seed", range(STUDIES))
def test_estimates_hold_and_none_near_is_cheaper(seed):
    study, prices = estimate(seed)
    plan, target = planner.solve(study), study.target
    assert plan.verdict == "feasible", plan.proof.statement
    assert plan.exact
    first, second = (one.participants for one in plan.strata)
    most = most_off((first, second), plan.scale, target.error, seed)
    assert 0.9 * target.failure < most <= target.failure

    def cost(sizes):
        """With the most noise that is off seldom enough where both proportions are 1/2."""

        def over(log):
            return off(sizes, math.exp(log), 0.5, 0.5, target.error) - target.failure

        low, high = math.log(1e-4 / max(sizes)), 1.0
        if over(low) > 0:
            return math.inf
        scale = math.exp(scipy.optimize.brentq(over, low, high, xtol=1e-6))
        base = study.individual.base_cost
        return study.costs.overhead + sum(
            n * (price + base * math.expm1(1 / (n * scale)))
            for n, price in zip(sizes, prices, strict=True)
        )

    firsts = [max(round(first * by), 1) for by in (0.85, 0.95, 1.0, 1.1, 1.3)]
    others = [(n, math.ceil(n * (target.ratio or second / first) - 1e-9)) for n in firsts]
    if target.ratio is None:
        others += [(round(first * by), round(second / by)) for by in (0.8, 1.25)]
    assert plan.cost <= min(cost(n) for n in others if min(n) > 0) * _DEARER


def test_two_analyses_of_equal_groups_agree():
    """Equal groups are one proportion, by sums over counts; here they are two, by their sums."""
    rng = np.random.default_rng(SEED)
    for _ in range(4 * STUDIES):
        error = round(float(np.exp(rng.uniform(math.log(0.005), math.log(0.4)))), 4)
        failure = float(rng.choice([1e-6, 1e-3, 0.01, 0.05, 0.2]))
        plan = planner.solve(
            planner.Study(
                planner.LaplaceMean(),
                planner.Difference(error=error, failure=failure),
                planner.Individual(round(float(np.exp(rng.uniform(-1, 4))), 2)),
                costs=planner.Costs(per_person=5.0, overhead=100.0),
            )
        )
        each = plan.participants // 2
        law = ErrorOfDifference(each, each, 1 / (each * plan.epsilon), error)
        assert 1 <= law.often() / plan.failure < 1.003
        assert law.seldom(law.often() * 1.002)
