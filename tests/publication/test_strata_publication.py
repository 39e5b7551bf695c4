"""Publishing a plan with strata: records divided by a column, one publication, checked again."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import planner
from planner.cli import run
from planner.model.strata import Stratum, weights
from planner.publication.ledger import LedgerError, entries
from planner.publication.parts import looked_at_parts, parts_of
from planner.publication.records import RecordsError
from planner.wording import money

PERSON = planner.Individual(12.5, 1274.0)
COSTS = planner.Costs(per_person=5.0, overhead=100.0)
STRATA = (
    Stratum("North", people=4_000, error=0.2),
    Stratum("Süd", people=1_000, error=0.3),
    Stratum("East", people=90_000, error=0.2, per_person=20.0),
)
SURVEY = planner.Survey(
    [
        planner.Share("smokes", error=0.2),
        planner.Histogram("age", labels=["young", "old"], error=0.3),
        planner.Mean("hours", error=3.0, low=0.0, high=20.0),
    ],
    failure=0.2,
)


def plan_of(target) -> planner.answer.StrataPlan:
    survey = isinstance(target, planner.Survey)
    strata = [replace(one, error=None) for one in STRATA] if survey else STRATA
    mechanism = planner.AddedNoise("laplace") if survey else planner.LaplaceMean("hoeffding")
    found = planner.solve(planner.Study(mechanism, target, PERSON, (), COSTS, strata=strata))
    assert isinstance(found, planner.answer.StrataPlan)
    return found


@pytest.fixture(scope="module")
def plan():
    return plan_of(planner.Accuracy(failure=0.2))


@pytest.fixture(scope="module")
def survey():
    return plan_of(SURVEY)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def records(plan, less: int = 0, seed: int = 1) -> pd.DataFrame:
    """As many people of each stratum as planned, or fewer of the first, in mixed order."""
    names = [one.study.title for one in plan.strata for _ in range(one.participants)][less:]
    random = np.random.default_rng(seed)
    random.shuffle(names)
    n = len(names)
    return pd.DataFrame(
        {
            "stratum": names,
            "answer": random.integers(0, 2, n),
            "smokes": random.choice(["yes", "no"], n),
            "age": random.choice(["young", "old"], n, p=[0.8, 0.2]),
            "hours": random.integers(0, 21, n),
        }
    )


def test_a_table_of_districts_is_published_once(plan, place) -> None:
    done = planner.publish(plan, records(plan), place / "results.json", people="town")
    assert [one.name for one in done.answers] == ["North", "Süd", "East", "all people"]
    assert [one.participants for one in done.answers[:3]] == [
        one.participants for one in plan.strata
    ]
    assert (done.participants, done.epsilon) == (plan.participants, plan.epsilon)
    assert plan.failure <= done.failure == plan.study.accuracy.failure
    assert f"the study costs {money(plan.cost)} with" in done.paid
    known = weights(plan.study)
    total = sum(w * Fraction(one.answer) for w, one in zip(known, done.answers[:3], strict=True))
    assert done.answers[3].answer == pytest.approx(float(total), rel=1e-15)
    assert done.answers[3].error == plan.total_error
    (entry,) = entries()
    assert entry.epsilon == plan.epsilon
    with pytest.raises(LedgerError, match="published with these people"):
        planner.publish(plan, records(plan), place / "again.json", people="town")
    (place / "results.json").unlink()
    again = planner.publish(plan, records(plan), place / "results.json", people="town")
    assert again.answers == done.answers


@pytest.mark.slow
def test_each_stratum_is_added_up_by_itself(survey, place) -> None:
    """Exact sums of a CSV file and of a DataFrame, against those of pandas."""
    table = records(survey)
    path = place / "records.csv"
    table.to_csv(path, index=False, sep=";")
    parts = parts_of(survey)
    for given in (table, path):
        looked = looked_at_parts(parts, given, False)
        assert not looked.whole.clauses
        assert looked.whole.count == len(table)
        for part, reading in zip(parts, looked.readings, strict=True):
            own = table[table.stratum == part.name]
            steps = part.items[2].steps
            assert reading.count == len(own) == part.plan.participants
            assert reading.sums["smokes"] == (own.smokes == "yes").sum()
            assert list(reading.sums["age"]) == [(own.age == g).sum() for g in ("young", "old")]
            assert reading.sums["hours"] == sum(round(int(x) * steps / 20) for x in own.hours)


@pytest.mark.slow
def test_answers_of_a_survey_are_named_by_stratum_and_question(survey, place) -> None:
    done = planner.publish(survey, records(survey), place / "results.csv", people="town")
    names = [f"{s.name}: {q}" for s in STRATA for q in ("smokes", "age", "hours")]
    assert [one.name for one in done.answers] == names
    table = pd.read_csv(place / "results.csv")
    assert list(table.columns[:3]) == ["stratum", "participants", "question"]
    assert set(table.stratum) == {"North", "Süd", "East"}


def test_fewer_people_of_one_stratum_are_its_own_affair(plan, place) -> None:
    table = records(plan, less=5)
    with pytest.raises(RecordsError, match="stratum 'North': the plan is for"):
        planner.publish(plan, table, place / "results.json", people="town")
    done = planner.publish(plan, table, place / "results.json", people="town", most_error="20%")
    assert done.planned == plan.participants
    assert done.answers[0].planned_error == 0.2
    assert done.answers[0].error > 0.2
    assert [one.planned_error for one in done.answers[1:3]] == [None, None]
    assert done.answers[3].error >= plan.total_error


def test_wrong_strata_are_refused_at_once_without_a_value(plan, place) -> None:
    table = records(plan)
    lines = table.to_csv(index=False).splitlines()
    lines += ["Nrth,1,yes,old,3", ",1,yes,old,3", "North,SECRET,yes,old,3", "SECRET,1,yes,old,3"]
    path = place / "records.csv"
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(RecordsError) as refused:
        planner.publish(plan, path, place / "results.json")
    words = str(refused.value)
    assert f"lines {len(table) + 2} and {len(table) + 5}, column stratum" in words
    assert "the nearest known one is 'North'" in words
    assert f"line {len(table) + 3}, column stratum: the stratum is missing" in words
    assert f"line {len(table) + 4}, column answer: not 0 or 1" in words
    assert "SECRET" not in words
    assert "Nrth" not in words
    with pytest.raises(RecordsError, match="column stratum is missing; give the column"):
        planner.publish(plan, table.drop(columns="stratum"), people="town")
    none = table[table.stratum != "East"]
    with pytest.raises(RecordsError, match="stratum 'East': there are no records"):
        planner.publish(plan, none, people="town")


def test_the_column_of_strata_has_the_name_that_the_study_gives(plan, place) -> None:
    study = replace(plan.study, records=planner.model.Records(stratum="district"))
    named = planner.solve(study)
    table = records(named).rename(columns={"stratum": "district"})
    assert planner.publish(named, table, people="town").participants == named.participants


@pytest.mark.slow
def test_records_of_strata_are_looked_at_and_published_on_the_terminal(plan, place, capsys) -> None:
    plan.save(place / "plan.json")
    records(plan).to_csv(place / "records.csv", index=False)
    file = str(place / "plan.json")
    assert run(["records", file]) == 0
    assert "North, Süd or East" in capsys.readouterr().out
    assert run(["records", file, str(place / "records.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["used"] == plan.participants
    assert run(["publish", file, "--rehearse"]) == 0
    assert "all people" in capsys.readouterr().out
    results = str(place / "results.json")
    assert run(["publish", file, str(place / "records.csv"), "-o", results]) == 0
    capsys.readouterr()
    page = str(place / "results.html")
    assert run(["results", results, "-o", page]) == 0
    text = (place / "results.html").read_text("utf-8")
    assert "Süd" in text
    assert "by itself" in text


@pytest.mark.slow
def test_one_picture_and_one_table_show_all_strata(plan, survey, place) -> None:
    done = planner.publish(plan, records(plan), place / "results.json", people="town")
    (shown,) = done.shown
    assert [row.group for row in shown.rows] == ["North", "Süd", "East", "all people"]
    assert [row.error for row in shown.rows] == [0.2, 0.3, 0.2, plan.total_error]
    assert shown.numbers == [one.answer for one in done.answers]
    words = [text.get_text() for text in done.plot().texts]
    assert {"North", "Süd", "East", "all people"} <= set(words)
    asked = planner.publish(
        survey, records(survey), place / "smokes.png", people="other", question="smokes"
    )
    names = [one.name for one in asked.shown]
    assert names == ["smokes", "hours", "North: age", "Süd: age", "East: age"]
    assert (place / "smokes.png").exists()
    assert asked.plot("hours").get_xlabel().startswith("mean")
    assert asked.plot("Süd: age")
    with pytest.raises(ValueError, match="give --question with one of 'smokes', 'hours'"):
        asked.plot()


@pytest.mark.slow
def test_many_strata_stand_side_by_side_with_their_own_errors(place) -> None:
    strata = tuple(Stratum(f"s{k}", people=50_000, error=0.3 if k % 2 else 0.2) for k in range(45))
    many = planner.solve(
        planner.Study(
            planner.LaplaceMean("hoeffding"), planner.Accuracy(failure=0.2), PERSON, (), COSTS,
            strata=strata,
        )
    )  # fmt: skip
    done = planner.publication.rehearse(many)
    axes = done.plot()
    ends = axes.collections[0].get_paths()[0].vertices[:, 1]
    for one in done.answers[4:6]:  # of which the errors differ
        for end in (one.answer - one.error, one.answer + one.error):
            assert min(abs(ends - min(max(end, 0.0), 1.0))) < 1e-9
    assert axes.get_xlabel().startswith("group")
