"""Hoeffding's bound on a noisy mean, at the best split of the error.

The answer is off by T only if the sample is off by sT or the noise by (1 − s)T, for any split
s in (0, 1), so the failure probability is at most

    2·exp(−2N(sT)²) + exp(−(1 − s)TNε)                                  (Hoeffding 1963, Theorem 2)

at the best s. In s it is convex where the first term is under 1, and where that is not under 1
the bound says nothing; so the best split is the root of a derivative on [s₁, 1].

Written with β for the first term and γ for the second, what T needs is
√(ln(2/β)/2N) + ln(1/γ)/(Nε), which is jointly convex in (N, Nε, β, γ) for β ≤ 2e^(−2/3) and
γ ≤ e^(−1/2); so the accurate (N, Nε) form a convex set where α ≤ e^(−1/2).
"""

import math
from fractions import Fraction
from functools import lru_cache, partial

from planner import numbers
from planner.libraries import np, scipy
from planner.numbers import Number, NumberSystem

_MOST_STEPS, _CLOSE = 200, 1e-14  # a cap; the last digits of a split
_NEAR_LEAST = 1e-10
"""How near the best split is found where ε is least: ε then is off by its square."""
_AT_BEST = 1 - Fraction(1, 10**12)
"""By what part ε may be less at the very best split than at that of floats, and far more."""
CONVEX_UP_TO = math.exp(-0.5) * (1 - 1e-15)
"""The largest α at which the accurate studies are proven to form a convex set in (N, Nε)."""


def bound(split: Number, participants: Number, error: Number, epsilon: Number) -> Number:
    """The bound at one split s."""
    system = numbers.of(split, participants, error, epsilon)
    sample = system.exp(-2 * participants * (split * error) ** 2)
    return 2 * sample + system.exp((split - 1) * error * participants * epsilon)


def failure_probability(epsilon: Number, participants: Number, error: Number) -> Number:
    """The bound at the best split, 1 where it says nothing; see `Mechanism`."""
    system = numbers.of(epsilon, participants, error)
    if system is numbers.FLOATS:
        split = best_split(epsilon, participants, error)
    else:
        split = _best_splits(epsilon, participants, error)
    return system.minimum(bound(split, participants, error, epsilon), 1.0)


def epsilon_floor(participants: Number, error: Number, failure: Number) -> Number:
    """The least ε at which the bound at the best split is at most α; see `Mechanism`."""
    system = numbers.of(participants, error, failure)
    if system is not numbers.arrays():  # of fractions the formula, at the split of floats
        split = system.number(_split_for(float(failure), float(participants), float(error)))
    else:
        split = _splits_for(failure, participants, error)
    for_noise = failure - 2 * system.exp(-2 * participants * (split * error) ** 2)
    least = system.log(for_noise) / ((split - 1) * error * participants)
    return least * _AT_BEST if system is numbers.FRACTIONS else least


def _least_useful_split(participants: Number, error: Number, share: float = 1.0) -> Number:
    """The split at which the sample's term is `share`; below it the bound is no use for that."""
    system = numbers.of(participants, error)
    return system.sqrt(system.log(system.number(2.0) / share) / (2 * participants)) / error


def _slope(
    split: Number,
    epsilon: Number,
    participants: Number,
    error: Number,
    *,
    system: NumberSystem | None = None,
) -> Number:
    """A function of s with the sign of minus the derivative of the bound."""
    system = system or numbers.of(split, epsilon, participants, error)
    sample = system.log(8 * error * split / epsilon) - 2 * participants * (error * split) ** 2
    return sample + (1 - split) * error * participants * epsilon


def _excess(
    split: Number,
    failure: Number,
    participants: Number,
    error: Number,
    *,
    system: NumberSystem | None = None,
) -> Number:
    """A function of s with the sign of minus the derivative of ε(s) = ln(1/γ)/((1 − s)TN)."""
    system = system or numbers.of(split, failure, participants, error)
    sample = 2 * system.exp(-2 * participants * (error * split) ** 2)
    for_noise = system.maximum(failure - sample, 5e-324)
    gain = 4 * participants * error**2 * split * (1 - split) * sample
    return gain + for_noise * system.log(for_noise)


