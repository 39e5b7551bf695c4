"""Surveys with Gaussian noise: a plan is found, and none where much less money is given.

PLANNER_SEED and PLANNER_STUDIES choose others than the fixed ones.
"""

import os

import numpy as np
import pytest

import planner

SEED = int(os.environ.get("PLANNER_SEED", "39"))
STUDIES = int(os.environ.get("PLANNER_STUDIES", "10"))
LESS = 0.99


def drawn(rng: np.random.Generator) -> tuple[tuple[object, ...], float, list[object]]:
    """Questions, α, and conditions on δ."""
    kinds = [
        lambda e: planner.Share("a", error=e, times=int(rng.integers(1, 4))),
        lambda e: planner.Histogram("b", groups=int(rng.integers(2, 9)), error=e),
        lambda e: planner.Mean("c", low=0, high=1, error=e),
    ]
    chosen = [kinds[k](float(f"{rng.uniform(0.03, 0.12):.2g}")) for k in rng.permutation(3)[:2]]
    delta = float(10 ** -rng.uniform(4, 9))
    free = rng.random() < 0.3
    condition = planner.DeltaAtMost(delta) if free else planner.Delta(delta)
    failure = None if rng.random() < 0.2 else float(f"{np.exp(rng.uniform(-7, -1.5)):.2g}")
    if failure is None:
        own = ((0.05, 0.02), (0.07, 0.1))
        chosen = [planner.Share(f"of {e}", error=e, failure=a) for e, a in own]
    return tuple(chosen), failure, [condition]


def study(questions: tuple[object, ...], failure: float, conditions: list[object], *more: object):
    return planner.Study(
        planner.AddedNoise("gaussian"),
        planner.Survey(questions, failure),
        planner.Individual(12.5, 2000.0),
        [*conditions, *more, planner.MaxParticipants(40_000)],
        planner.Costs(per_person=5.0),
    )


@pytest.mark.parametrize("index", range(STUDIES))
def test_no_plan_is_found_for_less_money(index: int) -> None:
    rng = np.random.default_rng([SEED, index])
    given = drawn(rng)
    plan = planner.solve(study(*given))
    assert plan.verdict == "feasible"
    less = planner.solve(study(*given, planner.Budget(round(plan.cost * LESS, 2))))
    assert less.verdict != "feasible", given
