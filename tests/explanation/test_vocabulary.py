"""The vocabulary is that of CONTRIBUTING."""

import json
import re
from pathlib import Path

from planner.cli import run
from planner.explanation.vocabulary import TERMS, words

TABLE = (
    (Path(__file__).parents[2] / "CONTRIBUTING.md")
    .read_text("utf-8")
    .split("### Words and symbols")[1]
    .split("\n\n")[2]
    .splitlines()[2:]
)


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def test_every_term_has_its_row() -> None:
    names = [name for row in TABLE for name in re.findall(r"`(\w+)`", cells(row)[0])]
    assert names == [term.name for term in TERMS if term.symbol]


def test_the_guide_says_what_the_glossary_says() -> None:
    for row in TABLE:
        name, symbol, meaning, within = cells(row)
        terms = [t for t in TERMS if f"`{t.name}`" in name]
        assert symbol == ", ".join(t.symbol for t in terms)
        assert meaning == "; ".join(dict.fromkeys(t.meaning for t in terms))
        assert within == "; ".join(t.range for t in terms)


def test_words_carry_no_markdown() -> None:
    assert words(r"`error` of \|X\|") == "error of |X|"


def test_the_command_prints_every_term(capsys) -> None:
    assert run(["glossary"]) == 0
    shown = capsys.readouterr().out
    assert all(term.name in shown for term in TERMS)
    assert max(map(len, shown.splitlines())) <= 80
    assert run(["glossary", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in found] == [term.name for term in TERMS]
    assert found[10]["symbol"] == "|X|"
