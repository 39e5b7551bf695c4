"""Tables out: strata, questions and comparisons as rows of values, in CSV and in Python."""

import csv
from pathlib import Path

import pytest

import planner
from planner.cli import run

STRATA = """
[target]
error = 0.1
failure = 0.1
[conditions]
epsilon_at_most = 1
[[stratum]]
name = "=North"
people = 3000
[[stratum]]
name = "South"
people = 9000
"""
SURVEY = """
title = "Two questions"
[target]
failure = 0.1
[conditions]
epsilon_at_most = 1
[[question]]
kind = "share"
name = "smokes"
error = 0.1
[[question]]
kind = "mean"
name = "rent"
low = 0
high = 60
error = 9
"""
SINGLE = "[target]\nerror = 0.1\nfailure = 0.1\n[conditions]\nepsilon_at_most = 1\n"


def table(tmp_path: Path, text: str, *command: str) -> list[dict[str, str]]:
    study, output = tmp_path / "study.toml", tmp_path / "table.csv"
    study.write_text(text, "utf-8")
    assert run([command[0], str(study), "-o", str(output), "--force", *command[1:]]) in (0, 1)
    with output.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


OF_BOTH = """
[target]
failure = 0.1
[conditions]
epsilon_at_most = 1
[[question]]
kind = "share"
name = "smokes"
error = 0.2
[[stratum]]
name = "North"
share = 0.5
[[stratum]]
name = "South"
share = 0.5
"""


@pytest.mark.slow
def test_a_survey_of_strata_has_a_table_too(tmp_path) -> None:
    rows = table(tmp_path, OF_BOTH, "solve")
    assert [row["name"] for row in rows] == ["North", "South", "all people"]
    assert rows[2]["error"] == ""  # each question has its own


@pytest.mark.slow
def test_a_plan_has_a_row_for_each_stratum_or_question(tmp_path) -> None:
    rows = table(tmp_path, STRATA, "solve")
    plan = planner.solve(planner.read_study(tmp_path / "study.toml"))
    *rows, of_all = rows
    assert [row["name"] for row in rows] == ["'=North", "South"]  # no formula for a spreadsheet
    assert (of_all["name"], float(of_all["error"])) == ("all people", 0.1)
    assert sum(int(row["participants"]) for row in rows) == plan.participants
    assert [float(row["epsilon"]) for row in rows] == [one.epsilon for one in plan.strata]
    rows = table(tmp_path, SURVEY, "solve")
    plan = planner.solve(planner.read_study(tmp_path / "study.toml"))
    assert [(row["name"], float(row["error"])) for row in rows] == [("smokes", 0.1), ("rent", 9.0)]
    assert sum(float(row["epsilon"]) for row in rows) == pytest.approx(plan.epsilon)


@pytest.mark.slow
def test_one_question_and_no_plan_are_a_row(tmp_path) -> None:
    (row,) = table(tmp_path, SINGLE, "solve")
    assert (row["verdict"], row["cost"]) == ("feasible", "0.0")
    (row,) = table(tmp_path, SINGLE, "solve", "--set", "max_participants=3")
    assert row == {"name": "", "verdict": "infeasible"}


@pytest.mark.slow
def test_a_comparison_has_a_row_for_each_study_or_allocation(tmp_path) -> None:
    rows = table(tmp_path, SINGLE, "compare")
    assert [row["study"] for row in rows][::2] == ["private with a curator", "not private"]
    rows = table(tmp_path, STRATA, "compare")
    assert {row["allocation"] for row in rows} == {"optimal", "in proportion to size", "equal"}
    assert [row["stratum"] for row in rows[:2]] == ["'=North", "South"]


def test_another_kind_of_file_is_refused(tmp_path, capsys) -> None:
    study = tmp_path / "study.toml"
    study.write_text(SINGLE, "utf-8")
    assert run(["compare", str(study), "-o", str(tmp_path / "x.json")]) == 64
    assert "end the name in .csv" in capsys.readouterr().err


@pytest.mark.slow
def test_questions_and_strata_print_as_tables_in_python(tmp_path) -> None:
    for text, name in ((SURVEY, "questions"), (STRATA, "strata")):
        path = tmp_path / "study.toml"
        path.write_text(text, "utf-8")
        parts = getattr(planner.solve(planner.read_study(path)), name)
        head, *lines = repr(parts).splitlines()
        assert "participants" in head or "error" in head
        assert len(lines) == len(parts) == len(parts.to_frame()) == 2
        assert len({len(line) for line in (head, *lines)}) == 1
        assert parts == tuple(parts)
    single = planner.solve(planner.Study(target=planner.Accuracy(0.1, 0.1)), prove=False)
    assert repr(single.questions) == "()"
