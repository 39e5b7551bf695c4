"""Files of records in every form, read as what they are; two ways to read one are refused."""

import datetime
import io
import sys
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import plans
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import planner
from planner.model import Records
from planner.publication import csv_file
from planner.publication.items import Item, items
from planner.publication.reading import Faults, Marks, Reader
from planner.publication.records import Reading, RecordsError, read

STEPS = 2**20
SMOKES = Item("raucht", "share", 0.1, 0.1, "laplace", 1.0, 4, words=(("nein",), ("ja",)))
LABELS = (("18–24",), ("25–34",), ("35 oder mehr",))
AGE = Item("Größe", "histogram", 0.1, 0.1, "laplace", 1.0, 4, groups=3, words=LABELS)
MONEY = Item("money", "mean", 0.1, 0.1, "laplace", 1.0, 4, low=0.0, high=2000.0, steps=STEPS)
BINS = Item(
    "years", "histogram", 0.1, 0.1, "laplace", 1.0, 4, groups=3, edges=(0.0, 18.0, 25.0, 65.0)
)
ASKED = [SMOKES, AGE, MONEY]
ROWS = [
    ("raucht", "id", "Größe", "money"),
    ("ja", "1", "18–24", "1.5"),
    ("nein", "2", "25–34", "12.25"),
    ("ja", "3", "18–24", "0.125"),
    ("nein", "4", "35 oder mehr", "7"),
]
MONEY_SUM = sum(round(float(row[3]) * STEPS / 2000) for row in ROWS[1:])


def table(separator: str = ",", comma: bool = False) -> str:
    rows = [[x.replace(".", ",") if comma else x for x in row] for row in ROWS]
    return "".join(separator.join(row) + "\n" for row in rows)


def of_text(folder: Path, content: str | bytes, asked=ASKED, written=None, **more) -> Reading:
    path = folder / "records.txt"  # its name says nothing
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read(path, asked, 4, written=written, **more)


def right(reading: Reading) -> bool:
    sums = reading.chosen()
    return (sums["raucht"], list(sums["Größe"]), sums["money"]) == (2, [2, 1, 1], MONEY_SUM)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (table(), "CSV with commas, UTF-8; 4 records"),
        (table().replace("\n", "\r\n"), "CSV with commas, UTF-8; 4 records"),
        (table().encode("utf-8-sig"), "CSV with commas, UTF-8; 4 records"),
        (table(";", comma=True), "CSV with semicolons, UTF-8, decimal commas; 4 records"),
        (table("\t"), "CSV with tabs, UTF-8; 4 records"),
        (table("\t").encode("utf-16"), "CSV with tabs, UTF-16; 4 records"),
        (b"\xfe\xff" + table(";").encode("utf-16-be"), "CSV with semicolons, UTF-16; 4 records"),
        (table(";").encode("cp1252"), "CSV with semicolons, Windows-1252; 4 records"),
        ("sep=;\r\n" + table(";"), "CSV with semicolons, UTF-8; 4 records"),
    ],
)
def test_a_csv_file_is_recognised(tmp_path, content, words: str) -> None:
    reading = of_text(tmp_path, content)
    assert reading.recognised == f"{tmp_path / 'records.txt'}: {words}"
    assert right(reading)


def test_latin_1_is_named(tmp_path) -> None:
    content = table(";").replace("–", "-").encode("latin-1")
    with pytest.raises(RecordsError, match="nearest known one is '18–24'"):
        of_text(tmp_path, content).refuse()
    assert "semicolons, Latin-1;" in of_text(tmp_path, content).recognised


