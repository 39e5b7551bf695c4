"""That no split of ε and α reaches a survey's accuracy, for all N in a range: by duality.

Question i fails with fᵢ(y) at least at N·εᵢ = y, which falls with y. With any multiplier λ ≥ 0, all
splits with Σ tᵢ·fᵢ(yᵢ) ≤ α have

    Σ tᵢ·yᵢ ≥ Σ tᵢ·min over y of (y + λ·fᵢ(y)) − λα,

and a cell [a, b] of y is nowhere under a + λ·fᵢ(b), and is left out where fᵢ(b) > α by itself. No
convexity is needed.
"""

import heapq
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from planner import numbers
from planner.libraries import np
from planner.mechanisms.survey.best_shares import best_shares, steepness
from planner.mechanisms.survey.part import Part
from planner.numbers import Number

if TYPE_CHECKING:
    from flint import arb

_MOST_MULTIPLIERS, _FACTOR, _BEST = 8, 1.6, 0.05
_PER_OCTAVE = 2
"""Multipliers are known at so many sizes between one and its double."""
_CLOSE = 2e-3
_MOST_CELLS = 400
_FIRST = 8


def refuted(
    parts: Sequence[Part], failure: float | None, n_epsilon: "arb", least: int, most: int
) -> bool:
    """Whether every N in [least, most] with N·ε ≤ `signal` is certain to miss, at any split.

    Args:
        parts: the questions.
        failure: α of all together; None where each has its own.
        n_epsilon: a ball.
        least: the smallest N.
        most: the largest N.
    """
    largest = float(n_epsilon.upper())
    if failure is None:
        total = type(n_epsilon)(0)
        for part in parts:
            total += part.times * _least_n_epsilon(part, largest, least, most)
        return bool(total > n_epsilon)
    alpha = numbers.balls().number(failure)
    # each with all of the signal fails no more than in any split
    if sum(part.times * _failing(part, least, most)(largest) for part in parts) > alpha:
        return True
    about = 2.0 ** (round(_PER_OCTAVE * math.log2(most)) / _PER_OCTAVE)
    multiplier, before = _multiplier(tuple(parts), failure, about), 0
    for _ in range(_MOST_MULTIPLIERS):
        total, failing = -alpha * multiplier, 0.0
        for part in parts:
            lowest, at = _lowest(part, alpha, multiplier, largest, least, most)
            total += part.times * lowest
            failing += part.times * at
        if total > n_epsilon:
            return True
        # the bound is concave in λ, with the slope Σ tᵢfᵢ − α
        rising = 1 if failing > failure else -1
        if before == -rising or abs(failing / failure - 1) < _BEST:
            break
        before = rising
        multiplier *= _FACTOR**rising
    return False


@lru_cache(maxsize=256)
def _multiplier(parts: tuple[Part, ...], failure: float, n: float) -> float:
    """About the best one at N; where no split does, the one for noise alone.

    At the best split yᵢ/(fᵢ·sᵢ) is λ for all questions, with sᵢ the steepness of ln fᵢ over ln yᵢ.
    """
    size = np.array([n])
    with np.errstate(all="ignore"):
        failures, rates = best_shares(parts, failure, 1, size)
        if np.isfinite(rates).all():
            return float(np.median(n * rates / (failures * steepness(parts, rates, size))))
    cost = sum(part.times / float(part.floor.error) for part in parts)
    return cost / failure


def _failing(part: Part, least: int, most: int) -> "Callable[[float], arb]":
    """The question's bound from below on its failure probability."""
    ball = type(numbers.balls().infinity)
    return lambda n_epsilon: part.floor.failure_between(ball(n_epsilon), least, most)


def _lowest(
    part: Part, alpha: "arb", multiplier: float, largest: float, least: int, most: int
) -> "tuple[arb, float]":
    """What y + λ·f(y) is nowhere under where f(y) ≤ α, and about f there."""
    fails = _failing(part, least, most)
    ball = type(numbers.balls().infinity)

    def bound(start: float, end: float) -> tuple[float, float, float, float]:
        failure = fails(end)
        if failure > alpha:
            return math.inf, start, end, float(failure.mid())
        low = float((start + multiplier * failure).lower())
        return math.nextafter(low, -math.inf), start, end, float(failure.mid())

    ends = [0.0, *(largest * 2.0**-k for k in range(_FIRST, -1, -1))]
    cells = [bound(*cell) for cell in pairwise(ends)]
    heapq.heapify(cells)
    for _ in range(_MOST_CELLS):
        low, start, end, _ = cells[0]
        if end - start <= _CLOSE * max(low, 1e-300):
            break
        heapq.heappop(cells)
        middle = (start + end) / 2
        heapq.heappush(cells, bound(start, middle))
        heapq.heappush(cells, bound(middle, end))
    low, _, _, failure = cells[0]
    # beyond the largest signal that all have together
    return (ball(low), failure) if low < largest else (ball(largest), 0.0)


def _least_n_epsilon(part: Part, largest: float, least: int, most: int) -> Number:
    """The y up to which every study is certain to miss the question's own α."""
    fails = _failing(part, least, most)
    ball = type(numbers.balls().infinity)
    alpha = numbers.balls().number(part.floor.failure)
    low, high = 0.0, largest
    if fails(high) > alpha:
        return ball(high)
    while high - low > _CLOSE * 1e-3 * high and high > 0:
        middle = (low + high) / 2
        low, high = (middle, high) if fails(middle) > alpha else (low, middle)
    return ball(low)
