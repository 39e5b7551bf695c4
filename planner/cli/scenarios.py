"""`planner scenarios`: what people fear, and Hsu14's worked studies."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from planner.comparison.compensation import Paid


def scenarios(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List the scenarios of what people fear, and Hsu14's worked studies."""
    from planner import scenarios as data
    from planner.cli.terminal import console, print_json, working
    from planner.wording import money

    known = data.read_all().values()
    studies = [str(path) for path in data.worked_studies()]
    with working("planning the four scenarios"):
        owed = _owed()
    if as_json:
        listed = [
            {**s._asdict(), "compensation": [row._asdict() for row in owed.get(s.harm, [])]}
            for s in known
        ]
        print_json({"scenarios": listed, "studies": studies})
        return 0
    terminal = console()
    for scenario in known:
        terminal.print(f"{scenario.name}: {scenario.title}. What people fear: {scenario.harm}.")
        terminal.print(
            f"  base cost {money(scenario.base_cost, scenario.currency)}, worst cost "
            f"{money(scenario.worst_cost, scenario.currency)}, probability "
            f"{scenario.probability:g} for those who stay out"
        )
        for name, source in scenario.sources.items():
            terminal.print(f"  {name}: {source}")
        if scenario.note:
            terminal.print(f"  note: {scenario.note}")
        terminal.print()
    _print_owed({scenario.name.capitalize(): owed.get(scenario.harm, []) for scenario in known})
    terminal.print("Hsu14's worked studies, to solve, plot or copy:")
    for study in studies:
        terminal.print(study, soft_wrap=True)
    return 0


def _owed() -> dict[str, list["Paid"]]:
    """The payments in Hsu14's four mean studies, by the harm that people fear."""
    from planner import scenarios as data
    from planner.comparison.compensation import paid
    from planner.study_file.reader import read_study

    studies = [read_study(path) for path in data.four_scenarios()]
    return {
        study.individual.event.event: paid(study) for study in studies if study.individual.event
    }


def _print_owed(owed: dict[str, list["Paid"]]) -> None:
    """Print the payments in the worked studies as a table."""
    from rich.table import Table

    from planner.cli.terminal import console
    from planner.wording import at_most, money, plain

    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for words in ("people", "ε", "cost", "events", "mechanism", "the harm"):
        table.add_column(words, justify="right")
    for scenario, rows in owed.items():
        if not rows:  # a scenario without a worked study
            table.add_row(scenario, *("-" * 6))
        for row in rows:
            amounts = map(money, (row.cost, row.events, row.mechanism, row.harm))
            name = f"{scenario}, {row.plan.partition(' ')[0]}"
            table.add_row(name, plain(row.participants), at_most(row.epsilon, 4), *amounts)
    terminal = console()
    terminal.print(
        "What each person is paid, in USD, for an error under 0.05 except with probability 0.05 "
        "(exact analysis), in the cheapest study within a budget of 30,000 and in the smallest "
        "study at any cost. The columns are harms = cost (the paper), events (what ε guarantees "
        "about the event that they fear) and mechanism (what Laplace noise guarantees); a payment "
        "by events or mechanism never exceeds the harm itself. A dash: a scenario without a worked "
        "study.\n"
    )
    terminal.print(table)
    terminal.print()
