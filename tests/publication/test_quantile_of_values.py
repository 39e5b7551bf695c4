"""A quantile of values: a median age, read from ages and published as an age."""

import math
from pathlib import Path

import numpy as np
import pytest

import planner
from planner.answer.answers import Plan
from planner.publication.published import Published

AGES = [18, 19, 25, 25, 31, 40, 44, 52, 90, 17.5 + 0.5]

EVERYONE = planner.Sampling(population=len(AGES))


def planned(**asked) -> Plan:
    """A plan so loose in ε that the noise moves nothing."""
    one = planner.Quantile("age", error=0.05, **asked)
    answer = planner.solve(
        planner.Study(
            target=planner.Survey([one], failure=1e-9),
            mechanism=planner.AddedNoise(),
            individual=planner.Individual(0.0),
            conditions=[planner.MinParticipants(len(AGES)), planner.EpsilonAtMost(500.0)],
            costs=planner.Costs(per_person=1.0),
            sampling=EVERYONE,
        ),
        prove=False,
    )
    assert answer.verdict == "feasible"
    return answer


def published(folder: Path, rows: list[object], **asked) -> Published:
    path = folder / "ages.csv"
    path.write_text("\n".join(["age", *map(str, rows)]) + "\n")
    return planner.publish(planned(**asked), path, ledger=folder / "ledger").answers[0]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"low": 18, "high": 90, "step": 1}, (25.0, 31.0)),
        ({"low": 18.0, "high": 90.0, "step": 0.5}, (25.0, 30.5, 31.0)),
        ({"candidates": [18, 30, 60, 90]}, (30.0, 60.0)),
        ({"low": 18, "high": 90, "step": 1, "at": 0.9}, (52.0, 90.0)),
    ],
)
def test_the_answer_is_a_value_whose_rank_is_asked(tmp_path, asked, expected) -> None:
    one = published(tmp_path, AGES, **asked)
    (value,) = one.numbers
    before = max(
        (x for x in planner.Quantile("age", error=0.05, **asked).values if x < value), default=-1.0
    )
    below, upto = (np.mean([age <= x for age in AGES]) for x in (before, value))
    at = asked.get("at", 0.5)
    assert below <= at <= upto
    assert expected[0] <= value <= expected[-1]
    assert "values from 18 to 90" in one.chosen


def test_an_empty_cell_counts_as_its_value(tmp_path: Path) -> None:
    asked = {"low": 18, "high": 90, "step": 1, "missing": 60}
    one = published(tmp_path, [*AGES[:4], *['""'] * 6], **asked)
    assert one.answer == 60.0


@pytest.mark.parametrize("age", [17, 91, "x"])
def test_a_value_out_of_the_range_is_refused_with_its_line(tmp_path, age) -> None:
    with pytest.raises(ValueError, match=r"line 11, column age: not a number"):
        published(tmp_path, [*AGES[:9], age], low=18, high=90, step=1)


def test_a_census_needs_noise_alone() -> None:
    n, k, failure, error = 500, 73, 0.05, 0.1
    mechanism = planner.Quantile("age", error=error, candidates=k).mechanism
    floor = mechanism.floor(error, failure, planner.Sampling(population=n).sample)
    drawn = 2 * math.log((k - 1) * (1 - failure) / failure) / (n * error)
    assert floor.epsilon(n, 0.0) == pytest.approx(drawn, rel=1e-9)
    assert floor.epsilon(n - 1, 0.0) > drawn * (1 + 1e-4)


def test_candidates_that_cannot_be_are_refused_with_what_to_give() -> None:
    for asked, words in [
        ({}, "give low, high and step"),
        ({"low": 18, "high": 90}, "give low, high and step"),
        ({"candidates": 5, "step": 1}, "give one of them"),
        ({"low": 18, "high": 90, "step": 7}, "give high = 95"),
        ({"low": 90, "high": 18, "step": 1}, "give low < high"),
        ({"low": 0, "high": 1e6, "step": 1}, "at most 100,000"),
        ({"candidates": [3, 2]}, "rising numbers"),
        ({"candidates": [3]}, "from 2 to 100,000"),
        ({"candidates": 1}, "from 2 to 10\\^9"),
        ({"candidates": 5, "error": 0.6}, "from 1e-60 to 0.5"),
        ({"candidates": [1, 5], "missing": 6}, "give the value"),
    ]:
        with pytest.raises(ValueError, match=words):
            planner.Quantile(**{"name": "age", "error": 0.1, **asked})


@pytest.mark.parametrize("sampling", [{"population": 100}, {"population": 400}])
def test_fewer_runs_fail_than_the_bound_says_of_a_population(sampling) -> None:
    study = planner.Study(
        target=planner.Survey([planner.Quantile("age", error=0.1, candidates=20)], failure=0.1),
        mechanism=planner.AddedNoise(),
        individual=planner.Individual(1.0),
        conditions=[planner.EpsilonAtMost(2.0)],
        sampling=planner.Sampling(**sampling),
    )
    plan = planner.solve(study, prove=False)
    runs = planner.simulate(plan, runs=4_000, seed=1)
    assert runs.failures <= 4_000 * 0.1
