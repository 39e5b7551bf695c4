"""A report and an annex of every study that `planner init` writes, and of strata without money."""

from pathlib import Path

import pytest

import planner
from planner.cli import run

TEMPLATES = sorted((Path(planner.__file__).parent / "study_file" / "templates").glob("*.toml"))
UNPAID = """
[target]
failure = 0.05
[conditions]
epsilon_at_most = 1.0
[[stratum]]
name = "North"
people = 9000
error = 0.1
[[stratum]]
name = "South"
people = 900
error = 0.12
"""


@pytest.mark.slow
@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.stem)
def test_both_pages_are_written(file, tmp_path) -> None:
    report, annex = tmp_path / "report.html", tmp_path / "annex.html"
    assert run(["report", str(file), "-o", str(report), "--annex", str(annex), "--quick"]) == 0
    assert "How to run it" in annex.read_text("utf-8")
    assert "The answer" in report.read_text("utf-8")


@pytest.mark.slow
def test_no_money_is_named_where_nobody_is_paid(tmp_path, capsys) -> None:
    study, report, table = (tmp_path / name for name in ("s.toml", "report.html", "table.csv"))
    study.write_text(UNPAID, "utf-8")
    assert run(["report", str(study), "-o", str(report)]) == 0
    shown = report.read_text("utf-8")
    for words in ("0.00", "budget", "cost the same", "does not increase"):
        assert words not in shown, words
    assert "the private study takes" in shown.replace("The private", "the private")
    assert run(["compare", str(study)]) == 0
    assert "0.00" not in capsys.readouterr().out
    assert run(["solve", str(study), "-o", str(table)]) == 0
    lines = table.read_text("utf-8").splitlines()
    assert lines[0].endswith(",error")
    assert lines[3].startswith("all people,")
    assert [float(line.split(",")[-1]) for line in lines[1:3]] == [0.1, 0.12]


@pytest.mark.slow
def test_what_fewer_people_of_a_stratum_mean_is_said_as_advised(tmp_path, capsys) -> None:
    study, plan = tmp_path / "s.toml", tmp_path / "plan.json"
    study.write_text(UNPAID, "utf-8")
    assert run(["solve", str(study), "-o", str(plan)]) == 0
    assert run(["records", str(plan)]) == 0
    assert "planner records PLAN --set stratum=NAME" in " ".join(capsys.readouterr().out.split())
    assert run(["records", str(plan), "--set", "stratum=South"]) == 0
    assert "fewer)" in capsys.readouterr().out
    assert run(["records", str(plan), str(study), "--set", "stratum=South"]) == 64
    assert "leave RECORDS out" in capsys.readouterr().err
