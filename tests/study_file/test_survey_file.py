"""Study files with [[question]] sections."""

import json
from pathlib import Path

import pytest

import planner
from planner.cli import run

QUESTIONS = (
    planner.Share("smokes", error=0.06, times=3),
    planner.Histogram("age group", groups=4, error=0.06),
)

FILE = """
title = "Survey"
[target]
failure = 0.1
[[question]]
kind = "share"
name = "smokes"
error = 0.06
times = 3
[[question]]
kind = "histogram"
name = "age group"
groups = 4
error = 0.06
[mechanism]
kind = "added-noise"
noise = "laplace"
analysis = "hoeffding"
[individual]
base_cost = 1.0
[conditions]
budget = 9000.0
[costs]
per_person = 2.0
"""


def written(tmp_path: Path, text: str = FILE) -> str:
    path = tmp_path / "survey.toml"
    path.write_text(text, "utf-8")
    return str(path)


def test_a_study_file_of_a_survey(tmp_path, capsys) -> None:
    study = planner.read_study(written(tmp_path))
    assert study.survey == planner.Survey(QUESTIONS, failure=0.1)
    assert run(["solve", written(tmp_path), "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)["plan"]
    assert [question["name"] for question in plan["questions"]] == ["smokes", "age group"]
    assert run(["limit", written(tmp_path), "age group.error"]) == 0
    assert "down to a margin of error of 'age group'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("groups = 4", "groups = 1", "question.groups (table 2) = 1 is not allowed"),
        ("groups = 4", "group = 4", "unknown key question.group (table 2); did you mean groups?"),
        ('kind = "share"', 'kind = "shares"', "question (table 1).kind = 'shares' is unknown"),
        ("error = 0.06\ntimes", "times", "question.error (table 1) is missing"),
        ('name = "age group"', 'name = "smokes"', "two questions are named 'smokes'"),
        ("failure = 0.1\n", "", "'smokes' has no failure"),
        ("times = 3", "failure = 0.01", "failure is given for all questions together"),
        ("[target]\n", '[target]\nkind = "accuracy"\n', "is for one question"),
        ('noise = "laplace"', 'noise = "pink"', "mechanism.noise = 'pink' is not allowed"),
        ('kind = "added-noise"\nnoise = "laplace"', 'kind = "laplace-mean"', "answered by added-"),
        ("times = 3", "low = 3", "unknown key question.low (table 1)"),
        (
            "[target]",
            '[[records.question]]\nmissing = "own"\n[target]',
            "write it in the section [[q",
        ),
        ("[target]", "[[records.question]]\nlabl = 1\n[target]", "(table 1); did you mean labels?"),
    ],
)
def test_refusals_of_files(old: str, new: str, words: str, tmp_path, capsys) -> None:
    assert old in FILE
    assert run(["solve", written(tmp_path, FILE.replace(old, new, 1))]) == 64
    said = capsys.readouterr().err
    assert words in said
    assert len(said) < 300
