"""`planner costs` and `planner payment`: from what people ask to be paid to a payment."""

from pathlib import Path
from typing import Annotated

import typer

from planner.cli.shared import Force, Json, check_writable
from planner.cli.terminal import finish, working
from planner.figures.save import FORMATS, save


def costs(
    answers: Annotated[
        Path, typer.Argument(metavar="ANSWERS", help="A CSV file with the answers of a pilot.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="A .toml file to name in study files."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw who accepts what.")
    ] = None,
    currency: Annotated[str, typer.Option(help="Currency of all amounts.")] = "",
    as_json: Json = False,
    force: Force = False,
) -> int:
    """Estimate the spread of base costs from what people of a pilot ask to be paid.

    ANSWERS has the column person; offer and accepts (yes, no or never), or ask (an amount or
    never); and epsilon, or chance_without and chance_with, which describe the risk. Other columns
    are not read. Exit status: 0 where it could be estimated, 64 bad input.
    """
    from planner.pilot import estimate, read_pilot
    from planner.pilot.estimate import ENDING

    pilot = read_pilot(answers)
    if output is not None:
        check_writable(output, (ENDING,), [answers], force)
    if plot is not None:
        check_writable(plot, FORMATS, [answers], force)
    with working("estimating"):
        shown = estimate(pilot, currency)
        if output is not None:
            shown.save(output)
        if plot is not None:
            save(lambda figure: shown.draw(figure.add_subplot()), plot)
    return finish(as_json, shown)
