"""The vocabulary's quantities as types: the range of each number, checked once at construction.

Types of the vocabulary's quantities check the fields of the model once, at construction;
`in_range` checks the arguments of formulas, which take numbers and arrays alike; the functions
after it check any other argument, and hand it back as a plain number or array.
"""

import math
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial, wraps
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from annotated_types import GroupedMetadata
from pydantic import AfterValidator, Field, ValidationError, WrapValidator
from pydantic_core import PydanticCustomError

from planner.numbers import WHOLE_LIMIT, decimal
from planner.wording import plain, points, quoted

if TYPE_CHECKING:
    from planner.numbers import Array


class Allowed(GroupedMetadata):
    """A strictly typed number within `limits`; the error message quotes `words`.

    Of a fraction of 1, `hundredths` is the unit in which people may have meant another value.
    """

    def __init__(self, words: str, hundredths: str = "", **limits: float | bool) -> None:
        self.words, self.hundredths, self.limits = words, hundredths, limits

    def __iter__(self) -> Iterator[object]:
        limits: dict[str, Any] = self.limits
        yield Field(strict=True, description=self.words, **limits)
        yield WrapValidator(self._check)

    def _check(self, value: Any, handler: Any) -> Any:
        number = value.item() if getattr(value, "ndim", None) == 0 else value  # NumPy's scalars
        try:
            return handler(number)
        except ValidationError:
            message = "{value} is not allowed; give {words}{instead}"
            instead = _instead(number, handler, self.hundredths) if self.hundredths else ""
            context = {"value": quoted(value), "words": self.words, "instead": instead}
            raise PydanticCustomError("quantity", message, context) from None


def _instead(value: Any, allowed: Callable[[float], Any], unit: str = "%") -> str:
    """The end of a message: what to write for a value that was given in hundredths."""
    share = _of_hundredths(value)
    if share is None:
        return ""
    try:
        allowed(share)
    except ValueError:
        return ""
    return f"; write {plain(share)} for {points(share)} {unit}"


def _of_hundredths(value: Any) -> float | None:
    """The fraction of 1 that a number over 1, or a text with a percent sign, may stand for."""
    if isinstance(value, str) and value.endswith("%"):
        try:
            given = float(value[:-1])
        except ValueError:
            return None
    elif is_number(value) and abs(value) > 1:
        given = float(value)
    else:
        return None
    return float(decimal(given) / 100) if abs(given) <= 100 else None


def _real(words: str, **limits: float) -> Allowed:
    return Allowed(words, "", allow_inf_nan=False, **limits)


def _share(words: str, hundredths: str = "%", **limits: float) -> Allowed:
    return Allowed(words, hundredths, allow_inf_nan=False, **limits)


def _whole(words: str, least: int) -> Allowed:
    """The annotation of a whole number of at least `least`."""
    return Allowed(words, ge=least, le=WHOLE_LIMIT)


