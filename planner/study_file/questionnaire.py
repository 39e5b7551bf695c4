"""What `planner init` asks for, and the commented study file that the replies give."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from planner.numbers import decimal
from planner.study_file.writer import value_text
from planner.wording import confidence, points

_LINE = re.compile(r"(?P<key>\w+) = (?P<value>[^#]*?)(?P<gap> *)(?P<remark>#.*)?")
_BASE_COST = re.compile(r"^base_cost = .*$", re.MULTILINE)
_ACCEPT = "accept = 0.9                 # the payment is enough for so many; see planner payment"
_QUESTIONS = re.compile(r"\[\[question\]\].*?(?=^\[individual\])", re.DOTALL | re.MULTILINE)
_STEPS = {"null": ("alternative", 0.05), "baseline": ("change", 0.1)}
"""After which reply another value is suggested, and how far it is from the reply."""


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


STUDIES = {
    "proportion": Ask("study", "how large a proportion is", "It is published with its error."),
    "test": Ask(
        "test",
        "whether a proportion is not a given value",
        "How many people, for a power of 80 %?",
    ),
    "compare": Ask(
        "compare",
        "by how much two groups differ",
        "The difference of their proportions is published with its error.",
    ),
    "compare-test": Ask(
        "compare-test", "whether two groups differ", "How many people, for a power of 80 %?"
    ),
}
"""What a study is to find out; the keys of these are the names of templates."""
ASKS = (
    Ask("title", "Title of the study", "It stands over answers, pictures and reports."),
    Ask(
        "currency",
        "Currency of all money",
        "Three letters such as EUR, or leave it as it is. Nothing is converted.",
    ),
    Ask(
        "null",
        "Null value, the proportion that the test is against",
        "What is so if nothing has changed, such as the proportion of last year.",
    ),
    Ask(
        "alternative",
        "Alternative, the proportion that the test is to notice",
        "The nearest proportion to the null value that matters to you, larger or smaller. Half the "
        "distance needs about four times the people.",
    ),
    Ask(
        "baseline",
        "Proportion in the second group",
        "What you expect of those who have the usual treatment, offer or page.",
    ),
    Ask(
        "change",
        "How much larger the proportion of the first group is, if it is as you hope",
        "The smallest difference that matters to you; it is negative if the proportion is smaller. "
        "Half of it needs about four times the people.",
    ),
    Ask(
        "power",
        "Power, the probability that the test notices this",
        "0.8 is usual: in at least 80 of 100 such studies the test finds what is there.",
    ),
    Ask(
        "significance",
        "Significance, the probability to reject what is true",
        "0.05 is usual: in at most 5 of 100 such studies the test finds what is not there.",
    ),
    Ask(
        "sides",
        "Sides of the test, 1 or 2",
        "1 looks in the direction of what the test is to notice; 2 in both, with half the "
        "significance each.",
    ),
    Ask(
        "error",
        "Margin of error of what is published",
        "0.05 means: off by less than 5 percentage points. Half of it needs about four times the "
        "people.",
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
            "Least proportion of all people that a group may have for its error to hold",
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
    """The template with other values for keys outside its questions; remarks stay true."""
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


def suggested(key: str, reply: Any) -> dict[str, float]:
    """The value that a reply suggests for what is asked for next, where one depends on it."""
    if key not in _STEPS or not isinstance(reply, float):
        return {}
    other, step = _STEPS[key]
    moved = decimal(step) * (1 if reply <= 1 - step else -1)
    return {other: float(moved if other == "change" else decimal(reply) + moved)}


def _line(match: re.Match[str], value: Any) -> str:
    """A line with another value, its remark where it was if there is room."""
    start = f"{match['key']} = {value_text(value)}"
    if not match["remark"]:
        return start
    remark = _restated(match["remark"], match["value"].strip(), value)
    return f"{start.ljust(match.start('remark') - 1)} {remark}"


def _restated(remark: str, old: str, value: Any) -> str:
    """The remark of a fraction of 1 with its numbers, which follow from the value in the file."""
    if not old.startswith("0."):
        return remark
    shown = dict(zip(_ways_to_say(float(old)), _ways_to_say(value), strict=True))
    shown[old] = value_text(value)
    numbers = "|".join(rf"(?<![\d.]){re.escape(words)}" for words in shown)
    return re.sub(numbers, lambda found: shown[found[0]], remark)


def _ways_to_say(share: float) -> tuple[str, ...]:
    return f"{points(share)} percentage points", f"{points(share)} %", confidence(share)


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
