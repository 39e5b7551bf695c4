"""Strata in study files: sections [[stratum]], or a table named in [strata]."""

import tomllib

import pytest

import planner
from planner.cli import run
from planner.study_file.writer import as_toml

HEAD = """
title = "Districts"
[target]
failure = 0.05
[mechanism]
kind = "laplace-mean"
analysis = "hoeffding"
[individual]
base_cost = 12.5
[costs]
per_person = 5
"""
SECTIONS = """
[[stratum]]
name = "North"
people = 12_000
error = 0.1
[[stratum]]
name = "South"
people = 5_000
error = 0.15
per_person = 20
"""
TABLE = "name;people;error;mayor;per_person\nNorth;12000;0.1;Ann;\nSouth;5000;0.15;Bo;20\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(HEAD + SECTIONS, "utf-8")
    return path


def test_sections_and_a_table_are_the_same_strata(file, tmp_path) -> None:
    study = planner.read_study(file)
    assert [stratum.name for stratum in study.strata] == ["North", "South"]
    assert study.strata[1].per_person == 20
    (tmp_path / "districts.csv").write_text(TABLE, "utf-8")
    file.write_text(HEAD + '[strata]\nfile = "districts.csv"\n', "utf-8")
    assert planner.read_study(file) == study


def test_a_study_with_strata_is_written_as_it_was_read(file, tmp_path) -> None:
    study = planner.read_study(file)
    again = tmp_path / "again.toml"
    again.write_text(as_toml(study.to_dict()), "utf-8")
    assert tomllib.loads(again.read_text("utf-8"))["stratum"][0]["people"] == 12_000
    assert planner.read_study(again) == study


def test_a_factor_widens_the_errors_of_all_strata(file) -> None:
    as_written = planner.read_study(file)
    file.write_text((HEAD + SECTIONS).replace("[target]", "[target]\ntimes_error = 1.5"), "utf-8")
    for before, after in zip(as_written.strata, planner.read_study(file).strata, strict=True):
        assert after.error == pytest.approx(1.5 * before.error)
    file.write_text("[target]\nerror = 0.1\nfailure = 0.05\ntimes_error = 2\n", "utf-8")
    with pytest.raises(ValueError, match="times_error is for the errors of questions or strata"):
        planner.read_study(file)


def test_a_wrong_stratum_is_one_sentence(file) -> None:
    for old, new, words in [
        ("people = 5_000", "people = 0", r"stratum.people \(table 2\) = 0 is not allowed"),
        ("people = 5_000", "poeple = 50", r"unknown key stratum.poeple \(table 2\); did you mean"),
        ("people = 5_000", "population = 50", "stratum.population .*did you mean people"),
        ('name = "South"', 'name = "North"', "two strata are named 'North'"),
        ("people = 5_000", "share = 0.3", "give all the one or all the other"),
        ("error = 0.15", "times_error = 2", "stratum 'South': its error is missing"),
        ("[[stratum]]", "[strata]\nfile = 'x.csv'\n[[stratum]]", "not both"),
        ("failure = 0.05", "failure = 0.05\nerror = 2", "target.error = 2"),
    ]:
        text = (HEAD + SECTIONS).replace(old, new, 1)
        file.write_text(text, "utf-8")
        with pytest.raises(ValueError, match=words) as error:
            planner.read_study(file)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (None, "no such file"),
        ("", "not a table"),
        ("name\n", "no rows"),
        ("name;people\nA;1,000\n", "people = '1,000' is not a number"),
        ("name,peple\nNorth,3\n", "unknown column peple; did you mean people"),
        ("people\n3\n", "column name is missing"),
        ("name,name\nA,B\n", "column name is given twice"),
        ("name,people\nA\n", "line 2: 1 cells under 2 columns"),
        ("name,people\nA,many\n", "line 2: people = 'many' is not a number"),
        ("name,people,error\nA,3,0.1\n", "one stratum is everybody"),
    ],
)
def test_a_wrong_table_is_one_sentence(file, tmp_path, table: str | None, words: str) -> None:
    if table is not None:
        (tmp_path / "districts.csv").write_text(table, "utf-8")
    file.write_text(HEAD + '[strata]\nfile = "districts.csv"\n', "utf-8")
    with pytest.raises(ValueError, match=words) as error:
        planner.read_study(file)
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_the_program_plans_strata_and_one_of_them(file, capsys) -> None:
    assert run(["solve", str(file)]) == 0
    assert "in 2 strata" in capsys.readouterr().out
    assert run(["solve", str(file), "--set", "stratum=South"]) == 0
    assert "South: feasible" in capsys.readouterr().out
    assert run(["solve", str(file), "--set", "budget=900"]) == 1
    assert "However the probability of a larger error is divided" in capsys.readouterr().out
    rows = file.with_suffix(".csv")
    rows.write_text("budget\n900\n9000\n", "utf-8")
    assert run(["solve", str(file), "--table", str(rows)]) == 1
    assert "feasible" in capsys.readouterr().out
    picture = file.with_suffix(".svg")
    assert run(["plot", str(file), "-o", str(picture), "--set", "stratum=South"]) == 0
    assert picture.exists()
    assert run(["explain", str(file)]) == 64
    assert "--set stratum=North" in capsys.readouterr().err
    assert run(["explain", str(file), "--set", "stratum=West"]) == 64
    assert "no stratum is named 'West'" in capsys.readouterr().err
