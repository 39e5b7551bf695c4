"""The vocabulary's quantities as types: what each number must be, checked once at construction.

One sentence a quantity says what is allowed; every refusal quotes it.
"""

from typing import Annotated, Any

from pydantic import Field, ValidationError, WrapValidator
from pydantic_core import PydanticCustomError

from planner.numbers import WHOLE_LIMIT


def _quantity(kind: type, words: str, **limits: Any) -> Any:
    """A strict number within `limits`, refused with the sentence `words`."""

    def check(value: Any, handler: Any) -> Any:
        try:
            return handler(value)
        except ValidationError:
            message = "{value} is not allowed; give {words}"
            context = {"value": _quoted(value), "words": words}
            raise PydanticCustomError("quantity", message, context) from None

    field = Field(strict=True, description=words, **limits)
    return Annotated[kind, field, WrapValidator(check)]


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _real(words: str, **limits: Any) -> Any:
    return _quantity(float, words, allow_inf_nan=False, **limits)


def _whole(words: str, least: int) -> Any:
    return _quantity(int, words, ge=least, le=WHOLE_LIMIT)


Error = _real("a fraction of 1, over 0 and at most 1, such as 0.05", gt=0, le=1)
Failure = _real("a probability over 0 and under 1, such as 0.05", gt=0, lt=1)
Probability = _real("a probability over 0 and under 1, such as 0.1", gt=0, lt=1)
Epsilon = _real("a number over 0, such as 0.5", gt=0)
DeltaValue = _real("a probability of at least 0 and under 1, such as 1e-8", ge=0, lt=1)
Money = _real("an amount of money over 0, such as 30000", gt=0)
Cost = _real("an amount of money of at least 0, such as 12.5", ge=0)
Share = _real("a number over 0, such as 0.01", gt=0)
Mean = _real("a population mean of at least 0 and at most 1, such as 0.1", ge=0, le=1)
Participants = _whole("a whole number of people from 1 to 2^53, such as 1000", 1)
UniverseSize = _whole("a whole number of possible records from 2 to 2^53, such as 256", 2)
Queries = _whole("a whole number of queries from 1 to 2^53, such as 10000", 1)
