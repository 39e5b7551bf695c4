"""Bracketed roots over arrays, by Chandrupatla's method.

SciPy's `find_root` does the same, but several times slower on the short arrays of a search.
"""

from collections.abc import Callable

import numpy as np

from planner.numbers import Array

_MOST_STEPS = 200


def root(function: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """A root of `function` between each `low` and `high`, to the last digits.

    Raises:
        ArithmeticError: if the signs at the ends are not different, or no root is found.

    Source: Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a
    nonlinear function without using derivatives", 1997.
    """
    a: Array = low
    b: Array = high
    with np.errstate(all="ignore"):  # an inverse interpolation that fails is not used
        at_a: Array = function(a)
        at_b: Array = function(b)
        if not ((at_a >= 0) & (at_b <= 0) | (at_a <= 0) & (at_b >= 0)).all():
            raise ArithmeticError("the ends of an interval do not bracket a root")
        # an end that is a root is both ends
        found, other = (at_b == 0) & (at_a != 0), at_a == 0
        a, at_a = np.where(found, b, a), np.where(found, at_b, at_a)
        b, at_b = np.where(other, a, b), np.where(other, at_a, at_b)
        share: Array = 0.5
        for _ in range(_MOST_STEPS):
            x = a + share * (b - a)
            at_x = function(x)
            same = (at_x > 0) == (at_a > 0)
            c, at_c = np.where(same, a, b), np.where(same, at_a, at_b)
            b, at_b = np.where(same, b, a), np.where(same, at_b, at_a)
            a, at_a = x, at_x
            least = np.fmin(2 * np.finfo(float).eps * np.abs(a / (b - a)), 0.5)
            if ((least == 0.5) | (at_a == 0)).all():
                return np.where(np.abs(at_a) < np.abs(at_b), a, b)
            # inverse quadratic interpolation where the three points are on a gentle curve
            ratio, height = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
            gentle = (height**2 < ratio) & ((1 - height) ** 2 < 1 - ratio)
            share = at_a / (at_b - at_a) * at_c / (at_b - at_c)
            share = share + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
            share = np.clip(np.where(gentle, share, 0.5), least, 1 - least)
    raise ArithmeticError(f"no root was found in {_MOST_STEPS} steps")
