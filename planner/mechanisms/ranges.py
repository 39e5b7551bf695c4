"""Refuses quantities outside their range, for formulas that take numbers and arrays alike."""

import math
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, TypeVar, cast

_RANGES: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "epsilon": ("above 0 and finite", lambda low, high: low > 0 and high < math.inf),
    "participants": ("at least 1 and finite", lambda low, high: low >= 1 and high < math.inf),
    "error": ("above 0 and at most 1", lambda low, high: low > 0 and high <= 1),
    "failure": ("above 0 and below 1", lambda low, high: low > 0 and high < 1),
    "delta": ("at least 0 and below 1", lambda low, high: low >= 0 and high < 1),
}

Formula = TypeVar("Formula", bound=Callable[..., Any])


def in_range(formula: Formula) -> Formula:
    """Check floats, ints and arrays among the arguments; balls and symbols pass as they are."""
    ranged = [(i, name) for i, name in enumerate(signature(formula).parameters) if name in _RANGES]

    @wraps(formula)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = list(args)
        for i, name in ranged:
            if i < len(given):
                given[i] = _checked(name, given[i])
            elif name in kwargs:
                kwargs[name] = _checked(name, kwargs[name])
        return formula(*given, **kwargs)

    return cast(Formula, checked)


def ordered(mean_range: tuple[float, float]) -> None:
    """Refuse a range of means whose ends are the wrong way round."""
    low, high = mean_range
    if low > high:
        raise ValueError(f"mean_range = [{low!r}, {high!r}] is empty; give the lower end first")


def _checked(name: str, value: Any) -> Any:
    words, inside = _RANGES[name]
    if isinstance(value, float | int):
        low = high = value
    elif isinstance(value, list | tuple) or hasattr(value, "dtype"):
        import numpy as np

        value = np.asarray(value)
        if value.dtype.kind not in "iuf":
            raise ValueError(f"{name} must hold numbers, not {value.dtype}")
        if not value.size:
            return value
        low, high = value.min(), value.max()
    else:
        return value
    # NaN fails every comparison, so it is refused too
    if not inside(low, high):
        raise ValueError(f"{name} must be {words}, not {value!r}")
    return value
