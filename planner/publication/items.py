"""What a plan publishes: one item for each answer, with the column it is computed from."""

import math
import sys
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Literal

from planner.answer.answers import Plan
from planner.answer.question_plan import QuestionPlan
from planner.model.questions import ByMechanism, Histogram, Mean, Quantile, Question
from planner.numbers import decimal
from planner.wording import quoted

STEPS = 2**20
"""Numbers in a range are rounded to so many steps of it, and then added up exactly: half a step is
added to the error, and sums of 2^33 records are exact as doubles."""
Kind = Literal["share", "count", "histogram", "mean", "quantile"]


@dataclass(frozen=True)
class Item:
    """One answer that is published, of one or several numbers.

    Attributes:
        name: of the answer, and of the column of records.
        kind: what is published.
        error: T, in the unit of the answer, with the rounding of the records.
        failure: α of this answer alone.
        noise: "laplace", "geometric", "gaussian", "exponential"; of reports: "answer", "group".
        scale: of the noise on sums of whole numbers; of a quantile, of the noise on its utilities;
            None where people have randomised their answers.
        groups: how many groups or candidates there are.
        low, high: the range of numbers; of a share of reports, what its ends stand for.
        at: the rank of a quantile.
        participants: how many records answer it.
        truth, other: of reports, the probabilities of the true answer and of each other one.
    """

    name: str
    kind: Kind
    error: float
    failure: float
    noise: str
    scale: float | None
    participants: int
    groups: int = 1
    low: float = 0.0
    high: float = 1.0
    at: float = 0.5
    truth: Fraction | None = None
    other: Fraction | None = None

    @property
    def numbers(self) -> int:
        """How many numbers it publishes."""
        return self.groups if self.kind == "histogram" else 1

    @property
    def sensitivity(self) -> float:
        """By how much one record replaced moves the sums, in the norm of its noise."""
        if self.kind == "histogram":
            return 2**0.5 if self.noise == "gaussian" else 2.0
        return float(STEPS) if self.kind == "mean" else 1.0


def items(plan: Plan, column: str = "answer") -> list[Item]:
    """The answers that a plan publishes.

    Args:
        plan: the plan.
        column: the column of the records where one question is asked.

    Raises:
        ValueError: the mechanism, or that of a question, cannot be run on records.
    """
    if plan.study.survey is None:
        return [_single(plan, column)]
    found = []
    for question, share in zip(plan.study.survey.questions, plan.questions, strict=True):
        if isinstance(question, ByMechanism):
            raise ValueError(
                f"the question {quoted(question.name)} is answered by {question.mechanism.words}, "
                "which publish does not run; publish shares, histograms, means and quantiles"
            )
        names = [question.name]
        if question.times > 1:
            names = [f"{question.name} {k}" for k in range(1, question.times + 1)]
        found += [_of_question(name, question, share, plan.participants) for name in names]
    return found


def _single(plan: Plan, column: str) -> Item:
    """The answer to one question."""
    study, n = plan.study, plan.participants
    low, high = study.target.values or (0.0, 1.0)
    kind: Kind = "share" if study.target.values is None else "mean"
    if plan.card is not None:
        error = _up(decimal(study.accuracy.error) * (decimal(high) - decimal(low)))
        return Item(
            column, "share", error, study.accuracy.failure, "answer", None, n,
            low=low, high=high, truth=plan.card.truth, other=plan.card.opposite,
        )  # fmt: skip
    if plan.scale is None or study.expected_loss is not None:
        reader = " for a reader with a loss" if study.expected_loss is not None else ""
        raise ValueError(
            f"publish does not run {study.mechanism.words}{reader}; plan a share, a mean, a "
            "histogram or a survey of them with added noise"
        )
    target = study.accuracy
    if study.mechanism.counts:
        error = float(decimal(target.error) * n)
        return Item(column, "count", error, target.failure, plan.noise, _up(plan.scale), n)
    each = decimal(plan.scale) * n / (decimal(high) - decimal(low))
    error = target.error if kind == "share" else _rounded_error(target.error, low, high)
    scale = _up(each * (STEPS if kind == "mean" else 1))
    return Item(column, kind, error, target.failure, plan.noise, scale, n, low=low, high=high)


def _of_question(name: str, question: Question, share: QuestionPlan, n: int) -> Item:
    """One answer of a survey."""
    if share.truth is not None:
        return _reported(name, question, share, n)
    if isinstance(question, Quantile):
        assert share.epsilon is not None  # a candidate is drawn with an ε of its own
        scale = _up(2 / decimal(share.epsilon))
        return Item(
            name, "quantile", question.error, share.failure, share.noise, scale, n,
            groups=question.candidates, at=question.at,
        )  # fmt: skip
    assert share.scale is not None  # all others add noise
    each = decimal(share.scale) * n
    if isinstance(question, Histogram):
        return Item(
            name, "histogram", question.error, share.failure, share.noise, _up(each), n,
            groups=question.groups,
        )  # fmt: skip
    if isinstance(question, Mean):
        low, high = question.low, question.high
        scale = _up(each * STEPS / (decimal(high) - decimal(low)))
        error = _rounded_error(question.fraction, low, high)
        return Item(name, "mean", error, share.failure, share.noise, scale, n, low=low, high=high)
    return Item(name, "share", question.error, share.failure, share.noise, _up(each), n)


def _reported(name: str, question: Question, share: QuestionPlan, n: int) -> Item:
    """One answer of a survey without a curator."""
    assert share.truth is not None
    assert share.other is not None
    if share.noise == "groups":
        raise ValueError(
            f"publish reads one report of each person, and {quoted(name)} has one for each group; "
            "publish shares, means, and histograms of few groups"
        )
    kind: Kind = "histogram" if isinstance(question, Histogram) else "share"
    low, high = (question.low, question.high) if isinstance(question, Mean) else (0.0, 1.0)
    return Item(
        name, kind, question.error, share.failure, share.noise, None, share.participants or n,
        groups=question.numbers, low=low, high=high,
        truth=decimal(share.truth), other=decimal(share.other),
    )  # fmt: skip


def _rounded_error(share: float, low: float, high: float) -> float:
    """An error in the unit of numbers, with half a step for the rounding of each record."""
    width = decimal(high) - decimal(low)
    half = Fraction(1, 2 * STEPS) * (1 + Fraction(1, 10**6))  # and of floats
    return _up((decimal(share) + half) * width)


def _up(x: Fraction | float) -> float:
    """A float that is not below x: nearly a decimal of few digits."""
    exact = decimal(x) if isinstance(x, float) else x
    context = Context(prec=sys.float_info.dig, rounding=ROUND_CEILING)
    short = float(context.divide(Decimal(exact.numerator), Decimal(exact.denominator)))
    return short if Fraction(short) >= exact else math.nextafter(short, math.inf)
