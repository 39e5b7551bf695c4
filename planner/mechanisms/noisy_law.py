"""The laws of noisy counts Y = K + Z, in floats: Z is two-sided geometric noise.

K is binomial; of a population of M people, of whom n are drawn without replacement, hypergeometric.

Pr[Z = z] ∝ e^(−ε|z|). Within reach of the mean the chances of Y are a sum that is made in two
passes, one from each side; beyond, Pr[Y = y] is a constant times e^(−ε|y|). A count that varies
by more than `_FINE` is looked at in steps: the law then runs so evenly that its tails are right to
a ten-thousandth part.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

from planner.libraries import np, scipy
from planner.numbers import Array, Number

_REACH, _MORE = 8.5, 30
"""Counts farther than 8.5 deviations and 30 from their mean have less than 1e-15 together."""
_FINE = 500
"""A count that varies by more is looked at in steps of so small a part of its deviation."""
_BLOCKS, _OF_TAIL, _FAR = 600, 0.25, 32.0
"""Values of a count that are read; in the tail blocks of 1/4ε each, to 32/ε."""


@lru_cache(maxsize=4096)
def _count(people: int, share: float, population: int | None) -> tuple[int, int, Array]:
    """The step, the first count and the chances of K, within reach of its mean."""
    deviation = math.sqrt(people * share * (1 - share) * left_out(people, population))
    step = max(1, int(deviation / _FINE))
    reach = _REACH * deviation + _MORE
    first = max(0, math.floor(people * share - reach))
    last = min(people, math.ceil(people * share + reach))
    counts = np.arange(first, last + 1, step)
    if population is None:
        chances = scipy.stats.binom.pmf(counts, people, share)
    else:
        chances = scipy.stats.hypergeom.pmf(counts, population, round(share * population), people)
    return step, first, chances / chances.sum()


def left_out(people: Number, population: int | None) -> Number:
    """By what part the variance of a count is that of independent people: (M − n)/(M − 1)."""
    if population is None or population == 1:
        return 1.0
    return np.maximum(population - people, 0.0) / (population - 1)


@dataclass(frozen=True)
class NoisyLaws:
    """The laws of Y for several proportions, a row for each.

    Attributes:
        step: how far the values lie apart that are looked at; a column.
        first: the first value within reach; a column.
        last: the place of the value after the last one; a column.
        over: Pr[Y ≥ y] at each place from the first to the last.
        decay: ε times the step; a column.
    """

    step: Array
    first: Array
    last: Array
    over: Array
    decay: Array

    @classmethod
    def of(
        cls, people: int, shares: tuple[float, ...], epsilon: float, population: int | None = None
    ) -> "NoisyLaws":
        """The laws of the count of some people with a property.

        Args:
            people: n [≥ 1].
            shares: the proportions that have it, of a population of whole people [[0, 1]].
            epsilon: ε [> 0].
            population: M, of whom they are drawn without replacement [≥ n]; None without end.
        """
        counts = [_count(people, share, population) for share in shares]
        step, first = (np.array([one[k] for one in counts])[:, None] for k in (0, 1))
        last = np.array([len(chances) for _, _, chances in counts])[:, None]
        chances = np.zeros((len(counts), int(last.max()) + 1))
        for row, (_, _, own) in zip(chances, counts, strict=True):
            row[: len(own)] = own
        decay = np.minimum(epsilon * step, 700.0)
        noisy = np.empty_like(chances)
        for one in np.unique(decay):
            rows, kept = decay[:, 0] == one, math.exp(-one)
            up = scipy.signal.lfilter([1.0], [1.0, -kept], chances[rows])
            down = scipy.signal.lfilter([1.0], [1.0, -kept], chances[rows, ::-1])[:, ::-1]
            whole = (up + down - chances[rows]) * ((1 - kept) / (1 + kept))
            beyond = np.take_along_axis(up, last[rows] - 1, 1) * kept / (1 + kept)
            np.put_along_axis(whole, last[rows], beyond, 1)
            whole[np.arange(chances.shape[1]) > last[rows]] = 0.0
            noisy[rows] = whole
        return cls(step, first, last, noisy[:, ::-1].cumsum(axis=1)[:, ::-1], decay)

    def at_least(self, value: Array) -> Array:
        """Pr[Y ≥ y] of whole numbers y, a row of them for each law."""
        place = (value - self.first - 0.5) / self.step + 0.5
        inside = np.clip(place, 0.0, self.last)
        at = np.minimum(inside.astype(int), self.last - 1)
        part = inside - at
        within = np.take_along_axis(self.over, at, 1) * (1 - part)
        within += np.take_along_axis(self.over, at + 1, 1) * part
        with np.errstate(under="ignore"):
            beyond = np.exp(-self.decay * np.maximum(np.maximum(place - self.last, -place), 0.0))
        after, before = np.take_along_axis(self.over, self.last, 1), 1 - self.over[:, :1]
        return np.where(
            place > self.last, after * beyond, np.where(place < 0, 1 - before * beyond, within)
        )

    @cached_property
    def blocks(self) -> tuple[Array, Array]:
        """Values of Y, and the chances of the values about each, which add up to 1 in each row."""
        of_core = 2 * np.ceil((self.last / _BLOCKS - 1) / 2) + 1  # odd: the middle is a value
        blocks = np.arange(int(np.ceil(self.last / of_core).max()) + 1)
        core = np.minimum(blocks * of_core, self.last)
        width = np.maximum(1, 2 * np.rint((_OF_TAIL / self.decay - 1) / 2) + 1)
        number = math.ceil(float((_FAR / self.decay / width).max()))
        tail = np.arange(1, number + 1) * width
        places = np.concatenate([-tail[:, ::-1], core, self.last + tail], axis=1)
        starts = self.first + self.step * places
        over = self.at_least(starts)
        chances = over - np.append(over[:, 1:], np.zeros_like(self.last), axis=1)
        chances[:, 0] += 1 - over[:, 0]
        ends = np.append(starts[:, 1:], starts[:, -1:] + self.step * width, axis=1)
        return (starts + ends - self.step) / 2, chances
