import contextlib
import inspect
import io
import json
import math
import re
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest

import planner
from planner import scenarios
from planner.answer.search.find import Objective
from planner.audit.claim import Claim
from planner.cli import explain, explore, publication, run, shared, side_by_side
from planner.cli.app import COMMANDS
from planner.explanation.papers.consent import consent
from planner.explorer.workers import Limits
from planner.publication import rehearse

SMOKING = str(scenarios.WORKED_STUDIES / "mean-smoking.toml")
EDUCATION = str(scenarios.WORKED_STUDIES / "mean-education.toml")


def test_solve_without_a_file_plans_one_study_and_says_what_to_try_next(capsys) -> None:
    assert run(["solve"]) == 0
    shown = capsys.readouterr().out
    assert "total cost" in shown
    assert "planner init" in shown
    assert len(shown.splitlines()) <= 25


@pytest.mark.slow
def test_the_four_scenarios(capsys) -> None:
    assert run(["solve", "--scenarios"]) == 0
    shown = capsys.readouterr().out
    for title in ("Smokers", "Education", "Movie ratings", "Social network"):
        assert title in shown
    assert "costs more than 30,532.5 USD" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80


def test_solve_prints_what_a_planner_needs(capsys) -> None:
    assert run(["solve", EDUCATION]) == 0
    shown = capsys.readouterr().out
    for words in ("35,509", "0.003402567", "1,512.85 USD", "--proof shows it"):
        assert words in shown


def test_exit_status_is_the_highest(capsys) -> None:
    assert run(["solve", EDUCATION]) == 0
    assert run(["solve", EDUCATION, SMOKING]) == 1
    capsys.readouterr()


def test_json_of_one_study_and_of_several(capsys) -> None:
    run(["solve", "--json", EDUCATION])
    one = json.loads(capsys.readouterr().out)
    assert one["verdict"] == "feasible"
    assert set(one["plan"]) == {
        "epsilon", "delta", "participants", "compensation", "cost", "failure", "slack",
        "minimise", "always_from", "noise", "scale",
    }  # fmt: skip
    assert set(one["plan"]["slack"]) == set(one["conditions"]) == {"target", "budget"}
    assert one["least_cost"]["attained"] is False
    assert one["proof"]["checked"] is True
    run(["solve", "--json", SMOKING, EDUCATION])
    first, second = json.loads(capsys.readouterr().out)
    assert (first["plan"], first["least_cost"]) == (None, None)
    assert first["conflict"] == ["target", "budget"]
    assert {"quantity", "from", "to", "attained", "plan"} == set(first["relaxations"][0])
    assert second == one


def test_solve_minimises_what_it_is_told(capsys) -> None:
    run(["solve", "--json", "--minimise", "participants", EDUCATION])
    assert json.loads(capsys.readouterr().out)["plan"]["participants"] == 17_707


