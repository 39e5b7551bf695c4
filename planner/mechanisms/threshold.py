"""When a test of a noisy count rejects, and its power, in floats; proofs are in `power_proof`."""

import math
from typing import NamedTuple

from planner.libraries import np, scipy
from planner.mechanisms.exact import two_groups
from planner.mechanisms.exact.sums.binomial import upper_tail
from planner.mechanisms.exact.sums.noisy_count import upper_side
from planner.mechanisms.hypotheses import Hypotheses, Shares
from planner.numbers import Array, Number

KEPT = 1e-10
"""The part of the significance that a threshold found in floats keeps back for their roundings."""
SURE = 500.0
"""With a larger ε noise on a count is never drawn: e^−500 is less than any probability asked."""
LISTED = 10**8
"""Of more people in two groups the counts are not listed; they vary by less than the noise."""
_MOST_SECANTS = 100
"""A few suffice; halvings alone would take 53."""


class Threshold(NamedTuple):
    """When a test rejects.

    Attributes:
        level: c: it rejects if W > c.
        chance: γ: with this probability it rejects if W = c [[0, 1]]; arrays of one shape.
    """

    level: Array
    chance: Array


def threshold_at(tested: Hypotheses, epsilon: Array, people: Array, part: float = 1.0) -> Threshold:
    """The threshold at which the null value is rejected with a part of the significance; in floats.

    The law of W is log-concave, so the logarithm of Pr[W ≥ c], taken as a line between whole
    numbers, is concave and falls: a secant's root lies beyond its own, and the next ones come down.
    Count and noise are both off upwards with half the probability to reject, or both downwards with
    half that not to: c lies between, and is halved towards where a secant says nothing.
    """
    null = np.asarray(tested.null.mean, float)
    size = float(tested.significance) * part

    def off(failure: float) -> Array:
        return np.sqrt(people * (math.log(2 / failure) / 2)) + math.log(2 / failure) / epsilon + 1

    low, high = np.floor(people * null - off(1 - size)), np.ceil(people * null + off(size))
    with np.errstate(all="ignore"):
        spread = np.sqrt(people * (null * (1 - null)) + 2 / np.expm1(epsilon) ** 2 + 0.25)
        level = np.floor(people * null + scipy.special.ndtri(1 - size) * spread).clip(low, high)
        for _ in range(_MOST_SECANTS):
            at, over = noisy_count_over(tested.null, np.stack([level, level + 1]), epsilon, people)
            found = (over <= size) & (size <= at)
            if found.all():
                break
            low, high = np.where(over > size, level + 1, low), np.where(at < size, level - 1, high)
            height = np.log(at / size)
            near = level + np.floor(height / (height - np.log(over / size)))
            near = np.where((low <= near) & (near <= high), near, np.floor((low + high) / 2))
            level = np.where(found, level, near)
        chance = np.where(at > over, (size - over) / (at - over), 0.0)
    return Threshold(level, chance.clip(0, 1))


def planned_threshold(tested: Hypotheses, epsilon: float, people: int) -> tuple[int, float]:
    """C and γ of a plan, of the people who are counted; see `Threshold`."""
    sizes = np.array([epsilon]), people_in(tested, np.array([people]))
    level, chance = threshold_at(tested, *sizes, 1 - KEPT)
    return int(level[0]), float(chance[0])


def power_of(tested: Hypotheses, epsilon: Array, people: Array, part: float = 1 - KEPT) -> Array:
    """The power of a test of N people, where the significance is kept in spite of roundings."""
    level, chance = threshold_at(tested, epsilon, people, part)
    edges, shares = np.stack([level, level + 1]), tested.alternative
    many = (people > LISTED) & (tested.groups == 2)
    at, over = noisy_count_over(shares, edges, epsilon, np.where(many, LISTED, people))
    if many.any():
        alike = noisy_count_over(shares.alike, edges, epsilon, people)
        at, over = np.where(many, alike, (at, over))
    return np.asarray(over + (at - over) * chance)


def people_in(tested: Hypotheses, participants: Number) -> Array:
    """How many of N people are in the test: all, or as many in either group [≥ 1 or 2]."""
    groups = tested.groups
    return np.maximum(np.floor(np.asarray(participants, float) / groups), 1.0) * groups


def noisy_count_over(shares: Shares, edge: Array, epsilon: Array, people: Array) -> Array:
    """Pr[K + Z ≥ edge]."""
    if shares.same:
        return _one_over(np.asarray(shares.first, float), edge, epsilon, people)
    return two_groups.over_edge(
        shares, edge, people, lambda share, rest, size: _one_over(share, rest, epsilon, size)
    )


def _one_over(mean: Array | float, edge: Array, epsilon: Array, people: Array) -> Array:
    """The same where all are counted with one probability, by the smaller of the two sides."""
    excess = edge - people * mean
    up = excess > 0
    share, off = np.where(up, mean, 1 - mean), np.where(up, excess, 1 - excess)
    if np.all(epsilon >= SURE):
        side = upper_tail(people, np.rint(people * share + off), share)
    else:
        side = upper_side(people, share, off, epsilon, np.float64(0.0))
    return np.asarray(np.where(up, side, 1 - side))
