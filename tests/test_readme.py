"""The README's worked example, run as it stands."""

import re
from pathlib import Path

import pytest

import planner
from planner.cli import run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def block(language: str, number: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)[number]


def test_the_study_file_gives_the_answer_shown(tmp_path, capsys) -> None:
    path = tmp_path / "clinic.toml"
    path.write_text(block("toml"), "utf-8")
    assert run(["solve", str(path)]) == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    shown = block("console").splitlines()
    assert shown[0] == "$ planner solve clinic.toml"
    assert [line for line in lines if line] == [line for line in shown[1:] if line]


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_the_python_examples_run(example: str) -> None:
    exec(compile(example, "README.md", "exec"), {})


def test_the_study_file_of_a_survey_is_read(tmp_path) -> None:
    path = tmp_path / "survey.toml"
    path.write_text(block("toml", 2), "utf-8")
    names = [question.name for question in planner.read_study(path).survey.questions]
    assert names == ["yes/no questions", "age group", "doctor's visits"]


def test_the_study_file_of_a_count_is_feasible(tmp_path) -> None:
    money = block("toml").split("[individual]")[1].split("[conditions]")[0]
    text = f"{block('toml', 3)}\n[individual]{money}"
    path = tmp_path / "cases.toml"
    path.write_text(text, "utf-8")
    assert run(["solve", str(path)]) == 0


@pytest.mark.parametrize(
    ("number", "changed"), [(5, {"per_person = 5.0": "per_person = 0.5"}), (6, {})]
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
    path.write_text(block("toml").split("[individual]")[0] + block("toml", 7), "utf-8")
    assert run(["solve", str(path)]) == 2
    assert "feasible for some" in capsys.readouterr().out


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
