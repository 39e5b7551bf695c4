"""`planner plot`: draw the feasible region of a study, or which uncertain input matters most."""

from pathlib import Path
from typing import Annotated

import typer

from planner.cli.settings import Set, settings_of
from planner.cli.terminal import Force


def plot(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="A .svg, .png or .pdf file.")
    ],
    settings: Set = None,
    force: Force = False,
) -> int:
    """Draw the feasible region of a study: floors, ceilings, region, plan or conflict.

    For a file with uncertain numbers, draw which of them matters most.

    Exit status: 0 where the figure was drawn, 64 bad input.
    """
    from planner.answer.solve import answer_to
    from planner.cli.terminal import check_writable, working
    from planner.study_file.answer_file import read_given
    from planner.study_file.reader import is_uncertain, read_uncertain

    chosen = settings_of(settings)
    if is_uncertain(study, chosen):
        uncertain = read_uncertain(study, chosen)
        from planner.decisions.uncertain.tornado import tornado
        from planner.figures.save import FORMATS, save
        from planner.figures.tornado import draw as draw_tornado

        check_writable(output, FORMATS, [study], force)
        with working("drawing studies"):
            save(lambda figure: draw_tornado(figure.add_subplot(), tornado(uncertain)), output)
        return 0
    asked = read_given(study, chosen)
    from planner.figures.region import draw
    from planner.figures.save import FORMATS, save

    check_writable(output, FORMATS, [study], force)
    with working("drawing"):
        save(lambda figure: draw(figure.add_subplot(), answer_to(asked), panel=False), output)
    return 0
