"""Surveys whose plans and proofs take long."""

import pytest

from tests.answer import test_survey as surveys
from tests.decisions import test_of_surveys as decisions


def test_a_plan_with_gaussian_noise_exactly() -> None:
    surveys.test_a_plan_is_what_its_questions_add_up_to("gaussian", "exact")


@pytest.mark.parametrize(
    ("analysis", "questions"), [("hoeffding", surveys.DESIGN), ("exact", surveys.DESIGN)]
)
def test_none_exists_for_any_split(analysis: str, questions: tuple[object, ...]) -> None:
    surveys.test_none_exists_for_any_split(analysis, questions)


@pytest.mark.parametrize("name", ["smokes", "age group"])
def test_the_least_error_of_one_question(name: str) -> None:
    decisions.test_the_least_error_of_one_question(name)
