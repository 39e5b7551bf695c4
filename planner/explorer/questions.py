"""The questions of a survey in the explorer: their boxes, and their keys in the address.

The error of the second question has the key `question.2.error`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

SURVEY = "added-noise"
SURVEYS = (SURVEY, "lots")
"""The kinds of mechanism that answer a survey, the first one's where none is named."""
MOST = 40
"""Questions that fit on the page, and in an address."""
KINDS = {
    "share": "share of people",
    "histogram": "shares of groups",
    "mean": "mean of numbers",
    "quantile": "quantile of numbers",
}


class Box(NamedTuple):
    """One number of a question.

    Attributes:
        key: its name in study files.
        words: its label.
        start: its text in a new question.
        only: the kind of question that has it; empty for all.
    """

    key: str
    words: str
    start: str
    only: str = ""


BOXES = (
    Box("error", "error", "0.05"),
    Box("times", "times asked", "1"),
    Box("groups", "groups", "8", "histogram"),
    Box("low", "lowest value", "0", "mean"),
    Box("high", "highest value", "1", "mean"),
    Box("candidates", "candidates", "100", "quantile"),
    Box("at", "rank (median: 0.5)", "0.5", "quantile"),
)
LABELS = {"kind": "kind", "name": "name", **{box.key: box.words for box in BOXES}}
"""What a question has, and its label."""
_KEY = re.compile(rf"question\.([1-9]\d?)\.({'|'.join(LABELS)})", re.ASCII)


class Asked(NamedTuple):
    """One question as it is typed.

    Attributes:
        number: its place on the page, from 1.
        texts: the texts of its boxes by their keys.
    """

    number: int
    texts: dict[str, str]

    @property
    def kind(self) -> str:
        """Its kind; a share where none is given."""
        return self.texts.get("kind", "share")

    def key(self, of: str) -> str:
        """The key of one of its boxes in the address."""
        return f"question.{self.number}.{of}"

    @property
    def values(self) -> Iterator[tuple[str, str]]:
        """Its part of an address."""
        return ((self.key(key), text) for key, text in self.texts.items())

    @property
    def numbers(self) -> list[Box]:
        """The boxes of its kind that are filled."""
        return [box for box in BOXES if box.only in ("", self.kind) and box.key in self.texts]


def known(key: str) -> bool:
    """Whether a key of an address belongs to a question."""
    found = _KEY.fullmatch(key)
    return found is not None and int(found[1]) <= MOST


def asked(texts: Mapping[str, str]) -> list[Asked]:
    """The questions in an address, in order."""
    questions: dict[int, dict[str, str]] = {}
    for key, text in texts.items():
        if found := _KEY.fullmatch(key):
            questions.setdefault(int(found[1]), {})[found[2]] = text
    return [Asked(number, questions[number]) for number in sorted(questions)]


def added(texts: Mapping[str, str]) -> list[Asked]:
    """The questions, and a new one with a name of its own."""
    questions = asked(texts)
    names = {question.texts.get("name") for question in questions}
    number = next(n for n in range(1, MOST + 2) if f"question {n}" not in names)
    first = {} if questions or "error" not in texts else {"error": texts["error"]}
    new = {"kind": "share", "name": f"question {number}"}
    new |= {box.key: box.start for box in BOXES if not box.only} | first
    return _numbered([*(question.texts for question in questions), new])


def removed(texts: Mapping[str, str], number: int) -> list[Asked]:
    """The questions except one."""
    return _numbered(question.texts for question in asked(texts) if question.number != number)


def from_tables(tables: Iterable[Mapping[str, Any]]) -> list[Asked]:
    """The questions of a study file."""
    return _numbered({key: str(value) for key, value in table.items()} for table in tables)


def _numbered(questions: Iterable[dict[str, str]]) -> list[Asked]:
    return [Asked(number, texts) for number, texts in enumerate(questions, 1)]
