"""Shares among those who answer: within their errors, in everything that is written."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.publication import read_results
from planner.publication.answered import among_answered, possible_of_all
from planner.publication.intervals import interval
from planner.publication.items import items
from planner.publication.publish import publish
from planner.publication.records import RecordsError, sums_of
from planner.wording import percent_at_most
from tests.publication import plans

FIRST = "yes, of those who answer"


@pytest.fixture(scope="module")
def plan():
    return plans.plan("answered")


@pytest.fixture
def done(plan, tmp_path):
    return publish(plan, plans.records(tmp_path, plan, 0.3), ledger=tmp_path / "ledger.sqlite")


@pytest.mark.slow
def test_the_quotient_is_within_its_error_and_its_interval() -> None:
    """At random truths and errors, the largest and at both ends of the range among them."""
    rng = np.random.default_rng(7)
    for _ in range(2000):
        yes, no, _ = rng.dirichlet(rng.choice([0.2, 1.0, 5.0], 3))
        error = float(rng.choice([0.001, 0.05, 0.3]))
        off = rng.choice([-0.9999, -0.5, 0.0, 0.9999], 2) * error
        answer = [float(yes + off[0]), float(no + off[1])]
        ends = [[max(x - error, 0.0), min(x + error, 1.0)] for x in answer]
        found = among_answered(error, answer, ends)
        if sum(answer) <= 0:
            assert found is None
            continue
        share, own, low, high = found
        truth = yes / (yes + no)
        assert 0 <= low <= share <= high <= 1
        assert abs(share - truth) < own or own == 1.0
        assert low <= truth <= high
        # what is planned: with t = T·r, all truths of r or more who answer are within T
        assert abs(share - truth) < error / (yes + no) * (1 + 1e-12)


def test_an_interval_is_the_least_that_the_two_allow() -> None:
    """Its ends are those of a grid over the box of both."""
    for ends in ([[0.1, 0.3], [0.4, 0.7]], [[0.0, 0.2], [0.0, 0.1]], [[0.0, 0.0], [0.3, 0.5]]):
        yes, no = (np.linspace(*one, 301) for one in ends)
        both = yes[:, None] + no
        shares = (yes[:, None] / np.where(both > 0, both, 1))[both > 0]
        answer = [sum(one) / 2 for one in ends]
        _, _, low, high = among_answered(0.1, answer, ends)
        assert low == pytest.approx(shares.min(), abs=1e-12)
        assert high == pytest.approx(shares.max(), abs=1e-12)


@pytest.mark.parametrize("part", [0.05, 0.3, 0.5, 0.9])
def test_a_plan_keeps_its_promise_where_as_many_answer_as_planned(plan, part: float) -> None:
    """Drawn here with the plan's noise: off by 0.25 or more no oftener than the plan says."""
    (item, *_), runs, n = items(plan), 20_000, plan.participants
    rng = np.random.default_rng(11)
    rate = item.answer_rate
    counts = rng.multinomial(n, [rate * part, rate * (1 - part), 1 - rate], runs)[:, :2]
    noisy = counts + rng.laplace(scale=item.scale, size=counts.shape)
    share = np.clip(noisy[:, 0] / noisy.sum(axis=1), 0, 1)
    missed = np.mean((np.abs(share - part) >= 0.25) | (noisy.sum(axis=1) <= 0))
    assert missed <= item.failure + 4 * (item.failure / runs) ** 0.5
    # and with fewer the error beside the share holds as often
    counts = rng.multinomial(n, [0.3 * part, 0.3 * (1 - part), 0.7], 2000)[:, :2]
    noisy = (counts + rng.laplace(scale=item.scale, size=counts.shape)) / n
    found = [among_answered(item.error, x, [[0, 1], [0, 1]]) for x in noisy.tolist()]
    off = [one is not None and abs(one[0] - part) >= one[1] for one in found]
    assert np.mean(off) <= item.failure + 4 * (item.failure / 2000) ** 0.5


def test_records_are_counted_as_yes_as_no_and_as_neither(plan, tmp_path) -> None:
    item, *others = items(plan)
    n = plan.participants
    cells = [("ja", "no", "", " ja ")[k % 4] for k in range(n)]
    records = {"Q7": cells, **{one.column: [0] * n for one in others}}
    yes = sum(cell.strip() == "ja" for cell in cells)
    counted = sums_of(records, [item, *others], n)[item.name]
    assert counted.tolist() == [yes, cells.count("no")]
    assert item.told == "yes: ja; no: 0, false, no; empty: no answer"
    with pytest.raises(RecordsError, match="give it in yes or no"):
        sums_of({**records, "Q7": ["Ja", *cells[1:]]}, [item, *others], n)


