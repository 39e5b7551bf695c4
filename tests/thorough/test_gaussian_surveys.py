"""Surveys with Gaussian noise: no plan's sizes are excluded, and budgets well under one's cost are.

PLANNER_SEED and PLANNER_STUDIES choose others than the fixed ones.
"""

import os

import numpy as np
import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.numbers import balls

SEED = int(os.environ.get("PLANNER_SEED", "39"))
STUDIES = int(os.environ.get("PLANNER_STUDIES", "10"))
NEAR = 1 + 1e-9
LESS = 0.8
"""Bounds for ranges of N lose a count at the edge: of few people some per cent of the cost."""


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
def test_no_plan_is_excluded_and_less_money_is(index: int) -> None:
    rng = np.random.default_rng([SEED, index])
    given = drawn(rng)
    plan = planner.solve(study(*given))
    assert plan.verdict == "feasible"
    floor, number = problem_of(plan.study).goals[0].floor, balls().number
    n, least = plan.participants, number(plan.epsilon * NEAR)
    for width in (0, 1, 20):
        some = least, max(1, n - width), n + width, number(plan.delta)
        assert not floor.certify_missed_sizes(*some)
    assert floor.certify_missed_sizes(number(plan.epsilon * 0.7), n, n, number(plan.delta))
    less = planner.solve(study(*given, planner.Budget(round(plan.cost * LESS, 2))))
    assert less.verdict == "infeasible", given
    assert less.proof.checked
