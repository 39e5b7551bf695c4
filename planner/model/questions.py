"""The questions of a survey, each with the accuracy that its answer needs."""

from abc import ABC, abstractmethod
from dataclasses import field, replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, model_validator

from planner.checked import dataclass
from planner.checks import (
    ERROR_OF_VALUES,
    AnswerRate,
    Error,
    Failure,
    Groups,
    Mean as Fraction,
    Positive,
    Queries,
    RankError,
    Value,
)
from planner.mechanisms import ExponentialQuantile
from planner.model.recorded import (
    Bins,
    CandidatesOrValues,
    Codes,
    Column,
    Labels,
    Missing,
    OneWord,
    Wording,
    Words,
    names_of_bins,
    refuse_common,
    refuse_steps,
)
from planner.model.target import Accuracy, deviation_share
from planner.numbers import decimal, not_above
from planner.wording import plain, points, printable, quantile, quoted


def _name(text: str) -> str:
    if not text.strip() or printable(text) != text:
        raise ValueError(f"name = {quoted(text)} is not allowed; give a name that can be printed")
    return text


def _without_default(schema: dict[str, Any]) -> None:
    """A schema without the default, which no file can give."""
    del schema["default"]


NO_ANSWER = "no answer"
"""The name of the group of people without an answer."""
Name = Annotated[str, Field(max_length=80), AfterValidator(_name)]


@dataclass
class Question(ABC):
    """One question of a survey.

    Attributes:
        name: of the question, its own in a survey.
        error: T, additive error tolerated; what it is of, each kind says.
        times: how many questions alike are asked.
        failure: α of each of them; None where the survey gives one for all.
        column: of the records; None where it has the question's name. Of several alike its name
            comes before their numbers, as in "NAME 1".
        missing: what an empty cell of the records means: "refuse"; "own" of a proportion or a mean,
            for that of those who answer; "own" of a histogram, for one more group, of people
            without an answer; "no" of a proportion; of a mean or a quantile the value, or the
            number of the candidate.
        wording: the question as people are asked, for the consent sheet; None where the name says
            it.
    """

    kind: ClassVar[str]
    error_unit: ClassVar[str] = "percentage points"
    """The unit of errors as people read them."""
    instead: ClassVar[str] = "leave missing out, and ask those again who gave no answer"
    """What to do where an empty cell cannot mean what is given."""

    name: Name
    error: Error
    times: Queries = 1
    failure: Failure | None = None
    column: Column | None = field(default=None, kw_only=True)
    missing: Missing = field(default="refuse", kw_only=True)
    wording: Wording | None = field(default=None, kw_only=True)

    @model_validator(mode="after")
    def _of_this_kind(self) -> Self:
        if self.missing != "refuse" and not self._may_be(self.missing):
            raise ValueError(f"missing = {self.missing!r} is not for a {self.kind}; {self.instead}")
        return self

    def _may_be(self, missing: Missing) -> bool:
        return False

    @property
    def fraction(self) -> float:
        """The error as a fraction of 1."""
        return self.error

    @property
    def unit(self) -> float:
        """How large 1 is in the unit of the published answer."""
        return 1.0

    @property
    def largest_error(self) -> float:
        """The largest error that says anything, in the unit of the published answer."""
        return self.unit

    @property
    def numbers(self) -> int:
        """How many numbers one of them publishes."""
        return 1

    @property
    @abstractmethod
    def words(self) -> str:
        """What is asked, as a phrase."""

    @property
    def within(self) -> str:
        if not self.error_unit:
            return plain(self.error)
        return f"{points(self.error)} {self.error_unit}"

    @property
    def as_published(self) -> "Question":
        return self

    def with_error(self, error: float) -> Self:
        return replace(self, error=error)

    @property
    def as_planned(self) -> "Question":
        """The same without its name and how its records are written: all that a plan reads."""
        return replace(self, name="alike", column=None, missing="refuse", wording=None)

    @property
    def counted(self) -> str:
        """What no answer counts as, where it does."""
        if self.missing in ("refuse", "own"):
            return ""
        value = self.missing if isinstance(self.missing, str) else plain(self.missing)
        return f", where no answer counts as {value}"

    def _alike(self, words: str) -> str:
        return words if self.times == 1 else f"{words}, asked {self.times:,} times"


