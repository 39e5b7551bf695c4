"""One failure probability shared out among several questions, so that they need the least ε.

At one N let question i fail with fᵢ(r) at rate r. Least Σ tᵢ·rᵢ^p with Σ tᵢ·fᵢ(rᵢ) ≤ α means that
p·rᵢ^p/(fᵢ·sᵢ) is the same for all, sᵢ = −d ln fᵢ/d ln r: with one multiplier. In x = ln r Newton's
method steps by uᵢ = (L − bᵢ)/dᵢ, where bᵢ = p·xᵢ − ln fᵢ − ln sᵢ and dᵢ is its derivative, and L is
the root of Σ tᵢ·fᵢ·exp(−sᵢ·uᵢ) = α. Any split proves a plan; this one is about the best where the
floors are convex in α.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from planner.mechanisms.floor import Floor
from planner.numbers import Array, round_down

_STEP = 3e-3
_MOST_STEPS = 25
_INNER = 60
_CLOSE = 1e-6
_NEAR = 1.2
"""How far beyond known sizes, as a ratio, theirs are where a search begins."""
_FARTHEST = 1.0
_NO_NOISE = 1e4
_FACTORS = (2.0, 3.0, 4.0, 6.0, 10.0)
"""Where noise helps most, in units of what noise alone needs."""
_TINY = 1e-300
_DIGITS = 15


@dataclass(frozen=True)
class Part:
    """Questions alike.

    Attributes:
        floor: what one of them asks, in rates; its `failure` is replaced by a share.
        times: how many there are.
        numbers: how many numbers one of them publishes.
        convex: whether its floor, where convex in N, is so in N and α together.
    """

    floor: Floor
    times: int = 1
    numbers: int = 1
    convex: bool = True

    def at(self, failure: Array) -> Floor:
        """What one asks at a share of the failure probability."""
        return replace(self.floor, failure=failure)  # type: ignore[type-var]


class Split:
    """The shares over N, each computed once."""

    def __init__(self, parts: Sequence[Part], failure: float, power: int) -> None:
        self._parts, self._failure, self._power = parts, failure, power
        self._known: dict[float, tuple[Array, Array]] = {}

    def shares(self, n: Array) -> tuple[Array, Array]:
        """The failure probability and about the rate of each question at each N; rows by part."""
        sizes = np.asarray(n, dtype=float).ravel()
        new = np.array(sorted(set(sizes.tolist()) - self._known.keys()))
        if new.size:
            with np.errstate(all="ignore"):
                near = self._nearest(new)
                failures, rates = _best(self._parts, self._failure, self._power, new, near)
            columns = zip(new.tolist(), failures.T, rates.T, strict=True)
            self._known.update({size: (f, r) for size, f, r in columns})
        known = [self._known[size] for size in sizes.tolist()]
        shape = (len(self._parts), *np.shape(n))
        failures, rates = (np.array(list(x)).T.reshape(shape) for x in zip(*known, strict=True))
        return failures, rates

    def _nearest(self, n: Array) -> Array | None:
        """Rates between those of known sizes, on lines in logarithms; None where too few are."""
        known = sorted(size for size, (_, rate) in self._known.items() if rate[0] < np.inf)
        if not known or not known[0] <= n[0] * _NEAR or not n[-1] <= known[-1] * _NEAR:
            return None
        rates = np.log([self._known[size][1] for size in known]).T
        at = np.log(n), np.log(known)
        return np.exp([np.interp(*at, row) for row in rates])


@lru_cache(maxsize=32)
def split(parts: tuple[Part, ...], failure: float, power: int) -> Split:
    """The shares of one survey."""
    return Split(parts, failure, power)


def _best(
    parts: Sequence[Part], failure: float, power: int, n: Array, near: Array | None
) -> tuple[Array, Array]:
    times = np.array([part.times for part in parts], dtype=float)[:, None]
    numbers = np.array([part.times * part.numbers for part in parts], dtype=float)[:, None]
    alone = _each(parts, np.full((len(parts), len(n)), _NO_NOISE), n)
    rest = failure - np.sum(times * alone, axis=0)
    off = np.flatnonzero(rest <= failure * 1e-12)
    if off.size:
        rest[off] = failure - np.sum(times * _with_noise(parts, failure, alone[:, off], n[off]), 0)
    possible = rest > failure * 1e-12
    share = np.where(possible, rest, failure) * numbers / np.sum(numbers) / times
    start = [part.at(a).of_noise(n, 0.0) for part, a in zip(parts, share, strict=True)]
    x = np.log(start) + 0.2 if near is None else np.log(near)
    open_ = np.flatnonzero(possible)
    for _ in range(_MOST_STEPS):
        if not open_.size:
            break
        step = _newton(parts, times, failure, power, x[:, open_], n[open_])
        x[:, open_] += np.clip(step, -_FARTHEST, _FARTHEST)
        open_ = open_[np.max(np.abs(step), axis=0) > _CLOSE]
    failures = _each(parts, np.exp(x), n)
    failures *= failure / np.sum(times * failures, axis=0)
    rounded = np.vectorize(lambda a: round_down(a, _DIGITS), otypes=[float])(
        np.where(possible, failures, failure / np.sum(times))
    )
    return rounded, np.where(possible, np.exp(x), np.inf)


def _with_noise(parts: Sequence[Part], failure: float, alone: Array, n: Array) -> Array:
    """The least failure probabilities, where noise helps: a sample may be off by very little."""
    needed = np.array([part.at(failure).of_noise(n, 0.0) for part in parts])
    return np.min([alone, *(_each(parts, factor * needed, n) for factor in _FACTORS)], axis=0)


def _newton(
    parts: Sequence[Part], times: Array, failure: float, power: int, x: Array, n: Array
) -> Array:
    """One step of all logarithms of rates."""
    low, here, high = (
        np.log(np.maximum(_each(parts, np.exp(x + step), n), _TINY))
        for step in (-_STEP, 0.0, _STEP)
    )
    steep = np.maximum((low - high) / (2 * _STEP), 1e-9)
    bend = (2 * here - low - high) / _STEP**2
    slope = power + steep - bend / steep
    slope = np.where(slope > 0.1 * power, slope, power + steep)
    return _step(times, here, steep, power * x - here - np.log(steep), slope, failure)


def _step(
    times: Array, here: Array, steep: Array, level: Array, slope: Array, failure: float
) -> Array:
    """The steps uᵢ at the multiplier for which the failures add up to α, by the model."""
    goal = np.log(failure)
    # between the multipliers at which one question alone, or each, would have to move
    pull = steep / slope
    at = np.log(times) + here + pull * level
    low = np.min((at - goal) / pull, axis=0) - 1.0
    high = np.max((at - goal + np.log(len(times))) / pull, axis=0) + 1.0
    for _ in range(_INNER):
        middle = (low + high) / 2
        total = np.logaddexp.reduce(at - pull * middle, axis=0)
        low, high = np.where(total > goal, middle, low), np.where(total > goal, high, middle)
    return (high - level) / slope


def _each(parts: Sequence[Part], rates: Array, n: Array) -> Array:
    """About the failure probability of each question at its rates."""
    return np.array([_one(part, rate, n) for part, rate in zip(parts, rates, strict=True)])


def _one(part: Part, rate: Array, n: Array) -> Array:
    if len(n) == 1 and part.floor.shape != "saw-toothed":  # a bound is quicker over floats
        return np.array([part.floor.achieved(float(rate[0]), float(n[0]), 0.0)])
    likely: Callable[..., Array] = part.floor.likely  # type: ignore[attr-defined]
    return np.asarray(likely(rate, n, 0.0))
