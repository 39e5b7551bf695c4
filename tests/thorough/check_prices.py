"""Shadow prices equal solving the study again with a little more and a little less.

The least cost is a least over whole N, so it has kinks and, where a ceiling sets N, steps. A price
is right if it lies between the slopes that changes of several sizes up and down have.
"""

import math

import planner
from tests.thorough import oracle
from tests.thorough.case import Case
from tests.thorough.check_limits import at_value
from tests.thorough.differences import Difference, guarded, near, study

_STEPS = {True: (1e-5, 1e-3, 1e-2), False: (1e-6, 1e-4, 1e-3, 1e-2, 3e-2)}
"""Changes as fractions, by whether the analysis is exact."""
_MOST_PEOPLE = 15
"""The largest exact study whose prices are looked at: each takes a dozen searches of all N."""
_SLACK, _BENT = 0.03, 0.2
_FIELDS = {"participants": "people", "min_participants": "at_least"}
_CAPPED = ("base_cost", "worst_cost")
_WHOLE = ("participants", "min_participants", "queries")


def prices(case: Case) -> list[Difference]:
    """Every price of a feasible study."""
    found: list[Difference] = []
    if case.exact and case.people > _MOST_PEOPLE:
        return found
    if oracle.truth(case).verdict != "feasible":
        return found
    answer = guarded("solve", case, lambda: planner.solve(study(case), prove=False), found)
    if answer is None or answer.verdict != "feasible":
        return found
    told = guarded("prices", case, lambda: planner.prices(answer), found) or ()
    for price in told:
        if price.cost is None or (price.quantity == "base_cost" and not price.value):
            continue
        if case.capped and case.base_cost == case.worst_cost and price.quantity in _CAPPED:
            continue  # neither can move both ways alone, and where both are owed prices are split
        words = f"price of {price.quantity} = {price.value!r}: {price.cost!r}"
        low, high, room = _between(case, price.quantity, price.value)
        if not low - room <= price.cost <= high + room:
            words += f", by solving again {low!r} … {high!r}"
            found.append(Difference(f"price of {price.quantity}", case, words))
    return found


def _between(case: Case, quantity: str, value: float) -> tuple[float, float, float]:
    """The least and the largest slope of the least cost, and how far off a price may be."""
    here = _least(case)
    truth = oracle.truth(case)
    # where they are steep; only what ε costs depends on the base cost
    known_from = (truth.cost, truth.epsilon) if quantity == "base_cost" else (truth.cost,)
    known = max(
        (2 * (hard / easy - 1) for easy, hard in known_from if 0 < easy <= hard < math.inf),
        default=0.0,
    )
    if quantity in _WHOLE:
        more = _least(_changed(case, quantity, value + 1))
        slope = more - here
        room = 1e-3 * (abs(here) + abs(slope)) + known * abs(slope)
        return slope, slope, room if math.isfinite(slope) else math.inf
    # from 0, a change that is small beside what people are paid
    paid = here - case.overhead
    small = {"per_person": paid / case.people, "overhead": paid}.get(quantity)
    unit = value or small or 1e-6
    slopes = []
    for step in _STEPS[case.exact]:
        h = step * unit
        up, down = (_least(_changed(case, quantity, v)) for v in (value + h, value - h))
        pairs = ((up, here, h), (here, down, h), (up, down, 2 * h))
        slopes += [(y - x) / wide for y, x, wide in pairs if math.isfinite(y - x)]
    if not slopes:
        return 0.0, 0.0, math.inf
    # a price is read 1 % off, where the oracle's study may be beyond a ceiling
    bent = _BENT if len(slopes) < 3 * len(_STEPS[case.exact]) else 0.0
    room = (_SLACK + bent + known) * max(abs(s) for s in slopes)
    rounding = (1e-6 if case.exact else 1e-7) * abs(here) / unit
    return min(slopes), max(slopes), room + rounding


def _changed(case: Case, quantity: str, value: float) -> Case | None:
    return at_value(case, _FIELDS.get(quantity, quantity), value)


def _least(case: Case | None) -> float:
    """The least cost with the target made a little easier, which moves smoothly."""
    if case is None or (case.delta is not None and not 0 <= case.delta < 1):
        return math.inf
    if min(case.per_person, case.overhead) < 0 or near(case.people, 0):
        return math.inf
    return oracle.truth(case).cost[0]
