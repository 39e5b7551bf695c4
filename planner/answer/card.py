"""What each person is handed where there is no curator: a plan's card (Warner 1965)."""

from fractions import Fraction
from typing import Any, NamedTuple

from planner.model import Choice, Study


class Card(NamedTuple):
    """How a person randomises their own answer.

    Attributes:
        truth: p, the probability with which the true answer is reported, a decimal [(1/2, 1)].
        opposite: q = 1 − p, with which the opposite is.
    """

    truth: Fraction
    opposite: Fraction

    @property
    def strength(self) -> Fraction:
        """By how much reports tell people apart: p − q."""
        return self.truth - self.opposite

    def to_dict(self) -> dict[str, Any]:
        """As plain data: the estimate is (share of reports − opposite)/strength."""
        return {name: float(getattr(self, name)) for name in ("truth", "opposite", "strength")}


def card_of(study: Study, choice: Choice) -> Card | None:
    """The card of a plan; None where a curator holds the records."""
    if study.mechanism.trusted:
        return None
    target, (epsilon, _, participants) = study.accuracy, choice
    truth = study.mechanism.card(epsilon, participants, target.error, target.failure)
    return Card(truth, 1 - truth) if truth else None
