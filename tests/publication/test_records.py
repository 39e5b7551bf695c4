"""Records read in blocks, added up as whole numbers."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from planner.publication import csv_file, records
from planner.publication.items import Item

STEPS = 2**20
SHARE = Item("smokes", "share", 0.1, 0.1, "laplace", 1.0, 4)
AGE = Item("age", "histogram", 0.1, 0.1, "laplace", 1.0, 4, groups=3)
MEAN = Item("money", "mean", 0.1, 0.1, "laplace", 1.0, 4, low=-1.0, high=9.0, steps=STEPS)


def written(folder, text: str):
    path = folder / "records.csv"
    path.write_text(text, "utf-8")
    return path


def test_sums_are_exact(tmp_path):
    path = written(tmp_path, "money,id,age,smokes\n0.1,a,0,yes\n9,b,2,0\n-1,c,2,FALSE\n3.3,d,1,1\n")
    sums = records.sums_of(path, [SHARE, AGE, MEAN], 4)
    assert sums["smokes"] == 2
    assert list(sums["age"]) == [1, 1, 2]
    steps = sum(Fraction(x) + 1 for x in ("0.1", "9", "-1", "3.3")) * STEPS / 10
    assert abs(sums["money"] - steps) <= 4 * Fraction(1, 2)


def test_blocks_join(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_file, "_BLOCK", 64)
    path = written(tmp_path, "smokes\n" + "1\n0\n0\n" * 500)
    item = Item("smokes", "share", 0.1, 0.1, "laplace", 1.0, 1500)
    assert records.sums_of(path, [item], 1500)["smokes"] == 500


def test_each_set_of_records_is_as_likely_drawn():
    times = np.zeros((5, 5))
    for _ in range(4000):
        first, second = np.flatnonzero(records._drawn(5, 2))
        times[first, second] += 1
    seen = times[np.triu_indices(5, 1)]
    assert seen.sum() == 4000
    assert ((seen - 400) ** 2 / 400).sum() < 33  # chi-square with 9 degrees: 1e-4


def test_drawn_records_are_those_that_count(tmp_path):
    path = written(tmp_path, "smokes\n" + "1\n" * 3 + "0\n" * 3)
    found = {records.sums_of(path, [SHARE], 4)["smokes"] for _ in range(60)}
    assert found == {1, 2, 3}


def test_a_file_without_columns_or_of_bytes_is_refused(tmp_path):
    with pytest.raises(ValueError, match="column smokes is missing"):
        records.sums_of(written(tmp_path, ""), [SHARE], 4)
    with pytest.raises(ValueError, match="there twice"):
        records.sums_of(written(tmp_path, "smokes,smokes\n1,1\n"), [SHARE], 4)
    (tmp_path / "records.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not a CSV file"):
        records.sums_of(tmp_path / "records.csv", [SHARE], 4)


def test_a_line_that_is_broken_is_refused(tmp_path):
    path = written(tmp_path, "smokes,age\n1,1\n1\n0,2\n1,0\n")
    with pytest.raises(ValueError, match="line 3, column age: the value is missing"):
        records.sums_of(path, [SHARE, AGE], 4)


def test_a_file_that_changes_between_its_readings_is_refused(tmp_path, monkeypatch):
    path = written(tmp_path, "smokes\n" + "1\n0\n" * 4)
    drawn = records._drawn

    def later(count: int, people: int):
        path.write_text("smokes\n" + "1\n0\n" * 5, "utf-8")
        return np.append(drawn(count, people), [False, False])

    monkeypatch.setattr(records, "_drawn", later)
    with pytest.raises(records.RecordsError, match="has changed while it was read"):
        records.sums_of(path, [SHARE], 4)


def test_whole_numbers_that_are_far_apart_are_told_apart():
    far = replace(SHARE, words=(("1",), ("5000000",)))
    assert records.sums_of({"smokes": np.array([1, 5_000_000, 1, 5_000_000])}, [far], 4) == {
        "smokes": 2
    }
    with pytest.raises(records.RecordsError, match="not a known word"):
        records.sums_of({"smokes": np.array([1, 5_000_000, 1, 5_000_001])}, [far], 4)
