"""What a plan adds to the answer of one question: the kind of noise, and its scale."""

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from planner import numbers
from planner.model import Choice, Study
from planner.numbers import decimal
from planner.privacy.gaussian import scale_ball

_DIGITS = 15


class Noise(NamedTuple):
    """The noise on the answer of one question.

    Attributes:
        kind: "laplace", "geometric" or "gaussian"; without a curator "answer", as people report it;
            empty where several questions are asked, or the mechanism adds none.
        scale: in the unit of the answer, rounded up: of Gaussian noise its standard deviation; None
            where none is added.
    """

    kind: str = ""
    scale: float | None = None


def noise_of(study: Study, choice: Choice) -> Noise:
    """The noise of a plan: the least that its ε and δ allow."""
    mechanism = study.mechanism
    if study.survey is not None:
        return Noise()
    if not mechanism.trusted:
        return Noise("answer")
    if not mechanism.adds:
        return Noise("geometric", _up(1 / decimal(choice.epsilon))) if mechanism.counts else Noise()
    low, high = study.target.values or (0.0, 1.0)
    each = (decimal(high) - decimal(low)) / choice.participants
    if mechanism.adds != "gaussian":
        return Noise(mechanism.adds, _up(each / decimal(choice.epsilon)))

    number = numbers.balls().number
    end = scale_ball(number(choice.epsilon), number(choice.delta)).upper()
    return Noise("gaussian", _up(each * numbers.fraction(end)))


def _up(x: Fraction) -> float:
    """A short decimal that is not below x."""
    context = Context(prec=_DIGITS, rounding=ROUND_CEILING)
    return float(context.divide(Decimal(x.numerator), Decimal(x.denominator)))
