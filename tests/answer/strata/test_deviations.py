"""Strata whose values are known to deviate little: Neyman's allocation, and a closer bound."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import planner
from planner.answer.answers import TotalPlan

OWN = {"H": 20.0, "L": 12.0}
PEOPLE = {"H": 100_000, "L": 500_000}


def study(own=OWN, whole=None, error=3.0, **more) -> planner.Study:
    target = planner.Accuracy.of_values(error, 0.0, 100.0, 0.05, whole)
    strata = [
        planner.Stratum(name, people=PEOPLE[name], deviation_at_most=own.get(name))
        for name in PEOPLE
    ]
    return planner.Study(
        planner.LaplaceMean(), target, planner.Individual(1.0), [],
        planner.Costs(per_person=5.0), strata=strata, **more,
    )  # fmt: skip


def misses(plan: TotalPlan, means: tuple[float, ...]) -> float:
    """How often the plan misses, its values two numbers each that deviate as much as they may.

    The strata's counts are summed one by one; nothing of the planner is used.
    """
    width, laws = 100.0, []
    for one, mean in zip(plan.strata, means, strict=True):
        most = OWN[one.name] / width
        up = min(1 - mean, most**2 / mean)  # how far the higher value lies over the mean
        down = min(mean, most**2 / up)
        n, p = one.participants, down / (up + down)
        k = np.arange(n + 1)
        logs = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in k]
        chance = np.exp(logs + k * math.log(p) + (n - k) * math.log1p(-p))
        laws.append((one.weight * (up + down) * (k / n - p), chance))
    (x, p), (y, q) = laws
    off = np.abs(x[:, None] + y[None, :])
    error, scale = 0.03, plan.scale / width
    inside = 0.5 * (
        np.exp(-np.abs(error - off) / scale) * np.where(off > error, -1.0, 1.0)
        + np.exp(-(error + off) / scale)
    )
    return float(p @ np.where(off > error, 1 + inside, inside) @ q)


@pytest.mark.slow
def test_a_plan_of_known_deviations_is_accurate_and_in_neymans_proportion() -> None:
    plan = planner.solve(study())
    assert isinstance(plan, TotalPlan)
    high, low = (one.participants for one in plan.strata)
    assert 3 * high == pytest.approx(low, abs=3)  # 100·20 beside 500·12
    assert plan.participants <= 170
    assert not plan.proof.checked
    assert "Bentkus" in plan.proof.statement
    assert planner.check(plan).holds
    for means in product((0.05, 0.2, 0.5, 0.8), repeat=2):
        assert misses(plan, means) <= 0.05


@pytest.mark.slow
def test_a_deviation_of_all_people_together_is_used_in_proportion() -> None:
    plan, loose = planner.solve(study({}, whole=20.0)), planner.solve(study({}))
    assert plan.participants < 0.5 * loose.participants
    high, low = (one.participants for one in plan.strata)
    assert 5 * high == pytest.approx(low, abs=5)


@pytest.mark.slow
def test_to_know_a_deviation_never_costs_more() -> None:
    costs = [planner.solve(study(own), prove=False).cost for own in (
        {}, {"H": 50.0, "L": 50.0}, {"H": 20.0}, OWN,
    )]  # fmt: skip
    assert costs[1] <= costs[0] * 1.001
    assert costs[3] < costs[2] < costs[1]


@pytest.mark.slow
def test_compare_shows_three_allocations_of_which_the_plan_costs_least() -> None:
    paid = replace(study(), individual=planner.Individual(1.0, 100.0))
    optimal, proportional, equal = planner.compare(paid).allocations
    assert optimal.cost < proportional.cost < equal.cost
    first, second = proportional.participants
    assert 5 * first == pytest.approx(second, abs=5)


@pytest.mark.slow
def test_strata_with_errors_of_their_own_use_their_deviations() -> None:
    def of(**known) -> planner.Study:
        strata = [
            planner.Stratum(name, people=PEOPLE[name], error=3.0, deviation_at_most=known.get(name))
            for name in PEOPLE
        ]
        return planner.Study(
            planner.LaplaceMean(),
            planner.Accuracy(failure=0.05, values=(0.0, 100.0)),
            planner.Individual(1.0), [], planner.Costs(per_person=5.0), strata=strata,
        )  # fmt: skip

    known, unknown = planner.solve(of(**OWN)), planner.solve(of())
    assert known.cost < 0.6 * unknown.cost
    high, low = (one.participants for one in known.strata)
    assert high > low
