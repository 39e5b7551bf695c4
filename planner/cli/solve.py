"""`planner solve`: plan studies, with proof; one with uncertain numbers as well as may be."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import planner
from planner.cli import shared
from planner.cli.shared import Force, Json, Objective, Set, Settings
from planner.cli.side_by_side import four_scenarios, what_ifs
from planner.cli.terminal import STATUS, Unbroken, columns, finish, progress, working
from planner.quantities import QUANTITIES
from planner.show import view

if TYPE_CHECKING:
    from planner.answer.answers import Answer
    from planner.decisions.changes import Change
    from planner.decisions.drops import Drops

    Told = tuple[Answer, Sequence[Change], Sequence[Change], Drops | None]


def solve(
    studies: Annotated[
        list[Path] | None,
        typer.Argument(metavar="STUDY", help="Study files; a worked study by default."),
    ] = None,
    settings: Set = None,
    scenarios: Annotated[
        bool,
        typer.Option(
            "--scenarios",
            help="Plan the four scenarios of Hsu et al. (2014), exactly and by bound.",
        ),
    ] = False,
    minimise: Annotated[Objective, typer.Option(help="What the plan minimises.")] = "cost",
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV", help="Plan each row of a table, based on a study file or alone."
        ),
    ] = None,
    blank: Annotated[
        Literal["template", "error"] | None,
        typer.Option(help="What an empty cell of --table stands for.", show_default="template"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="A .json file of the answer, or a .csv table of its parts.",
        ),
    ] = None,
    with_room: Annotated[
        bool,
        typer.Option(
            "--room", help="List how far each quantity of a feasible study can be tightened."
        ),
    ] = False,
    proof: Annotated[
        bool, typer.Option("--proof", help="Print also what was proved, and the least cost.")
    ] = False,
    draws: Annotated[
        int | None, typer.Option(help="For uncertain numbers: how many studies are drawn.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the draws.", show_default="1")] = None,
    as_json: Json = False,
    force: Force = False,
) -> int:
    """Plan studies: verdict, plan, proof, and what to relax where there is no plan.

    A file with uncertain numbers, such as budget = { uniform = [2e4, 4e4] }, must be given alone:
    the study is feasible for all of them, for none, or for some.
    """
    studies, ways = studies or [], shared.every_setting(settings)
    of_draws = {"draws": draws, "seed": seed}
    of_draws = {name: value for name, value in of_draws.items() if value is not None}
    given = [f"--{name}" for name in of_draws]
    given_or_room = [*given, *(["--room"] if with_room else [])]
    if table is not None:
        if given_or_room:
            raise ValueError(
                f"{given_or_room[0]} does not apply to --table, which plans each row; leave it out"
            )
        from planner.cli.batch import batch

        chosen, cell = shared.settings_of(settings), blank or "template"
        return batch(studies, table, output, minimise, as_json, force, chosen, cell)
    if blank is not None:
        raise ValueError("--blank is for empty cells of a table; give --table, or leave it out")
    if output is not None:
        _check_output(studies, output, force)
    if scenarios:
        if studies or settings:
            raise ValueError("--scenarios takes no study file and no --set; leave one of them out")
        return four_scenarios(minimise, as_json)
    if not studies:
        _refuse([*given_or_room, *(["--set"] if settings else [])])
        return _worked_study(minimise, as_json)
    if len(ways) > 1:
        if len(studies) > 1 or given_or_room or output:
            raise ValueError(
                "--set with several values takes one study file, and no --room, -o or draws"
            )
        return what_ifs(studies[0], ways, minimise, as_json)
    from planner.study_file.reader import is_uncertain

    if len(studies) == 1 and is_uncertain(studies[0], shared.of_all_strata(ways[0])):
        if with_room or output or minimise != "cost":
            raise ValueError(
                f"{studies[0]}: some numbers are uncertain, so there is no one plan, no room is "
                "listed and no file is written; leave out --minimise, --room and -o"
            )
        return _uncertain(studies[0], ways[0], of_draws, as_json)
    _refuse(given)
    asked = [shared.read(path, settings) for path in studies]
    answers = [shared.planned(study, minimise) for study in progress(asked, "planning")]
    if output is not None and output.suffix.lower() == ".csv":
        shared.write_table(output, view(type(answers[0]), "frame")(answers[0]))
    elif output is not None:
        answers[0].save(output)
    # for people at a terminal: it is no part of the answer
    next_step = _next(studies[0], output) if sys.stdout.isatty() else ""
    return _answered(answers, with_room, proof, as_json, next_step)


def _refuse(options: list[str]) -> None:
    if options:
        what = "a study file" if options[0] == "--room" else "one file with uncertain numbers"
        raise ValueError(f"{options[0]} needs {what}; give one, or leave {options[0]} out")


def _check_output(studies: list[Path], output: Path, force: bool) -> None:
    if len(studies) != 1:
        raise ValueError(
            f"-o writes one answer, not {len(studies)}; give one study file, or --table sites.csv"
        )
    shared.check_writable(output, (".json", ".csv"), studies, force)


_FIRST_STEPS = """\
Next: planner init              writes this study as a file to change
      planner solve --scenarios  plans the four studies of Hsu et al. (2014)
      planner guide              explains each step"""


def _worked_study(minimise: Objective, as_json: bool) -> int:
    from planner.study_file.templates import TEMPLATES

    answer = shared.planned(planner.read_study(TEMPLATES / "study.toml"), minimise)
    return _answered([answer], False, False, as_json, _FIRST_STEPS)


def _next(study: Path, saved: Path | None) -> str:
    """What to do with a plan: of one that is not saved yet, to look at it and to save it."""
    if saved is not None and saved.suffix == ".json":
        proves = f"planner check {saved} proves the plan again"
        return f"Next: {proves}; planner consent and publish use it."
    return f"Next: planner report {study} shows the plan; add -o plan.json to keep it."


def _answered(
    answers: "list[Answer]", with_room: bool, in_full: bool, as_json: bool, next_step: str = ""
) -> int:
    """Print answers, with what would have to be relaxed and what room is left."""
    from planner.answer.answers import to_dict
    from planner.study_file.answer_file import sealed

    feasible = [answer.verdict == "feasible" for answer in answers]

    def limits(words: str, wanted: list[bool]) -> "list[Sequence[Change]]":
        watch = partial(progress, words=words)
        pairs = zip(answers, wanted, strict=True)
        return [
            planner.limits(answer, _left_out(answer, with_room), watch) if want else []
            for answer, want in pairs
        ]

    changes = limits("searching what to relax", [not one for one in feasible])
    dropping = [_drops(answer) for answer in answers]
    left = limits("searching what room is left", [with_room and one for one in feasible])
    told = list(zip(answers, changes, left, dropping, strict=True))

    def data() -> Any:
        printed = [
            sealed({**to_dict(answer, *more), **({} if dropped is None else dropped.to_dict())})
            for answer, *more, dropped in told
        ]
        return printed[0] if len(printed) == 1 else printed

    status = max(STATUS[answer.verdict] for answer in answers)
    steps = (Unbroken(next_step),) if next_step and feasible == [True] else ()
    return finish(as_json, data, chain(_shown(told, in_full), steps), status)


def _left_out(answer: "Answer", with_room: bool) -> list[str]:
    """Quantities whose limits are not searched: of strata with a budget, all others."""
    from planner.decisions.changes import looked_at

    study = answer.study
    all_looked_at = with_room or not study.strata or not study.find(planner.Budget)
    return [] if all_looked_at else [q for q in looked_at(study) if q != "budget"]


def _drops(answer: "Answer") -> "Drops | None":
    study = answer.study
    if answer.verdict != "infeasible" or study.survey is None or study.strata:
        return None
    with working("searching which questions to drop"):
        return planner.drops(answer)


def _shown(told: "list[Told]", in_full: bool) -> Iterator[Any]:
    from planner.explanation.results.changes import drops_rows
    from planner.explanation.results.rows import CHECKED, answer_rows, headline, plan_cells
    from planner.show import terminal_table

    if len(told) > 1:
        currencies = {answer.study.currency for answer, *_ in told}
        currency = currencies.pop() if len(currencies) == 1 else ""
        rows = []
        for answer, *_ in told:
            epsilon, people, _, cost = plan_cells(answer, with_currency=not currency)
            rows.append([answer.study.title or "study", answer.verdict, epsilon, people, cost])
        cost = f"cost, {currency}".removesuffix(", ")
        yield columns("", ("study", "verdict", "ε", "people", cost), rows)
    for answer, changes, left, dropped in told:
        details = [
            (name, f"{words} (--proof shows it)" if words == CHECKED else words)
            for name, words in answer_rows(answer, changes, left, in_full)
        ]
        details += drops_rows(dropped) if dropped else []
        if answer.study.strata and [one.quantity for one in changes] == ["budget"]:
            details.append(("more", "planner limit says what else would be enough"))
        verdict = headline(answer) if answer.verdict == "feasible" else answer.verdict
        title = f"{answer.study.title or 'Study'}: {verdict[0].lower()}{verdict[1:].rstrip('.')}"
        yield terminal_table(title, details)


def _uncertain(path: Path, settings: Settings, of_draws: dict[str, Any], as_json: bool) -> int:
    from planner.explanation.results.uncertain import as_data, end_cells

    uncertain = planner.read_uncertain(path, settings)
    with working("drawing studies"):
        sure = planner.decisions.feasibility_probability(uncertain, **of_draws)
        ranked = planner.decisions.tornado(uncertain)

    def shown() -> Iterator[Any]:
        yield sure
        cost = f"cost {ranked.study.currency}".strip()
        names = ("input", "easy", cost, "feasible", "hard", cost, "feasible")
        rows = [
            (QUANTITIES[bar.quantity].words, *end_cells(bar.easy), *end_cells(bar.hard))
            for bar in ranked.bars
        ]
        yield columns(ranked.shown_title(), names, rows)
        yield Unbroken(
            "Easy and hard: the 5 % and 95 % quantiles, or the ends of an interval, with the\n"
            "other inputs at their medians. The costs ignore the budget; feasible is whether\n"
            "the study is feasible within its budget (? where undecided)."
        )

    return finish(as_json, partial(as_data, sure, ranked), shown(), STATUS[sure.verdict])
