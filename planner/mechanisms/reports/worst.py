"""How often a share estimated from randomised reports is off, at the worst share.

With p from the card and q = 1 − p, the number Y of people who report the property is
Binomial(N, λ), λ = q + μ(p − q), and the estimate (Y/N − q)/(p − q) is off by T or more exactly
where |Y/N − λ| ≥ τ = T(p − q): the study without privacy (`exact.no_noise`) at an error of τ and
means λ between q and p. Which reports are off changes at the ties, where 2Nτ = w is whole: just
beyond one a report more is right, so the failure probability drops, and between two of them it
hardly moves. The least p is just beyond a tie, then, or between two where it is just low enough.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from scipy.special import ndtr, ndtri

from planner.mechanisms.exact.binomial import lower_tail, upper_tail
from planner.mechanisms.exact.no_noise import NEAR, tipping
from planner.mechanisms.exact.noise import Asked
from planner.mechanisms.reports import LARGE, card
from planner.mechanisms.reports.card import about_printed, epsilon_of_strength, least_printed
from planner.numbers import Array, decimal

_ALL_TIES = 64
"""So few ties are all looked at: there the worst share may be an end of the range."""
_ON_EDGE = 1e-12
_HALVINGS = 52
_FEW = 60
_BESIDE, _NEARLY_ONE, _POINTS = 1e-6, 1 - 1e-15, 6
_NEARLY = 1 - 1e-12
_MOST_NEAR = 2_000


def most_off(
    n: Array,
    excess: Array,
    width: Array,
    strength: Array,
    mean_range: tuple[float, float],
    near: Array = NEAR,
) -> Array:
    """The largest failure probability over the shares likely to be the worst; arrays of one shape.

    Args:
        n: participants.
        excess: Nτ.
        width: 2Nτ rounded up, or one more just beyond a tie.
        strength: p − q.
        mean_range: of shares.
        near: which tipping counts beside the middle one are looked at.
    """
    n, excess, width, strength = (
        np.asarray(x, float)[..., None] for x in (n, excess, width, strength)
    )
    ends = [0.5 + (end - 0.5) * strength for end in mean_range]
    middle = n * np.clip(0.5, *ends)
    above = np.clip(np.rint(middle + excess) + near, 0, n)
    below = np.clip(np.rint(middle - excess) - near, 0, n)
    within = (ends[0], ends[1])
    chances = [
        tipping(n, above, excess, width, within, above=True),
        tipping(n, below, excess, width, within, above=False),
        *(_off(n, end, excess) for end in ends),
    ]
    return np.max(np.concatenate(chances, axis=-1), axis=-1)


def _off(n: Array, mean: Array, excess: Array) -> Array:
    """Pr[|Y − nλ| ≥ Nτ] at one λ; counts on an edge are off."""
    high = np.ceil(n * mean + excess - _ON_EDGE * n)
    low = np.floor(n * mean - excess + _ON_EDGE * n)
    over = np.where(high >= 1, upper_tail(n, np.maximum(high, 1.0), mean), 1.0)
    return over + np.where(low >= 0, lower_tail(n, np.maximum(low, 0.0), 1 - mean), 0.0)


@lru_cache(maxsize=4096)
def failure_at(n: int, truth: Fraction, error: float, mean_range: tuple[float, float]) -> float:
    """The failure probability of N reports by a card, at the worst share."""
    strength = 2 * truth - 1
    excess = n * decimal(error) * strength
    if n > LARGE:
        return min(1.0, float(2 * ndtr(-2 * (float(excess) - 1) / math.sqrt(n))))
    width = math.ceil(2 * excess)
    near = _near(n, float(excess))
    value = most_off(
        np.array([n]), np.array([float(excess)]), np.array([width]), np.array([float(strength)]),
        mean_range, near,
    )  # fmt: skip
    # where hardly any report is untrue λ is close to 0 or 1, and floats of 1 − λ lose digits
    ends = [Fraction(1, 2) + (decimal(mean) - Fraction(1, 2)) * strength for mean in mean_range]
    at_ends = [_off_exactly(n, end, excess) for end in ends]
    return min(1.0, max(*at_ends, float(value[0])))


def _off_exactly(n: int, share: Fraction, excess: Fraction) -> float:
    """Pr[|Y − nλ| ≥ Nτ] at one λ, a fraction."""
    high, low = math.ceil(n * share + excess), math.floor(n * share - excess)
    over = float(upper_tail(float(n), float(high), float(share))) if high >= 1 else 1.0
    return over + (float(lower_tail(float(n), float(low), float(1 - share))) if low >= 0 else 0.0)


def worst_share(n: int, tau: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The λ in [low, high] at which being off by τ is the likeliest, as far as floats see."""
    excess = n * tau
    near = _near(n, float(excess))
    middle = n * min(max(0.5, float(low)), float(high))
    width, within = float(math.ceil(2 * excess)), (float(low), float(high))
    best, share = -1.0, min(max(Fraction(1, 2), low), high)
    for above in (True, False):
        side = 1 if above else -1
        counts = np.clip(np.rint(middle + side * float(excess)) + near, 0, n)
        chances = tipping(float(n), counts, float(excess), width, within, above)
        at = int(np.argmax(chances))
        if chances[at] > best:
            best = float(chances[at])
            share = Fraction(int(counts[at]), n) - side * tau
    return min(max(share, low), high)