def workbook(path: Path, sheets: dict[str, list]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


TYPED = [ROWS[0], *([*row[:3], float(row[3])] for row in ROWS[1:])]
COLUMNS = {name: [row[k] for row in TYPED[1:]] for k, name in enumerate(ROWS[0])}


def test_a_workbook_is_read_as_its_cells_are(tmp_path) -> None:
    one = workbook(tmp_path / "one.xlsx", {"a": [*TYPED[:2], [None] * 4, *TYPED[2:], []]})
    assert read(one, ASKED, 4).recognised == f"{one}: a workbook; 4 records"
    assert right(read(one, ASKED, 4))
    texts = [TYPED[0], *([*row[:3], row[3].replace(".", ",")] for row in ROWS[1:3]), *TYPED[3:]]
    assert right(read(workbook(tmp_path / "texts.xlsx", {"a": texts}), ASKED, 4))
    two = workbook(tmp_path / "two.xlsx", {"notes": [["x"]], "data": TYPED})
    assert "sheet 'data'" in read(two, ASKED, 4).recognised
    assert right(read(two, ASKED, 4))
    for sheets in ({"a": TYPED, "b": TYPED}, {"a": [["x"]], "b": [["y"]]}):
        with pytest.raises(RecordsError, match=r"sheets? ha.* all columns of the plan"):
            read(workbook(tmp_path / "more.xlsx", sheets), ASKED, 4)
    dates = [TYPED[0], *TYPED[1:3], ["ja", 3, datetime.datetime(2024, 2, 1), None], TYPED[4]]
    wrong = read(workbook(tmp_path / "dates.xlsx", {"a": dates}), ASKED, 4)
    assert [fault.where for fault in wrong.faults] == ["row 4, column Größe", "row 4, column money"]


def test_an_empty_cell_of_the_only_column_of_a_sheet_is_a_missing_value(tmp_path) -> None:
    rows = [["raucht"], ["ja"], [None], ["nein"], ["ja"], [None]]
    wrong = read(workbook(tmp_path / "one.xlsx", {"a": rows}), [SMOKES], 4)
    assert [fault.where for fault in wrong.faults] == ["row 3, column raucht"]


def test_parquet_and_tables_of_python_are_read(tmp_path) -> None:
    categories = pa.array(COLUMNS["Größe"]).dictionary_encode()
    pq.write_table(pa.table(COLUMNS | {"Größe": categories}), tmp_path / "records.parquet")
    reading = read(tmp_path / "records.parquet", ASKED, 4)
    assert reading.recognised.endswith(": Parquet; 4 records")
    frame = pd.DataFrame(COLUMNS)
    frame["Größe"] = frame["Größe"].astype("category")
    arrays = {name: np.array(values) for name, values in COLUMNS.items()}
    for given in (tmp_path / "records.parquet", frame, COLUMNS, arrays, pa.table(COLUMNS)):
        assert right(read(given, ASKED, 4))
    codes = Item("x", "share", 0.1, 0.1, "laplace", 1.0, 4, words=(("2",), ("1",)))
    for values in ([1, 2, 1, 1], [1.0, 2.0, 1.0, 1.0], ["1", "2", " 1", 1], [1, "2", 1.0, 1]):
        assert read({"x": values}, [codes], 4).chosen()["x"] == 3
    truth = Item("x", "share", 0.1, 0.1, "laplace", 1.0, 4)
    assert read(pd.DataFrame({"x": [True, False, True, True]}), [truth], 4).chosen()["x"] == 3
    with pytest.raises(RecordsError, match="columns differ in length"):
        read(COLUMNS | {"money": [1.0]}, ASKED, 4)
    with pytest.raises(RecordsError, match="not of type list"):
        read([1, 2], ASKED, 4)


def test_missing_values_of_tables_are_faults_and_never_left_out() -> None:
    nothing = [np.nan, None, pd.NA, float("inf")]
    for value in nothing:
        for given in ({"money": [1.0, 2.0, 3.0, value]}, pd.DataFrame({"money": [1, 2, 3, value]})):
            reading = read(given, [MONEY], 4)
            assert sum(fault.count for fault in reading.faults) == 1, value
    array = np.array([1.0, 2.0, np.nan, np.inf])
    faults = read(pa.table({"money": pa.array(array)}), [MONEY], 4).faults  # NaN, and no null
    assert [(fault.why.partition(";")[0], fault.count) for fault in faults] == [("not a number", 2)]


def test_standard_input_is_read_once(monkeypatch) -> None:
    class Pipe:
        buffer = io.BytesIO(table(";", comma=True).encode() + "ja;5;18–24;1\n".encode())

    monkeypatch.setattr(sys, "stdin", Pipe)
    reading = read("-", ASKED, 4)
    assert reading.recognised.startswith("standard input: CSV with semicolons")
    assert sum(reading.chosen()["Größe"]) == 4  # of five, in a second pass


@pytest.mark.parametrize(
    ("numbers", "mark", "words"),
    [
        (["1,234", "2,500", "7"], None, 'lines 2 and 3.*written like 1,234.*decimal = ","'),
        (["1,234", "2,500", "0,125"], None, ""),
        (["1,234", "2,500", "7"], ",", ""),
        (["1,234", "2,500", "7"], ".", "lines 2 and 3.*not a number"),
        (["1.234", "2.500", "7"], None, '2 numbers are written like 1.234.*decimal = "."'),
        (["1.234", "2.500", "7"], ".", ""),
        (["1.234", "2.500", "7.5"], None, ""),
        (["1.234", "2.500", "7"], ",", "lines 2 and 3.*with a point"),
        (["1,5", "2.5", "7"], None, "line 2.*a comma, where others have decimal points"),
        (["7", "2.5", "1,5"], None, "line 4.*a comma, where others have decimal points"),
        (["1.234,5", "2", "7"], None, 'line 2.*give thousands = "."'),
        (["1,234.5", "2", "7"], None, 'line 2.*give thousands = ","'),
        (["1 234", "2", "7"], None, 'line 2.*give thousands = " "'),
        (["1’234.5", "2", "7"], None, 'line 2.*give thousands = "\'"'),
        (["1,234", "2.5", "7"], None, 'line 2.*give thousands = ","'),
    ],
)
def test_a_decimal_mark_is_shown_or_asked_for(tmp_path, numbers, mark, words: str) -> None:
    content = "id;money\n" + "".join(f"1;{x}\n" for x in [*numbers, "1"])
    reading = of_text(tmp_path, content, [MONEY], Records(decimal=mark))
    if words:
        with pytest.raises(RecordsError, match=words):
            reading.chosen()
        return
    commas = "," in "".join(numbers)
    assert ("decimal commas" in reading.recognised) == commas
    expected = [float(x.replace(",", ".")) for x in [*numbers, "1"]]
    assert reading.chosen()["money"] == sum(round(x * STEPS / 2000) for x in expected)


@pytest.mark.parametrize(
    ("numbers", "thousands", "right"),
    [
        (["1,234", "300", "7"], ",", 1541.0),
        (["1.234", "300", "7,5"], ".", 1541.5),
        (["1 234,5", "1\u00a0000", "7"], " ", 2241.5),
        (["1'234.5", "1’000", "7"], "'", 2241.5),
        (["1,234,567.5", "300", "7"], ",", None),
        (["12,34", "300", "7"], ",", "lines? 2.*thousands does not divide"),
        (["1,2", "300", "7"], ",", "lines? 2.*thousands does not divide"),
    ],
)
def test_thousands_are_read_as_they_are_given(tmp_path, numbers, thousands, right) -> None:
    content = "id;money\n" + "".join(f"1;{x}\n" for x in [*numbers, "1"])
    reading = of_text(tmp_path, content, [MONEY], Records(thousands=thousands))
    if isinstance(right, float):
        assert reading.seen["money"].total == pytest.approx(right + 1)
        assert reading.chosen()["money"] > 0
        return
    with pytest.raises(RecordsError, match=right or "far from numbers from 0 to 2,000"):
        reading.chosen()


def test_a_comma_that_is_seen_late_counts_for_all(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(csv_file, "_BLOCK", 64)
    item = Item("money", "mean", 0.1, 0.1, "laplace", 1.0, 101, low=0.0, high=2000.0, steps=STEPS)
    path = tmp_path / "records.csv"
    path.write_text("id;money\n" + "1;1,234\n" * 100 + "1;0,5\n")
    reading = read(path, [item], 101)
    assert "decimal commas" in reading.recognised
    assert reading.chosen()["money"] == 100 * round(1.234 * STEPS / 2000) + round(STEPS / 4000)


def test_the_separator_is_told_by_the_columns_of_the_plan(tmp_path) -> None:
    rest = '\n"ja",2,3\n' * 4
    assert "with commas" in of_text(tmp_path, "raucht,a;b,c" + rest, [SMOKES]).recognised
    quoted = '"raucht","a, b"\n' + 'ja,"x; y"\n' * 4
    assert of_text(tmp_path, quoted, [SMOKES]).chosen()["raucht"] == 4
    twice = [SMOKES, Item("y", "share", 0.1, 0.1, "laplace", 1.0, 4)]
    with pytest.raises(RecordsError, match=r"divided by commas or semicolons; give separator"):
        of_text(tmp_path, "raucht,x;y" + rest, twice)
    stated = of_text(tmp_path, "raucht,x;y" + rest, twice, Records(separator=","))
    assert stated.recognised.startswith(str(tmp_path))


def test_line_breaks_in_quotes_and_broken_lines_keep_their_lines(tmp_path) -> None:
    content = 'raucht;note\nja;"two\n\nlines"\n\nnein\nja;"say ""x"""\nJa;x\nja;a;b\n'
    reading = of_text(tmp_path, content, [SMOKES])
    assert [(f.where, f.count) for f in reading.faults] == [
        ("line 8, column raucht", 1),
        ("lines 6 and 9", 2),
    ]
    assert reading.count == 5
    single = of_text(tmp_path, "raucht\nja\n\nja\nnein\n", [SMOKES])
    assert [fault.where for fault in single.faults] == ["line 3, column raucht"]


def test_names_of_columns_may_be_written_another_way(tmp_path) -> None:
    composed, apart = "Größe", "Gro\u0308ße"
    content = f" {apart} ;x\n" + "18–24;1\n" * 4
    assert list(of_text(tmp_path, content, [AGE]).chosen()[composed]) == [4, 0, 0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x1f\x8b\x08\x00", "compressed; unpack it first"),
        (b"\xd0\xcf\x11\xe0old", "an old spreadsheet; save it as .xlsx"),
        (b"PK\x03\x04no workbook", r"cannot be read as a table \(BadZipFile\)"),
        (b"PAR1no parquet", "cannot be read as a table"),
        (b"raucht\n\x00\x01\n", "not a CSV file in UTF-8"),
        (b"raucht;\x81\n", "not a CSV file in UTF-8"),
        (b"raucht\n" + b"x" * (3 << 20), "cannot be read as a table"),
        (b"", "column raucht is missing"),
    ],
)
def test_other_files_are_refused(tmp_path, content: bytes, words: str) -> None:
    with pytest.raises(RecordsError, match=words) as error:
        of_text(tmp_path, content, [SMOKES]).chosen()
    assert error.value.__context__ is None


def test_bins_hold_their_lower_edge(tmp_path) -> None:
    content = "years\n" + "\n".join(["0", "17.99", "18", "64.5"]) + "\n"
    assert list(of_text(tmp_path, content, [BINS]).chosen()["years"]) == [2, 1, 1]
    over = content.replace("64.5", "65")
    with pytest.raises(RecordsError, match=r"line 5.*not a number of at least 0 and below 65"):
        of_text(tmp_path, over, [BINS]).chosen()
    assert list(of_text(tmp_path, over, [BINS], clamp=True).chosen()["years"]) == [2, 1, 1]


def test_an_empty_cell_may_mean_no_or_a_group(tmp_path) -> None:
    own = Item("a", "histogram", 0.1, 0.1, "laplace", 1.0, 4, groups=3, if_missing=2)
    no = Item("b", "share", 0.1, 0.1, "laplace", 1.0, 4, if_missing=0)
    content = "a,b\n0,yes\n,\n1, \n ,no\n"
    sums = of_text(tmp_path, content, [own, no]).chosen()
    assert (list(sums["a"]), sums["b"]) == ([1, 1, 2], 1)
    with pytest.raises(RecordsError, match="not the number of a group, 0 to 1"):
        of_text(tmp_path, content.replace("1, ", "2, "), [own, no]).chosen()
    bins = Item(
        "a", "histogram", 0.1, 0.1, "laplace", 1.0, 4, groups=3, edges=(0.0, 1.0, 2.0), if_missing=2
    )
    assert list(of_text(tmp_path, content, [bins]).chosen()["a"]) == [1, 1, 2]


def test_many_groups_are_read_as_numbers(tmp_path) -> None:
    item = Item("x", "quantile", 0.1, 0.1, "exponential", 1.0, 4, groups=20_000)
    content = "x\n0\n007\n+19999\n 12 \n"
    counts = of_text(tmp_path, content, [item]).chosen()["x"]
    assert np.flatnonzero(counts).tolist() == [0, 7, 12, 19_999]
    written = of_text(tmp_path, content.replace("007", "7.0"), [item]).chosen()["x"]
    assert written.tolist() == counts.tolist()
    for wrong in ("20000", "-1", "1.5", "0x10", "1_0"):
        with pytest.raises(RecordsError, match="line 3, column x: not the number of a group"):
            of_text(tmp_path, content.replace("007", wrong), [item]).chosen()
    assert read({"x": [0, 7, 19_999, 12]}, [item], 4).chosen()["x"].sum() == 4
    assert read({"x": [0, 7, 20_000, 1.5]}, [item], 4).faults[0].count == 2


@pytest.mark.parametrize("library", ["openpyxl", "pyarrow"])
def test_a_library_that_is_missing_is_named_with_its_extra(tmp_path, monkeypatch, library) -> None:
    path = workbook(tmp_path / "one.xlsx", {"a": TYPED})
    if library == "pyarrow":
        path = tmp_path / "records.csv"
        path.write_text(table())
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(RecordsError, match=rf"need {library}.*\[records\]"):
        read(path, ASKED, 4)


@pytest.mark.slow
def test_an_empty_cell_may_count_as_a_number() -> None:
    asked = (
        planner.Mean("spent", low=0, high=60, error=25.0, missing=2.5),
        planner.Quantile("income", candidates=10, error=0.3, missing=3),
    )
    plan = planner.solve(plans.study(planner.AddedNoise("laplace"), planner.Survey(asked, 0.2)))
    rest = plan.participants - 1
    reading = read(
        {"spent": [None, *["10"] * rest], "income": ["", *["0"] * rest]},
        items(plan),
        plan.participants,
    )
    sums = reading.chosen()
    (steps,) = (item.steps for item in items(plan) if item.kind == "mean")
    assert sums["spent"] == round(2.5 * steps / 60) + rest * round(10 * steps / 60)
    assert list(sums["income"][:4]) == [rest, 0, 0, 1]
    assert "numbers from 0 to 60; empty counts as 2.5" in str(planner.publication.expected(plan))
    assert "where no answer counts as 2.5" in asked[0].words


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint64, np.float32, np.float64])
def test_numbers_are_the_words_that_are_written_like_them(kind) -> None:
    """Near and far codes, negative ones, and numbers that are none, beside a look in a list."""
    words = (("-1",), ("0", "nein"), ("7",), ("99", "077"), ("123456789012345",))
    item = Item("a", "histogram", 0.1, 0.1, "laplace", 1.0, 9, groups=5, words=words)
    rng = np.random.default_rng(3)
    numbers = np.concatenate([rng.integers(-3, 105, 500), [-(2**63), 2**63 - 1, 123456789012345]])
    values = numbers.astype(kind)
    if values.dtype.kind == "f":
        values = np.append(values, np.array([0.5, -0.0, np.nan, np.inf, -np.inf, 1e30], kind))
    if values.dtype.kind == "u":
        values = np.append(values, np.array([2**64 - 1, 2**63], kind))
    listed = {int(word): code for code, (word, *_) in enumerate(words)}
    faults = Faults()
    reader = Reader(item, True, False, Marks("."), faults)
    found, there = reader.read(pa.array(values), 0)
    expected = [listed.get(value, -1) for value in values.tolist()]
    assert found.tolist() == expected
    assert there.tolist() == [code >= 0 for code in expected]


def test_texts_of_parquet_are_read_alike_however_often_they_come(tmp_path) -> None:
    """Few texts and many, nulls, blanks, and groups of rows of their own."""
    texts = ["ja", "nein", None, " ja ", "ja\u0301"] * 40 + [f"other {k}" for k in range(50)]
    path = tmp_path / "r.parquet"
    pq.write_table(pa.table({"a": texts}), path, row_group_size=60)
    item = Item("a", "share", 0.1, 0.1, "laplace", 1.0, 250, words=(("nein",), ("ja",)))
    found = read(path, [item], 250)
    again = read({"a": texts}, [item], 250)
    assert found.faults[0].count + found.faults[1].count == 40 + 40 + 50
    assert [(f.why, f.count) for f in found.faults] == [(f.why, f.count) for f in again.faults]
    words = [text for text in texts if text and text.strip() in ("ja", "nein")]
    sums = read({"a": words}, [item], len(words)).sums["a"]
    assert sums == 80
