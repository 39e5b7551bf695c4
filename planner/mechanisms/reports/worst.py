"""How often a share estimated from randomised reports is off, at the worst share.

With p and q from the card, the number Y of people who report an answer is Binomial(N, λ),
λ = q + μ(p − q), and the estimate (Y/N − q)/(p − q) is off by T or more exactly where
|Y/N − λ| ≥ τ = T(p − q): the study that is not private (`exact.no_noise`) at an error of τ and
means λ between q and p. Of more than two answers p may be less than 1/2, and then λ = p is about
the worst.
"""

import math
from fractions import Fraction
from functools import lru_cache

from planner.libraries import np, scipy
from planner.mechanisms.exact.no_noise import NEAR, tipping
from planner.mechanisms.exact.sums.binomial import lower_tail, upper_tail
from planner.mechanisms.reports import card
from planner.mechanisms.reports.card import LARGE, Asked, share_of_reports, strength_of
from planner.numbers import Array, decimal

_ON_EDGE = 1e-14  # floats differ by less
_MOST_NEAR = 2_000  # tips looked at on either side


def most_off(
    n: Array,
    excess: Array,
    width: Array,
    strength: Array,
    mean_range: tuple[float, float],
    answers: int = 2,
    near: Array | tuple[int, ...] = NEAR,
) -> Array:
    """The largest failure probability over the shares likely to be the worst; arrays of one shape.

    Args:
        n: participants.
        excess: Nτ.
        width: 2Nτ rounded up, or one more just beyond a tie.
        strength: p − q.
        mean_range: of shares.
        answers: k.
        near: which tipping counts beside the middle one are looked at.
    """
    n, excess, width, strength = (
        np.asarray(x, float)[..., None] for x in (n, excess, width, strength)
    )
    ends = [1 / answers + (end - 1 / answers) * strength for end in mean_range]
    middle = n * np.clip(0.5, *ends)
    above = np.clip(np.rint(middle + excess) + near, 0, n)
    within = (ends[0], ends[1])
    chances = [tipping(n, above, excess, width, within, above=True), _off(n, ends[0], excess)]
    if answers != 2 or sum(map(decimal, mean_range)) != 1:  # else the other side is the same
        below = np.clip(np.rint(middle - excess) - near, 0, n)
        chances.append(tipping(n, below, excess, width, within, above=False))
        chances.append(_off(n, ends[1], excess))
    return np.max(np.concatenate(chances, axis=-1), axis=-1)


def _off(n: Array, mean: Array, excess: Array) -> Array:
    """Pr[|Y − nλ| ≥ Nτ] at one λ; counts on an edge are off."""
    high = np.ceil(n * mean + excess - _ON_EDGE * n)
    low = np.floor(n * mean - excess + _ON_EDGE * n)
    over = np.where(high >= 1, upper_tail(n, np.maximum(high, 1.0), mean), 1.0)
    return over + np.where(low >= 0, lower_tail(n, np.maximum(low, 0.0), 1 - mean), 0.0)


@lru_cache(maxsize=4096)
def failure_at(
    n: int, truth: Fraction, error: float, mean_range: tuple[float, float], answers: int = 2
) -> float:
    """The failure probability of N reports by a card, at the worst share."""
    strength = strength_of(truth, answers)
    excess = n * decimal(error) * strength
    if n > LARGE:
        return min(1.0, float(2 * scipy.special.ndtr(-2 * (float(excess) - 1) / math.sqrt(n))))
    low, high = (share_of_reports(decimal(mean), strength, answers) for mean in mean_range)
    # fractions, as λ can be close to 0 or 1 where hardly any report is untrue
    shares = (low, high, worst_share(n, excess / n, low, high))
    return min(1.0, max(_off_exactly(n, share, excess) for share in shares))


def _off_exactly(n: int, share: Fraction, excess: Fraction) -> float:
    """Pr[|Y − nλ| ≥ Nτ] at one λ, a fraction."""
    high, low = math.ceil(n * share + excess), math.floor(n * share - excess)
    over = float(upper_tail(float(n), float(high), float(share))) if high >= 1 else 1.0
    return over + (float(lower_tail(float(n), float(low), float(1 - share))) if low >= 0 else 0.0)


def worst_share(n: int, tau: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The λ in [low, high] at which being off by τ is the likeliest, as far as floats see.

    Which counts tip over an edge within the range is decided in fractions.
    """
    excess = n * tau
    near, width = near_tips(n, float(excess)), float(math.ceil(2 * excess))
    middle = n * min(max(0.5, float(low)), float(high))
    best, share = -1.0, min(max(Fraction(1, 2), low), high)
    for above in (True, False):
        side = excess if above else -excess
        least, most = max(math.ceil(n * low + side), 0), min(math.floor(n * high + side), n)
        if least > most:
            continue
        counts = np.clip(np.rint(middle + float(side)) + near, least, most)
        chances = tipping(float(n), counts, float(excess), width, (0.0, 1.0), above)
        at = int(np.argmax(chances))
        if chances[at] > best:
            best, share = float(chances[at]), (int(counts[at]) - side) / n
    return share


def near_tips(n: int, excess: float) -> Array:
    """The tipping counts beside the middle at which the failure probability may be the largest.

    By the normal law it falls as e^(−2x²z²) at a distance x from 1/2, z the excess in standard
    errors, and teeth are e^(4τ) high, two of them at most.
    """
    deviate = 2 * excess / math.sqrt(n)
    oscillation_period = 16 * excess / n + 0.05
    reach = n * math.sqrt(oscillation_period / max(2 * deviate**2, 1e-300))
    reach = min(math.ceil(reach) + 3, n, _MOST_NEAR)
    return np.arange(-reach, reach + 1)


def likely_failures(epsilon: Array, sizes: Array, asked: Asked) -> Array:
    """About the failure probability over arrays of ε and N of one shape."""
    strength = np.asarray(card.strength(np.asarray(epsilon, float), asked.answers))
    return likely_at(strength, sizes, asked)


def likely_at(strength: Array, sizes: Array, asked: Asked) -> Array:
    """The same over arrays of p − q and N of one shape."""
    n = np.asarray(sizes, float)
    excess = n * asked.error * strength
    width = np.ceil(2 * excess - _ON_EDGE)
    failures = 2 * scipy.special.ndtr(-2 * (excess - 1) / np.sqrt(n))
    few = n <= LARGE
    _, _, mean_range, answers = asked
    widths = np.maximum(width[few], 1)
    failures[few] = most_off(n[few], excess[few], widths, strength[few], mean_range, answers)
    return np.minimum(failures, 1.0)
