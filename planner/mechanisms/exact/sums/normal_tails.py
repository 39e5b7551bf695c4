"""Sums of normal tails over neighbouring counts, in ball arithmetic.

A tail costs as much as fifty products. In a block of counts that is short beside the noise all
tails are one Taylor polynomial, and their weighted sum is its coefficients times the moments of
the block.
"""

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb, arb_mat

from planner.privacy.gaussian import upper_tail

if TYPE_CHECKING:
    from flint import arb, arb_mat

_MOST, _FEWEST = 64, 4
"""Counts in a block; fewer are summed one by one."""
_FAR = 1.0
"""How far from its middle a block reaches, in standard deviations of the noise."""
_CLOSE = 1e-26  # the remainder falls as e^(−x²/4), a tail as e^(−x²/2): this is for tails to 1e-18


def block_of(rate: "arb") -> int:
    """How many counts to sum together."""
    return max(1, min(_MOST, int(2 * _FAR / max(float(rate.mid()), _FAR / _MOST))))


def tails(chances: "list[arb]", left: "arb", rate: "arb") -> "arb":
    """The sum of chances[j]·Q((left − j)·rate), by Taylor's polynomial about the middle.

    With Cramér's bound |He(x)| ≤ 1.0865·√(d!)·e^(x²/4) on Hermite polynomials of degree d, the
    derivative of order d + 1 of Q is at most 0.434·√(d!)·e^(−x²/4) in size.
    """
    count = len(chances)
    if count < _FEWEST:
        pairs = enumerate(chances)
        return sum((chance * upper_tail((left - j) * rate) for j, chance in pairs), arb(0))
    middle = count // 2
    x, reach = (left - middle) * rate, rate.abs_upper() * middle
    terms = _terms(float(reach))
    polynomial = arb_mat(1, terms, _taylor(x, rate, terms))
    moments = _powers(count, terms) * arb_mat(count, 1, chances)
    nearest = (x.abs_lower() - reach).max(arb(0))
    rest = reach**terms * (-(nearest**2) / 4).exp() * 434 / 1000
    rest /= (arb(terms) * arb.fac_ui(terms)).sqrt()
    return (polynomial * moments)[0, 0] + moments[0, 0] * rest.union(-rest)


def _taylor(x: "arb", rate: "arb", terms: int) -> "list[arb]":
    """The coefficients of Q(x − j·rate) in j, as φ′(x) = −xφ(x)."""
    density = (-(x**2) / 2).exp() / (2 * arb.pi()).sqrt()
    before, integrals = arb(0), [upper_tail(x)]
    for order in range(1, terms):
        integrals.append(rate * density / order)
        before, density = density, rate * (x * density - rate * before) / order
    return integrals


@lru_cache(maxsize=256)
def _terms(reach: float) -> int:
    terms, rest = 4, 1.0
    while rest > _CLOSE:
        terms += 2
        rest = reach**terms / math.sqrt(terms * math.factorial(terms))
    return terms


@lru_cache(maxsize=256)
def _powers(counts: int, terms: int) -> "arb_mat":
    """The powers of the counts of a block, about its middle, up to some order."""
    steps = range(-(counts // 2), counts - counts // 2)
    return arb_mat(terms, counts, [step**power for power in range(terms) for step in steps])
