"""Another number of people than planned: errors proved for them, and what is refused."""

import math
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import plans
import pytest

import planner
from planner.explanation.results.publication import fewer_rows
from planner.publication.accuracy import accurate, failure_as_planned, with_people
from planner.publication.items import items
from planner.publication.measurement import answers
from planner.publication.publish import write_records
from planner.publication.turnout import Error, turnout, with_fewer
from planner.wording import at_least


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def failure_at(share: float, people: int, epsilon: float, error: float) -> float:
    """Pr[|K/N + Z − p| ≥ T] for K binomial and Laplace noise, added up one count at a time."""
    total = 0.0
    for count in range(people + 1):
        chance = comb(people, count) * share**count * (1 - share) ** (people - count)
        off = count / people - share
        for far in (error - off, error + off):
            tail = math.exp(-people * epsilon * abs(far)) / 2
            total += chance * (tail if far >= 0 else 1 - tail)
    return total


@pytest.mark.parametrize("people", [14, 23, 28, 38])
def test_the_error_is_the_least_of_three_digits(people: int) -> None:
    plan = plans.plan("laplace")
    (item,) = with_people(plan, items(plan), people)
    shares = np.linspace(0, 0.5, 101)

    def worst(error: float) -> float:
        return max(failure_at(p, people, plan.epsilon, error) for p in shares)

    assert worst(item.error) <= item.failure
    assert worst(item.error - 1.001e-3) > item.failure
    found = failure_as_planned(plan, items(plan)[0], people)
    assert found * 0.98 <= worst(0.2) <= found


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["numbers", "gaussian", "geometric", "reports", "words", "gaussian survey"]
)
def test_fewer_people_err_more_and_more_err_less(name: str) -> None:
    plan = plans.plan(name)
    asked = items(plan)
    sizes = [round(plan.participants * part) for part in (0.6, 0.8, 0.95, 1.0, 1.3)]
    found = [[item.error for item in turnout(plan, asked, n, True).asked] for n in sizes]
    for errors in zip(*found, strict=True):
        assert list(errors) == sorted(errors, reverse=True)
    assert found[3] == [item.error for item in asked]
    for one in with_fewer(plan, asked):
        assert accurate(plan, one.asked)
        smaller = [replace(item, error=item.error * 0.98) for item in one.asked]
        assert not accurate(plan, smaller)


@pytest.mark.slow
def test_fewer_are_published_only_where_that_is_allowed(place) -> None:
    plan = plans.plan("laplace")
    path = plans.with_rows(plans.records(place, plan), -1)
    with pytest.raises(ValueError, match=r"for 29 people, and with 28 the error is 0.206") as error:
        planner.publish(plan, path, place / "results.json")
    assert "3%" in str(error.value)
    with pytest.raises(ValueError, match="with 28 the error is"):
        planner.publish(plan, path, place / "results.json", most_error="2%")
    found = planner.publication.look(plan, path)
    assert not found.ready
    assert planner.publication.look(plan, path, most_error="3%").ready
    assert found.errors[0].error == 0.206
    done = planner.publish(plan, path, place / "results.json", most_error=0.206)
    assert (done.participants, done.planned) == (28, 29)
    answer = done.answers[0]
    assert (answer.error, answer.planned_error) == (0.206, 0.2)
    assert answer.planned_failure == failure_as_planned(plan, items(plan)[0], 28)
    assert "Planned were 29" in str(done)
    assert "the study costs" in done.paid
    assert "paid" not in done.to_dict()
    assert planner.publication.Publication.from_dict(done.to_dict()) == done


def test_more_are_drawn_or_all_used(place) -> None:
    plan = plans.plan("laplace")
    path = plans.with_rows(plans.records(place, plan), 3)
    done = planner.publish(plan, path, everyone=True)
    assert (done.participants, done.planned) == (32, 29)
    assert done.answers[0].error < 0.2


@pytest.mark.parametrize(
    ("most_error", "words"),
    [("x", "is not allowed"), (-1, "is not allowed"), ("-1%", "is not allowed"), ("", "allowed")],
)
def test_a_limit_that_is_none_is_refused(place, most_error, words: str) -> None:
    plan = plans.plan("laplace")
    with pytest.raises(ValueError, match=words):
        planner.publish(plan, plans.records(place, plan), most_error=most_error)


