"""Answers as files: read as they were written, and refused where anything was changed."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

import planner
from planner.answer.check import check
from planner.study_file import answer_file
from tests.study_file.test_tables import PERSON, QUESTIONS, SMALL

BUDGET = planner.Budget(30_000.0)


def hoeffding(**changes) -> planner.Study:
    return replace(
        planner.Study(planner.LaplaceMean("hoeffding"), SMALL, PERSON, [BUDGET]), **changes
    )


STUDIES = {
    "share": hoeffding(),
    "least people": hoeffding(conditions=(BUDGET, planner.EpsilonAtMost(2.0))),
    "exact": hoeffding(mechanism=planner.LaplaceMean(mean_range=(0.1, 0.3))),
    "numbers": hoeffding(target=planner.Accuracy.of_values(2.0, 0, 60, 0.05)),
    "gaussian": hoeffding(
        mechanism=planner.GaussianMean(), conditions=(planner.Delta(1e-6), BUDGET)
    ),
    "several": hoeffding(
        mechanism=planner.OneOf((planner.LaplaceMean("hoeffding"), planner.LaplaceMean("paper")))
    ),
    "survey": hoeffding(
        mechanism=planner.AddedNoise("laplace", "hoeffding"),
        target=planner.Survey(QUESTIONS[:3], 0.05),
    ),
    "reports": hoeffding(mechanism=planner.RandomizedResponse(), conditions=()),
    "lots": hoeffding(
        mechanism=planner.RandomizedResponse("hoeffding"),
        target=planner.Survey(QUESTIONS[:2], 0.05),
        conditions=(),
    ),
    "sample": hoeffding(
        sampling=planner.Sampling(population=90_000, secret=True), conditions=(planner.Harm(3.0),)
    ),
    "invited": hoeffding(sampling=planner.Sampling(response_rate=0.4)),
    "loss": planner.Study(
        planner.GeometricCount(),
        planner.ExpectedLoss(planner.BayesianReader(), 0.5),
        PERSON,
        [planner.Population(30)],
    ),
    "none": hoeffding(conditions=(planner.Budget(10.0),)),
}


@pytest.fixture(scope="module")
def answers() -> dict[str, planner.Answer]:
    return {name: planner.solve(study) for name, study in STUDIES.items()}


@pytest.mark.parametrize("name", STUDIES)
def test_an_answer_is_read_as_it_was_written(name, answers, tmp_path):
    answers[name].save(tmp_path / "plan.json")
    read = planner.read_answer(tmp_path / "plan.json")
    assert read == answers[name]
    assert read.to_dict() == answers[name].to_dict()
    assert planner.check(read).holds
    data = json.loads((tmp_path / "plan.json").read_text())
    jsonschema.validate(data, answer_file.schema())


def test_what_is_solved_in_the_terminal_is_a_plan_file(answers, tmp_path):
    data = answer_file.sealed({**answers["share"].to_dict(), "relaxations": [{"to": 1.0}]})
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(data, indent=7))
    assert planner.read_answer(path) == answers["share"]


def test_an_undecided_answer_confirms_nothing(tmp_path):
    undecided = planner.Undecided(STUDIES["share"], planner.solve(STUDIES["none"]).proof)
    undecided.save(tmp_path / "plan.json")
    assert planner.read_answer(tmp_path / "plan.json") == undecided
    assert not planner.check(undecided).holds


def test_a_false_claim_is_found_whatever_the_digest(answers):
    plan = answers["share"]
    study = plan.study
    false = {
        "epsilon": plan.epsilon * 0.999,
        "participants": plan.participants - 1,
        "cost": plan.cost * (1 - 1e-6),
        "compensation": plan.compensation * 1.01,
        "failure": 0.049,
        "scale": plan.scale * 0.99,
        "noise": "geometric",
        "slack": dict.fromkeys(plan.slack, 1.0),
        "always_from": 3,
        "least_cost": plan.cost * 2,
        "study": replace(study, conditions=(planner.Budget(plan.cost * 0.999),)),
    }
    for name, value in false.items():
        found = check(replace(plan, **{name: value}))
        assert not found.holds, name
    survey = answers["survey"]
    first, *others = survey.questions
    for change in ({"scale": first.scale * 1.01}, {"failure": first.failure / 2}, {"name": "x"}):
        questions = (replace(first, **change), *others)
        assert not check(replace(survey, questions=questions)).holds, change
    reports = answers["reports"]
    truth = reports.card.truth - planner.numbers.decimal(1e-7)
    card = reports.card._replace(truth=truth, opposite=1 - truth)
    assert not check(replace(reports, card=card)).holds
    none = answers["none"]
    assert not check(replace(none, study=STUDIES["share"])).holds
    assert not check(replace(none, conflict=none.conflict[:1])).holds


HOSTILE = {
    "list": ("[1]", "no answer"),
    "text": ("hello", "not a plan file"),
    "deep": ("[" * 100_000 + "]" * 100_000, "nested too deep"),
    "deep object": (
        '{"verdict": 1, "digest": "x", "study": ' + '{"a":' * 900 + "1" + "}" * 901,
        "missing|too deep",
    ),
    "nan": ('{"verdict": NaN}', "NaN is not a finite number"),
    "huge": ('{"verdict": 1e999}', "1e999 is not a finite number"),
    "long": ('{"verdict": ' + "9" * 5000 + "}", "not a plan file"),
    "twice": ('{"verdict": 1, "verdict": 2}', "given twice"),
    "no digest": ('{"verdict": "feasible"}', "digest is missing"),
    "bytes": (b"\xff\xfe", "not a plan file"),
    "bare": ('{"verdict": "feasible", "digest": "0"}', "is missing"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_a_sentence(name, tmp_path):
    content, words = HOSTILE[name]
    path = tmp_path / "plan.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=words) as refused:
        planner.read_answer(path)
    assert len(str(refused.value).replace(str(tmp_path), "")) < 300


def test_a_very_large_file_is_refused_unread(tmp_path):
    path = tmp_path / "plan.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(ValueError, match="too large"):
        planner.read_answer(path)


def leaves(data, place=()):
    """The places of all values in plain data."""
    if isinstance(data, dict | list):
        pairs = data.items() if isinstance(data, dict) else enumerate(data)
        for key, value in pairs:
            yield from leaves(value, (*place, key))
    else:
        yield place


def changed(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value * (1 + 2**-50) if value else 1e-300
    return f"{value or ''}x"


@pytest.mark.parametrize("name", ["share", "survey", "reports", "several", "none"])
def test_every_change_of_a_file_is_found(name, answers, tmp_path):
    path = tmp_path / "plan.json"
    answers[name].save(path)
    text = path.read_text()
    places = list(leaves(json.loads(text)))
    assert len(places) > 20
    for place in places:
        data = json.loads(text)
        at = data
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] = changed(at[place[-1]])
        path.write_text(json.dumps(data))
        with pytest.raises(ValueError, match=r"plan\.json"):
            planner.read_answer(path)


def test_a_plan_file_stands_in_for_its_study(answers, tmp_path, monkeypatch):
    path = tmp_path / "plan.json"
    answers["share"].save(path)
    given = answer_file.read_given(Path(path))
    monkeypatch.setattr("planner.answer.solve.propose", None)  # nothing is solved again
    assert planner.explain(given).answer == answers["share"]
    assert planner.simulate(given, runs=100).failures <= 100
