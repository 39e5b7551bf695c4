"""No text takes long to read, or breaks the parser."""

import time
from itertools import product

import pytest

from planner.study_file.text import LARGEST, StudyFileError, decoded, parsed, read


def test_hostile_text_gets_a_sentence_at_once() -> None:
    for text, words in [
        ("a." * 20_000 + "a = 1", "a key of more than 8 parts"),
        (" . ".join(["a"] * 9_000) + " = 1", "a key of more than 8 parts"),
        (".".join(['"a"'] * 9_000) + " = 1", "a key of more than 8 parts"),
        ("x = " + "[" * 60_000, "brackets nested more than 16 deep"),
        ("x = " + "{a = " * 9_000, "brackets nested more than 16 deep"),
        ("[[mechanism]]\n" * 4_000, "more than 2,100 tables"),
        ("x = " + "9" * 5_000, "a key or number of 5,000 characters"),
        ('x = """' + "[" * 60_000, "brackets nested more than 16 deep"),
        ('"' * 63_999, "not valid TOML"),
        ("x = 1e", "not valid TOML"),
    ]:
        started = time.process_time()
        with pytest.raises(StudyFileError) as caught:
            parsed(text, "f.toml")
        assert time.process_time() - started < 0.5
        assert str(caught.value).startswith("f.toml: ")
        assert words in str(caught.value)
        assert len(str(caught.value)) < 300


PLAIN = "write a decimal point, no thousands separator and no currency or percent sign, such as"


def test_numbers_as_people_write_them() -> None:
    for rest, statement in product(
        ["", "\nfailure = 0.05\n", "  # of 1, such as 0.05"],
        [
            *(
                "error = 0,04",
                "budget = 20,000",
                "budget = 20 000",
                "budget = 20'000",
                "b = 1.234,56",
            ),
            *(
                "budget = 20000 EUR",
                "budget = EUR 20000",
                "budget = €20,000",
                "budget = 20.000,00 €",
            ),
            *("error = 4 %", "error=4%", "error = .05", "error = 5.", "error = 4 percent"),
        ],
    ):
        with pytest.raises(StudyFileError) as caught:
            parsed(f'title = "a"\n[target]\n{statement}{rest}', "f.toml")
        assert str(caught.value).startswith(f"f.toml: line 3: {statement}: {PLAIN} 0.04 or 20000")


def test_other_mistakes_of_beginners() -> None:
    for text, words in [
        ("[target]\nerror = 0.1\nfailure = 0.1\nerror = 0.2", "line 4: error is given twice"),
        ("a = 1\n[b]\nc = 1\na = 2\n[d]\n\n[b]  # again\n", "line 7: [b] is given twice"),
        ("a.b = 1\na.b = 2\n\n# the end\n", "line 2: a.b is given twice"),
        ("a = 1\na = [\n1,\n]\n", "not valid TOML: Cannot overwrite a value (at line 4"),
        ("title = Smokers", "not valid TOML: Invalid value"),
        ("day = 2024-13-45", "not valid TOML: Expected newline"),
        ("x = 1" + " " * 60_000 + "x", "not valid TOML: Expected newline"),
        ("x = 1" + " 1" * 90, "line 1: x = 1 1 1"),
        ("x = 1" + " 1" * 30_000, "not valid TOML: Expected newline"),
    ]:
        started = time.process_time()
        with pytest.raises(StudyFileError) as caught:
            parsed(text, "f.toml")
        assert time.process_time() - started < 0.5
        assert f"f.toml: {words}" in str(caught.value)
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", ["a.csv", "a.CSV", "a.xlsx", "a.parquet"])
def test_a_table_is_no_study(tmp_path, name) -> None:
    with pytest.raises(StudyFileError, match="no such file"):
        read(tmp_path / name)
    (tmp_path / name).write_bytes(b"\x00name,age\n" * 10_000)
    words = f"{tmp_path / name} is a table of records; give a study file (.toml)"
    with pytest.raises(StudyFileError) as caught:
        read(tmp_path / name)
    assert str(caught.value) == words


def test_strings_and_comments_hold_no_structure() -> None:
    text = (
        'title = "a.b.c.d.e.f.g.h.i.j [[[[[[[[[[[[[[[[[["  # a.b.c.d.e.f.g.h.i.j {{{{{{{{{{{{{{\n'
    )
    text += "x = '''\n[[[[[[[[[[[[[[[[[[[[[[\n'''\ny = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]"
    assert set(parsed(text, "f.toml")) == {"title", "x", "y"}


def test_marks_and_ends_of_lines_that_other_systems_write() -> None:
    assert parsed(decoded(b"\xef\xbb\xbfa = 1\rb = 2\r\nc = 3\n", "f"), "f") == {
        "a": 1, "b": 2, "c": 3
    }  # fmt: skip


def test_size_is_limited_and_the_limit_can_be_moved() -> None:
    with pytest.raises(StudyFileError, match="more than 64,000 bytes"):
        decoded(b"#" * 64_001, "f")
    token = LARGEST.set(100_000)
    try:
        assert len(decoded(b"#" * 64_001, "f")) == 64_001
    finally:
        LARGEST.reset(token)


def test_a_thousand_strata_fit_beside_the_sections() -> None:
    sections = "".join(f"[{name}]\nx = 1\n" for name in ("target", "individual", "costs"))
    strata = "".join(f'[[stratum]]\nname = "S{k}"\npeople = 900\n' for k in range(1_000))
    assert len(parsed(sections + strata, "f.toml")["stratum"]) == 1_000
    with pytest.raises(StudyFileError, match="more than 2,100 tables"):
        parsed(sections + strata + "[[stratum]]\n" * 60, "f.toml")
