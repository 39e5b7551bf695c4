"""A look at records: what is read, what would be refused and why, before anything is spent."""

import json

import pytest

import planner
from planner.cli import run
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.explanation.papers.sheet import markdown
from planner.publication import Look, ledger, look, rehearse
from tests.publication import plans

QUESTIONS = (
    planner.Share("smokes", 0.3, column="Q7", yes=["ja"], no=["nein"]),
    planner.Share("car", 0.3, column="Q8_1", yes=["x"], missing="no"),
    planner.Histogram("age", labels=["18-24", "25-34", "35 or more"], error=0.3, missing="own"),
    planner.Histogram("years", bins=[0, 18, 65], error=0.3, column="age in years"),
    planner.Mean("income", low=0, high=10_000, error=3000.0),
)
RECORDS = planner.model.Records(decimal=",")


@pytest.fixture(scope="module")
def plan():
    study = plans.study(planner.AddedNoise("laplace"), planner.Survey(QUESTIONS, 0.2))
    answer = planner.solve(planner.model.Study(**(vars(study) | {"records": RECORDS})))
    assert answer.verdict == "feasible"
    return answer


def export(folder, rows: int, change=()) -> str:
    """A file as a spreadsheet saves it, with some lines changed."""
    lines = ["id;Q7;Q8_1;age;age in years;income"]
    for k in range(rows):
        smokes, car = ("ja" if k % 3 else "nein"), ("x" if k % 2 else "")
        age = ["18-24", "25-34", ""][k % 3]
        lines.append(f"{k};{smokes};{car};{age};{k % 65},5;{k},25")
    for line, old, new in change:
        assert old in lines[line - 1]
        lines[line - 1] = lines[line - 1].replace(old, new)
    path = folder / "export.csv"
    path.write_bytes(("\r\n".join(lines) + "\r\n").encode("latin-1"))
    return str(path)


@pytest.mark.slow
def test_a_right_file_can_be_published_as_it_is(plan, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = export(tmp_path, plan.participants + 2)
    found = look(plan, path)
    assert isinstance(found, Look)
    assert found.ready
    assert (found.records, found.participants) == (plan.participants + 2, plan.participants)
    assert "semicolons, UTF-8, decimal commas" in found.recognised
    shown = " ".join(str(found).split())
    assert "not for" not in shown
    assert "do not publish them" in shown
    assert "column Q7: yes: ja; no: nein; nothing refused" in shown
    assert "nobody has 35 or more" in shown
    assert len(ledger.entries()) == 0
    done = planner.publish(plan, path)
    age = done.answers[2]
    assert age.groups == ("18-24", "25-34", "35 or more", "no answer")
    assert len(age.answer) == 4
    assert "age, no answer" in str(done)
    assert "years, 18 to under 65" in str(done)


@pytest.mark.slow
def test_all_that_is_wrong_is_told_at_once_with_counts(plan, tmp_path) -> None:
    changes = [
        *((line, ";ja;", ";Ja;") for line in (3, 4, 6, 7, 9)),
        (5, "18-24", "18 - 24"),
        (8, "6,5", "7.5"),
        (10, ",25", "0000,25"),
        (11, ";9,25", ";"),
    ]
    path = export(tmp_path, plan.participants - 1, changes)
    found = look(plan, path)
    assert not found.ready
    told = {(fault.column, fault.places, fault.count, fault.near) for fault in found.faults}
    assert told == {
        ("Q7", (3, 4, 6), 5, "ja"),
        ("age", (5,), 1, "18-24"),
        ("age in years", (8,), 1, ""),
        ("income", (11,), 1, ""),
        ("income", (10,), 1, ""),
    }
    assert f"the plan is for {plan.participants}" in found.wrong[0]
    with pytest.raises(ValueError, match="refused, since") as error:
        planner.publish(plan, path)
    text = str(error.value)
    assert "lines 3, 4, 6 and 2 more, column Q7: not a known word" in text
    assert "the nearest known one is 'ja'" in text
    assert text.count("\n") == 7
    assert text.endswith("do not publish them.")


@pytest.mark.slow
def test_two_questions_may_read_one_column() -> None:
    asked = (
        planner.Mean("mean age", low=0, high=100, error=30.0, column="age"),
        planner.Histogram("age groups", bins=[0, 50, 100], error=0.3, column="age"),
    )
    plan = planner.solve(plans.study(planner.AddedNoise("laplace"), planner.Survey(asked, 0.2)))
    ages = ["10", "60", "old", "200"] + ["30"] * (plan.participants - 4)
    found = look(plan, {"age": ages})
    assert [(fault.places, fault.count) for fault in found.faults] == [
        ((3,), 1),
        ((4,), 1),
        ((4,), 1),
    ]
    assert look(plan, {"age": ["30"] * plan.participants}).ready
    assert rehearse(plan).rehearsed


@pytest.mark.slow
def test_missing_columns_are_told_with_the_rest(plan, tmp_path) -> None:
    changes = [(1, "Q7", "q7"), (1, "age in years", "years"), (3, "x;", "y;")]
    found = look(plan, export(tmp_path, plan.participants, changes))
    assert found.wrong[0] == "column Q7 is missing; column 2 has a similar name"
    assert "column age in years is missing" in found.wrong[1]
    assert ("Q8_1", 1) in [(fault.column, fault.count) for fault in found.faults]


@pytest.mark.slow
def test_the_command_looks_and_spends_nothing(plan, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    plan.save(tmp_path / "plan.json")
    right = export(tmp_path, plan.participants)
    assert run(["records", str(tmp_path / "plan.json"), right]) == 0
    assert "the records can be published" in capsys.readouterr().out
    few = export(tmp_path, plan.participants - 1)
    assert run(["records", str(tmp_path / "plan.json"), few, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["ready"], data["records"]) == (False, plan.participants - 1)
    assert "do not publish" in data["note"]
    assert run(["records", str(tmp_path / "plan.json"), str(tmp_path / "none.csv")]) == 64
    assert "no such file" in capsys.readouterr().err
    assert run(["records", few, few]) == 64
    capsys.readouterr()
    assert not (tmp_path / "data").exists()
    assert run(["publish", str(tmp_path / "plan.json"), few, "-o", str(tmp_path / "r.json")]) == 64
    assert len(capsys.readouterr().err) < 300


@pytest.mark.slow
def test_a_message_of_many_faults_is_printed_whole(plan, tmp_path, capsys) -> None:
    plan.save(tmp_path / "plan.json")
    changes = [(3, "ja", "Ja"), (3, "25-34", "young"), (2, ";0,5", ";zero"), (2, "0,25", "zero")]
    wrong = export(tmp_path, plan.participants, [*changes, (3, ";x", ";X")])
    status = run(["publish", str(tmp_path / "plan.json"), wrong, "-o", str(tmp_path / "r.json")])
    said = capsys.readouterr().err
    assert status == 64
    assert len(said) > 500
    assert said.rstrip().endswith("do not publish them.")


def test_groups_have_their_names_in_all_that_is_shown(plan) -> None:
    for text in (markdown(consent(plan)), markdown(methods(plan)), str(plan.study)):
        assert "25-34" in text
        assert "18 to under 65" in text
        assert "no answer" in text
    assert "no answer counts as no" in markdown(methods(plan))
    assert "age, 25-34" in str(rehearse(plan))


def test_people_are_named_where_records_have_no_path(plan) -> None:
    with pytest.raises(ValueError, match="people is needed"):
        planner.publish(plan, {"answer": [1]})
