"""How many people a study that is not private needs, exactly.

The sample mean of N people is off by T or more with probability Pr[|K − Nμ| ≥ NT]. Between the
means at which a count tips over an edge, both tails are convex in μ, so the worst mean is such a
mean, Nμ + NT = h or Nμ − NT = g for a whole h or g, or an end of the range: finitely many, each two
binomial tails. Which counts are off there is decided in fractions.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb

from planner import numbers
from planner.libraries import np, scipy
from planner.mechanisms.exact.failure import SHARES, Asked, noisy
from planner.mechanisms.exact.sums.binomial import HUGE, lower_tail, upper_tail
from planner.mechanisms.sample import SIMPLE, Sample
from planner.numbers import WHOLE_LIMIT, Array, Number, decimal

_LARGEST = 2_000_000  # larger sizes are not listed
_ALL = 5_000  # so many sizes are all looked at
# so few people may reach α exactly; floats differ by less than a billionth
_FEW, _ROUNDING = 50, 1e-9
_ROUNDED = 1e-13
"""A bracket as wide as this, as a fraction, is what floats tell apart."""
_ROUGH, _CLOSE = 1e4, 1e-3
"""The first terms of Temme's expansion are this close where the variance is so large."""
NEAR = tuple(range(-2, 4))
"""The tipping counts nearest to the middle, beside it."""


@dataclass(frozen=True, eq=False)
class Fewest:
    """How many people suffice without privacy, each number computed where it is asked for.

    Attributes:
        sizes: those that could be either number, ascending.
        passes: whether the size at a place among them is accurate at every mean.
        sufficient: a number that suffices.
    """

    sizes: Array
    passes: Callable[[int], bool]
    sufficient: int

    @cached_property
    def participants(self) -> int:
        """The smallest N at which the sample is accurate at every mean."""
        accurate = (int(size) for at, size in enumerate(self.sizes) if self.passes(at))
        return next(accurate, self.sufficient)

    @cached_property
    def always_from(self) -> int:
        """The smallest N from which it always is."""
        backwards = reversed(range(self.sizes.size))
        last = next((at for at in backwards if not self.passes(at)), None)
        return int(self.sizes[0]) if last is None else int(self.sizes[last]) + 1


@lru_cache(maxsize=64)
def fewest(error: float, failure: float, mean_range: tuple[float, float]) -> Fewest | None:
    """The smallest sizes that are accurate without noise; None where they are too large to list.

    Args:
        error: T [(0, 1]].
        failure: α [(0, 1)].
        mean_range: the means for which the analyst must be right [in [0, 1]].
    """
    always = math.log(2 / failure) / 2 / error / error  # from here on by Hoeffding
    if not always <= _LARGEST:
        return None
    sufficient = math.ceil(always)
    sizes = _doubtful(sufficient, error, failure, mean_range)
    likely = _likely_passes(sizes, error, failure, mean_range)
    # at all means where the likeliest pass and no bound shows it (see `large_study`)
    most = 2 * scipy.special.ndtr(-2 * (sizes * error - 1) / np.sqrt(sizes))
    doubtful = likely & (most > failure * (1 - _ROUNDING))

    def passes(at: int) -> bool:
        if not doubtful[at]:
            return bool(likely[at])
        return _passes(int(sizes[at]), error, failure, mean_range)

    return Fewest(sizes, passes, sufficient)


@lru_cache(maxsize=64)
def sufficient_size(
    error: float,
    failure: float,
    mean_range: tuple[float, float],
    sample: Sample = SIMPLE,
    any_values: bool = True,
) -> int | None:
    """A size at which a sample without noise is accurate; None where there are too many people.

    Of the mean of any values the smallest by the bound of `bounded`: a larger sample is smaller in
    convex order, as its mean is the average of those of its parts, so it is as accurate, and sizes
    are bisected. Of a proportion in a population, whose counts are whole, it is about the smallest.
    """
    share, asked = noisy("none", any_values, mean_range, sample), Asked(error, failure, mean_range)
    always = math.ceil(math.log(2 / failure) / 2 / error / error)
    always = min(always * sample.design(numbers.FLOATS), sample.population or math.inf)
    if not always <= WHOLE_LIMIT:
        return None

    def accurate(n: int) -> bool:
        return share.worst_mean(1.0, float(n), asked).most <= failure

    most = math.ceil(always)
    return 1 + bisect_left(range(1, most), True, key=accurate)


