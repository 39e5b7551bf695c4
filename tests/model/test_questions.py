"""What surveys and their questions refuse."""

import pytest

import planner
from planner.mechanisms import LaplaceMean
from tests.answer.surveys import DESIGN


@pytest.mark.parametrize(
    ("questions", "failure", "words"),
    [
        ((), 0.05, "at least 1"),
        ((planner.Share("a", error=0.1), planner.Share("a", error=0.2)), 0.05, "name of its own"),
        ((planner.Share("a", error=0.1, failure=0.1),), 0.05, "one for all, or one for each"),
        ((planner.Share("a", error=0.1),), None, "has no failure"),
    ],
)
def test_refusals(questions: tuple[object, ...], failure: float | None, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        planner.Survey(questions, failure=failure)  # type: ignore[arg-type]


def test_refusals_of_noise() -> None:
    with pytest.raises(ValueError, match="answered by added-noise"):
        planner.Study(LaplaceMean(), planner.Survey(DESIGN, 0.05), planner.Individual(1.0))
