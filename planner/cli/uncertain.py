"""`planner solve` on a study file in which some numbers are not known."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.uncertainty.sureness import Share, Sureness
    from planner.uncertainty.tornado import End, Tornado

STATUS = {"for all": 0, "for none": 1, "for some": 2}
_VERDICTS = {
    "for all": "feasible for all that the inputs may be",
    "for none": "infeasible for all that the inputs may be",
    "for some": "feasible for some of what the inputs may be",
}


def solve_uncertain(
    path: Path, draws: int | None, seed: int, probability: float, as_json: bool
) -> int:
    """Print how surely a study is feasible, a plan that is likely kept, and what decides."""
    from planner.cli.output import print_json, working
    from planner.study_file import read_uncertain
    from planner.uncertainty.sureness import how_sure
    from planner.uncertainty.tornado import tornado

    question = read_uncertain(path)
    with working("drawing studies"):
        sure = how_sure(question, draws, seed, probability=probability)
        ranked = tornado(question)
    if as_json:
        print_json(_as_data(sure, ranked))
    else:
        _print(sure, ranked)
    return STATUS[sure.verdict]


def _as_data(sure: "Sureness", ranked: "Tornado") -> dict[str, Any]:
    from dataclasses import asdict

    plan: dict[str, Any] | None = None
    if sure.plan:
        plan = {
            **{
                name: getattr(sure.plan.plan, name) for name in ("epsilon", "delta", "participants")
            },
            "mechanism": sure.plan.plan.study.mechanism.words,
            "kept": asdict(sure.plan.kept),
            "assumed": dict(sure.plan.assumed),
            "costs": {str(share): cost for share, cost in sure.plan.costs.items()},
        }
    return {
        "title": sure.uncertain.study.title,
        "verdict": sure.verdict,
        "statement": sure.statement,
        "share": asdict(sure.share),
        "undecided": sure.undecided,
        "draws": sure.draws,
        "seed": sure.seed,
        "confidence": sure.confidence,
        "probability": sure.probability,
        "plan": plan,
        "most": sure.most,
        "notes": _notes(sure),
        "inputs": [
            {"quantity": bar.quantity, "easy": asdict(bar.easy), "hard": asdict(bar.hard)}
            for bar in ranked.bars
        ],
    }


def _print(sure: "Sureness", ranked: "Tornado") -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from planner.cli.output import console

    study = sure.uncertain.study
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False, title_justify="left")
    table.title = Text(f"{study.title or 'Study'}: {_VERDICTS[sure.verdict]}", style="bold")
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, words in _rows(sure):
        table.add_row(name, Text(words))
    console().print(table)
    _print_ranking(ranked)


def _rows(sure: "Sureness") -> list[tuple[str, str]]:
    from planner.explanation.changes import NAMES
    from planner.uncertainty.uncertain import in_words
    from planner.wording import money, plain, several

    currency = sure.uncertain.study.currency
    rows = [
        ("uncertain", f"{NAMES[name]} {in_words(spread)}")
        for name, spread in sure.uncertain.inputs.items()
    ]
    if sure.verdict == "for some":
        undecided = f", {sure.undecided} of them undecided" if sure.undecided else ""
        how = f"{sure.draws:,} draws{undecided}, seed {sure.seed}"
        rows.append(("feasible", f"{_share(sure.share, sure.confidence)}; {how}"))
    wanted = f"{100 * sure.probability:.6g} %"
    if sure.plan is None:
        if sure.verdict != "for none":
            reached = f"the most reached is {_percent(sure.most, False)}"
            words = f"none of those tried is kept with {wanted} probability; {reached}"
            if sure.share.high < sure.probability:
                words += ", and no plan can be kept more often than the study is feasible"
            rows.append(("plan", words))
    else:
        plan, costs = sure.plan.plan, sure.plan.costs
        delta = f", δ = {plain(plan.delta)}" if plan.delta else ""
        rows += [
            ("plan", f"ε = {plain(plan.epsilon)}{delta}, {plain(plan.participants)} participants"),
            ("is kept", f"{_share(sure.plan.kept, sure.confidence)}; asked for: {wanted}"),
            (
                "it costs",
                several([
                    f"at most {money(cost, currency)} in {100 * share:g} %"
                    for share, cost in costs.items()
                ]) + " of draws",
            ),
        ]  # fmt: skip
        if plan.alternatives:
            rows.append(("by", plan.study.mechanism.words))
    rows.append(("why", sure.statement))
    rows += [("note", note) for note in _notes(sure)]
    return rows


def _notes(sure: "Sureness") -> list[str]:
    """What else a planner must know: of the plan, and of draws that had to be changed."""
    from planner.wording import at_most

    notes = list(sure.plan.plan.notes) if sure.plan else []
    raised = sure.uncertain.worst_cost_raised(sure.draws, sure.seed)
    if raised:
        notes.append(
            f"In {at_most(100 * raised, 3)} % of draws the base cost passes the worst cost; there "
            "the worst cost is taken to be as large."
        )
    return notes


def _share(share: "Share", confidence: float) -> str:
    if share.low == share.high:
        return f"{100 * share.value:g} %, as is proved"
    low, high = _percent(share.low, False), _percent(share.high, True)
    return f"{100 * share.value:.4g} % of draws, between {low} and {high} at {100 * confidence:g} %"


def _percent(share: float, up: bool) -> str:
    from planner.wording import at_least, at_most

    return f"{(at_most if up else at_least)(100 * share, 4)} %"


def _print_ranking(ranked: "Tornado") -> None:
    from rich import box
    from rich.table import Table

    from planner.cli.output import console
    from planner.explanation.changes import NAMES

    currency = ranked.study.currency
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    table.title = "Which input decides: the least cost with each at its ends"
    table.add_column("input")
    for column in ("easy", f"cost {currency}", "works", "hard", f"cost {currency}", "works"):
        table.add_column(column.strip(), justify="right")
    for bar in ranked.bars:
        table.add_row(NAMES[bar.quantity], *_cells(bar.easy), *_cells(bar.hard))
    console().print(table)
    console().print(
        "Ends: the 5 % and 95 % quantiles, or those of an interval; the other inputs at\n"
        "their medians. Costs are whatever the budget. Works: whether the study is\n"
        "feasible there, with its budget (yes, no, or ? where that is undecided).",
        soft_wrap=True,
    )


def _cells(end: "End") -> tuple[str, str, str]:
    from planner.wording import at_most, plain

    feasible = {"feasible": "yes", "infeasible": "no"}.get(end.verdict, "?")
    cost = "none" if end.least_cost == float("inf") else at_most(end.least_cost, 4)
    return plain(float(f"{end.value:.3g}")), cost, feasible
