"""The least of a quasi-convex function on an interval, by golden sections; floats or arrays."""

from collections.abc import Callable

from planner import numbers
from planner.libraries import np
from planner.numbers import Number

_STEPS = 80  # sections to the last digit of a double: 0.618^80 is under 2^-53
_LEAST_REST = 1e-12  # of the interval, at its upper end, where functions may have poles


def lowest(value: Callable[[Number], Number], like: Number) -> Number:
    """The point of (0, 1) at which a quasi-convex function is least.

    Where two points are alike it lies to their right: values that are ∞ near 0 are passed over.

    Args:
        value: the function.
        like: a number, or an array of the shape of its values.
    """
    shape = 0 * like
    low, high = shape, shape + 1 - _LEAST_REST
    ratio = (5**0.5 - 1) / 2
    system = numbers.of(like)
    for _ in range(_STEPS):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        lower = value(left) < value(right)
        if system is numbers.FLOATS:
            low, high = (low, right) if lower else (left, high)
        else:
            low, high = np.where(lower, low, left), np.where(lower, right, high)
    return (low + high) / 2
