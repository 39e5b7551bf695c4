"""Intervals: which true values an answer leaves, computed from the published answer alone.

A proportion p is left out where an answer as far from p as the published one, or farther, has a
probability of at most α at p: Pr[|K + Z − Np| ≥ |S − Np|] ≤ α, S the published sum. The true
proportion is left out with probability at most α, whatever it is. By the promise the same holds of
a proportion that is T or more away, if the plan is about it, so no interval of a proportion is
longer than the promise. Of k groups each has α/k, so all intervals of a histogram hold together;
about 1/2 they may be a little longer than the promise, which is proved for the groups together.

That no proportion outside an interval is wrongly left out holds for ranges of them. On [l, r] under
the answer the probability is at most Pr_r[K + Z ≥ S] + Pr_l[K + Z ≤ 2Nr − S], as K grows with p in
distribution; such pieces cover all that is left out. Proportions over the answer are those of the
people without the property. Means have the promise's interval, within their range. All of this is
computed from what is published, and costs no privacy.
"""

import math
from fractions import Fraction
from typing import NamedTuple

from planner.libraries import np
from planner.mechanisms.chances import chances
from planner.mechanisms.count_floor import LARGEST_POPULATION
from planner.mechanisms.counts import Share
from planner.mechanisms.noise import NO_NOISE, NOISES, Noise
from planner.mechanisms.sample import Sample
from planner.numbers import decimal, first, round_up
from planner.publication.items import Item, rounded_up

_GRID = 2**40
"""Ends of intervals are multiples of one part of so many, far finer than any digit shown."""
_FINEST = 2**7
"""Ends are found to so small a part of their distance from the answer."""
_UNDER = 1 - 1e-9
"""Chances are summed in floats, so a little of α is left to what they may be off by."""
_OF_FLOATS = Fraction(1, 2**50)
"""By what part a published float may differ from the sum that OpenDP released."""

_DIGITS = 4
"""Of the errors of noise and sampling."""

Interval = list[float]
"""[low, high]: the true value is in it."""


