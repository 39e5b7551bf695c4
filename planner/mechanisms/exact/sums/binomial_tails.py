"""Sums of binomial chances from a count onwards, tilted or not, in ball arithmetic.

With x = o/(1 + o) and y = 1 − x, Pr[K ≥ k] over Pr[K = k] for K ~ Binomial(n, x) is k·y times the
continued fraction of the incomplete beta function I_x(a, b), a = k and b = n − k + 1 (DLMF 8.17.22;
DiDonato and Morris 1992). Two of its steps taken as one,

    1/(β₀ + α₁/(β₁ + α₂/(β₂ + …))),    α_m = (a + m − 1)(n + m)·m(b − m)·x²/(a + 2m − 1)²,
    β_m = m + m(b − m)x/(a + 2m − 1) + (a + m)/(a + 2m + 1)·(a + 1 − (n + 1)x + m(1 + y)),

has positive terms alone where k is above the mean, so the value lies between any two neighbouring
convergents.
"""

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

if TYPE_CHECKING:
    from flint import arb

MANY = 2**16
"""With more people these sums are quicker than lists of chances (see `law`)."""
_CLOSE = 1e-16  # under the last digit of a double
_STEPS = 4
"""Convergents are compared after so many."""


def upper_sum(n: int, start: int, odds: "arb", tilt: "arb") -> "arb":
    """The sum of (1 + o)^(−n)·C(n, k)·o^k·t^(k − start) over all counts k from the start.

    Args:
        n: N [≥ 1].
        start: [at most N].
        odds: o [> 0].
        tilt: t [[0, 1]].
    """
    moved = odds * tilt
    share = moved / (1 + moved)
    if start > float(share.mid()) * n:
        return chance(n, start, odds) * _ratio(n, start, moved)
    every = tilt**-start * ((1 + moved) / (1 + odds)) ** n
    if start <= 0:
        return every
    under = start - 1
    return every - chance(n, under, odds) / tilt * _ratio(n, n - under, 1 / moved)


def chance(n: int, k: int, odds: "arb") -> "arb":
    """Pr[K = k]."""
    return _ways(n, k) * odds**k / (1 + odds) ** n


def log_ways(n: int, k: int) -> "arb":
    """The logarithm of n choose k."""
    return arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()


@lru_cache(maxsize=4096)
def _ways(n: int, k: int) -> "arb":
    return log_ways(n, k).exp()


def _ratio(n: int, k: int, odds: "arb") -> "arb":
    """Pr[K ≥ k]/Pr[K = k] for k above the mean; NaN where a ball does not tell whether it is."""
    b, y = n - k + 1, 1 / (1 + odds)
    x = odds * y
    above, square = k + 1 - (n + 1) * x, x * x
    if not above > 0:
        return above * math.nan
    over, last_over = x * 0 + 1, x * 0
    under, last_under = above * k / (k + 1), x * 0 + 1
    for m in range(1, b):
        odd = k + 2 * m - 1
        α = square * ((k + m - 1) * (n + m) * m * (b - m)) / odd**2
        β = m + x * (m * (b - m)) / odd + (above + m * (1 + y)) * (k + m) / (odd + 2)
        over, last_over = β * over + α * last_over, over
        under, last_under = β * under + α * last_under, under
        if m % _STEPS == 0:
            value, last = over / under, last_over / last_under
            if not abs(value - last) > _CLOSE * value:
                return k * y * value.union(last)
    return k * y * over / under
