"""The guide: one Markdown file a chapter, shown by the command line and the explorer."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
_LINK = re.compile(r"\[([^\]]+)\]\((\d\d)-[\w-]+\.md\)")


class Chapter(NamedTuple):
    """A chapter.

    Attributes:
        number: counted from 1.
        name: its file's name without the ending, such as "01-ten-minutes".
        title: its heading.
        summary: its first sentence, which says what it is about.
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


@cache
def chapters() -> tuple[Chapter, ...]:
    """All chapters, in order."""
    return tuple(map(_read, sorted(FOLDER.glob("[0-9]*.md"))))


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
