"""`planner compare`: the private study beside the same study without privacy."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.settings import Set, settings_of

if TYPE_CHECKING:
    from rich.console import Group

    from planner.comparison.compare import Comparison

_STATUS = {"infeasible": 1, "undecided": 2}


def compare(
    studies: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[STUDY]...", help="Study files; Hsu14's scenarios by default."),
    ] = None,
    exposure: Annotated[
        float, typer.Option(help="Fraction of the people who are exposed without privacy.")
    ] = 0.002,
    settings: Set = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Compare the cheapest private study with the same study without privacy.

    The study's budget is ignored. Exit status: 0 if a private study exists at some budget, 1 if
    none does, 2 undecided (the highest of several), 64 bad input.
    """
    from planner.answer.answers import study_of
    from planner.answer.problem.problem import exactly
    from planner.cli.terminal import console, print_json, progress
    from planner.comparison.compare import compare as comparison_of, to_dict
    from planner.explanation.results.comparison import in_words
    from planner.scenarios import four_scenarios
    from planner.study_file.answer_file import read_given

    asked = [read_given(path, settings_of(settings)) for path in studies or four_scenarios()]
    pairs = []
    for study in progress(asked, "comparing"):
        other = exactly(study_of(study))
        by_bound = comparison_of(study, exposure)
        pairs.append((by_bound, comparison_of(other, exposure) if other else None))
    if as_json:
        printed = [to_dict(*pair) for pair in pairs]
        print_json(printed[0] if len(printed) == 1 else printed)
    else:
        terminal = console()
        for by_bound, exact in pairs:
            for comparison in filter(None, (exact, by_bound)):
                terminal.print(_table(comparison))
                terminal.print("\n".join(in_words(comparison)), end="\n\n")
    return max(_STATUS.get(comparison.verdict, 0) for comparison, _ in pairs)


def _table(comparison: "Comparison") -> "Group":
    """Both studies side by side."""
    from planner.cli.terminal import columns
    from planner.explanation.results import comparison as words

    names = ("", *words.columns(comparison))
    return columns(words.title(comparison), names, words.rows(comparison))
