"""Several rows of a person, each a record: what a person loses, and who has too many."""

import math
import re
from dataclasses import replace

import pytest

import planner
from planner.explanation.papers.consent import consent
from planner.model import Records
from planner.publication import ledger
from planner.publication.publish import publish
from planner.publication.records import RecordsError
from planner.study_file.mapping import with_mapping

ROWS = Records(person="id", rows="at most 3")


def study(records: Records = ROWS, *, family: int = 3, clusters: int = 3, **of: float):
    return planner.Study(
        mechanism=planner.AddedNoise("laplace"),
        target=planner.Survey([planner.Share("pain", error=0.3)], failure=0.1),
        individual=planner.Individual(family=family, **{"base_cost": 2.0, **of}),
        conditions=[planner.Budget(400.0)],
        costs=planner.Costs(per_person=1.0),
        sampling=planner.Sampling(clusters_of=clusters),
        records=records,
    )


@pytest.fixture(scope="module")
def plan():
    return planner.solve(study())


def rows(plan, of_each: int = 3) -> dict[str, list[object]]:
    n = plan.participants
    return {"id": [k // of_each for k in range(n)], "pain": [k % 2 for k in range(n)]}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"clusters": 1}, r"give clusters_of = 3 in \[sampling\]$"),
        ({"family": 2}, r"give family = 3 in \[individual\]$"),
        ({"family": 1, "clusters": 2}, r"give clusters_of = 3 .* and family = 3 in \[individual\]"),
    ],
)
def test_what_the_records_of_a_person_lose_together_is_asked_for(given, words) -> None:
    with pytest.raises(ValueError, match=words):
        study(**given)
    assert planner.solve(study()).verdict == "feasible"


def test_who_is_paid_nothing_needs_no_family() -> None:
    assert planner.solve(study(family=1, base_cost=0.0)).verdict == "feasible"


@pytest.mark.parametrize("text", ["at most 1", "at most 101", "at most three", "first", "at most"])
def test_other_words_are_refused_with_those_that_are_known(text: str) -> None:
    with pytest.raises(ValueError, match="give mean, sum, any or last, or how many rows"):
        Records(person="id", rows=text)


def test_a_fourth_record_of_a_person_is_refused_with_its_place(plan, tmp_path) -> None:
    cells, path = rows(plan), tmp_path / "records.csv"
    cells["id"][8] = cells["id"][0]  # a fourth one of the first person
    lines = [f"{who},{pain}" for who, pain in zip(cells["id"], cells["pain"], strict=True)]
    path.write_text("\n".join(["id,pain", *lines]), "utf-8")
    with pytest.raises(RecordsError, match="line 10, column id: a person who has 3 records"):
        publish(plan, path, ledger=tmp_path / "ledger.sqlite")
    # the remedy
    path.write_text("\n".join(["id,pain", *lines[:8], "new,1", *lines[9:]]), "utf-8")
    assert planner.publication.look(plan, path).ready
    assert "each person at most 3 times" in " ".join(
        str(planner.publication.expected(plan)).split()
    )


def test_a_person_has_spent_what_all_of_their_records_have(plan, tmp_path) -> None:
    pytest.importorskip("opendp")
    book = tmp_path / "ledger.sqlite"
    done = publish(plan, rows(plan), ledger=book, people="these")
    assert (done.of_each, done.epsilon) == (3, pytest.approx(3 * plan.epsilon))
    assert "at most 3 of each person" in done.text(".md")
    assert "with other records in the place of any one person's" in done.text(".md")
    (entry,) = ledger.entries(book)
    assert entry.epsilon == done.epsilon
    again = publish(plan, rows(plan), ledger=book, people="these", again=True)
    # after both (e^(6ε) − 1)E is owed, of which the first publication has paid its part
    owed = 2.0 * math.expm1(6 * plan.epsilon) - plan.compensation
    spent, more = re.search(r"ε = ([\d.]+) has .* owed ([\d.]+)", " ".join(again.notes)).groups()
    assert float(spent) == pytest.approx(2 * done.epsilon, rel=1e-4)
    assert float(more) == pytest.approx(owed, abs=0.01)


def test_delta_is_that_of_the_group(tmp_path) -> None:
    pytest.importorskip("opendp")
    of = study(worst_cost=1e4)
    of = replace(
        of, mechanism=planner.AddedNoise("gaussian"),
        conditions=[*of.conditions, planner.Delta(1e-7)],
    )  # fmt: skip
    plan = planner.solve(of)
    done = publish(plan, rows(plan), ledger=tmp_path / "ledger.sqlite", people="these")
    e = plan.epsilon
    assert done.delta == pytest.approx(1e-7 * (1 + math.exp(e) + math.exp(2 * e)))


def test_plan_and_consent_speak_of_all_records_of_a_person(plan) -> None:
    text = " ".join(str(plan).split())
    assert "records, at most 3 of each person, who is promised 3 times this ε" in text
    sheet = " ".join(str(consent(plan)).split())
    assert "We use at most 3 records of yours" in sheet
    assert f"up to {plan.participants}" in sheet


def test_how_many_records_are_of_a_person_is_part_of_the_plan(plan, tmp_path) -> None:
    """A mapping cannot change it, as people would lose more than was promised."""
    path = tmp_path / "mapping.toml"
    for rows, refused in (('rows = "at most 3"\n', False), ("", True), ('rows = "any"\n', True)):
        path.write_text(f'[records]\nperson = "who"\n{rows}', "utf-8")
        if not refused:
            assert with_mapping(plan, path).study.records.person == "who"
            continue
        with pytest.raises(ValueError, match=r'for 3 records of each .* give rows = "at most 3"'):
            with_mapping(plan, path)
    path.write_text('[records]\nperson = "who"\nrows = "at most 2"\n', "utf-8")
    one = planner.solve(study(Records(person="id"), family=2, clusters=2), prove=False)
    with pytest.raises(ValueError, match="for 1 record of each person at most; leave rows out"):
        with_mapping(one, path)
