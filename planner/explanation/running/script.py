"""A program to keep: publishes a plan with OpenDP alone, for those who run it elsewhere."""

from planner.answer.answers import Plan
from planner.explanation.question import title_of
from planner.explanation.running.practice import opendp_call, why_no_call
from planner.model.questions import Histogram, Mean, Quantile
from planner.wording import plain

_HEAD = '''\
"""Publishes {title}: {people} records, {spent}.

Run it once: python THIS_FILE RECORDS.csv > results.json (pip install opendp). It keeps no ledger.
"""

'''
_TAIL = """
import csv
import json
import sys

TRUE = ("1", "true", "yes")


def number(text, low, high):
    value = float(text)
    if not low <= value <= high:
        raise SystemExit(f"a value is outside {low} to {high}")
    return value


def group(text, groups):
    value = int(text)
    if not 0 <= value < groups:
        raise SystemExit(f"a value is not a group from 0 to {groups - 1}")
    return value


with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    rows = list(csv.DictReader(file))
"""
_REST = """\
if len(data) != {n}:
    raise SystemExit("the plan is for {people} records; give a file with that many")
print(json.dumps(measurement(data)))
"""


def script(plan: Plan, column: str = "answer") -> str:
    """The program, which prints what the measurement publishes.

    Args:
        plan: the plan.
        column: the column of the records where one question is asked.

    Raises:
        ValueError: no OpenDP call runs the plan.
    """
    call = opendp_call(plan)
    if call is None:
        raise ValueError(why_no_call(plan))
    if plan.card is not None:
        raise ValueError(
            "without a curator each person randomises their own answer: planner explain shows the "
            "call, and planner publish computes the estimate from the reports"
        )
    spent = f"epsilon {plan.epsilon!r}" + (f", delta {plan.delta!r}" if plan.delta else "")
    title = title_of(plan.study).replace("\\", "").replace('"', "'")
    people = plain(plan.participants)
    head = _HEAD.format(title=title, people=people, spent=spent)
    return (
        head + call + _TAIL + _data(plan, column) + _REST.format(n=plan.participants, people=people)
    )


def _data(plan: Plan, column: str) -> str:
    """The records as the measurement takes them."""
    survey = plan.study.survey
    if survey is None:
        low, high = plan.study.target.values or (0.0, 1.0)
        if plan.study.target.values is None:
            kind = "float" if plan.study.mechanism.adds == "laplace" else "int"
            return f"data = [{kind}(row[{column!r}].lower() in TRUE) for row in rows]\n"
        return f"data = [number(row[{column!r}], {low!r}, {high!r}) for row in rows]\n"
    lines = ["data = [", "    {"]
    for question in survey.questions:
        names = [question.name]
        if question.times > 1:
            names = [f"{question.name} {k}" for k in range(1, question.times + 1)]
        for name in names:
            if isinstance(question, Mean):
                value = f"number(row[{name!r}], {question.low!r}, {question.high!r})"
            elif isinstance(question, Histogram):
                value = f"group(row[{name!r}], {question.groups})"
            elif isinstance(question, Quantile):
                value = f"group(row[{name!r}], {question.candidates})"
            else:
                value = f"row[{name!r}].lower() in TRUE"
            lines.append(f"        {name!r}: {value},")
    return "\n".join([*lines, "    }", "    for row in rows", "]"]) + "\n"
