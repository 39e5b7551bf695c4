"""No text takes long to read, or breaks the parser."""

import time

import pytest

from planner.study_file.text import LARGEST, StudyFileError, decoded, parsed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a." * 20_000 + "a = 1", "a key of more than 8 parts"),
        (" . ".join(["a"] * 9_000) + " = 1", "a key of more than 8 parts"),
        (".".join(['"a"'] * 9_000) + " = 1", "a key of more than 8 parts"),
        ("x = " + "[" * 60_000, "brackets nested more than 16 deep"),
        ("x = " + "{a = " * 9_000, "brackets nested more than 16 deep"),
        ("[[mechanism]]\n" * 4_000, "more than 2,000 tables"),
        ("x = " + "9" * 5_000, "a key or number of 5,000 characters"),
        ('x = """' + "[" * 60_000, "brackets nested more than 16 deep"),
        ('"' * 63_999, "not valid TOML"),
        ("x = 1e", "not valid TOML"),
    ],
)
def test_hostile_text_gets_a_sentence_at_once(text: str, words: str) -> None:
    started = time.process_time()
    with pytest.raises(StudyFileError) as caught:
        parsed(text, "f.toml")
    assert time.process_time() - started < 0.5
    assert str(caught.value).startswith("f.toml: ")
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300


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
