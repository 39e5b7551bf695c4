"""Which plan was published: it is the same however its records are written."""

from typing import Any

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.show import digest

WRITTEN = ("column", "yes", "no", "contains", "codes")
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
        kept["question"] = [
            {name: value for name, value in one.items() if name not in WRITTEN}
            for one in kept["question"]
        ]
    return kept
