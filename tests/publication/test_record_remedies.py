"""Every remedy in a message about records is followed literally: the next look succeeds."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.model import Records
from planner.publication.look import Look, look

FREE = [planner.EpsilonAtMost(1.0), planner.MaxParticipants(2000)]
MEAN = {"low": 0.0, "high": 5000.0, "error": 1500.0}


def looked(path: Path, asked: Any, **written) -> Look:
    study = planner.Study(
        target=planner.Survey([asked], 0.2), conditions=FREE, records=Records(**written)
    )
    return look(planner.solve(study, prove=False), path)


def refused(seen: Look) -> str:
    assert not seen.ready
    return " ".join([*seen.wrong, *(fault.words for fault in seen.faults)])


def table(folder: Path, cells: list[str], header: list[list[str]], mark: str = ",") -> Path:
    """More records than any of these plans needs, with these answers in turn."""
    path = folder / "records.csv"
    rows = [[str(i), cells[i % len(cells)]] for i in range(40 * len(cells))]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=mark).writerows([*header, *rows])
    return path


@pytest.mark.parametrize(
    ("cells", "mark", "words", "written", "mean"),
    [
        (["1,200", "300"], ";", 'give thousands = "," if it is 1234', {"thousands": ","}, 750.0),
        (["1,200", "300"], ";", 'or decimal = "," if it is 1.234', {"decimal": ","}, 150.6),
        (["1.200", "300"], ",", 'give thousands = "." if it is 1234', {"thousands": "."}, 750.0),
        (["1.200", "300"], ",", 'or decimal = "." if it is 1.234', {"decimal": "."}, 150.6),
        (["1 200", "300"], ",", 'give thousands = " "', {"thousands": " "}, 750.0),
        (["1’200", "300"], ",", 'give thousands = "\'"', {"thousands": "'"}, 750.0),
        (["1,200.5", "300"], ",", 'give thousands = ","', {"thousands": ","}, 750.25),
        (["1.200,5", "300"], ",", 'give thousands = "."', {"thousands": "."}, 750.25),
        (["1,200", "2.5"], ",", 'give thousands = ","', {"thousands": ","}, 601.25),
        (["1.200", "2,5"], ";", 'give thousands = "."', {"thousands": "."}, 601.25),
    ],
)
def test_marks_of_numbers(tmp_path, cells, mark, words, written, mean) -> None:
    path = table(tmp_path, cells, [["id", "km"]], mark)
    question = planner.Mean("km", **MEAN)
    first = looked(path, question)
    if not first.ready and words not in refused(first):  # decimals by commas are told by others
        first = looked(path, question, decimal=",")
    assert words in refused(first)
    then = looked(path, question, **written)
    assert then.ready
    assert then.questions[0].numbers[2] == pytest.approx(mean)


WIDE = planner.Mean("n", low=0.0, high=10.0, error=3.0)
AGE = planner.Quantile("n", at=0.5, candidates=8, error=0.4)


@pytest.mark.parametrize(
    ("cells", "asked", "words", "then"),
    [
        (["ja", "no"], planner.Share("n", error=0.3), "give 1, true or yes",
         planner.Share("n", error=0.3, yes="ja")),
        (["ja", "nie"], planner.Share("n", error=0.3, yes="ja"), "give it in yes or no",
         planner.Share("n", error=0.3, yes="ja", no="nie")),
        (["a", "b"], planner.Histogram("n", error=0.3, labels=["a", "c"]), "give it in labels",
         planner.Histogram("n", error=0.3, labels=["a", "b"])),
        (["a", "b"], planner.Histogram("n", error=0.3, groups=2), "give labels or bins",
         planner.Histogram("n", error=0.3, labels=["a", "b"])),
        (["", "1"], planner.Share("n", error=0.3), "plan again with missing",
         planner.Share("n", error=0.3, missing="no")),
        (["12", "3"], WIDE, "plan again with another low or high",
         planner.Mean("n", low=0.0, high=12.0, error=3.0)),
        (["120", "3"], WIDE, "is the range right? Plan again with another one",
         planner.Mean("n", low=0.0, high=120.0, error=40.0)),
        (["18", "90"], AGE, "as low, high and step",
         planner.Quantile("n", at=0.5, low=18.0, high=90.0, step=1.0, error=0.4)),
        (["good", "bad"], planner.Mean("n", low=0.0, high=1.0, error=0.4, codes={"good": 1}),
         "give it in codes", planner.Mean(
             "n", low=0.0, high=1.0, error=0.4, codes={"good": 1, "bad": 0})),
    ],
)  # fmt: skip
def test_answers(tmp_path, cells, asked, words, then) -> None:
    path = table(tmp_path, cells, [["id", "n"]])
    assert words in refused(looked(path, asked))
    assert looked(path, then).ready


def test_places_of_answers(tmp_path) -> None:
    share = planner.Share("ill", error=0.3)
    path = table(tmp_path, ["1", "0"], [["Survey", ""], ["id", "ill"]])
    row = re.search(r"give header_row = (\d+)", refused(looked(path, share)))
    assert looked(path, share, header_row=int(row[1])).ready
    path = table(tmp_path, ["1", "0"], [["id", "Are you ill?"]])
    seen = looked(path, planner.Share("ill", error=0.3))
    assert "name it by column" in refused(seen)
    written = [{"name": name, "column": column} for name, column in seen.similar.items()]
    assert looked(path, share, question=written).ready


@pytest.mark.parametrize("rows", ["any", "last"])
def test_rows_of_a_person(tmp_path, rows: str) -> None:
    path = tmp_path / "long.csv"
    path.write_text("id,ill\n" + "".join(f"{i // 2},yes\n" for i in range(400)), "utf-8")
    share = planner.Share("ill", error=0.3)
    assert f'"{rows}"' in refused(looked(path, share, person="id"))
    assert looked(path, share, person="id", rows=rows).records == 200


def test_a_header_that_may_be_divided_in_two_ways(tmp_path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("a,b;c\n" + "1,1;1\n" * 200, "utf-8")
    with pytest.raises(ValueError, match='such as separator = ";"'):
        looked(path, planner.Share("ill", error=0.3))
    path.write_text("id;ill\n" + "1;1\n" * 200, "utf-8")
    assert looked(path, planner.Share("ill", error=0.3), separator=";").ready
