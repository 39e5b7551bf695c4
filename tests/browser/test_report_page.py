"""The report in a real browser."""

from pathlib import Path

import pytest

import planner
from planner import scenarios
from planner.answer.problem.problem import exactly

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> str:
    """A report of a feasible study, an infeasible one, and one with HTML in its title."""
    path = scenarios.WORKED_STUDIES / "mean-smoking.toml"
    smoking = planner.read_study(path)
    education = planner.read_study(scenarios.WORKED_STUDIES / "mean-education.toml")
    person = planner.Individual(12.5, 1274.0)
    odd = planner.Study(
        exactly(education).mechanism, education.target, person, education.conditions,
        title="<img src=x onerror=alert(1)> & $x$",
    )  # fmt: skip
    page = tmp_path_factory.mktemp("report") / "report.html"
    page.write_text(planner.report([education, smoking, odd], quick=True), "utf-8")
    return page.as_uri()


def test_axe_finds_nothing_serious(page, report, violations) -> None:
    page.goto(report)
    assert violations(page) == []


def test_it_renders_without_scripts(chromium, report) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report)
    assert page.locator("h1").count() == 1
    assert page.locator("svg.figure:visible").count() >= 4
    assert page.locator("math").count() > 5
    assert "<img src=x onerror=alert(1)> & $x$" in page.inner_text("main")
    context.close()


def test_it_asks_for_nothing_and_runs_nothing(page, report) -> None:
    page.goto(report)
    assert [url for url in page.asked if not url.startswith("data:")] == [report]
    assert page.locator("script, img, link, iframe").count() == 0


@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_is_wider_than_the_screen(page, report, width) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(report)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_prints(tmp_path: Path, capsys) -> None:
    from planner.cli import run

    target = tmp_path / "report.pdf"
    study = str(scenarios.WORKED_STUDIES / "mean-education.toml")
    assert run(["report", study, "-o", str(target), "--quick"]) == 0
    assert target.read_bytes().startswith(b"%PDF")
