"""The guide: one Markdown file a chapter, shown by the command line and the explorer."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
_PARTS = {"Plan": 6, "Decide": 8, "Run": 10, "Reference": 12}
"""The parts of the guide, each with its last chapter."""
_LINK = re.compile(r"\[([^\]]+)\]\((\d\d)-[\w-]+\.md\)")
_FILE = re.compile(
    r"^```(?:toml|csv) (\S+)(?: from (\S+))?[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE
)


class Chapter(NamedTuple):
    """A chapter.

    Attributes:
        number: counted from 1.
        name: its file's name without the ending, such as "01-first-plan".
        title: its heading.
        summary: the question that it answers.
        text: the whole chapter in Markdown.
    """

    number: int
    name: str
    title: str
    summary: str
    text: str

    @property
    def for_terminal(self) -> str:
        """The chapter with commands in place of links to other chapters, and no pictures."""
        text = re.sub(r"^!\[.*\]\(.*\)\n\n", "", self.text, flags=re.MULTILINE)
        return _LINK.sub(lambda link: f"{link[1]} (`planner guide {int(link[2])}`)", text)

    @property
    def files(self) -> dict[str, str]:
        """The texts of the files that it uses, by name: its own, and the first chapter's."""
        first = chapters()[0]
        shared = {} if self == first else first.files
        found = {name: text for name, text in shared.items() if name in self.text}
        for name, other, text in _FILE.findall(self.text):
            found[name] = changed(found[other], text) if other else text
        return found


@cache
def chapters() -> tuple[Chapter, ...]:
    """All chapters, in order."""
    return tuple(map(_read, sorted(FOLDER.glob("[0-9]*.md"))))


def parts() -> dict[str, list[Chapter]]:
    """The parts of the guide, in the order of a study, each with its chapters."""
    firsts = [0, *_PARTS.values()]
    return {
        part: list(chapters()[first:last])
        for (part, last), first in zip(_PARTS.items(), firsts, strict=False)
    }


def _read(path: Path) -> Chapter:
    text = path.read_text("utf-8")
    heading, summary = text.split("\n\n", 2)[:2]
    title = heading.removeprefix("# ")
    return Chapter(int(path.stem[:2]), path.stem, title, " ".join(summary.split()), text)


def chapter(asked: str) -> Chapter:
    """The chapter of a number, or of the beginning of a title, in any case.

    Raises:
        ValueError: no chapter is meant, or several are.
    """
    words = " ".join(re.findall(r"\w+", asked.casefold()))
    found = [
        one
        for one in chapters()
        if words in (str(one.number), f"{one.number:02}")
        or (words and " ".join(re.findall(r"\w+", one.title.casefold())).startswith(words))
    ]
    if len(found) != 1:
        known = ", ".join(one.title for one in found or chapters())
        what = "means several chapters" if found else "is not a chapter"
        raise ValueError(f"{asked!r} {what}; give a number from 1 to {len(chapters())}, or {known}")
    return found[0]


def changed(text: str, sections: str) -> str:
    """A study file with some of its sections replaced, or added at its end."""
    given = _sections(sections)
    kept = {name: part for name, part in _sections(text).items() if name not in given}
    return "\n".join([*kept.values(), *given.values()])


def _sections(text: str) -> dict[str, str]:
    """The parts of a study file by the first name in their heads; what precedes all is ""."""
    parts: dict[str, str] = {}
    for part in re.split(r"^(?=\[)", text, flags=re.MULTILINE):
        head = re.match(r"\[+(\w+)", part)
        name = head[1] if head else ""
        parts[name] = parts.get(name, "") + part
    return parts if parts.get("", "").strip() else {n: p for n, p in parts.items() if n}
