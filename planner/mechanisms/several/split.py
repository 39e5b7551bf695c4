"""One failure probability shared out among several questions, so that they need the least ε.

At one N let question i, asked tᵢ times, fail with fᵢ(r) at rate r. Least Σ tᵢ·rᵢ^p with
Σ tᵢ·fᵢ(rᵢ) ≤ α means that p·rᵢ^p/(fᵢ·sᵢ) is the same for all, sᵢ = −d ln fᵢ/d ln r: with one
multiplier. In x = ln r Newton's method steps by uᵢ = (L − bᵢ)/dᵢ, where bᵢ = p·xᵢ − ln fᵢ − ln sᵢ
and dᵢ is its derivative, and L is the root of Σ tᵢ·fᵢ·exp(−sᵢ·uᵢ) = α.

The f are those of the smooth guess; at sizes that are read exactly, one more step is of the
failures themselves. Any split proves a plan, and one so near to the best costs no more.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from planner.libraries import np
from planner.mechanisms.floor import QuestionFloor
from planner.numbers import Array

Read: TypeAlias = Callable[[QuestionFloor, Array, Array], Array]
"""How often a question fails at a rate and a size: exactly, or by the smooth guess."""

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
    """

    parts: tuple[Part, ...]
    failure: float
    power: int

    def shares(self, n: Array, exact: bool = True) -> tuple[Array, Array]:
        """The failure probability and about the rate of each question at each N; rows by part.

        They add up to α, with the times that each is asked, and rates are ∞ where no split does.

        Args:
            n: sizes.
            exact: whether to better the smooth guess by the failures themselves.
        """
        n = np.asarray(n, float)
        shape = (len(self.parts), *n.shape)
        if not self.enough:
            return np.broadcast_to(self._least, shape), np.full(shape, np.inf)
        with np.errstate(all="ignore"):
            gone = np.full(n.shape, _NO_NOISE)
            alone = np.array([part.floor.likely(gone, n) for part in self.parts])
            left = self.failure - np.sum(self._times * alone, axis=0)
            possible = left > self.failure * _LEAST_PART
            x, failures = np.zeros(shape), np.full(shape, self.failure / np.sum(self._times))
            if possible.any():
                some = n[possible]
                near = self._newton(self._start(some, left[possible]), some, _likely, _MOST_STEPS)
                if exact and self._by_guess:
                    near = self._newton(near, some, _achieved, 1)  # a tenth off, then a thousandth
                x[:, possible] = near
                read = _achieved if exact else _likely
                failures[:, possible] = np.exp(self._logarithms(near[None], some, read))[0]
        return self.over_the_least(failures), np.where(possible, np.exp(x), np.inf)

    @property
    def _by_guess(self) -> bool:
        """Whether a guess is other than the failure itself, as that of a bound is not."""
        return any(part.floor.regularity.saw_toothed for part in self.parts)

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

    def over_the_least(self, failures: Array) -> Array:
        """Shares of all of α, about in proportion to these: the least, and what is over it."""
        over = np.maximum(failures - self._least, self.failure * _LEAST_PART)
        rest = self.failure - np.sum(self._times * self._least)
        return np.asarray(self._least + over * (rest / np.sum(self._times * over, axis=0)))

    def _start(self, n: Array, left: Array) -> Array:
        """The logarithms of the rates of noise alone at equal shares of what samples leave."""
        share = np.maximum(left / np.sum(self._times), np.max(self._least))
        least = [
            np.maximum(part.at(share).noise_alone(n, 0.0), _LEAST_NATS / (n * part.floor.error))
            for part in self.parts
        ]
        return np.log(least)

    def _newton(self, x: Array, n: Array, read: Read, most_steps: int) -> Array:
        """The logarithms of the best rates, of failures as they are read.

        A size that is close stays as it is, so that its rates are the same beside any others.
        """
        beside = np.array([-_STEP, 0.0, _STEP])[:, None, None]
        moves = np.full(n.shape, True)
        for _ in range(most_steps):
            low, here, high = self._logarithms(x + beside, n, read)
            steep = np.maximum((low - high) / (2 * _STEP), 1e-9)
            curvature = (2 * here - low - high) / _STEP**2
            slope = self.power + steep - curvature / steep
            slope = np.where(slope > 0.1 * self.power, slope, self.power + steep)
            level = self.power * x - here - np.log(steep)
            pull = steep / slope
            at = np.log(self._times / self.failure) + here + pull * level
            step = np.clip((multiplier(at, pull) - level) / slope, -_FARTHEST, _FARTHEST)
            x = x + np.where(moves, np.nan_to_num(step), 0.0)
            moves = moves & ~(np.max(np.abs(step), axis=0) < _CLOSE)
            if not moves.any():
                break
        return np.asarray(x)

    def _logarithms(self, x: Array, n: Array, read: Read) -> Array:
        """The logarithm of how often each question fails: rates × parts × sizes."""
        sizes = np.broadcast_to(n, (len(x), *n.shape))
        found = [read(part.floor, np.exp(x[:, k]), sizes) for k, part in enumerate(self.parts)]
        return np.log(np.maximum(np.stack(found, axis=1), _TINY))


def _likely(floor: QuestionFloor, rate: Array, n: Array) -> Array:
    """How often a question fails by the smooth guess."""
    return floor.likely(rate, n)


def _achieved(floor: QuestionFloor, rate: Array, n: Array) -> Array:
    """How often it fails."""
    return np.asarray(floor.achieved(rate, n, 0.0))


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
        close = np.abs(whole - 1) < _ROOT_CLOSE
        if np.all(close):
            break
        step = np.log(whole) * whole / np.sum(pull * terms, axis=0)
        level = level + np.where(close, 0.0, step)
    return level