def test_limit(capsys) -> None:
    assert run(["limit", SMOKING, "base_cost"]) == 0
    assert "Feasible up to a base cost of 250.35 USD." in capsys.readouterr().out
    assert run(["limit", SMOKING, "budget", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == pytest.approx(30_532.50333)
    assert found["attained"] is False
    assert run(["limit", SMOKING, "participants"]) == 1
    assert "infeasible at every value" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_compare(capsys) -> None:
    assert run(["compare", SMOKING, "--notes"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Smokers, Hsu14 §5, by Hsu14's bound: the study that is not private is cheaper" in shown
    assert "116 to 738" in shown
    assert "needs at least 391 people" in shown
    assert "401 people or more always suffice" in shown
    assert run(["compare", EDUCATION, "--exposure", "0.0001", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "non-private"
    assert found["exact"]["non_private"]["participants"] == {"least": 391, "most": 391}
    assert run(["compare", str(scenarios.WORKED_STUDIES / "side-conditions.toml")]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "by Hsu14's bound: no private study exists" in shown


@pytest.mark.slow
def test_explain(capsys) -> None:
    assert run(["explain", EDUCATION]) == 0
    shown = capsys.readouterr().out
    words = " ".join(shown.split())
    assert "12.5⋅N⋅⎝ℯ - 1⎠ ≤ 30,000" in words
    assert "you must take a job with lower pay rises from 0.1 % to at most 0.1004 %" in words
    assert "here: N ≥ 19,652.9" in words
    assert max(map(len, shown.splitlines())) <= 80
    assert run(["explain", SMOKING]) == 1
    assert "if the budget were 30,837.82 USD" in capsys.readouterr().out
    assert run(["explain", SMOKING, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["constraints"][1]["numbers"].endswith(r"\leq 30,000")
    assert found["derivations"][2]["here"] == "N ≥ 19,652.9"
    assert run(["explain", str(scenarios.WORKED_STUDIES / "side-conditions.toml")]) == 1
    assert "For one participant" not in capsys.readouterr().out


@pytest.mark.slow
def test_limit_of_every_quantity(capsys) -> None:
    assert run(["limit", SMOKING]) == 1
    shown = capsys.readouterr().out
    assert " - a budget of 30,532.51 USD instead of 30,000 USD" in shown
    assert max(map(len, shown.splitlines())) <= 80
    education = str(scenarios.WORKED_STUDIES / "mean-education.toml")
    assert run(["limit", education, "--json"]) == 0
    assert {row["quantity"] for row in json.loads(capsys.readouterr().out)} == {
        "base_cost", "budget", "error", "failure"
    }  # fmt: skip
    assert run(["solve", education, "--room"]) == 0
    assert "the budget can fall from 30,000 USD" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_audit(capsys, audit_rows, monkeypatch) -> None:
    monkeypatch.setattr(Claim, "row", lambda claim: audit_rows[claim.id])
    assert run(["audit"]) == 0
    shown = capsys.readouterr().out
    assert "misprint" in shown
    assert "8 wrong" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert run(["audit", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"id", "section", "claim", "printed", "computed", "status", "why", "exact"} == set(
        rows[0]
    )


@pytest.fixture(scope="module")
def scenarios_as_json() -> str:
    """What `planner scenarios --json` prints: it plans eight studies."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert run(["scenarios", "--json"]) == 0
    return printed.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["scenarios", "mechanisms"])
def test_lists_are_also_json(command: str, capsys, scenarios_as_json) -> None:
    assert run([command]) == 0
    shown = capsys.readouterr().out
    if command == "scenarios":
        assert json.loads(scenarios_as_json)
    else:
        assert run([command, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)
    if command == "mechanisms":
        assert all(kind in shown for kind in ("laplace-mean", "mwem", "mwem-approximate"))
        assert "the smallest deviation that is (ε, δ)-private" in " ".join(shown.split())
    if command == "scenarios":
        assert "one in a thousand" in " ".join(shown.split())
        assert "Smoking, fewest" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "nowhere.toml"], "no such file"),
        (["solv"], "No such command"),
        (["solve", "--minimise", "money"], "--minimise"),
        (["limit", SMOKING, "queries"], "answers one question"),
        (["limit", SMOKING, "money"], "money"),
        (["compare", SMOKING, "--exposure", "2"], "at most 1"),
        (["plot", SMOKING, "-o", "nowhere/region.svg"], "does not exist"),
        (["plot", SMOKING, "-o", "region.bmp"], ".svg, .png, .pdf"),
    ],
)
def test_bad_input_is_one_sentence_and_64(arguments: list[str], words: str, capsys) -> None:
    assert run(arguments) == 64
    shown = capsys.readouterr()
    assert shown.out == ""
    assert words in shown.err
    assert len(shown.err.strip().splitlines()) == 1


def test_a_bad_study_among_good_ones_prints_nothing_else(tmp_path: Path, capsys) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("title = 1")
    assert run(["solve", EDUCATION, str(bad)]) == 64
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_plot_writes_a_whole_figure(tmp_path: Path, capsys) -> None:
    target = tmp_path / "region.svg"
    assert run(["plot", EDUCATION, "-o", str(target)]) == 0
    drawn = target.read_text("utf-8")
    assert "plan: N = 35,509" in drawn
    assert "What accuracy costs" in drawn
    assert list(tmp_path.iterdir()) == [target]
    capsys.readouterr()


@pytest.mark.slow
def test_the_help_says_in_words_what_is_given(capsys) -> None:
    for command in ([], *([name] for name in COMMANDS)):
        assert run([*command, "--help"]) == 0
        said = capsys.readouterr().out
        for code in ("<", "list[", "x>=", "[[", "bool", "Hsu14"):
            assert code not in said, (command, code)
        if command == ["solve"]:
            assert "cost, participants" in " ".join(said.split())
            assert re.search(r"STUDY +files +Study files", said)


def test_help_and_no_arguments(capsys) -> None:
    assert run(["--help"]) == 0
    assert "mechanisms" in capsys.readouterr().out


@pytest.mark.slow
def test_a_title_is_text_and_nothing_else(tmp_path: Path, capsys) -> None:
    study = tmp_path / "odd.toml"
    text = Path(EDUCATION).read_text("utf-8").replace("Education", "[/x] [bold] $5 <b> $")
    text = text.replace('scenario = "education"', 'scenario = "education"\nexchange_rate = 1.0')
    study.write_text(text.replace('"USD"', '"$"'), "utf-8")
    assert run(["solve", str(study), str(study)]) == 0
    assert "[/x] [bold] $5 <b> $" in capsys.readouterr().out
    assert run(["limit", str(study), "budget"]) == 0
    assert run(["plot", str(study), "-o", str(tmp_path / "odd.svg")]) == 0
    assert "[/x] [bold] $5 &lt;b&gt; $" in (tmp_path / "odd.svg").read_text("utf-8")


def test_scenarios_tell_what_each_model_pays(scenarios_as_json) -> None:
    found = json.loads(scenarios_as_json)["scenarios"]
    planned = [scenario for scenario in found if scenario["compensation"]]
    assert len(planned) >= 4
    for scenario in planned:
        few = next(row for row in scenario["compensation"] if row["plan"] == "fewest people")
        assert few["cost"] == pytest.approx(math.expm1(few["epsilon"]) * scenario["base_cost"])


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (lambda: planner.MaxParticipants(n=0), "n = 0 is not allowed; give a whole number"),
        (lambda: planner.Individual(2.0, 1.0), "worst_cost = 1.0 is below base_cost = 2.0"),
    ],
)
def test_what_the_model_refuses_is_one_sentence(capsys, monkeypatch, refused, words) -> None:
    monkeypatch.setattr("planner.study_file.reader.read_study", lambda *_: refused())
    assert run(["limit", EDUCATION]) == 64
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1
    assert "pydantic" not in told
    assert "Value error" not in told


def test_defaults_on_the_command_line_are_those_in_python() -> None:
    def default(function: Any, name: str) -> Any:
        return inspect.signature(function).parameters[name].default

    for command, function, names in (
        (side_by_side.compare, planner.compare, ["exposure"]),
        (publication.consent, consent, ["contact", "coin"]),
        (publication.publish, rehearse, ["proportion", "column", "clamp"]),
        (publication.publish, planner.publish, ["people", "ledger", "again", "other_people"]),
        (explain.simulate, planner.simulate, ["runs", "seed", "mean"]),
        (explore.app, Limits, ["seconds", "megabytes"]),
    ):
        for name in names:
            assert default(command, name) == default(function, name), (function, name)
    assert get_args(shared.Objective) == get_args(Objective)


def test_every_command_has_its_function_in_the_named_file() -> None:
    for name in COMMANDS:
        function = getattr(import_module(f"planner.cli.{COMMANDS[name]}"), name)
        assert function.__module__ == f"planner.cli.{COMMANDS[name]}"


def test_a_word_that_is_not_known_has_its_nearest_named(capsys) -> None:
    assert run(["solve", EDUCATION, "--minimise", "cots"]) == 64
    told = capsys.readouterr().err
    assert "'cots' is not one of" in told
    assert "Did you mean cost?" in told
    assert "Value error" not in told


def test_the_version_is_printed(capsys) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == planner.__version__
