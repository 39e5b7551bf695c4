"""The least rate of noise, at each N, at which a noisy share is accurate: its frontier.

The rate is ε, or 1/σ (see `noise`), and it must do at every mean of a range. `rates` finds the
least one for some means; the worst means are found one by one: solve for the worst seen so far,
look for a worse one, and repeat. The frontier depends on no money: it is found once for an error,
a failure probability and a range of means, and whatever asks again reads what is known.

Two kinds of sizes need no search. Where the sample alone is off too often, none is allowed. And at
mean 1/2 the count is symmetric and unimodal, so noise that hides whole counts is off the less
often the less of it there is: any root of f = α is then the only one up to such a rate.

Geometric noise leads from whole counts to whole counts, so for it that holds at any rate, and at
the tips beside 1/2 too. With the counts from l to h right and p(k) = Pr[K = k], from z to z + 1
the chance of a right answer with noise ±z grows by p(l − z − 1) − p(l + z) plus
p(h + z + 1) − p(h − z), each the chance of a count less that of one nearer to the middle.

With noise that hides which counts lie on an edge the failure probability falls with the rate, at
mean 1/2 and in large studies. Sample and noise together are nearly normal: with f = 2Q(z), 1/z² is
nearly linear in the variance of the noise, so that a secant needs a few steps.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache, partial

from planner.libraries import find_root, np, scipy
from planner.mechanisms.exact.failure import Asked, NoisyShare, refuse_parts_of_people
from planner.mechanisms.exact.law import anchors
from planner.mechanisms.exact.noise import LARGE
from planner.mechanisms.exact.rates import CERTAIN, QUICK, Rates
from planner.mechanisms.exact.sums.binomial import upper_tail
from planner.mechanisms.frontier import Frontier
from planner.numbers import Array, Number

# sizes that are read one by one, and neighbours that one stands for in large studies
_SIZES, _ALIKE = 5_000, 50
_ROUNDS = 60  # a cap: each round adds a worst mean
_UNSEEN = 2.0**-20
"""A search that keeps so small a part of α has long met it, but for the width of the bracket."""
_ROUNDING, _CLEARLY = 1e-12, 1 + 1e-6  # floats differ by less; and what is left to the search
_ZOOMS = 4  # each leaves an eighth of what the one before left
_GRID = tuple(1.4**k for k in range(17))  # from the least rate up to 200 times it, then between two
_HIGHEST = 0.5  # the rate up to which noise hides whole counts in large studies
_STEPS, _BESIDE, _ROOT = 12, 0.95, 2e-11  # a cap; the second point of a secant; as `rates`


@lru_cache(maxsize=32)
def frontier(share: NoisyShare, asked: Asked) -> Frontier:
    """The rates over N for the means that are likely the worst.

    They are at most the certain ones, which other means and the width of brackets may raise.
    """
    return Frontier(partial(quick_rates, share, asked))


@lru_cache(maxsize=4096)
def least_rate(share: NoisyShare, n: float, asked: Asked) -> float:
    """The least allowed rate at N, within a part in 10^7 of α; ∞ where none is allowed.

    In large studies it is within four parts in 10^6, so that few brackets and short proofs will do;
    with hardly any noise the bracket stays wide, and `large_study` decides.
    """
    error, failure, mean_range = asked
    means = [share.law.nearest(mean, mean_range) for mean in anchors(error, mean_range)]
    step = share.law.tolerance(n)
    goal = failure * (1 - 2 * step)  # brackets have a width
    size = np.array([n])
    lowest = np.asarray(share.noise.alone(size, error, failure))
    largest = largest_rate(share, size, lowest)
    likely = share.likely_rate(size, error, failure)

    def parts(rate: Array, rows: Array) -> Array:
        return np.moveaxis(share.parts(rate, n, error, means), 2, 1)

    def searched(lowest: Array, goal: float) -> float:
        variance = share.law.variance(size)
        rate = smooth_rates(parts, size, asked._replace(failure=goal), lowest, variance)[0]
        if math.isnan(rate) and share.law.any_values:
            rate = first_roots(parts, lowest, goal)[0]
        if math.isnan(rate):
            search = Rates(
                parts, lowest, largest, goal, share.growth, CERTAIN, size > LARGE, likely
            )
            rate = search.least()[0]
        return float(rate)

    with np.errstate(all="ignore"):  # as where floors are read
        rate = float(only_roots(share, asked._replace(failure=goal), size)[0])
    for _ in range(_ROUNDS):
        if math.isnan(rate):
            rate = searched(lowest, goal)
        if math.isinf(rate):
            return math.inf
        worst = share.worst_mean(rate, n, asked)
        if worst.most <= failure:
            return rate
        if worst.mean in means:  # only the bracket's width is in the way: some rate more, then
            goal *= max(min(failure / worst.most, 1 - step), 0.5)
            step *= 2
        means.append(worst.mean)
        if goal < failure * _UNSEEN:  # the bracket stays wider than α: no rate is certain
            return math.inf
        lowest = np.maximum(lowest, rate * (1 - 1e-9))  # lower rates failed at the means before
        rate = math.nan
    raise ArithmeticError(
        f"no smallest noise rate was found for N = {n:g}, error {error:g} and failure {failure:g}"
    )


def always_from(share: NoisyShare, rate: float, participants: int, asked: Asked) -> int:
    """The smallest N ≥ `participants` from which the rate always suffices.

    By a bound that falls with N, it does from some N on; the sizes before are looked at
    one by one, at the means that are likely the worst, at most five thousand of them: teeth are as
    wide as the standard error of the sample. Noise that hides which counts tip over leaves no
    teeth, and in large studies one size in fifty tells of its neighbours.
    """
    error, failure, mean_range = asked

    def surely(n: int) -> bool:
        return bool(share.bound(rate, float(n), error) <= failure)

    last = bisect_left(range(participants + _SIZES), True, participants, key=surely)
    step = _ALIKE if participants > LARGE and rate <= share.smooth else 1
    sizes = np.arange(participants, last + 1, step, dtype=float)
    values = share.likely_worst(np.full(sizes.shape, rate), sizes, error, mean_range)
    fails = np.flatnonzero(values > failure)
    return int(sizes[fails[-1]]) + step if fails.size else participants


def quick_rates(share: NoisyShare, asked: Asked, n: Array) -> Array:
    """The least rates at which the likely means do not pass α; ∞ where none is."""
    rates = np.full(n.shape, np.inf)
    fails = sample_fails(n, asked) if share.law.symmetric else np.zeros(n.shape, bool)
    left = np.flatnonzero(~fails)
    if left.size:
        rates[left] = only_roots(share, asked, n[left])
    left = left[np.isnan(rates[left])]
    if left.size and share.law.any_values:
        lowest = np.asarray(share.noise.alone(n[left], asked.error, asked.failure))
        rates[left] = first_roots(_parts(share, asked, n[left]), lowest, asked.failure)
    elif left.size:
        rates[left] = _searched(share, asked, n[left])
    return rates


def only_roots(share: NoisyShare, asked: Asked, n: Array) -> Array:
    """The rates where there is one root alone; not a number where others search."""
    smooth = share.smooth if anchors(asked.error, asked.mean_range) == [0.5] else 0.0
    lowest = np.asarray(share.noise.alone(n, asked.error, asked.failure))
    variance = share.law.variance(n)
    return smooth_rates(_parts(share, asked, n), n, asked, lowest, variance, smooth)


def _searched(share: NoisyShare, asked: Asked, n: Array) -> Array:
    error, failure, _ = asked
    lowest = np.asarray(share.noise.alone(n, error, failure))
    largest, likely = largest_rate(share, n, lowest), share.likely_rate(n, error, failure)
    parts, growth = _parts(share, asked, n), share.growth
    return Rates(parts, lowest, largest, failure, growth, QUICK, n > LARGE, likely).least()


def _parts(share: NoisyShare, asked: Asked, n: Array) -> Callable[[Array, Array], Array]:
    """The parts of the failure probability for rates and the sizes they belong to."""
    return lambda rate, row: np.asarray(
        share.likely_parts(rate, n[row], asked.error, asked.mean_range)
    )


def largest_rate(share: NoisyShare, n: Array, lowest: Array) -> Array:
    """The last rates that are looked at."""
    return np.asarray(np.maximum(share.noise.largest_rate(n), 4 * lowest))


def sample_fails(n: Array, asked: Asked) -> Array:
    """Whether the failure probability passes α at mean 1/2 with any noise at all.

    Whatever is added, the answer is right for at most ⌈2NT⌉ counts in a row, and no such counts
    are likelier than those in the middle.
    """
    error, failure, (low, high) = asked
    if not low <= 0.5 <= high:
        return np.zeros(n.shape, bool)
    right = np.ceil(2 * n * error * (1 + _ROUNDING) + _ROUNDING)
    before = np.floor((n + 1 - right) / 2)  # so many counts lie under those
    some = before > 0
    size, under, over = n[some], before[some], (n + 1 - right - before)[some]
    fails = np.zeros(n.shape, bool)
    off = upper_tail(size, size - under + 1, 0.5) + upper_tail(size, size - over + 1, 0.5)
    fails[some] = off > failure * _CLEARLY
    return fails


def first_roots(parts: Callable[[Array, Array], Array], lowest: Array, failure: float) -> Array:
    """The least rates at which a bound for any values is α; ∞ where it nowhere is.

    Over the rate it falls, and rises a little where there is hardly any noise, as a line lies far
    over a step: so its least value is looked for first, about that of a grid.
    """
    rows = np.arange(len(lowest))

    def excess(log_rate: Array, row: Array) -> Array:
        worst = np.max(np.sum(parts(np.exp(log_rate).ravel(), row.ravel()), axis=0), axis=0)
        return np.asarray(worst.reshape(log_rate.shape) / failure - 1)

    grid = np.log(lowest)[:, None] + np.log(_GRID)
    passing = np.zeros(grid.shape, bool)
    for _ in range(_ZOOMS):
        over = excess(grid, np.broadcast_to(rows[:, None], grid.shape))
        passing = np.asarray(over <= 0)
        found: Array = np.asarray(passing.any(axis=1))
        at = np.argmin(over, axis=1)
        if found.all():
            break
        low, high = (
            np.take_along_axis(grid, np.clip(at + step, 0, grid.shape[1] - 1)[:, None], 1)
            for step in (-1, 1)
        )
        finer = low + (high - low) * np.linspace(0, 1, len(_GRID))
        grid = np.where(found[:, None], grid, finer)
    rates, first = np.full(len(rows), np.inf), np.argmax(passing, axis=1)
    least = np.flatnonzero(found & (first == 0))
    rates[least] = lowest[least]
    row = np.flatnonzero(found & (first > 0))
    if row.size:
        ends = grid[row, first[row] - 1], grid[row, first[row]]
        root = find_root(excess, ends, args=(row,), tolerances={"fatol": _ROOT})
        low, high = root.bracket
        rates[row] = np.exp(np.where(root.f_bracket[0] <= 0, low, high))
    return rates


def smooth_rates(
    parts: Callable[[Array, Array], Array],
    n: Array,
    asked: Asked,
    lowest: Array,
    variance: Array,
    smooth: float = 0.0,
) -> Array:
    """The least rates at which the failure probability is α; not a number where others search."""
    error, failure = asked.error, asked.failure
    goal, most = _inverse_square(failure), lowest**-2.0
    found = np.full(n.shape, np.nan)
    # the variance of noise that is normal, as if the sample were so too
    last = np.minimum((n * error) ** 2 * goal - variance, most)
    highest = np.where(n > LARGE, max(_HIGHEST, smooth), max(smooth, 1e-150))
    row = np.flatnonzero(last > highest**-2)
    last, most, least = last[row], most[row], highest[row] ** -2
    before, at_before = last * _BESIDE, np.full(row.shape, np.nan)
    for _ in range(_STEPS):
        if not row.size:
            break
        value = np.max(np.sum(parts(last**-0.5, row), axis=0), axis=0)
        at_last = _inverse_square(value)
        with np.errstate(all="ignore"):
            slope = (at_last - at_before) / (last - before)
            following = last - (at_last - goal) / slope
        open_ = np.abs(value / failure - 1) > _ROOT
        found[row[~open_]] = last[~open_] ** -0.5
        following = np.where(np.isnan(at_before), before, following)
        open_ &= (following > least) & (following <= most)
        columns = (row, most, least, last, at_last, following)
        row, most, least, before, at_before, last = (x[open_] for x in columns)
    return found


def _inverse_square(failure: Array) -> Array:
    """1/z² with f = 2Q(z)."""
    with np.errstate(divide="ignore"):
        return np.asarray(scipy.special.ndtri(np.minimum(failure, 1.0) / 2) ** -2.0)


def least_rates(
    share: NoisyShare,
    participants: Number,
    error: Number,
    failure: Number,
    mean_range: tuple[float, float],
) -> Number:
    """The least allowed rate, ∞ where none is; numbers or arrays, which broadcast."""
    refuse_parts_of_people(participants)

    def least(n: float, t: float, a: float) -> float:
        return least_rate(share, float(n), Asked(float(t), float(a), mean_range))

    rates = np.vectorize(least, otypes=[float])(participants, error, failure)
    return float(rates) if np.ndim(rates) == 0 else rates
