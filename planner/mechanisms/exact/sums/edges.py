"""The whole counts that decide whether a noisy count is off: ⌈Nμ + NT⌉ and ⌊Nμ − NT⌋.

Whether Nμ ± NT is whole decides, and is decided in fractions of the decimals that are given.
"""

import math
from fractions import Fraction

from planner.libraries import np
from planner.numbers import Array, decimal

_ROUNDED = 1e-15


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
    tipping = (Fraction(above, n) - error, Fraction(below, n) + error)
    return [
        mean for mean in tipping if left <= mean <= right and decimal(low) <= mean <= decimal(high)
    ]


def is_tip(n: int, error: Fraction, mean: Fraction) -> bool:
    """Whether an edge is just hit."""
    return any((n * (mean + off)).denominator == 1 for off in (error, -error))


def edges_between(n: int, error: Fraction, left: Fraction, right: Fraction) -> tuple[int, int]:
    """The nearest edges inside a cell, its ends left out."""
    return math.floor(n * (left + error)) + 1, math.ceil(n * (right - error)) - 1


def first_and_last_tips(
    n: int, error: Fraction, left: Fraction, right: Fraction
) -> list[tuple[Fraction, Fraction]]:
    """The first and the last mean of a cell at which an edge is just hit, for either edge."""
    found = []
    for off in (error, -error):
        first, last = math.ceil(n * (left + off)), math.floor(n * (right + off))
        if first <= last:
            found.append((Fraction(first, n) - off, Fraction(last, n) - off))
    return found


def middle_tip(n: int, error: Fraction, left: Fraction, right: Fraction) -> Fraction:
    """The tip inside a cell that is nearest to its middle; the middle where there is none."""
    middle = (left + right) / 2
    nearest = [Fraction(round(n * (middle + off)), n) - off for off in (error, -error)]
    inside = [tip for tip in nearest if left < tip < right]
    return min(inside, key=lambda tip: abs(tip - middle), default=middle)


def tips_of_cells(n: int, error: float, left: Array, right: Array) -> tuple[Array, Array]:
    """The first means after `left` at which an edge above, and one below, is just hit."""
    above, below = np.floor(n * (left + error)) + 1, np.floor(n * (left - error)) + 1
    return above / n - error, below / n + error


def between_tips(
    n: int, error: float, left: Array, right: Array
) -> tuple[Array, Array, Array, Array]:
    """Cells no wider than 1/N cut at their tips: where they begin, where they end, their edges."""
    inner = [np.clip(tip, left, right) for tip in tips_of_cells(n, error, left, right)]
    ends = np.sort(np.stack([left, *inner, right], axis=1), axis=1)
    left, right = ends[:, :-1].ravel(), ends[:, 1:].ravel()
    wide = right - left > _ROUNDED  # tips that coincide
    left, right = left[wide], right[wide]
    middle = (left + right) / 2
    return left, right, np.ceil(n * (middle + error)), np.floor(n * (middle - error))
