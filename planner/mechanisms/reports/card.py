"""The card of randomized response: how often a person reports the truth (Warner 1965).

The truth is reported with probability p and the opposite with 1 − p. Whatever is reported is then
at most e^ε times as likely from one person as from another where p/(1 − p) ≤ e^ε. A card is printed
with a decimal: p is e^ε/(1 + e^ε), rounded down to seven digits of 1 − p or p − 1/2, whichever is
smaller. So p is a fraction, and whether a share of reports is off is decided exactly.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from planner import numbers
from planner.libraries import np
from planner.numbers import Array, Number

if TYPE_CHECKING:
    from flint import arb

LARGE = 2**16
"""Larger studies are planned by a bound (`proof`), which is a report or so from the truth."""
DIGITS, MOST_DIGITS = 7, 40
"""Digits of a card; where a bound must be kept more of them are printed."""
_EPSILON_DIGITS = 14  # of an ε that prints the card
_PRECISION = 60  # of the decimals that decide it
_LARGEST = 700.0  # e^700 is the largest float
_LARGEST_PRINTED = Fraction(10**6)
"""Cards of more ε are printed as this one: decimals end there."""
_LEAST = Fraction(1, 10**12)
"""A p − q that stands for any at all, where chance alone is accurate."""


def strength(epsilon: Number) -> Number:
    """By how much reports tell people apart: p − q = tanh(ε/2), in the number system of ε."""
    system = numbers.of(epsilon)
    return -system.expm1(-epsilon) / (1 + system.exp(-epsilon))


def epsilon_of_strength(share: Number) -> Number:
    """2·artanh(s), the ε at which p − q = s; ∞ from s = 1 on."""
    system = numbers.of(share)
    return -system.log((1 - share) / (1 + share))


def truthful(epsilon: float, digits: int = DIGITS) -> Fraction:
    """The p that is printed at ε, an input's decimal [in [1/2, 1)]."""
    return _printed(Fraction(repr(float(epsilon))), digits)


def truthful_in(epsilon: "arb") -> Fraction | None:
    """The p that is printed at every ε of a ball; None where there are several."""
    ends = [end.fmpq() for end in (epsilon.lower(), epsilon.upper())]
    low, high = (_printed(Fraction(int(end.p), int(end.q))) for end in ends)
    return low if low == high else None


@lru_cache(maxsize=4096)
def _printed(epsilon: Fraction, digits: int = DIGITS) -> Fraction:
    epsilon = min(epsilon, _LARGEST_PRINTED)
    with localcontext(Context(prec=_PRECISION + int(min(float(epsilon), _LARGEST)))):
        growth = (Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
        opposite = 1 / (1 + growth)
        smaller = min(opposite, Decimal("0.5") - opposite)
        if not smaller:
            return Fraction(1, 2)
        step = Decimal(1).scaleb(smaller.adjusted() + 1 - digits)
        return 1 - Fraction(opposite.quantize(step, ROUND_CEILING))


def least_printed(share: Fraction, beyond: bool) -> float:
    """The least ε at which the card's p − q is at least s; more than s where `beyond`."""
    opposite = (1 - max(share, _LEAST)) / 2
    if opposite <= 0:
        return float("inf")
    with localcontext(Context(prec=_PRECISION + 400)):
        exact = Decimal(opposite.numerator) / Decimal(opposite.denominator)
        smaller = min(exact, Decimal("0.5") - exact) or Decimal(1)
        step = Decimal(1).scaleb(smaller.adjusted() + 1 - DIGITS)
        printed = exact.quantize(step, ROUND_FLOOR)
        if beyond and Fraction(printed) == opposite:
            printed -= step
        if printed <= 0:
            return float("inf")
        # room, so that the double of ε prints this card too
        epsilon = ((1 - printed) / printed).ln() * (1 + Decimal(10) ** -_EPSILON_DIGITS)
        return float(Context(prec=_EPSILON_DIGITS, rounding=ROUND_CEILING).create_decimal(epsilon))


def about_printed(share: Array) -> Array:
    """About the least ε of cards whose p − q is more than s, over an array."""
    share = np.clip(share, float(_LEAST), 1.0)
    opposite = (1 - share) / 2
    smaller = np.maximum(np.minimum(opposite, share / 2), 1e-300)
    step = 10.0 ** (np.floor(np.log10(smaller)) + 1 - DIGITS)
    printed = (np.ceil(opposite / step) - 1) * step
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(printed > 0, np.log((1 - printed) / printed), np.inf)
