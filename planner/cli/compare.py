"""`planner compare`: the private study beside the same study without privacy."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from planner.comparison.by_hand import ByHand
    from planner.comparison.compare import Bracket, Comparison

_STATUS = {"infeasible": 1, "undecided": 2}
_VERDICTS = {
    "private": "the private study is cheaper",
    "non-private": "the study without privacy is cheaper",
    "open": "neither is surely cheaper",
    "infeasible": "no private study exists at any budget",
    "undecided": "undecided",
}


def compare(
    studies: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[STUDY]...", help="Study files; without one, Hsu14's scenarios."),
    ] = None,
    exposure: Annotated[
        float, typer.Option(help="Fraction of the people whom a study without privacy exposes.")
    ] = 0.002,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Compare the cheapest private study with the same study without privacy.

    The study's budget is ignored. Exit status: 0 where a private study exists at some budget,
    1 where none does, 2 undecided (the highest of several), 64 bad input.
    """
    from planner.answer.problem import exactly
    from planner.cli.output import console, print_json, progress
    from planner.comparison.compare import compare as comparison_of
    from planner.comparison.compare import to_dict
    from planner.study_file import read_study
    from scenarios import four_scenarios

    questions = [read_study(path) for path in studies or four_scenarios()]
    found = []
    for question in progress(questions, "comparing"):
        other = exactly(question)
        by_bound = comparison_of(question, exposure)
        found.append((by_bound, comparison_of(other, exposure) if other else None))
    if as_json:
        printed = [to_dict(*pair) for pair in found]
        print_json(printed[0] if len(printed) == 1 else printed)
    else:
        terminal = console()
        for by_bound, exact in found:
            for comparison in filter(None, (exact, by_bound)):
                terminal.print(_table(comparison))
                terminal.print("\n".join(_sentences(comparison)), end="\n\n")
    return max(_STATUS.get(comparison.verdict, 0) for comparison, _ in found)


def _table(comparison: "Comparison") -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from planner.answer.answers import Plan
    from planner.wording import money, plain

    study, private = comparison.study, comparison.private
    currency = study.currency
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    analysis = getattr(study.mechanism, "analysis", "")
    how = {
        "exact": ", exactly",
        "paper": ", by Hsu14's bound",
        "hoeffding": ", by Hoeffding's bound",
    }
    title = (study.title or "Study") + how.get(analysis, "")
    table.title = Text(f"{title}: {_VERDICTS[comparison.verdict]}", style="bold")
    table.add_column("")
    table.add_column("private", justify="right", overflow="fold")
    table.add_column("without privacy", justify="right", overflow="fold")
    sizes, cost = comparison.participants, comparison.cost
    rows = [["participants", "-", "-"], ["each is paid", "-", "-"], ["total cost", "-", "-"]]
    if isinstance(private, Plan):
        rows[0][1] = plain(private.participants)
        rows[1][1] = money(private.compensation, currency)
        rows[2][1] = money(private.cost, currency)
    rows[1][2] = money(comparison.compensation, currency)
    if sizes and cost:
        rows[0][2] = _between(plain(int(sizes.least)), plain(int(sizes.most)))
        rows[2][2] = _between(money(cost.least, currency), money(cost.most, currency))
    for row in rows:
        table.add_row(*row)
    return table


def _sentences(comparison: "Comparison") -> list[str]:
    from planner.wording import at_most

    sentences = [f"Without privacy, {at_most(100 * comparison.exposure, 3)} % are exposed."]
    if comparison.break_even_exposure:
        sentences += _exposure_sentences(comparison.break_even_exposure)
    if comparison.break_even_ratio:
        sentences += _ratio_sentences(comparison.break_even_ratio, comparison.exposure)
    if comparison.by_hand:
        sentences.append(_by_hand(comparison.by_hand, comparison.study.currency))
    return [*sentences, *comparison.notes]


def _between(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _exposure_sentences(found: "Bracket") -> list[str]:
    from planner.wording import at_least, at_most

    low, high = 100 * found.least, 100 * found.most
    if low > 100:
        return ["However many are exposed, the study without privacy is cheaper."]
    if high <= 0:
        return ["However few are exposed, the private study is cheaper."]
    private = f"The private study is cheaper where more than {at_most(high, 3)} % are exposed"
    other = f"where under {at_least(low, 3)} % are exposed"
    if high >= 100:
        return [f"The study without privacy is cheaper {other}."]
    return [f"{private}, the one without privacy {other}." if low > 0 else f"{private}."]


def _ratio_sentences(found: "Bracket", exposure: float) -> list[str]:
    import math

    from planner.wording import at_least, at_most

    share = f"At {at_most(100 * exposure, 3)} % exposed,"
    if math.isinf(found.most):
        return [f"{share} no ratio of worst cost to base cost makes the private study cheaper."]
    if found.most < 1:  # no worst cost is below the base cost
        return [f"{share} the private study is cheaper at every worst cost."]
    private = (
        f"{share} the private study is cheaper where the worst cost is more than "
        f"{at_most(found.most, 3)} times the base cost"
    )
    if found.least <= 1:
        return [f"{private}."]
    return [
        f"{private}, the one without privacy where it is under {at_least(found.least, 3)} times."
    ]


def _by_hand(found: "ByHand", currency: str) -> str:
    from planner.wording import at_least, at_most, money

    sign = "≤" if found.cheaper else ">"
    words = "so the private study is cheaper" if found.cheaper else "so nothing follows"
    return (
        f"By hand: N′ ≥ {at_least(found.participants)} people without privacy (Hsu14 eq. 10) "
        f"cost {money(found.cost, currency)}, the closed private plan "
        f"{money(found.private_cost, currency)}; eq. 9 reads {at_most(found.epsilon, 4)} "
        f"{sign} {at_least(found.epsilon_ceiling, 4)}, {words}. It holds from an exposure of "
        f"{at_most(100 * found.break_even_exposure, 3)} % on."
    )
