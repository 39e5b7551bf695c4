"""How surely an answer must be right: `failure`, or its complement `confidence`."""

from pydantic import Field, StrictBool, model_validator

from planner import checks
from planner.numbers import decimal
from planner.study_file.individual import Table
from planner.wording import plain

UNLIKELY = 0.5  # above it an answer is wrong more often than right


class FailureKeys(Table):
    """The keys of a [target] that say how surely the answer must be right."""

    failure: checks.Failure | None = None
    confidence: checks.Confidence | None = Field(
        None, description="probability that the answer is right, in place of failure"
    )
    allow_unlikely: StrictBool = Field(
        False, description="whether a failure over 0.5 is meant as it is given"
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> "FailureKeys":
        if self.failure is not None and self.confidence is not None:
            raise ValueError("give either failure or confidence, which is 1 - failure")
        allowed = self.allowed_failure
        if allowed is not None and allowed > UNLIKELY and not self.allow_unlikely:
            other = plain(float(1 - decimal(allowed)))
            raise ValueError(
                f"an answer may be wrong with probability {plain(allowed)}; did you mean failure = "
                f"{other}, a confidence of {plain(allowed)}? Else give allow_unlikely = true"
            )
        return self

    @property
    def allowed_failure(self) -> float | None:
        """The failure probability α; None where neither is given."""
        if self.confidence is not None:
            return float(1 - decimal(self.confidence))
        return self.failure
