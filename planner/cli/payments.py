"""`planner costs` and `planner payment`: from what people ask to be paid to a payment."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from planner.cli.shared import Force, Json, Set, StudyFile, check_writable, read
from planner.cli.terminal import STATUS, finish, working
from planner.figures.save import FORMATS, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from planner.show import Shown


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
    private_epsilon: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help="Publish with noise: the privacy that each answer loses. Each run draws anew, "
            "and what the runs spend adds up.",
        ),
    ] = None,
    brackets: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="With --private-epsilon: base costs, such as 2,5,10,20,50, at which the amounts "
            "that people ask are counted. Choose them before you see the answers.",
        ),
    ] = "",
    as_json: Json = False,
    force: Force = False,
) -> int:
    """Estimate the spread of base costs from what people of a pilot ask to be paid.

    ANSWERS has the column person; offer and accepts (yes, no or never), or ask (an amount or
    never); and epsilon, or chance_without and chance_with, which describe the risk. Other columns
    are not read. Exit status: 0 where it could be estimated, 64 bad input.
    """
    from planner.pilot import estimate, read_pilot, release
    from planner.pilot.estimate import ENDING

    if brackets and private_epsilon is None:
        raise ValueError("--brackets are for --private-epsilon; give both, or leave both out")
    pilot = read_pilot(answers, private=private_epsilon is not None)
    if output is not None:
        check_writable(output, (ENDING,), [answers], force)
    if plot is not None:
        check_writable(plot, FORMATS, [answers], force)
    with working("estimating"):
        if private_epsilon is not None:
            ends = _numbers("brackets", brackets) if brackets else ()
            shown = estimate(release(pilot, private_epsilon, ends), currency)
        else:
            shown = estimate(pilot, currency)
        if output is not None:
            shown.save(output)
        if plot is not None:
            save(lambda figure: shown.draw(figure.add_subplot()), plot)
    return finish(as_json, shown)


def _numbers(name: str, text: str) -> tuple[float, ...]:
    """The numbers of a list."""
    try:
        return tuple(float(cell) for cell in text.split(","))
    except ValueError:
        raise ValueError(
            f"--{name} = {text!r} is not allowed; give numbers with commas between, such as 2,5,10"
        ) from None


def payment(
    study: StudyFile,
    about: Annotated[
        Literal["accepting", "all"],
        typer.Option(
            help="Whom the answer is about: those who accept, or all people, where the error "
            "includes how far those who refuse can move the answer."
        ),
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
        typer.Option(metavar="FILE", help="Answers of a pilot, to draw, or for --answer-cost."),
    ] = None,
    answer_cost: Annotated[
        float | None,
        typer.Option(
            metavar="MONEY",
            help="What a further answer of the pilot costs: also tell where more stop paying.",
        ),
    ] = None,
    with_auction: Annotated[
        bool, typer.Option("--auction", help="Compare with an auction, and with known asks.")
    ] = False,
    as_json: Json = False,
    force: Force = False,
) -> int:
    """Find the payment to offer to everybody invited, with the least total cost.

    The people of STUDY differ: base_costs is a distribution, or what a pilot has shown. A larger
    payment is accepted by more of them, so that fewer are invited. The plan is proved at the
    payment found. Exit status: 0 feasible, 1 infeasible, 2 undecided, 64 bad input.
    """
    from planner.decisions import auction, posted_payment
    from planner.figures import offers
    from planner.pilot import acceptance_curve, estimate, read_pilot, worth
    from planner.study_file.answer_file import ENDING

    asked = read(study, settings)
    inputs = [study, *([answers] if answers else [])]
    if output is not None:
        check_writable(output, (ENDING,), inputs, force)
    if answers is not None and plot is None and answer_cost is None:
        raise ValueError(
            "--answers are drawn; give --plot FILE or --answer-cost, or leave --answers out"
        )
    if answer_cost is not None and (answers is None or about == "all"):
        raise ValueError(
            "--answer-cost is for the answers of a pilot about those who accept; give --answers "
            "FILE, and leave --about out"
        )
    if plot is not None:
        check_writable(plot, FORMATS, inputs, force)
    pilot = None if answers is None else read_pilot(answers)
    observed = None if pilot is None else acceptance_curve(pilot.base)
    with working("looking for the best payment"):
        posted = posted_payment(asked, about)
        if output is not None:
            posted.answer.save(output)
        more: list[Shown] = [auction(posted)] if with_auction and posted.plan else []
        if pilot is not None and answer_cost is not None:
            more.append(worth(estimate(pilot), asked, answer_cost))

    def drawn(figure: "Figure") -> None:
        left, right = figure.subplots(1, 2)
        offers.draw_acceptance(left, posted, observed)
        offers.draw(right, posted)

    if plot is not None:
        save(drawn, plot, height=3.8)
    data = posted.to_dict()
    for one in more:
        data |= {type(one).__name__.lower(): one.to_dict()}
    return finish(as_json, data, [posted, *more], STATUS[posted.verdict])
