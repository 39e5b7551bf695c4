"""How strata share the failure probability: whichever split costs least.

Strata are drawn by themselves, so that no answer fails has the probability Π(1 − α_g). With x_g =
−ln(1 − α_g) the shares add up to x = −ln(1 − α). The cost of each stratum is read at a few shares
and interpolated. The sum of the costs is least where each costs least with its share paid for at
one price, if costs are convex in it; else shares are moved between two strata as long as that pays.
Strata alike have one share.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple, Self

from planner.libraries import np, scipy
from planner.numbers import Array, decimal, round_down

_DIGITS = 6
"""Of a failure probability."""
_BESIDE = 0.8
"""Where the slope is read, as a part of a share."""
_FINEST = 2**-6
"""The least part of an equal share that is tried."""
_FINE = 2000  # shares between those at which costs are read
_ROUNDS, _GAIN = 20, 1e-7
"""In which shares are moved, and the least gain that counts, as a part of the cost."""


@dataclass(frozen=True)
class Kind:
    """Strata alike.

    Attributes:
        count: how many there are.
        costs: the least costs of one of them over failure probabilities; ∞ where there is no study.
        nodes: at how many they are read.
    """

    count: int
    costs: Callable[[Array], Array]
    nodes: int = 12


class Split(NamedTuple):
    """A division of the failure probability.

    Attributes:
        shares: of one stratum of each kind.
        cost: of all strata, as interpolated [money].
    """

    shares: list[float]
    cost: float


def best_split(kinds: Sequence[Kind], failure: float) -> Split | None:
    """The cheapest split; None if none is found.

    Args:
        kinds: the strata.
        failure: α of all together [(0, 1)].
    """
    whole = -math.log1p(-failure)
    counts = [kind.count for kind in kinds]
    equal = whole / sum(counts)
    curves = [curve for kind in kinds if (curve := _Curve.of(kind, equal, whole))]
    if len(curves) < len(kinds):
        return None
    if sum(n * curve.shares[0] for n, curve in zip(counts, curves, strict=True)) > whole:
        return None
    shares = [equal]
    if len(kinds) > 1:
        shares = _moved(counts, curves, _at_one_price(counts, curves, whole))
    costs = [float(curve.at(np.array(x))) for curve, x in zip(curves, shares, strict=True)]
    cost = sum(n * c for n, c in zip(counts, costs, strict=True))
    return Split(_rounded(counts, shares, failure), cost)


def over_least(counts: Sequence[int], least: Sequence[float], failure: float) -> list[float] | None:
    """The split in which all have as much over their least probabilities; None if none is."""
    needed = _shares_of(least)
    left = -math.log1p(-failure) - sum(n * x for n, x in zip(counts, needed, strict=True))
    each = left / sum(counts)
    return _rounded(counts, [x + each for x in needed], failure) if left >= 0 else None


def room_over(counts: Sequence[int], least: Sequence[float], failure: float) -> float:
    """How many times all the least failure probabilities together are in that of all strata."""
    needed = sum(n * x for n, x in zip(counts, _shares_of(least), strict=True))
    return -math.log1p(-failure) / needed


def _shares_of(failures: Sequence[float]) -> list[float]:
    return [-math.log1p(-one) if one < 1 else math.inf for one in failures]


def slope(cost: Callable[[float], float], x: float) -> float:
    """How fast a least cost over α falls with ln x; about, as counts are whole."""
    here, before = cost(-math.expm1(-x)), cost(-math.expm1(-_BESIDE * x))
    if before == math.inf:  # beside its least share: from the other side
        here, before = cost(-math.expm1(-x / _BESIDE)), here
    rise = before - here
    return max(rise / -math.log(_BESIDE), 1e-9 * here, 1e-300)


@dataclass(frozen=True)
class _Curve:
    """The least cost of a stratum over fine shares.

    Attributes:
        shares: from about the least with which there is a study.
        costs: at these.
    """

    shares: Array
    costs: Array

    @classmethod
    def of(cls, kind: Kind, equal: float, whole: float) -> Self | None:
        """The cost read at a few shares, closer to each other near the least; None without any."""
        nodes = np.geomspace(equal * _FINEST, whole, kind.nodes)
        costs = kind.costs(-np.expm1(-nodes))
        some = np.isfinite(costs)
        if not some.any():
            return None
        first = int(np.argmax(some))
        if first:  # short of people: closer to the least share
            near = np.geomspace(nodes[first - 1], nodes[first], kind.nodes)[1:-1]
            nodes, costs = np.append(near, nodes), np.append(kind.costs(-np.expm1(-near)), costs)
            some = np.isfinite(costs)
        nodes, at = np.unique(np.log(nodes[some]), return_index=True)
        costs = np.clip(costs[some][at], 1e-300, 1e300)
        fine = np.linspace(nodes[0], nodes[-1], _FINE)
        if len(nodes) > 1:
            costs = np.exp(scipy.interpolate.PchipInterpolator(nodes, np.log(costs))(fine))
        return cls(np.exp(fine), np.broadcast_to(costs, fine.shape))

    def best(self, price: float) -> float:
        """The share that is best at a price."""
        return float(self.shares[np.argmin(self.costs + price * self.shares)])

    def at(self, shares: Array) -> Array:
        """The cost at some shares, ∞ under the least."""
        return np.asarray(np.interp(shares, self.shares, self.costs, left=math.inf))


def _at_one_price(counts: Sequence[int], curves: Sequence[_Curve], whole: float) -> list[float]:
    """Shares that are best at one price, and add up to no more than the whole."""
    low, high = 1e-300, 1e300
    while high > low * (1 + 1e-12):
        price = math.sqrt(low) * math.sqrt(high)
        total = sum(n * curve.best(price) for n, curve in zip(counts, curves, strict=True))
        low, high = (price, high) if total > whole else (low, price)
    shares = [curve.best(high) for curve in curves]
    # what they leave goes to all
    return [x * whole / sum(n * y for n, y in zip(counts, shares, strict=True)) for x in shares]


def _moved(counts: Sequence[int], curves: Sequence[_Curve], shares: list[float]) -> list[float]:
    """The shares once no two kinds of strata gain by another division of what they have."""
    shares = list(shares)
    for _ in range(_ROUNDS):
        gained, total = 0.0, 0.0
        for i, j in permutations(range(len(shares)), 2):
            both = counts[i] * shares[i] + counts[j] * shares[j]
            mine = np.append(curves[i].shares, shares[i])
            other = (both - counts[i] * mine) / counts[j]
            costs = counts[i] * curves[i].at(mine) + counts[j] * curves[j].at(other)
            at = int(np.argmin(costs))
            gained += costs[-1] - costs[at] if costs[at] < costs[-1] else 0.0
            total += costs[at]
            shares[i], shares[j] = float(mine[at]), float(other[at])
        if not gained > _GAIN * total:
            break
    return shares


def _rounded(counts: Sequence[int], shares: Sequence[float], failure: float) -> list[float]:
    factor = 1.0
    while True:
        found = [round_down(-math.expm1(-factor * x), _DIGITS) for x in shares]
        if _together(counts, found) <= decimal(failure):
            return found
        factor *= 1 - 10.0**-_DIGITS


def _together(counts: Sequence[int], failures: Sequence[float]) -> Fraction:
    none = Fraction(1)
    for count, failure in zip(counts, failures, strict=True):
        none *= (1 - decimal(failure)) ** count
    return 1 - none