_POINTS = "percentage points"
Error = Annotated[
    float, _share("a fraction of 1, from 1e-60 to 1, such as 0.05", _POINTS, ge=1e-60, le=1)
]
RankError = Annotated[
    float,
    _share("a fraction of the people, from 1e-60 to 0.5, such as 0.05", _POINTS, ge=1e-60, le=0.5),
]
"""Half of the people lie between the median and either end: a larger error says nothing."""
ERROR_OF_VALUES = _share(
    "a fraction of 1, from 1e-60 to 1, such as 0.05, or with low and high a number above 0 "
    "and at most high - low",
    f"{_POINTS} of a proportion",
    gt=0,
)
"""The end of 1e-60 is that of `Error`, checked once the error is a fraction of the range."""
Failure = Annotated[
    float, _share("a probability of at least 1e-290 and below 1, such as 0.05", ge=1e-290, lt=1)
]
Probability = Annotated[float, _share("a probability above 0 and below 1, such as 0.1", gt=0, lt=1)]
Confidence = Annotated[float, _share("a probability above 0 and below 1, such as 0.95", gt=0, lt=1)]
Epsilon = Annotated[float, _real("a number above 0, such as 0.5", gt=0)]
Truth = Annotated[float, _share("a probability above 0.5 and below 1, such as 0.7", gt=0.5, lt=1)]
DeltaValue = Annotated[
    float, _share("a probability of at least 0 and below 1, such as 1e-8", ge=0, lt=1)
]
Money = Annotated[float, _real("an amount of money above 0, such as 30000", gt=0)]
Cost = Annotated[float, _real("an amount of money of at least 0, such as 12.5", ge=0)]
Share = Annotated[float, _real("a number above 0, such as 0.01", gt=0)]
Positive = Annotated[float, _real("a number above 0, such as 0.05", gt=0)]
Groups = Annotated[
    int, Allowed("a whole number of groups from 2 to 10000, such as 8", ge=2, le=10_000)
]
Candidates = Annotated[
    int, Allowed("a whole number of candidates from 2 to 10^9, such as 100", ge=2, le=10**9)
]
Mean = Annotated[
    float, _share("a population mean of at least 0 and at most 1, such as 0.1", ge=0, le=1)
]
Change = Annotated[
    float, _share("a change of a proportion, from -1 to 1, such as 0.1", _POINTS, ge=-1, le=1)
]
Margin = Annotated[
    float,
    _share(
        "a difference of proportions of at least 0 and below 1, such as 0.05", _POINTS, ge=0, lt=1
    ),
]
Value = Annotated[float, _real("a number, such as 18")]
Rate = Annotated[
    float, _share("a proportion of those invited, from 1e-290 to 1, such as 0.6", ge=1e-290, le=1)
]
Arrive = Annotated[
    float, _share("a probability of at least 0.5 and below 1, such as 0.95", ge=0.5, lt=1)
]
AnswerRate = Annotated[
    float, _share("a proportion of people, above 0 and at most 1, such as 0.8", gt=0, le=1)
]
GroupShare = Annotated[
    float, _share("a proportion of all people, from 1e-6 to 1, such as 0.05", ge=1e-6, le=1)
]
DesignEffect = Annotated[float, _real("a factor of at least 1, such as 1.5", ge=1)]
Participants = Annotated[int, _whole("a whole number of people from 1 to 2^53, such as 1000", 1)]
Family = Annotated[
    int, Allowed("a whole number of people from 1 to 1000, such as 4", ge=1, le=1000)
]
UniverseSize = Annotated[
    int, _whole("a whole number of possible records from 2 to 2^53, such as 256", 2)
]
Queries = Annotated[int, _whole("a whole number of queries from 1 to 2^53, such as 10000", 1)]

_OVER_0, _UNDER_1, _FINITE = math.ulp(0.0), math.nextafter(1.0, 0.0), sys.float_info.max
"""The doubles next to the open ends of ranges."""
_RANGES = {
    "epsilon": ("above 0 and finite", _OVER_0, _FINITE),
    "participants": ("at least 1 and finite", 1.0, _FINITE),
    "error": ("above 0 and at most 1", _OVER_0, 1.0),
    "failure": ("above 0 and below 1", _OVER_0, _UNDER_1),
    "delta": ("at least 0 and below 1", 0.0, _UNDER_1),
}
"""The range of an argument by its name, in words and as its ends; formulas hold in all of it."""

Formula = TypeVar("Formula", bound=Callable[..., Any])


def in_range(formula: Formula) -> Formula:
    """Check floats, ints and arrays among the arguments; fractions and symbols pass as they are."""
    ranged = [(i, name) for i, name in enumerate(signature(formula).parameters) if name in _RANGES]

    @wraps(formula)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = list(args)
        for i, name in ranged:
            if i < len(given):
                given[i] = _within(name, given[i])
            elif name in kwargs:
                kwargs[name] = _within(name, kwargs[name])
        return formula(*given, **kwargs)

    return cast(Formula, checked)


def _ordered(means: tuple[float, float]) -> tuple[float, float]:
    low, high = means
    if low > high:
        raise ValueError(f"[{low!r}, {high!r}] is empty; give the lower end first")
    return means


MeanRange = Annotated[tuple[Mean, Mean], AfterValidator(_ordered)]


def _within(name: str, value: Any) -> Any:
    """The value as a plain number or array, if all of it lies in the range of its name."""
    words, least, most = _RANGES[name]
    if isinstance(value, float | int):
        low = high = value
    elif isinstance(value, list | tuple) or hasattr(value, "dtype"):
        import numpy as np

        value = np.asarray(value)
        if value.dtype.kind not in "iuf":
            raise ValueError(f"{name} must hold numbers, not {value.dtype}")
        if not value.size:
            return value
        low, high = value.min().item(), value.max().item()
    else:
        return value
    # NaN fails every comparison, so it is refused too
    if not (least <= low and high <= most):
        raise ValueError(f"{name} must be {words}, not {value!r}")
    return value


