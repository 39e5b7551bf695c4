"""A sheet of paper in words: sections of paragraphs and lists, to be shown as text or as a page."""

from typing import Any, NamedTuple


class Section(NamedTuple):
    """A part of a sheet.

    Attributes:
        heading: of the part.
        paragraphs: in order.
        items: a list after them.
    """

    heading: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...] = ()


class Sheet(NamedTuple):
    """A sheet.

    Attributes:
        title: of the sheet.
        sections: in order.
        code: a text to copy after them, such as citations; else empty.
        others: further sheets (`Sheet`) of the same kind, for other readers, each on its own paper.
    """

    title: str
    sections: tuple[Section, ...]
    code: str = ""
    others: tuple[Any, ...] = ()


def markdown(sheet: Sheet) -> str:
    """The sheet, and the others after it, as Markdown."""
    blocks = [f"# {sheet.title}"]
    for section in sheet.sections:
        blocks.append(f"## {section.heading}")
        blocks += section.paragraphs
        if section.items:
            blocks.append("\n".join(f"- {item}" for item in section.items))
    if sheet.code:
        blocks.append(f"```\n{sheet.code.rstrip()}\n```")
    return "\n".join(["\n\n".join(blocks) + "\n", *map(markdown, sheet.others)])
