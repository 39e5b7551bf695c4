"""The guide in a real browser."""

import pytest

from planner.guide import chapters

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["", *(f"/{one.name}" for one in chapters())])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious(page, explorer, violations, name, width) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{explorer}/guide{name}")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_guide_is_read_from_the_explorer(page, explorer) -> None:
    page.goto(explorer)
    page.click("header a[href='/guide']")
    page.click("main a >> nth=0")
    assert page.inner_text("h1") == chapters()[0].title
    page.click("text=Next: >> a")
    assert page.inner_text("h1") == chapters()[1].title
    page.click("text=Before: >> a")
    assert page.inner_text("h1") == chapters()[0].title
    page.click("nav[aria-label=Contents] a >> nth=1")
    target = page.evaluate("location.hash.slice(1)")
    assert page.evaluate(f"document.getElementById('{target}').tagName") == "H2"


def test_words_of_a_table_are_not_broken_on_a_phone(page, explorer) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    for one in chapters():
        page.goto(f"{explorer}/guide/{one.name}")
        heights = page.evaluate(
            "[...document.querySelectorAll('.guide th')].map(cell => cell.clientHeight)"
        )
        assert all(height < 110 for height in heights)


def test_pictures_of_the_guide_are_shown(page, explorer) -> None:
    page.goto(f"{explorer}/guide/07-reading-the-answer")
    assert page.evaluate("document.querySelector('img').naturalWidth") > 0
