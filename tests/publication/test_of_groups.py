"""Comparisons of two groups, published from records once."""

import json

import numpy as np
import pytest

import planner
from planner.mechanisms.noisy_counts import sizes_of
from planner.publication.compared import comparison
from planner.publication.look import expected, look
from planner.publication.of_groups import group_plans
from planner.publication.publish import rehearse
from planner.publication.published import Published


def plan(**target):
    """A plan of two groups, by default of a test."""
    study = planner.Study(
        planner.NoisyCounts(),
        planner.Difference(**(target or {"baseline": 0.3, "change": 0.3})),
        planner.Individual(base_cost=12.5, worst_cost=1274.0),
        [planner.Budget(10_000.0)],
        planner.Costs(per_person=5.0, overhead=2000.0),
    )
    return planner.solve(study)


def sizes(of):
    return sizes_of(of.participants, of.study.target.ratio)


def records(of, first, second, more=0):
    """Records with so many of either group who have the property, in a mixed order."""
    people, others = sizes(of)
    rows = [("first", k < first) for k in range(people + more)]
    rows += [("second", k < second) for k in range(others)]
    order = np.random.default_rng(2).permutation(len(rows))
    return {
        "stratum": [rows[k][0] for k in order],
        "answer": [int(rows[k][1]) for k in order],
    }


def test_each_group_has_the_noise_of_its_own_size():
    of = plan(baseline=0.2, change=0.5, ratio=2.0)
    first, second = group_plans(of)
    assert (first.participants, second.participants) == sizes(of)
    for one in (first, second):
        assert one.scale * one.participants * of.epsilon == pytest.approx(1.0)


@pytest.mark.parametrize("sides", [1, 2])
def test_the_error_of_a_tested_difference_reaches_the_farther_end_of_its_interval(sides):
    """Three digits of it, rounded up; the interval is on both sides, whatever the test."""
    target = planner.Difference(baseline=0.3, change=0.2, sides=sides)
    study = planner.Study(planner.NoisyCounts(), target, planner.Individual(1.0))
    shares = [
        Published(name, "share", share, 0.1, 0.05, "geometric", 2.0, share, participants=people)
        for name, share, people in (("first", 0.06, 50), ("second", 0.35, 80))
    ]
    (difference,) = comparison(study, 0.5, shares)
    low, high = difference.interval
    assert difference.answer == pytest.approx(0.29)
    farther = max(difference.answer - low, high - difference.answer)
    assert abs(high + low - 2 * difference.answer) > 0.002  # one end is farther
    assert farther <= difference.error <= farther + 0.001


@pytest.mark.slow
@pytest.mark.parametrize(
    "target",
    [{}, {"baseline": 0.6, "change": -0.3, "ratio": 2.0}, {"error": 0.15, "failure": 0.05}],
)
def test_both_counts_are_published_once_with_their_difference(target, tmp_path):
    """Near those of the records; each group's noise is its own, and the ledger refuses again."""
    made = plan(**target)
    people, others = sizes(made)
    first, second = round(0.05 * people), round(0.95 * others)
    given = {"people": "town", "ledger": tmp_path / "ledger.db"}
    done = planner.publish(made, records(made, first, second), tmp_path / "out.json", **given)
    one, other, difference = done.answers
    assert one.answer == pytest.approx(first / people, abs=20 / made.epsilon / people)
    assert other.answer == pytest.approx(second / others, abs=20 / made.epsilon / others)
    assert [each.name for each in done.answers] == ["first", "second", "difference"]
    assert difference.answer == pytest.approx(other.answer - one.answer)
    assert done.participants == made.participants == people + others
    assert done.epsilon == made.epsilon
    assert one.scale == pytest.approx(1 / made.epsilon)
    assert (1 - one.failure) * (1 - other.failure) >= 1 - done.failure
    stored = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert stored["answers"][2]["answer"] == difference.answer
    if made.study.power is None:
        assert difference.test is None
        assert difference.error == 0.15
    else:
        assert difference.test.rejected == (target.get("change", 0.3) > 0)
    with pytest.raises(ValueError, match="has been published with these people"):
        planner.publish(made, records(made, first, second), **given)


