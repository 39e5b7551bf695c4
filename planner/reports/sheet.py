"""Sheets as files, Markdown, a page, or a PDF."""

from html import escape
from pathlib import Path

from planner.explanation.papers.sheet import Sheet, markdown
from planner.output import write_whole
from planner.reports import files

ENDINGS = (".html", ".htm", ".pdf", ".md")
_STYLE = """\
body { font: 1.05rem/1.5 sans-serif; max-width: 38rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 1.6rem }
table { border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0; border-bottom: 1px solid #ccc }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem }
h1 ~ h1 { break-before: page; margin-top: 4rem }
@media print { body { margin: 0; max-width: none } h2 { break-after: avoid } h1 ~ h1 { margin-top: 0 } }"""


def page(sheet: Sheet) -> str:
    """The sheet as an HTML page; the others follow, each on paper of its own."""
    body = "\n".join(map(_body, (sheet, *sheet.others)))
    return _page(escape(sheet.title), body)


def _body(sheet: Sheet) -> str:
    parts = [f"<h1>{escape(sheet.title)}</h1>"]
    for section in sheet.sections:
        parts.append(f"<h2>{escape(section.heading)}</h2>")
        parts += [f"<p>{escape(words)}</p>" for words in section.paragraphs]
        if section.items:
            items = "".join(f"<li>{escape(item)}</li>" for item in section.items)
            parts.append(f"<ul>{items}</ul>")
    if sheet.code:
        parts.append(f'<pre tabindex="0">{escape(sheet.code)}</pre>')
    return "\n".join(parts)


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{_STYLE}</style></head>\n<body><main>\n{body}\n</main></body></html>\n"
    )


def write(sheet: Sheet, path: Path) -> None:
    """Write a sheet to a file, by its ending.

    Raises:
        ValueError: the file cannot be written, or a PDF needs a browser that is not installed.
    """
    if path.suffix.lower() == ".md":
        write_whole(path, lambda part: part.write_text(markdown(sheet), "utf-8"))
    else:
        files.write(page(sheet), path)
