"""Sums of binomial chances over ranges of counts, tilted or not, in ball arithmetic.

Their coefficients C(N, k) are polynomials that neighbouring means share; Horner's rule is in C.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb, arb_poly

if TYPE_CHECKING:
    from flint import arb, arb_poly

_BLOCK = 64
"""Binomial coefficients that are kept together."""
_LONG = 4096
"""Polynomials of so many terms are not remembered."""

Counts = tuple[int, int]
"""The first and the last of a range of counts."""


def series(
    n: int,
    counts: Counts,
    odds: "arb",
    tilt: "arb | None" = None,
    downwards: bool = False,
) -> "arb":
    """The sum over a range of counts of C(n, k)·o^k, tilted by t at each step from its start."""
    step = odds if tilt is None else odds * tilt
    start = counts[0]
    if downwards:
        start, step = counts[1], 1 / odds if tilt is None else tilt / odds
    return odds**start * _ways(n, counts, downwards)(step)


def _ways(n: int, counts: Counts, downwards: bool) -> "arb_poly":
    """The polynomial of C(n, k) over a range of counts."""
    build = _kept_ways if counts[1] - counts[0] < _LONG else _kept_ways.__wrapped__
    return build(n, counts, downwards)


@lru_cache(maxsize=1024)
def _kept_ways(n: int, counts: Counts, downwards: bool) -> "arb_poly":
    """The same, remembered: neighbouring means ask for the same."""
    low, high = counts
    coefficients: list[arb] = []
    for block in range(low // _BLOCK, high // _BLOCK + 1):
        first = block * _BLOCK
        coefficients += _coefficients(n, block)[max(low - first, 0) : high - first + 1]
    return arb_poly(coefficients[::-1] if downwards else coefficients)


@lru_cache(maxsize=4096)
def _coefficients(n: int, block: int) -> "list[arb]":
    """C(n, k) for the counts of a block."""
    k = block * _BLOCK
    ways = arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()
    coefficients = [ways.exp()]
    for j in range(k, min(k + _BLOCK - 1, n)):
        coefficients.append(coefficients[-1] * (n - j) / (j + 1))
    return coefficients


def chances(n: int, window: Counts, odds: "arb") -> "list[arb]":
    """C(n, k)·o^k over a range of counts."""
    first, last = window
    terms = [series(n, (first, first), odds)]
    for k in range(first, last):
        terms.append(terms[-1] * (odds * (n - k) / (k + 1)))
    return terms
