"""The card of randomized response: how often a person reports the truth (Warner 1965).

Of k answers the true one is reported with probability p and each other with q, p + (k − 1)q = 1:
k is 2 for yes or no. Whatever is reported is then at most e^ε times as likely from one person as
from another where p/q ≤ e^ε. A card is printed with a decimal: q is 1/(e^ε + k − 1), rounded up to
seven digits of q or 1/k − q, whichever is smaller. So p is a fraction, and whether a share of
reports is off is decided exactly. With the strength s = p − q = 1 − kq an answer that a share μ of
the people would give is reported with probability q + μs = 1/k + (μ − 1/k)s.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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


class Asked(NamedTuple):
    """What is asked of reports: each share estimated from them is off with at most α.

    Attributes:
        error: T, a number, or a ball where something is proved.
        failure: α, likewise.
        mean_range: the shares, as floats.
        answers: k, from how many a person reports one.
    """

    error: Number
    failure: Number
    mean_range: tuple[float, float] = (0.0, 1.0)
    answers: int = 2

    @property
    def half(self) -> bool:
        """Whether a share of 1/2 of the reports is possible at every card."""
        low, high = self.mean_range
        return self.answers == 2 and low <= 0.5 <= high


def strength(epsilon: Number, answers: int = 2) -> Number:
    """By how much reports tell people apart: s = (e^ε − 1)/(e^ε + k − 1), for yes or no tanh(ε/2).

    In the number system of ε.
    """
    system = numbers.of(epsilon)
    return -system.expm1(-epsilon) / (1 + (answers - 1) * system.exp(-epsilon))


def epsilon_of_strength(share: Number, answers: int = 2) -> Number:
    """The ε at which p − q = s, ln(1 + ks/(1 − s)), for yes or no 2·artanh(s); ∞ from s = 1 on."""
    system = numbers.of(share)
    return -system.log((1 - share) / (1 + (answers - 1) * share))


def strength_of(truth: Fraction, answers: int = 2) -> Fraction:
    """The p − q of a card, (kp − 1)/(k − 1)."""
    return (answers * truth - 1) / (answers - 1)


def share_of_reports(mean: Fraction, strength: Fraction, answers: int = 2) -> Fraction:
    """How often an answer is reported that a share μ of the people would give."""
    return Fraction(1, answers) + (mean - Fraction(1, answers)) * strength


def truthful(epsilon: float | Fraction, digits: int = DIGITS, answers: int = 2) -> Fraction:
    """The p that is printed at ε, a fraction or an input's decimal [in [1/k, 1)]."""
    exact = epsilon if isinstance(epsilon, Fraction) else Fraction(repr(float(epsilon)))
    return _printed(exact, digits, answers)


def truthful_in(epsilon: "arb", answers: int = 2) -> Fraction | None:
    """The p that is printed at every ε of a ball; None where there are several."""
    ends = [end.fmpq() for end in (epsilon.lower(), epsilon.upper())]
    low, high = (_printed(Fraction(int(end.p), int(end.q)), answers=answers) for end in ends)
    return low if low == high else None


@lru_cache(maxsize=2**15)
def _printed(epsilon: Fraction, digits: int = DIGITS, answers: int = 2) -> Fraction:
    epsilon = min(epsilon, _LARGEST_PRINTED)
    with localcontext(Context(prec=_PRECISION + int(min(float(epsilon), _LARGEST)))):
        growth = (Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
        opposite = 1 / (growth + answers - 1)
        smaller = min(opposite, 1 / Decimal(answers) - opposite)
        if not smaller > 0:
            return Fraction(1, answers)
        step = Decimal(1).scaleb(smaller.adjusted() + 1 - digits)
        return 1 - (answers - 1) * Fraction(opposite.quantize(step, ROUND_CEILING))


def least_printed(share: Fraction, beyond: bool, answers: int = 2) -> float:
    """The least ε at which the card's p − q is at least s; more than s where `beyond`."""
    opposite = (1 - max(share, _LEAST)) / answers
    if opposite <= 0:
        return float("inf")
    with localcontext(Context(prec=_PRECISION + 400)):
        exact = Decimal(opposite.numerator) / Decimal(opposite.denominator)
        smaller = min(exact, 1 / Decimal(answers) - exact) or Decimal(1)
        step = Decimal(1).scaleb(smaller.adjusted() + 1 - DIGITS)
        printed = exact.quantize(step, ROUND_FLOOR)
        if beyond and Fraction(printed) == opposite:
            printed -= step
        if printed <= 0:
            return float("inf")
        # room, so that the double of ε prints this card too
        epsilon = ((1 - (answers - 1) * printed) / printed).ln() * (
            1 + Decimal(10) ** -_EPSILON_DIGITS
        )
        return float(Context(prec=_EPSILON_DIGITS, rounding=ROUND_CEILING).create_decimal(epsilon))


def about_printed(share: Array, answers: int = 2) -> Array:
    """About the least ε of cards whose p − q is more than s, over an array."""
    share = np.clip(share, float(_LEAST), 1.0)
    opposite = (1 - share) / answers
    smaller = np.maximum(np.minimum(opposite, share / answers), 1e-300)
    step = 10.0 ** (np.floor(np.log10(smaller)) + 1 - DIGITS)
    printed = (np.ceil(opposite / step) - 1) * step
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(printed > 0, np.log((1 - (answers - 1) * printed) / printed), np.inf)
