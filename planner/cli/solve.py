"""`planner solve`: plan studies, with proof."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from planner.answer.answers import Answer, Plan
    from planner.answer.closed_form import ClosedFormPlan


class Minimise(StrEnum):
    """What a plan makes least."""

    cost = "cost"
    participants = "participants"
    epsilon = "epsilon"


def solve(
    studies: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[STUDY]...", help="Study files; without one, Hsu14's scenarios."),
    ] = None,
    minimise: Annotated[Minimise, typer.Option(help="What the plan makes least.")] = Minimise.cost,
    table: Annotated[
        Path | None,
        typer.Option(metavar="CSV", help="Plan each row, over a study file or by itself."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="CSV", help="Where --table's plans go.")
    ] = None,
    with_room: Annotated[
        bool, typer.Option("--room", help="List how far a feasible study can be tightened.")
    ] = False,
    draws: Annotated[
        int | None, typer.Option(help="Of a file with uncertain numbers: how many are drawn.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of these draws.")] = 1,
    probability: Annotated[
        float, typer.Option(help="With which its plan is to keep to every condition.")
    ] = 0.9,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Plan studies: verdict, plan, proof, and what to relax where there is no plan.

    A file with uncertain numbers, such as budget = { uniform = [2e4, 4e4] }, is answered by itself:
    feasible for all, for none, or for what share. Exit status: 0 feasible (for all), 1 infeasible
    (for none), 2 undecided or for some (the highest of several; without a file 0 once all are
    decided), 64 bad input.
    """
    from planner.answer.answers import to_dict
    from planner.answer.relaxations import relaxations, room
    from planner.answer.solve import solve as answer_of
    from planner.cli.output import STATUS, console, print_json, progress
    from planner.study_file import is_uncertain, read_study

    if table is not None or output is not None:
        from planner.cli.batch import batch

        return batch(studies or [], table, output, minimise.value, as_json)
    if not studies:
        return _four_scenarios(minimise, as_json)
    if len(studies) == 1 and is_uncertain(studies[0]):
        from planner.cli.uncertain import solve_uncertain

        if with_room or minimise is not Minimise.cost:
            raise ValueError(
                f"{studies[0]}: some numbers are uncertain, so the plan is the cheapest and no "
                "room is listed; leave out --minimise and --room"
            )
        return solve_uncertain(studies[0], draws, seed, probability, as_json)
    questions = [read_study(path) for path in studies]
    answers = [answer_of(q, minimise.value) for q in progress(questions, "planning")]
    changes = [relaxations(a) for a in progress(answers, "searching what to relax")]
    if with_room:
        left = [room(a) for a in progress(answers, "searching what room is left")]
    else:
        left = [[] for _ in answers]
    if as_json:
        printed = [to_dict(*parts) for parts in zip(answers, changes, left, strict=True)]
        print_json(printed[0] if len(printed) == 1 else printed)
    else:
        terminal = console()
        if len(answers) > 1:
            terminal.print(_summary(answers))
        for answer, change, rest in zip(answers, changes, left, strict=True):
            terminal.print(_details(answer, change, rest))
    return max(STATUS[answer.verdict] for answer in answers)


def _four_scenarios(minimise: Minimise, as_json: bool) -> int:
    """Hsu14's four scenarios, exactly and by the paper's bound."""
    from planner.answer.answers import to_dict
    from planner.answer.problem import exactly
    from planner.answer.relaxations import relaxations
    from planner.answer.solve import solve as answer_of
    from planner.cli.output import STATUS, console, print_json, progress
    from planner.study_file import read_study
    from scenarios import four_scenarios

    pairs = []
    for path in progress(four_scenarios(), "planning"):
        study = read_study(path)
        pairs.append(
            (answer_of(study, minimise.value), answer_of(exactly(study) or study, minimise.value))
        )
    if as_json:
        print_json([{**to_dict(a, relaxations(a)), "exact": to_dict(b)} for a, b in pairs])
    else:
        terminal = console()
        terminal.print("Exactly, and by the looser bound of Hsu14 (eq. 5):")
        terminal.print(_side_by_side(pairs))
        for by_bound, exact in pairs:
            title = exact.study.title or "Study"
            terminal.print(_details(exact, [], [], f"{title}, exactly"))
            terminal.print(
                _details(by_bound, relaxations(by_bound), [], f"{title}, by Hsu14's bound")
            )
    return 2 if any(STATUS[a.verdict] == 2 for pair in pairs for a in pair) else 0


