"""The section [target] of a study file, by its kind."""

from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, StrictBool, Tag, model_validator

from planner import checks, model
from planner.study_file.failure import FailureKeys
from planner.study_file.individual import Table
from planner.study_file.questions import SurveyTarget
from planner.wording import several


class AccuracyTarget(FailureKeys):
    """The section [target] of error and failure."""

    kind: Literal["accuracy"] = "accuracy"
    low: checks.Value | None = Field(None, description="lowest value of a record that is a number")
    high: checks.Value | None = Field(
        None, description="highest value of a record that is a number"
    )
    error: Annotated[float, checks.ERROR_OF_VALUES] | None = None
    deviation_at_most: checks.Positive | None = Field(
        None, description="the most that the standard deviation of the records is: an assumption"
    )
    curator: StrictBool | None = Field(
        None, description="false: people randomise their answers, and nobody holds the true ones"
    )
    times_error: checks.Positive = Field(1.0, description="factor on the error of each stratum")

    @model_validator(mode="after")
    def _range_of_values(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise ValueError("low and high must be given together, or neither for a proportion")
        self.build()
        return self

    def build(self) -> model.Accuracy:
        failure = self.allowed_failure
        if failure is None:
            raise ValueError("failure is missing; give a probability such as 0.05")
        if self.error is None:
            values = None if self.low is None or self.high is None else (self.low, self.high)
            return model.Accuracy(
                failure=failure, values=values, deviation_at_most=self.deviation_at_most
            )
        if self.low is not None and self.high is not None:
            numbers = (self.error, self.low, self.high, failure, self.deviation_at_most)
            return model.Accuracy.of_values(*numbers)
        if self.deviation_at_most is not None:
            raise ValueError("deviation_at_most is of values; give low and high, or leave it out")
        return model.Accuracy(error=self.error, failure=failure)


class PowerTarget(Table):
    """[target] with kind = "power"."""

    kind: Literal["power"]
    null: checks.Mean
    alternative: checks.Mean
    power: checks.Probability = 0.8
    significance: checks.Probability = 0.05
    sides: Literal[1, 2] = 1

    @model_validator(mode="after")
    def _a_test(self) -> Self:
        self.build()
        return self

    def build(self) -> model.Power:
        return model.Power(self.null, self.alternative, self.power, self.significance, self.sides)


class DifferenceTarget(FailureKeys):
    """[target] with kind = "difference": an error and a failure, or what a test is to find."""

    kind: Literal["difference"]
    low: checks.Value | None = Field(None, description="lowest value of a record that is a number")
    high: checks.Value | None = Field(
        None, description="highest value of a record that is a number"
    )
    error: Annotated[float, checks.ERROR_OF_VALUES] | None = None
    deviation_at_most: checks.Positive | None = Field(
        None, description="the most that the records of either group deviate by: an assumption"
    )
    baseline: checks.Mean | None = None
    change: checks.Change | None = None
    power: checks.Probability | None = None
    significance: checks.Probability | None = None
    sides: Literal[1, 2] | None = None
    baseline_range: tuple[checks.Mean, checks.Mean] | None = None
    margin: checks.Margin | None = None
    equivalence: bool | None = None
    ratio: checks.Positive | None = None

    @model_validator(mode="before")
    @classmethod
    def _no_test_of_means(cls, data: Any) -> Any:
        """Refuse a test of means before its baseline is read as a proportion."""
        if isinstance(data, dict) and {"low", "high"} & data.keys() and {"baseline"} & data.keys():
            raise ValueError(
                "tests are of proportions; for means from low to high give an error and a failure, "
                "such as error = 10 and failure = 0.05, in place of "
                f"{several([name for name in _OF_A_TEST if name in data], 'and')}"
            )
        return data

    @model_validator(mode="after")
    def _a_comparison(self) -> Self:
        self.build()
        return self

    def build(self) -> model.Difference:
        """The target in the model.

        Raises:
            ValueError: it is neither an accuracy nor a test, or both.
        """
        of_error = {"error": self.error, "failure": self.allowed_failure}
        of_test = {name: getattr(self, name) for name in _OF_A_TEST}
        given, tested = (
            {name: value for name, value in some.items() if value is not None}
            for some in (of_error, of_test)
        )
        if given and tested:
            raise ValueError(
                "a difference has either an error and a failure, or what a test is to find "
                f"({', '.join(_OF_A_TEST)}); leave one of the two out"
            )
        for name in ("error", "failure") if given else ("baseline", "change"):
            if name not in given | tested:
                raise ValueError(f"{name} is missing; give a number such as {_SUCH_AS[name]}")
        if (self.low is None) != (self.high is None) or (tested and self.low is not None):
            raise ValueError(
                "low and high are for the difference of two means, and are given together with an "
                "error and a failure; leave them out for shares"
            )
        ratio = 1.0 if self.ratio is None else self.ratio
        if self.low is not None and self.high is not None:
            means = model.Difference.of_values(
                low=self.low, high=self.high, deviation_at_most=self.deviation_at_most, **given
            )
            return replace(means, ratio=ratio)
        if self.deviation_at_most is not None:
            raise ValueError("deviation_at_most is of values; give low and high, or leave it out")
        return model.Difference(**given, **tested, ratio=ratio)


_OF_A_TEST = (
    "baseline", "change", "power", "significance", "sides", "baseline_range", "margin",
    "equivalence",
)  # fmt: skip
_SUCH_AS = {"error": "0.05", "failure": "0.05", "baseline": "0.3", "change": "0.1"}


TARGETS: dict[str, type[Table]] = {
    "accuracy": AccuracyTarget,
    "difference": DifferenceTarget,
    "power": PowerTarget,
    "survey": SurveyTarget,
}
"""The tables of [target] by their kinds."""


def target_kind(table: Any) -> str:
    """The kind of a [target], by default "accuracy"."""
    return str(table.get("kind", "accuracy")) if isinstance(table, dict) else "accuracy"


AnyTarget = Annotated[
    Annotated[AccuracyTarget, Tag("accuracy")]
    | Annotated[DifferenceTarget, Tag("difference")]
    | Annotated[PowerTarget, Tag("power")]
    | Annotated[SurveyTarget, Tag("survey")],
    Discriminator(target_kind),
]
