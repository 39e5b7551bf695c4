"""What has gone is refused by name, with what to write instead; earlier plan files are read."""

import json
import sqlite3
import tomllib
from pathlib import Path

import pytest

import planner
from planner import gone
from planner.cli import run
from planner.explorer.state import StateError, state_of
from planner.study_file import answer_file, reader

STUDY = """
[target]
error = 0.1
failure = 0.05
[mechanism]
kind = "laplace-mean"
[individual]
base_cost = 12.5
[conditions]
budget = 1e6
"""
SURVEY = """
[target]
failure = 0.1
[[question]]
kind = "share"
name = "smokes"
error = 0.2
[mechanism]
kind = "added-noise"
noise = "laplace"
[individual]
base_cost = 12.5
[conditions]
max_participants = 3000
"""


def with_key(place: str) -> dict:
    """A study file's tables with a key of the table, at the value that it names or at any."""
    tables = tomllib.loads(STUDY)
    name, _, value = place.partition(" = ")
    section, _, key = name.partition(".")
    if not key:
        tables[section] = [tables[section], tables[section]]
    elif section == "question":
        tables[section] = [{"name": "a", "error": 0.2, key: value}]
    else:
        tables.setdefault(section, {})[key] = value or 2
    return tables


def test_every_key_of_a_study_file() -> None:
    for place in gone.KEYS:
        with pytest.raises(reader.StudyFileError) as error:
            reader.study_of(with_key(place), "study.toml")
        said = str(error.value)
        assert said.startswith("study.toml: ")
        assert place.partition(" = ")[0] in said
        assert said.endswith(gone.KEYS[place])
        assert "\n" not in said


@pytest.mark.parametrize("place", [key for key in gone.KEYS if "." in key and " = " not in key])
def test_every_key_that_is_set(place: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, "utf-8")
    for name in (place, place.rpartition(".")[2]):
        assert run(["solve", str(path), "--set", f"{name}=2"]) == 64
        assert gone.KEYS[place][:60] in " ".join(capsys.readouterr().err.split())


def test_every_key_of_an_address() -> None:
    for place in gone.ADDRESSES:
        key, _, value = place.partition(" = ")
        address = f"{key}={value or 1}&error=0.1&failure=0.05&base_cost=1".replace(" ", "+")
        with pytest.raises(StateError) as error:
            state_of(address)
        assert (str(error.value), error.value.key) == (f"{place}: {gone.ADDRESSES[place]}", key)


@pytest.mark.parametrize("place", gone.OPTIONS)
@pytest.mark.parametrize("joined", [False, True])
def test_every_option(place: str, joined: bool, capsys) -> None:
    command, option, *value = place.split()
    words = (
        [f"{option}={value[0]}"] if joined and value and value[0][0] != "-" else [option, *value]
    )
    assert run([command, "study.toml", *words]) == 64
    assert " ".join(capsys.readouterr().err.split()) == (
        f"planner: {option}: {gone.OPTIONS[place]}."
    )


def sealed(data: dict, path: Path) -> Path:
    path.write_text(json.dumps(answer_file.sealed(data)), "utf-8")
    return path


def plan_of(text: str, tmp_path: Path) -> tuple[planner.answer.Answer, dict]:
    answer = planner.solve(reader.study_of(tomllib.loads(text), "study.toml"))
    answer.save(tmp_path / "plan.json")
    data = json.loads((tmp_path / "plan.json").read_text("utf-8"))
    del data["digest"]
    return answer, data


@pytest.mark.slow
@pytest.mark.parametrize("key", gone.PLANS)
def test_every_kind_of_plan(key: str, tmp_path: Path) -> None:
    _, data = plan_of(STUDY, tmp_path)
    data["plan"][key] = "sum"
    with pytest.raises(ValueError, match=f"plan.{key}: the plan is of a kind that has gone"):
        planner.read_answer(sealed(data, tmp_path / "plan.json"))


@pytest.mark.slow
def test_a_plan_of_version_0_2_is_read(tmp_path: Path) -> None:
    """It says of every question and of the study what has no other value now."""
    answer, data = plan_of(SURVEY, tmp_path)
    data["study"]["mechanism"]["composition"] = "basic"
    for one in data["plan"]["questions"]:
        one |= {"participants": None, "truth": None, "other": None}
    path = sealed(data, tmp_path / "plan.json")
    assert planner.read_answer(path) == answer
    assert run(["check", str(path)]) == 0
    data["study"]["mechanism"]["composition"] = "optimal"
    with pytest.raises(ValueError, match="the choice of a composition has gone"):
        planner.read_answer(sealed(data, tmp_path / "plan.json"))


def test_a_ledger_of_the_first_version_is_left_as_it_is(tmp_path: Path, capsys) -> None:
    path = tmp_path / "ledger.sqlite"
    with sqlite3.connect(path) as book:
        book.execute("CREATE TABLE publications (number INTEGER PRIMARY KEY, people TEXT)")
    before = path.read_bytes()
    assert run(["ledger", "--ledger", str(path)]) == 64
    assert "version 0.2" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("ending", [".nc", ".parquet"])
def test_files_of_sweeps_that_have_gone(ending: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, "utf-8")
    out = tmp_path / f"a{ending}"
    assert run(["sweep", str(path), "--vary", "budget=1e3,1e4", "-o", str(out)]) == 64
    assert "end the name in .zarr, .csv" in capsys.readouterr().err
    assert not out.exists()