def _side_by_side(pairs: "list[tuple[Answer, Answer]]") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from planner.answer.answers import Plan
    from planner.wording import money, plain

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("study")
    for column in ("exactly", "people", "cost", "by bound", "people", "cost"):
        table.add_column(column, justify="right", no_wrap=True)
    for by_bound, exact in pairs:
        cells = []
        for answer in (exact, by_bound):
            cells.append(answer.verdict)
            cells.append(plain(answer.participants) if isinstance(answer, Plan) else "-")
            cells.append(money(answer.cost) if isinstance(answer, Plan) else "-")
        table.add_row(Text((exact.study.title or "study").partition(",")[0]), *cells)
    return table


def _summary(answers: "list[Answer]") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from planner.answer.answers import Plan
    from planner.wording import money, plain

    currencies = {answer.study.currency for answer in answers}
    shared = currencies.pop() if len(currencies) == 1 else ""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("study")
    table.add_column("verdict", no_wrap=True)
    for column in ("ε", "people", f"cost {shared}"):
        table.add_column(column.strip(), justify="right", no_wrap=True)
    for answer in answers:
        row = ["-", "-", "-"]
        if isinstance(answer, Plan):
            row = [
                plain(answer.epsilon),
                plain(answer.participants),
                money(answer.cost, "" if shared else answer.study.currency),
            ]
        table.add_row(Text(answer.study.title or "study"), answer.verdict, *row)
    return table


def _details(
    answer: "Answer",
    changes: list[dict[str, Any]],
    left: list[dict[str, Any]],
    title: str = "",
) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from planner.answer.answers import Infeasible, Plan
    from planner.answer.closed_form import closed_form_plan
    from planner.explanation.changes import relaxations_in_words, room_in_words
    from planner.wording import several

    title = title or answer.study.title or "Study"
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False, title_justify="left")
    table.title = Text(f"{title}: {answer.verdict}", style="bold")
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    if isinstance(answer, Plan):
        for name, value in _plan_rows(answer):
            table.add_row(name, Text(value))
    if isinstance(answer, Infeasible):
        by_hand = closed_form_plan(answer.study)
        if by_hand:
            table.add_row("by hand", Text(_by_hand(by_hand, answer.study.currency)))
        table.add_row("conflict", Text(several(list(answer.conflict))))
    for words in relaxations_in_words(changes, answer.study.currency):
        table.add_row("relax", Text(words))
    for words in room_in_words(left, answer.study.currency):
        table.add_row("tighten", Text(words))
    proof = "proof" if answer.proof.checked else "not proved"
    table.add_row(proof, Text(f"{answer.proof.statement} ({answer.proof.method})"))
    for note in answer.notes:
        table.add_row("note", Text(note))
    return table


def _plan_rows(answer: "Plan") -> list[tuple[str, str]]:
    from planner.answer.closed_form import closed_form_plan
    from planner.wording import at_least, money, plain

    currency = answer.study.currency
    rows = [
        ("ε", plain(answer.epsilon)),
        ("δ", plain(answer.delta)),
        ("participants", plain(answer.participants)),
        ("each is paid", money(answer.compensation, currency)),
        ("total cost", money(answer.cost, currency)),
        _achieved(answer),
    ]
    if answer.alternatives:
        rows.insert(0, ("by", answer.study.mechanism.words))
    reached = "reached by a study" if answer.attained else "approached, never reached"
    rows.append(("least cost", f"{money(answer.least_cost, currency)}, {reached}"))
    for label, room in answer.slack.items():
        if label != answer.study.target.label:  # the failure row says it
            rows.append(("room", f"{label}: {at_least(max(room, 0.0), 3)} left"))
    by_hand = closed_form_plan(answer.study)
    if by_hand:
        rows.append(("by hand", _by_hand(by_hand, currency)))
    return rows + [("other", _alternative(other)) for other in answer.alternatives]


def _alternative(other: "Answer") -> str:
    from planner.answer.answers import Plan
    from planner.wording import money, plain

    how = other.verdict
    if isinstance(other, Plan):
        how = (
            f"{money(other.cost, other.study.currency)} with {plain(other.participants)} people "
            f"at ε = {plain(other.epsilon)}"
        )
    return f"{other.study.mechanism.words}: {how}"


def _achieved(answer: "Plan") -> tuple[str, str]:
    from planner.model import Accuracy
    from planner.wording import at_most, plain

    target = answer.study.target
    if isinstance(target, Accuracy):
        return "failure", f"{at_most(answer.failure or 0.0, 4)} of {plain(target.failure)} allowed"
    return "expected loss", f"{at_most(answer.loss or 0.0, 4)} of {plain(target.at_most)} allowed"


def _by_hand(plan: "ClosedFormPlan", currency: str) -> str:
    from planner.wording import at_most, money, plain

    verdict = "the budget pays for it" if plan.holds else "over the budget"
    return (
        f"ε = T/6 = {at_most(plan.epsilon, 4)} and {plain(plan.participants)} people cost "
        f"{money(plan.cost, currency)}: {verdict} (Hsu14 eqs 6-8)"
    )
