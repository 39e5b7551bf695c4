"""`planner plot`: draw the feasible region of a study."""

from pathlib import Path
from typing import Annotated

import typer


def plot(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="A .svg, .png or .pdf file.")
    ],
) -> int:
    """Draw the feasible region of a study: floors, ceilings, region, plan or conflict.

    Exit status: 0 where the figure was drawn, 64 bad input.
    """
    from planner.answer.solve import solve
    from planner.study_file import read_study

    question = read_study(study)
    from figures.page import check_target, save
    from figures.region import draw

    check_target(output)
    save(lambda figure: draw(figure.add_subplot(), solve(question)), output)
    return 0
