"""How people are paid in one study: in a sentence, and in the coins of documents."""

import math
from dataclasses import replace
from fractions import Fraction

from planner.answer.answers import Plan
from planner.answer.problem.problem import problem_of
from planner.answer.proof.plan import holds
from planner.mechanisms import kinds
from planner.model import Choice, Delta, Study
from planner.numbers import decimal, round_up
from planner.wording import money, plain

SMALLEST_COIN = 0.01
"""The smallest coin of most currencies."""
_MANY = 1e13
"""Money from here on has no cents in a double, as one has 15 digits."""


def with_rounded_payments(plan: Plan, coin: float = SMALLEST_COIN) -> Fraction | None:
    """What documents say each is paid: rounded up to whole coins, if the plan holds with that.

    Args:
        plan: the plan.
        coin: the smallest coin, where the study has none of its own [money, > 0].

    Returns:
        The payment of each participant; None where rounding up would break a condition such as the
        budget.
    """
    study, choice = plan.study, Choice(plan.epsilon, plan.delta, plan.participants)
    coin = study.costs.smallest_coin or coin
    costs = replace(study.costs, smallest_coin=coin)
    paid = math.ceil(decimal(plan.compensation) / decimal(coin)) * decimal(coin)
    problem = problem_of(study)
    problem = replace(problem.without(*problem.goals), costs=costs)  # payments change no accuracy
    return paid if holds(problem, choice) else None


def paid_words(plan: Plan, with_currency: bool = True) -> str:
    """What each is paid, as every document says it: in whole coins where the plan allows them.

    Where it does not, the exact payment in enough digits for the total to the cent.
    """
    currency = plan.study.currency if with_currency else ""
    exact = plan.compensation
    if not 0 < exact < _MANY:
        return money(exact, currency)
    paid = with_rounded_payments(plan)
    if paid is None:
        return f"{_in_full(exact, plan.participants)} {currency}".rstrip()
    return f"{amount(paid, plan.study.costs.smallest_coin or SMALLEST_COIN)} {currency}".rstrip()


def amount(paid: Fraction, coin: float) -> str:
    """An amount in cents, or with the digits of a smaller coin."""
    digits = max(2, -math.floor(math.log10(coin)))
    return f"{float(paid):,.{digits}f}"


def _in_full(x: float, people: int) -> str:
    """A payment that cannot be rounded up to cents."""
    for digits in range(6, 17):
        near = round_up(x, digits)
        if (decimal(near) - decimal(x)) * 100 * people <= 1:
            return plain(near)
    return plain(x)


def payment_words(study: Study) -> str:
    """The compensation of this study: its formula with the study's numbers."""
    person, costs = study.individual, study.costs
    words = _by_cost(study)
    if person.capped:
        words = f"{words}, at most W"
    known = [("E", person.base_cost), ("W", person.worst_cost)]
    given = [f"{name} = {money(x, study.currency)}" for name, x in known if x is not None]
    words = f"{words}, with {' and '.join(given)}"
    if costs.incentive:
        words += f"; at least the incentive of {money(costs.incentive, study.currency)}"
    if costs.smallest_coin:
        words += f"; rounded up to multiples of {money(costs.smallest_coin, study.currency)}"
    return f"In this study: {words}."


def _by_cost(study: Study) -> str:
    person = study.individual
    chosen = kinds.choices(study.mechanism)
    delta = "δ" if study.find(Delta) or any(one.uses_delta for one in chosen) else ""
    if person.breach:
        delta = f"({delta} + {plain(person.breach)})" if delta else plain(person.breach)
    more = f"{delta}W" if delta else ""
    if person.family == 1:
        return f"(e^ε − 1)E{f' + {more}' * bool(more)}"
    base = f"(E + {more}/(e^ε − 1))" if more else "E"
    return f"(e^(gε) − 1){base} for families of g = {plain(person.family)}"
