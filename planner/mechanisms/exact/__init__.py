"""The true failure probability of a noisy proportion, at the worst mean of a range.

`noisy_count` gives it at one mean, `worst_mean` the worst mean, `floor` the least ε, and `proof`
the same in ball arithmetic. NumPy and SciPy are imported when a value is asked for.
"""

from typing import TYPE_CHECKING

from planner import numbers
from planner.numbers import Number

if TYPE_CHECKING:
    import sympy


def failure_probability(
    epsilon: Number, participants: Number, error: Number, mean_range: tuple[float, float]
) -> Number:
    """The failure probability at the worst mean; numbers or arrays, which broadcast."""
    if numbers.of(epsilon, participants, error) is numbers.FRACTIONS:
        raise numbers.Inexact
    import numpy as np

    from planner.mechanisms.exact.worst_mean import failure_at, worst_mean

    low, high = mean_range
    if low == high:
        e, n, t = (np.asarray(x, dtype=float) for x in (epsilon, participants, error))
        found = np.minimum(failure_at(e, n, t, np.float64(low)), 1.0)
    else:

        def worst(e: float, n: float, t: float) -> float:
            return worst_mean(e, n, t, mean_range).most

        found = np.vectorize(worst, otypes=[float])(epsilon, participants, error)
    return float(found) if np.ndim(found) == 0 else found


def epsilon_floor(
    participants: Number, error: Number, failure: Number, mean_range: tuple[float, float]
) -> Number:
    """The least allowed ε, ∞ where none is; numbers or arrays, which broadcast."""
    import numpy as np

    from planner.mechanisms.exact.floor import epsilon_floor as floor

    def least(n: float, t: float, a: float) -> float:
        return floor(n, t, a, mean_range)

    found = np.vectorize(least, otypes=[float])(participants, error, failure)
    return float(found) if np.ndim(found) == 0 else found


def quick_floor(
    participants: Number, error: float, failure: float, mean_range: tuple[float, float]
) -> Number:
    """The least ε for the mean nearest to 1/2, over an array of N; to search and draw with."""
    from planner.mechanisms.exact.floor import quick_floors

    return quick_floors(participants, error, failure, mean_range)


def formula() -> "sympy.Expr":
    """The failure probability, as what it is."""
    import sympy

    return sympy.Symbol("max over μ of Pr[|K/N + Z/N − μ| ≥ T], Z with density ε/2·exp(−ε|z|)")
