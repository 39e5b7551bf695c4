"""The program to keep, run by itself: it refuses what the command refuses."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from planner.explanation.running.script import script
from planner.publication import measurement
from planner.publication.items import items
from planner.publication.publish import publish
from planner.publication.records import sums_of
from tests.publication import plans

NAMES = ["laplace", "numbers", "geometric", "count", "survey", "words", "answered"]


@pytest.fixture
def run(tmp_path):
    """Runs the program of a plan on its records."""

    def of(plan, path):
        program = tmp_path / "release.py"
        program.write_text(script(plan), "utf-8")
        command = [sys.executable, str(program), str(path)]
        return subprocess.run(command, capture_output=True, text=True)

    return of


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_program_publishes_each_answer_by_name_with_its_error(name, tmp_path, run):
    plan = plans.plan(name)
    path = plans.records(tmp_path, plan, 0.3)
    done = run(plan, plans.with_rows(path, 2))  # two more than planned
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert (results["participants"], results["epsilon"]) == (plan.participants, plan.epsilon)
    expected = publish(plan, path, ledger=tmp_path / "ledger.sqlite")
    for one, other, item in zip(results["answers"], expected.answers, items(plan), strict=True):
        assert (one["name"], one["kind"], one["error"]) == (other.name, other.kind, other.error)
        assert 0 < one["failure"] <= other.failure * (1 + 1e-3)
        values = [one["answer"], other.answer]
        lists = [x if isinstance(x, list) else [x] for x in values]
        for x, y in zip(*lists, strict=True):  # both noisy: far apart only by a rare accident
            scale = plan.participants if item.kind == "count" else item.groups
            room = 8 * item.error if item.kind != "quantile" else scale
            if item.kind == "count":  # whose error may be under a person, and its noise is whole
                room += 12 * item.scale
            assert abs(x - y) < room


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_program_without_its_noise_counts_what_the_records_hold(name, tmp_path):
    """With noise of hardly any scale its answers are those of the records, added up here."""
    plan = plans.plan(name)
    path = plans.records(tmp_path, plan, 0.3)
    quiet = re.sub(r"scale=[0-9.e+-]+", "scale=1e-9", script(plan))
    quiet = re.sub(r"(\nmeasurement = mean .*)scale=scale", r"\1scale=1e-9", quiet)
    program = tmp_path / "quiet.py"
    program.write_text(quiet.replace("assert measurement", "assert 0 * measurement"), "utf-8")
    done = subprocess.run([sys.executable, program, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    exact = sums_of(path, items(plan), plan.participants)
    for one, item in zip(json.loads(done.stdout)["answers"], items(plan), strict=True):
        if item.kind == "quantile":
            up_to = np.cumsum(exact[item.name]) / plan.participants
            chosen = one["answer"]
            assert (up_to[chosen - 1] if chosen else 0.0) <= item.at <= up_to[chosen]
            continue
        expected = np.atleast_1d(measurement.answers(item, exact[item.name]))
        assert np.abs(np.atleast_1d(one["answer"]) - expected).max() < 1e-6


REFUSED = {
    "laplace": [("answer", "ja"), ("answer", "1.5"), ("answer", ""), ("answer", "2")],
    "numbers": [("answer", "ten"), ("answer", "10.5"), ("answer", ""), ("answer", "nan")],
    "survey": [
        ("smokes 2", "oui"),
        ("smokes 1", ""),
        ("age", "3"),
        ("age", "-1"),
        ("age", "1.5"),
        ("cigarettes", "1e9"),
        ("income", ""),
    ],
    "words": [
        ("Q7", "JA"),
        ("age", "1"),
        ("income", "5000"),
        ("income", ""),
        ("income", "nan"),
        ("group", "2"),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_the_program_refuses_what_the_command_refuses(name, tmp_path, run):
    plan = plans.plan(name)
    for column, value in REFUSED[name]:
        path = plans.rewritten(plans.records(tmp_path, plan), 3, column, value)
        done = run(plan, path)
        assert done.returncode == 1
        assert done.stdout == ""
        assert f"line 3, column {column}: " in done.stderr
        with pytest.raises(ValueError, match=f"line 3, column {column}"):
            publish(plan, path, ledger=tmp_path / "ledger.sqlite")
    path = plans.with_rows(plans.records(tmp_path, plan), -1)
    few = run(plan, path)
    assert few.returncode == 1
    assert f"the plan is for {plan.participants}: its error is proved for that many" in few.stderr
    path.write_text(path.read_text().replace(items(plan)[0].column, "other", 1))
    assert f"give one column named {items(plan)[0].column}" in run(plan, path).stderr


def test_plans_without_a_call_have_no_program():
    with pytest.raises(ValueError, match="each person randomises"):
        script(plans.plan("reports"))
    with pytest.raises(ValueError, match="Gaussian noise"):
        script(plans.plan("gaussian"))


def test_every_program_can_be_compiled():
    for name in NAMES:
        compile(script(plans.plan(name)), name, "exec")
