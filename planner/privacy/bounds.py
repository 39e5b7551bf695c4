"""Composition theorems: formulas for the total ε; each is an upper bound, rounded up.

The privacy loss of any ε-private query is dominated by that of randomized response (Kairouz, Oh and
Viswanath 2015, *The Composition Theorem for Differential Privacy*, KOV15): a loss L of ±ε with mean
ε·tanh(ε/2). Losses in a row add up, with v = Σε² and m = Σε·tanh(ε/2), to (Hoeffding)

    Pr[L > m + t + u] ≤ e^(−(t + u)²/(2v)),

and the total is (m + t, δ)-private for δ = ∫ e^(−u)·Pr[L > m + t + u] du ≤ e^(−t²/(2v))/(1 + t/v),
u from 0 to ∞. With t = √(2v·ln(1/slack)) that is under the slack, and so it is with
t = √(2v·ln(e + √v/slack)): there it is slack/((e·slack + √v)·(1 + t/v)), and √v·t/v ≥ √2.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from planner.numbers import FLOATS, decimal
from planner.privacy.queries import Queries

_ROUNDING = 1 + 2**-49
"""A factor above the rounding errors of a dozen operations on positive terms."""


def basic(queries: Queries) -> float:
    """Σε: basic composition, optimal without slack (Naor "Composition: t-Fold")."""
    exact = sum((epsilon * count for epsilon, count in queries), Fraction(0))
    try:
        total = float(exact)
    except OverflowError:
        return math.inf
    return total if decimal(total) >= exact else math.nextafter(total, math.inf)


def advanced(queries: Queries, slack: float) -> float:
    """√(2·ln(1/slack)·Σε²) + Σε·(e^ε − 1) (Dwork, Rothblum and Vadhan 2010, Theorem III.3).

    It may exceed the basic sum. The slack is above 0.
    """
    drift = _sum(queries, lambda epsilon: epsilon * FLOATS.expm1(epsilon))
    spread = norm(queries) * math.sqrt(-2 * math.log(slack))
    return _ROUNDING * (spread + drift)


def closed(queries: Queries, slack: float) -> float:
    """The smallest of KOV15's three terms (Theorem 3.5; 3.4 for equal ε). The slack is above 0."""
    drift = _sum(queries, lambda epsilon: epsilon * math.tanh(epsilon / 2))
    root = norm(queries)
    # the logarithm of 1/slack is finite where 1/slack is not
    first = _log_sum(1.0, math.log(root) - math.log(slack))
    spread = root * math.sqrt(2 * min(first, -math.log(slack)))
    return min(basic(queries), _ROUNDING * (drift + spread))


def norm(queries: Queries) -> float:
    """√Σε², of one query or more, without underflow."""
    largest = float(queries[-1][0])
    return largest * math.sqrt(_sum(queries, lambda epsilon: (epsilon / largest) ** 2))


def _sum(queries: Queries, term: Callable[[float], float]) -> float:
    return math.fsum(count * term(float(epsilon)) for epsilon, count in queries)


def _log_sum(a: float, b: float) -> float:
    """ln(e^a + e^b)."""
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))
