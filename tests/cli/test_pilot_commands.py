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


@pytest.mark.slow
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


STUDY = """
title = "Town"
currency = "EUR"
[target]
error = 0.1
failure = 0.05
[mechanism]
kind = "laplace-mean"
analysis = "hoeffding"
[individual]
base_costs = { pilot = "costs.toml" }
accept = 0.5
[conditions]
budget = 100000.0
[costs]
per_person = 5.0
per_invitation = 2.0
smallest_coin = 0.05
"""


@pytest.fixture
def study(answers, tmp_path, capsys):
    """A study that names the costs of the pilot."""
    assert run(["costs", "answers.csv", "-o", "costs.toml", "--currency", "EUR"]) == 0
    (tmp_path / "study.toml").write_text(STUDY, "utf-8")
    capsys.readouterr()
    return tmp_path / "study.toml"


@pytest.mark.slow
def test_from_answers_to_a_proved_plan(study, tmp_path, capsys) -> None:
    assert run(["payment", "study.toml", "-o", "plan.json"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "EUR to everybody who is invited" in shown
    assert "proof checked" in shown
    assert run(["check", "plan.json"]) == 0
    plan = json.loads((tmp_path / "plan.json").read_text("utf-8"))["plan"]
    assert round(plan["compensation"] / 0.05) == pytest.approx(plan["compensation"] / 0.05)


@pytest.mark.slow
def test_the_pictures_show_the_pilot(study, tmp_path, capsys) -> None:
    command = ["payment", "study.toml", "--about", "all", "--plot", "offers.svg"]
    assert run([*command, "--answers", "answers.csv"]) == 0
    shown = (tmp_path / "offers.svg").read_text("utf-8")
    assert "who accepts, at ε" in shown
    assert "what each payment costs" in shown
    assert "least: " in shown
    assert "all people, within 0.1" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_a_payment_as_json(study, capsys) -> None:
    assert run(["payment", "study.toml", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == "feasible"
    assert data["payment"] == data["answer"]["plan"]["compensation"]
    assert run(["payment", "study.toml", "--set", "budget=100", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["payment"] is None
    assert run(["payment", "study.toml", "--set", "budget=100"]) == 1
    assert "without the budget" in capsys.readouterr().out


def test_payments_that_are_refused(study, capsys) -> None:
    assert run(["payment", "study.toml", "--answers", "answers.csv"]) == 64
    assert "give --plot FILE, or leave --answers out" in capsys.readouterr().err
    assert run(["payment", "study.toml", "--set", "per_invitation=0"]) == 64
    assert "give per_invitation in [costs]" in capsys.readouterr().err
    assert run(["payment", "study.toml", "-o", "answers.csv"]) == 64
    assert "end the name in .json" in capsys.readouterr().err


def test_without_noise_it_says_that_nothing_is_protected(answers, capsys) -> None:
    assert run(["costs", "answers.csv"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "The answers stay with you. Nothing printed here is protected" in shown
