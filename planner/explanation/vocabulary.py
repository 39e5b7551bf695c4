"""The vocabulary for readers: the guide's table, the glossary and reports show it."""

from typing import NamedTuple


class Term(NamedTuple):
    """One term of the vocabulary.

    Attributes:
        name: its name in files, Python, tables and figures.
        symbol: in Hsu14.
        meaning: in one line.
        unit: what it is counted or measured in.
        range: what it can be.
        says: an explanation for readers who do not know it.
    """

    name: str
    symbol: str
    meaning: str
    unit: str
    range: str
    says: str


TERMS = (
    Term(
        "epsilon", "ε", "privacy parameters", "none", "above 0",
        "How much the published answer can reveal about any one person: no event becomes more "
        "than e^ε times as likely because they took part. A smaller ε means more privacy.",
    ),
    Term(
        "delta", "δ", "privacy parameters", "probability", "[0, 1)",
        "The probability that the guarantee of ε may fail; 0 in most studies.",
    ),
    Term(
        "participants", "N", "people in the study", "people", "whole, at least 1",
        "How many people take part, each with one record.",
    ),
    Term(
        "error", "T", "margin of error of the published answer", "fraction of 1",
        "(0, 1]",
        "How far the published answer may lie from the truth before it counts as wrong.",
    ),
    Term(
        "failure", "α", "probability that the answer is off by `error` or more", "probability",
        "(0, 1)",
        "How often such a study may publish an answer that is off by that much: 5 % at 95 % "
        "confidence.",
    ),
    Term(
        "base_cost", "E", "a person's expected cost if they stay out", "money",
        "money, at least 0",
        "What a person risks losing anyway: the loss times its chance without the study.",
    ),
    Term(
        "worst_cost", "W", "a person's cost if their record is published with their name", "money",
        "money, at least `base_cost`",
        "What a person loses if everybody learns their record.",
    ),
    Term(
        "budget", "B", "money for compensation and the `costs` of the study", "money",
        "money, above 0",
        "The most that the study may cost in total.",
    ),
    Term(
        "compensation", "(e^ε − 1)E + δW", "money owed to each participant", "money", "money",
        "What each participant is paid: at least the increase in their expected loss.",
    ),
    Term(
        "exposure", "φ", "fraction of the people whom a study that is not private exposes",
        "fraction of 1", "[0, 1]",
        "The proportion of the people whose records become known if the study is not private.",
    ),
    Term(
        "universe_size", r"\|X\|", "possible records", "records", "at least 2",
        "How many different records a person can have.",
    ),
    Term(
        "queries", r"\|C\|", "counting queries", "questions", "at least 1",
        "How many questions the study answers about the same people.",
    ),
    Term(
        "proof", "", "the check of a verdict", "none", "proved or not proved",
        "The argument that the plan keeps every condition, or that no study does, checked at the "
        "very numbers that are printed.",
    ),
    Term(
        "ball arithmetic", "", "arithmetic with bounds on its rounding", "none", "an interval",
        "Every number is computed together with a bound on its rounding error, so that a "
        "comparison that holds for the whole interval is certain.",
    ),
)  # fmt: skip
"""In the order of the guide's table."""


def words(text: str) -> str:
    """A cell of the vocabulary without Markdown."""
    return text.replace("`", "").replace("\\", "")
