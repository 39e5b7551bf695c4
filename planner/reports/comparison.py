"""The private study beside the one without privacy, as a table and sentences."""

from typing import NamedTuple

from planner.answer.answers import Plan
from planner.comparison.compare import Comparison
from planner.explanation.comparison import VERDICTS, between, in_words
from planner.wording import money, payment, plain

_NONE = "none"


class Beside(NamedTuple):
    """Two studies side by side.

    Attributes:
        verdict: which is cheaper, as a clause.
        rows: what is compared, with privacy, without.
        sentences: where each is the cheaper one.
    """

    verdict: str
    rows: list[tuple[str, str, str]]
    sentences: list[str]


def beside(found: Comparison) -> Beside:
    """A comparison in words and numbers."""
    private, currency = found.private, found.study.currency
    with_privacy = [_NONE] * 3
    if isinstance(private, Plan):
        with_privacy = [
            f"{plain(private.participants)} people",
            payment(private.compensation, private.participants, currency),
            money(private.cost, currency),
        ]
    without = ["not known", money(found.compensation, currency), "not known"]
    if found.participants and found.cost:
        fewest, most = map(int, found.participants)
        without[1] = payment(found.compensation, most, currency)
        without[0] = f"{between(plain(fewest), plain(most))} people"
        without[2] = between(*(money(end, currency) for end in found.cost))
    names = ("participants", "each is paid", "total cost")
    rows = list(zip(names, with_privacy, without, strict=True))
    return Beside(VERDICTS[found.verdict], rows, in_words(found))
