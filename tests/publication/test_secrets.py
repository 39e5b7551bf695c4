"""No value of a record stands in what is written: not in a message, a traceback or a file.

Marked values are planted in every format and in every kind of fault, and all output is searched.
"""

import io
import json
import shutil
import sys
import traceback
import warnings
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import planner
from planner.cli import run
from planner.publication import look
from planner.publication.results import ENDINGS, PICTURES
from tests.publication import plans

WORD, NUMBER = "Zq7Xw", "871234567"
QUESTIONS = (
    planner.Share("smokes", 0.3, yes=["ja"], no=["nein"]),
    planner.Histogram("age", labels=["young", "old"], error=0.3),
    planner.Histogram("years", bins=[0, 18, 65], error=0.3),
    planner.Histogram("group", groups=2, error=0.3),
    planner.Mean("money", low=0, high=10, error=5.0),
)
STUDY = plans.study(planner.AddedNoise("laplace"), planner.Survey(QUESTIONS, 0.2))
RIGHT = {"smokes": "ja", "age": "old", "years": "20", "group": "1", "money": "2"}
FAULTS = [
    *({column: WORD} for column in RIGHT),
    *({column: NUMBER} for column in RIGHT),
    {"smokes": f"ja{WORD}", "age": f" {WORD}\n", "money": f"{NUMBER},5", "years": f"{NUMBER}.5"},
    {"money": "1,234", "years": f"1.{NUMBER}e400", "group": f"0x{NUMBER}"},
    dict.fromkeys(RIGHT, WORD),
]


@pytest.fixture(scope="module")
def plan():
    answer = planner.solve(STUDY)
    assert answer.verdict == "feasible"
    return answer


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    return tmp_path


def rows(plan, fault: dict[str, str]) -> list[dict[str, str]]:
    found = [dict(RIGHT) for _ in range(plan.participants)]
    found[3] |= fault
    return found


def as_csv(found, separator: str) -> str:
    lines = [separator.join(RIGHT)]
    lines += [separator.join(f'"{x}"' for x in row.values()) for row in found]
    return "\n".join(lines) + "\n"


def written(path: Path, found) -> Path:
    """The records in the form that the path's ending names."""
    frame = pd.DataFrame(found)
    match path.suffix:
        case ".csv":
            path.write_text(as_csv(found, ","), "utf-8")
        case ".semicolons":
            path.write_bytes(as_csv(found, ";").replace("ja", "jä").encode("latin-1"))
        case ".utf16":
            path.write_bytes(as_csv(found, "\t").encode("utf-16"))
        case ".parquet":
            pq.write_table(pa.Table.from_pandas(frame), path)
        case ".xlsx":
            book = openpyxl.Workbook()
            for row in (list(RIGHT), *(list(row.values()) for row in found)):
                book.active.append(row)
            book.save(path)
    return path


def searched(place: Path, records: Path, *texts: str) -> None:
    files = [path for path in place.rglob("*") if path.is_file() and path != records]
    assert place / "plan.json" in files
    for text in (*texts, *(path.read_bytes().decode("latin-1") for path in files)):
        assert WORD not in text
        assert NUMBER not in text


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".csv", ".semicolons", ".utf16", ".parquet", ".xlsx"])
def test_no_value_is_written_by_a_command(plan, place, capsys, ending) -> None:
    plan.save(place / "plan.json")
    for fault in FAULTS:
        records = written(place / f"records{ending}", rows(plan, fault))
        looks = ["records", str(place / "plan.json"), str(records)]
        publishes = ["publish", *looks[1:], "-o", str(place / "results.json")]
        for command in (looks, [*looks, "--json"], publishes, [*publishes, "--clamp"]):
            status = run(["--debug", *command])
            shown = capsys.readouterr()
            searched(place, records, shown.out, shown.err)
            if "--clamp" not in command:  # where a number may be moved to the end of its range
                assert status == (1 if command[0] == "records" else 64)
        (place / "results.json").unlink(missing_ok=True)  # where --clamp has published
        shutil.rmtree(place / "data", ignore_errors=True)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_no_value_stands_in_an_error_or_its_traceback(plan, place, fault) -> None:
    found = rows(plan, fault)
    columns = {name: [row[name] for row in found] for name in RIGHT}
    mixed = columns | {"money": [2.0, *columns["money"][1:]]}  # numbers and texts
    for records in (columns, mixed, pd.DataFrame(found), pa.table(columns)):
        with pytest.raises(ValueError, match=r"refused|record 4") as caught:
            planner.publish(plan, records, people="class", ledger=place / "ledger.sqlite")
        error: BaseException | None = caught.value
        text = "".join(traceback.format_exception(caught.value))
        while error is not None:
            text += repr(error)
            error = error.__context__ or error.__cause__
        assert WORD not in text
        assert NUMBER not in text
        assert WORD not in str(look(plan, records)) + look(plan, records).to_json()


