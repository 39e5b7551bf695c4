"""The README's worked example, run as it stands."""

import json
import re
from pathlib import Path

import pytest

import planner
from planner.cli import run
from planner.publication.invented import write_records
from planner.publication.items import items

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def block(language: str, number: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)[number]


@pytest.mark.parametrize(("number", "printed"), [(0, 0), (3, 1)])
def test_the_study_file_gives_the_answer_shown(number, printed, tmp_path, capsys) -> None:
    shown = block("console", printed).splitlines()
    start, name = shown[0].rsplit(" ", 1)
    assert start == "$ planner solve"
    path = tmp_path / name
    path.write_text(block("toml", number), "utf-8")
    assert run(["solve", str(path)]) == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if line] == [line for line in shown[1:] if line]


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_the_python_examples_run(example: str) -> None:
    exec(compile(example, "README.md", "exec"), {})


def test_the_study_file_of_a_survey_is_read(tmp_path) -> None:
    path = tmp_path / "survey.toml"
    path.write_text(block("toml", 2), "utf-8")
    names = [question.name for question in planner.read_study(path).survey.questions]
    assert names == ["yes/no questions", "age group", "doctor's visits"]


def test_the_price_of_trust_is_the_one_told(tmp_path, capsys) -> None:
    path = tmp_path / "without-a-curator.toml"
    path.write_text(block("toml", 3), "utf-8")
    assert run(["compare", str(path)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for number in ("19.3 times", "6.79 %"):
        assert number in shown
        assert number in README


def test_the_sample_is_planned(tmp_path, capsys) -> None:
    path = tmp_path / "sample.toml"
    path.write_text(f"{block('toml')}\n{block('toml', 4)}", "utf-8")
    assert run(["solve", str(path)]) == 0
    assert "N/1.3 independent people" in " ".join(capsys.readouterr().out.split())


def test_the_study_file_of_a_count_is_feasible(tmp_path) -> None:
    money = block("toml").split("[individual]")[1].split("[conditions]")[0]
    text = f"{block('toml', 5)}\n[individual]{money}"
    path = tmp_path / "cases.toml"
    path.write_text(text, "utf-8")
    assert run(["solve", str(path)]) == 0


@pytest.mark.parametrize(
    ("number", "changed"), [(7, {"per_person = 5.0": "per_person = 0.5"}), (8, {})]
)
def test_other_people_in_the_study_file(number: int, changed: dict[str, str], tmp_path) -> None:
    start, rest = block("toml").split("[individual]")
    text = f"{start}{block('toml', number)}[conditions]{rest.split('[conditions]')[1]}"
    for old, new in changed.items():
        text = text.replace(old, new)
    path = tmp_path / "people.toml"
    path.write_text(text, "utf-8")
    assert run(["solve", str(path)]) == 0


def test_the_uncertain_study_file(tmp_path, capsys) -> None:
    path = tmp_path / "uncertain.toml"
    path.write_text(block("toml").split("[individual]")[0] + block("toml", 9), "utf-8")
    assert run(["solve", str(path)]) == 2
    assert "feasible for some" in capsys.readouterr().out


def test_a_survey_is_published_by_the_commands_shown(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    commands = [line.split()[1:] for line in block("sh", 2).splitlines()]
    assert 5 <= len(commands) <= 10
    for command in commands:
        if "records.csv" in command:
            plan = planner.read_answer("plan.json")
            write_records(Path("records.csv"), items(plan), plan.participants, 0.3)
        assert run(command) == 0
    results = json.loads(Path("results.json").read_text("utf-8"))
    assert results["answers"][0]["name"] == "smokes"


def test_the_commands_are_those_of_ci() -> None:
    install, tests = block("sh", 1).strip().split(" && ", 1)[1].rsplit(" && ", 1)
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert install in script
    assert tests in script


def test_the_audit_counts_as_said(audit_rows) -> None:
    statuses = [row.status for row in audit_rows.values()]
    assert f"{statuses.count('wrong')} of {len(statuses)} are wrong" in README


def test_every_file_of_the_map_exists() -> None:
    table = README.split("## Where things are")[1]
    for cell in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE):
        folder = ""
        for name in re.findall(r"`(.*?)`", cell):
            path = name if "/" in name else f"{folder}{name}"
            folder = path.rpartition("/")[0] + "/"
            assert (ROOT / path).exists(), path