def _near(n: int, excess: float) -> Array:
    """The tipping counts beside the middle at which the failure probability may be the largest.

    By the normal law it falls as e^(−2x²z²) at a distance x from 1/2, z the excess in standard
    errors, and teeth are e^(4τ) high, two of them at most.
    """
    deviate = 2 * excess / math.sqrt(n)
    teeth = 16 * excess / n + 0.05
    reach = n * math.sqrt(teeth / max(2 * deviate**2, 1e-300))
    reach = min(math.ceil(reach) + 3, n, _MOST_NEAR)
    return np.arange(-reach, reach + 1)


def likely_failures(epsilon: Array, sizes: Array, asked: Asked) -> Array:
    """About the failure probability over arrays of ε and N of one shape."""
    strength = np.asarray(card.strength(np.asarray(epsilon, float)))
    n = np.asarray(sizes, float)
    excess = n * asked.error * strength
    width = np.ceil(2 * excess - _ON_EDGE)
    failures = 2 * ndtr(-2 * (excess - 1) / np.sqrt(n))
    few = n <= LARGE
    failures[few] = most_off(
        n[few], excess[few], np.maximum(width[few], 1), strength[few], asked.mean_range
    )
    return np.minimum(failures, 1.0)


def quick_floors(sizes: Array, asked: Asked) -> Array:
    """The least ε over an array of N, for the shares likely to be the worst; ∞ where none is."""
    every = np.asarray(sizes, float)
    large = every > LARGE
    floors = np.empty(every.shape)
    floors[large] = about_printed(_by_bound(every[large], asked))
    floors[~large] = _small_floors(every[~large], asked)
    return floors


def _by_bound(n: Array, asked: Asked) -> Array:
    """The p − q that a bound on the failure probability asks for: Q(2√N(τ − 1/N)) = α/2."""
    return (1 / n + -ndtri(asked.failure / 2) / (2 * np.sqrt(n))) / asked.error


def _small_floors(rows: Array, asked: Asked) -> Array:
    one_by_one = (rows <= _FEW) | (not _around_half(asked))
    floors = np.empty(rows.shape)
    floors[one_by_one] = [least_epsilon(int(n), asked) for n in rows[one_by_one]]
    floors[~one_by_one] = _floors_at_ties(rows[~one_by_one], asked)
    return floors


def _around_half(asked: Asked) -> bool:
    """Whether 1/2 is asked of, where the worst shares then are, but in small studies."""
    low, high = asked.mean_range
    return low <= 0.5 <= high


def _floors_at_ties(rows: Array, asked: Asked) -> Array:
    ties, between = _least_ties(rows, asked, NEAR)
    strength = ties / (2 * rows * asked.error)
    epsilon = np.where(np.isinf(ties), np.inf, about_printed(np.minimum(strength, 1.0)))
    low = np.isfinite(between)
    # between ties nothing is gained by the next digit
    alone = epsilon_of_strength(between[low] / (rows[low] * asked.error))
    epsilon[low] = alone
    return epsilon


@lru_cache(maxsize=8192)
def least_epsilon(n: int, asked: Asked) -> float:
    """The least ε of a card at which N reports are accurate; ∞ where none is."""
    error, failure, _ = asked
    if n > LARGE:
        share = float(_by_bound(np.array(float(n)), asked))
        return least_printed(Fraction(share), beyond=True) if share < 1 else math.inf
    if n <= _FEW or not _around_half(asked):
        return _floor_at_breaks(n, asked)
    typical = math.sqrt(n * max(-2 * math.log(failure / 2), 0.1)) / 2
    near = _near(n, typical)
    ties, between = _least_ties(np.array([float(n)]), asked, near)
    if np.isfinite(between[0]):
        strength = Fraction(float(between[0])) / n / decimal(error)
        return least_printed(min(strength, Fraction(1)), beyond=False)
    if np.isinf(ties[0]):
        return math.inf
    return least_printed(Fraction(int(ties[0]), 2 * n) / decimal(error), beyond=True)


