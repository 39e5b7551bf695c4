"""What is drawn: the region of a study, a report with its pictures, and every figure."""

from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import planner
from planner.cli.shared import (
    Force,
    Set,
    StudyFile,
    StudyFiles,
    check_writable,
    computed,
    of_all_strata,
    read,
    settings_of,
)
from planner.cli.terminal import Unbroken, finish, progress, working
from planner.figures.save import FORMATS, save
from planner.output import check_target


def plot(
    study: StudyFile,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="A .svg, .png or .pdf file.")
    ],
    settings: Set = None,
    force: Force = False,
) -> int:
    """Draw where the money of a study goes, what accuracy costs, and its feasible region.

    For a test, draw its power over the number of people and over the change.
    For a study with strata, draw what each of them gets: error, people, ε, payment and cost.
    For a file with uncertain numbers, draw which of them matters most.
    """
    from planner.study_file.reader import is_uncertain

    chosen = of_all_strata(settings_of(settings))
    if is_uncertain(study, chosen):
        from planner.figures.tornado import draw as draw_tornado

        uncertain = planner.read_uncertain(study, chosen)
        check_writable(output, FORMATS, [study], force)
        with working("drawing studies"):
            ranked = planner.decisions.tornado(uncertain)
            save(lambda figure: draw_tornado(figure.add_subplot(), ranked), output)
        return 0
    from planner.figures import money, power, strata

    given = read(study, settings)
    check_writable(output, FORMATS, [study], force)
    with working("drawing"):
        answer = computed(given)
        if isinstance(answer, planner.answer.Plan) and answer.study.power is not None:
            save(lambda figure: power.draw(figure, answer), output)
            return 0
        if isinstance(answer, planner.answer.StrataPlan | planner.answer.TotalPlan):
            height = strata.height(answer)
            save(lambda figure: strata.draw(figure.add_subplot(), answer, panel=False), output,
                 height=height)  # fmt: skip
            return 0
        save(lambda figure: money.draw(figure, answer), output, width=10.0, height=5.6)
    return 0


def figures(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Folder of the files; created if needed.")
    ] = Path("build/figures"),
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="The same folder.")
    ] = None,
) -> int:
    """Draw every figure as SVG and PNG."""
    folder = output or folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or "cannot be created").lower()
        raise typer.BadParameter(f"{folder}: {reason}; give another folder") from None
    from planner.figures.gallery import GALLERY

    check_target(folder / "figure.svg", FORMATS)
    for entry in progress(GALLERY, "drawing"):
        paths = [folder / f"{entry.name}{suffix}" for suffix in (".svg", ".png")]
        save(entry.draw, *paths, width=entry.width, height=entry.height)
    return finish(False, f"{len(GALLERY)} figures, each as SVG and PNG, are in {folder}")


def report(
    studies: StudyFiles = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="A .html or .pdf file.")
    ] = Path("report.html"),
    annex: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the annex: proof, formulas, how to run it."),
    ] = None,
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
    """Write a report to decide on; --annex FILE is for those who check or run the study."""
    from planner.reports import files
    from planner.scenarios import four_scenarios
    from planner.study_file.answer_file import text_of_study

    if annex is not None and str(annex).startswith("-"):
        raise ValueError("--annex needs the name of a file; give --annex annex.html")
    paths, chosen = studies or four_scenarios(), of_all_strata(settings_of(settings))
    asked = [(read(path, settings), text_of_study(path, chosen)) for path in paths]
    targets = [path for path in (output, pdf) if path is not None]
    written = [*targets, annex] if annex is not None else targets
    for target in written:
        check_writable(target, (files.PAGES[0], files.PDF, *files.PAGES[1:]), paths, force)
        if target.suffix.lower() == files.PDF:
            files.browser()
    if pdf is not None and pdf.suffix.lower() != files.PDF:
        raise ValueError(f"{pdf}: --pdf writes a PDF; end the name in .pdf")
    from planner.reports.content import annex_of, contents_of
    from planner.reports.page import annex_page, page

    contents, annexes, verdicts = [], [], []
    for at, (study, text) in enumerate(asked, 1):
        stage = partial(_stage, f"study {at} of {len(asked)}")
        found = contents_of(study, text, quick, stage)
        contents += found
        verdicts.append(found[0].answer.verdict)
        if annex is not None:
            annexes += [annex_of(content, quick, stage) for content in found]
    of_day = day.date() if day else None
    with working("drawing"):
        html = page(contents, of_day)
        for target in targets:
            files.write(html, target)
        if annex is not None:
            files.write(annex_page(annexes, of_day), annex)
    return finish(False, Unbroken(f"{' and '.join(map(str, written))}: {', '.join(verdicts)}"))


def _stage(which: str, words: str) -> AbstractContextManager[object]:
    return working(f"{which}: {words}")
