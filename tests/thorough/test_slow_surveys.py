"""Surveys whose plans and proofs take long."""

import pytest

from planner.decisions.changes import Changes
from planner.reports.content import content_of
from planner.reports.page import page
from tests.answer import surveys, test_no_survey as no_surveys, test_survey as plans
from tests.reports import test_page as pages
from tests.thorough import test_survey_decisions as decisions


def test_a_plan_with_gaussian_noise_exactly() -> None:
    plans.test_a_plan_is_what_its_questions_add_up_to("gaussian", "exact")


@pytest.mark.parametrize(
    ("analysis", "questions"), [("hoeffding", surveys.DESIGN), ("exact", surveys.DESIGN)]
)
def test_none_exists_for_any_split(analysis: str, questions: tuple[object, ...]) -> None:
    no_surveys.test_none_exists_for_any_split(analysis, questions)


@pytest.mark.parametrize("name", ["smokes", "age group"])
def test_the_least_error_of_one_question(name: str) -> None:
    decisions.test_the_least_error_of_one_question(name)


def test_a_plan_with_laplace_noise_exactly() -> None:
    plans.test_a_plan_is_what_its_questions_add_up_to("laplace", "exact")


def test_no_other_split_needs_less_exactly() -> None:
    plans.test_no_other_split_needs_less("exact", 12)


def test_an_exact_survey_is_refuted() -> None:
    no_surveys.test_none_exists_for_any_split("exact", surveys.ORDINARY)


def test_a_failure_probability_for_each_question() -> None:
    plans.test_a_failure_probability_for_each_question("exact")


@pytest.mark.parametrize(("analysis", "n"), [("hoeffding", 8000), ("exact", 4200)])
def test_no_feasible_survey_is_refuted(analysis: str, n: int) -> None:
    no_surveys.test_no_feasible_survey_is_refuted(analysis, n)


def test_a_survey_says_what_it_costs_with_fewer_questions(survey, monkeypatch) -> None:
    none = Changes(survey, True), ""
    monkeypatch.setattr("planner.reports.content.changes_of", lambda answer: none)
    content = content_of(survey)
    assert len(content.drops) == 3
    text = pages.Outline(page([content], pages.DAY)).text
    assert "With fewer questions Without 'visits' the survey costs" in text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("planner.reports.content.drops", lambda answer: [])
        assert (
            "With fewer questions" not in pages.Outline(page([content_of(survey)], pages.DAY)).text
        )
