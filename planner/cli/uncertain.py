"""`planner solve` on a study file with uncertain numbers."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.decisions.uncertain.sureness import Sureness
    from planner.decisions.uncertain.tornado import Tornado
    from planner.study_file.keys import Settings

STATUS = {"for all": 0, "for none": 1, "for some": 2}


def solve_uncertain(
    path: Path,
    settings: "Settings",
    draws: int | None,
    seed: int,
    probability: float,
    as_json: bool,
) -> int:
    """Print how likely a study is feasible, a plan that likely holds, and which input matters."""
    from planner.cli.terminal import print_json, working
    from planner.decisions.uncertain.sureness import feasibility_probability
    from planner.decisions.uncertain.tornado import tornado
    from planner.explanation.results.uncertain import as_data
    from planner.study_file.reader import read_uncertain

    uncertain = read_uncertain(path, settings)
    with working("drawing studies"):
        sure = feasibility_probability(uncertain, draws, seed, probability=probability)
        ranked = tornado(uncertain)
    if as_json:
        print_json(as_data(sure, ranked))
    else:
        _print(sure, ranked)
    return STATUS[sure.verdict]


def _print(sure: "Sureness", ranked: "Tornado") -> None:
    """Print how likely the study is feasible, then which input matters most."""
    from planner.cli.terminal import columns, console
    from planner.explanation.results.uncertain import end_cells
    from planner.quantities import QUANTITIES

    console().print(sure)
    cost = f"cost {ranked.study.currency}".strip()
    console().print(
        columns(
            ranked.shown_title(),
            ("input", "easy", cost, "feasible", "hard", cost, "feasible"),
            [
                (QUANTITIES[bar.quantity].words, *end_cells(bar.easy), *end_cells(bar.hard))
                for bar in ranked.bars
            ],
        )
    )
    console().print(
        "Easy and hard: the 5 % and 95 % quantiles, or the ends of an interval, with the\n"
        "other inputs at their medians. The costs ignore the budget; feasible is whether\n"
        "the study is feasible within its budget (? where undecided).",
        soft_wrap=True,
    )