def named_currency(currency: str) -> str:
    """The name of a currency, if it has a letter or a sign such as €; "" names none."""
    if currency and not any(x.isalpha() or unicodedata.category(x) == "Sc" for x in currency):
        raise ValueError(f"{quoted(currency)} is no currency; give letters or a sign, such as EUR")
    return currency


Currency = Annotated[str, AfterValidator(named_currency)]


def positive(name: str, value: float) -> float:
    """The value, if a finite number above 0."""
    if not is_number(value) or not 0 < value < math.inf:
        raise ValueError(f"{name} = {value!r} is not allowed; give a finite number above 0")
    return float(value)


def probability(name: str, value: float, least: float | None = None) -> float:
    """The value, if a probability below 1 and above 0 (or at least `least`)."""
    if (
        not is_number(value)
        or not value < 1
        or not (value > 0 if least is None else value >= least)
    ):
        words = "above 0" if least is None else f"of at least {least:g}"
        raise ValueError(
            f"{name} = {value!r} is not allowed; give a probability {words} and below 1"
            f"{_instead(value, partial(probability, name, least=least))}"
        )
    return float(value)


def fraction(name: str, value: float) -> float:
    """The value, if above 0 and at most 1."""
    if not is_number(value) or not 0 < value <= 1:
        raise ValueError(
            f"{name} = {value!r} is not allowed; give a fraction of 1, above 0 and at most 1"
            f"{_instead(value, partial(fraction, name))}"
        )
    return float(value)


def whole(name: str, value: int, least: int, most: int | None = None) -> int:
    """The value, if a whole number from `least` to `most`."""
    if not _kind(value, "iu") or value < least or (most is not None and value > most):
        words = f"of at least {least}" if most is None else f"from {least} to {_written(most)}"
        raise ValueError(f"{name} = {value!r} is not allowed; give a whole number {words}")
    return int(value)


def finite(name: str, values: Any) -> "Array":
    """The values as an array of floats, if a list of one or more finite numbers."""
    import numpy as np

    array = np.asarray(values)
    known = array.dtype.kind in "biuf" and array.ndim == 1 and array.size > 0
    if not known or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a list of one or more finite numbers; give no other")
    return array.astype(float)


def people(histogram: Any) -> "Array":
    """How many people have each record, as an array of floats, if whole and not all zero."""
    import numpy as np

    counts = np.asarray(histogram)
    known = counts.dtype.kind in "iu" and counts.ndim == 1 and counts.size >= 2
    if not known or (counts < 0).any() or not counts.any():
        raise ValueError(
            "histogram must be a list of whole numbers of people, one for each of two or more "
            "possible records; give counts of at least 0, not all 0"
        )
    return counts.astype(float)


def shares(name: str, values: Any, universe_size: int, dimensions: int) -> "Array":
    """Queries as an array of floats, if each has a value from 0 to 1 for each record."""
    import numpy as np

    values = np.asarray(values)
    shaped = values.ndim == dimensions and values.size and values.shape[-1] == universe_size
    if not shaped or values.dtype.kind not in "biuf" or not ((values >= 0) & (values <= 1)).all():
        shape = f"({'queries, ' * (dimensions - 1)}{universe_size})"
        raise ValueError(
            f"{name} must hold values from 0 to 1, one for each of the {universe_size} possible "
            f"records; give an array of shape {shape}"
        )
    return values.astype(float)


def _written(most: int) -> str:
    """A bound as people write it: 10^9 for a long power of ten."""
    digits = len(str(most)) - 1
    return f"10^{digits}" if digits >= 6 and most == 10**digits else str(most)


def is_number(value: Any) -> bool:
    """Whether this is one real number, of Python or NumPy; True and False are not."""
    return _kind(value, "iuf")


def _kind(value: Any, kinds: str) -> bool:
    """Whether this is one number of some of NumPy's kinds: whole "iu", real "f"."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return ("f" if isinstance(value, float) else "i") in kinds
    return getattr(value, "ndim", None) == 0 and value.dtype.kind in kinds