@dataclass
class OfThoseWhoAnswer(Question):
    """A question that may be about those who answer, with `missing = "own"`.

    Two proportions of all people are then published: of yes and of no, or of how far values are
    over `low` and under `high`, as parts of the range. Each is off by less than error·answer_rate
    of it; so what they say of those who answer is off by less than `error` where at least
    `answer_rate` of all would answer: see `publication.answered`.

    Attributes:
        answer_rate: of "own", the least proportion of people expected to answer [(0, 1]].
    """

    answer_rate: AnswerRate | None = field(default=None, kw_only=True)

    @model_validator(mode="after")
    def _with_a_rate(self) -> Self:
        if self.missing != "own" and self.answer_rate is not None:
            raise ValueError('answer_rate is for missing = "own"; give both, or leave both out')
        if self.missing == "own" and self.answer_rate is None:
            raise ValueError(
                'answer_rate is missing; with missing = "own" give the least proportion of people '
                "expected to answer, such as 0.8"
            )
        return self

    @property
    def _of_all(self) -> float:
        """The error of both proportions of all people."""
        return not_above(decimal(self.fraction) * decimal(self.answer_rate or 1.0))

    @property
    def _where(self) -> str:
        """Where the error of those who answer holds."""
        return f", where at least {points(self.answer_rate or 1.0)} % answer"


@dataclass
class Share(OfThoseWhoAnswer):
    """The proportion of people with a property, or of those who answer, off by less than `error`.

    `name`, `error` and the other fields are those of `planner.model.Question`.

    Attributes:
        yes, no: the words of the records; None where they are those of `Records`.
        contains: the answer that means yes where a cell holds several; else None.
    """

    kind: ClassVar[str] = "share"
    instead: ClassVar[str] = 'give "no", or "own" with an answer_rate'

    yes: Words | None = field(default=None, kw_only=True)
    no: Words | None = field(default=None, kw_only=True)
    contains: OneWord | None = field(default=None, kw_only=True)

    @model_validator(mode="after")
    def _of_one_meaning(self) -> Self:
        """Refuse a word that means both, or words beside the only one that says what yes is."""
        refuse_common(self.yes or (), self.no or ())
        if self.contains is not None and (self.yes or self.no):
            raise ValueError("contains says what yes is; leave yes and no out")
        return self

    def _may_be(self, missing: Missing) -> bool:
        return missing in ("no", "own")

    @property
    def as_published(self) -> Question:
        """With empty cells of their own, the groups yes and no of all people."""
        if self.answer_rate is None:
            return self
        labels = ("yes", "no")
        return Histogram(self.name, self._of_all, self.times, self.failure, groups=2, labels=labels)

    @property
    def as_planned(self) -> Question:
        if self.answer_rate is not None:
            return self.as_published.as_planned
        return replace(super().as_planned, yes=None, no=None, contains=None)  # type: ignore[call-arg]

    @property
    def words(self) -> str:
        if self.answer_rate is None:
            return self._alike(f"a proportion within {self.within}{self.counted}")
        return self._alike(f"a proportion among those who answer within {self.within}{self._where}")


