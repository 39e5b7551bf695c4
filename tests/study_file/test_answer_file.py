"""Answers as files: read as they were written, and refused where anything was changed."""

import json
import re
from dataclasses import replace
from decimal import Decimal
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
    "survey": hoeffding(
        mechanism=planner.AddedNoise("laplace", "hoeffding"),
        target=planner.Survey(QUESTIONS[:3], 0.05),
    ),
    "reports": hoeffding(mechanism=planner.RandomizedResponse(), conditions=()),
    "invited": hoeffding(sampling=planner.Sampling(response_rate=0.4)),
    "none": hoeffding(conditions=(planner.Budget(10.0),)),
}


@pytest.fixture(scope="module")
def answers() -> dict[str, planner.answer.Answer]:
    return {name: planner.solve(study) for name, study in STUDIES.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_an_answer_is_read_as_it_was_written(name, answers, tmp_path):
    answers[name].save(tmp_path / "plan.json")
    read = planner.read_answer(tmp_path / "plan.json")
    assert read == answers[name]
    assert read.to_dict() == answers[name].to_dict()
    assert planner.check(read).holds
    data = json.loads((tmp_path / "plan.json").read_text())
    jsonschema.validate(data, answer_file.schema())


@pytest.mark.slow
def test_what_is_solved_in_the_terminal_is_a_plan_file(answers, tmp_path):
    data = answer_file.sealed({**answers["share"].to_dict(), "relaxations": [{"to": 1.0}]})
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(data, indent=7))
    assert planner.read_answer(path) == answers["share"]


def test_an_undecided_answer_confirms_nothing(tmp_path):
    undecided = planner.answer.Undecided(STUDIES["share"], planner.solve(STUDIES["none"]).proof)
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
    "text": ("\n\nhello", "not a plan file: line 3 is not JSON; give"),
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["share", "survey", "reports", "none"])
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


@pytest.mark.slow
def test_a_plan_file_stands_in_for_its_study(answers, tmp_path, monkeypatch):
    path = tmp_path / "plan.json"
    answers["share"].save(path)
    given = answer_file.read_given(Path(path))
    monkeypatch.setattr("planner.answer.solve.best_aim", None)  # nothing is solved again
    assert planner.explain(given).answer == answers["share"]
    assert planner.simulate(given, runs=100).failures <= 100


def moved(value, digit):
    """A value with one significant digit moved by one; other values changed."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return float(
            Decimal(repr(value)) + Decimal(10) ** (Decimal(repr(value)).adjusted() - digit)
        )
    number = re.search(r"[0-8](?!.*[0-9])", value or "")
    if number is None:
        return f"{value or ''}x"
    return value[: number.start()] + str(int(number[0]) + 1) + value[number.end() :]


LISTED = {
    "version": "version",
    "certificate": "the SHA-256 of its certificate",
    "study": "the study",
    "minimise": "that no study",
    "least_cost": "that the least cost",
    "statement": "the words of the argument",
    "method": "the words of the argument",
    "checked": "the words of the argument",
    "notes": "the remark",
    "mechanism": "the words of mechanism",
    "conditions": "the words of conditions",
}
"""What a check may list as not checked, by the key of a file."""


def unseen(answer, path, digits) -> list[object]:
    """The fields of a plan file that can be moved by a digit without anyone seeing it."""
    answer.save(path)
    text = path.read_text()
    found = []
    for place in leaves(json.loads(text)):
        for digit in digits:
            data = json.loads(text)
            at = data
            for key in place[:-1]:
                at = at[key]
            at[place[-1]] = moved(at[place[-1]], digit)
            if place == ("digest",) or at[place[-1]] is None:
                continue
            del data["digest"]
            path.write_text(json.dumps(answer_file.sealed(data)))
            try:
                read = answer_file.read_unchecked(path)
            except ValueError:
                continue
            checked = check(read.answer)
            if checked.wrong or read.contradictions:
                continue
            listed = " ".join((*checked.unchecked, *read.unread))
            if not any(key in place and words in listed for key, words in LISTED.items()):
                found.append((place, digit))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["share", "reports", "none"])
def test_each_field_that_is_moved_by_a_digit_is_found_or_listed(name, answers, tmp_path):
    assert unseen(answers[name], tmp_path / "plan.json", [2]) == []


def test_small_numbers_are_compared_by_their_own_digits():
    """Neither a failure of 4e-10 nor the scale of a mean over [0, 1e-8] is near to others."""
    rare = planner.solve(hoeffding(target=planner.Accuracy(0.05, 4e-10)))
    assert check(rare).holds
    assert not check(replace(rare, failure=1e-15)).holds
    narrow = planner.solve(
        hoeffding(target=planner.Accuracy.of_values(1e-9, 0, 1e-8, 0.05), conditions=())
    )
    assert check(narrow).holds
    for scale in (0.0, -1.0, narrow.scale * 1.0001):
        assert not check(replace(narrow, scale=scale)).holds


def test_what_was_never_read_is_compared_or_listed(answers, tmp_path):
    path = tmp_path / "plan.json"
    answers["reports"].save(path)
    data = json.loads(path.read_text())
    del data["digest"]
    for key, value, words in (
        ("strength", -5.0, "strength = -5.0 is not allowed"),
        ("strength", 0.5, "card.strength = 0.5, but"),
    ):
        changed_data = json.loads(json.dumps(data))
        changed_data["plan"]["card"][key] = value
        path.write_text(json.dumps(answer_file.sealed(changed_data)))
        try:
            said = " ".join(answer_file.read_unchecked(path).contradictions)
        except ValueError as error:
            said = str(error)
        assert words in said
    data["least_cost"]["value"] = -6132.0
    path.write_text(json.dumps(answer_file.sealed(data)))
    with pytest.raises(ValueError, match=r"least_cost\.value = -6132\.0 is not allowed"):
        planner.read_answer(path)
