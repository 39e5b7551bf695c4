"""`planner solve`: plan studies, with proof."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import planner
from planner.cli.settings import Set, every_setting, settings_of
from planner.cli.terminal import Force

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Group
    from rich.table import Table

    from planner.answer.answers import Answer
    from planner.decisions.changes import Change
    from planner.decisions.drops import Drops


class Minimise(StrEnum):
    """What a plan minimises."""

    cost = "cost"
    participants = "participants"
    epsilon = "epsilon"


class BlankCell(StrEnum):
    """What an empty cell of a table stands for."""

    template = "template"
    error = "error"


def solve(
    studies: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[STUDY]...", help="Study files; a worked study by default."),
    ] = None,
    settings: Set = None,
    scenarios: Annotated[
        bool, typer.Option("--scenarios", help="Plan Hsu14's four scenarios, exactly and by bound.")
    ] = False,
    minimise: Annotated[Minimise, typer.Option(help="What the plan minimises.")] = Minimise.cost,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV", help="Plan each row of a table, based on a study file or alone."
        ),
    ] = None,
    blank: Annotated[
        BlankCell | None,
        typer.Option(help="What an empty cell of --table stands for.", show_default="template"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="A .json file for the answer, or a .csv file for the plans of --table.",
        ),
    ] = None,
    with_room: Annotated[
        bool,
        typer.Option(
            "--room", help="List how far each quantity of a feasible study can be tightened."
        ),
    ] = False,
    draws: Annotated[
        int | None, typer.Option(help="For uncertain numbers: how many studies are drawn.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the draws.", show_default="1")] = None,
    probability: Annotated[
        float | None,
        typer.Option(help="How likely the plan must meet all conditions.", show_default="0.9"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    force: Force = False,
) -> int:
    """Plan studies: verdict, plan, proof, and what to relax where there is no plan.

    A file with uncertain numbers, such as budget = { uniform = [2e4, 4e4] }, must be given alone:
    the study is feasible for all of them, for none, or for some. Exit status: 0 feasible (for
    all), 1 infeasible (for none), 2 undecided or for some (the highest of several; without a file
    0 if all are decided), 64 bad input.
    """
    from planner.answer.answers import AnyAnswer, Plan, to_dict
    from planner.answer.solve import solve as answer_of
    from planner.cli.terminal import STATUS, console, print_json, progress
    from planner.study_file.answer_file import read_given, sealed
    from planner.study_file.reader import is_uncertain

    ways = every_setting(settings)
    of_draws = {"--draws": draws, "--seed": seed, "--probability": probability}
    given = [name for name, value in of_draws.items() if value is not None]
    if table is not None:
        if given or with_room:
            odd = [*given, *(["--room"] if with_room else [])][0]
            raise ValueError(f"{odd} does not apply to --table, which plans each row; leave it out")
        from planner.cli.batch import batch

        chosen = settings_of(settings)
        return batch(
            studies or [],
            table,
            output,
            minimise.value,
            as_json,
            force,
            chosen,
            blank == BlankCell.error,
        )
    if blank is not None:
        raise ValueError("--blank is for empty cells of a table; give --table, or leave it out")
    if output is not None:
        _check_saved(studies or [], output, force)
    if scenarios:
        from planner.cli.side_by_side import four_scenarios

        if studies or settings:
            raise ValueError("--scenarios takes no study file and no --set; leave one of them out")
        return four_scenarios(minimise.value, as_json)
    if not studies:
        _refuse([*given, *(["--room"] if with_room else []), *(["--set"] if settings else [])])
        return _worked_study(minimise, as_json)
    if len(ways) > 1:
        from planner.cli.side_by_side import what_ifs

        if len(studies) > 1 or with_room or output or given:
            raise ValueError(
                "--set with several values takes one study file, and no --room, -o or draws"
            )
        return what_ifs(studies[0], ways, minimise.value, as_json)
    if len(studies) == 1 and is_uncertain(studies[0], ways[0]):
        from planner.cli.uncertain import solve_uncertain

        if with_room or output or minimise is not Minimise.cost:
            raise ValueError(
                f"{studies[0]}: some numbers are uncertain, so the plan is the cheapest, no room "
                "is listed and no file is written; leave out --minimise, --room and -o"
            )
        return solve_uncertain(
            studies[0],
            ways[0],
            draws,
            1 if seed is None else seed,
            0.9 if probability is None else probability,
            as_json,
        )
    _refuse(given)
    asked = [read_given(path, ways[0]) for path in studies]
    answers = [
        q if isinstance(q, AnyAnswer) else answer_of(q, minimise.value)
        for q in progress(asked, "planning")
    ]
    if output is not None:
        answers[0].save(output)
    changes: list[Sequence[Change]] = [
        []
        if isinstance(answer, Plan)
        else planner.limits(answer, watch=lambda each: progress(each, "searching what to relax"))
        for answer in answers
    ]
    dropping = [_without_questions(answer) for answer in answers]
    left: list[Sequence[Change]] = [
        planner.limits(answer, watch=lambda each: progress(each, "searching what room is left"))
        if with_room and isinstance(answer, Plan)
        else []
        for answer in answers
    ]
    if as_json:
        printed = [
            {**to_dict(answer, change, rest), **({} if dropped is None else dropped.to_dict())}
            for answer, change, rest, dropped in zip(answers, changes, left, dropping, strict=True)
        ]
        sealed_ones = [sealed(data) for data in printed]
        print_json(sealed_ones[0] if len(printed) == 1 else sealed_ones)
    else:
        terminal = console()
        if len(answers) > 1:
            terminal.print(_summary(answers))
        for answer, change, rest, dropped in zip(answers, changes, left, dropping, strict=True):
            terminal.print(_details(answer, change, rest, dropped=dropped))
    return max(STATUS[answer.verdict] for answer in answers)


def _without_questions(answer: "Answer") -> "Drops | None":
    """Which questions an infeasible survey would have to drop."""
    if answer.verdict != "infeasible" or answer.study.survey is None:
        return None
    from planner.cli.terminal import working
    from planner.decisions.drops import drops

    with working("searching which questions to drop"):
        return drops(answer)


def _check_saved(studies: list[Path], output: Path, force: bool) -> None:
    """Refuse a file that the answer cannot be written to."""
    from planner.cli.terminal import check_writable

    if output.suffix.lower() == ".csv":
        raise ValueError(
            f"{output}: a CSV file is for the plans of a table; give --table sites.csv, or a .json "
            "file for the answer to one study"
        )
    if len(studies) != 1:
        raise ValueError(
            f"-o writes one answer, not {len(studies)}; give one study file, or --table sites.csv"
        )
    check_writable(output, (".json",), studies, force)


def _refuse(options: list[str]) -> None:
    """Refuse options that would be ignored."""
    if options:
        what = "a study file" if options[0] == "--room" else "one file with uncertain numbers"
        raise ValueError(f"{options[0]} needs {what}; give one, or leave {options[0]} out")


def _worked_study(minimise: Minimise, as_json: bool) -> int:
    """Plan the study that `planner init` writes, and say what to try next."""
    from planner.cli.terminal import console
    from planner.study_file.templates import TEMPLATES

    status = solve([TEMPLATES / "study.toml"], minimise=minimise, as_json=as_json)
    if not as_json:
        console().print(
            "Next: planner init              writes this study as a file to change\n"
            "      planner solve --scenarios  plans the four studies of Hsu et al. (2014)\n"
            "      planner guide              explains each step"
        )
    return status


def _summary(answers: "list[Answer]") -> "Group":
    """A table of several answers."""
    from planner.cli.terminal import columns
    from planner.explanation.results.rows import plan_cells

    currencies = {answer.study.currency for answer in answers}
    shared = currencies.pop() if len(currencies) == 1 else ""
    rows = []
    for answer in answers:
        epsilon, people, _, cost = plan_cells(answer, with_currency=not shared)
        rows.append([answer.study.title or "study", answer.verdict, epsilon, people, cost])
    return columns(
        "", ("study", "verdict", "ε", "people", f"cost, {shared}".removesuffix(", ")), rows
    )


def _details(
    answer: "Answer",
    changes: "Sequence[Change]",
    left: "Sequence[Change]",
    title: str = "",
    dropped: "Drops | None" = None,
) -> "Table":
    """All that an answer says, as a table."""
    from planner.explanation.results.changes import drops_rows
    from planner.explanation.results.rows import answer_rows
    from planner.show import terminal_table

    title = title or answer.study.title or "Study"
    rows = answer_rows(answer, changes, left) + (drops_rows(dropped) if dropped else [])
    return terminal_table(f"{title}: {answer.verdict}", rows)
