"""`planner scenarios`: what people fear, and Hsu14's worked studies."""

from typing import Annotated

import typer


def scenarios(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List the scenarios of what people fear, and Hsu14's worked studies."""
    import scenarios as data
    from planner.cli.output import console, print_json
    from planner.wording import money

    found = data.read_all().values()
    studies = [str(path) for path in data.worked_studies()]
    if as_json:
        print_json({"scenarios": [s._asdict() for s in found], "studies": studies})
        return 0
    terminal = console()
    for scenario in found:
        terminal.print(f"{scenario.name}: {scenario.title}. What people fear: {scenario.harm}.")
        terminal.print(
            f"  base cost {money(scenario.base_cost, scenario.currency)}, worst cost "
            f"{money(scenario.worst_cost, scenario.currency)}, chance {scenario.probability:g} "
            "for those who stay out"
        )
        for name, source in scenario.sources.items():
            terminal.print(f"  {name}: {source}")
        if scenario.note:
            terminal.print(f"  note: {scenario.note}")
        terminal.print()
    terminal.print("Hsu14's worked studies, to solve, plot or copy:")
    for study in studies:
        terminal.print(study, soft_wrap=True)
    return 0
