"""`planner simulate`: the planned study, run many times."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from planner.simulation.simulate import Simulation

_VERDICTS = {
    "kept": "the promise is kept",
    "broken": "the promise is broken",
    "consistent": "the runs are consistent with the promise",
}


def simulate(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file.")],
    runs: Annotated[
        int | None, typer.Option(help="How often; 10,000 for a mean, 100 for MWEM if not given.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same runs.")] = 0,
    mean: Annotated[
        float | None,
        typer.Option(help="The population's mean; the one nearest 1/2 if not given."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Run the planned study many times: how often it fails, beside what was promised.

    Exit status: 0 simulated, 1 infeasible, 2 undecided, 64 bad input.
    """
    from planner.answer.answers import Plan
    from planner.answer.solve import solve
    from planner.cli.output import STATUS, console, print_json, progress, working
    from planner.simulation.simulate import simulate as simulation_of, to_dict
    from planner.study_file.reader import read_study

    question = read_study(study)
    title = question.title or "Study"
    with working("planning"):
        answer = solve(question)
    found = None
    if isinstance(answer, Plan):
        found = simulation_of(answer, runs, seed, mean, watch=lambda c: progress(c, "simulating"))
    if as_json:
        simulation = to_dict(found) if found else None
        print_json({"title": title, "verdict": answer.verdict, "simulation": simulation})
    elif found:
        console().print(_table(title, found))
    else:
        console().print(f"{title} is {answer.verdict}: there is no plan to simulate.")
    return STATUS[answer.verdict]


def _table(title: str, found: "Simulation") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from planner.wording import at_least, at_most, plain

    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False, title_justify="left")
    table.title = Text(f"{title}: {_VERDICTS[found.verdict]}", style="bold")
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    low, high = at_least(found.low, 3), at_most(found.high, 3)
    rows = {
        "runs": plain(found.runs),
        "failed": f"{plain(found.failures)}, which is {100 * found.rate:.4g} %",
        "failure": f"{low} to {high}, with 95 % confidence (Clopper-Pearson)",
        "promised": f"at most {plain(found.promised)}",
        "the plan's": f"at most {at_most(found.computed, 4)}, as computed",
        "test": f"so many failures or more happen with probability {found.above:.3g} where the "
        "failure probability is the promised one; under 0.001 the promise is broken",
        "one run": found.simulated,
    }
    for name, value in rows.items():
        table.add_row(name, Text(value))
    return table