def _doubtful(
    sufficient: int, error: float, failure: float, mean_range: tuple[float, float]
) -> Array:
    """The sizes to look at one by one: all, or where many those about which a grid is in doubt."""
    if sufficient <= _ALL:
        return np.arange(1, sufficient + 1)
    grid = np.unique(np.geomspace(1, sufficient, _ALL // 10).astype(np.int64))
    passes = _likely_passes(grid, error, failure, mean_range)
    fails = np.flatnonzero(~passes)
    first, last = int(np.argmax(passes)), int(fails[-1]) if fails.size else -1
    oscillation_period = 6 * math.isqrt(sufficient)  # as wide as the standard error of the sample
    low, high = (
        grid[max(first - 1, 0)] - oscillation_period,
        grid[min(last + 1, len(grid) - 1)] + oscillation_period,
    )
    return np.arange(max(1, low), min(sufficient, high) + 1)


def _likely_passes(
    sizes: Array, error: float, failure: float, mean_range: tuple[float, float]
) -> Array:
    """Whether the tipping means nearest to the middle pass; roughly, where that is enough."""
    chances = _near_the_middle(sizes, error, mean_range, _ROUGH)
    doubtful = np.abs(chances - failure) < _CLOSE * failure
    chances[doubtful] = _near_the_middle(sizes[doubtful], error, mean_range)
    return np.asarray(chances <= failure * (1 + _ROUNDING))


def _passes(n: int, error: float, failure: float, mean_range: tuple[float, float]) -> bool:
    """Whether N people are accurate at every mean; few people may reach α exactly."""
    chance = worst(n, error, mean_range, failure)
    if n > _FEW or abs(chance - failure) > _ROUNDING * failure:
        return chance <= failure
    return _worst_exactly(n, error, mean_range) <= decimal(failure)


def _worst_exactly(n: int, error: float, mean_range: tuple[float, float]) -> Fraction:
    """The largest Pr[|K − Nμ| ≥ NT], in fractions."""
    t, (low, high) = decimal(error), map(decimal, mean_range)
    tips = {Fraction(k, n) + side for k in range(n + 1) for side in (t, -t)}
    means = {mean for mean in tips if low <= mean <= high} | {low, high}

    def chance(mean: Fraction) -> Fraction:
        off = (k for k in range(n + 1) if abs(k - n * mean) >= n * t)
        return sum((comb(n, k) * mean**k * (1 - mean) ** (n - k) for k in off), Fraction(0))

    return max(map(chance, means))


def worst(
    participants: int, error: float, mean_range: tuple[float, float], sufficient: float = 0.0
) -> float:
    """The largest Pr[|K − Nμ| ≥ NT] over some means; or less where it is `sufficient` or less."""
    asked = Asked(error, sufficient, mean_range)
    return SHARES["none"].worst_mean(1.0, float(participants), asked, _ROUNDED).least


def tipping(
    n: Number,
    count: Number,
    excess: Number,
    width: Number,
    mean_range: tuple[Number, Number],
    above: bool,
    huge: float = HUGE,
) -> Number:
    """The chance to be off at the mean where `count` is just off above, or just off below.

    `width` is 2NT, rounded up: how far apart the two edges are.
    """
    mean, high, low = _edges(n, count, excess, width, above)
    inside = (mean >= mean_range[0]) & (mean <= mean_range[1])
    mean = np.clip(mean, 0.0, 1.0)
    with np.errstate(all="ignore"):
        over = np.where(high >= 1, upper_tail(n, np.maximum(high, 1.0), mean, huge), 1.0)
        under = np.where(low >= 0, lower_tail(n, np.maximum(low, 0.0), 1 - mean, huge), 0.0)
    return np.where(inside, over + under, 0.0)


def _edges(
    n: Number, count: Number, excess: Number, width: Number, above: bool
) -> tuple[Number, Number, Number]:
    """The mean at which a count is just off, and from which counts on others are, up and down."""
    if above:
        return (count - excess) / n, count, count - width
    return (count + excess) / n, count + width, count


def _near_the_middle(
    sizes: Array, error: float, mean_range: tuple[float, float], huge: float = HUGE
) -> Array:
    """The largest chance over the few tipping means nearest to the middle, for many sizes."""
    centre = min(max(0.5, mean_range[0]), mean_range[1])
    exact = decimal(error)
    width = np.array([math.ceil(2 * int(n) * exact) for n in sizes])[:, None]
    n, excess = sizes[:, None].astype(float), (sizes * error)[:, None]
    above = np.clip(np.rint(n * centre + excess) + NEAR, 0, n)
    below = np.clip(np.rint(n * centre - excess) - NEAR, 0, n)
    chances = [
        tipping(n, above, excess, width, mean_range, True, huge),
        tipping(n, below, excess, width, mean_range, False, huge),
    ]
    return np.max(np.concatenate(chances, axis=1), axis=1)
