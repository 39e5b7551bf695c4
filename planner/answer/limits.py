"""How far one quantity can go before the study becomes impossible."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, get_args

from planner.answer.answers import Plan
from planner.answer.choose import each
from planner.answer.free_delta import best_aim, feasible
from planner.answer.problem import FREE_DELTA_SHARE, Problem, needs_delta_cap, problem
from planner.answer.solve import solve
from planner.mechanisms import OneOf
from planner.model import (
    Budget,
    Condition,
    Delta,
    DeltaTimesNAtMost,
    EpsilonAtMost,
    ExpectedLoss,
    Population,
    Study,
)
from planner.numbers import round_up

Quantity = Literal["base_cost", "budget", "error", "failure", "loss", "participants", "epsilon"]
_TOLERANCE = 0.01
_ENDS = {"base_cost": 0.0, "budget": 1e290, "error": 1.0, "failure": 1 - 2**-53}
"""The easiest value of each quantity: where it fails, nothing helps."""
_LARGEST_COST = 1e280
_TARGETS = ("error", "failure", "loss")
_GRID, _FEW = 24, 4
_FAR_DELTA = 1e-24
"""How far below its cap a free δ is searched on a grid; less δ helps less and less."""


class Limit(float):
    """The furthest value of a quantity at which `solve` still calls the study feasible.

    Attributes:
        quantity: which quantity.
        attained: whether the true supremum or infimum is itself feasible; where it is not, the
            value is the last number on the feasible side that is proved.
    """

    quantity: str
    attained: bool

    def __new__(cls, value: float, quantity: str, attained: bool) -> "Limit":
        """A float that knows what it bounds."""
        limit = super().__new__(cls, value)
        limit.quantity, limit.attained = quantity, attained
        return limit

    @property
    def value(self) -> float:
        """The limit as a plain float."""
        return float(self)


def limit(study: Study, quantity: Quantity) -> Limit | None:
    """The largest base cost, or the least of another quantity, that works.

    Args:
        study: the question; its own value of `quantity` is ignored, all else is kept.
        quantity: "base_cost" (of a person who lists events, all their costs together, so that
            E = Σ p·c), "budget", "error" and "failure" (or "loss", by the study's target),
            "participants" or "epsilon".

    Returns:
        The limit, 0 or ∞ where there is none, or None where no value of this quantity makes
        the study feasible.

    Raises:
        ValueError: `quantity` is none of these, or of another kind of target.
    """
    if quantity not in get_args(Quantity):
        names = ", ".join(get_args(Quantity))
        raise ValueError(f"quantity = {quantity!r} has no limit; give one of {names}")
    if (quantity == "loss") != isinstance(study.target, ExpectedLoss) and quantity in _TARGETS:
        raise ValueError(f"quantity = {quantity!r} is not part of this study's target")
    if isinstance(study.mechanism, OneOf):
        found = [one for one in (limit(s, quantity) for s in each(study)) if one is not None]
        return (max if quantity == "base_cost" else min)(found, default=None)
    if quantity == "participants":
        free = _any_size(study)
        if not feasible(problem(free)):  # that there is none need not be proved
            return None
        answer = solve(free, minimise="participants")
        return Limit(answer.participants, quantity, True) if isinstance(answer, Plan) else None
    if quantity == "epsilon":
        return _least_epsilon(_without(study, EpsilonAtMost))
    if quantity == "loss":
        from planner.answer.least_loss import least_loss

        least = least_loss(study)
        return None if least is None else Limit(least, quantity, True)
    question = problem(study)
    low, high = question.delta_bounds
    if question.approximate and low < high:
        delta = _best_delta(study, quantity, low, high)
        if delta is None:
            return None
        study = _at_delta(study, delta)
    return _furthest(study, quantity)


def _without(study: Study, kind: type[Condition]) -> Study:
    kept = tuple(c for c in study.conditions if not isinstance(c, kind))
    return replace(study, conditions=kept)


def _any_size(study: Study) -> Study:
    """The study without a cap on N, or with the reader's own where a count is read."""
    others = tuple(c for c in study.conditions if not isinstance(c, Population))
    if isinstance(study.target, ExpectedLoss):
        others = (*others, Population(study.target.consumer.largest))
    return replace(study, conditions=others)


def _least_epsilon(study: Study) -> Limit | None:
    aim = best_aim(problem(study), "epsilon", _TOLERANCE)
    if aim is None or not aim.attained:
        return aim and Limit(aim.value, "epsilon", False)
    for digits in range(15, 2, -1):  # the floor, rounded up until it is proved to do
        value = round_up(aim.value, digits)
        capped = replace(study, conditions=(*study.conditions, EpsilonAtMost(value)))
        if solve(capped).verdict == "feasible":
            return Limit(value, "epsilon", True)
    return Limit(aim.value, "epsilon", False)


def _at_delta(study: Study, delta: float) -> Study:
    """The study at one δ, which the caps on δ still bound."""
    caps = (DeltaTimesNAtMost(FREE_DELTA_SHARE),) if needs_delta_cap(study) else ()
    return replace(study, conditions=(*study.conditions, *caps, Delta(delta)))


def _best_delta(study: Study, quantity: Quantity, low: float, high: float) -> float | None:
    """The δ at which the quantity goes furthest: the best of a coarse grid, then refined."""
    from scipy.optimize import minimize_scalar

    sign = -1 if quantity == "base_cost" else 1

    def value(log_delta: float) -> float:
        found = _reached(_at_delta(study, min(math.exp(log_delta), high)), quantity)
        return math.inf if found is None else sign * found

    # each value takes seconds where accuracy saw-tooths: then a few, of not so small δ, will do
    slow = problem(study).saw_toothed
    points, reach = (_FEW, _FAR_DELTA**0.5) if slow else (_GRID, _FAR_DELTA)
    top, bottom = math.log(high), math.log(max(low, high * reach))
    grid = [top + (bottom - top) * k / points for k in range(points + 1)]
    values = [value(x) for x in grid]
    best = min(range(len(grid)), key=values.__getitem__)
    if math.isinf(values[best]):
        return math.exp(grid[best]) if values[best] < 0 else None
    near = (grid[min(best + 1, points)], grid[max(best - 1, 0)])
    refined = minimize_scalar(
        lambda x: min(value(x), 1e6 * abs(values[best]) + 1),
        bounds=near,
        method="bounded",
        options={"xatol": 0.2 if slow else 1e-5},
    )
    return min(math.exp(refined.x if refined.fun < values[best] else grid[best]), high)


def _reached(study: Study, quantity: Quantity) -> float | None:
    """How far the quantity goes at a fixed δ, to a millionth."""
    works = _works(study, quantity)
    good, bad = _bracket(study, quantity, works)
    return good if good is None or bad is None else _closest(works, good, bad, 1e-6)[0]


def _works(study: Study, quantity: Quantity) -> Callable[[float], bool]:
    return lambda value: feasible(problem(with_value(study, quantity, value)))


def _furthest(study: Study, quantity: Quantity) -> Limit | None:
    works = _works(study, quantity)
    good, bad = _bracket(study, quantity, works)
    if good is None:
        return None
    if bad is None:  # no value is too far
        return Limit(good, quantity, good > 0 and math.isfinite(good))
    # saw teeth are told apart to a part in a billion, not to the last digit
    width = 1e-9 if problem(study).saw_toothed else 0.0
    good, bad = _closest(works, good, bad, width)
    attained = _attained(
        quantity,
        problem(with_value(study, quantity, good)),
        problem(with_value(study, quantity, bad)),
    )
    inside = _ENDS[quantity]
    unit = max(math.ulp(good), width * good)
    for step in (0.0, *(unit * 2**k for k in range(40))):
        value = good + math.copysign(step, good - bad)
        value = max(value, inside) if good < bad else min(value, inside)
        if solve(with_value(study, quantity, value)).verdict == "feasible":
            return Limit(value, quantity, attained)
    return Limit(good, quantity, False)


def with_value(study: Study, quantity: str, value: float) -> Study:
    """The study with another value of one quantity."""
    if quantity == "base_cost":
        return replace(study, individual=study.individual.with_base_cost(value))
    if quantity == "budget":
        others = _without(study, Budget).conditions
        return replace(study, conditions=(*others, Budget(value)))
    if quantity == "error":
        return replace(study, target=replace(study.accuracy, error=value))
    return replace(study, target=replace(study.accuracy, failure=value))


def _bracket(
    study: Study, quantity: str, works: Callable[[float], bool]
) -> tuple[float | None, float | None]:
    """A feasible and an infeasible value; no first where none is feasible, no second where all."""
    largest = study.individual.largest_base_cost
    far = {"base_cost": min(largest, _LARGEST_COST), "error": 1e-60}
    good, bad = _ENDS[quantity], far.get(quantity, 1e-290)
    if not works(good):
        return None, bad
    if not works(bad):
        return good, bad
    return (largest if quantity == "base_cost" else 0.0), None


def _closest(
    works: Callable[[float], bool], good: float, bad: float, width: float = 0.0
) -> tuple[float, float]:
    """Neighbouring floats, one feasible and one not, by bisection of the logarithm.

    A `width` over 0 stops where they agree to that fraction.
    """
    while True:
        low, high = min(good, bad), max(good, bad)
        if high > 2 * low:
            middle = math.sqrt(low) * math.sqrt(high) if low else high * 1e-10
        else:
            middle = low + (high - low) / 2
        if not low < middle < high or high - low < width * low:
            return good, bad
        good, bad = (middle, bad) if works(middle) else (good, middle)


def _attained(quantity: Quantity, last: Problem, beyond: Problem) -> bool:
    """Whether the limit itself is feasible: not where N → ∞ or an open bound stands in the way."""
    for condition in beyond.conditions:
        if condition.relation == "<" and feasible(beyond.without(condition)):
            return False
    aim = best_aim(last, "participants", _TOLERANCE)
    if aim is None:
        return False
    if not aim.region.person.convex:
        cheapest = best_aim(last, "cost", _TOLERANCE)
        return cheapest is not None and cheapest.attained
    free = quantity == "budget" and not aim.region.person.paid_for_epsilon
    return free or math.isfinite(aim.region.participants_ceiling)
