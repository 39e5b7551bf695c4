"""How strata share the failure probability: whichever split costs least.

Strata are drawn by themselves, so that no answer fails has the probability Π(1 − α_g). With x_g =
−ln(1 − α_g) the shares add up to x = −ln(1 − α). The sum of the costs is least where each stratum
costs least with its share paid for at one price. Least costs run about as a_g − b_g·ln x_g, so that
x_g is b_g over the price; the slope b_g is read at equal shares, and where it is off by a tenth the
cost is by less than a thousandth. A stratum that is short of people costs more without end at some
share: its cost is read at several, and interpolated. Strata alike have one share.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from planner.libraries import np, scipy
from planner.numbers import Array, decimal, round_down

_DIGITS = 6
"""Of a failure probability."""
_BESIDE = 0.8
"""Where the slope is read, as a part of a share."""
FINEST = 2**-6
"""The least part of an equal share that is tried."""
_BENT = 1.4
"""How many times more or less than that by its slope a cost may rise down to the least part."""
_NODES, _FINE = 16, 2000
"""Shares at which the cost of a stratum short of people is read, and between which it is
interpolated."""


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
    if len(kinds) == 1:
        return _rounded(counts, [equal], failure)
    curves = [
        _Short.of(kind, low, whole)
        if low > equal * FINEST or _bent(kind, equal)
        else slope(kind, equal)
        for kind, low in zip(kinds, least, strict=True)
    ]
    return _rounded(counts, _at_one_price(counts, curves, least, whole), failure)


def short(kinds: Sequence[Kind], failure: float) -> bool:
    """Whether any stratum has no study with a small part of an equal share.

    Args:
        kinds: the strata.
        failure: α of all together [(0, 1)].
    """
    equal = -math.log1p(-failure) / sum(kind.count for kind in kinds)
    return any(kind.cost(_chance(equal * FINEST)) == math.inf for kind in kinds)


def _chance(x: float) -> float:
    """α_g of a share."""
    return -math.expm1(-x)


def _least(kind: Kind, equal: float, whole: float) -> float:
    """About the least share with which there is a study; ∞ where none is large enough."""
    low, high = equal * FINEST, whole
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


def _bent(kind: Kind, x: float) -> bool:
    """Whether the least cost rises otherwise than with −ln x, as under a cap on participants."""
    here = kind.cost(_chance(x))
    rise = kind.cost(_chance(x * FINEST)) - here
    expected = slope(kind, x) * -math.log(FINEST)
    return not expected / _BENT <= rise <= expected * _BENT


@dataclass(frozen=True)
class _Short:
    """The cost of a stratum that is short of people, over fine shares.

    Attributes:
        shares: from the least with which there is a study.
        costs: at these.
    """

    shares: Array
    costs: Array

    @classmethod
    def of(cls, kind: Kind, least: float, whole: float) -> Self:
        """The cost read at a few shares, closer to each other near the least."""
        beyond = (whole / least - 1) * np.linspace(0, 1, _NODES) ** 2
        nodes = np.log(least * (1 + beyond))
        costs = [kind.cost(_chance(math.exp(x))) for x in nodes.tolist()]
        costs = [min(max(cost, 1e-300), 1e300) for cost in costs]
        fine = np.linspace(nodes[0], nodes[-1], _FINE)
        between = scipy.interpolate.PchipInterpolator(nodes, np.log(costs))(fine)
        return cls(np.exp(fine), np.exp(between))

    def at(self, price: float) -> float:
        """The share that is best at a price."""
        return float(self.shares[np.argmin(self.costs + price * self.shares)])


def _at_one_price(
    counts: Sequence[int], curves: Sequence[float | _Short], least: Sequence[float], whole: float
) -> list[float]:
    """Shares that are best at one price, and add up; slopes in place of curves where they do."""

    def at(price: float) -> list[float]:
        return [
            max(curve.at(price) if isinstance(curve, _Short) else curve / price, low)
            for curve, low in zip(curves, least, strict=True)
        ]

    low, high = 1e-300, 1e300
    while high > low * (1 + 1e-12):
        price = math.sqrt(low) * math.sqrt(high)
        total = sum(n * x for n, x in zip(counts, at(price), strict=True))
        low, high = (price, high) if total > whole else (low, price)
    shares = at(high)
    # those short of people take steps: what they leave goes to all
    return [x * whole / sum(n * y for n, y in zip(counts, shares, strict=True)) for x in shares]


def _rounded(counts: Sequence[int], shares: Sequence[float], failure: float) -> list[float]:
    factor = 1.0
    while True:
        found = [round_down(_chance(factor * x), _DIGITS) for x in shares]
        if _together(counts, found) <= decimal(failure):
            return found
        factor *= 1 - 10.0**-_DIGITS


def _together(counts: Sequence[int], failures: Sequence[float]) -> Fraction:
    none = Fraction(1)
    for count, failure in zip(counts, failures, strict=True):
        none *= (1 - decimal(failure)) ** count
    return 1 - none
