"""What a survey asks at least, for every split of its α: proofs that no study exists rest on it.

What noise alone asks of all questions together is least where αᵢ is in proportion to what one more
nat costs question i. A question given all of α needs no more than with its share.

At one N, with any multiplier λ, Σ tᵢgᵢ(αᵢ) ≥ Σ tᵢ·min(gᵢ(a) + λa) − λα where Σ tᵢαᵢ ≤ α. A convex
function is nowhere under the lines through two of its points outside of these, so between two
points it is over the lines through their neighbours.

For all N in a range, question i fails with fᵢ(y) at least at N·rᵢ = y, r its rate, which falls with
y. With p = 2 for Gaussian noise, else 1, and any multiplier λ ≥ 0, all splits with Σ tᵢ·fᵢ(yᵢ) ≤ α
have

    Σ tᵢ·yᵢ^p ≥ Σ tᵢ·min over y of (y^p + λ·fᵢ(y)) − λα,

and a cell [a, b] of y is nowhere under a^p + λ·fᵢ(b), and is left out where fᵢ(b) > α by itself. No
convexity is needed.
"""

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, reduce
from itertools import pairwise
from typing import TYPE_CHECKING

from planner import numbers
from planner.libraries import np, scipy
from planner.mechanisms.exact.curvature import least_of_convex
from planner.mechanisms.several.best_shares import Part, best_shares, steepness
from planner.mechanisms.several.questions import Questions
from planner.mechanisms.several.together import Added
from planner.numbers import Number, NumberSystem

if TYPE_CHECKING:
    from flint import arb

_NEAR = 1e-6  # under the approximate floor: proofs need some room
_NEAR_NATS = 1e-3  # a difference of logarithms of α
_FARTHEST = 20.0
"""So small a share, in logarithms of α, is no question's best one."""
_NO_SHARE = 1e30
"""More than any question asks."""
_APART = 1e-4
"""How far apart, as a fraction, the points lie between which a best share is enclosed."""
_MOST_MULTIPLIERS = 10  # doubled steps reach 1e50 in eight
_FACTOR, _BEST = 1.6, 0.05  # a neighbour is as good; how near Σ f is to α
_PER_OCTAVE = 2
"""Multipliers are known at so many sizes between one and its double."""
_CLOSE, _ABOUT = 2e-3, 3e-2
"""A bound within 0.2 % of its best; within 3 % where that is enough."""
_MOST_CELLS = 400  # before a bound is left as it is
_FIRST = 8  # octaves of the largest N·ε


def noise_n_epsilon(of: Questions, participants: int, delta: Number) -> Number:
    """What the noises of N people or more ask of N·ε together, at any split."""
    if numbers.of(delta) is numbers.balls():
        return _n_epsilon(of, participants, delta)
    return _known_n_epsilon(of, participants)


@lru_cache(maxsize=2**10)
def _known_n_epsilon(of: Questions, participants: int) -> float:
    """The same in floats, remembered: sweeps of money ask it of every study; no δ changes it."""
    return float(_n_epsilon(of, participants, 0.0))


def _n_epsilon(of: Questions, participants: int, delta: Number) -> Number:
    system = numbers.of(delta)

    def n_epsilon(part: Part, failure: Number) -> Number:
        return part.at(failure).n_epsilon(participants, delta)

    if of.alone is not None:
        total: Number = system.number(0.0)
        for part, floor in zip(of.parts, of.alone, strict=True):
            total = part.times * floor.n_epsilon(participants, delta) + total
        return total
    assert of.failure is not None
    costs = []  # what one more nat of 1/α costs each
    for part in of.parts:
        a = of.failure / sum(of.times)
        more, less = (
            float(part.at(a * math.exp(by)).n_epsilon(participants, 0.0))
            for by in (-_NEAR_NATS, _NEAR_NATS)
        )
        costs.append((more - less) / (2 * _NEAR_NATS))
    whole = sum(n * cost for n, cost in zip(of.times, costs, strict=True))
    shares = [of.failure * cost / whole for cost in costs]
    return at_any_split(of.parts, of.failure, shares, n_epsilon, system)


