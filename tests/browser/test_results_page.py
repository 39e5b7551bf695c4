"""The page of published results in a real browser: on a screen, on a phone and on paper."""

from dataclasses import replace

import pytest

from planner.publication.publish import rehearse
from tests.publication import plans

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> str:
    """A page with HTML and long words in its names."""
    done = rehearse(plans.plan("words"), 0.3)
    odd = "<img src=x onerror=alert(1)> & $x$ " + "long" * 30
    answers = (replace(done.answers[0], name=odd), *done.answers[1:])
    path = tmp_path_factory.mktemp("results") / "results.html"
    replace(done, title=odd, answers=answers).save(path)
    return path.as_uri()


def test_axe_finds_nothing_serious(page, results, violations) -> None:
    page.goto(results)
    assert violations(page) == []


def test_it_asks_for_nothing_and_runs_nothing(page, results) -> None:
    page.goto(results)
    assert page.asked == [results]
    assert page.locator("script, img, link, iframe").count() == 0
    assert page.locator("svg.figure:visible").count() == 4


@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_is_wider_than_the_screen(page, results, width) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(results)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_is_all_grey(page, results) -> None:
    """Nothing in a picture is told apart by its colour."""
    page.goto(results)
    fills = page.evaluate(
        "[...document.querySelectorAll('svg *')].map(e => getComputedStyle(e).fill)"
    )
    for fill in set(fills) - {"none"}:
        levels = [part.strip() for part in fill[fill.index("(") + 1 : -1].split(",")][:3]
        assert len(set(levels)) == 1, fill


def test_it_prints_on_a4(page, results, tmp_path) -> None:
    page.goto(results)
    content = page.pdf(format="A4", path=tmp_path / "a.pdf")
    assert content.startswith(b"%PDF")
    page.emulate_media(media="print")
    assert page.locator("svg.wide:visible").count() == 4
