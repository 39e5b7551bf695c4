"""How many people to invite, so that enough of them take part.

Of m people who are invited, and who respond each with the same chance whatever others do, a
binomial number takes part. The fewest m by which N come with a given probability rise with N.
"""

import math
from functools import lru_cache

from planner.libraries import np, scipy, sympy
from planner.numbers import FLOATS, FRACTIONS, Array, Number, arrays, of

_MET = 1 - 1e-12
"""So near a probability doubles call it met: one invitation at a rate of 0.95 brings one person
with the very 0.95 that is asked."""
_MANY = 1e12
"""So many invitations are not counted one by one: the law of so many is normal."""


def invited(participants: Number, rate: float, arrive: float) -> Number:
    """The fewest invitations by which so many take part with this probability, or more.

    Args:
        participants: N [≥ 1]: a number or an array; of a symbol they are the symbol I.
        rate: the chance that a person who is invited takes part [(0, 1]].
        arrive: the probability with which they are enough [[1/2, 1)].
    """
    if rate == 1:
        return participants
    system = of(participants)
    if system in (FLOATS, FRACTIONS, arrays()):
        if np.ndim(participants) == 0 and float(participants).is_integer():
            return _of_whole(int(participants), rate, arrive)
        n = np.asarray(participants, dtype=float)
        return n + _staying_away(n, rate, arrive)
    return sympy.Symbol("I", positive=True)


@lru_cache(maxsize=256)
def most_of(population: int, rate: float, arrive: float) -> int:
    """How many take part with this probability, or more, where a whole population is invited.

    Args:
        population: M [≥ 1].
        rate: the chance that a person who is invited takes part [(0, 1]].
        arrive: the probability with which so many come [[1/2, 1)].
    """
    if rate == 1:
        return population
    most = math.ceil(scipy.special.bdtrik(1 - arrive, population, rate)) + 1
    while most and invited(most, rate, arrive) > population:
        most -= 1
    return most


@lru_cache(maxsize=4096)
def _of_whole(n: int, rate: float, arrive: float) -> int:
    return n + int(_staying_away(np.asarray(float(n)), rate, arrive))


def _staying_away(n: Array, rate: float, arrive: float) -> Array:
    """How many of the fewest invitations are for people beyond N, by doubles."""

    def enough(away: Array) -> Array:
        chance = scipy.special.betainc(n, np.maximum(away, 0.0) + 1, rate)
        return (away >= 0) & (chance > arrive * _MET)

    # the normal law with its correction for skewness, solved for the number invited
    z = scipy.special.ndtri(arrive)
    count = np.maximum(n - 0.5 - (1 - 2 * rate) * (z * z - 1) / 6, 0.0)
    spread = z * math.sqrt(1 - rate)
    near = (spread + np.sqrt(spread**2 + 4 * count)) ** 2 / (4 * rate)
    near = np.maximum(np.floor(near - n), 0.0)
    counted, low, high = (n >= 1) & (near < _MANY), near - 1, near
    while np.any(also := counted & enough(low)):
        low, high = np.where(also, 2 * low - high - 1, low), np.where(also, low, high)
    while np.any(short := counted & ~enough(high)):
        low, high = np.where(short, high, low), np.where(short, 2 * high - low + 1, high)
    while np.any(apart := counted & (high - low > 1)):
        middle = np.floor((low + high) / 2)
        over = enough(middle)
        low = np.where(apart & ~over, middle, low)
        high = np.where(apart & over, middle, high)
    return high
