"""`planner limit`: how far one quantity can go."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Quantity(StrEnum):
    """What can be pushed to its limit."""

    base_cost = "base_cost"
    budget = "budget"
    error = "error"
    failure = "failure"
    loss = "loss"
    participants = "participants"
    epsilon = "epsilon"


_WORDS = {
    "base_cost": "largest base cost",
    "budget": "least budget",
    "error": "least error",
    "failure": "least failure probability",
    "loss": "least expected loss",
    "participants": "least number of participants",
    "epsilon": "least ε",
}


def limit(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file.")],
    quantity: Annotated[Quantity, typer.Argument(metavar="QUANTITY", help="Which quantity.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """The furthest value of one quantity at which a study is still feasible.

    QUANTITY is base_cost, budget, error, failure, loss, participants or epsilon; the study's own
    value of it is ignored. Exit status: 0 where there is one, 1 where no value helps, 64 bad input.
    """
    from planner.answer.limits import limit as limit_of
    from planner.cli.output import console, print_json, working
    from planner.study_file import read_study
    from planner.wording import at_least, at_most

    question = read_study(study)
    with working(f"searching the {_WORDS[quantity]}"):
        found = limit_of(question, quantity.value)
    if as_json:
        value = attained = None
        if found is not None:
            value, attained = found.value, found.attained
        print_json({"quantity": quantity.value, "value": value, "attained": attained})
    elif found is None:
        nothing = f"There is no {_WORDS[quantity]}: the study is infeasible at every value."
        console().print(f"{nothing} Relax something else.")
    else:
        shown = at_least(found, 9) if quantity == "base_cost" else at_most(found, 9)
        money = quantity in ("base_cost", "budget") and question.currency
        unit = f" {question.currency}" if money else ""
        end = "is itself feasible" if found.attained else "can be approached but not reached"
        console().print(f"The {_WORDS[quantity]} is {shown}{unit}: it {end}.")
    return 0 if found is not None else 1
