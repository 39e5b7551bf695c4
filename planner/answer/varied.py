"""A study with another value of one quantity: what limits, prices, sweeps and doubts vary."""

from dataclasses import replace
from typing import Any, Literal

from planner.mechanisms import Mechanism, Repeated
from planner.model import (
    Accuracy,
    AtRisk,
    Budget,
    Condition,
    Delta,
    DeltaAtMost,
    EpsilonAtMost,
    ExpectedLoss,
    Harm,
    Population,
    PopulationAtLeast,
    Study,
)

Varied = Literal[
    "base_cost",
    "worst_cost",
    "budget",
    "harm",
    "error",
    "failure",
    "loss",
    "participants",
    "min_participants",
    "epsilon",
    "delta",
    "queries",
    "per_person",
    "overhead",
]
WHOLE = ("participants", "min_participants", "queries")
"""Quantities that count something."""
MONEY = ("base_cost", "worst_cost", "budget", "harm", "per_person", "overhead")
"""Quantities in the study's currency."""

_CONDITIONS: dict[str, tuple[Any, str]] = {
    "budget": (Budget, "money"),
    "harm": (Harm, "money"),
    "participants": (Population, "n"),
    "min_participants": (PopulationAtLeast, "n"),
    "epsilon": (EpsilonAtMost, "x"),
}


def value_of(study: Study, quantity: Varied) -> float | None:
    """The study's own value of a quantity; None where it has none.

    "participants" and "epsilon" are the caps on them, "delta" the fixed δ or its cap.
    """
    if quantity in _CONDITIONS:
        kind, name = _CONDITIONS[quantity]
        return getattr(study.find(kind), name, None)
    if quantity == "delta":
        fixed, capped = study.find(Delta), study.find(DeltaAtMost)
        return fixed.value if fixed else capped.x if capped else None
    if quantity == "queries":
        mechanism = study.mechanism
        counted = mechanism.times if isinstance(mechanism, Repeated) else None
        return counted or getattr(mechanism, "queries", None)
    if quantity == "loss":
        return study.target.at_most if isinstance(study.target, ExpectedLoss) else None
    if quantity in ("error", "failure"):
        return getattr(study.target, quantity) if isinstance(study.target, Accuracy) else None
    if quantity == "worst_cost" and isinstance(study.individual, AtRisk):
        return None  # it follows from the events
    holder = study.costs if quantity in ("per_person", "overhead") else study.individual
    value: float | None = getattr(holder, quantity)
    return value


def with_value(study: Study, quantity: Varied, value: float) -> Study:
    """The study with this value of a quantity, and all else as it is.

    Raises:
        ValueError: the value is not allowed, or the study has no such quantity.
    """
    if quantity in WHOLE and float(value).is_integer():
        value = int(value)
    if quantity in _CONDITIONS:
        return with_condition(study, _CONDITIONS[quantity][0](value))
    if quantity == "delta":
        kind = DeltaAtMost if study.find(DeltaAtMost) and not study.find(Delta) else Delta
        return with_condition(study, kind(value))
    if quantity == "queries":
        return replace(study, mechanism=_asked(study.mechanism, value))
    if quantity == "loss":
        if not isinstance(study.target, ExpectedLoss):
            raise ValueError("loss is not part of this study's target; give error and failure")
        return replace(study, target=replace(study.target, at_most=value))
    changed: dict[str, Any] = {quantity: value}
    if quantity in ("error", "failure"):
        return replace(study, target=replace(study.accuracy, **changed))
    if quantity in ("per_person", "overhead"):
        return replace(study, costs=replace(study.costs, **changed))
    if quantity == "base_cost":
        return replace(study, individual=study.individual.with_base_cost(value))
    if isinstance(study.individual, AtRisk):
        raise ValueError("worst_cost follows from the events; change their costs")
    return replace(study, individual=replace(study.individual, **changed))


def with_condition(study: Study, condition: Condition) -> Study:
    """The study with this condition in place of one of its kind."""
    kept = (c for c in study.conditions if type(c) is not type(condition))
    return replace(study, conditions=(*kept, condition))


def _asked(mechanism: Mechanism, queries: float) -> Mechanism:
    changed: dict[str, Any] = {"queries": queries}
    if isinstance(mechanism, Repeated):
        changed = {"times": queries}
    elif not hasattr(mechanism, "queries"):
        raise ValueError(f"{mechanism.words} answers one question; give times to ask several")
    return replace(mechanism, **changed)  # type: ignore[type-var]
