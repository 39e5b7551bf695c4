"""The report in a real browser."""

import re
from pathlib import Path

import pytest

import planner
from planner import scenarios
from planner.answer.problem.problem import exactly

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", params=[False, True], ids=["report", "annex"])
def report(request, tmp_path_factory) -> str:
    """That of a feasible study, an infeasible one, and one with HTML in its title; or its annex."""
    path = scenarios.WORKED_STUDIES / "mean-smoking.toml"
    smoking = planner.read_study(path)
    education = planner.read_study(scenarios.WORKED_STUDIES / "mean-education.toml")
    person = planner.Individual(12.5, 1274.0)
    odd = planner.Study(
        exactly(education).mechanism, education.target, person, education.conditions,
        title="<img src=x onerror=alert(1)> & $x$",
    )  # fmt: skip
    page = tmp_path_factory.mktemp("report") / "report.html"
    page.write_text(
        planner.report([education, smoking, odd], quick=True, annex=request.param), "utf-8"
    )
    return page.as_uri()


def test_axe_finds_nothing_serious(page, report, violations) -> None:
    page.goto(report)
    assert violations(page) == []


def test_it_renders_without_scripts(chromium, report) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report)
    assert page.locator("h1").count() == 1
    formulas = page.locator("math").count()
    assert formulas > 5 or page.locator("svg.figure:visible").count() >= 4
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


@pytest.mark.parametrize("study", ["study.toml", "no-curator.toml", "test.toml"])
def test_one_proportion_is_decided_on_by_two_pages(tmp_path: Path, study: str) -> None:
    from planner.cli import run

    file = Path(planner.__file__).parent / "study_file" / "templates" / study
    sampled = tmp_path / study
    written = '[records]\nwording = "Do you smoke, or did you smoke in the last twelve months?"\n'
    written += "[sampling]\npopulation = 80000\nresponse_rate = 0.6\n" * (study == "study.toml")
    sampled.write_text(f"{file.read_text('utf-8')}\n{written}", "utf-8")
    printed = tmp_path / "report.pdf"
    assert run(["report", str(sampled), "-o", str(printed)]) == 0
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed.read_bytes())) == 2
