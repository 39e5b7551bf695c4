"""Surveys on the explorer's page, in a browser."""

import pytest

from tests.browser.test_explorer_page import CLINIC, SURVEY, changed, settled, verdict

pytestmark = pytest.mark.browser


def bars(page) -> str:
    """The words in the picture of the questions."""
    return " | ".join(page.locator("svg[aria-labelledby^=shares] text").all_text_contents())


def test_a_question_is_changed_and_the_picture_follows(page, explorer) -> None:
    page.goto(f"{explorer}/{SURVEY}")
    assert "3 × smokes" in bars(page)
    page.fill("[id='question.1.times']", "5")
    settled(page)
    assert "5 × smokes" in bars(page)
    page.fill("[id='question.2.name']", "age group")
    page.select_option("[id='question.2.kind']", "mean")
    settled(page)
    assert "age group: ε = " in bars(page)
    assert page.locator("[id='question.2.groups']").is_hidden()
    page.fill("[id='question.2.high']", "10")
    settled(page)
    assert "question.2.high=10" in page.url
    assert "groups" not in page.url
    before = verdict(page)
    page.reload()
    assert page.input_value("[id='question.2.name']") == "age group"
    assert verdict(page) == before
    page.fill("[id='question.2.error']", "20")
    page.wait_for_function("() => problem.textContent.includes('question 2')")


def test_questions_are_added_and_removed(page, explorer) -> None:
    page.goto(f"{explorer}/{SURVEY}")
    page.click("#add")
    page.wait_for_selector("[id='question.3.name']")
    page.wait_for_load_state()
    assert page.evaluate("document.activeElement.id") == "question.3.name"
    assert "question 1: ε = " in bars(page)
    changed(page, "question\\.3\\.name", "drinks")
    page.click("[aria-label='remove question 1']")
    page.wait_for_selector("[id='question.3.name']", state="detached")
    page.wait_for_load_state()
    assert page.input_value("[id='question.2.name']") == "drinks"
    assert "smokes" not in bars(page)
    assert "drinks" in bars(page)
    page.press("[id='question.2.name']", "Enter")  # removes nothing
    settled(page)
    assert page.locator(".question").count() == 2


def test_a_study_becomes_a_survey_and_again_a_study(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC}&max_participants=20000")
    assert page.locator("#add").is_hidden()
    page.select_option("#mechanism", "added-noise hoeffding")
    page.wait_for_selector("[id='question.1.name']")
    page.wait_for_load_state()
    assert verdict(page).startswith("Feasible")
    assert page.input_value("[id='question.1.error']") == "0.05"
    assert page.locator("#error").is_hidden()
    page.select_option("#mechanism", "laplace-mean hoeffding")
    settled(page)
    assert page.locator("#error").is_visible()
    assert page.locator("[id='question.1.name']").is_hidden()
    assert bars(page) == ""


def test_a_survey_without_scripts_is_a_form(chromium, explorer) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{explorer}/{SURVEY}")
    page.click("#add")
    page.fill("[id='question.3.name']", "drinks")
    page.click("#plan")
    assert "drinks" in bars(page)
    page.click("[aria-label='remove question 1']")
    assert "smokes" not in bars(page)
    context.close()
