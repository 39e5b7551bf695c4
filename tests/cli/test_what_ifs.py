"""`--set`: other values for the keys of a study file, alone or side by side."""

import json
from pathlib import Path

import pytest

import planner
from planner.cli import run
from planner.study_file.keys import changed, setting, value_in
from planner.study_file.tables import tables_of

CLINIC = """
title = "Clinic"
currency = "EUR"
[target]
error = 0.05
failure = 0.05
[mechanism]
kind = "laplace-mean"
analysis = "hoeffding"
[individual]
base_cost = 12.5
worst_cost = 1274.0
[conditions]
budget = 30000.0
[costs]
per_person = 5.0
"""
SURVEY = """
[target]
failure = 0.05
[[question]]
name = "smokes"
kind = "share"
error = 0.05
[[question]]
name = "age"
kind = "histogram"
groups = 4
error = 0.05
[individual]
base_cost = 12.5
"""


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    path = tmp_path / "clinic.toml"
    path.write_text(CLINIC, "utf-8")
    return path


def edited(path: Path, old: str, new: str) -> planner.Study:
    other = path.with_name("other.toml")
    text = path.read_text("utf-8")
    assert old in text
    other.write_text(text.replace(old, new), "utf-8")
    return planner.read_study(other)


def test_another_value_is_as_if_the_file_had_it(clinic, capsys) -> None:
    options = ["--set", "budget=13000", "--set", "target.error=0.06", "--json"]
    assert run(["solve", str(clinic), *options]) == 0
    plan = json.loads(capsys.readouterr().out)
    other = edited(clinic, "error = 0.05\nfailure = 0.05", "failure = 0.05\nerror = 0.06")
    assert plan["plan"]["epsilon"] == planner.solve(other).epsilon
    assert plan["study"]["conditions"] == {"budget": 13000.0}


@pytest.mark.parametrize(
    ("given", "old", "new"),
    [
        ("confidence=0.9", "failure = 0.05", "confidence = 0.9"),
        ("confidence=90 %", "failure = 0.05", "confidence = 0.9"),
        ("error=2 points", "error = 0.05", "error = 0.02"),
        ("analysis=exact", '"hoeffding"', '"exact"'),
        ("mean_range=[0.1, 0.2]", '"hoeffding"', '"hoeffding"\nmean_range = [0.1, 0.2]'),
        ("scenario=smoking", "base_cost = 12.5\nworst_cost = 1274.0", 'scenario = "smoking"'),
        ("capped=true", "worst_cost = 1274.0", "worst_cost = 1274.0\ncapped = true"),
    ],
)
def test_any_key_can_be_set(clinic, given, old, new) -> None:
    key, (value,) = setting(given)
    if key == "scenario":
        clinic.write_text(clinic.read_text().replace("EUR", "USD"))
    assert planner.read_study(clinic, {key: value}) == edited(clinic, old, new)


def test_a_question_is_named(tmp_path) -> None:
    path = tmp_path / "survey.toml"
    path.write_text(SURVEY, "utf-8")
    study = planner.read_study(path, {"age.error": 0.1, "smokes.error": 0.02})
    assert [question.error for question in study.survey.questions] == [0.02, 0.1]


def test_the_confidence_of_a_file_is_known_by_its_failure(clinic) -> None:
    tables = tables_of(planner.read_study(clinic))
    assert tables["target"]["failure"] == 0.05
    assert value_in(tables, "confidence") == 0.95


@pytest.mark.slow
def test_several_values_stand_side_by_side(clinic, capsys) -> None:
    assert (
        run(["solve", str(clinic), "--set", "budget=11000,13000", "--set", "error=.05,0.04"]) == 1
    )
    shown = capsys.readouterr().out
    assert "as given" in shown
    assert "11,000 *" in shown
    assert "0.04 *" in shown
    feasible = planner.solve(planner.read_study(clinic, {"budget": 13000}))
    assert f"{feasible.participants:,}" in shown  # as in the study as given: no mark
    assert "budget = 11,000, error = 0.04: Infeasible" in shown
    assert run(["solve", str(clinic), "--set", "budget=11000,13000", "--json"]) == 1
    given, low, high = json.loads(capsys.readouterr().out)
    assert (given["set"], low["set"], high["set"]) == ({}, {"budget": 11000}, {"budget": 13000})
    verdicts = [answer["verdict"] for answer in (given, low, high)]
    assert verdicts == ["feasible", "infeasible", "feasible"]


