"""A program to keep: publishes a plan with OpenDP alone, for those who run it elsewhere.

It refuses what `planner publish` refuses, and prints the same form of results.
"""

from pprint import pformat

from planner.answer.answers import Plan
from planner.explanation.question import title_of
from planner.explanation.running.practice import failure_of_call, opendp_call, why_no_call
from planner.mechanisms import kinds
from planner.model.questions import NO_ANSWER
from planner.model.recorded import NO, YES
from planner.publication.items import Item, items
from planner.wording import plain

_HEAD = '''\
"""Publishes {title}: {people} records, {spent}.

Run it once: python THIS_FILE RECORDS.csv > results.json (pip install opendp). It keeps no ledger,
and reads CSV in UTF-8 only.
"""

'''
_TAIL = '''
import bisect
import csv
import json
import re
import secrets
import sys

TITLE = {title!r}
PARTICIPANTS = {n}
EPSILON, DELTA = {epsilon!r}, {delta!r}
TRUE = {true}
FALSE = {false}
SEPARATOR, DECIMAL = {separator!r}, {decimal!r}
PERSON = {person!r}
QUESTIONS = {questions}


def value(question, text):
    """The value of an answer; what is not an answer ends the program, and nothing is published."""
    kind, text = question["kind"], (text or "").strip()
    if not text:
        if "missing" not in question:
            raise ValueError("the value is missing; ask again")
        return question["missing"]
    if kind != "mean" and "edges" not in question and text not in question.get("codes", ()):
        text = re.sub(r"^([+-]?[0-9]+)[.,]0{{1,2}}$", r"\\1", text)  # 1.0 is 1
    if "codes" in question:
        if text.casefold() in ("true", "false"):  # spreadsheets write TRUE
            known = [word for word in question["codes"] if word.casefold() == text.casefold()]
            text = known[0] if known else text
        if text not in question["codes"]:
            raise ValueError("not a known word")
        return question["codes"][text]
    if kind in ("share", "count"):
        if text not in TRUE + FALSE:
            raise ValueError(
                "not 0 or 1; give 1, true or yes where it holds, 0, false or no where not"
            )
        return {number}(text in TRUE)
    if kind == "mean" or "edges" in question:
        try:
            # no number has an underscore, and none has a point where decimals have commas
            plain = text.replace("_", "x")
            number = float(plain if DECIMAL == "." else plain.replace(".", "x").replace(",", "."))
        except ValueError:
            raise ValueError("not a number") from None
        if "edges" in question:
            edges = question["edges"]
            if kind == "quantile":
                if not edges[0] <= number <= edges[-1]:
                    raise ValueError(f"not a number from {{edges[0]}} to {{edges[-1]}}; correct it")
                return bisect.bisect_left(edges, number)
            if not edges[0] <= number < edges[-1]:
                raise ValueError(f"not a number from {{edges[0]}} below {{edges[-1]}}; correct it")
            return bisect.bisect_right(edges, number) - 1
        low, high = question["low"], question["high"]
        if not low <= number <= high:
            raise ValueError(f"not a number from {{low}} to {{high}}; correct it")
        return number
    if not text.isdecimal() or int(text) > question["last"]:
        raise ValueError(f"not the number of a group, 0 to {{question['last']}}")
    return int(text)


def records(path):
    """The answers of each person, by question."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, delimiter=SEPARATOR)
        columns = [question["column"] for question in QUESTIONS] + [PERSON] * bool(PERSON)
        for column in columns:
            if (reader.fieldnames or []).count(column) != 1:
                sys.exit(f"{{path}}: give one column named {{column}} in the header")
        rows, people = [], set()
        for row in reader:
            person = (row[PERSON] or "").strip() if PERSON else len(rows) + 1
            if not person or person in people:
                where = f"{{path}}, line {{reader.line_num}}, column {{PERSON}}"
                sys.exit(f"{{where}}: give each person a name of their own, and one record")
            people.add(person)
            answers = {{}}
            for question in QUESTIONS:
                try:
                    answers[question["name"]] = value(question, row[question["column"]])
                except ValueError as error:
                    where = f"{{path}}, line {{reader.line_num}}, column {{question['column']}}"
                    sys.exit(f"{{where}}: {{error}}")
            rows.append(answers)
    if len(rows) < PARTICIPANTS:
        sys.exit(
            f"{{path}} has {{len(rows)}} records and the plan is for {{PARTICIPANTS}}: its "
            "error is proved for that many; collect them, or plan again with what there is"
        )
    # of more records as many as planned are drawn at random
    return secrets.SystemRandom().sample(rows, PARTICIPANTS)


def published(question, released):
    """What the measurement released of a question, in the unit of its answer."""
    if question["kind"] == "quantile" and "edges" in question:
        return question["edges"][int(released)]
    if question["kind"] in ("count", "quantile"):
        return int(released)
    if question["kind"] == "histogram":
        return [float(count) / PARTICIPANTS for count in released]
    return {answer}


if len(sys.argv) != 2:
    sys.exit("give the file of records: python THIS_FILE RECORDS.csv")
try:
    data = records(sys.argv[1])
except UnicodeDecodeError:
    sys.exit(f"{{sys.argv[1]}}: not a text file in UTF-8; save it as CSV in UTF-8")
released = {released}
answers = [
    {{**question, "answer": published(question, one)}}
    for question, one in zip(QUESTIONS, released, strict=True)
]
results = {{"title": TITLE, "participants": PARTICIPANTS, "epsilon": EPSILON, "delta": DELTA}}
print(json.dumps({{**results, "answers": answers}}, indent=2))
'''
_OF_ONE = "[measurement([one[QUESTIONS[0]['name']] for one in data])]"
_OF_SUM = "float(released) / PARTICIPANTS"
_OF_RANGE = (
    'question["low"] + (question["high"] - question["low"]) * float(released) / PARTICIPANTS'
)