@dataclass(kw_only=True)
class Histogram(Question):
    """The proportions of several groups, of which everyone is in one, all off by less than `error`.

    `name`, `error` and the other fields are those of `planner.model.Question`.

    Attributes:
        groups: k [≥ 2]; that of the labels or bins where these are given.
        labels: the groups in the records' words; else they have numbers, counted from 0.
        bins: the edges between groups of a number: each group is [edge, next edge).
    """

    kind: ClassVar[str] = "histogram"
    instead: ClassVar[str] = 'give missing = "own", a group of people without an answer'

    groups: Groups = Field(0, json_schema_extra=_without_default)
    labels: Labels = ()
    bins: Bins = ()

    @model_validator(mode="after")
    def _of_one_kind(self) -> Self:
        """Take the number of groups from what names them; refuse two numbers, or none."""
        if self.labels and self.bins:
            raise ValueError("labels and bins both divide people; give one of them")
        named = len(self.labels) or max(0, len(self.bins) - 1)
        if not (named or self.groups):
            raise ValueError("groups is missing; give a whole number such as 8, or labels, or bins")
        if named and self.groups not in (0, named):
            what = "labels" if self.labels else "bins"
            raise ValueError(
                f"groups = {self.groups!r} is not the number of {what}, {named}; leave groups out"
            )
        object.__setattr__(self, "groups", named or self.groups)
        if self.missing == "own" and NO_ANSWER in self.labels:
            raise ValueError(
                f'{NO_ANSWER!r} is the name of the group that missing = "own" adds; give the label '
                "another name"
            )
        return self

    def _may_be(self, missing: Missing) -> bool:
        return missing == "own"

    @property
    def numbers(self) -> int:
        return self.groups + (self.missing == "own")

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups in words; nothing where they have numbers alone."""
        names = self.labels or names_of_bins(self.bins)
        if self.missing != "own":
            return names
        return (*(names or (f"group {g}" for g in range(self.groups))), NO_ANSWER)

    @property
    def as_planned(self) -> Self:
        return replace(self, name="alike", column=None, labels=(), bins=(), wording=None)

    @property
    def words(self) -> str:
        named = f" ({', '.join(self.group_names)})" if self.group_names else ""
        within = f"each within {self.within}"
        return self._alike(f"{self.numbers} proportions{named}, {within}")


@dataclass(kw_only=True)
class Mean(OfThoseWhoAnswer):
    """The mean of numbers in [low, high], off by less than `error` in their unit.

    `name`, `error` and the other fields are those of `planner.model.Question`.

    Attributes:
        low: the smallest value of a record.
        high: the largest.
        deviation_at_most: the most that the standard deviation of the values is; see `Accuracy`.
        codes: what each answer counts as, from low to high; empty where answers are numbers.
    """

    kind: ClassVar[str] = "mean"
    error_unit: ClassVar[str] = ""  # that of its values
    instead: ClassVar[str] = (
        'give "own" with an answer_rate, for the mean of those who answer, or a number from low to '
        "high, which an empty cell counts as"
    )

    low: Value
    high: Value
    error: Annotated[float, ERROR_OF_VALUES]
    deviation_at_most: Positive | None = None
    codes: Codes = ()

    @model_validator(mode="after")
    def _within_the_range(self) -> Self:
        _ = self.fraction, self.deviation
        if self.answer_rate is not None and self.deviation is not None:
            raise ValueError(
                'deviation_at_most is of all people; leave it out where missing = "own"'
            )
        for word, number in self.codes:
            if not self.low <= number <= self.high:
                ends = f"from {plain(self.low)} to {plain(self.high)}"
                raise ValueError(
                    f"{quoted(word)} counts as {plain(number)}, which is not {ends}; give another "
                    "low or high"
                )
        return self

    @property
    def as_published(self) -> "Question":
        """With empty cells of their own, two means: values over `low` and under `high`, in parts.

        Who does not answer counts as 0 of both, so both may be off: each has half of α.
        """
        if self.answer_rate is None:
            return self
        each = None if self.failure is None else self.failure / 2
        return Mean(
            name=self.name, error=self._of_all, times=2 * self.times, failure=each, low=0.0,
            high=1.0,
        )  # fmt: skip

    @property
    def as_planned(self) -> Question:
        if self.answer_rate is not None:
            return self.as_published.as_planned
        return replace(super().as_planned, codes=())  # type: ignore[call-arg]

    def _may_be(self, missing: Missing) -> bool:
        if isinstance(missing, str):
            return missing == "own"
        return self.low <= missing <= self.high

    @property
    def deviation(self) -> float | None:
        """The assumed deviation as a fraction of high − low, rounded up."""
        if self.deviation_at_most is None:
            return None
        return deviation_share(self.deviation_at_most, self.low, self.high)

    @property
    def fraction(self) -> float:
        return Accuracy.of_values(self.error, self.low, self.high, 0.5).error

    @property
    def unit(self) -> float:
        return self.high - self.low

    @property
    def words(self) -> str:
        low, high = plain(self.low), plain(self.high)
        words = f"the mean of values from {low} to {high}"
        if self.answer_rate is not None:
            return self._alike(f"{words} of those who answer within {self.within}{self._where}")
        return self._alike(f"{words} within {self.within}{self.counted}")


@dataclass(kw_only=True)
class Quantile(Question):
    """A quantile of numbers, chosen among candidates, off by less than `error` in rank.

    Candidate c_j stands for the values in (c_{j−1}, c_j], the ends for the rest. Its error is the
    distance of `at` from [F(c_{j−1}), F(c_j)], so some candidate always has error 0. An error over
    1/2 would say nothing: it is refused.

    `name`, `error` and the other fields are those of `planner.model.Question`.

    Attributes:
        candidates: how many, whose numbers from 0 the records hold [≥ 2]; or the values that may be
            published, in rising order. None where low, high and step give the values.
        at: the rank [in [0, 1]]; 0.5 is the median.
        low, high, step: the values low, low + step, …, high.
    """

    kind: ClassVar[str] = "quantile"
    error_unit: ClassVar[str] = "percentage points of rank"
    instead: ClassVar[str] = (
        "give the value, or the number of a candidate from 0, that an empty cell counts as; for "
        'the proportion who answer, add a histogram of this column with missing = "own"'
    )

    error: RankError
    candidates: CandidatesOrValues | None = None
    at: Fraction = 0.5
    low: Value | None = None
    high: Value | None = None
    step: Positive | None = None

    @model_validator(mode="after")
    def _of_known_candidates(self) -> Self:
        """Refuse candidates that are given twice or not at all, or steps that miss `high`."""
        steps = [self.low, self.high, self.step]
        if self.candidates is None and None in steps:
            raise ValueError(
                "give low, high and step, such as 18, 90 and 1; or candidates, a number such as "
                "100 or a list of rising values"
            )
        if self.candidates is not None and steps != [None] * 3:
            raise ValueError(
                "candidates, and low, high and step, both say what may be published; "
                "give one of them"
            )
        if self.low is not None and self.high is not None and self.step is not None:
            refuse_steps(self.low, self.high, self.step)
        return self

    @property
    def largest_error(self) -> float:
        return 0.5

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The values that may be published; nothing where the records hold candidates' numbers."""
        if isinstance(self.candidates, tuple):
            return self.candidates
        if self.candidates is not None:
            return ()
        low, step = decimal(self.low or 0.0), decimal(self.step or 0.0)
        return tuple(float(low + k * step) for k in range(self.candidate_count))

    @cached_property
    def candidate_count(self) -> int:
        """k, how many values may be published."""
        if isinstance(self.candidates, int):
            return self.candidates
        if self.candidates is not None:
            return len(self.candidates)
        low, high, step = (decimal(x or 0.0) for x in (self.low, self.high, self.step))
        return int((high - low) / step) + 1

    @property
    def as_planned(self) -> Self:
        return replace(
            self, name="alike", column=None, missing="refuse", wording=None,
            candidates=self.candidate_count, low=None, high=None, step=None,
        )  # fmt: skip

    @property
    def words(self) -> str:
        return self._alike(
            f"{quantile(self.at)} among {self._candidates}, within {self.within}{self.counted}"
        )

    def _may_be(self, missing: Missing) -> bool:
        if isinstance(missing, str):
            return False
        if self.values:
            return self.values[0] <= missing <= self.values[-1]
        return missing in range(self.candidate_count)

    @property
    def _candidates(self) -> str:
        count = plain(self.candidate_count)
        if not self.values:
            return f"{count} candidates"
        return f"{count} values from {plain(self.values[0])} to {plain(self.values[-1])}"

    @property
    def mechanism(self) -> ExponentialQuantile:
        return ExponentialQuantile(candidates=self.candidate_count)


QUESTIONS: dict[str, type[Question]] = {
    kind.kind: kind for kind in (Share, Histogram, Mean, Quantile)
}
"""The kinds of question that study files name; with groups that people report: `by_group`."""