def enclosed(of: Questions, participants: Number, delta: Number) -> Number:
    """The floor in balls: between what the shares need and what every split is certain to need."""
    number = numbers.balls().number
    if of.alone is not None:
        rates = [floor.epsilon(participants, number(0.0)) for floor in of.alone]
        return of.together.epsilon(rates, of.times, delta)
    assert of.failure is not None
    failures = of.splits[0].stated(float(participants.mid()))
    rates = [
        part.at(number(a)).epsilon(participants, number(0.0))
        for part, a in zip(of.parts, failures, strict=True)
    ]
    whole = [floor.epsilon(participants, number(0.0)) for floor in of.whole]
    if _beyond_samples(of, participants):
        return numbers.balls().infinity
    if not all(rate.is_finite() for rate in rates):
        return of.together.at_least(whole, of.times, delta).union(numbers.balls().infinity)
    sufficient = of.together.epsilon(rates, of.times, delta)
    if not isinstance(of.together, Added):
        return sufficient.union(of.together.at_least(whole, of.times, delta))

    def floor(part: Part, failure: Number) -> Number:
        return part.at(failure).epsilon(participants, number(0.0))

    least = at_any_split(of.parts, of.failure, failures, floor, numbers.balls())
    return sufficient.union(least)


def certify_missed(
    of: Questions, least: Number, most: Number, participants: int, delta: Number
) -> bool:
    """Whether every ε up to `most` is certain to miss: floors that are refuted add up to it."""
    number, infinity = numbers.balls().number, numbers.balls().infinity
    n = number(participants)
    rates = []
    for part, floor in zip(of.parts, of.whole, strict=True):
        lowest = floor.noise_alone(n, number(0.0))
        if not floor.regularity.saw_toothed:
            rates.append(floor.epsilon(n, number(0.0)))
            continue
        quick = float(part.at(floor.failure).approximate(float(participants), 0.0))
        near = number(quick * (1 - _NEAR)) if quick < math.inf else most
        refuted = near > lowest and floor.certify_missed(lowest, near, participants, number(0.0))
        rates.append(near if refuted else lowest)
    if any(rate == infinity for rate in rates):
        return True
    return bool(of.together.at_least(rates, of.times, delta) > most)


def certify_missed_sizes(
    of: Questions, epsilon: Number, least: int, most: int, delta: Number
) -> bool:
    """Whether every N in [least, most] surely misses at every ε up to a ball, at any split."""
    number = numbers.balls().number
    bounds = [floor for floor in of.whole if not floor.regularity.saw_toothed]
    # a bound that no ε reaches with the most people is not reached with fewer
    if any(
        floor.epsilon(number(most), number(0.0)) == numbers.balls().infinity for floor in bounds
    ):
        return True
    if of.alone is None and _beyond_samples(of, number(most)):
        return True
    if not of.together.adds_up:
        return False
    rate, power = of.together.largest(epsilon, delta), of.together.powers[0]
    signal = rate * most
    finite = bool(signal.is_finite())
    if finite and refuted(of.parts, of.failure, signal, least, most, power):
        return True
    # where it is known how often a question fails, that has been looked at
    unknown = [f for f in of.whole if not finite or f.failure_between(signal, least, most) == 0]
    return any(floor.certify_missed_sizes(rate, least, most, delta) for floor in unknown)


def _beyond_samples(of: Questions, participants: Number) -> bool:
    """Whether the samples alone are certain to be off with more than α together; balls."""
    assert of.failure is not None
    off = sum(part.times * part.floor.sample_alone(participants) for part in of.parts)
    return bool(off > numbers.balls().number(of.failure))


