"""Files as survey tools write them: from the export to numbers, with one key where it is needed."""

import csv
import json
import re
import tomllib
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import planner
from planner.cli import run
from planner.explanation.results.publication import PROPOSE
from planner.model import Records
from planner.publication.identity import identity
from planner.publication.items import items
from planner.publication.look import look
from planner.publication.records import sums_of
from planner.study_file.mapping import with_mapping as mapped
from planner.study_file.reader import study_of
from planner.study_file.tables import tables_of
from planner.study_file.writer import as_toml

FREE = [planner.EpsilonAtMost(1.0), planner.MaxParticipants(2000)]
_ID = '{{"ImportId":"{}"}}'


def asked(*questions, **written):
    """A plan that nobody is paid for, whose records are written in some way."""
    study = planner.Study(
        target=planner.Survey(questions, 0.2), conditions=FREE, records=Records(**written)
    )
    plan = planner.solve(study, prove=False)
    assert plan.verdict == "feasible"
    return plan


def rows_of(path: Path, rows: list[list[str]], **how) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, **how).writerows(rows)
    return path


def found(plan, path: Path) -> dict[str, object]:
    """What the look shows of each question: numbers, or counts."""
    seen = look(plan, path)
    assert not seen.faults, [fault.words for fault in seen.faults]
    return {one.question: one.numbers or one.counts for one in seen.questions}


def of_two(answers: list[list[str]], plan) -> list[list[str]]:
    """So many records as the plan needs, those that are given first."""
    people = plan.participants
    return [answers[i % len(answers)] for i in range(people - people % len(answers))]


@pytest.mark.slow
def test_an_export_of_qualtrics_is_read_without_its_further_header_rows(tmp_path) -> None:
    plan = asked(
        planner.Share("Q3", error=0.2, yes="Yes", no="No"),
        planner.Mean("Q4", low=1.0, high=5.0, error=1.0),
    )
    texts = ["Would you\nrecommend us?", "How satisfied are you?"]
    ids = [_ID.format("QID3"), _ID.format("QID4")]
    answers = of_two([["Yes", "5"], ["No", "2"]], plan)
    path = rows_of(tmp_path / "q.csv", [["Q3", "Q4"], texts, ids, *answers])
    half = len(answers) // 2
    assert found(plan, path) == {
        "Q3": {"yes": half, "no": half},
        "Q4": (2 * half, 2.0, 3.5, 5.0),
    }


@pytest.mark.slow
def test_an_export_of_google_forms_has_several_answers_in_a_cell(tmp_path) -> None:
    name = "How do you travel?"
    plan = asked(planner.Share("bike", error=0.2, column=name, contains="Bike"))
    answers = of_two([["Bike, Public transport"], ["Car"], ["Car, Bike"], ["Bike rental"]], plan)
    path = rows_of(tmp_path / "forms.csv", [["Timestamp", name], *(["1", *a] for a in answers)])
    quarter = len(answers) // 4
    assert found(plan, path)["bike"] == {"yes": 2 * quarter, "no": 2 * quarter}


@pytest.mark.parametrize("mark", ["; ", ";", " ", "\n", ", "])
def test_what_stands_between_answers_is_found(tmp_path, mark: str) -> None:
    plan = asked(planner.Share("bike", error=0.2, contains="bike", missing="no"))
    answers = of_two([[f"bike{mark}bus"], ["bus"], [f"car{mark}bike"], [""]], plan)
    path = rows_of(tmp_path / "kobo.csv", [["_id", "bike"], *(["1", *a] for a in answers)])
    half = len(answers) // 2
    assert found(plan, path)["bike"] == {"yes": half, "no": half}


