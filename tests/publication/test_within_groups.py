"""Shares in groups that people report: published within their errors, however small a group is."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from planner.mechanisms.several.by_group import ByGroupFloor
from planner.numbers import decimal
from planner.publication import look, read_results
from planner.publication.items import items
from planner.publication.publish import publish, rehearse
from planner.publication.published import Published
from planner.publication.records import RecordsError, sums_of
from planner.publication.within_groups import NOTHING, within_groups
from planner.wording import at_most
from tests.publication import plans

NAMES = ["by group", "gaussian by group"]


@pytest.fixture(scope="module")
def plan():
    return plans.plan("by group")


def records_of(n: int, groups: list[str], yes: list[str]) -> dict[str, list[str]]:
    whole = {"age": groups, "Q7": yes, "drinks": ["1", "0"] * n}
    return {name: (column * n)[:n] for name, column in whole.items()}


def test_both_columns_are_counted(plan) -> None:
    """Yes and no of the first group, then of the second."""
    asked = items(plan)
    assert asked[0].columns == ("Q7", "age")
    assert asked[0].sensitivity == 2.0
    n = plan.participants
    ages, answers = ["18-24", " 25-34 ", "25-34", "35+"], ["ja", "no", "ja", "0"]
    found = sums_of(records_of(n, ages, answers), asked, n)["smokes"]
    quarter = [(n + 3 - k) // 4 for k in range(4)]
    assert found.tolist() == [quarter[0], 0, quarter[2], quarter[1], 0, quarter[3]]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_results_are_within_their_errors_and_hold_when_checked(name, tmp_path) -> None:
    plan = plans.plan(name)
    n = plan.participants
    path, ledger = tmp_path / "results.json", tmp_path / "ledger.sqlite"
    ages = ["18-24"] * 6 + ["25-34"] * 4
    records = records_of(n, ages, ["ja", "no"])
    done = publish(plan, records, path, people="some", ledger=ledger)
    (smokes, _) = done.answers
    assert smokes.groups == ("18-24", "25-34", "35+")
    assert smokes.share_at_least == 0.2
    for row in smokes.rows[:2]:
        assert abs(row.number - 0.5) < 0.4
        assert row.interval[0] <= 0.5 <= row.interval[1]
        low, high = map(decimal, row.interval)  # as decimals: doubles round their difference
        assert high - low <= 2 * decimal(row.error)
    assert [smokes.rows[2].number, *smokes.intervals[2]] == NOTHING
    assert read_results(path).answers == done.answers
    words = str(done)
    assert "too few people for any statement" in " ".join(words.split())
    assert "in every group of at least 20 % of the people" in " ".join(words.split())
    for ending in (".md", ".html"):
        assert "not known" in done.text(ending)
    rows = list(csv.DictReader(done.text(".csv").splitlines()))
    assert rows[2]["interval_low"] == "0.0"
    assert float(rows[0]["error"]) == smokes.rows[0].error


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("age", "36", "column age: not a known word"),
        ("age", "", "column age: the value is missing"),
        ("Q7", "perhaps", "give it in yes or no of the study file"),
        ("Q7", "", "column Q7: the value is missing"),
    ],
)
def test_wrong_cells_are_named_by_their_column(plan, column, value, words) -> None:
    records = records_of(plan.participants, ["18-24", "25-34"], ["ja", "no"])
    records[column][7] = value
    with pytest.raises(RecordsError, match=words) as refused:
        sums_of(records, items(plan), plan.participants)
    assert "36" not in str(refused.value).replace("of 36", "")


def test_a_missing_column_of_groups_is_named(plan) -> None:
    records = records_of(plan.participants, ["18-24"], ["ja"])
    del records["age"]
    assert "age" in " ".join(look(plan, records).wrong)


def test_groups_that_nobody_has_are_told_to_those_who_hold_the_records(plan) -> None:
    looked = look(plan, records_of(plan.participants, ["18-24", "25-34"], ["ja"]))
    assert looked.questions[0].never == ("35+",)


def test_a_rehearsal_has_as_many_in_each_group(plan) -> None:
    (smokes, _) = rehearse(plan, 0.3).answers
    assert len(smokes.rows) == 3
    assert sum(smokes.people) == pytest.approx(1, abs=0.5)


def test_with_fewer_people_the_error_is_larger_and_proved(plan) -> None:
    n = plan.participants - plan.participants // 10
    looked = look(plan, records_of(n, ["18-24"], ["ja"]), most_error="30%")
    assert looked.ready
    assert 0.4 < looked.errors[0].error <= 0.5
    assert at_most(looked.errors[0].planned_failure) != "0"


def test_a_group_without_people_in_it_is_half_way_from_every_proportion() -> None:
    plan = plans.plan("by group")
    asked = items(plan)[0]
    least = plan.study.survey.questions[0].share_at_least
    cells = [0.3, 0.1, 0.0, 0.0, -0.01, 0.005, 0.3, -0.01, *[0.1] * (asked.groups - 8)]
    large, empty, under, all_yes, *_ = within_groups(asked, least, cells)
    assert large[0] == pytest.approx(0.75)
    assert large[1] < 0.75 < large[2]
    assert empty == under == NOTHING
    assert all_yes[0] == all_yes[2] == 1.0 > all_yes[1]


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_the_promise_and_all_intervals_hold_together(noise) -> None:
    """Many studies with tiny, large and empty groups, of random and of extreme shares."""
    rng = np.random.default_rng(11)
    n, groups, least, failure = 2000, 5, 0.1, 0.2
    floor = ByGroupFloor(groups, least, 0.2, failure, noise == "gaussian")
    rate = float(floor.epsilon(float(n), 0.0))
    sensitivity = 2**0.5 if noise == "gaussian" else 2.0
    asked = plans.plan("gaussian by group" if noise == "gaussian" else "by group")
    item = replace(
        items(asked)[0], groups=2 * groups, error=0.2, failure=failure, participants=n,
        scale=sensitivity / rate,
    )  # fmt: skip
    runs, missed = 400, 0
    told = 0
    for _ in range(runs):
        sizes = np.sort(rng.dirichlet(rng.choice([0.1, 1.0], groups)))
        yes = rng.choice([0.0, 0.5, 1.0, rng.random()], groups)
        truth = np.stack([sizes * yes, sizes * (1 - yes)], axis=1).ravel()
        counts = rng.multinomial(n, truth / truth.sum())
        draw = rng.normal if noise == "gaussian" else rng.laplace
        published = ((counts + draw(0, item.scale, 2 * groups)) / n).tolist()
        found = within_groups(item, least, published)
        held = all(low <= p <= high for (_, low, high), p in zip(found, yes, strict=True))
        near = all(
            abs(x - p) < 0.2
            for (x, *_), p, size in zip(found, yes, sizes, strict=True)
            if size >= least
        )
        missed += not (held and near)
        told += sum(ends != NOTHING[1:] for _, *ends in found)
    assert missed / runs <= failure / 4  # the bound is not sharp
    assert told > runs  # and most say something


def test_the_error_of_a_group_covers_its_interval() -> None:
    """The farther end is 0.28490000000000001 away: a double would round that down."""
    interval = [0.21509999999999999, 0.7849]
    cells, noise = [0.1, 0.1], ("geometric", 1.0)
    one = Published("q", "histogram", [0.5], 0.4, 0.05, *noise, interval=[interval], cells=cells)
    assert one.rows[0].error == 0.285
