"""Studies with δ: Hsu14 §8.2, a free δ and its caps."""

import numpy as np
import pytest

import planner


def test_section_8_2_is_feasible_with_the_printed_constant(section_8_2) -> None:
    answer = planner.solve(section_8_2(planner.Delta(1e-8), constant="printed"))
    assert answer.verdict == "feasible"
    assert answer.delta == 1e-8


@pytest.mark.slow
def test_of_two_caps_on_delta_only_the_needed_one_is_blamed(section_8_2) -> None:
    caps = (planner.DeltaAtMost(0.4), planner.DeltaTimesNAtMost(1e-3))
    answer = planner.solve(section_8_2(*caps))
    assert answer.verdict == "infeasible"
    assert sum(label.startswith("δ") for label in answer.conflict) == 1


@pytest.mark.slow
def test_a_free_delta_is_capped_and_that_is_said(section_8_2) -> None:
    answer = planner.solve(section_8_2(constant="printed"))
    assert answer.verdict == "feasible"
    assert answer.delta * answer.participants <= 0.01
    assert "δ·N is capped at 0.01" in answer.notes[0]


@pytest.mark.slow
@pytest.mark.parametrize("minimise", ["cost"])
def test_a_free_delta_is_the_best_of_a_grid(section_8_2, minimise) -> None:
    answer = planner.solve(section_8_2(constant="printed"), minimise=minimise)
    grid = []
    for delta in np.geomspace(1e-12, 1e-8, 70):
        extra = (planner.Delta(float(delta)), planner.DeltaTimesNAtMost(0.01))
        found = planner.solve(
            section_8_2(*extra, constant="printed"), minimise=minimise, prove=False
        )
        if found.verdict == "feasible":
            grid.append(getattr(found, minimise))
    assert getattr(answer, minimise) <= min(grid) * (1 + 1e-4)
    assert getattr(answer, minimise) >= min(grid) * (1 - 5e-3)
    if minimise == "cost":
        assert answer.least_cost <= min(grid) * (1 + 1e-9)
