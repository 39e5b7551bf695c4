"""The questions of a survey, each with the accuracy that its answer needs."""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, InstanceOf, model_validator

from planner.checked import dataclass
from planner.checks import (
    ERROR_OF_VALUES,
    Candidates,
    Error,
    Failure,
    Groups,
    Mean as Fraction,
    Positive,
    Queries,
    Value,
)
from planner.mechanisms import ExponentialQuantile, Mechanism
from planner.model.target import Accuracy, deviation_share
from planner.wording import plain, printable, quoted


def _name(text: str) -> str:
    """The name; a ValueError where it cannot stand in tables and keys."""
    if not text.strip() or printable(text) != text:
        raise ValueError(f"name = {quoted(text)} is not allowed; give a name that can be printed")
    return text


Name = Annotated[str, Field(max_length=80), AfterValidator(_name)]


@dataclass
class Question(ABC):
    """One question of a survey.

    Attributes:
        name: of the question, its own in a survey.
        error: T, additive error tolerated; what it is of, each kind says.
        times: how many questions alike are asked.
        failure: α of each of them; None where the survey gives one for all.
    """

    kind: ClassVar[str]

    name: Name
    error: Error
    times: Queries = 1
    failure: Failure | None = None

    @property
    def fraction(self) -> float:
        """The error as a fraction of 1."""
        return self.error

    @property
    def unit(self) -> float:
        """How large 1 is in the unit of the published answer."""
        return 1.0

    @property
    def numbers(self) -> int:
        """How many numbers one of them publishes."""
        return 1

    @property
    @abstractmethod
    def words(self) -> str:
        """What is asked, as a phrase."""

    def with_error(self, error: float) -> Self:
        """The same at another error."""
        return replace(self, error=error)

    def _alike(self, words: str) -> str:
        """The phrase, with how many are asked."""
        return words if self.times == 1 else f"{words}, asked {self.times:,} times"


@dataclass
class Share(Question):
    """The share of people with a property, off by less than `error`."""

    kind: ClassVar[str] = "share"

    @property
    def words(self) -> str:
        """A share."""
        return self._alike(f"a share within {plain(self.error)}")


@dataclass(kw_only=True)
class Histogram(Question):
    """The shares of several groups, of which everyone is in one, all off by less than `error`.

    Attributes:
        groups: k [≥ 2].
    """

    kind: ClassVar[str] = "histogram"

    groups: Groups

    @property
    def numbers(self) -> int:
        """One for each group."""
        return self.groups

    @property
    def words(self) -> str:
        """Its groups."""
        return self._alike(f"{self.groups} shares, each within {plain(self.error)}")


@dataclass(kw_only=True)
class Mean(Question):
    """The mean of numbers in [low, high], off by less than `error` in their unit.

    Attributes:
        low: the smallest value of a record.
        high: the largest.
        deviation_at_most: the most that the standard deviation of the values is; see `Accuracy`.
    """

    kind: ClassVar[str] = "mean"

    low: Value
    high: Value
    error: Annotated[float, ERROR_OF_VALUES]
    deviation_at_most: Positive | None = None

    @model_validator(mode="after")
    def _within_the_range(self) -> Self:
        """Refuse an empty range, and an error over it."""
        _ = self.fraction, self.deviation
        return self

    @property
    def deviation(self) -> float | None:
        """The assumed deviation as a fraction of high − low, rounded up."""
        if self.deviation_at_most is None:
            return None
        return deviation_share(self.deviation_at_most, self.low, self.high)

    @property
    def fraction(self) -> float:
        """The error as a share of high − low, rounded down."""
        return Accuracy.of_values(self.error, self.low, self.high, 0.5).error

    @property
    def unit(self) -> float:
        """High − low."""
        return self.high - self.low

    @property
    def words(self) -> str:
        """Its range."""
        low, high = plain(self.low), plain(self.high)
        return self._alike(f"the mean of values from {low} to {high} within {plain(self.error)}")


@dataclass(kw_only=True)
class Quantile(Question):
    """A quantile of numbers, chosen among candidates, off by less than `error` in rank.

    Candidate c_j stands for the values in (c_{j−1}, c_j], the ends for the rest. Its error is the
    distance of `at` from [F(c_{j−1}), F(c_j)], so some candidate always has error 0.

    Attributes:
        candidates: how many [≥ 2].
        at: the rank [in [0, 1]]; 0.5 is the median.
    """

    kind: ClassVar[str] = "quantile"

    candidates: Candidates
    at: Fraction = 0.5

    @property
    def words(self) -> str:
        """Its rank and candidates."""
        name = "the median" if self.at == 0.5 else f"the {plain(self.at)} quantile"
        return self._alike(
            f"{name} among {self.candidates:,} candidates, within {plain(self.error)} in rank"
        )

    @property
    def mechanism(self) -> ExponentialQuantile:
        """The exponential mechanism."""
        return ExponentialQuantile(candidates=self.candidates)


@dataclass(kw_only=True)
class ByMechanism(Question):
    """Whatever an ε-private mechanism answers, off by less than `error` as the mechanism counts it.

    Attributes:
        mechanism: what answers it.
    """

    kind: ClassVar[str] = "by-mechanism"

    mechanism: InstanceOf[Mechanism]

    @model_validator(mode="after")
    def _pure(self) -> Self:
        """Refuse a mechanism that is (ε, δ)-private, or several."""
        if self.mechanism.uses_delta or self.mechanism.alternatives:
            raise ValueError(
                f"{self.mechanism.words} cannot answer one question of a survey; give one "
                "ε-private mechanism"
            )
        return self

    @property
    def words(self) -> str:
        """Its mechanism."""
        return self._alike(f"{self.mechanism.words} within {plain(self.error)}")


QUESTIONS: dict[str, type[Question]] = {
    kind.kind: kind for kind in (Share, Histogram, Mean, Quantile)
}
"""The kinds of question that study files name."""
