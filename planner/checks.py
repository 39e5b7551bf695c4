"""The vocabulary's quantities as types: the range of each number, checked once at construction.

One sentence for each quantity says what is allowed; every error message quotes it.
"""

from collections.abc import Iterator
from typing import Annotated, Any

from annotated_types import GroupedMetadata
from pydantic import Field, ValidationError, WrapValidator
from pydantic_core import PydanticCustomError

from planner.numbers import WHOLE_LIMIT
from planner.wording import quoted


class Allowed(GroupedMetadata):
    """A strictly typed number within `limits`; the error message quotes `words`."""

    def __init__(self, words: str, **limits: float | bool) -> None:
        self.words, self.limits = words, limits

    def __iter__(self) -> Iterator[object]:
        limits: dict[str, Any] = self.limits
        yield Field(strict=True, description=self.words, **limits)
        yield WrapValidator(self._check)

    def _check(self, value: Any, handler: Any) -> Any:
        """The value, after pydantic's checks; their error quotes the value and `words`."""
        plain = value.item() if getattr(value, "ndim", None) == 0 else value  # NumPy's scalars
        try:
            return handler(plain)
        except ValidationError:
            message = "{value} is not allowed; give {words}"
            context = {"value": quoted(value), "words": self.words}
            raise PydanticCustomError("quantity", message, context) from None


def _real(words: str, **limits: float) -> Allowed:
    """The annotation of a finite real number within limits."""
    return Allowed(words, allow_inf_nan=False, **limits)


def _whole(words: str, least: int) -> Allowed:
    """The annotation of a whole number of at least `least`."""
    return Allowed(words, ge=least, le=WHOLE_LIMIT)


Error = Annotated[float, _real("a fraction of 1, from 1e-60 to 1, such as 0.05", ge=1e-60, le=1)]
ERROR_OF_VALUES = _real(
    "a fraction of 1, from 1e-60 to 1, such as 0.05, or with low and high a number above 0 "
    "and at most high - low",
    gt=0,
)
Failure = Annotated[
    float, _real("a probability of at least 1e-290 and below 1, such as 0.05", ge=1e-290, lt=1)
]
Probability = Annotated[float, _real("a probability above 0 and below 1, such as 0.1", gt=0, lt=1)]
Epsilon = Annotated[float, _real("a number above 0, such as 0.5", gt=0)]
DeltaValue = Annotated[
    float, _real("a probability of at least 0 and below 1, such as 1e-8", ge=0, lt=1)
]
Money = Annotated[float, _real("an amount of money above 0, such as 30000", gt=0)]
Cost = Annotated[float, _real("an amount of money of at least 0, such as 12.5", ge=0)]
Share = Annotated[float, _real("a number above 0, such as 0.01", gt=0)]
Mean = Annotated[
    float, _real("a population mean of at least 0 and at most 1, such as 0.1", ge=0, le=1)
]
Value = Annotated[float, _real("a number, such as 18")]
Participants = Annotated[int, _whole("a whole number of people from 1 to 2^53, such as 1000", 1)]
Family = Annotated[
    int, Allowed("a whole number of people from 1 to 1000, such as 4", ge=1, le=1000)
]
UniverseSize = Annotated[
    int, _whole("a whole number of possible records from 2 to 2^53, such as 256", 2)
]
Queries = Annotated[int, _whole("a whole number of queries from 1 to 2^53, such as 10000", 1)]
