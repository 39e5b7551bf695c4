"""What `planner init` asks for, and the commented study file that the replies give."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from planner.study_file.writer import value_text

_LINE = re.compile(r"(?P<key>\w+) = (?P<value>[^#]*?)(?P<gap> *)(?P<remark>#.*)?")
_BASE_COST = re.compile(r"^base_cost = .*$", re.MULTILINE)
_ACCEPT = "accept = 0.9                 # the payment is enough for so many; see planner payment"
_QUESTIONS = re.compile(r"\[\[question\]\].*?(?=^\[individual\])", re.DOTALL | re.MULTILINE)


class Ask(NamedTuple):
    """One thing that is asked for.

    Attributes:
        key: in the study file.
        question: what is asked.
        help: what it is, and how to choose it.
    """

    key: str
    question: str
    help: str


ASKS = (
    Ask("title", "Title of the study", "It stands over answers, pictures and reports."),
    Ask(
        "currency",
        "Currency of all money",
        "Three letters such as EUR, or leave it as it is. Nothing is converted.",
    ),
    Ask(
        "error",
        "Margin of error of the published proportion",
        "0.05 means: off by less than 5 percentage points. Half the error needs about four times "
        "the people.",
    ),
    Ask(
        "failure",
        "Probability of a larger error (one less the confidence)",
        "0.05 means: in at most 5 of 100 such studies the answer is off by more, which is a "
        "confidence of 95 %.",
    ),
    Ask(
        "base_cost",
        "What a person risks losing anyway: the loss times its chance without the study",
        "The cost of what people fear times its probability without your study: a premium that "
        "rises by 1,274 a year for 1 in 100 people is 12.74. planner scenarios lists worked "
        "examples.",
    ),
    Ask(
        "worst_cost",
        "What a person loses whose record is published with their name",
        "The whole cost of what they fear, such as a premium that rises by 1,274 a year.",
    ),
    Ask(
        "budget",
        "Budget for payments, recruiting and running the study",
        "All the money of the study. planner limit study.toml budget computes the least that is "
        "enough.",
    ),
    Ask(
        "max_participants",
        "Number of people whom you can ask",
        "A plan never has more participants.",
    ),
    Ask(
        "per_person",
        "Cost of finding and asking one person",
        "Letters, interviews and time, besides the payment for the risk.",
    ),
    Ask(
        "overhead",
        "Cost of the study as a whole",
        "Staff, rooms and software: what is spent once.",
    ),
)
NO_PILOT = "none"
PILOT = Ask(
    "base_costs",
    "File of what people of a pilot ask to be paid",
    "planner costs answers.csv -o costs.toml writes it from their answers; then reply costs.toml. "
    "It takes the place of what a person risks losing anyway.",
)
KINDS = {
    "share": Ask("share", "yes or no", "The published answer is the proportion of yes."),
    "histogram": Ask("histogram", "one of several groups", "The proportion of every group."),
    "mean": Ask("mean", "a number in a range", "The mean of the numbers."),
    "share-by-group": Ask(
        "share-by-group",
        "yes or no, for each group that people report",
        "The proportion of yes within every group, such as an age group, which is as private.",
    ),
}
OF_KINDS = {
    "share": (
        Ask("error", "Margin of error of the proportion", "0.03 means 3 percentage points."),
    ),
    "histogram": (
        Ask(
            "groups",
            "Number of groups, or their labels with commas between",
            "Labels are as the records have them, such as 18-24, 25-34, 35 or more.",
        ),
        Ask(
            "error",
            "Margin of error of every group's proportion",
            "0.03 means 3 percentage points.",
        ),
    ),
    "mean": (
        Ask("low", "Lowest number possible", "Lower replies are refused or raised to it."),
        Ask("high", "Highest number possible", "Higher replies are refused or lowered to it."),
        Ask("error", "Margin of error of the mean", "In the unit of the numbers."),
    ),
    "share-by-group": (
        Ask("by", "Column of the records that holds the group", "A word such as age group."),
        Ask(
            "labels",
            "Names of the groups, with commas between",
            "As the records have them, such as 18-39, 40-64, 65 or more.",
        ),
        Ask(
            "share_at_least",
            "Least share of all people that a group may have for its error to hold",
            "0.2 means a fifth of them; a smaller group is published with a wider interval. Half "
            "of it needs about twice the people.",
        ),
        Ask(
            "error",
            "Margin of error of the proportion in such a group",
            "0.1 means 10 points of 100.",
        ),
    ),
}
"""What else a question of each kind needs."""


def filled(template: str, values: Mapping[str, Any]) -> str:
    """The template with other values for keys outside its questions; remarks stay."""
    lines, section = [], ""
    for line in template.split("\n"):
        if line.startswith("["):
            section = line
        match = None if section.startswith("[[question]]") else _LINE.fullmatch(line)
        if match and match["key"] in values:
            lines.append(_line(match, values[match["key"]]))
        else:
            lines.append(line)
    return "\n".join(lines)


def _line(match: re.Match[str], value: Any) -> str:
    """A line with another value, its remark where it was if there is room."""
    start = f"{match['key']} = {value_text(value)}"
    if not match["remark"]:
        return start
    return f"{start.ljust(match.start('remark') - 1)} {match['remark']}"


def of_pilot(study: str, name: str) -> str:
    """The study file with the people of a pilot in place of one base cost.

    Args:
        study: the text of the file.
        name: of the file of `planner costs`, as seen from the folder of the study file.
    """
    pilot = f"base_costs = {{ pilot = {value_text(name)} }}"
    lines = [f"{pilot}   # what people of a pilot ask to be paid", _ACCEPT]
    return _BASE_COST.sub(lambda _: "\n".join(lines), study, count=1)


def with_questions(template: str, questions: Sequence[Mapping[str, Any]]) -> str:
    """The template with these questions in place of its own."""
    sections = [
        "\n".join(["[[question]]", *(f"{key} = {value_text(x)}" for key, x in one.items()), ""])
        for one in questions
    ]
    return _QUESTIONS.sub(lambda _: "\n".join(sections) + "\n", template)