def script(plan: Plan, column: str | None = None) -> str:
    """The program, which prints each answer with its name, its error and its failure probability.

    Args:
        plan: the plan.
        column: the column of the records where one question is asked; None for the study's.

    Raises:
        ValueError: no OpenDP call runs the plan.
    """
    call = opendp_call(plan)
    if call is None:
        raise ValueError(why_no_call(plan))
    if plan.study.power is not None or plan.study.groups == 2:
        raise ValueError(
            "tests and comparisons of groups are published by planner publish; planner explain "
            "shows the OpenDP call"
        )
    if plan.card is not None:
        raise ValueError(
            "without a curator each person randomises their own answer: planner explain shows the "
            "call, and planner publish computes the estimate from the reports"
        )
    asked = items(plan, column)
    written = plan.study.records
    if any(item.contains or item.counts_as or item.answered_mean for item in asked) or (
        written.thousands, written.header_row, written.first_row, written.rows
    ) != (None, 1, None, None):  # fmt: skip
        raise ValueError(
            "this program reads one answer a cell and one row a person, with the header first, and "
            "no mean of those who answer; planner publish reads records like these"
        )
    several = plan.study.survey is not None
    mean = not several and kinds.adds(plan.study.mechanism) == "laplace"
    number = float if mean else int
    questions = [_question(plan, item, number) for item in asked]
    spent = f"epsilon {plan.epsilon!r}" + (f", delta {plan.delta!r}" if plan.delta else "")
    title = title_of(plan.study).replace("\\", "").replace('"', "'")
    head = _HEAD.format(title=title, people=plain(plan.participants), spent=spent)
    return (
        head
        + call
        + _TAIL.format(
            title=title,
            n=plan.participants,
            epsilon=plan.epsilon,
            delta=plan.delta,
            true=YES,
            false=NO,
            separator=written.separator or (";" if written.decimal == "," else ","),
            decimal=written.decimal or ".",
            person=written.person,
            questions=pformat(questions, width=96, sort_dicts=False),
            number=number.__name__,
            released="measurement(data)" if several else _OF_ONE,
            answer="float(released)" if mean else _OF_RANGE if several else _OF_SUM,
        )
    )


def _question(plan: Plan, item: Item, number: type) -> dict[str, object]:
    range_ = ("low", "high")
    own = {"share": range_, "mean": range_, "histogram": ("groups",), "quantile": ("groups",)}
    read: dict[str, object] = {"column": item.column}
    if item.words:
        read["codes"] = {word: _held(item, code, number) for word, code in item.codes.items()}
    if item.numbered:
        read["last"] = item.numbers_given - 1
    if item.edges:
        read["edges"] = list(item.edges)
    if item.if_missing is not None:
        read["missing"] = _held(item, item.if_missing, number)
    failure = item.failure if plan.study.survey is not None else failure_of_call(plan)
    return {
        "name": item.name,
        "kind": item.kind,
        **read,
        **{name: getattr(item, name) for name in own.get(item.kind, ())},
        "error": item.error,
        "failure": failure,
    }


def _held(item: Item, code: float, number: type) -> object:
    """What the call's records hold for a code: the label of a group that has one, or a number."""
    if item.kind == "histogram" and item.words:
        return (*item.group_names, NO_ANSWER)[int(code)]
    return code if item.kind == "mean" else number(code)