def _floor_at_breaks(n: int, asked: Asked) -> float:
    """The least ε where an end of the range may be the worst share: every break is looked at.

    Reports tip over an edge at ties, and at an end μ of the range where N/2 + Ns(μ − 1/2 ± T) is
    whole. Between two such s the failure probability is smooth, and a few points show its valley.
    """
    error, failure, mean_range = asked
    exact, half = decimal(error), Fraction(1, 2)
    breaks = {Fraction(w, 2 * n) / exact for w in range(math.ceil(2 * n * exact))}
    for mean in mean_range:
        for slope in (decimal(mean) - half + exact, decimal(mean) - half - exact):
            last: Fraction = n * slope  # the edge moves from N/2 by this, over s from 0 to 1
            counts = range(
                math.ceil(n * half + min(last, Fraction(0))),
                math.floor(n * half + max(last, Fraction(0))) + 1,
            )
            breaks |= {(k - n * half) / last for k in counts if last}
    starts: list[Fraction] = [*sorted(s for s in breaks if 0 <= s < 1), Fraction(1)]
    after = np.array([float(s) + _BESIDE * max(float(s), _BESIDE) for s in starts[:-1]])
    before = np.array([float(s) * (1 - _BESIDE) for s in starts[1:-1]] + [_NEARLY_ONE])
    points = after[:, None] + (before - after)[:, None] * np.linspace(0, 1, _POINTS)

    def accurate(strengths: Array) -> Array:
        sizes, excess = np.full(strengths.shape, float(n)), n * error * strengths
        return most_off(sizes, excess, np.ceil(2 * excess), strengths, mean_range) <= failure

    good = accurate(points.ravel()).reshape(points.shape)
    for place in np.flatnonzero(good.any(axis=1)):
        first = int(np.argmax(good[place]))
        if first == 0:
            epsilon = least_printed(starts[place], beyond=True)
        else:
            low, high = points[place, first - 1], points[place, first]
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                if accurate(np.array([middle]))[0]:
                    high = middle
                else:
                    low = middle
            epsilon = least_printed(Fraction(float(high)), beyond=False)
        if math.isfinite(epsilon):
            reached = failure_at(n, card.truthful(epsilon), error, mean_range)
            if reached <= failure:
                return epsilon
    return math.inf


def _least_ties(n: Array, asked: Asked, near: Array) -> tuple[Array, Array]:
    """For each N the first tie w beyond which it is accurate, and the Nτ before it that will do.

    The first is ∞ where none is, the second not a number where none before the tie is.
    """
    error, failure, mean_range = asked
    exact = decimal(error)
    last = np.array([math.ceil(2 * int(x) * exact) for x in n])  # from here on p would be over 1

    def passes(tie: Array, rows: Array) -> Array:
        tie = np.asarray(tie, float)
        strength = tie / (2 * n[rows] * error)
        return most_off(n[rows], tie / 2, tie + 1, strength, mean_range, near) <= failure

    first = _first_passing(passes, last)
    # before its first tie, or before p = 1
    end = np.minimum(first / 2, n * error * _NEARLY)
    sizes = np.arange(len(n))

    def accurate(excess: Array, rows: Array) -> Array:
        strength = excess / (n[rows] * error)
        value = most_off(n[rows], excess, first[rows], strength, mean_range, near)
        return np.asarray(value <= failure)

    between = np.full(len(n), np.nan)
    rows = sizes[first >= 1]
    rows = rows[accurate(end[rows], rows)] if rows.size else rows
    if rows.size:
        low, high = (first[rows] - 1) / 2, end[rows]
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            good = accurate(middle, rows)
            low, high = np.where(good, low, middle), np.where(good, middle, high)
        between[rows] = high
    return np.where(first < last, first, np.inf).astype(float), between


def _first_passing(passes: Callable[[Array, Array], Array], last: Array) -> Array:
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
    while rows.size and np.any(high - low > 1):
        middle = np.maximum((low + high) // 2, 0)
        good = passes(middle, rows)
        low, high = np.where(good, low, middle), np.where(good, middle, high)
    first[rows] = high
    return first