@pytest.mark.slow
def test_a_difference_of_means_is_published_in_the_unit_of_the_numbers(tmp_path):
    """Near that of the records, with noise as planned; a number out of range is refused."""
    study = planner.Study(
        planner.LaplaceMean(),
        planner.Difference.of_values(20.0, -50, 150, 0.05),
        planner.Individual(base_cost=12.5, worst_cost=1274.0),
        [planner.Budget(10_000.0)],
        planner.Costs(per_person=5.0, overhead=2000.0),
    )
    made = planner.solve(study)
    half, rng = made.participants // 2, np.random.default_rng(3)
    numbers = [rng.uniform(-20, 140, half), rng.uniform(-50, 60, half)]
    rows = {"stratum": ["first"] * half + ["second"] * half, "answer": np.concatenate(numbers)}
    given = {"people": "town", "ledger": tmp_path / "ledger.db"}
    done = planner.publish(made, rows, tmp_path / "out.json", **given)
    (answer,) = done.answers
    assert answer.answer == pytest.approx(numbers[1].mean() - numbers[0].mean(), abs=80)
    assert (answer.low, answer.high) == (-200.0, 200.0)
    assert answer.error == pytest.approx(20.0, rel=1e-9)
    invented = [rehearse(made, 0.3).answers[0].answer for _ in range(60)]
    assert np.std(invented) == pytest.approx(2**0.5 * made.scale, rel=0.5)
    assert "numbers from -50 to 150" in str(expected(made))
    rows["answer"][3] = 151.0
    assert "not a number from -50 to 150" in str(look(made, rows))


@pytest.mark.slow
def test_of_more_records_as_many_as_planned_are_drawn_of_each_group(tmp_path):
    """Twenty more of the first group; with fewer of one the records are refused, or allowed."""
    made = plan()
    people, _ = sizes(made)
    given = {"people": "town", "ledger": tmp_path / "ledger.db"}
    seen = look(made, records(made, 10, 10, more=20))
    assert seen.used == made.participants
    done = planner.publish(made, records(made, people + 20, 0, more=20), **given)
    assert abs(done.answers[0].numbers[0] - 1) < 20 / made.epsilon / people
    few = records(made, 10, 10)
    for column in few.values():
        column.pop()
    with pytest.raises(ValueError, match=r"group .*the plan is for .*--most-error "):
        planner.publish(made, few, people="others", ledger=tmp_path / "other.db")
    fewer = planner.publish(
        made, few, people="some", ledger=tmp_path / "third.db", most_error="20%"
    )
    assert fewer.participants == made.participants - 1
    assert fewer.answers[2].test.significance == 0.05
    few["stratum"][0] = "third"
    with pytest.raises(ValueError, match="not first or second"):
        planner.publish(made, few, people="others", ledger=tmp_path / "other.db")
    with pytest.raises(ValueError, match="group, first or second"):
        planner.publish(made, {"answer": [1]}, people="others", ledger=tmp_path / "other.db")


@pytest.mark.slow
def test_rehearsed_and_described():
    """Invented records of either group are alike; the columns are named before."""
    made = plan()
    people, others = sizes(made)
    done = rehearse(made)
    assert abs(done.answers[2].numbers[0]) < 40 / made.epsilon / people
    needed = expected(made)
    assert [question.question for question in needed.questions] == ["group", "answer"]
    assert f"the first group needs {people} people" in needed.note
    assert f"{others}" in needed.note


@pytest.mark.slow
def test_a_test_of_a_margin_is_published(tmp_path):
    """Equal groups are not worse by the margin."""
    made = plan(baseline=0.3, change=0.0, margin=0.2)
    people, others = sizes(made)
    given = {"people": "town", "ledger": tmp_path / "ledger.db"}
    done = planner.publish(
        made, records(made, round(0.3 * people), round(0.7 * others)), tmp_path / "out.json",
        **given,
    )  # fmt: skip
    test = done.answers[2].test
    assert (test.null, test.side, test.rejected) == (-0.2, "over", True)
    assert test.interval[0] > -0.2
    assert "rejects that the second proportion is smaller by 20 percentage points" in str(done)
