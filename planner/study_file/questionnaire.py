"""What `planner init` asks for, and the commented study file that the replies give.

A key is asked for by one row: its words, the value that Enter keeps, and the remark that stands
beside it in the file.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from planner.numbers import decimal, round_up
from planner.study_file.writer import value_text

NONE = "none"
"""A reply, and a value to begin with, that leaves a key out."""
_FIRST = "# A study for planner solve. Lines that begin with # are remarks."
_LAST = (
    "",
    "# [records]                  # for the report and the consent sheet",
    '# holder = "the health department"   # who keeps the answers',
)
_OF_GROUPS = (
    '# stratum = "arm"            # the column that says who is in which group, by the words:',
    '# first = ["control"]        # for the first group,',
    '# second = ["treated"]       # and for the second',
)
_WORDING = '# wording = "Do you smoke?"  # the question, as people read it'
_GAP = 29
"""Where remarks begin."""


class Ask(NamedTuple):
    """One key that is asked for.

    Attributes:
        key: of the study file, with its section; of a question without one.
        question: what is asked.
        default: the value that Enter keeps; `NONE` leaves the key out.
        remark: what the file says of it.
        help: what it is, and how to choose it.
    """

    key: str
    question: str
    default: Any
    remark: str
    help: str


class Kind(NamedTuple):
    """What a study, or a question, can be about.

    Attributes:
        name: of the template, or in the file.
        words: as the menu has it.
        asks: what else is asked for.
        given: other keys of the section [target], or of the question.
    """

    name: str
    words: str
    asks: tuple[Ask, ...] = ()
    given: Mapping[str, Any] = {}


_CONFIDENCE = Ask(
    "target.confidence", "Confidence", 0.95, "how often the error holds, of many such studies",
    "0.95, or 95 %, is usual: in at most 5 of 100 such studies the answer is off by more.",
)  # fmt: skip
_ERROR = Ask(
    "target.error", "Margin of error of what is published", 0.05, "0.05 is 5 percentage points",
    "0.05, or 5 %, means: off by less than 5 percentage points. Half of it needs about four times "
    "the people.",
)  # fmt: skip
_OF_A_TEST = (
    Ask(
        "target.power", "Power, the probability that the test notices this", 0.8,
        "the probability to notice this",
        "0.8 is usual: in at least 80 of 100 such studies the test finds what is there.",
    ),
    Ask(
        "target.significance", "Significance, the probability to reject what is true", 0.05,
        "the probability to find what is not there",
        "0.05 is usual: in at most 5 of 100 such studies the test finds what is not there.",
    ),
    Ask(
        "target.sides", "Sides of the test, 1 or 2", 1, "2: a test on each side",
        "1 looks in the direction of what the test is to notice; 2 in both, with half the "
        "significance each.",
    ),
)  # fmt: skip
_LOW = Ask("low", "Lowest number possible", 0, "the lowest number", "No record may be lower.")
_HIGH = Ask("high", "Highest number possible", 60, "the highest", "No record may be higher.")
_OF_A_MEAN = Ask(
    "error", "Margin of error of the mean", 2.0, "in the unit of the numbers",
    "In the unit of the numbers. Half of it needs about four times the people.",
)  # fmt: skip
STUDIES = (
    Kind("study", "how large a proportion is", (_ERROR, _CONFIDENCE)),
    Kind(
        "mean", "the mean of numbers",
        (
            *(one._replace(key=f"target.{one.key}") for one in (_LOW, _HIGH, _OF_A_MEAN)),
            _CONFIDENCE,
        ),
    ),
    Kind("survey", "several questions to the same people", (_CONFIDENCE,)),
    Kind(
        "compare", "by how much two groups differ", (_ERROR._replace(default=0.1), _CONFIDENCE),
        {"kind": "difference"},
    ),
    Kind(
        "compare-test", "whether two groups differ",
        (
            Ask(
                "target.baseline", "Proportion that you expect in the first group", 0.3,
                "the proportion in the first group",
                "What you expect of those who have the usual treatment, offer or page.",
            ),
            Ask(
                "target.change", "Smallest difference worth detecting, second group less first",
                0.1, "what the test is to notice; negative: smaller",
                "The smallest difference that matters to you. Half of it needs about four times "
                "the people.",
            ),
            *_OF_A_TEST,
            Ask(
                "target.ratio", "People of the second group for each of the first", 1,
                "people of the second group for each of the first",
                "1 is as many of both; 2 is twice as many of the second.",
            ),
        ),
        {"kind": "difference"},
    ),
    Kind(
        "test", "whether a proportion is not a given value",
        (
            Ask(
                "target.null", "Null value, the proportion that the test is against", 0.3,
                "what is so if nothing has changed",
                "What is so if nothing has changed, such as the proportion of last year.",
            ),
            Ask(
                "target.alternative", "Alternative, the nearest proportion worth detecting", 0.35,
                "what the test is to notice",
                "The nearest proportion to the null value that matters to you, larger or smaller. "
                "Half the distance needs about four times the people.",
            ),
            *_OF_A_TEST,
        ),
        {"kind": "power"},
    ),
    Kind(
        "no-curator", "a proportion, where nobody holds the true answers", (_ERROR, _CONFIDENCE),
        {"curator": False},
    ),
)  # fmt: skip
"""The menu; names with a file in `templates` are those of its options."""
TITLE = Ask(
    "title", "Title of the study", "My study", "", "It stands over answers, pictures and reports."
)
PAID = Ask(
    "paid", "Does the study have a budget, or pay people for their risk? yes or no", "no", "",
    "With no money the study is planned for the fewest people at a privacy loss that you name.",
)  # fmt: skip
WHO = (
    Ask(
        "sampling.population", "How many people the answer is about (none: very many)", NONE,
        "how many people the answer is about",
        "The whole town or firm of which people are drawn by lot. Of a small one fewer are needed.",
    ),
    Ask(
        "sampling.response_rate", "Proportion of those invited who take part (none: all)", NONE,
        "the proportion of those invited who take part",
        "0.6, or 60 %, means that 6 of 10 come: the plan says how many to invite.",
    ),
    Ask(
        "conditions.max_participants", "Most people who can take part (none: any)", NONE,
        "most people who can take part", "Of those invited, the ones who come.",
    ),
)  # fmt: skip
UNPAID = (
    Ask(
        "conditions.epsilon_at_most", "Largest privacy loss ε of a person", 1.0,
        "the largest privacy loss of a person",
        "With ε = 1 what happens to a person becomes at most 2.7 times as likely. Of published "
        "studies most have 0.1 to 10.",
    ),
)  # fmt: skip
MONEY = (
    Ask(
        "currency", "Currency of all money", "EUR", "",
        "Three letters such as EUR, or a sign. Nothing is converted.",
    ),
    Ask(
        "individual.base_cost",
        "Expected loss of a person without your study (loss × probability)", 12.5,
        "expected loss of a person without the study: loss × probability",
        "The cost of what people fear times its probability without your study: a premium that "
        "rises by 1,274 a year for 1 in 100 people is 12.74. planner scenarios lists worked "
        "examples. A file that planner costs wrote from a pilot, such as costs.toml, does too.",
    ),
    Ask(
        "individual.worst_cost", "What a person loses whose record is published with their name",
        1274.0, "cost of a record published with its name",
        "The whole cost of what they fear, such as a premium that rises by 1,274 a year.",
    ),
    Ask(
        "conditions.budget", "Budget for payments, recruiting and running the study", 30_000.0,
        "for payments, recruiting and running the study",
        "All the money of the study. planner limit study.toml budget computes the least that is "
        "enough.",
    ),
    Ask(
        "costs.per_person", "Cost of finding and asking one person", 5.0,
        "for finding and asking each person",
        "Letters, interviews and time, besides the payment for the risk.",
    ),
    Ask(
        "costs.overhead", "Cost of the study as a whole", 2000.0, "for the study as a whole",
        "Staff, rooms and software: what is spent once.",
    ),
)  # fmt: skip
PER_INVITATION = Ask(
    "costs.per_invitation", "Cost of inviting one person, even without a reply", 5.0,
    "for each person invited, even without a reply",
    "Letters and time for everybody who is invited, besides the payment for the risk.",
)  # fmt: skip
"""In place of the cost of finding a person, where not all of those invited take part."""
COIN = {"costs.smallest_coin": (0.01, "payments are rounded up to whole cents")}
_COLUMN = Ask(
    "column", "Column of the records (none: named like the question)", NONE, "of the records",
    "The header of the column that holds the answers.",
)  # fmt: skip
_YES = Ask(
    "yes", "Words for yes, with commas between (none: 1, true, yes)", NONE, "the words for yes",
    "As the records have them, such as ja, oui. Then give those for no too.",
)  # fmt: skip
_NO = Ask("no", "Words for no, with commas between (none: 0, false, no)", NONE, "and for no", "")
_RATE = Ask(
    "answer_rate", "Least proportion of the people who are expected to answer", 0.8,
    "so many answer at least", "The planned error holds where at least so many answer.",
)  # fmt: skip
_MISSING = "What an empty cell means: refuse, {0}or own ({1})"
_REFUSED = (
    "Somebody may not answer a question, and their cell is empty. refuse: such a file is not "
    "published until each cell is filled in."
)
_SHARE_ERROR = Ask(
    "error", "Margin of error of the proportion", 0.03, "0.03 is 3 percentage points",
    "0.03, or 3 %, means 3 percentage points.",
)  # fmt: skip


def _missing(other: str, own: str, words: str) -> Ask:
    return Ask("missing", _MISSING.format(other, own), "refuse", "what an empty cell means", words)


QUESTIONS = (
    Kind(
        "share", "yes or no: the proportion of yes",
        (
            _SHARE_ERROR, _COLUMN, _YES, _NO,
            _missing("no, ", "the proportion is of those who answer", _REFUSED),
        ),
    ),
    Kind(
        "histogram", "one of several groups: the proportion of each",
        (
            Ask(
                "groups", "Number of groups, or their labels with commas between", 8,
                "how many, numbered from 0",
                "Labels are as the records have them, such as 18-24, 25-34.",
            ),
            _SHARE_ERROR, _COLUMN,
            _missing("", "a group of people without an answer", _REFUSED),
        ),
    ),
    Kind(
        "mean", "a number in a range: the mean",
        (
            _LOW, _HIGH, _OF_A_MEAN, _COLUMN,
            _missing("a number, ", "the mean is of those who answer", _REFUSED),
        ),
    ),
    Kind(
        "share-by-group", "yes or no, for each group that people report",
        (
            Ask("by", "Column of the records that holds the group", "age group", "the group", ""),
            Ask(
                "labels", "Names of the groups, with commas between", "18-39, 40-64, 65 or more",
                "as the records have them", "Such as 18-39, 40-64, 65 or more.",
            ),
            Ask(
                "share_at_least", "Least proportion of all people of a group whose error holds",
                0.2, "of all people; smaller groups have wider intervals",
                "0.2 means a fifth of them. Half of it needs about twice the people.",
            ),
            _SHARE_ERROR._replace(default=0.1), _COLUMN,
        ),
    ),
)  # fmt: skip
RATE = _RATE
LISTS = ("labels", "yes", "no")
"""Keys whose values are words with commas between."""
_STEP, _CHANGE, _WIDTH, _PART, _HARM = 0.05, 0.1, 60, 30, 100
"""How far suggested values are from a reply, or how many times it."""


def suggested(values: Mapping[str, Any], key: str, reply: Any) -> dict[str, float]:
    """The values that a reply suggests for what is asked for next, where these depend on it.

    Args:
        values: those so far.
        key: what was asked for.
        reply: its value.
    """
    if isinstance(reply, bool) or not isinstance(reply, int | float):
        return {}
    section, dot, name = key.rpartition(".")
    of = f"{section}{dot}"
    match name:
        case "null":
            up = reply <= 1 - _STEP
            return {f"{of}alternative": float(decimal(reply) + decimal(_STEP if up else -_STEP))}
        case "baseline":
            return {f"{of}change": _CHANGE if reply <= 1 - _CHANGE else -_CHANGE}
        case "low":
            return {f"{of}high": reply + _WIDTH, f"{of}error": round_up(_WIDTH / _PART, 2)}
        case "high":
            return {f"{of}error": round_up(abs(reply - values[f"{of}low"]) / _PART, 2)}
        case "base_cost":
            return {f"{of}worst_cost": _HARM * reply}
    return {}


def file_of(
    values: Mapping[str, Any], questions: list[dict[str, Any]], remarks: Mapping[str, str]
) -> str:
    """The text of a study file.

    Args:
        values: by their keys, with sections.
        questions: the tables of a survey; empty else.
        remarks: what the file says of keys; of those of questions with their kind.
    """
    lines = [_FIRST, *(_line(key, x, remarks) for key, x in values.items() if "." not in key)]
    sections = dict.fromkeys(key.partition(".")[0] for key in values if "." in key)
    for section in sections:
        lines += ["", f"[{section}]"]
        inside = (key for key in values if key.startswith(f"{section}."))
        lines += [_line(key, values[key], remarks) for key in inside]
        if section == "target":
            for table in questions:
                lines += ["", "[[question]]"]
                of = {key: remarks.get(f"{table['kind']}.{key}", "") for key in table}
                lines += [_line(key, value, of) for key, value in table.items()]
    end = [*_LAST, *([] if questions else [_WORDING])]
    if values.get("target.kind") == "difference":
        end += _OF_GROUPS
    return "\n".join([*lines, *end, ""])


def _line(key: str, value: Any, remarks: Mapping[str, str]) -> str:
    text = f"{key.rpartition('.')[2]} = {value_text(value)}"
    return f"{text.ljust(_GAP - 1)} # {remarks[key]}" if remarks.get(key) else text
