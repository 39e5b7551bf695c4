"""What a plan's total cost consists of, in amounts that add up to the printed total."""

import math
from typing import NamedTuple

from planner.answer.answers import Plan
from planner.explanation.results.payment import paid_words, with_rounded_payments
from planner.model import Costs
from planner.numbers import decimal
from planner.wording import money, plain

_LARGEST = 1e15
"""Above it money is not printed to the cent: doubles are an eighth of a unit apart."""


class Part(NamedTuple):
    """A part of a total.

    Attributes:
        name: what it pays for.
        cents: how much, in hundredths of the currency.
        how: as the number of people times what each costs; "" for one amount.
    """

    name: str
    cents: int
    how: str


def parts(plan: Plan) -> list[Part]:
    """Payments, recruiting and overhead; empty where there is one product alone."""
    study, n = plan.study, plan.participants
    costs: Costs = study.costs
    if not plan.cost < _LARGEST:
        return []
    overhead = _cents(costs.overhead)
    recruiting = _cents(n * costs.per_person)
    invitations = int(costs.invitations(n)) if costs.per_invitation else 0
    inviting = _cents(invitations * costs.per_invitation)
    # rounding is charged to the payments, of which each is the largest number
    paid = _cents(plan.cost) - overhead - recruiting - inviting
    found = [Part("payments", paid, _payments(plan, paid))]
    if not (recruiting or inviting or overhead) and " exactly" not in found[0].how:
        return []
    if recruiting:
        found.append(Part("recruiting", recruiting, f" = {plain(n)} × {money(costs.per_person)}"))
    if inviting:
        how = f" = {plain(invitations)} × {money(costs.per_invitation)}"
        found.append(Part("invitations", inviting, how))
    if overhead:
        found.append(Part("overhead", overhead, ""))
    return found


def rows(plan: Plan) -> list[tuple[str, str]]:
    """A row for each part, under the total."""
    return [(f"  {part.name}", f"{money(part.cents / 100)}{part.how}") for part in parts(plan)]


def _payments(plan: Plan, cents: int) -> str:
    """The payments as a product; those of whole cents beside them where that is another amount."""
    people, paid = plan.participants, with_rounded_payments(plan)
    product = f"{plain(people)} × {paid_words(plan, with_currency=False)}"
    if paid is None or math.ceil(people * paid * 100) <= cents:
        return f" = {product}"
    return f" exactly; {money(float(people * paid))} = {product} in whole cents"


def _cents(amount: float) -> int:
    """An amount rounded up to cents, as `wording.money` prints it."""
    return math.ceil(decimal(float(amount)) * 100)