@lru_cache(maxsize=2**14)
def best_split(epsilon: float, participants: float, error: float) -> float:
    """The s in [s₁, 1] at which the bound is least; s₁ and 1 give no useful bound."""
    low = _least_useful_split(participants, error)
    numbers_ = (epsilon, participants, error)
    if low >= 1 or _slope(1.0, *numbers_) >= 0:
        return 1.0
    if _slope(low, *numbers_) <= 0:
        return float(low)
    return float(
        scipy.optimize.brentq(
            partial(_slope, system=numbers.FLOATS), low, 1.0, args=numbers_, xtol=1e-18, rtol=1e-14
        )
    )


@lru_cache(maxsize=2**14)
def _split_for(failure: float, participants: float, error: float) -> float:
    """The s at which the least ε suffices; 0 where none does (the sample alone fails)."""
    low = _least_useful_split(participants, error, failure)
    numbers_ = (failure, participants, error)
    # so close to 1 that rounding hides the root, no ε worth having suffices
    if low >= 1 or _excess(low, *numbers_) <= 0 or _excess(1.0, *numbers_) >= 0:
        return 0.0
    return float(
        scipy.optimize.brentq(
            partial(_excess, system=numbers.FLOATS), low, 1.0, args=numbers_, xtol=1e-18, rtol=1e-14
        )
    )


def _best_splits(epsilon: Number, participants: Number, error: Number) -> Number:
    """The best split for each of some plans; arrays."""
    low = np.minimum(_least_useful_split(participants, error), 1.0)
    low, *numbers_ = np.broadcast_arrays(low, epsilon, participants, error)
    rises, falls = _slope(low, *numbers_) > 0, _slope(1.0, *numbers_) < 0
    splits = np.where(rises, 1.0, low)
    inside = rises & falls
    if inside.any():
        splits[inside] = _newton(*(x[inside] for x in numbers_))
    return splits


def _newton(epsilon: Number, participants: Number, error: Number) -> Number:
    """The roots of the slope under 1: it falls and is concave, so that no step passes one."""
    split = np.ones(np.shape(epsilon))
    for _ in range(_MOST_STEPS):
        falling = 4 * participants * error**2 * split + error * participants * epsilon - 1 / split
        step = _slope(split, epsilon, participants, error) / falling
        split += step
        if np.all(np.abs(step) < _CLOSE):
            return split
    raise ArithmeticError("no split of the error was found for some arguments")


def _splits_for(failure: Number, participants: Number, error: Number) -> Number:
    """The split at which each of some studies needs the least ε, 0 where none is useful; arrays."""
    low = np.minimum(_least_useful_split(participants, error, failure), 1.0)
    low, *numbers_ = np.broadcast_arrays(low, failure, participants, error)
    useful = (low < 1) & (_excess(low, *numbers_) > 0) & (_excess(1.0, *numbers_) < 0)
    splits = np.zeros_like(low)
    if useful.any():
        splits[useful] = _within_brackets(*(x[useful] for x in (low, *numbers_)))
    return splits


def _within_brackets(low: Number, failure: Number, participants: Number, error: Number) -> Number:
    """The roots of the excess in [low, 1], by Newton's steps; where one fails, by halving."""
    high, curve = np.ones_like(low), 2 * participants * error**2
    split = np.clip(_least_useful_split(participants, error, 0.1 * failure), low, 0.9)
    # at the root the sample's term is about this; steps from a larger one are slow
    about = -failure * np.log(failure) / (2 * curve * split * (1 - split))
    about = np.clip(about, 1e-300, 0.1 * failure)
    split = np.clip(_least_useful_split(participants, error, about), low, 1.0)
    for _ in range(_MOST_STEPS):
        excess = _excess(split, failure, participants, error)
        low, high = np.where(excess > 0, split, low), np.where(excess > 0, high, split)
        sample = 2 * np.exp(-curve * split**2)
        rise = 1 + np.log(np.maximum(failure - sample, 5e-324))
        curvature = 1 - 2 * split - 2 * curve * split**2 * (1 - split) + split * rise
        with np.errstate(all="ignore"):  # where a step says nothing, brackets do
            new = split - excess / (2 * curve * sample * curvature)
        new = np.where((new >= low) & (new <= high), new, (low + high) / 2)
        close, split = np.abs(new - split) <= _NEAR_LEAST * split, new
        if np.all(close):
            return split
    return high  # where α is nearly 1 this is close enough
