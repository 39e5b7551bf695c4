"""`planner prices`: how the cheapest plan changes with each quantity."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.settings import Set, settings_of

if TYPE_CHECKING:
    from planner.decisions.prices import Prices


def prices(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file.")],
    settings: Set = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Compute how one more unit or percent of each quantity changes the cheapest plan.

    Exit status: 0 feasible, 1 infeasible, 2 undecided, 64 bad input.
    """
    from planner.answer.solve import answer_to
    from planner.cli.terminal import STATUS, console, print_json, working
    from planner.decisions.drops import drops
    from planner.decisions.prices import prices as prices_of
    from planner.show import terminal_table
    from planner.study_file.answer_file import read_given

    given = read_given(study, settings_of(settings))
    with working("computing prices"):
        answer = answer_to(given)
        worth = prices_of(answer)
    if as_json:
        print_json([price.to_dict() for price in worth])
    elif worth:
        _print(worth, answer.study.title or "Study", answer.study.currency)
        if answer.study.survey is not None:
            with working("computing what each question costs"):
                dropped = drops(answer)
            console().print(terminal_table(dropped.shown_title(), dropped.shown_rows()))
    else:
        console().print("Only a feasible study has prices; `planner solve` says what to relax.")
    return STATUS[answer.verdict]


def _print(prices: "Prices", title: str, currency: str) -> None:
    """Print the prices as a table."""
    from planner.cli.terminal import columns, console
    from planner.explanation.results.changes import signed, words_in
    from planner.wording import plain

    cost = f"cost, {currency}" if currency else "cost"
    rows = [
        (
            words_in(prices.study, price.quantity),
            plain(price.value),
            *map(signed, (price.cost, price.cost_of_a_percent)),
            *(
                signed(None if change is None else change * price.value / 100)
                for change in (price.participants, price.epsilon)
            ),
        )
        for price in prices
    ]
    units = ("", "", "per unit", "per 1 %", "per 1 %", "per 1 %")
    title = f"{title}: what changes in the cheapest plan"
    console().print(
        columns(title, ("more of the", "now", cost, cost, "people", "ε"), [units, *rows])
    )
    console().print(
        "A unit is one person or query where those are counted. A dash: not finite, or\n"
        "not available; changes of people and ε need a best N that changes smoothly.",
        soft_wrap=True,
    )
