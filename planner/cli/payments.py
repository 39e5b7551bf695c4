"""`planner costs` and `planner payment`: from what people ask to be paid to a payment."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from planner.cli.shared import Force, Json, Set, StudyFile, check_writable, read
from planner.cli.terminal import STATUS, finish, working
from planner.figures.save import FORMATS, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
    are not read.
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


def payment(
    study: StudyFile,
    about: Annotated[
        Literal["accepting", "all"],
        typer.Option(help="Whom the answer is about: those who accept, or all people."),
    ] = "accepting",
    settings: Set = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="A .json file for the plan."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw costs and who accepts.")
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Answers of a pilot, to draw."),
    ] = None,
    as_json: Json = False,
    force: Force = False,
) -> int:
    """Find the payment to offer to everybody invited, with the least total cost.

    The people of STUDY differ: base_costs is a distribution, or what a pilot has shown. A larger
    payment is accepted by more of them, so that fewer are invited. The plan is proved at the
    payment found.
    """
    from planner.decisions import posted_payment
    from planner.figures import offers
    from planner.pilot import acceptance_curve, read_pilot
    from planner.study_file.answer_file import ENDING

    asked = read(study, settings)
    inputs = [study, *([answers] if answers else [])]
    if output is not None:
        check_writable(output, (ENDING,), inputs, force)
    if answers is not None and plot is None:
        raise ValueError("--answers are drawn; give --plot FILE, or leave --answers out")
    if plot is not None:
        check_writable(plot, FORMATS, inputs, force)
    observed = None if answers is None else acceptance_curve(read_pilot(answers).base)
    with working("looking for the best payment"):
        posted = posted_payment(asked, about)
        if output is not None:
            posted.answer.save(output)

    def drawn(figure: "Figure") -> None:
        left, right = figure.subplots(1, 2)
        offers.draw_acceptance(left, posted, observed)
        offers.draw(right, posted)

    if plot is not None:
        save(drawn, plot, height=3.8)
    return finish(as_json, posted, status=STATUS[posted.verdict])
