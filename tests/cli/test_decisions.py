"""Commands for decisions: prices and sequences."""

import json
from pathlib import Path

import pytest

from planner import scenarios
from planner.cli import run

EDUCATION = str(scenarios.WORKED_STUDIES / "mean-education.toml")
SMOKING = str(scenarios.WORKED_STUDIES / "mean-smoking.toml")


def test_prices(capsys) -> None:
    assert run(["prices", EDUCATION]) == 0
    shown = capsys.readouterr().out
    assert "base cost" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert run(["prices", EDUCATION, "--json"]) == 0
    rows = {row["quantity"]: row for row in json.loads(capsys.readouterr().out)}
    # the signal 2·ln(20)/0.05 that the accuracy asks of ever more people
    assert abs(rows["base_cost"]["cost"] - 119.829290942159) < 1e-9
    assert rows["error"]["cost"] < 0
    assert run(["prices", SMOKING]) == 1
    assert "Only a feasible study" in capsys.readouterr().out


def test_sequence(capsys) -> None:
    assert run(["sequence", EDUCATION, EDUCATION]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "the same" in shown
    assert "together" in shown
    assert run(["sequence", EDUCATION, EDUCATION, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["steps"]) == 2
    assert found["steps"][1]["base_cost"] > found["steps"][0]["base_cost"]
    assert run(["sequence", SMOKING, SMOKING]) == 1
    assert "infeasible" in capsys.readouterr().out
    assert run(["sequence", EDUCATION]) == 64
    assert "two studies" in capsys.readouterr().err
    assert run(["sequence", EDUCATION, SMOKING]) == 64
    assert "same people" in capsys.readouterr().err


@pytest.fixture
def people(tmp_path):
    text = Path(EDUCATION).read_text("utf-8")
    assert 'scenario = "education"' in text
    path = tmp_path / "people.toml"
    costs = "base_costs = { log_normal = [1.5, 2.0] }\naccept = 0.9\nworst_cost = 1274.0"
    path.write_text(text.replace('scenario = "education"', costs), "utf-8")
    return str(path)


def test_who_refuses_is_told_wherever_a_plan_is(people, capsys) -> None:
    for arguments in (["explain", people], ["sequence", people, people]):
        assert run(arguments) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert "Payments are enough for a base cost of 3.6465 USD;" in told
        assert "Those who refuse may differ" in told
    assert run(["explain", people, "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert any(note.startswith("Payments are enough for") for note in notes)


def test_what_cannot_be_swept_says_why(people, tmp_path, capsys) -> None:
    out = str(tmp_path / "out.csv")
    assert run(["sweep", people, "--vary", "base_cost=1,2", "-o", out]) == 64
    assert "follows from base_costs, of people who differ" in capsys.readouterr().err


def test_no_limit_is_told_apart_from_no_value(tmp_path, capsys) -> None:
    path = tmp_path / "worst.toml"
    text = Path(EDUCATION).read_text("utf-8")
    path.write_text(text.replace('scenario = "education"', "base_cost = 1.0\nworst_cost = 2.0"))
    assert run(["limit", str(path), "worst_cost"]) == 0
    assert capsys.readouterr().out == "There is no limit to the worst cost.\n"
    assert run(["limit", str(path), "worst_cost", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["unlimited"]) == (None, True)
    assert run(["limit", str(path), "bas_cost"]) == 64
    assert "'bas_cost' is not known; did you mean base_cost?" in capsys.readouterr().err
    assert run(["limit", str(path), "margin"]) == 64
    assert "'margin' is not known; did you mean error?" in capsys.readouterr().err
    assert run(["limit", str(path), "individual.worst_cost"]) == 0
    assert capsys.readouterr().out == "There is no limit to the worst cost.\n"
    assert run(["limit", str(path), "target.wrst_cost"]) == 64


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--draws", "500"], "--draws needs one file"),
        (["--seed", "2"], "--seed needs one file"),
        (["--seed", "2", "--table", "sites.csv"], "--seed does not apply to --table"),
        (["--room", "--table", "sites.csv"], "--room does not apply to --table"),
    ],
)
def test_options_that_would_be_ignored_are_refused(options, words, capsys) -> None:
    assert run(["solve", EDUCATION, *options]) == 64
    assert words in capsys.readouterr().err


def test_room_without_a_file_is_refused(capsys) -> None:
    assert run(["solve", "--room"]) == 64
    assert "--room needs a study file" in capsys.readouterr().err


@pytest.mark.slow
def test_a_cap_is_called_one(tmp_path, capsys) -> None:
    path = tmp_path / "capped.toml"
    text = Path(EDUCATION).read_text("utf-8")
    caps = "[conditions]\nmax_participants = 60000\nepsilon_at_most = 1.0"
    path.write_text(text.replace("[conditions]", caps))
    assert run(["limit", str(path)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "the cap on participants can fall from 60,000 to" in told
    assert "the cap on ε can fall from 1 to" in told
