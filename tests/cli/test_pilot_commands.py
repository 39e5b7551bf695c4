"""`planner costs`."""

import json
import tomllib

import numpy as np
import pytest

from planner.cli import run
from tests.pilot.pilots import LEVELS, base_costs


@pytest.fixture
def answers(tmp_path, monkeypatch):
    """Answers of 200 invented people to offers at ε = ln 2."""
    monkeypatch.chdir(tmp_path)
    offers = np.random.default_rng(1).choice(LEVELS, 200)
    rows = [
        f"p{i},{offer},{'yes' if cost <= offer else 'no'},0.6931471805599453,x"
        for i, (offer, cost) in enumerate(zip(offers, base_costs(1, 200), strict=True))
    ]
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(["person,offer,accepts,epsilon,age", *rows]) + "\n", "utf-8")
    return path


def test_costs_are_printed_and_written(answers, tmp_path, capsys) -> None:
    command = ["costs", "answers.csv", "-o", "costs.toml", "--plot", "costs.svg"]
    assert run([*command, "--currency", "EUR"]) == 0
    shown = capsys.readouterr().out
    assert "What 200 people ask to be paid" in shown
    assert "with 95 % confidence" in shown
    keys = tomllib.loads((tmp_path / "costs.toml").read_text("utf-8"))
    assert keys["low"] < keys["median"] < keys["high"]
    assert "with 95 % intervals" in (tmp_path / "costs.svg").read_text("utf-8")


def test_costs_as_json(answers, capsys) -> None:
    assert run(["costs", "answers.csv", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["people"] == 200
    assert data["low"] < data["median"] < data["high"]


def test_inputs_and_files_are_kept(answers, tmp_path, capsys) -> None:
    (tmp_path / "costs.toml").write_text("x", "utf-8")
    assert run(["costs", "answers.csv", "-o", "costs.toml"]) == 64
    assert "exists" in capsys.readouterr().err
    assert run(["costs", "answers.csv", "-o", "costs.json"]) == 64
    assert "end the name in .toml" in capsys.readouterr().err
    assert run(["costs", "none.csv"]) == 64
    assert "none.csv" in capsys.readouterr().err
