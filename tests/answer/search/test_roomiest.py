"""The size with the most room, beside one that is known: the best of all sizes, read one by one."""

from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.answer.problem.problem import problem_at_edge
from planner.answer.search.find import reader, roomiest
from planner.answer.solve import has_room

QUESTIONS = (
    planner.Mean("visits", low=0, high=1, error=0.09),
    planner.Share("insured", 0.07),
)
SURVEY = planner.Study(
    planner.AddedNoise("laplace", "exact"),
    planner.Survey(QUESTIONS, failure=0.05),
    planner.Individual(5.0, 5000.0),
    [planner.Budget(9000.0)],
    planner.Costs(2.0),
)
SIZES = np.arange(200, 2400, dtype=float)


@pytest.fixture(scope="module")
def rooms() -> np.ndarray:
    """The room of each size, without a cap."""
    (region,) = problem_at_edge(SURVEY).regions(0.0)
    return reader(region)(SIZES).room


@pytest.mark.parametrize("cap", [2000, 900, 600])
@pytest.mark.parametrize("off", [0, 2, -5, 200, -300])
def test_a_known_size_leads_to_the_best_of_all(rooms: np.ndarray, cap: int, off: int) -> None:
    """However far it is off; a cap may be the best, or may be under the known size."""
    capped = replace(SURVEY, conditions=[*SURVEY.conditions, planner.MaxParticipants(cap)])
    within = np.where(cap >= SIZES, rooms, 0.0)
    near = int(SIZES[np.argmax(within)]) + off
    room, n = roomiest(problem_at_edge(capped), near=near)
    assert n <= cap
    assert room == pytest.approx(within.max(), rel=1e-6)


@pytest.mark.parametrize(("budget", "enough"), [(9000.0, True), (200.0, False)])
@pytest.mark.parametrize("near", [0, 7, 400, 1500])
def test_a_known_size_decides_nothing(budget: float, enough: bool, near: int) -> None:
    """Whether there is a plan does not depend on where it is sought first."""
    assert has_room(replace(SURVEY, conditions=[planner.Budget(budget)]), near) == enough
