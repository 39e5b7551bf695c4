"""The three arguments of infeasibility, each alone, on regions that are and are not empty."""

import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.answer.proof import none
from planner.answer.proof.none import top_of_gap


def region(study):
    (found,) = problem_of(study).regions(0.0)
    return found


def test_limit(mean_study) -> None:
    assert region(mean_study(250.4)).in_fractions.n_epsilon_room() < 0
    assert not region(mean_study(250.3)).in_fractions.n_epsilon_room() < 0


def test_cells(mean_study) -> None:
    three = mean_study(12.5, planner.MaxHarm(0.02), planner.MaxParticipants(30_000))
    assert none._by_cells(region(three).in_fractions, 30_000, 1000)
    two = mean_study(12.5, planner.MaxHarm(0.02))
    assert not none._by_cells(region(two).in_fractions, 100_000, 1000)


@pytest.mark.parametrize(("budget", "empty"), [(20_876.3573, True), (20_876.3574, False)])
def test_concavity(mean_study, budget, empty) -> None:
    # the least cost at E = 12.5 and 1 a person is 20,876.35735, by a scan over N in test_solve
    found = region(mean_study(12.5, budget=budget, costs=planner.Costs(per_person=1.0)))
    last = int(found.participants_ceiling)
    best = top_of_gap(found, last)
    assert none._by_concavity(found.in_fractions, best, last) is empty


def test_concavity_at_the_ends_of_the_axis(mean_study) -> None:
    # the gap still rises at the cap, so all smaller N are excluded by it
    capped = region(mean_study(12.5, planner.MaxHarm(0.02), planner.MaxParticipants(70_000)))
    best = top_of_gap(capped, 70_000)
    assert best == 70_000
    assert none._by_concavity(capped.in_fractions, best, 70_000)


def test_feasible_problems_are_not_excluded(mean_study, section_8_2) -> None:
    assert none.excluded(problem_of(mean_study(250.3))) is None
    feasible = section_8_2(planner.Delta(1e-8), constant="printed")
    assert none.excluded(problem_of(feasible)) is None


def test_the_concave_gap_lies_under_its_chords(mean_study) -> None:
    import numpy as np

    found = region(mean_study(12.5, planner.MaxHarm(0.5), costs=planner.Costs(per_person=1.0)))
    n = np.linspace(18_000, 27_000, 400)
    gaps = np.array([found.gap(float(value)) for value in n])
    assert np.all(np.diff(gaps, 2) <= 1e-7)
