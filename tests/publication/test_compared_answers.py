"""Several answers of two groups, published from records as differences, once."""

import dataclasses
import json
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import planner
from planner.publication.check_results import check_results
from planner.publication.difference import difference
from planner.publication.items import items
from planner.publication.look import expected, look
from planner.publication.measurement import MOST_GROWTH, promised
from planner.publication.publish import rehearse
from planner.publication.results_file import read_results

LABELS = ("cash", "card", "phone")


@cache
def plan(noise="laplace", conditions=()):
    """Of a proportion that is asked twice, a histogram and a mean."""
    questions = [
        planner.Share("smokes", error=0.15, times=2),
        planner.Histogram("pays by", labels=LABELS, error=0.2),
        planner.Mean("cigarettes", low=-10, high=30, error=6.0),
    ]
    return planner.solve(
        planner.Study(
            planner.AddedNoise(noise),
            planner.Difference(questions=questions, failure=0.05),
            planner.Individual(12.5, 1274.0),
            [planner.Budget(60_000.0), *conditions],
            planner.Costs(5.0, 2000.0),
        )
    )


def records(of, more=0):
    """A third of the first group smokes, and all of the second pay by phone."""
    half = of.participants // 2
    rng = np.random.default_rng(3)
    names = rng.permutation(["first"] * (half + more) + ["second"] * half)
    first = names == "first"
    one = np.zeros(len(names), int)
    one[np.flatnonzero(first)[::3]] = 1
    return {
        "stratum": list(names),
        "smokes 1": one.tolist(),
        "smokes 2": (1 - one).tolist(),
        "pays by": [LABELS[k % 2] if f else "phone" for k, f in enumerate(first)],
        "cigarettes": np.where(first, 12.0, 2.0).tolist(),
    }


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_differences_are_published_and_checked(noise, tmp_path):
    """Within twice the errors; a changed one is found; nobody is published twice."""
    made = plan(noise, (planner.Delta(1e-6),) if noise == "gaussian" else ())
    given = {"people": "town", "ledger": tmp_path / "ledger.db"}
    done = planner.publish(made, records(made), tmp_path / "out.json", **given)
    by_name = {one.name: one for one in done.answers}
    assert by_name["smokes 1"].answer == pytest.approx(1 / 3, abs=0.3)
    assert by_name["smokes 2"].answer == pytest.approx(-1 / 3, abs=0.3)
    ways = by_name["pays by"]
    assert ways.answer == pytest.approx([0.5, 0.5, -1], abs=0.4)
    assert ways.groups == LABELS
    assert all(one.compared for one in done.answers)
    assert (ways.low, ways.high, ways.fitted) == (-1.0, 1.0, None)
    assert min(ways.nearest) >= -1
    assert min(low for low, _ in ways.interval) >= -1
    cigarettes = by_name["cigarettes"]
    assert cigarettes.answer == pytest.approx(10, abs=12)
    assert (cigarettes.low, cigarettes.high) == (-40.0, 40.0)
    assert "each is that of the first group less that of the second" in str(done)
    assert check_results(read_results(tmp_path / "out.json"), made).holds
    stored = json.loads((tmp_path / "out.json").read_text("utf-8"))
    stored["answers"][2]["answer"][1] += 0.01
    (tmp_path / "wrong.json").write_text(json.dumps(stored), "utf-8")
    assert not check_results(read_results(tmp_path / "wrong.json"), made).holds
    with pytest.raises(ValueError, match="has been published with these people"):
        planner.publish(made, records(made), **given)


