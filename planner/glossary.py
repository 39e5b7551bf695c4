"""The glossary: the project's vocabulary, one name a thing, with what it means to a reader."""

from typing import NamedTuple


class Term(NamedTuple):
    """One word of the vocabulary.

    Attributes:
        name: as files, Python, tables and figures call it.
        symbol: in Hsu14.
        meaning: in a line.
        unit: what it is counted or measured in.
        range: what it can be.
        says: what it means to someone who reads it for the first time.
    """

    name: str
    symbol: str
    meaning: str
    unit: str
    range: str
    says: str


TERMS = (
    Term(
        "epsilon", "ε", "privacy parameters", "none", "over 0",
        "How much the published answer can tell of any one person: nothing that happens becomes "
        "more than e^ε times as likely because they took part. Less ε is more privacy.",
    ),
    Term(
        "delta", "δ", "privacy parameters", "probability", "[0, 1)",
        "A chance that the promise of ε fails and a record may be published; 0 in most studies.",
    ),
    Term(
        "participants", "N", "people in the study", "people", "whole, at least 1",
        "How many people take part, each with one record.",
    ),
    Term(
        "error", "T", "additive error tolerated on the published answer", "fraction of 1",
        "(0, 1]",
        "How far the published answer may lie from the truth before it counts as wrong.",
    ),
    Term(
        "failure", "α", "probability that the answer is off by `error` or more", "probability",
        "(0, 1)",
        "How often such a study may publish an answer that is wrong by that much.",
    ),
    Term(
        "base_cost", "E", "a person's expected cost if they stay out", "money",
        "money, at least 0",
        "What a person must expect to lose anyway: the cost of what they fear, times its chance.",
    ),
    Term(
        "worst_cost", "W", "a person's cost if their record is published in the clear", "money",
        "money, at least `base_cost`",
        "What a person loses if everybody learns their record.",
    ),
    Term(
        "budget", "B", "money for compensation and the `costs` of the study", "money",
        "money, over 0",
        "The most that the study may cost in all.",
    ),
    Term(
        "compensation", "(e^ε − 1)E + δW", "money owed to each participant", "money", "money",
        "What each participant is paid: at least the rise in what they must expect to lose.",
    ),
    Term(
        "exposure", "φ", "fraction of the people whom a study without privacy exposes",
        "fraction of 1", "[0, 1]",
        "How many of the people are found out where a study publishes without privacy.",
    ),
    Term(
        "universe_size", r"\|X\|", "possible records", "records", "at least 2",
        "How many different records a person can have.",
    ),
    Term(
        "queries", r"\|C\|", "counting queries", "questions", "at least 1",
        "How many questions the study answers about the same people.",
    ),
)  # fmt: skip
"""In the order of the README's table."""


def words(text: str) -> str:
    """A cell of the vocabulary without the marks of a Markdown table."""
    return text.replace("`", "").replace("\\", "")
