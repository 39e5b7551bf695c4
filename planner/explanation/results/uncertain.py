"""What is known about an uncertain study, in words and as plain data."""

from dataclasses import asdict
from typing import Any

from planner.decisions.uncertain.draws import Share
from planner.decisions.uncertain.sureness import Sureness
from planner.decisions.uncertain.tornado import End, Tornado
from planner.decisions.uncertain.uncertain_study import in_words
from planner.quantities import QUANTITIES
from planner.wording import EXACT_PAYMENTS, at_least, at_most, plain

VERDICTS = {
    "for all": "feasible for all possible inputs",
    "for none": "infeasible for all possible inputs",
    "for some": "feasible for some of the possible inputs",
}


def as_data(sure: Sureness, ranked: Tornado | None = None) -> dict[str, Any]:
    """As `planner solve --json` prints it."""
    return {
        "title": sure.uncertain.study.title,
        "verdict": sure.verdict,
        "statement": sure.statement,
        "share": asdict(sure.share),
        "undecided": sure.undecided,
        "draws": sure.draws,
        "seed": sure.seed,
        "confidence": sure.confidence,
        "notes": _notes(sure),
        "inputs": [
            {"quantity": bar.quantity, "easy": asdict(bar.easy), "hard": asdict(bar.hard)}
            for bar in (ranked.bars if ranked else ())
        ],
    }


def title(sure: Sureness) -> str:
    """The study and the verdict."""
    return f"{sure.uncertain.study.title or 'Study'}: {VERDICTS[sure.verdict]}"


def rows(sure: Sureness) -> list[tuple[str, str]]:
    """The inputs, and the probability of feasibility, as rows."""
    lines = [
        ("uncertain", f"{QUANTITIES[name].words} {in_words(spread)}")
        for name, spread in sure.uncertain.inputs.items()
    ]
    if sure.verdict == "for some":
        undecided = f", {sure.undecided} of them undecided" if sure.undecided else ""
        how = f"{sure.draws:,} draws{undecided}, seed {sure.seed}"
        lines.append(("feasible", f"{_share(sure.share, sure.confidence)}; {how}"))
    lines.append(("why", sure.statement))
    lines += [("note", note) for note in _notes(sure)]
    return lines


def _notes(sure: Sureness) -> list[str]:
    notes = []
    if sure.uncertain.left_out:
        notes.append(EXACT_PAYMENTS)
    raised = sure.uncertain.worst_cost_raised(sure.draws, sure.seed)
    if raised:
        notes.append(
            f"In {at_most(100 * raised, 3)} % of draws the base cost exceeds the worst cost; there "
            "the worst cost is set equal to the base cost."
        )
    return notes


def _share(share: Share, confidence: float) -> str:
    if share.low == share.high:
        return f"{100 * share.value:g} %, proved"
    low, high = _percent(share.low, False), _percent(share.high, True)
    bounds = f"{low} to {high} with {100 * confidence:g} % confidence"
    return f"{100 * share.value:.4g} % of draws, {bounds}"


def _percent(share: float, up: bool) -> str:
    """A proportion in percent, rounded up or down."""
    return f"{(at_most if up else at_least)(100 * share, 4)} %"


def end_cells(end: End) -> tuple[str, str, str]:
    """An end of an input: its value, the least cost there, and whether the study is feasible."""
    feasible = {"feasible": "yes", "infeasible": "no"}.get(end.verdict, "?")
    cost = "none" if end.least_cost == float("inf") else at_most(end.least_cost, 4)
    return plain(float(f"{end.value:.3g}")), cost, feasible


def ranking(tornado: Tornado) -> list[tuple[str, str]]:
    """The ends of each input, as rows."""
    currency = tornado.study.currency
    rows = []
    for bar in tornado.bars:
        ends = [
            f"{value}: {cost} {currency}".rstrip() + f", feasible: {works}"
            for value, cost, works in (end_cells(bar.easy), end_cells(bar.hard))
        ]
        rows.append((QUANTITIES[bar.quantity].words, "; ".join(ends)))
    return rows
