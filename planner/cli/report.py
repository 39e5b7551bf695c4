"""`planner report`: studies and their answers as one page for decision-makers."""

from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from planner.cli.settings import Set, settings_of
from planner.cli.terminal import Force


def report(
    studies: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[STUDY]...", help="Study files; Hsu14's scenarios by default."),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="A .html or .pdf file.")
    ] = Path("report.html"),
    pdf: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write this PDF; needs Chromium.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out what takes long; the page names it.")
    ] = False,
    day: Annotated[
        datetime | None,
        typer.Option("--date", formats=["%Y-%m-%d"], help="Date of the report; today by default."),
    ] = None,
    settings: Set = None,
    force: Force = False,
) -> int:
    """Write a report: question, answer, pictures, odds, proof, alternatives, formulas, glossary.

    Exit status: 0 where the report was written, 64 bad input.
    """
    from planner.cli.terminal import check_writable, console, working
    from planner.scenarios import four_scenarios
    from planner.study_file.answer_file import read_given, text_of_study

    paths = studies or four_scenarios()
    chosen = settings_of(settings)
    asked = [(read_given(path, chosen), text_of_study(path, chosen)) for path in paths]
    from planner.reports.content import content_of
    from planner.reports.files import PAGES, PDF, browser, write
    from planner.reports.page import page

    targets = [path for path in (output, pdf) if path is not None]
    for target in targets:
        check_writable(target, (PAGES[0], PDF, *PAGES[1:]), paths, force)
        if target.suffix.lower() == PDF:
            browser()
    if pdf is not None and pdf.suffix.lower() != ".pdf":
        raise ValueError(f"{pdf}: --pdf writes a PDF; end the name in .pdf")
    contents = []
    for at, (study, text) in enumerate(asked, 1):
        stage = partial(_working, f"study {at} of {len(asked)}")
        contents.append(content_of(study, text, quick, stage))
    with working("drawing"):
        html = page(contents, day.date() if day else None)
        for target in targets:
            write(html, target)
    verdicts = ", ".join(content.answer.verdict for content in contents)
    written = " and ".join(map(str, targets))
    console().print(f"{written}: {verdicts}", soft_wrap=True)
    return 0


def _working(which: str, words: str) -> AbstractContextManager[object]:
    """A spinner that names the study and the stage."""
    from planner.cli.terminal import working

    return working(f"{which}: {words}")