class Counted(NamedTuple):
    """A noisy count of people with a property.

    Attributes:
        population: M, of whom people are drawn; None for a population without end.
        noise: that is added.
        rate: of the noise; 1 where there is none.
        participants: N.
        failure: α of its interval.
        grid: proportions are multiples of one over this.
    """

    population: int | None
    noise: Noise
    rate: float
    participants: int
    failure: Fraction
    grid: int

    def left_out(self, count: Fraction, least: int) -> int:
        """The last point of the grid up to which all proportions from a point on are left out."""
        most = min(math.floor(count / self.participants * self.grid), self.grid)
        point, step = least, most - least
        while point < most and step >= max(1, (most - point) // _FINEST):
            if point + step <= most and self._rejected(count, point, point + step):
                point += step
            else:
                step //= 2
        return point

    def _rejected(self, count: Fraction, left: int, right: int) -> bool:
        n, allowed = self.participants, float(self.failure) * _UNDER
        start, end = Fraction(left, self.grid), Fraction(right, self.grid)
        over = self._at_least(end, count)
        if over > allowed:
            return False
        return over + self._at_least(1 - start, n - (2 * n * end - count)) <= allowed

    def _at_least(self, mean: Fraction, edge: Fraction) -> float:
        """Pr[K + Z ≥ edge]."""
        n = np.array(float(self.participants))
        counts, chance = chances(n, n * float(mean), self.population)
        passed = self.noise.tail(float(edge) - counts, np.array(self.rate))
        return float(np.sum(chance * passed))


def interval(
    item: Item, sample: Sample, answer: float | list[float]
) -> Interval | list[Interval] | None:
    """The interval of an answer, or one for each of its groups, all of which hold together.

    Returns:
        [low, high], in the unit of the answer; except with the probability `item.failure` the true
        values lie in them. None of a quantile, whose error is one of rank, and of the counts of
        groups that people report, whose proportions have intervals: see `within_groups`.
    """
    if item.kind == "quantile" or item.by is not None:
        return None
    if isinstance(answer, list):
        return [_of_number(item, sample, x) for x in answer]
    return _of_number(item, sample, answer)


def _of_number(item: Item, sample: Sample, answer: float) -> Interval:
    counted = _counted(item, sample)
    if counted is None:
        return _promised(item, answer)
    n, grid, start = item.participants, counted.grid, decimal(item.low)
    width = decimal(item.high) - start
    share, reach = (decimal(answer) - start) / width, decimal(item.error) / width
    low, high = Fraction(0), Fraction(1)
    if item.truth is not None:
        assert item.other is not None
        low, high = item.other, item.truth  # the least and the largest mean of a report
    count = (low + share * (high - low)) * n
    reach = reach * (high - low) if item.kind == "share" else Fraction(2)
    around = (abs(count) + n) * _OF_FLOATS
    if counted.noise.whole:
        count, around = Fraction(round(count)), Fraction(0)

    def end(count: Fraction, nearest: Fraction) -> Fraction:
        least = max(nearest, count / n - reach)
        point = counted.left_out(count, max(0, math.floor(least * grid)))
        return max(least, Fraction(point, grid))

    ends = end(count - around, low), 1 - end(n - count - around, 1 - high)
    mapped = [min(max((x - low) / (high - low), Fraction(0)), Fraction(1)) for x in ends]
    own = min(max(share, Fraction(0)), Fraction(1))  # an answer out of range leaves the nearest
    least, most = min(mapped[0], own), max(mapped[1], own)
    return [_down(start + least * width), rounded_up(start + most * width)]


def _counted(item: Item, sample: Sample) -> Counted | None:
    """The count that a number is computed from; None where the promise alone is known."""
    plain = sample._replace(population=None).simple
    if item.kind not in ("share", "histogram") or not plain:
        return None
    people, grid = sample.population, _GRID
    if people is not None:
        if item.truth is not None or people > LARGEST_POPULATION:
            return None
        grid = people
    failure = decimal(item.failure) / item.numbers
    if item.scale is None:
        return Counted(people, NO_NOISE, 1.0, item.participants, failure, grid)
    return Counted(people, NOISES[item.noise], 1 / item.scale, item.participants, failure, grid)


def _down(x: Fraction) -> float:
    return -rounded_up(-x) + 0.0


def _promised(item: Item, answer: float) -> Interval:
    low, high = item.low, float(item.participants) if item.kind == "count" else item.high
    error = decimal(item.error) * (1 + _OF_FLOATS)
    least, most = decimal(answer) - error, decimal(answer) + error
    return [
        min(max(_down(least), low), high),
        max(min(rounded_up(most), high), low),
    ]


def noise_error(item: Item) -> float | None:
    """What noise alone moves a number by, or farther, with probability α at most, rounded up.

    Of several numbers each has its part of α. None of a quantile, of proportions within
    groups, and of reports, whose randomness is that of the people too.
    """
    if item.kind == "quantile" or item.scale is None or item.by is not None:
        return None
    alpha, n, width = item.failure / item.numbers, item.participants, item.high - item.low
    if item.noise == "geometric":  # Pr[|Z| ≥ t] = 2e^(−εt)/(1 + e^(−ε)), t whole
        off: float = math.ceil(math.log(2 / alpha / (1 + math.exp(-1 / item.scale))) * item.scale)
    else:  # Pr[|Z| ≥ t] = α at N = T = 1
        off = float(NOISES[item.noise].alone(np.array(1.0), np.array(alpha))) * item.scale
    if item.kind == "count":
        return off
    return round_up(off / n * width / item.steps, _DIGITS)


def sampling_error(item: Item, sample: Sample) -> float | None:
    """What drawing people alone moves an answer by, or farther, with probability α at most.

    At the worst proportion, exactly; of means and clusters by Hoeffding's bound. None of a
    quantile, of proportions within groups, and of a count, which is about these people alone.
    None also where it is no less than the error of the answer, as counts are whole and noise is
    not. Rounded up.
    """
    found = _of_sample(item, sample)
    return found if found is None or found < item.error else None


def _of_sample(item: Item, sample: Sample) -> float | None:
    alpha, n = item.failure / item.numbers, item.participants
    if item.kind in ("quantile", "count") or item.by is not None:
        return None
    # of differences as much as twice the share of those counted
    shares = item.kind in ("share", "histogram", "difference") and not item.values
    shares = shares and (item.low, item.high) == (-1.0 if item.compared else 0.0, 1.0)
    people = sample.population
    if (
        not shares
        or not sample._replace(population=None).simple
        or (people or 0) > LARGEST_POPULATION
    ):
        off = math.sqrt(math.log(2 / alpha) / 2 / float(sample.people(n)))
        return round_up(off * (item.high - item.low), _DIGITS)
    share, one = Share(NO_NOISE, people), np.array(1.0)

    def seldom(off: int) -> bool:
        return float(share.failure(one, np.array(float(n)), np.array(off / n))) <= alpha

    off = first(seldom, 1, n)  # nobody is off by more than all
    return round_up(off / n * (item.high - item.low), _DIGITS)
