"""One answer for all people of strata alone: its noise, its privacy, its publication and checks."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import planner
from planner.answer.answers import TotalPlan
from planner.answer.strata.together import plans_of
from planner.cli import run
from planner.model.strata import Stratum, weights
from planner.numbers import decimal
from planner.publication.earlier import by_stratum
from planner.publication.ledger import entries
from planner.publication.parts import counted_in, parts_of
from planner.publication.records import RecordsError, Sums
from planner.publication.together import error_for_all, failure_as_planned, with_one_noise

STRATA = (
    Stratum("City", people=40_000),
    Stratum("Süd", people=5_000, per_person=15.0),
    Stratum("East", people=5_000, base_cost=25.0),
)
STEPS = 2**50


def plan_of(target=None, strata=STRATA) -> TotalPlan:
    found = planner.solve(
        planner.Study(
            planner.LaplaceMean(), target or planner.Accuracy(0.1, 0.1),
            planner.Individual(12.5, 1274.0), (), planner.Costs(per_person=5.0, overhead=100.0),
            strata=strata,
        )
    )  # fmt: skip
    assert isinstance(found, TotalPlan)
    return found


@pytest.fixture(scope="module")
def plan():
    return plan_of()


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def records(plan, less: int = 0, seed: int = 1) -> pd.DataFrame:
    """As many people of each stratum as planned, or fewer of the first, in mixed order."""
    names = [one.name for one in plan.strata for _ in range(one.participants)][less:]
    random = np.random.default_rng(seed)
    random.shuffle(names)
    return pd.DataFrame({"stratum": names, "answer": random.integers(0, 2, len(names))})


def asked_of(plan):
    """The item of each stratum with all of its people."""
    return [counted_in(part, part.plan.participants).asked[0] for part in parts_of(plan)]


@pytest.mark.slow
def test_the_plan_is_laplace_of_the_planned_scale(plan) -> None:
    asked = asked_of(plan)
    ones = [item.participants // 3 for item in asked]
    sums = [Sums({item.name: n}) for item, n in zip(asked, ones, strict=True)]
    parts = zip(weights(plan.study), ones, asked, strict=True)
    mean = float(sum(w * Fraction(n, item.participants) for w, n, item in parts))
    drawn = [with_one_noise(plan, asked, sums) for _ in range(2_000)]
    noise = np.array([one.value - mean for one in drawn]) / plan.scale
    assert np.mean(np.abs(noise)) == pytest.approx(1, abs=0.12)  # five times the deviation, 0.022
    assert np.mean(noise) == pytest.approx(0, abs=0.16)
    assert np.mean(np.abs(noise) > np.log(4)) == pytest.approx(0.25, abs=0.05)
    assert drawn[0].scale == pytest.approx(plan.scale, rel=1e-9)


@pytest.mark.slow
def test_a_person_of_any_stratum_moves_the_number_by_their_own_epsilon(plan) -> None:
    """Exactly: each pair of neighbouring counts, as whole steps over the scale that is drawn."""
    asked, half = asked_of(plan), []
    sums = [Sums({item.name: 0}) for item in asked]
    scale = decimal(with_one_noise(plan, asked, sums).scale)
    for at, weight in enumerate(weights(plan.study)):
        own, n = decimal(plan.strata[at].epsilon), asked[at].participants
        places = [round(weight * Fraction(k, n) * STEPS) for k in range(n + 1)]
        # beside any sum of the others the rounding moves each end by less than a step
        moved = max(b - a for a, b in pairwise(places)) + 1
        lost = Fraction(moved) / STEPS / scale
        assert lost <= own
        half.append(lost / own)
    assert min(half) > Fraction(999, 1000)  # and no ε is wasted


def test_fewer_people_have_more_noise_and_the_same_epsilon(plan) -> None:
    asked = asked_of(plan)
    few = [replace(asked[0], participants=asked[0].participants // 2), *asked[1:]]
    drawn = with_one_noise(plan, few, [Sums({item.name: 0}) for item in few])
    weight, own = weights(plan.study)[0], decimal(plan.strata[0].epsilon)
    assert decimal(drawn.scale) * own >= weight / few[0].participants
    assert drawn.scale == pytest.approx(2 * plan.scale, rel=0.02)  # of an odd number of people
    assert failure_as_planned(plan, few, drawn.scale) > plan.failure


def test_the_one_noise_of_means_is_in_the_unit_of_the_values() -> None:
    """From 20 to 60: of all people at half of the range 40, with the planned noise."""
    plan = plan_of(planner.Accuracy.of_values(4.0, 20, 60, 0.1))
    asked = asked_of(plan)
    sums = [Sums({item.name: item.participants * item.steps // 2}) for item in asked]
    drawn = with_one_noise(plan, asked, sums)
    assert drawn.scale == pytest.approx(plan.scale, rel=1e-9)
    assert abs(drawn.value - 40) < 40 * plan.scale  # but for a chance of e^-40


SMALL = (Stratum("Town", people=90_000), Stratum("Isle", people=1_000))


@pytest.mark.slow
def test_a_person_less_of_a_small_stratum_costs_hardly_any_accuracy() -> None:
    """One of a few people counts much more, but no more than the weight of all of them."""
    small = plan_of(strata=SMALL)
    sizes = [one.participants for one in small.strata]
    scale = small.scale * sizes[1] / (sizes[1] - 1)
    planned, fewer = (
        [replace(item, participants=n) for item, n in zip(asked_of(small), these, strict=True)]
        for these in (sizes, [sizes[0], sizes[1] - 1])
    )
    whole, less = error_for_all(small, planned, scale), error_for_all(small, fewer, scale)
    weight = float(weights(small.study)[1])
    assert whole <= less <= 1.01 * (whole + weight / sizes[1])
    missed = failure_as_planned(small, fewer, scale)
    assert missed < 1
    random, runs = np.random.default_rng(5), 40_000
    shares = [float(w) for w in weights(small.study)]
    counts = [(sizes[0], 0.5), (sizes[1] - 1, 0.5)]
    off = random.laplace(0, scale, runs) + sum(
        w * (random.binomial(n, p, runs) / n - p) for w, (n, p) in zip(shares, counts, strict=True)
    )
    spare = 4 * (small.study.accuracy.failure / runs) ** 0.5
    assert np.mean(np.abs(off) >= less) <= small.study.accuracy.failure + spare
    assert np.mean(np.abs(off) >= small.study.accuracy.error) <= missed + spare


@pytest.mark.slow
def test_it_is_published_once_and_its_results_hold(plan, place) -> None:
    done = planner.publish(plan, records(plan), place / "results.json", people="town")
    (one,) = done.answers
    assert (one.name, one.kind, one.stratum) == ("all people", "share", "")
    assert (one.error, one.failure, done.failure) == (0.1, 0.1, 0.1)
    assert one.scale == (plan.scale and pytest.approx(plan.scale, rel=1e-9))
    assert [s.name for s in done.strata] == ["City", "Süd", "East"]
    assert [s.epsilon for s in done.strata] == [s.epsilon for s in plan.strata]
    table = records(plan)
    known = zip(weights(plan.study), plan.strata, strict=True)
    mean = sum(float(w) * table[table.stratum == s.name].answer.mean() for w, s in known)
    assert abs(one.answer - mean) < 0.1  # but with a probability far below 1 in 1,000
    (entry,) = entries()
    assert by_stratum(entry) == {s.name: s.epsilon for s in plan.strata}
    planner.publication.read_results(place / "results.json")
    with pytest.raises(ValueError, match="published with these people"):
        planner.publish(plan, table, place / "again.json", people="town")
    again = planner.publish(plan, table, place / "again.json", people="town", again=True)
    assert f"ε = {2 * plan.epsilon:.5f}"[:9] in again.notes[0]


@pytest.mark.slow
def test_fewer_people_are_published_with_a_larger_error(plan, place) -> None:
    table = records(plan, less=9)
    with pytest.raises(RecordsError, match=r"the plan is for .* collect more records"):
        planner.publish(plan, table, people="town")
    done = planner.publish(plan, table, place / "results.json", people="town", most_error="20%")
    one = done.answers[0]
    assert one.error > one.planned_error == 0.1
    assert one.planned_failure > 0.1
    assert done.planned == plan.participants


@pytest.mark.slow
def test_more_people_are_all_used_where_asked(plan, place) -> None:
    table = pd.concat([records(plan), records(plan)])
    drawn = planner.publish(plan, table, people="town")
    assert drawn.participants == plan.participants
    done = planner.publish(plan, table, people="other", everyone=True, other_people=True)
    assert done.participants == 2 * plan.participants
    assert done.answers[0].error < 0.1


@pytest.mark.slow
def test_wrong_records_are_refused_in_one_sentence(plan, place) -> None:
    table = records(plan)
    for wrong, words in (
        (pd.concat([table, pd.DataFrame({"stratum": ["Citty"], "answer": [1]})]), "one is 'City'"),
        (table.drop(columns="stratum"), "column stratum is missing; give the column that names"),
        (table.drop(columns="answer"), "answer"),
        (table[table.stratum != "East"], "stratum 'East': there are no records, and the plan is"),
    ):
        with pytest.raises(RecordsError, match=words) as refused:
            planner.publish(plan, wrong, people="town")
        first, *others = str(refused.value).splitlines()
        assert first.startswith("the records")
        assert len(others) <= 1, others  # which says that counts are not for publication
    assert not list(entries())


@pytest.mark.slow
def test_a_mean_of_numbers_is_published_in_its_unit(place) -> None:
    target = planner.Accuracy.of_values(1.0, 10.0, 30.0, 0.1)
    plan = plan_of(target, STRATA[:2])
    table = records(plan)
    table["answer"] = np.where(table.stratum == "City", 12.5, 25.0)
    done = planner.publish(plan, table, people="town")
    (one,) = done.answers
    assert (one.kind, one.error, one.low, one.high) == ("mean", 1.0, 10.0, 30.0)
    truth = (8 * 12.5 + 25.0) / 9  # about which the noise is e^−16 as wide as 16 scales
    assert one.answer == pytest.approx(truth, abs=16 * one.scale)
    assert one.scale == pytest.approx(plan.scale, rel=1e-9)


def test_plan_is_as_one_on_the_mean_of_each_stratum(plan) -> None:
    for one, weight in zip(plans_of(plan), weights(plan.study), strict=True):
        assert decimal(one.scale) * weight >= decimal(plan.scale)
        lost = 1 / (decimal(one.scale) * one.participants)
        assert lost <= decimal(one.epsilon) <= lost * Fraction(1001, 1000)


@pytest.mark.slow
def test_hostile_strata_in_results_are_refused(plan, place) -> None:
    planner.publish(plan, records(plan), place / "results.json", people="town")
    text = (place / "results.json").read_text("utf-8")
    for change in ({"more": 1}, {"participants": "many"}, {"name": "a\x1b[2J"}):
        data = json.loads(text)
        data["strata"][0] |= change
        (place / "wrong.json").write_text(json.dumps(data), "utf-8")
        with pytest.raises(ValueError, match=r"wrong\.json: "):
            planner.publication.read_results(place / "wrong.json")


@pytest.mark.slow
def test_on_the_terminal_from_the_plan_to_checked_results(plan, place, capsys) -> None:
    plan.save(place / "plan.json")
    records(plan).to_csv(place / "records.csv", index=False)
    file, results = str(place / "plan.json"), str(place / "results.json")
    assert run(["records", file]) == 0
    shown = capsys.readouterr().out
    assert "City, Süd or East" in shown
    assert "(12 % fewer)" in shown
    assert run(["records", file, str(place / "records.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["used"] == plan.participants
    assert run(["publish", file, "--rehearse"]) == 0
    assert run(["publish", file, str(place / "records.csv"), "-o", results]) == 0
    for ending in (".html", ".csv", ".md", ".svg"):
        assert run(["results", results, "-o", str(place / f"results{ending}")]) == 0
    capsys.readouterr()
    assert run(["ledger"]) == 0
    assert "by stratum" in capsys.readouterr().out.replace("\n", " ")
