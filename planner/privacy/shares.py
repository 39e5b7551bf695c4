"""The total ε of many equal questions from that of one, and the inverse: floats, arrays or balls.

In balls the rules are written again, so that proofs use different code from the searches; only for
many questions, where the sum of the optimal rule is long, the bounds of `compose` are used.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

from planner import numbers
from planner.libraries import find_root, np, scipy
from planner.numbers import Array, Number, decimal
from planner.privacy.composition import of_queries
from planner.privacy.gaussian import enclosed_root
from planner.privacy.per_query import per_query
from planner.privacy.queries import Rule

if TYPE_CHECKING:
    from flint import arb


_MANY, _MANY_IN_ARRAYS = 500, 4_000
"""Sums of the optimal rule are short up to so many questions: a ball then takes a millisecond, and
arrays are twice as fast as one by one at 4,000, and eighteen times as fast at 500."""
_FAR = 600.0  # e^(±600) are doubles with all their digits, which end at e^(±708)
_TINY = 1e-320  # in place of a δ of 0: its logarithm is finite, and under that of `LEAST_SLACK`
_ROUNDING, _LEAST = 1e-11, 1e-15
"""Logarithms of factorials reach 3·10^4 at 4,000 questions, where three roundings are 10^(−11); and
a few roundings of numbers near 1."""


def together(epsilon: Number, times: int, delta: Number, rule: Rule) -> Number:
    """The total ε of all questions, from that of one [> 0, or ∞] and δ [[0, 1)]."""
    if numbers.of(epsilon, delta) is numbers.balls():
        if rule == "basic" or not delta > 0:
            return times * epsilon
        if rule == "optimal" and times > _MANY:
            low = _bounds(epsilon.lower(), times, delta.upper())[0]
            return low.union(_bounds(epsilon.upper(), times, delta.lower())[1])
        guess = together(float(epsilon.mid()), times, float(delta.mid()), rule)
        if not guess > 0:
            return numbers.balls().number(0.0)
        return enclosed_root(lambda total: _delta(rule, times, epsilon, total) - delta, guess)

    def all_of(share: float, slack: float) -> float:
        return _together(float(share), times, float(slack), rule)

    return _elementwise(all_of, epsilon, delta)


@lru_cache(maxsize=2**15)
def _together(share: float, times: int, slack: float, rule: Rule) -> float:
    """The ε of all questions, cached, since searches need the same sizes again."""
    if not share < math.inf:
        return math.inf
    return of_queries(((decimal(share), times),), slack, rule).epsilon


def each(total: Number, times: int, delta: Number, rule: Rule) -> Number:
    """The largest ε of one question, from the total [> 0, or ∞] and δ [[0, 1)]."""
    if numbers.of(total, delta) is numbers.balls():
        if rule == "basic" or not delta > 0:
            return total / times
        guess = each(float(total.mid()), times, float(delta.mid()), rule)
        if rule == "optimal" and times > _MANY:
            return enclosed_root(lambda one: total - together(one, times, delta, rule), guess)
        return enclosed_root(lambda one: delta - _delta(rule, times, one, total), guess)

    def share_of(whole: float, slack: float) -> float:
        return per_query(float(whole), times, float(slack), rule)

    return _elementwise(share_of, total, delta)


def about_together(epsilon: Array, times: int, delta: Number, rule: Rule) -> Array:
    """`together` for arrays, from below and to about a part in 10^11.

    With A and B the sums of the chances and of their e^(−loss) over the terms of `_optimal_delta`
    from the largest loss on, δ is at least A − e^total·B for any number of terms, and as much for
    one: so the total is the largest ln((A − δ)/B).
    """
    one = np.asarray(epsilon, float)
    if not _is_short(times, delta, rule):
        return np.asarray(together(epsilon, times, delta, rule))
    found = np.where(one > 0, np.inf, 0.0)
    inside = (one > 0) & (one < _FAR)
    chances, heads = _log_chances(times, one[inside, None])
    losses = (times - 2 * heads) * one[inside, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        left = np.log(np.cumsum(np.exp(chances), axis=-1) - delta)
        totals = left - np.logaddexp.accumulate(chances - losses, axis=-1)
    most = np.max(np.nan_to_num(totals, nan=0.0), axis=-1, initial=0.0)
    found[inside] = np.maximum(most * (1 - _ROUNDING) - _LEAST, 0.0)
    return found


def about_each(total: Array, times: int, delta: Number, rule: Rule) -> Array:
    """`each` for arrays, not to the last bit: all at once where the optimal rule is a short sum."""
    most = np.asarray(total, float)
    if not (_is_short(times, delta, rule) and np.all((most > 0) & (most < _FAR))):
        return np.asarray(each(total, times, delta, rule))

    def lacking(one: Array, whole: Array) -> Array:
        return np.log(np.maximum(_about_delta(times, one, whole), _TINY)) - math.log(delta)

    low, high = most / times, 2 * most
    while np.any(under := lacking(high, most) < 0):
        high = np.where(under, 2 * high, high)
    return np.asarray(find_root(lacking, (low, high), args=(most,)).x)


def _is_short(times: int, delta: Number, rule: Rule) -> bool:
    """Whether the optimal rule is asked for at one δ, and its sum is short."""
    return rule == "optimal" and times <= _MANY_IN_ARRAYS and np.ndim(delta) == 0 and delta > 0


def _about_delta(times: int, one: Array, total: Array) -> Array:
    """`_optimal_delta` of arrays of floats."""
    chances, heads = _log_chances(times, one[..., None])
    over = np.maximum((times - 2 * heads) * one[..., None] - total[..., None], 0.0)
    return np.asarray(np.sum(np.exp(chances) * -np.expm1(-over), axis=-1))


def _log_chances(times: int, one: Array) -> tuple[Array, Array]:
    """The logarithms of C(t, l)·e^((t − l)ε)/(1 + e^ε)^t, and l: those of a loss of (t − 2l)ε."""
    heads = np.arange(times // 2 + 1)
    ways = (
        scipy.special.gammaln(times + 1)
        - scipy.special.gammaln(heads + 1)
        - scipy.special.gammaln(times - heads + 1)
    )
    return ways + (times - heads) * one - times * np.logaddexp(0.0, one), heads


def _bounds(epsilon: "arb", times: int, delta: "arb") -> "tuple[arb, arb]":
    """Bounds of the optimal total, which `compose` rounds up by at most 1e-12."""
    share, slack = float(epsilon.mid()), float(delta.mid())
    most = together(share, times, slack, "optimal")
    # the doubles may lie an ulp or two outside the ball: it grows with ε at most as ε·t does
    wide = 4e-12 * max(most, share * math.sqrt(times)) + 1e-15 * share * times
    return arb(max(most - wide, 0.0)), arb(most + wide)


def _elementwise(one: Callable[[float, float], float], *values: Number) -> Number:
    """A function of floats, applied to arrays."""
    results = np.vectorize(one, otypes=[float])(*values)
    return float(results) if np.ndim(results) == 0 else results


def _delta(rule: Rule, times: int, one: "arb", total: "arb") -> "arb":
    """The δ at which `times` questions of ε = `one` are (`total`, δ)-private, by a rule.

    It decreases with `total` and increases with `one`; for `total` ≥ `times`·`one` it is 0.
    """
    if total >= times * one:
        return arb(0)
    if rule == "optimal":
        return _optimal_delta(times, one, total)
    drift = times * one * (one.expm1() if rule == "advanced" else (one / 2).tanh())
    room = (total - drift) / one
    if not room > 0:
        return arb(1)
    exponent = room**2 / (2 * times)
    delta = (-exponent).exp()
    if rule == "closed" and exponent > 1:
        delta = delta.min(arb(times).sqrt() * one / (exponent.exp() - arb(1).exp()))
    return delta


def _optimal_delta(times: int, one: "arb", total: "arb") -> "arb":
    """Σ_l C(t, l)·(e^((t − l)ε) − e^(total + lε))₊/(1 + e^ε)^t (KOV15 Theorem 3.3)."""
    less = (-one).exp()  # every other exponential is a power of it, times one of the first
    delta, chance = arb(0), (-times * less.log1p()).exp()  # of l = 0
    lost, step = times * one - total, 2 * one  # ln of the two terms' quotient
    kept, growth = (-lost).exp(), 1 / less**2
    for heads in range(times // 2 + 1):
        if lost < 0:
            break
        delta += chance * (1 - kept).max(arb(0))
        chance *= less * (times - heads) / (heads + 1)
        lost -= step
        kept *= growth
    return delta
