"""How strata share the failure probability: whichever split costs least.

Strata are drawn by themselves, so that no answer fails has the probability Π(1 − α_g). With x_g =
−ln(1 − α_g) the shares add up to x = −ln(1 − α), and least costs run about as a_g − b_g·ln x_g. The
sum of these is least where x_g is in proportion to b_g, the slope at equal shares: where slopes are
off by a tenth, the cost is by less than a thousandth. Strata alike have one share.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from planner.numbers import decimal, round_down

_DIGITS = 6
"""Of a failure probability."""
_BESIDE = 0.8
"""Where the slope is read, as a part of a share."""
_FINEST = 2**-6
"""The least part of an equal share that is tried."""


@dataclass(frozen=True)
class Kind:
    """Strata alike.

    Attributes:
        count: how many there are.
        cost: the least cost of one of them at a failure probability; ∞ where there is no study.
    """

    count: int
    cost: Callable[[float], float]


def best_shares(kinds: Sequence[Kind], failure: float) -> list[float] | None:
    """The failure probability of each kind of stratum at the cheapest split; None if none is found.

    Args:
        kinds: the strata.
        failure: α of all together [(0, 1)].
    """
    whole = -math.log1p(-failure)
    counts = [kind.count for kind in kinds]
    equal = whole / sum(counts)
    least = [_least(kind, equal, whole) for kind in kinds]
    if sum(n * x for n, x in zip(counts, least, strict=True)) > whole:
        return None
    shares = _shared(counts, [equal] * len(kinds), least, whole)
    if len(kinds) > 1:
        slopes = [slope(kind, x) for kind, x in zip(kinds, shares, strict=True)]
        shares = _shared(counts, slopes, least, whole)
    return _rounded(counts, shares, failure)


def _chance(x: float) -> float:
    """α_g of a share."""
    return -math.expm1(-x)


def _least(kind: Kind, equal: float, whole: float) -> float:
    """About the least share with which there is a study; ∞ where none is large enough."""
    low, high = equal * _FINEST, whole
    if kind.cost(_chance(low)) < math.inf:
        return low
    if not kind.cost(_chance(high)) < math.inf:
        return math.inf
    while high > low * 1.01:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if kind.cost(_chance(middle)) < math.inf else (middle, high)
    return high


def slope(kind: Kind, x: float) -> float:
    """How fast the least cost falls with ln x; about, as counts are whole."""
    here, before = kind.cost(_chance(x)), kind.cost(_chance(_BESIDE * x))
    if before == math.inf:  # beside its least share: from the other side
        here, before = kind.cost(_chance(x / _BESIDE)), here
    rise = before - here
    return max(rise / -math.log(_BESIDE), 1e-9 * here, 1e-300)


def _shared(
    counts: Sequence[int], slopes: Sequence[float], least: Sequence[float], whole: float
) -> list[float]:
    """Shares in proportion to slopes, none under its least."""
    free = set(range(len(counts)))
    while True:
        left = whole - sum(counts[at] * least[at] for at in range(len(counts)) if at not in free)
        scale = left / sum(counts[at] * slopes[at] for at in free)
        low = {at for at in free if scale * slopes[at] < least[at]}
        if not low or low == free:
            break
        free -= low
    return [scale * slopes[at] if at in free else least[at] for at in range(len(counts))]


def _rounded(counts: Sequence[int], shares: Sequence[float], failure: float) -> list[float]:
    """The failure probabilities in few digits; that they fit is decided exactly."""
    factor = 1.0
    while True:
        found = [round_down(_chance(factor * x), _DIGITS) for x in shares]
        if _together(counts, found) <= decimal(failure):
            return found
        factor *= 1 - 10.0**-_DIGITS


def _together(counts: Sequence[int], failures: Sequence[float]) -> Fraction:
    """The probability that any of the strata fails, which are drawn by themselves."""
    none = Fraction(1)
    for count, failure in zip(counts, failures, strict=True):
        none *= (1 - decimal(failure)) ** count
    return 1 - none
