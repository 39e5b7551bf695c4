"""A column that names each person: a second record of one is refused, in every form of records."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import planner
from planner.model import Records
from planner.model.strata import Stratum
from planner.publication import records as publication_records
from planner.publication.look import expected, look
from planner.publication.publish import publish
from planner.publication.records import RecordsError
from tests.publication import plans

WRITTEN = Records(person="id")


def named(name: str) -> planner.answer.Plan:
    plan = plans.plan(name)
    return planner.solve(replace(plan.study, records=WRITTEN), prove=False)


def table(people: int) -> dict[str, list]:
    return {"id": [f"p{k}" for k in range(people)], "answer": [k % 2 for k in range(people)]}


def saved(records: dict[str, list], path: Path) -> Path:
    frame = pd.DataFrame(records)
    match path.suffix:
        case ".csv":
            frame.to_csv(path, index=False)
        case ".xlsx":
            frame.to_excel(path, index=False)
        case ".parquet":
            frame.astype({"id": "category"}).to_parquet(path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "places"),
    [
        (".csv", "lines 3, 5 and 6"),
        (".xlsx", "rows 3, 5 and 6"),
        (".parquet", "records 2, 4 and 5"),
    ],
)
def test_second_records_and_records_of_nobody_are_refused(ending, places, tmp_path):
    plan = named("laplace")
    records = table(plan.participants)
    assert look(plan, saved(records, tmp_path / f"whole{ending}")).ready
    records["id"][1] = records["id"][0]
    records["id"][3] = records["id"][4] = f" {records['id'][0]}"  # blanks make no other person
    records["id"][6] = None
    found = look(plan, saved(records, tmp_path / f"twice{ending}"))
    again, nobody = found.faults
    assert (again.count, again.where) == (3, f"{places}, column id")
    assert again.why == publication_records.AGAIN
    assert (nobody.count, nobody.why) == (1, publication_records.NOBODY)
    assert (found.ready, found.used) == (False, 0)
    with pytest.raises(RecordsError, match="a person who has another record") as error:
        publish(plan, records, ledger=tmp_path / "ledger.sqlite", people="town")
    assert "p0" not in str(error.value)
    assert not (tmp_path / "ledger.sqlite").exists()


@pytest.mark.slow
def test_a_column_that_is_missing_is_named(tmp_path):
    plan = named("laplace")
    records = {"answer": table(plan.participants)["answer"]}
    with pytest.raises(RecordsError, match="column id is missing; give the one that names each"):
        publish(plan, records, ledger=tmp_path / "ledger.sqlite", people="town")
    assert expected(plan).questions[0].words == "each person once"
    assert look(plan, records).wrong == (
        "column id is missing; give the one that names each person",
    )


def test_as_many_people_as_records_and_a_column_of_their_own():
    plan = named("laplace")
    records = table(plan.participants)
    records["id"] = records["id"][:-1]
    with pytest.raises(RecordsError, match="columns differ in length"):
        look(plan, records)
    same = replace(plan, study=replace(plan.study, records=Records(person="answer")))
    with pytest.raises(RecordsError, match="'answer' names each person and holds what is read"):
        look(same, table(plan.participants))


def test_whole_numbers_name_people_too():
    plan = named("laplace")
    records = table(plan.participants)
    records["id"] = list(range(plan.participants))
    assert look(plan, records).ready
    records["id"][-1] = 0
    assert [fault.count for fault in look(plan, records).faults] == [1]


def test_names_that_have_the_same_hash_are_compared(monkeypatch):
    monkeypatch.setattr(publication_records, "hash", lambda name: len(name), raising=False)
    plan = named("laplace")
    records = table(plan.participants)
    assert look(plan, records).ready
    records["id"][7] = "p8"
    (fault,) = look(plan, records).faults
    assert (fault.count, fault.places) == (1, (9,))


def test_a_person_is_in_one_stratum_and_in_one_group(tmp_path):
    strata = (Stratum("North", people=4_000, error=0.2), Stratum("South", people=900, error=0.3))
    divided = planner.Study(
        planner.LaplaceMean("hoeffding"), planner.Accuracy(failure=0.2), plans.PERSON,
        costs=plans.CHEAP, strata=strata, records=WRITTEN,
    )  # fmt: skip
    compared = planner.Study(
        planner.LaplaceMean(), planner.Difference(error=0.2, failure=0.1), plans.PERSON,
        costs=plans.CHEAP, records=WRITTEN,
    )  # fmt: skip
    for study, names in ((divided, ("North", "South")), (compared, ("first", "second"))):
        plan = planner.solve(study, prove=False)
        sizes = [one.participants for one in getattr(plan, "strata", ())]
        sizes = sizes or [plan.participants // 2] * 2
        records = table(sum(sizes))
        records["stratum"] = [name for name, n in zip(names, sizes, strict=True) for _ in range(n)]
        assert look(plan, records).ready
        records["id"][-1] = records["id"][0]
        (fault,) = look(plan, records).faults
        assert (fault.count, fault.places) == (1, (sum(sizes),))
        with pytest.raises(RecordsError, match="column id: a person who has another record"):
            publish(plan, records, ledger=tmp_path / "ledger.sqlite", people="town")
