"""The best shares of one failure probability at some sizes of a survey.

At one N let question i fail with fᵢ(r) at rate r. Least Σ tᵢ·rᵢ^p with Σ tᵢ·fᵢ(rᵢ) ≤ α means that
p·rᵢ^p/(fᵢ·sᵢ) is the same for all, sᵢ = −d ln fᵢ/d ln r: with one multiplier. In x = ln r Newton's
method steps by uᵢ = (L − bᵢ)/dᵢ, where bᵢ = p·xᵢ − ln fᵢ − ln sᵢ and dᵢ is its derivative, and L is
the root of Σ tᵢ·fᵢ·exp(−sᵢ·uᵢ) = α.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from planner.libraries import np
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.frontier import Frontier
from planner.numbers import Array, Number

_STEP = 3e-3  # of differences, in logarithms
_MOST_STEPS = 25  # a cap, as Newton's method converges quadratically
_CLOSE = 3e-4
"""Steps are quadratic: after one as short as this the next would be about its square."""
_ABOUT = 1e-2
"""So short is the last step of a search that is corrected once more."""
_FARTHEST = 1.0  # a factor of e of a rate
_NO_NOISE = 1e4  # a rate with which noise is gone
_FACTORS = (2.0, 3.0, 4.0, 6.0, 10.0)
"""Where noise helps most, in units of what noise alone needs."""
_TINY = 1e-300  # keeps logarithms finite
_LEAST_PART = 1e-12
"""Less than this part of α is left to no question: what floats leave of it is rounding."""
_ROOT_STEPS, _ROOT_CLOSE = 60, 1e-13  # a cap likewise; the last digits
_LEAST_NATS = 1e-2
"""With so little the noise has hardly any say in what fails: Newton's method, in steps of a nat of
the rate, comes from there to any other rate in a few of them."""


@dataclass(frozen=True)
class Part:
    """Questions alike.

    Attributes:
        floor: what one of them asks, in rates; its `failure` is replaced by a share.
        times: how many there are.
        numbers: how many numbers one of them publishes.
        convex: whether its floor, where convex in N, is so in N and α together.
    """

    floor: QuestionFloor
    times: int = 1
    numbers: int = 1
    convex: bool = True

    def at(self, failure: Number) -> QuestionFloor:
        """What one asks at a share of the failure probability."""
        return replace(self.floor, failure=failure)  # type: ignore[type-var]

    def first_rate(self, failure: Array | float, n: Array | float) -> Array:
        """About what noise alone needs, where a search for its rate may begin; above 0.

        Some questions need no ε at all: any candidate may be right with a probability over 1 − α.
        """
        alone = self.at(failure).noise_alone(n, 0.0)
        return np.maximum(alone, _LEAST_NATS / (n * self.floor.error))


def best_shares(parts: Sequence[Part], failure: float, power: int, n: Array) -> tuple[Array, Array]:
    """About the failure probability and the rate of each question at each N; rows by part."""
    x, _, possible = _searched(parts, failure, power, n, None, _CLOSE)
    failures = _normalised(parts, each_fails(parts, np.exp(x), n), failure)
    return _where(possible, parts, failure, failures, np.exp(x))


def nearly_best_shares(
    parts: Sequence[Part], failure: float, power: int, n: Array, near: Array | None
) -> tuple[Array, Array]:
    """The same, less exactly best: rates about `near`, where given, all corrected by one factor."""
    x, steep, possible = _searched(parts, failure, power, n, near, _ABOUT)
    return _where(possible, parts, failure, *corrected(parts, failure, np.exp(x), steep, n))


def corrected(
    parts: Sequence[Part], failure: float, rates: Array, steep: Array, n: Array
) -> tuple[Array, Array]:
    """Failure probabilities that add up to α, and their rates: those given times one factor."""
    times, failures = _times(parts), each_fails(parts, rates, n)
    total = np.sum(times * failures, axis=0)
    step = np.log(total / failure) * total / np.sum(times * failures * steep, axis=0)
    step = np.clip(step, -_FARTHEST, _FARTHEST)  # where no rate matters any factor would do
    failures *= np.exp(-steep * step)
    return _normalised(parts, failures, failure), rates * np.exp(step)


def _normalised(parts: Sequence[Part], failures: Array, failure: float) -> Array:
    """Failure probabilities in these proportions that add up to α, none of them 0."""
    failures = np.maximum(failures, failure * _LEAST_PART)
    return np.asarray(failures * (failure / np.sum(_times(parts) * failures, axis=0)))


def _times(parts: Sequence[Part]) -> Array:
    return np.array([part.times for part in parts], dtype=float)[:, None]


def _where(
    possible: Array, parts: Sequence[Part], failure: float, failures: Array, rates: Array
) -> tuple[Array, Array]:
    equal = failure / np.sum(_times(parts))
    return np.where(possible, failures, equal), np.where(possible, rates, np.inf)


def _searched(
    parts: Sequence[Part], failure: float, power: int, n: Array, near: Array | None, close: float
) -> tuple[Array, Array, Array]:
    """The logarithms of the best rates, how steep failures are there, and where there are any."""
    times = _times(parts)
    numbers = np.array([part.times * part.numbers for part in parts], dtype=float)[:, None]
    alone = np.array([_without_noise(part.floor).floors(n) for part in parts])
    rest = failure - np.sum(times * alone, axis=0)
    helped = _helped(parts, n)
    off = np.flatnonzero(
        (rest <= failure * _LEAST_PART) & (rest >= -failure * helped / (1 - helped))
    )
    if off.size:
        rest[off] = failure - np.sum(times * _with_noise(parts, failure, alone[:, off], n[off]), 0)
    possible = rest > failure * _LEAST_PART
    share = np.where(possible, rest, failure) * numbers / np.sum(numbers) / times
    start = [part.first_rate(a, n) for part, a in zip(parts, share, strict=True)]
    x = np.log(start) + 0.2 if near is None else np.broadcast_to(np.log(near), share.shape).copy()
    steep = np.ones(x.shape)
    open_ = np.flatnonzero(possible)
    for _ in range(_MOST_STEPS):
        if not open_.size:
            break
        step, steep[:, open_] = _newton(parts, times, failure, power, x[:, open_], n[open_])
        x[:, open_] += np.clip(step, -_FARTHEST, _FARTHEST)
        open_ = open_[np.max(np.abs(step), axis=0) > close]
    return x, steep, possible


def _helped(parts: Sequence[Part], n: Array) -> Array:
    """By what part noise may lower what samples fail with by themselves, or less; at most 1/2.

    As chances fall beyond an edge, symmetric noise brings back no more samples than it carries off,
    but for half of those just on the edge. At mean 1/2 these are about 4T + 1.6/√N of those beyond.
    """
    error = max(part.floor.error for part in parts)
    return np.asarray(np.minimum(4 * error + 2 / np.sqrt(n), 0.5))


def _with_noise(parts: Sequence[Part], failure: float, alone: Array, n: Array) -> Array:
    """The least failure probabilities, where noise helps: a sample may be off by very little."""
    needed = np.array([part.first_rate(failure, n) for part in parts])
    count = len(_FACTORS)
    rates = np.concatenate([factor * needed for factor in _FACTORS], axis=1)
    failures = each_fails(parts, rates, np.tile(n, count)).reshape(len(parts), count, -1)
    return np.minimum(alone, np.min(failures, axis=1))


def _newton(
    parts: Sequence[Part], times: Array, failure: float, power: int, x: Array, n: Array
) -> tuple[Array, Array]:
    low, here, high = _beside(parts, x, n)
    steep = np.maximum((low - high) / (2 * _STEP), 1e-9)
    curvature = (2 * here - low - high) / _STEP**2
    slope = power + steep - curvature / steep
    slope = np.where(slope > 0.1 * power, slope, power + steep)
    step = _step(times, here, steep, power * x - here - np.log(steep), slope, failure)
    return step, steep - curvature * step


def steepness(parts: Sequence[Part], rates: Array, n: Array) -> Array:
    """Each sᵢ: by how much ln fᵢ falls as the logarithm of its rate grows."""
    low, _, high = _beside(parts, np.log(rates), n)
    return np.maximum((low - high) / (2 * _STEP), 1e-9)


def _beside(parts: Sequence[Part], x: Array, n: Array) -> list[Array]:
    """Logarithms of the failure probabilities at rates a little lower, as they are, and higher."""
    rates = np.exp(np.stack([x - _STEP, x, x + _STEP], axis=1))
    failures = [_one_beside(part, rate, n) for part, rate in zip(parts, rates, strict=True)]
    return list(np.log(np.maximum(np.stack(failures, axis=1), _TINY)))


def _step(
    times: Array, here: Array, steep: Array, level: Array, slope: Array, failure: float
) -> Array:
    """The steps uᵢ at the multiplier for which the failures add up to α, by the model."""
    pull = steep / slope
    at = np.log(times / failure) + here + pull * level
    return (multiplier(at, pull) - level) / slope


@lru_cache(maxsize=64)
def _without_noise(floor: QuestionFloor) -> Frontier:
    """About what a question fails with by its sample alone: limits ask again for most of them."""
    return Frontier(lambda n: _one(Part(floor), np.full(len(n), _NO_NOISE), n))


def each_fails(parts: Sequence[Part], rates: Array, n: Array) -> Array:
    """About the failure probability of each question at its rates."""
    return np.array([_one(part, rate, n) for part, rate in zip(parts, rates, strict=True)])


def _one_beside(part: Part, rates: Array, n: Array) -> Array:
    beside: Callable[..., Array] | None = getattr(part.floor, "likely_beside", None)
    if beside is not None and len(n) > 1:
        return np.asarray(beside(rates, n))
    # one call for all three: a call costs as much as hundreds of its numbers
    return np.reshape(_one(part, rates.ravel(), np.tile(n, len(rates))), rates.shape)


def _one(part: Part, rate: Array, n: Array) -> Array:
    if len(n) == 1 and not part.floor.regularity.saw_toothed:  # a bound is quicker over floats
        return np.array([part.floor.achieved(float(rate[0]), float(n[0]), 0.0)])
    return np.asarray(part.floor.likely(rate, n, 0.0))


def multiplier(at: Array, pull: Array) -> Array:
    """The L of each column with Σ exp(atᵢ − pullᵢ·L) = 1.

    The logarithm of the sum is convex and falls with L, so Newton's method comes from the left,
    where one term alone is 1, and never passes the root.

    Args:
        at: rows by question.
        pull: likewise [> 0].
    """
    level = np.max(at / pull, axis=0)
    for _ in range(_ROOT_STEPS):
        terms = np.exp(at - pull * level)
        whole = np.sum(terms, axis=0)
        if np.all(np.abs(whole - 1) < _ROOT_CLOSE):
            break
        level = level + np.log(whole) * whole / np.sum(pull * terms, axis=0)
    return level
