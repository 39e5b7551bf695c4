"""What was published as a file: a page with pictures, a workbook, or a picture of one question."""

import gc
import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.explanation.papers import published
from planner.explanation.results.publication import parts, title
from planner.figures import answers as figure
from planner.figures.save import save as save_figure
from planner.output import program_version, write_whole
from planner.publication.results import PICTURES, Publication, drawable
from planner.reports import pictures
from planner.reports.page import page_environment, powers
from planner.wording import at_most, plain

if TYPE_CHECKING:
    from jinja2 import Template

_MOST_ROWS, _MOST_PICTURES = 200, 60
"""Numbers of a table on the page; questions with a picture: each takes a tenth of a second."""


def page(publication: Publication) -> str:
    """The page: for each question its picture, what was promised, who was asked, how to cite."""
    return _template().render(publication=publication, version=program_version())


def save(publication: Publication, path: Path, question: str | None) -> None:
    """Write the results to a file that does not exist, by its ending.

    Raises:
        ValueError: the file cannot be written, or exists.
    """
    ending = path.suffix.lower()
    if ending in PICTURES:
        answer = drawable(publication.answers, question)
        save_figure(
            lambda canvas: figure.draw(canvas.add_subplot(), publication, answer),
            path,
            height=figure.height(answer),
            replace=False,
        )
    elif ending == ".xlsx":
        book = _workbook(publication)
        write_whole(path, lambda part: _save_workbook(book, part), _unzipped, replace=False)
    else:
        text = publication.text(ending)
        write_whole(
            path,
            lambda part: part.write_text(text, "utf-8"),
            lambda part: _same(part, text),
            replace=False,
        )


def _workbook(publication: Publication) -> Any:
    import openpyxl

    book = openpyxl.Workbook()
    answers = book.active
    answers.title = "answers"
    _fill(answers, [publication.columns, *(tuple(line.values()) for line in publication.lines())])
    _fill(book.create_sheet("promised"), _promised(publication))
    return book


def _save_workbook(book: Any, path: Path) -> None:
    """Save a workbook; where that fails, the library would complain again when it is freed."""
    complain, failed = sys.unraisablehook, None
    sys.unraisablehook = lambda _: None
    try:
        book.save(path)
    except OSError as error:
        failed = error.errno, error.strerror
    finally:
        gc.collect()
        sys.unraisablehook = complain
    if failed:
        raise OSError(*failed)


def _promised(publication: Publication) -> list[tuple[Any, ...]]:
    return [
        ("study", publication.title),
        ("published", publication.published),
        ("rehearsed", "yes" if publication.rehearsed else "no"),
        ("participants", publication.participants),
        ("epsilon", publication.epsilon),
        ("delta", publication.delta),
        ("failure", publication.failure),
        ("privacy", publication.privacy),
        ("plan", publication.plan),
        ("certificate", publication.certificate),
        *(("note", note) for note in publication.notes),
    ]


def _fill(sheet: Any, rows: list[tuple[Any, ...]]) -> None:
    """Fill a sheet: numbers as numbers, and text as text also where it begins like a formula."""
    for at, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            cell = sheet.cell(at, column, value)
            if isinstance(value, str):
                cell.data_type = "s"
    for letter, wide in zip("ABC", (24, 24, 20), strict=True):
        sheet.column_dimensions[letter].width = wide


def _unzipped(path: Path) -> None:
    with zipfile.ZipFile(path) as book:
        if broken := book.testzip():
            raise OSError(f"the part {broken} was only partly written")


def _same(path: Path, text: str) -> None:
    if path.read_text("utf-8") != text:
        raise OSError("the file was only partly written")


@cache
def _template() -> "Template":
    environment = page_environment()
    environment.globals |= {
        "words": published,
        "title": title,
        "parts": parts,
        "picture": pictures.answers,
        "most": _MOST_ROWS,
        "pictures": _MOST_PICTURES,
        "plain": plain,
        "at_most": at_most,
    }
    environment.filters["powers"] = powers
    return environment.get_template("results.html.jinja")
