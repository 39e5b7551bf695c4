"""The quantities that can be swept: what each must be, and where it stands in a study."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from planner import quantities
from planner.model import (
    Accuracy,
    AtRisk,
    Budget,
    Condition,
    Delta,
    EpsilonAtMost,
    Harm,
    Population,
    PopulationAtLeast,
    Study,
)


class Quantity(NamedTuple):
    """One quantity that can be swept.

    Attributes:
        words: its long name.
        unit: "money" (the study's currency), "people" or "1".
        allowed: what each value must be.
        condition: the condition that it is, where it is one.
    """

    words: str
    unit: str
    allowed: Any
    condition: Callable[[Any], Condition] | None = None

    @property
    def whole(self) -> bool:
        """Whether its values are whole numbers."""
        return self.allowed in (quantities.Participants, quantities.Queries)


QUANTITIES = {
    "budget": Quantity("budget", "money", quantities.Money, Budget),
    "base_cost": Quantity("expected cost of a person who stays out", "money", quantities.Cost),
    "worst_cost": Quantity("cost of a record published in the clear", "money", quantities.Cost),
    "error": Quantity("additive error tolerated", "1", quantities.Error),
    "failure": Quantity("probability of a larger error", "1", quantities.Failure),
    "participants": Quantity("most participants", "people", quantities.Participants, Population),
    "min_participants": Quantity(
        "least participants", "people", quantities.Participants, PopulationAtLeast
    ),
    "harm": Quantity("most harm per person", "money", quantities.Money, Harm),
    "epsilon": Quantity("largest epsilon", "1", quantities.Epsilon, EpsilonAtMost),
    "delta": Quantity("delta", "1", quantities.DeltaValue, Delta),
    "per_person": Quantity("cost of recruiting a person", "money", quantities.Cost),
    "overhead": Quantity("cost of the study as a whole", "money", quantities.Cost),
    "queries": Quantity("counting queries", "1", quantities.Queries),
}
ALIASES = {
    "max_participants": "participants",
    "max_harm": "harm",
    "epsilon_at_most": "epsilon",
    "max_epsilon": "epsilon",  # what files of earlier sweeps call it
    "fixed_delta": "delta",
}
"""Keys of study files, and dimensions of sweeps, that differ from the vocabulary's name."""
_TARGET = ("error", "failure")


def named(name: str) -> str:
    """The vocabulary's name of a quantity.

    Raises:
        ValueError: no quantity has this name.
    """
    if name in QUANTITIES:
        return name
    if name in ALIASES:
        return ALIASES[name]
    near = get_close_matches(name, [*QUANTITIES, *ALIASES], 1)
    hint = f"did you mean {near[0]}?" if near else f"give one of {', '.join(QUANTITIES)}"
    raise ValueError(f"{name!r} cannot be swept; {hint}")


def check_value(name: str, value: Any) -> None:
    """Refuse a value that the quantity cannot have.

    Raises:
        ValueError: quotes the value, and says what to give.
    """
    number = int(value) if QUANTITIES[name].whole and value == value // 1 else value
    try:
        TypeAdapter(QUANTITIES[name].allowed).validate_python(number)
    except ValidationError as error:
        raise ValueError(f"{name} = {error.errors()[0]['msg']}") from None


def check_has(study: Study, name: str) -> None:
    """Refuse a quantity that this study does not have.

    Raises:
        ValueError: says why, and what to sweep in its place.
    """
    if name in _TARGET and not isinstance(study.target, Accuracy):
        raise ValueError(f"{name} is no part of an expected loss; sweep another quantity")
    if name == "error" and isinstance(study.target, Accuracy) and study.target.values is not None:
        raise ValueError(
            "error cannot be swept where records are values from low to high; give it as a share "
            "of the range, without low and high"
        )
    person = study.individual
    if name == "base_cost" and person.people is not None:
        raise ValueError(
            "base_cost follows from base_costs, of people who differ; give them one base_cost to "
            "sweep it"
        )
    if name == "base_cost" and isinstance(person, AtRisk):
        raise ValueError(
            "base_cost follows from the events, each with its own cost; give base_cost and "
            "worst_cost in their place to sweep it"
        )
    if name == "queries" and not (hasattr(study.mechanism, "queries")):
        raise ValueError(
            f"{study.mechanism.words} has no number of queries; sweep another quantity"
        )
