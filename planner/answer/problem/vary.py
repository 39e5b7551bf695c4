"""A study with another value of one quantity: what limits, prices, sweeps and doubts vary."""

from collections.abc import Mapping
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
    Individual,
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
    return with_values(study, {quantity: value})


def with_values(study: Study, values: Mapping[Any, float]) -> Study:
    """The study with these values of some quantities at once; see `with_value`.

    A δ is fixed, and takes the place of a cap on it.
    """
    given: dict[str, float] = {
        name: int(value) if name in WHOLE and float(value).is_integer() else value
        for name, value in values.items()
    }

    def of(*names: str) -> dict[str, Any]:
        return {name: given[name] for name in names if name in given}

    changes: dict[str, Any] = {}
    if target := of("error", "failure"):
        changes["target"] = replace(study.accuracy, **target)
    if "loss" in given:
        if not isinstance(study.target, ExpectedLoss):
            raise ValueError("loss is not part of this study's target; give error and failure")
        changes["target"] = replace(study.target, at_most=given["loss"])
    if costs := of("per_person", "overhead"):
        changes["costs"] = replace(study.costs, **costs)
    if person := of("base_cost", "worst_cost"):
        changes["individual"] = _losing(study.individual, person)
    if "queries" in given:
        changes["mechanism"] = _asked(study.mechanism, given["queries"])
    study = replace(study, **changes) if changes else study
    for name, (kind, _) in _CONDITIONS.items():
        if name in given:
            study = with_condition(study, kind(given[name]))
    if "delta" in given:
        kept = tuple(c for c in study.conditions if not isinstance(c, DeltaAtMost))
        study = with_condition(replace(study, conditions=kept), Delta(given["delta"]))
    return study


def with_condition(study: Study, condition: Condition) -> Study:
    """The study with this condition in place of one of its kind."""
    kept = (c for c in study.conditions if type(c) is not type(condition))
    return replace(study, conditions=(*kept, condition))


def _losing(person: Individual, costs: dict[str, float]) -> Individual:
    if "worst_cost" not in costs:
        return person.with_base_cost(costs["base_cost"])
    if isinstance(person, AtRisk):
        raise ValueError("worst_cost follows from the events; change their costs")
    people = None if "base_cost" in costs else person.people
    return replace(person, people=people, **costs)  # type: ignore[arg-type]


def _asked(mechanism: Mechanism, queries: float) -> Mechanism:
    changed: dict[str, Any] = {"queries": queries}
    if isinstance(mechanism, Repeated):
        changed = {"times": queries}
    elif not hasattr(mechanism, "queries"):
        raise ValueError(f"{mechanism.words} answers one question; give times to ask several")
    return replace(mechanism, **changed)  # type: ignore[type-var]