@pytest.mark.slow
def test_an_export_of_limesurvey_has_words_for_numbers_and_decimals_with_zeros(tmp_path) -> None:
    codes = {"Strongly agree": 5, "Agree": 4, "Neither": 3, "Disagree": 2, "Strongly disagree": 1}
    plan = asked(
        planner.Mean("safe", low=1.0, high=5.0, error=1.0, codes=codes),
        planner.Share("helmet", error=0.2),
    )
    answers = of_two([["Strongly agree", "1.0"], ["Disagree", "0.0"]], plan)
    path = rows_of(tmp_path / "lime.csv", [["id", "safe", "helmet"], *(["1", *a] for a in answers)])
    half = len(answers) // 2
    assert found(plan, path) == {
        "safe": (2 * half, 2.0, 3.5, 5.0),
        "helmet": {"yes": half, "no": half},
    }


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".xlsx"])
def test_words_of_no_answer_are_empty_cells_once_they_are_named(tmp_path, ending: str) -> None:
    """LimeSurvey writes N/A where a question was not shown, for whatever kind of question."""
    own = {"missing": "own", "answer_rate": 0.6}
    plan = asked(
        planner.Share("car", error=0.2, yes="Ja", no="Nein", **own),
        planner.Mean(name="age", low=18, high=98, error=20.0, **own),
        planner.Mean(name="score", low=0, high=2, error=0.5, codes={"good": 2, "bad": 0}, **own),
        planner.Histogram("town", labels=["A", "B", "C"], error=0.2, missing="own"),
    )
    answers = [
        ["Ja", "40", "good", "A"], ["N/A", "N/A", " N/A", "N/A"], ["Nein", "52", "bad", "B"],
        ["Ja", "N/A", "good", "keine Angabe"],
    ]  # fmt: skip
    path = tmp_path / f"export{ending}"
    frame = pd.DataFrame(of_two(answers, plan), columns=["car", "age", "score", "town"])
    if ending == ".csv":
        frame.to_csv(path, index=False)
    elif ending == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_excel(path, index=False)
    told = look(plan, path).faults[0].words
    assert "or in empty of [records] if it is no answer" in told
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('[records]\nempty = ["N/A", "keine Angabe"]\n', "utf-8")
    seen = look(mapped(plan, mapping), path)
    assert not seen.faults, [fault.words for fault in seen.faults]
    quarter = len(frame) // 4
    counts = {one.question: one.counts for one in seen.questions}
    assert counts["car"] == {"yes": 2 * quarter, "no": quarter}
    assert counts["town"] == {"A": quarter, "B": quarter, "C": 0, "no answer": 2 * quarter}
    numbers = {one.question: one.numbers[0] for one in seen.questions if one.numbers}
    assert numbers == {"age": 2 * quarter, "score": 3 * quarter}


def test_ranges_of_a_score_count_as_given(tmp_path) -> None:
    codes = {"9-10": 1, "7-8": 0, "0-6": -1}
    plan = asked(planner.Mean("recommend", low=-1.0, high=1.0, error=0.5, codes=codes))
    path = rows_of(tmp_path / "nps.csv", [["id", "recommend"], *(
        ["1", x] for (x,) in of_two([["10"], ["9"], ["7"], ["3.0"]], plan)
    )])  # fmt: skip
    _, least, mean, largest = found(plan, path)["recommend"]
    assert (least, mean, largest) == (-1.0, 0.25, 1.0)
    assert "codes" in json.dumps(
        planner.solve(plan.study, prove=False).study.to_dict(), default=str
    )


def test_a_mean_out_of_codes_or_of_its_range_is_refused() -> None:
    with pytest.raises(ValueError, match="'Agree' counts as 7, which is not from 1 to 5"):
        planner.Mean("safe", low=1.0, high=5.0, error=1.0, codes={"Agree": 7})
    for codes, words in (({"0-6": 0, "5-8": 1}, "same numbers"), ({"6-0": 1}, "smaller end first")):
        with pytest.raises(ValueError, match=words):
            planner.Mean("n", low=0.0, high=1.0, error=0.4, codes=codes)
    with pytest.raises(ValueError, match="contains says what yes is"):
        planner.Share("bike", error=0.2, contains="Bike", yes="Bike")


