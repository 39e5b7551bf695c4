"""Which plan was published: it is the same however its records are written."""

from typing import Any

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.show import digest

WRITTEN = ("column", "yes", "no", "labels", "contains", "codes")
"""What a question says of how its answers are written."""


def identity(plan: Plan | StrataPlan | TotalPlan) -> str:
    """SHA-256 of a plan without how its records are written, which may be told later."""
    return digest(_unwritten(plan.to_dict()))


def _unwritten(data: Any) -> Any:
    if isinstance(data, list):
        return [_unwritten(one) for one in data]
    if not isinstance(data, dict):
        return data
    kept = {name: _unwritten(value) for name, value in data.items() if name != "records"}
    if isinstance(kept.get("question"), list):
        kept["question"] = list(map(_question, kept["question"]))
    return kept


def _question(table: dict[str, Any]) -> dict[str, Any]:
    """A question without what is written of it; labels say no more than how many groups."""
    named = {"groups": len(table["labels"])} if table.get("labels") else {}
    return {name: value for name, value in table.items() if name not in WRITTEN} | named