def at_any_split(
    parts: Sequence[Part],
    failure: float,
    shares: Sequence[float],
    value: Callable[[Part, Number], Number],
    system: NumberSystem,
) -> Number:
    """The least sum over all splits: certain in balls, in floats about that at some shares.

    Args:
        parts: the questions.
        failure: α, of all of them together.
        shares: αᵢ of each, about the best ones.
        value: gᵢ(αᵢ), which falls with αᵢ. What is not known to be convex up to α, or to turn near
            its share, counts as if it had all of α.
        system: floats or balls.
    """
    total: Number = system.number(0.0)
    if system is numbers.FLOATS:
        for part, a in zip(parts, shares, strict=True):
            total += part.times * value(part, a)
        return total
    convex, slopes = [], []
    for part, a in zip(parts, shares, strict=True):
        if not (part.convex and part.at(failure).regularity.convex_in_failure):
            total += part.times * value(part, system.number(failure))
            continue
        points = [type(total)(a * (1 + k * _APART)) for k in (-1.0, 0.0, 1.0)]
        at = [value(part, point) for point in points]
        convex.append((part, points, at))
        slopes.append(float(((at[0] - at[2]) / (points[2] - points[0])).mid()))
    if not convex:
        return total
    multiplier = type(total)(sorted(slopes)[len(slopes) // 2])
    for part, points, at in convex:
        pieces = [replace(part, floor=piece) for piece in part.floor.pieces]
        total += part.times * reduce(
            system.minimum,
            (
                _least(piece, failure, multiplier, points, at, value, len(pieces) > 1)
                for piece in pieces
            ),
        )
    return total - multiplier * system.number(failure)


def _least(
    part: Part,
    failure: float,
    multiplier: Number,
    points: Sequence[Number],
    at: Sequence[Number],
    value: Callable[[Part, Number], Number],
    one_of: bool,
) -> Number:
    """What g(a) + λa is nowhere under on (0, α], from its values about where it is least."""
    ball = type(multiplier)
    if one_of:

        def raised_at(log_share: float) -> float:
            a = ball(math.exp(log_share))
            raised = value(part, a) + multiplier * a
            return float(raised.mid()) if raised.is_finite() else _NO_SHARE

        ends = (math.log(failure) - _FARTHEST, math.log(failure))
        found = scipy.optimize.minimize_scalar(raised_at, bounds=ends, method="bounded")
        points = [ball(math.exp(found.x) * (1 + k * _APART)) for k in (-1.0, 0.0, 1.0)]
        at = [value(part, point) for point in points]
    raised = [g + multiplier * point for g, point in zip(at, points, strict=True)]
    least = least_of_convex(points, raised)
    return value(part, ball(failure)) if least is None else least


Failing = Callable[..., "arb"]
"""What a question fails with at least, where what it gets is up to one number and over another."""


def refuted(
    parts: Sequence[Part],
    failure: float | None,
    signal: "arb",
    least: int,
    most: int,
    power: int = 1,
) -> bool:
    """Whether every N in [least, most] with Σ tᵢ·yᵢ^p ≤ y^p is certain to miss, at any split.

    Args:
        parts: the questions.
        failure: α of all together; None where each has its own.
        signal: y, N times the rate of all together; a ball.
        least: the smallest N.
        most: the largest N.
        power: p.
    """
    failing = [_failing(part, least, most) for part in parts]
    if failure is None:
        largest, total = float(signal.upper()), type(signal)(0)
        for part, fails in zip(parts, failing, strict=True):
            total += part.times * _least_signal(fails, part.floor.failure, largest) ** power
        return bool(total > signal**power)
    about = 2.0 ** (round(_PER_OCTAVE * math.log2(most)) / _PER_OCTAVE)

    def multiplier() -> float:
        return _multiplier(tuple(parts), failure, about, power)

    return beyond(parts, failing, failure, signal, multiplier, power)


def beyond(
    parts: Sequence[Part],
    failing: Sequence[Failing],
    failure: float,
    whole: "arb",
    multiplier: Callable[[], float],
    power: int = 1,
) -> bool:
    """Whether what is shared out is certain to be too little, at any split of it and of α.

    Args:
        parts: the questions.
        failing: what each fails with at least.
        failure: α of all together.
        whole: what is shared out, N times a rate or people; a ball.
        multiplier: about the best one.
        power: p: what the parts' p-th powers add up to is the p-th power of the whole.
    """
    largest, whole = float(whole.upper()), whole**power
    alpha = numbers.balls().number(failure)
    # each with all of it fails no more than in any split
    pairs = list(zip(parts, failing, strict=True))
    if sum(part.times * fails(largest) for part, fails in pairs) > alpha:
        return True
    if len(pairs) == 1 and parts[0].times == 1:  # nothing is split
        return bool(least_priced(failing[0], alpha, 0.0, largest, power=power)[0] >= whole)
    price, low, high, step = multiplier(), 0.0, math.inf, _FACTOR
    for _ in range(_MOST_MULTIPLIERS):
        for close in (_ABOUT, _CLOSE):
            least = [
                (p.times, *least_priced(f, alpha, price, largest, close, power)) for p, f in pairs
            ]
            together = sum(times * at for times, _, at in least)
            priced, total = alpha * price, sum(times * lowest for times, lowest, _ in least)
            if total - priced > whole:
                return True
            if total * (1 + close) - priced < whole:  # no smaller cells make up for it
                break
        # the bound is concave in λ, with the slope Σ tᵢfᵢ − α
        low, high = (price, high) if together > failure else (low, price)
        if high <= low * _FACTOR or abs(together / failure - 1) < _BEST:
            break
        if low and high < math.inf:
            price = math.sqrt(low * high)
        else:
            price, step = price * step if low else price / step, step**2
    return False


@lru_cache(maxsize=256)
def _multiplier(parts: tuple[Part, ...], failure: float, n: float, power: int) -> float:
    """About the best one at N; where no split does, the one for noise alone.

    At the best split p·yᵢ^p/(fᵢ·sᵢ) is λ for all, with sᵢ the steepness of ln fᵢ over ln yᵢ.
    """
    size = np.array([n])
    with np.errstate(all="ignore"):
        failures, rates = best_shares(parts, failure, power, size)
        if np.isfinite(rates).all():
            steep = failures * steepness(parts, rates, size)
            return float(np.median(power * (n * rates) ** power / steep))
    cost = sum(part.times / float(part.floor.error) ** power for part in parts)
    return cost / failure


def _failing(part: Part, least: int, most: int) -> Failing:
    """The question's bound from below on its failure probability, for N·ε from one to another."""
    ball = type(numbers.balls().infinity)

    @cache
    def fails(n_epsilon: float, lowest: float = 0.0) -> "arb":
        return part.floor.failure_between(ball(n_epsilon), least, most, ball(lowest))

    return fails


def least_priced(
    fails: Failing, alpha: "arb", multiplier: float, largest: float, close: float = _CLOSE,
    power: int = 1,
) -> "tuple[arb, float]":  # fmt: skip
    """What y^p + λ·f(y) is nowhere under where f(y) ≤ α, and about f there."""
    ball = type(numbers.balls().infinity)

    def bound(start: float, end: float) -> tuple[float, float, float, float]:
        failure = fails(end, start)
        if failure > alpha:
            return math.inf, start, end, float(failure.mid())
        low = float((ball(start) ** power + multiplier * failure).lower())
        return math.nextafter(low, -math.inf), start, end, float(failure.mid())

    ends = [0.0, *(largest * 2.0**-k for k in range(_FIRST, -1, -1))]
    cells = [bound(*cell) for cell in pairwise(ends)]
    heapq.heapify(cells)
    for _ in range(_MOST_CELLS):
        low, start, end, _ = cells[0]
        if end**power - start**power <= close * max(low, 1e-300):
            break
        heapq.heappop(cells)
        middle = (start + end) / 2
        heapq.heappush(cells, bound(start, middle))
        heapq.heappush(cells, bound(middle, end))
    low, _, _, failure = cells[0]
    if math.isinf(low):  # all that there is is too little for this one
        return ball(low), 0.0
    # beyond the largest signal that all have together
    all_of_it = ball(largest) ** power
    return (ball(low), failure) if low < all_of_it else (all_of_it, 0.0)


def _least_signal(fails: Failing, failure: float, largest: float) -> Number:
    """The y up to which every study is certain to miss the question's own α."""
    ball = type(numbers.balls().infinity)
    alpha = numbers.balls().number(failure)
    low, high = 0.0, largest
    if fails(high) > alpha:
        return ball(high)
    while high - low > _CLOSE * 1e-3 * high and high > 0:
        middle = (low + high) / 2
        low, high = (middle, high) if fails(middle) > alpha else (low, middle)
    return ball(low)
