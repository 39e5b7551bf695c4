"""The least ε of a card at which a number of reports are accurate.

Which reports are off changes at the ties, where 2Nτ = w is whole: just beyond one a report more is
right, so the failure probability drops, and between two of them it hardly moves. So the least p is
just beyond a tie, or between two where it is just low enough. In small studies the worst share may
be an end of the range, and more breaks are looked at.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial

from planner.libraries import find_root, np, scipy
from planner.mechanisms.exact import failure as exact_failure
from planner.mechanisms.exact.least_rate import sample_fails
from planner.mechanisms.exact.no_noise import NEAR
from planner.mechanisms.frontier import Frontier
from planner.mechanisms.reports import card
from planner.mechanisms.reports.card import (
    LARGE,
    Asked,
    about_printed,
    epsilon_of_strength,
    least_printed,
    strength_of,
)
from planner.mechanisms.reports.worst import failure_at, most_off, near_tips
from planner.numbers import Array, decimal

_ALL_TIES = 64
"""So few ties are all looked at."""
_NEAR_TIES = 2
"""So near to a guess the first tie mostly is."""
_FEW, _FEW_OF_NARROW = 60, 300
"""Studies of so few people are looked at at every break; the second where 1/2 is not asked of."""
_HALVINGS = 52  # to the last digit
_BESIDE, _POINTS = 1e-6, 6  # how near to a break, and how many between two
_HARDLY_UNTRUE = [1 - Fraction(1, 10**digits) for digits in range(3, 16, 3)]  # up to a double's end
_NEARLY_ACCURATE, _MOST_CLOSER = 1.5, 12  # valleys that may reach α, and steps into one
_NEARLY = 1 - 1e-12  # just under p = 1


@lru_cache(maxsize=32)
def frontier(asked: Asked) -> Frontier:
    """The least ε over N for the shares that are likely the worst; ∞ where none is."""
    return Frontier(partial(quick_floors, asked=asked))


def quick_floors(sizes: Array, asked: Asked) -> Array:
    """The same over an array of N, computed anew."""
    every = np.asarray(sizes, float)
    large = every > LARGE
    floors = np.full(every.shape, np.inf)
    floors[large] = about_printed(_by_bound(every[large], asked), asked.answers)
    small = ~large
    small[small] = ~sample_fails(
        every[small], exact_failure.Asked(*asked[:3])
    )  # nor where every report is true
    floors[small] = _small_floors(every[small], asked)
    return floors


def _by_bound(n: Array, asked: Asked) -> Array:
    """The p − q that a bound on the failure probability asks for: Q(2√N(τ − 1/N)) = α/2."""
    return (1 / n - scipy.special.ndtri(asked.failure / 2) / (2 * np.sqrt(n))) / asked.error


def _small_floors(rows: Array, asked: Asked) -> Array:
    one_by_one = rows <= _at_breaks_up_to(asked)
    floors = np.empty(rows.shape)
    floors[one_by_one] = [least_epsilon(int(n), asked) for n in rows[one_by_one]]
    floors[~one_by_one] = _floors_at_ties(rows[~one_by_one], asked)
    return floors


def _at_breaks_up_to(asked: Asked) -> int:
    """The largest study that is looked at at every break: elsewhere the worst share is near 1/2.

    Of several groups, where it may be p, the least ε of larger ones may lie a little too high.
    """
    low, high = asked.mean_range
    return _FEW if low <= 0.5 <= high else _FEW_OF_NARROW


def _floors_at_ties(rows: Array, asked: Asked) -> Array:
    ties, between = _least_ties(rows, asked, np.array(NEAR))
    strength = ties / (2 * rows * asked.error)
    epsilon = about_printed(np.minimum(strength, 1.0), asked.answers)
    epsilon = np.where(np.isinf(ties), np.inf, epsilon)
    low = np.isfinite(between)
    # between ties nothing is gained by the next digit
    alone = epsilon_of_strength(between[low] / (rows[low] * asked.error), asked.answers)
    epsilon[low] = alone
    return epsilon


@lru_cache(maxsize=8192)
def least_epsilon(n: int, asked: Asked) -> float:
    """The least ε of a card at which N reports are accurate; ∞ where none is."""
    error, failure, _, answers = asked
    if n > LARGE:
        share = float(_by_bound(np.array(float(n)), asked))
        return least_printed(Fraction(share), True, answers) if share < 1 else math.inf
    if n <= _at_breaks_up_to(asked):
        return _floor_at_breaks(n, asked)
    near = near_tips(n, _typical(n, failure))
    ties, between = _least_ties(np.array([float(n)]), asked, near)
    if np.isfinite(between[0]):
        strength = Fraction(float(between[0])) / n / decimal(error)
        return least_printed(min(strength, Fraction(1)), False, answers)
    if np.isinf(ties[0]):
        return math.inf
    return least_printed(Fraction(int(ties[0]), 2 * n) / decimal(error), True, answers)


def _typical(n: int, failure: float) -> float:
    return math.sqrt(n * max(-2 * math.log(failure / 2), 0.1)) / 2


def _floor_at_breaks(n: int, asked: Asked) -> float:
    """The least ε where an end of the range may be the worst share: every break is looked at.

    Reports tip over an edge at ties, and at an end μ of the range where N/k + Ns(μ − 1/k ± T) is
    whole. Between two such s the failure probability is smooth, and a few points show its valley.
    """
    error, failure, mean_range, answers = asked
    exact, centre = decimal(error), Fraction(1, answers)
    breaks = {Fraction(w, 2 * n) / exact for w in range(math.ceil(2 * n * exact))}
    for mean in mean_range:
        for slope in (decimal(mean) - centre + exact, decimal(mean) - centre - exact):
            last: Fraction = n * slope  # the edge moves from N/2 by this, over s from 0 to 1
            counts = range(
                math.ceil(n * centre + min(last, Fraction(0))),
                math.floor(n * centre + max(last, Fraction(0))) + 1,
            )
            breaks |= {(k - n * centre) / last for k in counts if last}
    starts: list[Fraction] = [*sorted(s for s in breaks if 0 <= s < 1), Fraction(1)]
    # few people who may hardly ever be off need a card that is hardly ever untrue
    starts[-1:] = [s for s in _HARDLY_UNTRUE if s > starts[-2]] + starts[-1:]
    ends = np.array([float(s) for s in starts])
    between = np.linspace(_BESIDE, 1 - _BESIDE, _POINTS)
    points = ends[:-1, None] + np.diff(ends)[:, None] * between

    more = near_tips(n, _typical(n, failure))

    def failures(strengths: Array, near: Array = more) -> Array:
        sizes, excess = np.full(strengths.shape, float(n)), n * error * strengths
        return most_off(sizes, excess, np.ceil(2 * excess), strengths, mean_range, answers, near)

    # never too high, as few shares are looked at
    quick = failures(points.ravel(), np.array(NEAR)).reshape(points.shape)
    for place in np.flatnonzero(quick.min(axis=1) <= _NEARLY_ACCURATE * failure):
        values = failures(points[place])
        _to_the_valley(points[place], values, failures, failure)
        good = values <= failure
        if not good.any():
            continue
        first = int(np.argmax(good))
        if first == 0:
            epsilon = least_printed(starts[place], True, answers)
        else:
            low, high = points[place, first - 1], points[place, first]
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                if failures(np.array([middle]))[0] <= failure:
                    high = middle
                else:
                    low = middle
            epsilon = least_printed(Fraction(float(high)), False, answers)
        for _ in range(2):  # at α itself rounding may refuse a card, but not the next one
            if math.isinf(epsilon):
                break
            truth = card.truthful(epsilon, answers=answers)
            if failure_at(n, truth, error, mean_range, answers) <= failure:
                return epsilon
            epsilon = least_printed(strength_of(truth, answers), True, answers)
    return math.inf


def _to_the_valley(
    points: Array, values: Array, failures: Callable[[Array], Array], sufficient: float
) -> None:
    """Close in on the least of some values, in place, until one is small enough."""
    before = math.inf
    for _ in range(_MOST_CLOSER):
        best = int(np.argmin(values))
        lack, gained = values[best] - sufficient, before - values[best]
        # it is lowest at an end, or what is left to gain is less than what was gained
        if lack <= 0 or not 0 < best < _POINTS - 1 or gained < lack / 2:
            return
        before = values[best]
        points[:] = np.linspace(points[best - 1], points[best + 1], _POINTS)
        values[:] = failures(points)


def _least_ties(n: Array, asked: Asked, near: Array) -> tuple[Array, Array]:
    """For each N the first tie w beyond which it is accurate, and the Nτ before it that will do.

    The first is ∞ where none is, the second not a number where none before the tie is.
    """
    error, failure, mean_range, answers = asked
    exact = decimal(error)
    last = np.array([math.ceil(2 * int(x) * exact) for x in n])  # from here on p would be over 1

    def passes(tie: Array, rows: Array) -> Array:
        tie = np.asarray(tie, float)
        strength = tie / (2 * n[rows] * error)
        return most_off(n[rows], tie / 2, tie + 1, strength, mean_range, answers, near) <= failure

    # by the normal law at a share of 1/2, with half a report's room
    about = 1 - np.sqrt(n) * float(scipy.special.ndtri(failure / 2))
    first = _first_passing(passes, last, about)
    # before its first tie, or before p = 1
    end = np.minimum(first / 2, n * error * _NEARLY)
    sizes = np.arange(len(n))

    def failure_over(excess: Array, rows: Array) -> Array:
        strength = excess / (n[rows] * error)
        width = first[rows]
        return most_off(n[rows], excess, width, strength, mean_range, answers, near) - failure

    between = np.full(len(n), np.nan)
    rows = sizes[first >= 1]
    rows = rows[failure_over(end[rows], rows) <= 0] if rows.size else rows
    if rows.size:
        # just beyond the tie before it is not accurate yet
        root = find_root(failure_over, ((first[rows] - 1) / 2, end[rows]), args=(rows,))
        low, high = root.bracket
        between[rows] = np.where(root.f_bracket[0] <= 0, low, high)
    return np.where(first < last, first, np.inf).astype(float), between


def _first_passing(passes: Callable[[Array, Array], Array], last: Array, about: Array) -> Array:
    """For each row the least whole w in [0, last) that passes, `last` where none does."""
    first = last.copy()
    few = last <= _ALL_TIES
    rows = np.flatnonzero(few)
    if rows.size:
        tie, row = np.meshgrid(np.arange(last[rows].max()), rows)
        inside = tie < last[row]
        good = np.zeros(tie.shape, bool)
        good[inside] = passes(tie[inside], row[inside])
        first[rows] = np.where(good.any(axis=1), good.argmax(axis=1), last[rows])
    rows = np.flatnonzero(~few)
    low, high = np.zeros(rows.size, np.int64) - 1, last[rows].astype(np.int64)
    for step in (-_NEAR_TIES, _NEAR_TIES) if rows.size else ():
        at = np.clip(np.rint(about[rows]).astype(np.int64) + step, 0, last[rows] - 1)
        good = passes(at, rows)
        low = np.where(~good & (at > low), at, low)
        high = np.where(good & (at < high), at, high)
    while rows.size and np.any(high - low > 1):
        middle = np.maximum((low + high) // 2, 0)
        good = passes(middle, rows)
        low, high = np.where(good, low, middle), np.where(good, middle, high)
    first[rows] = high
    return first
