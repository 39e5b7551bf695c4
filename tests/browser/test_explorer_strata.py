"""Studies with strata on the explorer's page, in a browser."""

import pytest

from tests.browser.test_explorer_page import CLINIC, settled, verdict

pytestmark = pytest.mark.browser

STRATA = (
    "?title=Districts&currency=EUR&mechanism=laplace-mean+hoeffding&failure=0.1&base_cost=12.5"
    "&worst_cost=1274&per_person=5"
    "&stratum.1.name=North&stratum.1.people=12000&stratum.1.error=0.1"
    "&stratum.2.name=South&stratum.2.people=5000&stratum.2.error=0.15"
)


def names(page) -> list[str]:
    """The strata in the table."""
    return page.locator("[aria-label='The strata'] tbody th").all_text_contents()


def test_a_stratum_is_changed_and_the_table_follows(page, explorer) -> None:
    page.goto(f"{explorer}/{STRATA}")
    assert verdict(page).startswith("Feasible with ")
    assert names(page) == ["North", "South"]
    before = verdict(page)
    page.fill("[id='stratum.1.error']", "0.08")
    settled(page)
    assert verdict(page) != before
    page.fill("[id='stratum.2.name']", "Coast")
    settled(page)
    assert names(page) == ["North", "Coast"]
    page.reload()
    assert page.input_value("[id='stratum.1.error']") == "0.08"
    page.fill("[id='stratum.1.people']", "0")
    page.wait_for_function("() => problem.textContent.includes('stratum 1')")
    assert page.get_attribute("[id='stratum.1.people']", "aria-invalid") == "true"


def test_strata_are_added_and_removed(page, explorer) -> None:
    page.goto(f"{explorer}/{CLINIC.replace('paper', 'hoeffding')}")
    page.click("#add_stratum")
    page.wait_for_selector("[id='stratum.2.name']")
    page.wait_for_load_state()
    assert page.evaluate("document.activeElement.id") == "stratum.2.name"
    assert len(page.locator(".stratum").all()) == 2
    page.click("#add_stratum")
    page.wait_for_selector("[id='stratum.3.name']")
    page.wait_for_load_state()
    assert "3 strata" in verdict(page)
    page.click("[aria-label='remove stratum 1']")
    page.wait_for_selector("[id='stratum.3.name']", state="detached")
    page.wait_for_load_state()
    page.click("[aria-label='remove stratum 1']")
    page.wait_for_selector(".stratum", state="detached")
    page.wait_for_load_state()
    assert "strata" not in verdict(page)
    assert page.input_value("#error") == "0.05"
