"""The card of randomised response: how often a person reports the truth (Warner 1965).

The truth is reported with probability p, the opposite with q = 1 − p. Whatever is reported is then
at most e^ε times as likely from one person as from another where p/q ≤ e^ε. A card is printed with
a decimal: q is 1/(e^ε + 1), rounded up to seven digits of q or 1/2 − q, whichever is smaller. So p
is a fraction, and whether a proportion of reports is off is decided exactly. With the strength s =
p − q = 1 − 2q what a proportion μ of the people have is reported by 1/2 + (μ − 1/2)s of them.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from planner import numbers
from planner.libraries import np
from planner.numbers import Array, Number

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
    """By how much reports tell people apart: s = tanh(ε/2), in the number system of ε."""
    system = numbers.of(epsilon)
    return -system.expm1(-epsilon) / (1 + system.exp(-epsilon))


def epsilon_of_strength(share: Number) -> Number:
    """The ε at which p − q = s, 2·artanh(s); ∞ from s = 1 on."""
    system = numbers.of(share)
    return -system.log((1 - share) / (1 + share))


def truthful(epsilon: float | Fraction, digits: int = DIGITS) -> Fraction:
    """The p that is printed at ε, a fraction or an input's decimal [in [1/2, 1)]."""
    exact = epsilon if isinstance(epsilon, Fraction) else Fraction(repr(float(epsilon)))
    return _printed(exact, digits)


@lru_cache(maxsize=2**15)
def _printed(epsilon: Fraction, digits: int = DIGITS) -> Fraction:
    epsilon = min(epsilon, _LARGEST_PRINTED)
    with localcontext(Context(prec=_PRECISION + int(min(float(epsilon), _LARGEST)))):
        growth = (Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
        opposite = 1 / (growth + 1)
        smaller = min(opposite, 1 / Decimal(2) - opposite)
        if not smaller > 0:
            return Fraction(1, 2)
        step = Decimal(1).scaleb(smaller.adjusted() + 1 - digits)
        return 1 - Fraction(opposite.quantize(step, ROUND_CEILING))


def least_printed(share: Fraction) -> float:
    """The least ε at which the card's p − q is more than s."""
    opposite = (1 - max(share, _LEAST)) / 2
    if opposite <= 0:
        return float("inf")
    with localcontext(Context(prec=_PRECISION)):
        exact = Decimal(opposite.numerator) / Decimal(opposite.denominator)
        smaller = min(exact, 1 / Decimal(2) - exact) or Decimal(1)
        step = Decimal(1).scaleb(smaller.adjusted() + 1 - DIGITS)
        printed = exact.quantize(step, ROUND_FLOOR)
        if Fraction(printed) == opposite:
            printed -= step
        return epsilon_of(printed) if printed > 0 else float("inf")


def epsilon_of(opposite: Decimal) -> float:
    """The least ε of a card by which so many report the opposite [in (0, 1/2)]."""
    with localcontext(Context(prec=_PRECISION)):
        # room, so that the double of ε prints this card too
        epsilon = ((1 - opposite) / opposite).ln() * (1 + Decimal(10) ** -_EPSILON_DIGITS)
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