@pytest.mark.slow
def test_a_date_that_is_none_is_not_quoted_by_a_warning(plan, place, capsys) -> None:
    plan.save(place / "plan.json")
    path = written(place / "records.xlsx", rows(plan, {}))
    book = openpyxl.load_workbook(path)
    cell = book.active["B5"]
    cell.value, cell.number_format = int(NUMBER), "yyyy-mm-dd"
    book.save(path)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert run(["records", str(place / "plan.json"), str(path)]) == 1
    assert warned == []
    shown = capsys.readouterr()
    assert "row 5, column age" in " ".join(shown.out.split())
    searched(place, path, shown.out, shown.err)


@pytest.mark.slow
def test_no_value_of_standard_input_is_written(plan, place, capsys, monkeypatch) -> None:
    plan.save(place / "plan.json")

    class Pipe:
        buffer = io.BytesIO(as_csv(rows(plan, FAULTS[-1]), ";").encode())

    monkeypatch.setattr(sys, "stdin", Pipe)
    assert run(["--debug", "records", str(place / "plan.json"), "-"]) == 1
    shown = capsys.readouterr()
    assert "standard input" in shown.out
    searched(place, place / "none", shown.out, shown.err)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [WORD, f"ja;{WORD};1;1;1;1;{NUMBER}", f'ja;"{WORD};1', f"ja;old;{NUMBER};1;1;{WORD}"]
)
def test_no_value_of_a_broken_line_is_written(plan, place, capsys, line: str) -> None:
    plan.save(place / "plan.json")
    records = place / "records.csv"
    records.write_text(as_csv(rows(plan, {}), ";") + line + "\n")
    assert run(["--debug", "records", str(place / "plan.json"), str(records)]) == 1
    shown = capsys.readouterr()
    searched(place, records, shown.out, shown.err)
    assert f"line {plan.participants + 2}" in " ".join(shown.out.split())


def test_a_file_without_a_header_shows_nothing_of_its_first_record(plan, place, capsys) -> None:
    plan.save(place / "plan.json")
    records = place / "records.csv"
    records.write_text(f"smokes{WORD};{NUMBER};money{NUMBER}\n" * (plan.participants + 1))
    assert run(["records", str(place / "plan.json"), str(records)]) == 1
    shown = capsys.readouterr()
    assert "column smokes is missing" in " ".join(shown.out.split())
    searched(place, records, shown.out, shown.err)


@pytest.mark.slow
@pytest.mark.parametrize("error", [pa.ArrowInvalid, RuntimeError, UnicodeDecodeError, OSError])
def test_an_error_of_a_library_is_told_by_its_kind(plan, place, capsys, monkeypatch, error) -> None:
    plan.save(place / "plan.json")
    records = written(place / "records.csv", rows(plan, {}))
    said = error("utf-8", b"x", 0, 1, WORD) if error is UnicodeDecodeError else error(WORD)

    def fails(*_: object, **__: object) -> None:
        raise said

    monkeypatch.setattr(pyarrow.csv, "open_csv", fails)
    for command in ("records", "publish"):
        more = ["-o", str(place / "results.json")] if command == "publish" else []
        assert run(["--debug", command, str(place / "plan.json"), str(records), *more]) == 64
        shown = capsys.readouterr()
        assert f"cannot be read as a table ({error.__name__})" in shown.err
        searched(place, records, shown.out, shown.err)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_no_value_is_written_in_any_form_of_results(plan, place, capsys, ending) -> None:
    """Neither of a column that is not asked about, nor of numbers moved to the end of the range."""
    plan.save(place / "plan.json")
    found = [{**row, "comment": WORD, "id": NUMBER} for row in rows(plan, {"money": NUMBER})]
    records = place / "records.csv"
    pd.DataFrame(found).to_csv(records, index=False)
    command = ["publish", str(place / "plan.json"), str(records), "--clamp"]
    more = ["--question", "age"] if ending in PICTURES else []
    assert run([*command, "-o", str(place / f"results{ending}"), *more]) == 0
    shown = capsys.readouterr()
    if ending == ".xlsx":
        with zipfile.ZipFile(place / "results.xlsx") as book:
            book.extractall(place / "unzipped")
    searched(place, records, shown.out, shown.err)


def test_what_is_recognised_stays_out_of_the_results(plan, place) -> None:
    """More records than planned are counted on the screen only."""
    found = [*rows(plan, {}), dict(RIGHT)]
    done = planner.publish(plan, written(place / "records.csv", found), place / "results.json")
    assert f"{len(found)} records" in dict(done.shown_rows())["records"]  # str cuts long results
    assert "records" not in json.loads((place / "results.json").read_text())
    assert "records" not in done.to_dict()
