"""A δ chosen by glances is as good as any that is tried one by one."""

from dataclasses import replace

import pytest

import planner
from planner.answer.search.convex import Objective
from planner.model import Delta, DeltaAtMost, Study

STUDY = planner.Study(
    mechanism=planner.GaussianMean(),
    target=planner.Accuracy(error=0.1, failure=0.05),
    individual=planner.Individual(base_cost=12.5, worst_cost=1e7),
    conditions=[planner.Budget(30_000), DeltaAtMost(1e-3)],
    costs=planner.Costs(per_person=5.0),
)
DELTAS = [10 ** (-k / 2) for k in range(6, 20)]


def at(delta: float) -> Study:
    return replace(STUDY, conditions=(*STUDY.conditions, Delta(delta)))


@pytest.mark.slow
@pytest.mark.parametrize("minimise", ["cost", "participants"])
def test_no_fixed_delta_is_better(minimise: Objective) -> None:
    plan = planner.solve(STUDY, minimise, prove=False)
    answers = (planner.solve(at(delta), minimise, prove=False) for delta in DELTAS)
    best = min(getattr(a, minimise) for a in answers if a.verdict == "feasible")
    assert getattr(plan, minimise) <= best * (1 + 1e-4)


@pytest.mark.slow
def test_no_fixed_delta_reaches_further() -> None:
    limits = (planner.limit(at(delta), "budget") for delta in DELTAS[:8])
    least = min(float(limit) for limit in limits if limit is not None)
    limit = planner.limit(STUDY, "budget")
    assert limit is not None
    assert float(limit) <= least * (1 + 1e-4)