@pytest.mark.slow
def test_what_is_published_is_the_quotient_and_says_when_the_planned_error_holds(done) -> None:
    one = done.answers[0]
    yes, no = (min(max(x, 0.0), 1.0) for x in one.numbers)
    over = max(yes + no - 1, 0.0)  # noise may move both together over all people
    yes, no = yes - over / 2, no - over / 2
    share, error, low, high = one.answered
    assert share == pytest.approx(yes / (yes + no))
    assert one.error / (yes + no) <= error <= one.error / (yes + no) * 1.001
    assert (one.fitted, one.groups) == (None, ("yes", "no"))
    text = str(done)
    assert f"smokes, {FIRST}" in " ".join(text.split())
    assert "± 0.25 if at least 80 % of all do" in " ".join(text.split())
    table = list(csv.DictReader(io.StringIO(done.text(".csv"))))
    assert [row["group"] for row in table[:3]] == [FIRST, "yes, of all", "no, of all"]
    first = [float(table[0][key]) for key in ("answer", "error", "interval_low", "interval_high")]
    assert first == [share, error, low, high]
    for ending in (".md", ".html"):
        assert FIRST in done.text(ending)


def test_results_are_read_and_checked_again(done, plan, tmp_path) -> None:
    done.save(tmp_path / "r.json")
    done.save(tmp_path / "r.png", "smokes")
    again = read_results(tmp_path / "r.json")
    assert again == done
    one = done.answers[0]
    for changed, words in (
        ({"answered": [0.5]}, "has not four numbers"),
        ({"answer_rate": 2.0}, "is no proportion or mean of those who answer"),
        ({"answer_rate": None}, "is no proportion or mean of those who answer"),
    ):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.json"
        replace(done, answers=(replace(one, **changed), *done.answers[1:])).save(path)
        with pytest.raises(ValueError, match=words):
            read_results(path)


def test_fewer_people_have_larger_errors_of_both(plan, tmp_path) -> None:
    path = plans.with_rows(plans.records(tmp_path, plan, 0.3), -10)
    done = publish(plan, path, ledger=tmp_path / "ledger.sqlite", most_error="50%")
    one = done.answers[0]
    assert one.error > one.planned_error == 0.2
    assert one.answered[1] >= one.error / sum(one.numbers)


def test_intervals_of_those_who_answer_follow_from_those_of_all(done, plan) -> None:
    one, item = done.answers[0], items(plan)[0]
    again = interval(replace(item, scale=one.scale), plan.study.sampling.sample, one.answer)
    assert one.answered == among_answered(one.error, one.answer, again)


def test_what_fewer_people_mean_is_told_of_those_who_answer(plan) -> None:
    expected = planner.publication.expected(plan)
    errors = [one.errors[0] for one in expected.fewer]
    shown = " ".join(str(expected).split())
    for error in errors:
        assert error.of_answered(error.error) == pytest.approx(error.error / 0.8)
        points = [percent_at_most(x).removesuffix(" %") for x in (error.error, error.error / 0.8)]
        assert f"± {points[0]} percentage points of all, ± {points[1]} of those" in shown
    assert errors[-1].error > 0.2
    assert expected.fewer[0].errors[1].of_answered(0.2) is None


def test_yes_of_those_who_answer_is_no_less_than_yes_of_all() -> None:
    """Where noise moves the sum over 1, the nearest possible proportions are as near the truth."""
    rng = np.random.default_rng(5)
    for _ in range(2000):
        yes, no, _ = rng.dirichlet([1.0, 1.0, 0.05])
        error = float(rng.choice([0.01, 0.2]))
        answer = [float(x + error * rng.uniform(-0.999, 0.999)) for x in (yes, no)]
        possible = possible_of_all(answer)
        assert min(possible) >= 0
        assert sum(possible) <= 1 + 1e-12
        assert all(abs(x - y) < error for x, y in zip(possible, (yes, no), strict=True))
        found = among_answered(error, answer, [[0.0, 1.0], [0.0, 1.0]])
        assert found is None or found[0] >= possible[0] - 1e-12
