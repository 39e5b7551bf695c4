"""A limit holds on both sides: a study at the limit is feasible, one a little beyond is not."""

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import planner
from tests.thorough import oracle
from tests.thorough.case import APPROXIMATE, Case, code
from tests.thorough.check_floors import FAR
from tests.thorough.differences import Difference, guarded, study

_LARGEST = ("base_cost", "worst_cost", "queries")
_BEYOND = {True: 1e-4, False: 1e-5}
"""How far beyond a limit nothing is feasible, by whether the analysis is exact."""
_NEAREST = 1e-12
_MOST_PEOPLE = {True: 120, False: 2000}
"""The largest N that the oracle tries, by whether the analysis is exact."""


def quantities(case: Case) -> list[str]:
    """The quantities whose limit means something."""
    found = ["base_cost", "budget", "harm", "error", "failure", "participants", "epsilon"]
    if case.worst_cost and (case.capped or case.delta):
        found.append("worst_cost")
    if case.mechanism in APPROXIMATE:
        found.append("delta")
    if case.mechanism in ("mwem", "mwem-approximate"):
        found.append("queries")
    return found


def limits(case: Case, rng: np.random.Generator) -> list[Difference]:
    """One limit, drawn, on both sides."""
    quantity = str(rng.choice(quantities(case)))
    found: list[Difference] = []
    if oracle.truth(case).verdict in ("edge", "unpayable"):
        return found
    end = guarded("limit", case, lambda: (planner.limit(study(case), quantity),), found)
    if end is not None:
        found.extend(_held(case, quantity, end[0]))
    return found


def _held(case: Case, quantity: str, end: Any) -> Iterator[Difference]:
    here = f"limit {quantity} is {end!r}"
    if end is None:
        easiest = _easiest(case, quantity)
        if easiest is not None and oracle.truth(easiest).verdict == "feasible":
            yield Difference(f"limit of {quantity} is None", case, f"{here}; {code(easiest)}")
        return
    value = float(end)
    if 0 < abs(value) < sys.float_info.min:
        yield Difference(f"limit of {quantity} is subnormal", case, here)
        return
    if quantity == "error" and value < _NEAREST:
        return  # counts are whole, and floats do not tell such means apart
    # 0 that is not attained says that there is no limit
    at = at_value(case, quantity, value) if value or end.attained else None
    if at is not None and _small(at):
        true = oracle.truth(at)
        if true.verdict == "unpayable":
            return
        if true.verdict == "infeasible":
            yield Difference(f"limit of {quantity} goes too far", case, f"{here}; {true}")
        found: list[Difference] = []
        answer = guarded("solve", at, lambda: planner.solve(study(at)), found)
        yield from found
        if answer is not None and answer.verdict != "feasible":
            words = f"{here}, but there the study is {answer.verdict}"
            yield Difference(f"limit of {quantity} is not feasible", case, words)
    beyond = _beyond(case, quantity, value)
    if beyond is None or not _small(beyond):
        return
    true = oracle.truth(beyond)
    if end.bound:  # "or less", which is to be true
        if true.verdict == "infeasible":
            yield Difference(f"limit of {quantity} is no bound", case, f"{here}; {true}")
        return
    if true.verdict == "feasible" and true.epsilon[1] < FAR:
        words = f"{here}; feasible: {code(beyond)}"
        yield Difference(f"limit of {quantity} does not go far enough", case, words)


def _small(case: Case) -> bool:
    return case.people <= _MOST_PEOPLE[case.exact]


def at_value(case: Case, quantity: str, value: float) -> Case | None:
    """The study with this value; None where there is no such study."""
    if not math.isfinite(value):
        return None
    fields = {"harm": "harm", "epsilon": "epsilon_at_most", "participants": "people"}
    name = fields.get(quantity, quantity)
    if name in ("people", "queries"):
        return replace(case, **{name: int(value)}) if 1 <= value < 2**53 else None
    if name in ("error", "failure", "budget", "harm", "epsilon_at_most") and not value > 0:
        return None
    if (name == "error" and value > 1) or (name in ("failure", "delta") and value >= 1):
        return None
    changed = replace(case, **{name: value})
    if changed.worst_cost is not None and changed.worst_cost < changed.base_cost:
        return None
    if changed.family > 1 and changed.worst_cost and not changed.base_cost:
        return None
    return changed


def _beyond(case: Case, quantity: str, value: float) -> Case | None:
    if not value:
        return None
    if quantity in ("participants", "queries"):
        return at_value(case, quantity, value + (1 if quantity == "queries" else -1))
    beyond = _BEYOND[case.exact]
    factor = 1 + beyond if quantity in _LARGEST else 1 - beyond
    return at_value(case, quantity, value * factor)


def _easiest(case: Case, quantity: str) -> Case | None:
    if quantity in ("budget", "harm"):
        return replace(case, **{quantity: None})
    if quantity == "epsilon":
        return replace(case, epsilon_at_most=None)
    easy = {
        "base_cost": 1e-250 if case.family > 1 else 0.0,
        "worst_cost": case.base_cost,
        "error": 1.0,
        "failure": 1 - 2**-53,
        "participants": _MOST_PEOPLE[case.exact] // 2,
        "queries": 1,
    }
    return at_value(case, quantity, easy[quantity]) if quantity in easy else None
