"""What a page repeats, such as the questions of a survey: its boxes, and its keys in the address.

The error of the second question has the key `question.2.error`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple


class Box(NamedTuple):
    """One number of a row.

    Attributes:
        key: its name in study files.
        words: its label.
        start: its text in a new row.
        only: the kind of row that has it; empty for all.
    """

    key: str
    words: str
    start: str
    only: str = ""


class Row(NamedTuple):
    """One of what a page repeats, as it is typed.

    Attributes:
        section: its name in study files.
        number: its place on the page, from 1.
        texts: the texts of its boxes by their keys.
    """

    section: str
    number: int
    texts: Mapping[str, str]

    def key(self, of: str) -> str:
        """The key of one of its boxes in the address."""
        return f"{self.section}.{self.number}.{of}"

    @property
    def values(self) -> Iterator[tuple[str, str]]:
        return ((self.key(key), text) for key, text in self.texts.items())


@dataclass(frozen=True)
class Section:
    """Rows of one kind.

    Attributes:
        name: of the section in study files, and in the address.
        labels: of what a row has, by the key.
        most: rows that fit on the page, and in an address.
    """

    name: str
    labels: dict[str, str]
    most: int

    @cached_property
    def _key(self) -> re.Pattern[str]:
        return re.compile(rf"{self.name}\.([1-9]\d?)\.({'|'.join(self.labels)})", re.ASCII)

    def known(self, key: str) -> bool:
        """Whether a key of an address belongs to a row."""
        found = self._key.fullmatch(key)
        return found is not None and int(found[1]) <= self.most

    def asked(self, texts: Mapping[str, str]) -> list[Row]:
        """The rows in an address, in order."""
        rows: dict[int, dict[str, str]] = {}
        for key, text in texts.items():
            if found := self._key.fullmatch(key):
                rows.setdefault(int(found[1]), {})[found[2]] = text
        return [Row(self.name, number, rows[number]) for number in sorted(rows)]

    def removed(self, texts: Mapping[str, str], number: int) -> list[Row]:
        """The rows except one."""
        return self.numbered(row.texts for row in self.asked(texts) if row.number != number)

    def from_tables(self, tables: Iterable[Mapping[str, Any]]) -> list[Row]:
        return self.numbered({key: str(value) for key, value in one.items()} for one in tables)

    def numbered(self, rows: Iterable[Mapping[str, str]]) -> list[Row]:
        return [Row(self.name, number, texts) for number, texts in enumerate(rows, 1)]
