"""The card that each person is handed where there is no curator, in words."""

from fractions import Fraction

from planner.answer.answers import Card, Plan
from planner.numbers import decimal
from planner.wording import at_most, plain


def decimal_words(share: Fraction) -> str:
    """A fraction with a finite decimal, written out."""
    digits = 0
    while share.denominator > 1 and share * 10**digits % 1:
        digits += 1
    return f"{int(share * 10**digits) / 10**digits:.{max(digits, 1)}f}"


def card_words(card: Card) -> str:
    """How to answer, in a sentence."""
    return (
        f"Answer truthfully with probability {decimal_words(card.truth)}, else report the opposite."
    )


def card_sentences(plan: Plan) -> list[str]:
    """What the card says, what a report reveals, and how to estimate the proportion."""
    card = plan.card
    if card is None:
        return []
    degrees = float(360 * card.truth)
    sure = at_most(100 * float(card.truth), 4)
    bits = (
        "Whoever publishes numbers between two ends first rounds their own to one of the ends, "
        "the nearer end more likely in proportion, and reports which. "
        if plan.study.target.values is not None
        else ""
    )
    return [
        "Nobody holds your answer: before you answer, spin a spinner that only you see. "
        f"{bits}{card_words(card)} On a dial the truth takes {degrees:.2f}° of 360°.",
        f"Who sees your report, and thought either answer as likely before, is at most {sure} % "
        "sure of the true one.",
        _estimate(plan, card),
    ]


def _estimate(plan: Plan, card: Card) -> str:
    values, strength = plan.study.target.values, decimal_words(card.strength)
    what, start, report = "proportion", "", "that they have the property"
    if values is not None:
        low, high = map(decimal, values)
        what, report = "mean", plain(float(high))
        start = f"{plain(float(high - low))} × "
        if low:
            start = f"{plain(float(low))} + {start}"
    reports = f"(R/{plain(plan.participants)} − {decimal_words(card.opposite)})"
    return (
        f"The {what} is estimated as {start}{reports}/{strength}, where R people report {report}."
    )
