"""`planner simulate`: the planned study, run many times."""

from pathlib import Path
from typing import Annotated

import typer

from planner.cli.settings import Set, settings_of


def simulate(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file.")],
    runs: Annotated[
        int | None, typer.Option(help="Number of runs; 10,000 for a mean, 100 for MWEM by default.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the runs.")] = 0,
    mean: Annotated[
        float | None,
        typer.Option(help="Mean of the population; the one nearest 1/2 by default."),
    ] = None,
    settings: Set = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Run the planned study many times, and compare how often it fails with what was promised.

    Exit status: 0 simulated, 1 infeasible, 2 undecided, 64 bad input.
    """
    from planner.answer.answers import Plan
    from planner.answer.solve import answer_to
    from planner.cli.terminal import STATUS, console, print_json, progress, working
    from planner.simulation.simulate import simulate as simulation_of, to_dict
    from planner.study_file.answer_file import read_given

    asked = read_given(study, settings_of(settings))
    with working("planning"):
        answer = answer_to(asked)
    title, result = answer.study.title or "Study", None
    if isinstance(answer, Plan):
        result = simulation_of(answer, runs, seed, mean, watch=lambda c: progress(c, "simulating"))
    if as_json:
        simulation = to_dict(result) if result else None
        print_json({"title": title, "verdict": answer.verdict, "simulation": simulation})
    elif result:
        from planner.explanation.results.simulation import VERDICTS, rows
        from planner.show import terminal_table

        console().print(terminal_table(f"{title}: {VERDICTS[result.verdict]}", rows(result)))
    else:
        console().print(f"{title} is {answer.verdict}: there is no plan to simulate.")
    return STATUS[answer.verdict]