@pytest.mark.slow
def test_the_noise_is_that_of_the_plan_and_as_private():
    """By OpenDP's map; on every number the scale that the plan states, times people of a group."""
    made = plan()
    asked = items(made)
    promise = promised(made, asked)
    scales = [q.scale for q in made.questions for _ in range(q.times)]
    width = {"cigarettes": 40}
    for item, scale, drawn in zip(asked, scales, promise.scales, strict=True):
        each = scale * (made.participants // 2) * item.steps / width.get(item.name, 1)
        assert each * (1 - 1e-12) <= item.scale <= drawn <= item.scale * (1 + 2 * MOST_GROWTH)
    moved = (2 if item.kind == "histogram" else item.steps for item in asked)
    spent = sum(
        Fraction(one) / Fraction(item.scale) for one, item in zip(moved, asked, strict=True)
    )
    assert spent <= Fraction(repr(made.epsilon))


@pytest.mark.slow
def test_invented_answers_of_both_groups_are_alike():
    """All differences are near 0; the columns and the people of each group are named before."""
    made = plan()
    done = rehearse(made)
    for one in done.answers:
        assert np.max(np.abs(one.numbers)) < one.error * 2
    needed = expected(made)
    names = ["group", "smokes 1", "smokes 2", "pays by", "cigarettes"]
    assert [question.question for question in needed.questions] == names
    assert f"each group needs {made.participants // 2} people" in needed.note
    assert [one.people % 2 for one in needed.fewer] == [0, 0, 0]
    assert needed.fewer[2].errors[0].error > needed.fewer[0].errors[0].error > 0.15


@pytest.mark.slow
def test_of_more_records_as_many_as_planned_are_drawn_of_each_group(tmp_path):
    """With fewer of one they are refused, and so is a word that is no label."""
    made = plan()
    given = {"people": "town", "ledger": tmp_path / "ledger.db"}
    assert look(made, records(made, more=9)).used == made.participants
    few = {name: column[:-4] for name, column in records(made).items()}
    with pytest.raises(ValueError, match=r"second group has \d+ records; the plan is for"):
        planner.publish(made, few, **given)
    few = {name: column[-300:] for name, column in records(made).items()}
    done = planner.publish(made, few, **given, most_error="200%")
    names = few["stratum"]
    assert done.participants == 2 * min(names.count("first"), names.count("second"))
    assert all(one.error > one.planned_error for one in done.answers)
    assert all(one.planned_failure > one.failure for one in done.answers)
    assert check_results(done, made).holds
    given = {"people": "village", "ledger": tmp_path / "other.db"}
    some = {name: [cell for cell, of in zip(column, names, strict=True) if of == "first"]
            for name, column in few.items()}  # fmt: skip
    with pytest.raises(ValueError, match=r"second group has 0 records, .* collect that many"):
        planner.publish(made, some, **given)
    wrong = records(made)
    wrong["pays by"][5] = "cheque"
    with pytest.raises(ValueError, match="not a known word"):
        planner.publish(made, wrong, **given)
    missing = records(made)
    del missing["stratum"]
    with pytest.raises(ValueError, match="group, first or second"):
        planner.publish(made, missing, **given)


@pytest.mark.slow
def test_a_histogram_and_differences_of_it_are_not_compared(tmp_path):
    """One is of proportions and the other of their differences."""
    made = plan()
    alone = planner.solve(
        planner.Study(
            planner.AddedNoise("laplace"),
            planner.Survey([planner.Histogram("pays by", labels=LABELS, error=0.2)], 0.05),
            planner.Individual(12.5),
            [planner.Budget(60_000.0)],
        )
    )
    found = difference(rehearse(made), rehearse(alone))
    reasons = dict(found.not_compared)
    assert "differences between two groups" in reasons["pays by"]


@pytest.mark.slow
def test_groups_have_the_words_of_the_records(tmp_path):
    """Several for a group, in a column of another name; others are refused in a sentence."""
    made = plan()
    words = planner.model.Records(stratum="ward", first=["A", "a"], second=["B"])
    made = planner.solve(dataclasses.replace(made.study, records=words))
    given = records(made)
    given["ward"] = ["Aa"[k % 2] if name == "first" else "B"
                     for k, name in enumerate(given.pop("stratum"))]  # fmt: skip
    done = planner.publish(made, given, people="town", ledger=tmp_path / "ledger.db")
    assert "The first group is A or a, and the second B." in done.notes
    assert done.answers[0].answer == pytest.approx(1 / 3, abs=0.3)
    assert expected(made).questions[0].words == "A, a or B"
    given["ward"][3] = "C"
    with pytest.raises(ValueError, match="not a word for a group, A, a or B; correct it"):
        planner.publish(made, given, people="village", ledger=tmp_path / "other.db")
    with pytest.raises(ValueError, match="'A' means both first and second"):
        planner.model.Records(first=["A"], second=["B", "A"])
    survey = planner.Survey(made.study.survey.questions, failure=0.05)
    with pytest.raises(ValueError, match="words for two groups of equal size"):
        dataclasses.replace(made.study, target=survey)
