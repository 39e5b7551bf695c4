"""Ranges of N with cells of a free δ, of Gaussian noise under the exact analysis."""

import math
from fractions import Fraction

import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.answer.proof import boxes
from planner.numbers import decimal

LEAST_COST = 138_124.166
"""Of the study below, by its search over δ and N."""


def study(budget: float, *conditions: object, **costs: float) -> planner.Study:
    return planner.Study(
        planner.GaussianMean(),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(900.0, 1274.0),
        [planner.Budget(budget), *conditions],
        planner.Costs(**(costs or {"per_person": 5.0, "overhead": 2000.0})),
    )


def test_a_quarter_of_the_least_cost_is_not_enough() -> None:
    problem = problem_of(study(0.25 * LEAST_COST))
    assert boxes.in_boxes(problem)
    assert boxes.boxes_excluded(problem) == "ranges of N and δ"


@pytest.mark.slow
@pytest.mark.parametrize("part", [0.8, 0.9, 0.95, 0.97, 0.98, 0.995])
def test_a_budget_just_under_the_least_cost_is_proved_too_small(part) -> None:
    answer = planner.solve(study(part * LEAST_COST))
    assert answer.verdict == "infeasible"
    assert answer.proof.checked
    assert answer.proof.method == "certificate"
    assert {"δ·N of at most 0.01", study(part * LEAST_COST).conditions[0].label} < set(
        answer.conflict
    )


@pytest.mark.slow
def test_a_study_that_exists_is_not_excluded() -> None:
    assert boxes.boxes_excluded(problem_of(study(1.0001 * LEAST_COST))) is None


def test_where_no_number_of_people_is_the_last_there_are_no_boxes() -> None:
    assert not boxes.in_boxes(problem_of(study(LEAST_COST, incentive=0.0)))
    assert not boxes.in_boxes(problem_of(study(LEAST_COST, planner.Delta(1e-6))))


def test_a_size_that_no_less_delta_helps_is_given_up() -> None:
    (goal,) = problem_of(study(LEAST_COST)).goals
    near = boxes.Box(2857, 2857, 3.5e-6, 3.5e-6 * (1 + 1e-6))
    assert boxes._halves(near, goal) is None
    assert boxes._halves(near._replace(low=0.0), goal) is not None


@pytest.mark.parametrize("share", [0.01, 0.1, 1 / 3, 0.07])
def test_the_delta_of_so_many_people_is_cut_but_never_short(share) -> None:
    condition = planner.DeltaTimesNAtMost(share)
    for n in (1, 2, 3, 7, 2857, 10**6 + 3, 2**50):
        ceiling = condition.delta_ceiling(n)
        assert decimal(ceiling) >= decimal(share) / n
        assert decimal(ceiling) <= decimal(share) / n * (1 + Fraction(1, 2**50))
        assert n <= condition.participants_ceiling(math.nextafter(ceiling, 0.0), None, None)
    assert planner.DeltaAtMost(0.1).delta_ceiling(5) == 0.1
