"""Commands and pages that take seconds, and variants that the quick tests leave out."""

import shutil

import pytest

from planner.cli import run
from planner.reports import files as pdf
from tests.answer.search import test_delta as delta
from tests.cli import test_faults as faults, test_report as report
from tests.explorer import test_server as server
from tests.explorer.test_server import client  # noqa: F401


@pytest.mark.skipif(not any(map(shutil.which, pdf.BROWSERS)), reason="needs a Chromium")
def test_a_real_pdf(tmp_path) -> None:
    printed = tmp_path / "a.pdf"
    assert run(["report", report.EDUCATION, "--quick", "-o", str(printed)]) == 0
    assert printed.read_bytes().startswith(b"%PDF")
    assert [path.name for path in tmp_path.iterdir()] == ["a.pdf"]


def test_who_reads_may_stop_reading(tmp_path) -> None:
    faults.test_who_reads_may_stop_reading(f"explain {faults.EDUCATION}", tmp_path)


def test_an_infeasible_survey_is_reported(client) -> None:  # noqa: F811
    page = client.get(f"/report.html?{server.NO_SURVEY}").text
    assert "visits (the mean of values" in page


def test_a_free_delta_is_the_best_of_a_grid(section_8_2) -> None:
    delta.test_a_free_delta_is_the_best_of_a_grid(section_8_2, "participants")


def test_more_of_a_survey(client) -> None:  # noqa: F811
    html = client.get(f"/more?{server.SURVEY}").json()["html"]
    assert "published answers together" in html
    assert "several questions, each with its own noise: exact" in html
    assert "a proportion, " not in html


def test_the_four_scenarios_compared(capsys) -> None:
    assert run(["compare"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.count("the study that is not private is cheaper") >= 1
    for title in ("Smokers", "Education", "Movie ratings", "Social network"):
        assert title in shown
