"""The split of α over many sizes at once."""

import numpy as np

import planner
from planner.answer.problem.problem import problem_of


def epsilon(sizes: np.ndarray) -> np.ndarray:
    """What a survey of its own asks at these sizes: nothing of it is known before."""
    questions = (planner.Share("a", error=0.3), planner.Share("b", error=0.4))
    failure = 0.2 + 1e-9 * len(sizes)
    study = planner.Study(
        planner.AddedNoise("laplace", "hoeffding"),
        planner.Survey(questions, failure=failure),
        planner.Individual(1.0),
    )
    return np.asarray(problem_of(study).goals[0].floor.approximate(sizes, 0.0))


def test_many_sizes_between_a_few_whole_ones_are_split_as_each_alone() -> None:
    """Two or three whole sizes are too few for a polynomial: the least squares were singular."""
    for last in (20.5, 21.0, 22.0, 24.0):
        sizes = np.linspace(20.0, last, 60)
        assert np.allclose(epsilon(sizes)[::20], epsilon(sizes[::20]), rtol=1e-6)
