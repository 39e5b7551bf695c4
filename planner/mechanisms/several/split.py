"""One failure probability shared out among several questions, so that they need the least ε.

At one N let question i, asked tᵢ times, fail with fᵢ(r) at rate r. Least Σ tᵢ·rᵢ^p with
Σ tᵢ·fᵢ(rᵢ) ≤ α means that p·rᵢ^p/(fᵢ·sᵢ) is the same for all, sᵢ = −d ln fᵢ/d ln r: with one
multiplier. In x = ln r Newton's method steps by uᵢ = (L − bᵢ)/dᵢ, where bᵢ = p·xᵢ − ln fᵢ − ln sᵢ
and dᵢ is its derivative, and L is the root of Σ tᵢ·fᵢ·exp(−sᵢ·uᵢ) = α.

The f are those of the smooth guess, times a factor that is smooth in N: at some sizes it is by how
much the guess is off at its own best shares. Any split proves a plan, and so
near to the best one a split costs no more than the best.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from planner.libraries import np
from planner.mechanisms.floor import QuestionFloor
from planner.numbers import Array

_STEP = 3e-3  # of differences, in logarithms
_MOST_STEPS = 40  # a cap, as Newton's method converges quadratically
_CLOSE = 1e-5  # of the last step
_FARTHEST = 1.0  # a step, a factor of e of a rate
_TINY = 1e-300  # keeps logarithms finite
_NO_NOISE = 1e4  # a rate with which noise is gone
_LEAST_PART = 1e-12
"""Less than this part of α is left to no question."""
_MORE = 1.1
"""By how much, at least, shares are more than the least that a question is read at."""
_LEAST_NATS = 1e-2
"""So little the noise of a question has to say at least, where the search for its rate begins."""
_ROOT_STEPS, _ROOT_CLOSE = 60, 1e-13  # a cap likewise; the last digits
_KNOTS = 2.0 ** np.concatenate([np.arange(1, 17, 0.5), np.arange(18, 53, 2)])
"""Sizes at which the smooth guess is corrected: close together where samples err as noise does."""
_CORRECTIONS = 2  # as shares move a little with the factors


@dataclass(frozen=True)
class Part:
    """Questions alike.

    Attributes:
        floor: what one of them asks, in rates; its `failure` is replaced by a share.
        times: how many there are.
    """

    floor: QuestionFloor
    times: int = 1

    def at(self, failure: Array | float) -> QuestionFloor:
        """What one asks at a share of the failure probability."""
        return replace(self.floor, failure=failure)  # type: ignore[type-var]


@dataclass(frozen=True)
class Split:
    """The shares of one failure probability at each N.

    Attributes:
        parts: the questions.
        failure: α of all.
        power: p.
        most: the most people that there are.
    """

    parts: tuple[Part, ...]
    failure: float
    power: int
    most: float

    def shares(self, n: Array) -> tuple[Array, Array]:
        """The failure probability and about the rate of each question at each N; rows by part.

        They add up to α, with the times that each is asked, and rates are ∞ where no split does.
        """
        return self._solved(np.asarray(n, float), self._factors(n))

    def _factors(self, n: Array) -> Array:
        """The logarithms of the factors by which the smooth guess is corrected."""
        knots, factors = self._known_factors
        at = np.log(np.asarray(n, float))
        return np.array([np.interp(at, np.log(knots), row) for row in factors])

    @cached_property
    def _known_factors(self) -> tuple[Array, Array]:
        """The same at the sizes that are corrected; where no split does, as at the next one."""
        if not any(part.floor.regularity.saw_toothed for part in self.parts):
            return _KNOTS, np.zeros((len(self.parts), len(_KNOTS)))  # bounds are smooth themselves
        knots = np.unique(np.minimum(np.rint(_KNOTS), self.most))
        factors = np.zeros((len(self.parts), len(knots)))
        for _ in range(_CORRECTIONS):
            _, rates = self._solved(knots, factors)
            some = np.isfinite(rates).all(axis=0)
            if not some.any():
                break
            n = knots[some]
            for row, part, rate in zip(factors, self.parts, rates[:, some], strict=True):
                with np.errstate(all="ignore"):
                    off = _logarithm(part.floor.achieved(rate, n, 0.0))
                    off = off - _logarithm(part.floor.likely(rate, n))
                row[:] = np.interp(knots, n, np.nan_to_num(off))
        return knots, factors

    @property
    def _times(self) -> Array:
        return np.array([part.times for part in self.parts], dtype=float)[:, None]

    @property
    def _least(self) -> Array:
        """The least that each question is left of α."""
        least = [[_MORE * part.floor.least_failure] for part in self.parts]
        return np.maximum(least, self.failure * _LEAST_PART)

    @property
    def enough(self) -> bool:
        """Whether α is enough for all of them to be read."""
        return bool(np.sum(self._times * self._least) <= self.failure)

    def _solved(self, n: Array, factors: Array) -> tuple[Array, Array]:
        if not self.enough:
            shape = (len(self.parts), *n.shape)
            return np.broadcast_to(self._least, shape), np.full(shape, np.inf)
        with np.errstate(all="ignore"):
            gone = np.full(n.shape, _NO_NOISE)
            alone = [part.floor.likely(gone, n) for part in self.parts] * np.exp(factors)
            left = self.failure - np.sum(self._times * alone, axis=0)
            possible = left > self.failure * _LEAST_PART
            x = np.zeros((len(self.parts), *n.shape))
            if possible.any():
                some = n[possible], factors[:, possible], left[possible]
                x[:, possible] = self._newton(*some)
            failures = np.exp(self._logarithms(np.exp(x)[None], n, factors))[0]
        failures = np.where(possible, failures, self.failure / np.sum(self._times))
        return self.over_the_least(failures), np.where(possible, np.exp(x), np.inf)

    def over_the_least(self, failures: Array) -> Array:
        """Shares of all of α, about in proportion to these: the least, and what is over it."""
        over = np.maximum(failures - self._least, self.failure * _LEAST_PART)
        rest = self.failure - np.sum(self._times * self._least)
        return np.asarray(self._least + over * (rest / np.sum(self._times * over, axis=0)))

    def _newton(self, n: Array, factors: Array, left: Array) -> Array:
        """The logarithms of the best rates, from those of noise alone at equal shares."""
        share = np.maximum(left / np.sum(self._times), np.max(self._least))
        least = [
            np.maximum(part.at(share).noise_alone(n, 0.0), _LEAST_NATS / (n * part.floor.error))
            for part in self.parts
        ]
        x = np.log(least)
        beside = np.array([-_STEP, 0.0, _STEP])[:, None, None]
        for _ in range(_MOST_STEPS):
            low, here, high = self._logarithms(np.exp(x + beside), n, factors)
            steep = np.maximum((low - high) / (2 * _STEP), 1e-9)
            curvature = (2 * here - low - high) / _STEP**2
            slope = self.power + steep - curvature / steep
            slope = np.where(slope > 0.1 * self.power, slope, self.power + steep)
            level = self.power * x - here - np.log(steep)
            pull = steep / slope
            at = np.log(self._times / self.failure) + here + pull * level
            step = np.clip((multiplier(at, pull) - level) / slope, -_FARTHEST, _FARTHEST)
            x = x + np.nan_to_num(step)
            if np.max(np.abs(step), initial=0.0) < _CLOSE:
                break
        return np.asarray(x)

    def _logarithms(self, rates: Array, n: Array, factors: Array) -> Array:
        """The logarithm of how often each question fails, about: rates × parts × sizes."""
        sizes = np.broadcast_to(n, (len(rates), *n.shape))
        found = [part.floor.likely(rates[:, k], sizes) for k, part in enumerate(self.parts)]
        return _logarithm(np.stack(found, axis=1)) + factors


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


def _logarithm(chance: Array) -> Array:
    return np.log(np.maximum(chance, _TINY))
