"""What to change, one quantity at a time, to make an infeasible study feasible."""

from typing import Any

from planner.answer.answers import Answer, Infeasible
from planner.answer.limits import Quantity, limit
from planner.model import Budget, ExpectedLoss, Population


def relaxations(answer: Answer) -> list[dict[str, Any]]:
    """For each quantity that can help on its own, where it stands and how far it must go.

    Returns:
        A list of {"quantity", "from", "to"}, empty unless the answer is infeasible.
    """
    if not isinstance(answer, Infeasible):
        return []
    study = answer.study
    budget = study.find(Budget)
    given: dict[Quantity, float | None] = {
        "budget": budget.money if budget else None,
        "base_cost": study.individual.base_cost,
    }
    if isinstance(study.target, ExpectedLoss):
        given["loss"] = study.target.at_most
    else:
        given |= {"error": study.target.error, "failure": study.target.failure}
    found: list[dict[str, Any]] = []
    for quantity, value in given.items():
        if value is None:
            continue
        reached = limit(study, quantity)
        if reached is not None:
            found.append({"quantity": quantity, "from": value, "to": reached.value})
    cap = study.find(Population)
    if cap is not None:
        fewest = limit(study, "participants")
        if fewest is not None:
            found.append({"quantity": "participants", "from": cap.n, "to": int(fewest)})
    return found
