"""Commands for decisions: prices and sequences."""

import json

import scenarios
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
