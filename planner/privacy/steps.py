"""Distributions of whole steps: ±1 for each query is binomial; independent sums are convolved.

Probabilities are sums of positive terms, so that they stay accurate far out in the tails.
"""

import math
from dataclasses import dataclass

from planner.libraries import np
from planner.numbers import Array
from planner.privacy.law import UNIT

UNDERFLOW = 1e-300
"""More than the sum of 10^7 probabilities that underflow, each under 2.3·10^(−308)."""
_BLOCK = 4096  # longer scalar products use threads, which is slower here
_FEW = 4096  # probabilities that are convolved one by one
_NO_ODDS = 746.0  # e^(−746) is 0 as a double


@dataclass(frozen=True)
class Steps:
    """The probabilities of low, low + 2, low + 4, … steps.

    Attributes:
        low: the smallest number of steps.
        masses: the probabilities [0 to 1].
        error: the largest relative error of a mass.
        lost: an upper bound on the mass left out.
    """

    low: int
    masses: Array
    error: float
    lost: float

    def stretched(self, times: int) -> "Steps":
        """The distribution of `times` times as many steps."""
        masses = np.zeros((len(self.masses) - 1) * times + 1)
        masses[::times] = self.masses
        return Steps(self.low * times, masses, self.error, self.lost)


def binomial(epsilon: float, times: int, cut: float) -> Steps:
    """The sum of `times` steps ±1, a step up having the probability p = 1/(1 + e^(−ε)).

    Probabilities are computed from the largest one by C(k, s + 1)/C(k, s) = (k − s)/(s + 1), for
    the s steps up that leave out at most `cut` at either end.

    Args:
        epsilon: ε of one query [> 0].
        times: k [whole, ≥ 1].
        cut: the mass that may be left out at either end [> 0].
    """
    # extended precision, where available, for the products of many factors
    odds = np.exp(-np.longdouble(epsilon))
    mode = min(int((times + 1) / (1 + odds)), times)
    # Hoeffding, with one more for the mode, which is not the mean
    reach = math.ceil(math.sqrt(-times * math.log(cut) / 2)) + 1
    up = np.arange(mode, min(mode + reach, times))
    down = np.arange(mode, max(mode - reach, 0), -1)
    with np.errstate(under="ignore"):
        rising = np.cumprod((times - up) / ((up + 1) * odds))
        falling = np.cumprod(down * odds / (times - down + 1))
        masses = np.concatenate([falling[::-1], [1.0], rising])
        masses = (masses / masses.sum()).astype(float)
    # ε to a double, and a few roundings, at each of the steps from the mode: in mass and in sum
    at_each = min(epsilon, _NO_ODDS) * UNIT + 6 * float(np.finfo(np.longdouble).eps)
    error = 2 * at_each * (max(len(up), len(down)) + 1) + 2 * UNIT
    lost = 2 * cut + UNDERFLOW
    return Steps(2 * (mode - len(down)) - times, masses, error, lost)


def joined(a: Steps, b: Steps, cut: float) -> Steps:
    """The distribution of the sum of two independent numbers of steps, cut off at both ends."""
    short, long = sorted((a, b), key=lambda steps: np.count_nonzero(steps.masses))
    at = np.flatnonzero(short.masses)
    masses = np.zeros(len(a.masses) + len(b.masses) - 1)
    if 8 * len(at) < len(short.masses) or len(at) <= 4:
        for i in at:
            masses[i : i + len(long.masses)] += short.masses[i] * long.masses
    else:
        for start in range(0, len(short.masses), _BLOCK):
            block = np.convolve(short.masses[start : start + _BLOCK], long.masses)
            masses[start : start + len(block)] += block
    first = int(np.searchsorted(np.cumsum(masses), cut))
    last = len(masses) - int(np.searchsorted(np.cumsum(masses[::-1]), cut))
    error = a.error + b.error + (len(at) + 1) * UNIT
    lost = a.lost + b.lost + 2 * cut + UNDERFLOW
    return Steps(a.low + b.low + 2 * first, masses[first:last], error, lost)


def all_joined(parts: list[Steps], cut: float) -> Steps:
    """The distribution of their sum."""
    if len(parts) > 1 and sum(np.count_nonzero(part.masses) for part in parts) > _FEW:
        middle = len(parts) // 2
        return joined(all_joined(parts[:middle], cut), all_joined(parts[middle:], cut), cut)
    total = parts[0]
    for part in parts[1:]:
        total = joined(total, part, cut)
    return total


def repeated(part: Steps, times: int, cut: float) -> Steps:
    """The distribution of the sum of `times` independent copies."""
    if times == 1:
        return part
    half = repeated(part, times // 2, cut)
    both = joined(half, half, cut)
    return joined(both, part, cut) if times % 2 else both
