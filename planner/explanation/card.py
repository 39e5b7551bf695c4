"""The card that each person is handed where there is no curator, in words."""

from fractions import Fraction

from planner.answer.answers import Card, Plan
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
    if plan.questions and not plan.study.mechanism.trusted:
        if not plan.by_lot:
            return [
                "Nobody holds your answers: before you answer a question you spin a spinner that "
                "only you see, as the card of that question says."
            ]
        return [
            "Nobody holds your answers: a lot gives you one of the questions, and before you "
            "answer it you spin a spinner that only you see, as the card of that question says."
        ]
    if card is None:
        return []
    degrees = float(360 * card.truth)
    sure = at_most(100 * float(card.truth), 4)
    opposite, strength = decimal_words(card.opposite), decimal_words(card.strength)
    bits = (
        "Whoever publishes numbers between two ends first rounds their own to one of the ends, "
        "the nearer end more likely in proportion, and reports which. "
        if plan.study.target.values is not None
        else ""
    )
    estimate = (
        f"The proportion is estimated as (R/{plain(plan.participants)} − {opposite})/{strength}, "
        "where R people report that they have the property."
    )
    if plan.study.groups == 2:
        estimate = (
            f"The difference is estimated as (R − S)/({plain(plan.participants // 2)} × {strength}"
            "), where R people of the first group and S of the second report that they have the "
            "property."
        )
    return [
        "Nobody holds your answer: before you answer, spin a spinner that only you see. "
        f"{bits}{card_words(card)} On a dial the truth takes {degrees:.2f}° of 360°.",
        f"Who sees your report, and thought either answer as likely before, is at most {sure} % "
        "sure of the true one.",
        estimate,
    ]