def test_of_several_questions_a_limit_is_a_part(place) -> None:
    plan = plans.plan("words")
    with pytest.raises(ValueError, match='as in "10%"'):
        planner.publish(plan, plans.records(place, plan), most_error=0.3)


@pytest.mark.parametrize(
    ("sampling", "records", "words"),
    [
        (planner.Sampling(population=30), 40, "the population has 30"),
    ],
)
def test_not_everyone_can_be_used(sampling, records: int, words: str) -> None:
    study = replace(plans.STUDIES["laplace"], sampling=sampling)
    plan = planner.solve(study)
    with pytest.raises(ValueError, match=words):
        turnout(plan, items(plan), records, everyone=True)


@pytest.mark.slow
def test_nothing_is_certain_of_too_few() -> None:
    plan = plans.plan("laplace")
    with pytest.raises(ValueError, match="no error of 'answer' is certain"):
        turnout(plan, items(plan), 1)
    with pytest.raises(ValueError, match="there are no records"):
        turnout(plan, items(plan), 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["numbers", "survey"])
def test_rounding_is_part_of_the_promise(name: str) -> None:
    """What is published is off from the exact mean of the records by no more than the grain."""
    plan = plans.plan(name)
    planned = next(item for item in items(plan) if item.kind == "mean")
    (item,) = [one for one in turnout(plan, items(plan), plan.participants).asked
               if one.name == planned.name]  # fmt: skip
    assert item.error == planned.error  # the promise is as planned
    question = item.question
    assert item.error == (2.0 if question is None else question.error)
    rng = np.random.default_rng(7)
    values = rng.uniform(item.low, item.high, item.participants)
    scaled = (values - item.low) * (item.steps / (item.high - item.low))
    total = int(np.rint(scaled).astype(np.int64).sum())
    exact = sum(map(Fraction, values.tolist())) / len(values)
    off = abs(Fraction(answers(item, float(total))) - exact)
    assert 0 < off <= item.grain * item.width
    assert accurate(plan, [item])  # at an error that is smaller by the grain
    coarse = replace(item, steps=2**9, scale=item.scale * 2**9 / item.steps)
    assert not accurate(plan, [coarse])


@pytest.mark.slow
def test_fewer_people_of_a_test_leave_less_power() -> None:
    """By the power of so many people, and in words; the error beside it in percentage points."""
    study = planner.Study(
        planner.NoisyCounts(), planner.Power(0.3, 0.5), planner.Individual(2.0),
        costs=planner.Costs(per_person=5.0),
    )  # fmt: skip
    plan = planner.solve(study)
    found = with_fewer(plan, items(plan))
    for one, (name, words) in zip(found, fewer_rows(found), strict=True):
        power = 1 - study.power.floor.achieved(plan.epsilon, one.people, 0.0)
        assert one.power == pytest.approx(power, abs=1e-12)
        assert one.power < plan.power
        assert name.startswith(f"{one.people} people")
        assert words.startswith(f"power {at_least(100 * one.power, 3)} %; ")
        assert f"± {100 * one.errors[0].error:.4g} percentage points" in words
    other = plans.plan("laplace")
    assert all(one.power is None for one in with_fewer(other, items(other)))


def test_an_error_is_larger_for_those_who_answer_and_in_the_unit_of_values() -> None:
    both = Error("age", 1.0, 0.02, None, answer_rate=0.8, width=50.0)
    assert both.of_answered(both.error) == 1.25
    assert Error("smokes", 0.05, 0.05, None).of_answered(0.05) is None


def test_the_error_of_randomised_values_is_in_their_unit() -> None:
    target = planner.Accuracy.of_values(20.0, 0.0, 50.0, 0.1)
    free = planner.Individual(0.0), [planner.EpsilonAtMost(2.0)]
    plan = planner.solve(planner.Study(planner.RandomizedResponse(), target, *free), prove=False)
    assert items(plan)[0].error == 20.0


def test_invented_records_have_a_tenth_without_an_answer(tmp_path) -> None:
    (asked,) = items(plans.plan("answered"))[:1]
    n = asked.participants
    write_records(tmp_path / "invented.csv", [asked], n, 0.3)
    column = [line.strip('"') for line in (tmp_path / "invented.csv").read_text().split()[1:]]
    assert len(column) == n
    assert column.count("") == pytest.approx(n / 10, abs=1)
    assert column.count("ja") == pytest.approx(0.27 * n, abs=1)
