"""`planner report` writes whole files, or none and a sentence."""

import stat

import pytest

from planner import scenarios
from planner.cli import run
from planner.reports import files as pdf

EDUCATION = str(scenarios.WORKED_STUDIES / "mean-education.toml")
SMOKING = str(scenarios.WORKED_STUDIES / "mean-smoking.toml")


def refused(capsys, *arguments: str) -> str:
    assert run(["report", EDUCATION, "--quick", *arguments]) == 64
    said = capsys.readouterr().err
    said = said[said.index("planner: ") :]  # after what it says while it works
    assert said.count("\n") == 1
    return said


@pytest.mark.slow
def test_a_report_of_two_files(tmp_path, capsys) -> None:
    file, annex = tmp_path / "two.html", tmp_path / "annex.html"
    command = ["report", SMOKING, EDUCATION, "-o", str(file), "--annex", str(annex), "--quick"]
    assert run([*command, "--date", "2026-01-02"]) == 0
    assert "infeasible, feasible" in capsys.readouterr().out
    html = file.read_text("utf-8")
    assert "Report of 2026-01-02" in html
    assert "scenario = &#34;education&#34;" in annex.read_text("utf-8")  # the study file itself
    assert {path.name for path in tmp_path.iterdir()} == {"two.html", "annex.html"}


def test_bad_targets(tmp_path, capsys) -> None:
    assert "folder" in refused(capsys, "-o", str(tmp_path / "no" / "a.html"))
    assert "end the name in .html, .pdf" in refused(capsys, "-o", str(tmp_path / "a.doc"))
    (tmp_path / "folder.html").mkdir()
    assert "cannot be written" in refused(capsys, "-o", str(tmp_path / "folder.html"))
    good = str(tmp_path / "a.html")
    assert "end the name in .pdf" in refused(capsys, "-o", good, "--pdf", str(tmp_path / "b.html"))
    assert not (tmp_path / "a.html").exists()
    said = refused(capsys, "--annex", "-o", good)  # as if it took no name
    assert "give --annex annex.html" in said


def test_without_chromium_a_sentence(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = refused(capsys, "-o", str(tmp_path / "a.pdf"))
    assert "not on the PATH; install one" in said
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def fake_chromium(tmp_path, monkeypatch):
    def make(script: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir()
        program = folder / "chromium"
        program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setattr(pdf, "browser", lambda: str(program))

    return make


@pytest.mark.slow
def test_a_pdf_beside_the_page(tmp_path, fake_chromium) -> None:
    fake_chromium(
        'for a in "$@"; do case "$a" in --print-to-pdf=*) '
        'echo "%PDF-1.4 $@ %%EOF" > "${a#*=}";; esac; done'
    )
    out, printed = tmp_path / "a.html", tmp_path / "a.pdf"
    assert run(["report", EDUCATION, "--quick", "-o", str(out), "--pdf", str(printed)]) == 0
    asked = printed.read_text("utf-8")
    for option in ("--headless", "--no-pdf-header-footer", "report.html"):
        assert option in asked
    assert {path.name for path in tmp_path.iterdir()} == {"a.html", "a.pdf", "bin"}


@pytest.mark.slow
def test_a_chromium_that_fails_leaves_nothing(tmp_path, fake_chromium, capsys) -> None:
    fake_chromium("exit 3")
    assert "could not print the PDF (status 3)" in refused(capsys, "-o", str(tmp_path / "a.pdf"))
    assert {path.name for path in tmp_path.iterdir()} == {"bin"}
