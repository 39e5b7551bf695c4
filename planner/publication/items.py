"""What a plan publishes: one item for each answer, with the column it is computed from."""

import math
import sys
from bisect import bisect_left
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Literal

from planner.answer.answers import Plan
from planner.answer.question_plan import QuestionPlan
from planner.mechanisms import kinds
from planner.model import Records
from planner.model.by_group import ShareByGroup
from planner.model.difference import DifferenceWithin
from planner.model.questions import Histogram, Mean, Quantile, Question, Share
from planner.model.recorded import NO, YES, refuse_common
from planner.numbers import decimal
from planner.publication.estimated import error_beside_test
from planner.wording import persons, plain

_SUM_BITS = 50
"""Of the sum of as many numbers as planned; doubles hold those of three more bits exactly."""
Kind = Literal["share", "count", "difference", "histogram", "mean", "quantile"]
_USUAL: dict[tuple[str, ...], str] = {YES: "1, true, yes", NO: "0, false, no"}
"""The usual words, in any spelling."""
_NO_ANSWER = ", or in empty of [records] if it is no answer, such as N/A"
_MOST_WORDS = 10_000
"""Numbers of groups that are looked up as words; those of more are read as numbers."""


@dataclass(frozen=True)
class Item:
    """One answer that is published, of one or several numbers.

    Attributes:
        name: of the answer, and of the column of records.
        kind: what is published.
        error: T, in the unit of the answer, with the rounding of the records.
        failure: α of this answer alone.
        noise: "laplace", "geometric", "gaussian", "exponential"; of reports: "answer".
        scale: of the noise on sums of whole numbers; of a quantile, of the noise on its utilities;
            None where people have randomised their answers.
        groups: how many groups or candidates there are.
        low, high: the range of numbers; of a proportion of reports, what its ends stand for. Of
            differences between two groups, from −1, or the other end of their range, on.
        at: the rank of a quantile.
        participants: how many records answer it.
        truth, other: of reports, the probabilities of the true answer and of each other one.
        column: of the records.
        words: of a proportion those of no and of yes, of a histogram those of each group; empty
            where groups have numbers, and for the usual words of a proportion.
        edges: of a histogram of numbers, the ends of its groups [edge, next edge); of a quantile of
            numbers the values that may be published, each for those above the one before.
        group_names: of a histogram, its groups in words; empty where they have numbers alone.
        contains: of a proportion, the answer that means yes where a cell holds several; else empty.
        counts_as: of a mean, what each answer counts as; empty where answers are numbers.
        if_missing: the code or number of an empty cell; None where it is refused.
        steps: of a mean, how many steps its range has: numbers are rounded to them, and added up
            exactly.
        answer_rate: of a proportion or a mean of those who answer, the planned part of these: its
            two numbers are yes and no of all people, or how far values are over `low` and under
            `high` as parts of the range, and an empty cell is in neither; else None.
        question: of a survey, as it is published; None where one question is asked.
        by: of proportions in groups that people report, the column that holds the group: the
            counts are of yes and of no in each; else None.
        values: of a difference of two means and of a mean of those who answer, the range of the
            records; else None.
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
    column: str = ""
    words: tuple[tuple[str, ...], ...] = ()
    edges: tuple[float, ...] = ()
    group_names: tuple[str, ...] = ()
    contains: str = ""
    counts_as: tuple[tuple[str, float], ...] = ()
    if_missing: float | None = None
    steps: int = 1
    answer_rate: float | None = None
    question: Question | None = None
    stratum: str = ""
    by: "Item | None" = None
    values: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        """The column has the answer's name unless it is another."""
        object.__setattr__(self, "column", self.column or self.name)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the records that it is computed from."""
        return (self.column,) if self.by is None else (self.column, self.by.column)

    @property
    def compared(self) -> bool:
        """Whether it is a difference between two groups."""
        return self.kind == "difference"

    @property
    def numbered(self) -> bool:
        """Whether its groups or candidates have numbers, counted from 0."""
        return self.kind in ("histogram", "quantile") and not self.words and not self.edges

    @property
    def numbers_given(self) -> int:
        """How many groups records can name; one more may be of those without an answer."""
        own = self.kind == "histogram" and self.if_missing is not None
        return self.groups - own

    @cached_property
    def codes(self) -> dict[str, int]:
        """What each word of the records means: 1 for yes, or the number of a group."""
        words = self.words
        if self.kind in ("share", "count", "difference") and not self.values:
            words = words or (NO, YES)
        if self.numbered and self.groups <= _MOST_WORDS:
            words = tuple((str(code),) for code in range(self.numbers_given))
        return {word: code for code, several in enumerate(words) for word in several}

    @property
    def told(self) -> str:
        if self.counts_as:
            return " | ".join(f"{word} = {plain(x)}" for word, x in self.counts_as) + self._empty
        if self.contains:
            return f"yes: the cell holds {self.contains}, alone or among other answers{self._empty}"
        if self.kind == "mean" or self.edges or self.values:
            return f"numbers {self._range}{self._empty}"
        if self.numbered:
            return f"numbers from 0 to {plain(self.numbers_given - 1)}{self._empty}"
        if self.by is not None:
            yes, no = (_USUAL.get(words, ", ".join(words)) for words in self.words)
            return f"yes: {yes}; no: {no}; by column {self.by.column}: {self.by.told}"
        if self.kind == "histogram" and self.answer_rate is None:
            return " | ".join(word for (word,) in self.words) + self._empty
        if self.answer_rate is not None:
            yes, no = (_USUAL.get(words, ", ".join(words)) for words in self.words)
            return f"yes: {yes}; no: {no}; empty: no answer"
        no, yes = (_USUAL.get(words, ", ".join(words)) for words in self.words or (NO, YES))
        empty = ", empty" if self.if_missing == 0 else ""
        return f"yes: {yes}; no: {no}{empty}"

    @property
    def _empty(self) -> str:
        if self.if_missing is None:
            return ""
        if self.kind == "histogram" or self.answer_rate is not None:
            return "; empty: no answer"
        value = self.edges[int(self.if_missing)] if self.edges else self.if_missing
        return f"; empty counts as {plain(value)}"

    @property
    def _range(self) -> str:
        if self.edges and self.kind == "histogram":
            return f"of at least {plain(self.edges[0])} and below {plain(self.edges[-1])}"
        low, high = self.edges[:: len(self.edges) - 1] or self.values or (self.low, self.high)
        return f"from {plain(low)} to {plain(high)}"

    @property
    def out_of_range(self) -> str:
        """What is wrong with a number out of range, and what to do."""
        return (
            f"not a number {self._range}; correct it, or plan again with another low or high; "
            "--clamp moves it to the nearer end"
        )

    @property
    def far_out(self) -> str:
        """What is wrong with a number that is farther out of range than this is wide."""
        return f"far from numbers {self._range}: is the range right? Plan again with another one"

    @property
    def unknown(self) -> str:
        """What is wrong with a cell that is no answer, and what to do."""
        if self.numbered:
            hint = (
                "; for other numbers give the values that may be published, as low, high and step"
                if self.kind == "quantile"
                else "; for words or other numbers give labels or bins"
            )
            return f"not the number of a group, 0 to {self.numbers_given - 1}{hint}"
        if self.counts_as:
            return (
                f"not a known answer; correct it, or give it in codes of the study file{_NO_ANSWER}"
            )
        if not self.words:
            return (
                "not 0 or 1; give 1, true or yes where it holds, or other words as yes and no in "
                f"[[records.question]], or contains if a cell holds several answers{_NO_ANSWER}"
            )
        labelled = self.kind == "histogram" and self.answer_rate is None and self.by is None
        where = "labels" if labelled else "yes or no"
        return f"not a known word; correct it, or give it in {where} of the study file{_NO_ANSWER}"

    @property
    def answered_mean(self) -> bool:
        """Whether it is a mean of those who answer."""
        return self.kind == "mean" and self.answer_rate is not None

    @property
    def numbers(self) -> int:
        return self.groups if self.kind == "histogram" or self.answered_mean else 1

    @property
    def width(self) -> Fraction:
        """Of the range of the answer, in its unit."""
        if self.kind == "count":
            return Fraction(self.participants)
        if self.values and self.compared:  # on either side of 0
            return 2 * (decimal(self.values[1]) - decimal(self.values[0]))
        return decimal(self.high) - decimal(self.low)

    @property
    def grain(self) -> Fraction:
        """By what part of its range an answer from numbers is off at most because of rounding.

        Half a step for that of records, less for that of the noisy sum, which is below 4Nsteps, and
        four roundings of doubles: of the record, of its difference from `low`, and of the answer.
        """
        if self.steps == 1:
            return Fraction(0)
        ends = (self.low, self.high, *(self.values or ()))
        largest = max(abs(decimal(end)) for end in ends) + decimal(self.error)
        return Fraction(1, self.steps) + 4 * Fraction(1, 2**53) * largest / self.width

    @property
    def sensitivity(self) -> float:
        """By how much one record replaced moves the sums, in the norm of its noise."""
        if self.numbers > 1:  # one down and one up, by as much at most
            return self.steps * (2**0.5 if self.noise == "gaussian" else 2.0)
        return float(self.steps)


def items(plan: Plan, column: str | None = None) -> list[Item]:
    """The answers that a plan publishes.

    Args:
        plan: the plan.
        column: the column of the records where one question is asked; None for that of the study.

    Raises:
        ValueError: the mechanism, or that of a question, cannot be run on records.
    """
    records = plan.study.records
    if plan.study.survey is None:
        item = _single(plan, column or records.column)
        return [replace(item, words=_words(None, records)) if item.steps == 1 else item]
    found = []
    survey = plan.study.survey
    asked = zip(survey.questions, survey.published, plan.questions, strict=True)
    for own, question, share in asked:
        for end in [f" {k}" for k in range(1, own.times + 1)] if own.times > 1 else [""]:
            item = _of_question(f"{question.name}{end}", question, share, plan)
            column = f"{own.column}{end}" if own.column else ""
            item = replace(item, column=column or item.name, question=question)
            found.append(_as_recorded(item, own, records))
    return found


def _as_recorded(item: Item, question: Question, records: Records) -> Item:
    if isinstance(question, Histogram):
        words = tuple((label,) for label in question.labels)
        names, own = question.group_names, question.missing == "own"
        code = question.groups if own else None
        return replace(item, words=words, edges=question.bins, group_names=names, if_missing=code)
    if isinstance(question, Mean) and question.answer_rate is not None:
        low, high = question.low, question.high
        ends = f"over {plain(low)}", f"under {plain(high)}"
        return replace(
            item, counts_as=question.codes, if_missing=math.inf, groups=2, values=(low, high),
            answer_rate=question.answer_rate, failure=2 * item.failure,
            group_names=tuple(f"{end}, as a part of the range" for end in ends),
        )  # fmt: skip
    if isinstance(question, Mean | Quantile):
        number = None if isinstance(question.missing, str) else question.missing
        codes = question.codes if isinstance(question, Mean) else ()
        item = replace(item, counts_as=codes)
        if number is not None and item.edges:
            number = bisect_left(item.edges, number)
        return replace(item, if_missing=number)
    if isinstance(question, Share) and question.answer_rate is not None:
        no, yes = _words(question, records) or (NO, YES)
        return replace(
            item, words=(yes, no), group_names=("yes", "no"), if_missing=2,
            answer_rate=question.answer_rate, contains=question.contains or "",
        )  # fmt: skip
    if isinstance(question, ShareByGroup):
        no, yes = _words(question, records) or (NO, YES)
        labels = tuple((label,) for label in question.labels)
        by = Item(
            item.name, "histogram", item.error, item.failure, item.noise, None, item.participants,
            groups=question.group_count, column=question.by, words=labels,
        )  # fmt: skip
        return replace(item, words=(yes, no), group_names=question.labels, by=by)
    if isinstance(question, Share):
        code = 0 if question.missing == "no" else None
        return replace(
            item, words=_words(question, records), if_missing=code, contains=question.contains or ""
        )
    return item


def _words(share: Share | ShareByGroup | None, records: Records) -> tuple[tuple[str, ...], ...]:
    no, yes = (share.no, share.yes) if share is not None else (None, None)
    words = (no or records.no, yes or records.yes)
    refuse_common(*words)
    return () if words == (NO, YES) else words


def _single(plan: Plan, column: str) -> Item:
    study, n = plan.study, plan.participants
    low, high = study.target.values or (0.0, 1.0)
    kind: Kind = "share" if study.target.values is None else "mean"
    if study.groups == 2:
        return _of_groups(plan, column)
    if plan.card is not None:
        error = rounded_up(decimal(study.accuracy.error) * (decimal(high) - decimal(low)))
        return Item(
            column, "share", error, study.accuracy.failure, "answer", None, n,
            low=low, high=high, truth=plan.card.truth, other=plan.card.opposite,
        )  # fmt: skip
    if study.power is not None:
        error, scale = error_beside_test(plan), rounded_up(decimal(plan.scale or 0.0))
        return Item(column, "share", error, study.power.significance, plan.noise, scale, n)
    if plan.scale is None:
        raise ValueError(
            f"publish does not run {kinds.words(study.mechanism)}; plan a proportion, a mean, a "
            "histogram or a survey of them with added noise"
        )
    target = study.accuracy
    if kinds.is_count(study.mechanism):
        error = float(decimal(target.error) * n)
        return Item(column, "count", error, target.failure, plan.noise, rounded_up(plan.scale), n)
    width = decimal(high) - decimal(low)
    each = decimal(plan.scale) * n / width
    error = target.error if kind == "share" else rounded_up(decimal(target.error) * width)
    steps = _steps_of(n) if kind == "mean" else 1
    return Item(
        column, kind, error, target.failure, plan.noise, rounded_up(each * steps), n,
        low=low, high=high, steps=steps,
    )  # fmt: skip


def _of_question(name: str, question: Question, share: QuestionPlan, plan: Plan) -> Item:
    n = plan.participants
    if isinstance(question, Quantile):
        assert share.epsilon is not None  # a candidate is drawn with an ε of its own
        scale = rounded_up(2 / decimal(share.epsilon))
        return Item(
            name, "quantile", question.error, share.failure, share.noise, scale, n,
            groups=question.candidate_count, at=question.at, edges=question.values,
        )  # fmt: skip
    assert share.scale is not None  # all others add noise
    each, error = decimal(share.scale) * n, question.error
    if isinstance(question, Histogram | ShareByGroup):
        return Item(
            name, "histogram", error, share.failure, share.noise, rounded_up(each), n,
            groups=question.numbers,
        )  # fmt: skip
    kind: Kind = question.kind  # type: ignore[assignment]
    if isinstance(question, Mean):
        low, high = question.low, question.high
        width, steps = decimal(high) - decimal(low), _steps_of(n)
        return Item(
            name, kind, error, share.failure, share.noise, rounded_up(each * steps / width), n,
            low=low, high=high, steps=steps,
        )  # fmt: skip
    return Item(name, kind, error, share.failure, share.noise, rounded_up(each), n)


def _of_groups(plan: Plan, column: str) -> Item:
    study, n = plan.study, plan.participants
    _refuse_odd(n)
    target = study.target
    assert isinstance(target, DifferenceWithin)  # no other has two groups and no test
    low, high = target.values or (0.0, 1.0)
    width, steps = decimal(high) - decimal(low), 1 if target.values is None else _steps_of(n)
    error, end = rounded_up(decimal(target.error) * width), rounded_up(width)
    scale = rounded_up(decimal(plan.scale or 0.0) * (n // 2) * steps / width)
    return Item(
        column, "difference", error, target.failure, plan.noise, scale, n,
        low=-end, high=end, steps=steps, values=target.values,
    )  # fmt: skip


def _refuse_odd(participants: int) -> None:
    """Refuse a number of people of whom one is left out."""
    if participants % 2:
        raise ValueError(
            f"the plan is for {persons(participants)}, and two groups have an even number; "
            f"plan it again with min_participants = {participants + 1} or max_participants = "
            f"{participants - 1}"
        )


def _steps_of(participants: int) -> int:
    """As many steps of a range as leave sums of so many records exact."""
    return 1 << max(0, _SUM_BITS - participants.bit_length())


def possible_range(item: Item) -> tuple[float | None, float | None]:
    """The least and the largest possible value of an answer; None of a candidate's number."""
    if item.kind == "quantile":
        return (item.edges[0], item.edges[-1]) if item.edges else (None, None)
    return item.low, float(item.participants) if item.kind == "count" else item.high


def rounded_up(x: Fraction | float) -> float:
    """A float that is not below x: nearly a decimal of few digits."""
    exact = decimal(x) if isinstance(x, float) else x
    context = Context(prec=sys.float_info.dig, rounding=ROUND_CEILING)
    short = float(context.divide(Decimal(exact.numerator), Decimal(exact.denominator)))
    return short if Fraction(short) >= exact else math.nextafter(short, math.inf)
