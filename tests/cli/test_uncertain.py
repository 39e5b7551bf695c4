"""Study files with uncertain numbers, read, answered, drawn and refused."""

import json

import pytest

import planner
from planner.cli import run
from planner.study_file.reader import StudyFileError, schema

FILE = """
title = "Clinic"
currency = "EUR"
[target]
error = {error}
failure = 0.05
[mechanism]
kind = "laplace-mean"
analysis = "hoeffding"
[individual]
base_cost = {base}
worst_cost = 1274.0
[conditions]
budget = {budget}
max_participants = 4000
[costs]
per_person = 5.0
overhead = 2000.0
"""


@pytest.fixture
def clinic(tmp_path):
    def write(error="0.05", base="{ log_normal = [12.5, 2.0] }", budget="30000.0"):
        path = tmp_path / "clinic.toml"
        text = FILE.replace("{error}", error).replace("{base}", base)
        path.write_text(text.replace("{budget}", budget), "utf-8")
        return str(path)

    return write


def test_a_file_is_read_with_its_medians(clinic) -> None:
    found = planner.read_uncertain(clinic(budget="{ triangular = [1e4, 2e4, 3e4] }"))
    assert dict(found.inputs) == {
        "base_cost": planner.model.LogNormal(12.5, 2.0),
        "budget": planner.model.Triangular(1e4, 2e4, 3e4),
    }
    assert found.study.individual.base_cost == pytest.approx(12.5)
    assert found.study.find(planner.Budget).money == pytest.approx(2e4)


def test_solve_prints_share_plan_and_ranking(clinic, capsys) -> None:
    assert run(["solve", clinic(budget="{ uniform = [1e4, 4e4] }"), "--draws", "1000"]) == 2
    shown = capsys.readouterr().out
    words = " ".join(shown.split())
    for part in ("feasible for some", "1,000 draws, seed 1", "base"):
        assert part in words
    assert "Which input matters most" in words
    assert "feasible hard" in words
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.slow
def test_exit_status_and_json(clinic, capsys) -> None:
    assert run(["solve", clinic(base="{ interval = [1.0, 20.0] }"), "--json"]) == 0
    sure = json.loads(capsys.readouterr().out)
    assert (sure["verdict"], sure["share"]["low"]) == ("for all", 1.0)
    assert sure["inputs"][0]["quantity"] == "base_cost"
    assert run(["solve", clinic(base="{ interval = [500.0, 600.0] }"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "for none"
    path = clinic(base="{ log_normal = [60.0, 2.0] }")
    args = ["solve", path, "--json", "--draws", "500", "--seed", "7"]
    assert run(args) == 2
    some = json.loads(capsys.readouterr().out)
    assert (some["draws"], some["seed"]) == (500, 7)
    run(args)
    assert json.loads(capsys.readouterr().out) == some


@pytest.mark.parametrize("command", ["limit", "prices", "explain", "compare", "simulate"])
def test_other_commands_say_which_takes_it(command, clinic, capsys) -> None:
    assert run([command, clinic()]) == 64
    complaint = capsys.readouterr().err
    assert "planner solve" in complaint
    assert len(complaint.splitlines()) == 1


def test_plot_draws_the_ranking(clinic, tmp_path, capsys) -> None:
    assert run(["plot", clinic(), "-o", str(tmp_path / "a.svg")]) == 0
    assert "which input matters most" in (tmp_path / "a.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"budget": "{ normal = [1.0, 2.0] }"}, "conditions.budget: a table of normal is no"),
        ({"budget": "{ uniform = [2.0, 1.0] }"}, "low = 2.0 is not below high = 1.0"),
        ({"budget": "{ uniform = [2.0] }"}, "give low and high"),
        ({"error": "{ uniform = [0.5, 1.5] }"}, r"error = { uniform = \[0.5, 1.5\] } can take"),
        ({"error": '{ uniform = [0.5, "a"] }'}, "target.error = .*'a' is not allowed"),
        ({"base": "12.5"}, "no number is uncertain"),
    ],
)
def test_files_that_cannot_be(changes, words, clinic) -> None:
    with pytest.raises(StudyFileError, match=words) as caught:
        planner.read_uncertain(clinic(**changes))
    assert "\n" not in str(caught.value)
    assert "clinic.toml: " in str(caught.value)


def test_a_number_that_cannot_be_uncertain_is_named(tmp_path) -> None:
    path = tmp_path / "bad.toml"
    text = FILE.replace("{error}", "0.05").replace("{base}", "1.0").replace("{budget}", "1e4")
    path.write_text(text + "x = 1\n[more]\nuniverse_size = { uniform = [2, 4] }\n", "utf-8")
    with pytest.raises(StudyFileError, match=r"more.universe_size = .* cannot be uncertain"):
        planner.read_uncertain(path)


def test_options_of_certain_studies_are_refused(clinic, capsys) -> None:
    assert run(["solve", clinic(), "--minimise", "epsilon"]) == 64
    assert run(["solve", clinic(), clinic()]) == 64
    assert run(["solve", clinic(), "--draws", "5"]) == 64
    assert "draws = 5 is not allowed" in capsys.readouterr().err


def test_the_schema_allows_spreads_where_numbers_can_be_uncertain() -> None:
    tables = schema()["$defs"]
    reference = {"$ref": "#/$defs/Spread"}
    assert reference in tables["_Conditions"]["properties"]["budget"]["anyOf"]
    assert reference in tables["IndividualTable"]["properties"]["base_cost"]["anyOf"]
    assert "anyOf" not in tables["AccuracyTarget"]["properties"]["low"] or (
        reference not in tables["AccuracyTarget"]["properties"]["low"]["anyOf"]
    )
    kinds = {next(iter(one["properties"])) for one in tables["Spread"]["oneOf"]}
    assert kinds == {"interval", "uniform", "log_uniform", "triangular", "log_normal"}


@pytest.mark.slow
def test_base_costs_over_the_worst_cost(clinic, capsys) -> None:
    some = ["--draws", "2000"]
    assert run(["solve", clinic(base="{ interval = [10, 2000] }"), "--json", *some]) == 2
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    share = float(note.split()[1])
    assert abs(share - 100 * (2000 - 1274) / 1990) < 3
    assert "the worst cost is set equal" in note
    few = ["--draws", "200"]
    assert run(["solve", clinic(base="{ interval = [10, 1200] }"), "--json", *few]) == 2
    assert json.loads(capsys.readouterr().out)["notes"] == []
    assert run(["solve", clinic(base="{ interval = [10, 4000] }")]) == 64
    told = capsys.readouterr().err
    assert "{'interval': [10, 4000]} exceeds worst_cost = 1274.0" in told
    assert "2005" not in told


def test_a_spread_that_leaves_its_range_is_quoted_as_it_stands(tmp_path, capsys) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(
        "[target]\nerror = 0.05\nfailure = 0.05\n[mechanism]\nkind = 'laplace-mean'\n"
        "[individual]\nbase_cost = { uniform = [-5, 2] }\n[conditions]\nbudget = 100\n",
        "utf-8",
    )
    assert run(["solve", str(path)]) == 64
    shown = capsys.readouterr().err
    assert "base_cost = { uniform = [-5.0, 2.0] } can take values that are not allowed" in shown