def test_who_is_to_be_invited_is_told_where_some_do_not_come(clinic, capsys) -> None:
    assert run(["solve", str(clinic), "--set", "response_rate=100 %,50 %"]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "invited" in line]
    assert row.split()[:3] == ["invited", "-", "-"]
    assert int(row.split()[3].replace(",", "")) > 1000


def test_the_value_of_the_study_stands_in_its_own_column_alone(clinic, capsys) -> None:
    assert run(["solve", str(clinic), "--set", "error=0.04,0.05,0.06"]) == 0
    errors = next(line for line in capsys.readouterr().out.splitlines() if " error " in line)
    assert errors.split() == ["error", "0.05", "0.04", "*", "0.06", "*"]


def test_the_error_of_a_stratum_can_be_set(tmp_path, capsys) -> None:
    path = tmp_path / "strata.toml"
    path.write_text(
        "target = { failure = 0.05 }\ncosts = { per_person = 1 }\n"
        'mechanism = { kind = "laplace-mean", analysis = "hoeffding" }\n'
        "individual = { base_cost = 1 }\n"
        'stratum = [{ name = "A B", people = 900, error = 0.3 }, '
        '{ name = "IT", people = 400, error = 0.2 }]\n',
        "utf-8",
    )
    assert run(["solve", str(path), "--set", "A B.error=0.15"]) == 0
    shown = capsys.readouterr().out
    assert "± 15" in shown
    assert "± 20" in shown
    assert "± 30" not in shown
    assert run(["solve", str(path), "--set", "C.error=0.15"]) == 64
    assert "unknown key C.error" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["solve", "--set", "bugdet=1"], "unknown key bugdet; did you mean budget?"),
        (
            ["solve", "--set", "universe_size=1"],
            "did you mean conditions.universe_size or mechanism.universe_size?",
        ),
        (["solve", "--set", "budget"], "not KEY=VALUE"),
        (["solve", "--set", "budget=-1"], "conditions.budget = -1"),
        (["solve", "--set", "budget=20,000"], "a comma separates values; give budget=20000"),
        (["solve", "--set", "error=0,04"], "'error=0,04': write a decimal point, no thousands"),
        (["solve", "--set", "error=400 %"], "target.error = 4.0 is not allowed"),
        (["solve", "--set", "budget=1", "--set", "budget=2"], "given twice"),
        (["solve", "--set", f"budget={','.join(map(str, range(1, 30)))}"], "at most 20"),
        (["solve", "--set", "budget=1,2", "--room"], "takes one study file"),
        (["limit", "--set", "budget=1,2"], "one value for each key"),
        (["solve", "--set", f"{'a.' * 4000}a=1"], "unknown key"),
        (["solve", "--set", f"budget={'[' * 4000}"], "conditions.budget"),
    ],
)
def test_what_cannot_be_set_is_refused_in_a_sentence(clinic, capsys, command, words) -> None:
    assert run([command[0], str(clinic), *command[1:]]) == 64
    error = capsys.readouterr().err
    assert words in error
    assert len(error) < 300


@pytest.mark.slow
@pytest.mark.parametrize("command", ["limit", "prices", "compare", "explain", "simulate", "plot"])
def test_every_command_takes_another_value(clinic, capsys, command, tmp_path) -> None:
    rest = {"limit": ["error"], "simulate": ["--runs", "10"], "plot": ["-o", f"{tmp_path}/p.svg"]}
    assert run([command, str(clinic), *rest.get(command, []), "--set", "error=0.1"]) == 0
    assert run([command, str(clinic), *rest.get(command, []), "--set", "error=2"]) == 64


def test_tables_are_not_changed() -> None:
    data = {"target": {"error": 0.1}}
    assert changed(data, {"error": 0.2}, "file") == {"target": {"error": 0.2}}
    assert data == {"target": {"error": 0.1}}


def test_two_values_that_look_like_one_are_named(clinic, capsys) -> None:
    assert run(["solve", str(clinic), "--set", "budget=20,500"]) == 1
    assert "--set budget=20,500 gives several values" in capsys.readouterr().err
    assert run(["solve", str(clinic), "--set", "error=0,5"]) == 64
    assert "gives several values; for one number write a decimal" in capsys.readouterr().err


def test_a_number_of_people_may_be_written_with_an_exponent(clinic, capsys) -> None:
    assert run(["solve", str(clinic), "--set", "max_participants=1e7"]) == 0
    assert "9,998,492 of 10,000,000 participants" in capsys.readouterr().out
