"""Plans as files: written, checked, and used in place of their studies."""

import json

import pytest

import planner
from planner.cli import run
from tests.cli.test_commands import EDUCATION, SMOKING
from tests.publication import plans


@pytest.fixture
def plan(tmp_path, capsys):
    path = tmp_path / "plan.json"
    assert run(["solve", EDUCATION, "-o", str(path)]) == 0
    capsys.readouterr()
    return path


def test_a_plan_is_confirmed(plan, capsys):
    assert run(["check", str(plan)]) == 0
    assert "confirmed" in capsys.readouterr().out
    assert run(["check", "--json", str(plan)]) == 0
    assert json.loads(capsys.readouterr().out)["holds"] is True


def test_a_changed_plan_is_not(plan, capsys):
    plan.write_text(plan.read_text().replace('"participants": 35509', '"participants": 35508'))
    assert run(["check", str(plan)]) == 1
    out = capsys.readouterr().out
    assert "is not met" in out
    assert "was changed" in out
    assert run(["explain", str(plan)]) == 64
    assert "was changed" in capsys.readouterr().err


def test_that_no_study_exists_is_confirmed(tmp_path, capsys):
    path = tmp_path / "none.json"
    assert run(["solve", SMOKING, "-o", str(path)]) == 1
    assert run(["check", str(path)]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", ["solve", "explain", "simulate", "compare", "limit", "prices"])
def test_commands_take_a_plan(command, plan, capsys):
    rest = {"limit": ["budget"], "simulate": ["--runs", "100"]}.get(command, [])
    assert run([command, str(plan), *rest]) == 0
    assert capsys.readouterr().out


@pytest.mark.slow
def test_pictures_and_reports_take_a_plan(plan, tmp_path, capsys):
    assert run(["plot", str(plan), "-o", str(tmp_path / "region.svg")]) == 0
    report = tmp_path / "report.html"
    annex = tmp_path / "annex.html"
    assert run(["report", "--quick", str(plan), "-o", str(report), "--annex", str(annex)]) == 0
    assert "[mechanism]" in annex.read_text("utf-8")


def test_where_a_plan_cannot_be_written(plan, tmp_path, capsys):
    refused = {
        ("solve", EDUCATION, SMOKING, "-o", str(tmp_path / "two.json")): "not 2",
        ("solve", "-o", str(tmp_path / "none.json")): "not 0",
        ("solve", EDUCATION, "-o", str(plan)): "exists",
        ("solve", EDUCATION, "-o", str(tmp_path / "plan.toml")): "end the name in .json",
        ("check", EDUCATION): f"is a study, not a plan; run planner solve {EDUCATION} -o plan.json",
        ("check", str(tmp_path / "nowhere.json")): "no such file",
    }
    for arguments, words in refused.items():
        assert run(list(arguments)) == 64
        assert words in capsys.readouterr().err


def test_the_schema_of_answers(capsys):
    assert run(["schema", "answer"]) == 0
    assert "AnswerFile" in json.loads(capsys.readouterr().out)["$defs"]


@pytest.mark.slow
def test_publishing_from_the_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    plan = tmp_path / "plan.json"
    plans.plan("survey").save(plan)
    records = plans.records(tmp_path, plans.plan("survey"))
    results = tmp_path / "results.json"
    assert run(["publish", str(plan), "--rehearse"]) == 0
    assert "rehearsed" in capsys.readouterr().out
    assert run(["publish", str(plan), str(records), "-o", str(results)]) == 0
    assert "cigarettes" in capsys.readouterr().out
    assert run(["publish", str(plan), str(records), "-o", str(results)]) == 64
    assert "--again" in capsys.readouterr().err
    assert run(["ledger"]) == 0
    assert "1 publication" in capsys.readouterr().out
    assert run(["ledger", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["entries"]) == 1
    assert run(["ledger", "--ledger", str(tmp_path / "none.sqlite")]) == 64
    assert "does not exist" in capsys.readouterr().err
    assert run(["publish", str(plan), str(records)]) == 64
    assert "results.json" in capsys.readouterr().err
    assert run(["publish", EDUCATION, "--rehearse"]) == 64
    assert "is a study, not a plan" in capsys.readouterr().err


@pytest.mark.slow
def test_papers_are_printed_and_written(tmp_path, capsys):
    plan = tmp_path / "plan.json"
    plans.plan("survey").save(plan)
    assert run(["consent", str(plan), "--contact", "Ann Lee"]) == 0
    assert "Ann Lee" in capsys.readouterr().out
    for name in ("consent.md", "consent.html", "methods.md"):
        path = tmp_path / name
        assert run([name.partition(".")[0], str(plan), "-o", str(path)]) == 0
        assert "# Test" in path.read_text("utf-8") or "<h1>Test" in path.read_text("utf-8")
    assert run(["consent", SMOKING]) == 64
    assert "no plan" in capsys.readouterr().err
    assert run(["methods", str(plan), "-o", str(tmp_path / "methods.txt")]) == 64


@pytest.mark.slow
@pytest.mark.parametrize(
    "option",
    [
        [],
        pytest.param(["--survey"], marks=pytest.mark.slow),
        ["--no-curator"],
        *(
            pytest.param(options, marks=pytest.mark.slow)
            for options in (["--test"], ["--compare"], ["--compare", "--test"])
        ),
    ],
)
def test_a_study_file_to_begin_with_can_be_planned(option, tmp_path, capsys):
    path = str(tmp_path / "study.toml")
    assert run(["init", path, *option]) == 0
    assert run(["solve", path, "-o", str(tmp_path / "plan.json")]) == 0
    assert "# " in (tmp_path / "study.toml").read_text("utf-8")
    assert run(["init", path, *option]) == 64
    assert "exists" in capsys.readouterr().err
    again = str(tmp_path / "again.toml")
    assert run(["init", again, "--from", str(tmp_path / "plan.json")]) == 0
    assert planner.read_study(again).conditions == planner.read_study(path).conditions
    assert run(["init", str(tmp_path / "x.toml"), "--survey", "--no-curator"]) == 64
