"""People who differ on the explorer's page, in a browser: what to offer them."""

import pytest

from tests.browser.test_explorer_page import verdict

pytestmark = pytest.mark.browser

STUDY = """
title = "Town"
currency = "EUR"
[target]
error = 0.1
failure = 0.05
[mechanism]
kind = "laplace-mean"
analysis = "hoeffding"
[individual]
base_costs = { pilot = "costs.toml" }
accept = 0.5
[conditions]
budget = 100000.0
[costs]
per_invitation = 2.0
"""
COSTS = """
median = 13.0
low = 11.0
high = 15.0
spread = 2.0
intervals = [[5.0, 0.1, 0.05, 0.2], [20.0, 0.7, 0.6, 0.8]]
"""


@pytest.mark.parametrize("width", [1280, 390])
def test_a_study_is_opened_with_its_file_of_costs(
    page, explorer, tmp_path, width, violations
) -> None:
    for name, text in (("study.toml", STUDY), ("costs.toml", COSTS)):
        (tmp_path / name).write_text(text, "utf-8")
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(explorer)
    page.set_input_files("#file", [tmp_path / "study.toml"])
    page.wait_for_function("() => problem.textContent.includes('choose both files together')")
    page.set_input_files("#file", [tmp_path / "study.toml", tmp_path / "costs.toml"])
    page.wait_for_selector("#offer_costs .picture svg", timeout=60_000)
    assert verdict(page).startswith("Feasible with ")
    assert "log_normal = [13.0, 2.0]" in page.input_value("#base_costs")
    assert page.is_hidden("[data-key=base_cost]")
    assert "who accepts" in page.inner_text("#offer")
    assert "what each payment costs" in page.inner_text("#offer_costs")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []


def test_why_a_file_was_not_opened_outlasts_the_answer_of_a_request_before_it(
    page, explorer, tmp_path
) -> None:
    (tmp_path / "study.toml").write_text(STUDY, "utf-8")
    page.set_viewport_size({"width": 390, "height": 844})  # a narrow page asks when it opens
    held = []
    page.route("**/answer?*", lambda route: held.append(route))
    with page.expect_request("**/answer?*"):
        page.goto(explorer)
    page.set_input_files("#file", [tmp_path / "study.toml"])
    page.wait_for_function("() => problem.textContent.includes('choose both files together')")
    with page.expect_response("**/answer?*"):
        held[0].continue_()
    page.wait_for_selector("#answer:not(.waiting)")
    assert "choose both files together" in page.inner_text("#problem")
