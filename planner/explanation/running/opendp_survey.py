"""The OpenDP program that answers every question of a survey in one measurement.

OpenDP adds the noise and states the privacy map; that one record moves an answer by at most its
sensitivity is the planner's own argument, from N records that are each within their range. Values
are added up by `math.fsum`, which rounds once.
"""

import sys
from decimal import ROUND_CEILING, Context, Decimal

from planner.answer.answers import Plan
from planner.answer.question_plan import QuestionPlan
from planner.model.by_group import ShareByGroup
from planner.model.questions import Histogram, Mean, Quantile, Question

_HEAD = """\
import math

import opendp.prelude as dp

dp.enable_features("contrib", "honest-but-curious")
{records}
replaced = dp.user_distance("records replaced")
number = dp.atom_domain(T="{type}"{nan})
numbers = dp.vector_domain(number)
absolute = dp.absolute_distance(T="{type}")


def answer(function, domain, metric, sensitivity):
    return dp.t.make_user_transformation(
        records, replaced, domain, metric, function, lambda d: d * sensitivity
    )


questions = [
"""
_TAIL = """\
]
measurement = dp.c.make_composition(questions)
# one person's record replaced by another is a distance of 1
{promise}
# measurement(data) publishes sums over the {n:_} records: divide by {n:_}.
# Means of numbers are parts of their range; a quantile is the place of the chosen candidate
"""
_RECORDS = """\
# {n} records, each a dict with an answer to every question
records = dp.user_domain("records", lambda x: isinstance(x, list) and len(x) == {n})"""


def survey_call(plan: Plan) -> str | None:
    """The program; None where a question has no OpenDP call."""
    survey, n = plan.study.survey, plan.participants
    if survey is None:
        return None
    if any(isinstance(question, ShareByGroup) for question in survey.questions):
        return None  # shares are quotients of counts, with intervals that the planner computes
    if len({question.noise == "gaussian" for question in plan.questions}) > 1:
        return None  # OpenDP composes privacy of one measure
    calls = [
        _call(own, question, share, n)
        for own, question, share in zip(
            survey.questions, survey.published, plan.questions, strict=True
        )
    ]
    kind = _type(plan.questions[0])
    nan = ", nan=False" if kind == "f64" else ""
    head = _HEAD.format(records=_RECORDS.format(n=n), type=kind, nan=nan)
    tail = _TAIL.format(promise=_promise(plan), n=n)
    return head + "".join(calls) + tail


def _type(share: QuestionPlan) -> str:
    return "i64" if share.noise == "geometric" else "f64"


def _call(own: Question, question: Question, share: QuestionPlan, n: int) -> str:
    """The call of a question as it is asked, which publishes the answers to another one."""
    name = repr(own.name) if own.times == 1 else f"{own.name + ' '!r} + str(k)"
    line = _LINE if own.times == 1 else _REPEATED
    often = own.times + 1
    if isinstance(question, Quantile):
        assert share.epsilon is not None  # a candidate is drawn with an ε of its own
        scale = rounded_up(2 / Decimal(repr(share.epsilon)))
        function = _UTILITY.format(name=name, m=question.candidate_count, rank=n * question.at)
        noise = f"dp.m.then_noisy_max(dp.max_divergence(), scale={scale})"
        distance = 'dp.linf_distance(T="f64")'
        return line.format(function, "numbers", distance, "1.0", noise, often)
    assert share.scale is not None  # all others add noise
    gaussian, kind = share.noise == "gaussian", _type(share)
    cast, one = ("int", "1") if kind == "i64" else ("float", "1.0")
    scale = rounded_up(Decimal(repr(share.scale)) * n / Decimal(repr(question.unit)))
    noise = f"dp.m.then_{'gaussian' if gaussian else 'laplace'}(scale={scale})"
    distance = f'dp.l{2 if gaussian else 1}_distance(T="{kind}")'
    moved = "math.sqrt(2)" if gaussian else f"2 * {one}"
    if isinstance(own, Mean) and own.answer_rate is not None:
        given = "for r in x if r[name] is not None"
        ends = (f"r[name] - {own.low!r}", f"{own.high!r} - r[name]")
        sums = (f"math.fsum(({end}) / {own.unit!r} {given})" for end in ends)
        function = f"lambda x, name={name}: [{', '.join(sums)}]"
        return line.format(function, "numbers", distance, moved, noise, often)
    if isinstance(question, Histogram):
        count = f"{cast}(sum(r[name] == g for r in x))"
        named = list(question.group_names) if question.labels else f"range({question.numbers})"
        function = f"lambda x, name={name}: [{count} for g in {named}]"
        return line.format(function, "numbers", distance, moved, noise, often)
    if isinstance(question, Mean):
        part = f"(r[name] - {question.low!r}) / {question.high - question.low!r}"
        function = f"lambda x, name={name}: math.fsum({part} for r in x)"
    else:
        function = f"lambda x, name={name}: {cast}(sum(bool(r[name]) for r in x))"
    return line.format(function, "number", "absolute", one, noise, often)


_LINE = """\
    answer(
        {},
        {}, {}, {},
    ) >> {},
"""
_REPEATED = """\
    *(
        answer(
            {},
            {}, {}, {},
        ) >> {}
        for k in range(1, {})
    ),
"""
_UTILITY = """\
lambda x, name={name}: [
            -float(max(0, sum(r[name] < g for r in x) - {rank}, {rank} - sum(r[name] <= g for r in x)))
            for g in range({m})
        ]"""  # noqa: E501


def _promise(plan: Plan) -> str:
    """The map of the whole survey beside the plan's ε and δ."""
    asked = plan.questions
    if asked[0].noise == "gaussian":
        rho = sum(q.times * (q.sensitivity / (q.scale or 1.0)) ** 2 for q in asked) / 2
        return (
            f"assert measurement.map(1) <= {rho!r} * (1 + 1e-9)  # of zero-concentrated privacy\n"
            f"# with Gaussian noise this is epsilon = {plan.epsilon!r} at delta = {plan.delta!r},\n"
            "# by the exact condition"
        )
    return f"assert measurement.map(1) <= {plan.epsilon!r} * (1 + 1e-12)  # OpenDP rounds sums up"


def rounded_up(x: Decimal) -> str:
    """A decimal rounded up, with as many digits as every float keeps."""
    return str(Context(prec=sys.float_info.dig, rounding=ROUND_CEILING).create_decimal(x))
