"""A value of a quantity as people read it: in its unit, a limit rounded to the feasible side.

Errors of proportions are in percentage points and probabilities in percent; study files and JSON
hold fractions of 1.
"""

import math

from planner.model import Study
from planner.numbers import decimal, round_down, round_up
from planner.quantities import QUANTITIES
from planner.wording import money, plain


def unit(study: Study | None, quantity: str) -> str:
    """What follows the number: the currency, "percentage points", "%" or nothing."""
    row = QUANTITIES[quantity]
    if row.money:
        return study.currency if study else ""
    if study is None or row.name.rpartition(".")[2] != "error":
        return row.shown_in
    question = quantity.rpartition(".")[0]
    if study.survey is not None and question:
        return study.survey.question(question).error_unit
    return getattr(study.target, "error_unit", row.shown_in)


def in_unit(study: Study | None, quantity: str, value: float) -> float:
    """A value in its unit: the error of a mean in that of the values, fractions of 1 in percent."""
    if unit(study, quantity).startswith(("percentage points", "%")):
        return float(100 * decimal(value)) if math.isfinite(value) else value
    if study is None or study.target.values is None or quantity != "error":
        return value
    return study.accuracy.in_unit(value)


def given(study: Study | None, quantity: str, value: float) -> str:
    """A value that a study gives, exactly, with its unit; money that is computed, to cents."""
    text = plain(in_unit(study, quantity, value))
    if QUANTITIES[quantity].money and len(text) > _TYPED:
        text = money(value)
    return f"{text} {unit(study, quantity)}".rstrip()


def number(study: Study | None, quantity: str, value: float, digits: int = 4) -> str:
    """A limit without its unit, rounded to the feasible side: money to cents, else `digits`."""
    row, value = QUANTITIES[quantity], in_unit(study, quantity, value)
    if row.whole or not math.isfinite(value):
        return plain(value) if math.isfinite(value) else "no limit"
    if row.money and 0.1 <= abs(value) < _MANY:
        cents = 100 * decimal(value)
        whole = math.floor(cents) if row.more_is_harder else math.ceil(cents)
        return f"{whole // 100:,}.{whole % 100:02d}"
    return plain((round_down if row.more_is_harder else round_up)(value, digits))


def shown(study: Study | None, quantity: str, value: float, digits: int = 4) -> str:
    """A limit with its unit, as `number` rounds it."""
    return f"{number(study, quantity, value, digits)} {unit(study, quantity)}".rstrip()


_TYPED = 14
"""Characters of an amount of money that a person types: 1,234,567.125; computed ones have more."""
_MANY = 1e13
"""Money from here on has no cents in a double, as one has 15 digits."""
