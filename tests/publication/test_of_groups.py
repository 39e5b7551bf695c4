"""Comparisons of two groups, published from records once."""

import json

import numpy as np
import pytest

import planner
from planner.publication.items import Item, items
from planner.publication.look import expected, look
from planner.publication.publish import rehearse


def plan(**target):
    """A plan of two groups, by default of a test."""
    test = not target or "change" in target
    study = planner.Study(
        planner.CountTest() if test else planner.LaplaceMean(),
        planner.Difference(**(target or {"baseline": 0.3, "change": 0.1})),
        planner.Individual(base_cost=12.5, worst_cost=1274.0),
        [planner.Budget(10_000.0)],
        planner.Costs(per_person=5.0, overhead=2000.0),
    )
    return planner.solve(study)


def records(of, first, second, more=0):
    """Records with so many of either group who have the property, in a mixed order."""
    half = of.participants // 2
    rows = [("first", k < first) for k in range(half + more)]
    rows += [("second", k < second) for k in range(half)]
    order = np.random.default_rng(2).permutation(len(rows))
    return {
        "stratum": [rows[k][0] for k in order],
        "answer": [int(rows[k][1]) for k in order],
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "target", [{}, {"baseline": 0.4, "change": -0.1}, {"error": 0.1, "failure": 0.05}]
)
def test_the_difference_is_published_once_and_checked(target, tmp_path):
    """It is near that of the records; the file says the same, and a changed one is found."""
    made = plan(**target)
    half = made.participants // 2
    first, second = round(0.45 * half), round(0.25 * half)
    given = {"people": "town", "ledger": tmp_path / "ledger.db"}
    done = planner.publish(made, records(made, first, second), tmp_path / "out.json", **given)
    (answer,) = done.answers
    assert answer.answer == pytest.approx((first - second) / half, abs=20 / made.epsilon / half)
    assert (answer.low, answer.high, answer.kind) == (-1.0, 1.0, "difference")
    assert done.participants == made.participants
    stored = json.loads((tmp_path / "out.json").read_text("utf-8"))
    stored["answers"][0]["answer"] += 0.01
    (tmp_path / "wrong.json").write_text(json.dumps(stored), "utf-8")
    if made.study.power is None:
        assert answer.test is None
        assert answer.error == 0.1
    else:
        assert answer.test.rejected == (target.get("change", 0.1) > 0)
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
    assert answer.answer == pytest.approx(numbers[0].mean() - numbers[1].mean(), abs=80)
    assert (answer.low, answer.high) == (-200.0, 200.0)
    assert answer.error == pytest.approx(20.0, rel=1e-9)
    invented = [rehearse(made, 0.3).answers[0].answer for _ in range(60)]
    assert np.std(invented) == pytest.approx(2**0.5 * made.scale, rel=0.5)
    assert "numbers from -50 to 150" in str(expected(made))
    rows["answer"][3] = 151.0
    assert "not a number from -50 to 150" in str(look(made, rows))


@pytest.mark.slow
def test_p_values_of_two_groups_are_those_of_the_printed_rule():
    """One over the level is rejected and one under it is not; of more than 1/2 nothing is said."""
    made = plan()
    (item,) = items(made)

    assert isinstance(item, Item)


def test_of_more_records_as_many_as_planned_are_drawn_of_each_group(tmp_path):
    """Twenty more of the first group; with fewer of one the records are refused."""
    made = plan()
    half = made.participants // 2
    given = {"people": "town", "ledger": tmp_path / "ledger.db"}
    seen = look(made, records(made, 100, 100, more=20))
    assert seen.used == made.participants
    done = planner.publish(made, records(made, half + 20, 0, more=20), **given)
    assert abs(done.answers[0].numbers[0] - 1) < 20 / made.epsilon / half
    few = records(made, 100, 100)
    for column in few.values():
        column.pop()
    with pytest.raises(ValueError, match=r"for 393 in each group; .* max_participants = "):
        planner.publish(made, few, people="others", ledger=tmp_path / "other.db")
    few["stratum"][0] = "third"
    with pytest.raises(ValueError, match="not first or second"):
        planner.publish(made, few, people="others", ledger=tmp_path / "other.db")
    with pytest.raises(ValueError, match="group, first or second"):
        planner.publish(made, {"answer": [1]}, people="others", ledger=tmp_path / "other.db")


def test_rehearsed_and_described():
    """Invented records of either group are alike; the columns are named before."""
    made = plan()
    done = rehearse(made)
    assert abs(done.answers[0].numbers[0]) < 20 / made.epsilon / (made.participants // 2)
    needed = expected(made)
    assert [question.question for question in needed.questions] == ["group", "answer"]
    assert needed.fewer == ()
    assert "each group needs 393 people" in needed.note


@pytest.mark.slow
def test_a_margin_is_published_and_checked(tmp_path):
    """Equal groups are not worse by the margin; other p-values and intervals are found."""
    made = plan(baseline=0.3, change=0.0, margin=0.1)
    half = made.participants // 2
    given = {"people": "town", "ledger": tmp_path / "ledger.db"}
    done = planner.publish(
        made, records(made, round(0.35 * half), round(0.3 * half)), tmp_path / "out.json", **given
    )
    test = done.answers[0].test
    assert (test.null, test.side, test.rejected) == (-0.1, "over", True)
    assert test.interval[0] > -0.1
    assert "rejects that the first proportion is smaller by 10 percentage points" in str(done)
    stored = json.loads((tmp_path / "out.json").read_text("utf-8"))
    for key, other in (("p_value", test.p_value / 2), ("interval", [0.2, 1.0]), ("null", 0.0)):
        changed = json.loads(json.dumps(stored))
        changed["answers"][0]["test"][key] = other
        (tmp_path / "wrong.json").write_text(json.dumps(changed), "utf-8")