@pytest.mark.parametrize(
    ("rows", "seen"), [("mean", 65.0), ("sum", 130.0), ("last", 70.0), (None, None)]
)
def test_several_rows_of_a_person_are_one_record(tmp_path, rows: str, seen: float) -> None:
    plan = asked(
        planner.Mean("grade", low=0.0, high=200.0, error=60.0), person="student", rows=rows
    )
    people = plan.participants
    table = [[str(i), grade] for i in range(people) for grade in ("60", "70")]
    path = rows_of(tmp_path / "long.csv", [["student", "grade"], *table])
    looked = look(plan, path)
    if rows is None:
        assert "say what several rows mean by rows" in looked.faults[0].why
        return
    assert (looked.ready, looked.records) == (True, people)
    (item,) = items(plan)
    total = sums_of(path, [item], people, written=plan.study.records)["grade"]
    assert total / item.steps * 200 / people == pytest.approx(seen)


@pytest.mark.slow
def test_any_row_of_a_person_may_say_yes(tmp_path) -> None:
    plan = asked(planner.Share("ill", error=0.2), person="id", rows="any")
    people = plan.participants
    table = [[str(i), answer] for i in range(people) for answer in ("no", "yes" if i % 2 else "no")]
    path = rows_of(tmp_path / "visits.csv", [["id", "ill"], *table])
    assert found(plan, path)["ill"] == {"yes": people // 2, "no": people - people // 2}
    number = planner.Mean("n", low=0.0, high=9.0, error=3.0)
    median = planner.Quantile("n", at=0.5, low=0.0, high=9.0, step=1.0, error=0.4)
    other = rows_of(tmp_path / "n.csv", [["id", "n"], ["1", "2"]])
    for question, rows, instead in (
        (number, "any", 'give "mean", "sum" or "last"'),
        (planner.Share("n", error=0.3), "mean", 'give "any" or "last"'),
        (median, "mean", 'give "last"'),  # of values that stand for numbers there is no mean
    ):
        with pytest.raises(ValueError, match=instead):
            look(asked(question, person="id", rows=rows), other)


def test_a_person_without_a_name_is_refused(tmp_path) -> None:
    plan = asked(planner.Share("ill", error=0.2), person="id", rows="any")
    path = rows_of(tmp_path / "visits.csv", [["id", "ill"], ["1", "yes"], ["", "no"]])
    assert any("line 3, column id" in fault.words for fault in look(plan, path).faults)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_a_header_below_a_title_is_found_and_given(tmp_path, ending: str) -> None:
    plan = asked(planner.Share("car", error=0.2))
    table = [["Survey of 2026"], [], ["id", "car"]]
    table += [[str(i), "yes"] for i in range(plan.participants)]
    path = tmp_path / f"title{ending}"
    if ending == ".csv":
        rows_of(path, table)
    else:
        book = openpyxl.Workbook()
        for cells in table:
            book.active.append(cells)
        book.save(path)
    assert "give header_row = 3 in [records]" in " ".join(look(plan, path).wrong)
    given = asked(planner.Share("car", error=0.2), header_row=3)
    assert found(given, path)["car"] == {"yes": plan.participants, "no": 0}
    later = asked(planner.Share("car", error=0.2), header_row=3, first_row=5)
    assert look(later, path).records == plan.participants - 1


WRITTEN = {"1": 1, "1.0": 1, "TRUE": 1, "Yes": 1, "0": 0, "0.0": 0, "FALSE": 0, "No": 0}


@pytest.mark.parametrize(
    "ending", [".csv", ".parquet", pytest.param(".xlsx", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("word", WRITTEN)
def test_yes_and_no_are_the_same_in_every_kind_of_file(tmp_path, ending: str, word: str) -> None:
    plan = asked(planner.Share("car", error=0.2))
    path, people = tmp_path / f"cars{ending}", plan.participants
    if ending == ".csv":
        rows_of(path, [["id", "car"], *([str(i), word] for i in range(people))])
    else:
        typed = {"1.0": 1.0, "0.0": 0.0, "TRUE": True, "FALSE": False, "1": 1, "0": 0}
        value = typed.get(word, word)
        if ending == ".parquet":
            parquet.write_table(pa.table({"car": [value] * people}), path)
        else:
            book = openpyxl.Workbook()
            for cells in [["car"], *[[value]] * people]:
                book.active.append(cells)
            book.save(path)
    yes = people * WRITTEN[word]
    assert found(plan, path)["car"] == {"yes": yes, "no": people - yes}
    if word in ("TRUE", "FALSE"):  # as Python writes them
        told = asked(planner.Share("car", error=0.2, yes=("True",), no=("False",)))
        assert found(told, path)["car"] == {"yes": yes, "no": people - yes}


@pytest.mark.slow
def test_columns_that_are_missing_are_proposed_from_a_header(tmp_path, capsys) -> None:
    plan = asked(
        planner.Share("Works from home", error=0.2), planner.Share("Satisfaction", error=0.2)
    )
    home, happy = "G1. Do you work from home?", "G2. How satisfied are you?"
    table = rows_of(
        tmp_path / "l.csv", [["id", home, happy], *[["7", "No", "Yes"]] * plan.participants]
    )
    seen = look(plan, table)
    assert (seen.records, seen.header) == (plan.participants, ("id", home, happy))
    assert seen.similar == {"Works from home": home, "Satisfaction": happy}
    coded = rows_of(tmp_path / "c.csv", [["id", home, "Q2"], ["7", "No", "Yes"]])
    plan.save(tmp_path / "plan.json")
    assert run(["records", str(tmp_path / "plan.json"), str(coded)]) == 1
    assert '# name = "Satisfaction"\n# column = ""' in capsys.readouterr().out
    written = [{"name": name, "column": column} for name, column in seen.similar.items()]
    told = planner.Study(
        target=plan.study.target, conditions=FREE, records=Records(question=written)
    )
    assert not look(planner.solve(told, prove=False), table).wrong


def test_what_is_wrong_in_columns_that_may_be_meant_is_said_at_once(tmp_path) -> None:
    plan = asked(planner.Share("Works from home", error=0.2), planner.Share("Travels", error=0.2))
    home, travel = "G1. Do you work from home?", "G2. How do you travel?"
    table = rows_of(tmp_path / "l.csv", [[home, travel], *[["No", "Bike;Car"]] * plan.participants])
    seen = look(plan, table)
    assert not seen.ready
    assert [fault.column for fault in seen.faults] == [travel]
    assert "contains" in seen.faults[0].words
    assert len(seen.wrong) == 2  # both columns are still to be named
    frame = pd.DataFrame({home: ["No"] * 9, travel: ["Bike;Car"] * 9})
    assert [fault.column for fault in look(plan, frame).faults] == [travel]


@pytest.mark.slow
def test_what_is_proposed_is_read_as_it_is_printed(tmp_path) -> None:
    """Of a survey, and of a study of one question; also where a column was named before."""
    survey = asked(
        planner.Share("owns", error=0.2, column="OWN"), planner.Share("smokes", error=0.2)
    )
    single = planner.solve(
        planner.Study(
            target=planner.Accuracy(0.2, 0.2), conditions=FREE, records=Records(column="smokes")
        )
    )
    header = ["id", "Q1: Do you own it?", "Q2: Do you smoke?"]
    for plan in (survey, single):
        rows = [header, *[["7", "no", "yes"]] * plan.participants]
        path, mapping = rows_of(tmp_path / "l.csv", rows), tmp_path / "mapping.toml"
        proposed = dict(look(plan, path).shown_rows())[PROPOSE]
        mapping.write_text(proposed.partition("\n")[2], "utf-8")
        assert look(mapped(plan, mapping), path).ready


def test_a_long_text_beside_the_answers_is_no_obstacle(tmp_path) -> None:
    plan = asked(planner.Share("ill", error=0.2))
    rows = [["id", "ill", "text"], ["1", "yes", "x" * 300_000]]
    rows += [["1", "no", "y"]] * (plan.participants - 1)
    assert found(plan, rows_of(tmp_path / "r.csv", rows))["ill"]["yes"] == 1


@pytest.mark.slow
def test_labels_told_later_leave_the_plan_the_same() -> None:
    one, other, more = (
        asked(planner.Histogram("age", error=0.3, **groups))
        for groups in ({"groups": 3}, {"labels": ["a", "b", "c"]}, {"groups": 4})
    )
    assert identity(one) == identity(other) != identity(more)


def test_a_record_is_not_shown_as_a_header(tmp_path) -> None:
    plan = asked(planner.Share("ill", error=0.2))
    for first in (["7", "yes"], ["Anna", "no"], ["", "x"], ["b", "b"]):
        rows = [first, ["Bert", "no"], ["Anna", "yes"]]
        assert look(plan, rows_of(tmp_path / "n.csv", rows)).header == ()


def test_a_header_that_is_not_in_the_file_is_said(tmp_path) -> None:
    plan = asked(planner.Share("ill", error=0.2), header_row=900)
    seen = look(plan, rows_of(tmp_path / "r.csv", [["id", "ill"], ["1", "1"]]))
    assert "the header seems to be in row 1; give header_row = 1" in " ".join(seen.wrong)


def test_a_number_far_out_of_range_asks_for_the_range(tmp_path) -> None:
    plan = asked(planner.Mean("score", low=0.0, high=1.0, error=0.3))
    path = rows_of(tmp_path / "s.csv", [["id", "score"], ["1", "7"], ["2", "1.5"], ["3", "1"]])
    far, near = sorted(fault.why for fault in look(plan, path).faults)
    assert far.startswith("far from numbers from 0 to 1: is the range right?")
    assert near.index("plan again with another low or high") < near.index("--clamp")


def saved(folder: Path, *questions) -> Path:
    path = folder / "plan.json"
    planner.solve(asked(*questions).study, prove=False).save(path)
    return path


@pytest.mark.slow
def test_a_saved_plan_is_told_later_how_its_records_are_written(tmp_path, capsys) -> None:
    plan = saved(tmp_path, planner.Share("bike", error=0.2, yes="bicycle"))
    people = planner.read_answer(plan).participants
    table = rows_of(
        tmp_path / "r.csv", [["id", "How?"], *([str(i), "Car; Bike"] for i in range(people))]
    )
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(
        '[[records.question]]\nname = "bike"\ncolumn = "How?"\ncontains = "Bike"\n', "utf-8"
    )
    assert run(["records", str(plan), str(table)]) == 1
    assert run(["records", str(plan), str(table), "--mapping", str(mapping), "--json"]) == 0
    shown = capsys.readouterr().out
    found_of = json.loads(shown[shown.index("{") :])["questions"]
    assert found_of[0]["counts"] == {"yes": people, "no": 0}
    publish = ["publish", str(plan), str(table), "--mapping", str(mapping), "--people", "them"]
    publish += ["--ledger", str(tmp_path / "ledger.db"), "-o"]
    assert run([*publish, str(tmp_path / "one.json")]) == 0
    mapping.write_text('[[records.question]]\nname = "bike"\ncolumn = "How?"\nyes = "Car; Bike"\n')
    assert run([*publish, str(tmp_path / "two.json")]) == 64  # it is the same plan
    assert "published" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[records.question]]\nname = "bke"\n', "no question is named 'bke'"),
        (
            '[[records.question]]\nname = "bike"\ncodes = { A = 1 }\n',
            "is not for 'bike'",
        ),
        ("[records]\nthousand = ','\n", "did you mean thousands"),
        ("[target]\nfailure = 0.1\n", r"no section \[records\]"),
    ],
)
def test_a_mapping_that_does_not_fit_is_refused(tmp_path, capsys, text: str, words: str) -> None:
    plan = saved(tmp_path, planner.Share("bike", error=0.2))
    table = rows_of(tmp_path / "r.csv", [["id", "bike"], ["1", "1"]])
    mapping = tmp_path / "mapping.toml"
    mapping.write_text(text, "utf-8")
    assert run(["records", str(plan), str(table), "--mapping", str(mapping)]) == 64
    assert re.search(words, capsys.readouterr().err)


def test_a_study_file_says_how_answers_are_written_in_its_records() -> None:
    text = """\
target = { failure = 0.2 }
question = [{ kind = "mean", name = "safe", low = 1, high = 5, error = 1 }]
[records]
thousands = "."
[[records.question]]
name = "safe"
column = "Q1"
codes = { Agree = 5, Disagree = 1 }
"""
    study = study_of(tomllib.loads(text), "study.toml")
    question = study.survey.questions[0]
    assert (question.column, question.codes) == ("Q1", (("Agree", 5.0), ("Disagree", 1.0)))
    again = study_of(tomllib.loads(as_toml(tables_of(study))), "again.toml")
    assert again == study
