"""Means of those who answer: planned and proved as two means of all, published as one."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.answer.answers import Plan
from planner.explanation.questions import question_rows
from planner.explanation.running.practice import opendp_call
from planner.model import Records
from planner.publication import read_results
from planner.publication.answered import among_answered
from planner.publication.items import items
from planner.publication.publish import publish, rehearse
from planner.publication.records import Sums, sums_of

FIRST = "mean, of those who answer"
LOW, HIGH, RATE = -10.0, 30.0, 0.75


def study(noise: str = "laplace", **of: object) -> planner.Study:
    given = {"low": LOW, "high": HIGH, "error": 8.0, "missing": "own", "answer_rate": RATE, **of}
    questions = [
        planner.Mean(name="wait", **given),  # type: ignore[arg-type]
        planner.Share("smokes", error=0.3),
    ]
    return planner.Study(
        mechanism=planner.AddedNoise(noise),
        target=planner.Survey(questions, failure=0.1),
        individual=planner.Individual(base_cost=0.0, worst_cost=0.0),
        conditions=[planner.EpsilonAtMost(2.0)],
    )


@pytest.fixture(scope="module", params=["laplace", "gaussian"])
def plan(request: pytest.FixtureRequest) -> Plan:
    of = study(request.param)
    if request.param == "gaussian":
        of = replace(of, conditions=[*of.conditions, planner.Delta(1e-5)])
    found = planner.solve(of)
    assert isinstance(found, Plan)
    return found


def records(plan: Plan, seed: int = 1) -> dict[str, list[object]]:
    rng, n = np.random.default_rng(seed), plan.participants
    waits = [float(x) if k % 5 else "" for k, x in enumerate(rng.uniform(LOW, HIGH, n))]
    return {"wait": waits, "smokes": [int(k % 3 == 0) for k in range(n)]}


@pytest.mark.slow
def test_it_is_planned_as_two_means_of_all_and_proved() -> None:
    found = planner.solve(study())
    assert found.proof.checked
    wait = found.questions[0]
    assert (wait.times, wait.error) == (2, pytest.approx(8.0 / 40.0 * RATE))
    # where nobody may be missing one mean is published, and fewer people do
    all_answer = planner.solve(study(missing="refuse", answer_rate=None))
    assert all_answer.participants < found.participants
    assert "two numbers" in question_rows(found)[0][1] + question_rows(found)[1][1]
    assert "± 8 of those who answer, if 75 % do" in " ".join(str(found).split())


@pytest.mark.slow
def test_a_plan_keeps_its_promise_where_as_many_answer_as_planned(plan) -> None:
    for values in [(LOW, HIGH), (0.0, 0.0), (HIGH, HIGH), (5.0, HIGH)]:
        (item, _), runs, n = items(plan), 20_000, plan.participants
        rng = np.random.default_rng(3)
        parts = (np.array(values) - LOW) / (HIGH - LOW)
        counts = rng.multinomial(n, [RATE / 2, RATE / 2, 1 - RATE], runs)[:, :2]
        sums = np.stack([counts @ parts, counts @ (1 - parts)], axis=1)
        draw = rng.laplace if item.noise == "laplace" else rng.normal
        noisy = (sums + draw(scale=item.scale / item.steps, size=sums.shape)) / n
        whole = noisy.clip(0, 1).sum(axis=1)
        mean = LOW + (HIGH - LOW) * np.clip(noisy[:, 0], 0, 1) / np.where(whole > 0, whole, 1)
        missed = np.mean((np.abs(mean - np.mean(values)) >= 8.0) | (whole <= 0))
        assert missed <= item.failure + 4 * (item.failure / runs) ** 0.5


def test_quotients_are_within_their_errors_in_the_unit_of_the_answers() -> None:
    rng = np.random.default_rng(9)
    for _ in range(500):
        over, under, _ = rng.dirichlet(rng.choice([0.3, 2.0], 3))
        error = float(rng.choice([0.002, 0.05]))
        answer = [float(x + rng.uniform(-1, 1) * error) for x in (over, under)]
        ends = [[max(x - error, 0.0), min(x + error, 1.0)] for x in answer]
        found = among_answered(error, answer, ends, (LOW, HIGH))
        if found is None:
            continue
        mean, within, low, high = found
        truth = LOW + (HIGH - LOW) * over / (over + under)
        assert LOW <= low <= mean <= high <= HIGH
        assert abs(mean - truth) < within or within == HIGH - LOW
        assert low <= truth <= high


def test_records_are_added_up_as_parts_of_the_range(plan) -> None:
    item, other = items(plan)
    cells, n = records(plan), plan.participants
    over, under = sums_of(cells, [item, other], n)[item.name]
    given = [x for x in cells["wait"] if x != ""]
    assert over + under == item.steps * len(given)
    mean = LOW + (HIGH - LOW) * over / (over + under)
    assert mean == pytest.approx(np.mean(given), abs=1e-6)
    assert item.sensitivity == item.steps * (2 if item.noise == "laplace" else 2**0.5)
    assert item.told == "numbers from -10 to 30; empty: no answer"


def test_several_rows_are_the_mean_of_those_with_an_answer(plan) -> None:
    item = items(plan)[0]
    n = plan.participants
    people = [k // 2 for k in range(2 * n)]
    waits = [("", 10.0, 20.0, 0.0, "", "")[k % 6] for k in range(2 * n)]  # 10, 10, no answer
    written = Records(person="who", rows="mean")
    over, under = sums_of({"who": people, "wait": waits}, [item], n, written=written)[item.name]
    answered = sum(k % 3 < 2 for k in range(n))
    assert over + under == item.steps * answered
    assert over == answered * item.steps // 2


@pytest.mark.slow
def test_it_is_published_read_again_and_written(plan, tmp_path) -> None:
    pytest.importorskip("opendp")
    done = publish(plan, records(plan), ledger=tmp_path / "ledger.sqlite", people="these")
    one = done.answers[0]
    assert one.answered == among_answered(one.error, one.numbers, one.intervals, (LOW, HIGH))
    assert [row.group for row in one.rows] == [FIRST]
    text = " ".join(str(done).split())
    assert f"wait, {FIRST}" in text
    assert "± 8 if at least 75 % of all do" in text
    table = list(csv.DictReader(io.StringIO(done.text(".csv"))))
    assert [row["question"] for row in table] == ["wait", "smokes"]
    assert float(table[0]["answer"]) == one.answered[0]
    missed = replace(one, planned_error=0.3 / 8, planned_failure=0.001)
    text = " ".join(str(replace(done, answers=(missed, *done.answers[1:]))).split())
    assert "± 3.75 % of the range, of all is missed with probability 0.001" in text
    for name in ("r.json", "r.png", "r.html", "r.md"):
        done.save(tmp_path / name, "wait" if name == "r.png" else None)
    assert read_results(tmp_path / "r.json") == replace(done, records="", paid="")


@pytest.mark.slow
def test_fewer_people_have_a_larger_error(plan) -> None:
    first, *_, last = planner.publication.expected(plan).fewer
    assert first.errors[0].of_answered(first.errors[0].error) > 8.0
    assert first.errors[0].error < last.errors[0].error
    assert "of those who answer" in str(planner.publication.expected(plan))


def test_rehearsals_have_people_without_an_answer(plan) -> None:
    pytest.importorskip("opendp")
    one = rehearse(plan, proportion=0.25).answers[0]
    assert abs(one.answered[0] - 0.0) < 3 * one.answered[1]  # once in some thousand runs it is not
    assert sum(one.numbers) < 1 + one.error


def test_the_call_of_opendp_publishes_both_sums() -> None:
    pytest.importorskip("opendp")
    found = planner.solve(study())
    names: dict[str, object] = {}
    exec(opendp_call(found), names)  # it asserts its map
    cells = records(found)
    rows = [
        {"wait": None if wait == "" else wait, "smokes": yes}
        for wait, yes in zip(cells["wait"], cells["smokes"], strict=True)
    ]
    (over, under), _ = names["measurement"](rows)  # type: ignore[operator]
    item = items(found)[0]
    exact = sums_of(cells, items(found), found.participants)[item.name] / item.steps
    assert np.allclose([over, under], exact, atol=40 * item.scale / item.steps)


def test_codes_of_answers_and_empty_cells_stand_together() -> None:
    found = planner.solve(study(low=0.0, high=1.0, error=0.2, codes={"agree": 1, "not": 0}))
    item, other = items(found)
    n = found.participants
    words = [("agree", "", "not", "agree")[k % 4] for k in range(n)]
    over, under = sums_of({"wait": words, "smokes": [1] * n}, [item, other], n)[item.name]
    assert isinstance(sums_of({"wait": words, "smokes": [1] * n}, [item, other], n), Sums)
    assert (over / item.steps, under / item.steps) == (words.count("agree"), words.count("not"))


@pytest.mark.slow
@pytest.mark.parametrize("own", [{}, {"missing": "own", "answer_rate": 0.8}])
def test_rehearsals_answer_in_the_words_of_the_records(own) -> None:
    """Codes, ranges of them, and one answer among several in a cell."""
    pytest.importorskip("opendp")
    questions = [
        planner.Mean(
            name="m", low=0, high=2, error=0.25, codes={"9-10": 2, "7-8": 1, "bad": 0}, **own
        ),
        planner.Share("bike", error=0.1, contains="Bike", **own),
    ]
    of = planner.Study(
        target=planner.Survey(questions, failure=0.1), conditions=[planner.EpsilonAtMost(5.0)]
    )
    done = rehearse(planner.solve(of), proportion=0.8)
    for one, truth in zip(done.answers, (1.6, 0.8), strict=True):
        share, error = one.answered[:2] if own else (one.answer, one.error)
        assert abs(share - truth) < 5 * error < truth  # once in ten million runs it is not


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"answer_rate": None}, 'answer_rate is missing; with missing = "own" give the least'),
        ({"missing": "refuse"}, 'answer_rate is for missing = "own"'),
        ({"deviation_at_most": 5.0}, "deviation_at_most is of all people; leave it out where"),
        ({"missing": "no", "answer_rate": None}, "missing = 'no' is not for a mean; give \"own\""),
    ],
)
def test_what_does_not_go_together_is_refused(given, words) -> None:
    with pytest.raises(ValueError, match=words):
        study(**given)
