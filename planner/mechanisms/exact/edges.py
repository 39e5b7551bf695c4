"""The whole counts that decide whether a noisy count is off: ⌈Nμ + NT⌉ and ⌊Nμ − NT⌋.

Whether Nμ ± NT is whole decides, and is decided in fractions of the decimals that are given.
"""

import math
from fractions import Fraction

import numpy as np

from planner.numbers import Array, decimal


def whole_from(n: Array, share: Fraction) -> Array:
    """⌈n·share⌉ for an array of whole n: floats decide but where they are near a whole number."""
    level = n * float(share)
    rounded = np.ceil(level)
    near = np.abs(level - np.rint(level)) < 1e-9 * np.maximum(np.abs(level), 1.0)
    if near.any():
        exact = n[near].astype(np.int64).astype(object)  # whole numbers of any length
        rounded[near] = -(-exact * share.numerator // share.denominator)
    return rounded


def edges(
    n: int, error: Fraction, left: float | Fraction, right: float | Fraction
) -> tuple[int, int]:
    """The nearest edges on a cell of means: h at its left end, g at its right end."""
    return (
        math.ceil(n * (Fraction(left) + error)),
        math.floor(n * (Fraction(right) - error)),
    )


def edges_of_cells(n: int, error: Fraction, left: Array, right: Array) -> tuple[Array, Array]:
    """`edges` of many cells: floats decide but where they are near a whole number."""
    t = float(error)
    high, low = n * (left + t), n * (right - t)
    h, g = np.ceil(high), np.floor(low)
    near = (np.abs(high - np.rint(high)) < 1e-6 * n**0.5) | (
        np.abs(low - np.rint(low)) < 1e-6 * n**0.5
    )
    for at in np.flatnonzero(near):
        h[at], g[at] = edges(n, error, float(left[at]), float(right[at]))
    return h, g


def tips(
    n: int, error: Fraction, left: float, right: float, low: float, high: float
) -> list[Fraction]:
    """The means of a cell at which an edge is just hit: the first one above, the last one below.

    Only those in the range [low, high].
    """
    above, below = edges(n, error, left, right)
    found = (Fraction(above, n) - error, Fraction(below, n) + error)
    return [
        mean for mean in found if left <= mean <= right and decimal(low) <= mean <= decimal(high)
    ]


def edges_in_range(
    n: int, error: Fraction, left: float, right: float, mean_range: tuple[float, float]
) -> tuple[int, int]:
    """The nearest edges on a cell; an end of the range is its decimal and its double."""
    above, below = edges(n, error, left, right)
    if left in mean_range or right in mean_range:
        low, high = (decimal(x) if x in mean_range else Fraction(x) for x in (left, right))
        above = min(above, -((-n * (low + error)) // 1))
        below = max(below, (n * (high - error)) // 1)
    return above, below
