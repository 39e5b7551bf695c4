"""One failure probability shared out where everybody answers every question, each at its own ε.

Question i needs the strength s = √(κu) with κ = 1/(2T²N) and u = ln(2k/α), and of ε e(s), which is
2·artanh s (yes or no), 4·artanh s (yes or no for every group) or ln(1 + ks/(1 − s)) (one's group).
Over α each is convex: with h(u) = e(s) that means h″ + h′ ≥ 0, which is

    for 2·artanh s:        2u(1 − s²) + 3s² ≥ 1, true for u ≥ ½;
    for ln(1 + ks/(1−s)):  s·e″ + (2u − 1)e′ ≥ 0, true for u ≥ 1 as s·e″ ≥ −e′.

For α < 1 both hold: u > ln 2, and u > ln 4 for two groups or more. So Σ tᵢεᵢ with Σ tᵢαᵢ ≤ α is
least where h′(uᵢ)/αᵢ is the same λ for all. With any λ it is at least Σ tᵢ·min(εᵢ(a) + λa) − λα:
proofs rest on that.
"""

import math
from collections.abc import Sequence

from planner import numbers
from planner.libraries import np
from planner.mechanisms.reports.split_sample import SplitQuestion, Way
from planner.mechanisms.survey.any_split import least_of_convex
from planner.mechanisms.survey.multiplier import multiplier
from planner.numbers import Array, Number, NumberSystem

_MOST_STEPS, _HALVINGS = 60, 60
_CLOSE = 1e-9
_NEARER = 0.2
"""No step goes closer than this part of the way to a strength of 1."""
_APART = 1e-4
"""How far apart, as a fraction, the points lie between which a best share is enclosed."""


def ways(lot: SplitQuestion) -> tuple[Way, ...]:
    """How a question can be asked."""
    return ("answer",) if lot.numbers == 1 else ("group", "groups")


def least_epsilon(way: Way, groups: int, strength: Number, system: NumberSystem) -> Number:
    """The ε at which reports tell people apart by a strength below 1."""
    if way == "group":
        return system.log1p(groups * strength / (1 - strength))
    odds = system.log1p(strength) - system.log1p(-strength)
    return odds if way == "answer" else 2 * odds


def best_shares(lots: Sequence[SplitQuestion], failure: float, n: Array) -> Array:
    """About the αᵢ that need the least ε together, rows by question; equal where N is too small.

    Args:
        lots: the questions.
        failure: α.
        n: N, in one dimension.
    """
    times = np.array([[float(lot.times)] for lot in lots])
    least = np.array([np.log(2 * lot.numbers) - 1 / _square(lot, n) for lot in lots])
    rest = failure - np.sum(times * np.exp(least), axis=0)
    possible = rest > failure * 1e-12
    x = np.log(np.exp(least) + np.where(possible, rest, failure) / np.sum(times))
    open_ = np.flatnonzero(possible)
    for _ in range(_MOST_STEPS):
        if not open_.size:
            break
        here = x[:, open_]
        pulls = (_least_pull(lot, row, n[open_]) for lot, row in zip(lots, here, strict=True))
        level, slope = (np.array(rows) for rows in zip(*pulls, strict=True))
        at = np.log(times / failure) + here + level / slope
        step = (level - multiplier(at, 1 / slope)) / slope
        step = np.maximum(step, (1 - _NEARER) * (least[:, open_] - here))
        x[:, open_] += step
        open_ = open_[np.max(np.abs(step), axis=0) > _CLOSE]
    shares = np.exp(x)
    shares *= failure / np.sum(times * shares, axis=0)
    return np.where(possible, shares, failure / np.sum(times))


def _square(lot: SplitQuestion, n: Array) -> Array:
    """κ, the square of the strength for each nat of 2k/α."""
    return 1 / (2 * lot.error**2 * n)


def _least_pull(lot: SplitQuestion, x: Array, n: Array) -> tuple[Array, Array]:
    """`_pull` by the way that needs the least ε."""
    first, *others = (_pull(lot, way, x, n) for way in ways(lot))
    if not others:
        return first[1:]
    less = first[0] < others[0][0]
    level, slope = (np.where(less, a, b) for a, b in zip(first[1:], others[0][1:], strict=True))
    return level, slope


def _pull(lot: SplitQuestion, way: Way, x: Array, n: Array) -> tuple[Array, Array, Array]:
    """ε at ln α; ln(h′(u)/α), how much ε falls as α grows; and minus its derivative."""
    square, groups = _square(lot, n), lot.numbers
    s = np.minimum(np.sqrt(square * (math.log(2 * groups) - x)), 1 - 1e-15)
    epsilon = least_epsilon(way, groups, s, numbers.arrays())
    if way == "group":
        others = (groups - 1) / (1 + (groups - 1) * s)
        rise, curvature = others + 1 / (1 - s), 1 / (1 - s) ** 2 - others**2
    else:
        double = 2 if way == "groups" else 1
        rise, curvature = 2 * double / (1 - s * s), 4 * double * s / (1 - s * s) ** 2
    slope = 1 + square / (2 * s) * (curvature / rise - 1 / s)
    return epsilon, np.log(rise * square / (2 * s)) - x, slope


def at_any_shares(
    lots: Sequence[SplitQuestion], failure: float, shares: Sequence[float], participants: Number
) -> Number:
    """What Σ tᵢεᵢ is surely not under, for any shares of α; close to it where these are the best.

    Args:
        lots: the questions.
        failure: α.
        shares: αᵢ of each, that N people can reach.
        participants: N, a ball.
    """
    number, n = numbers.balls().number, np.array([float(participants.mid())])
    levels = sorted(
        float(_least_pull(lot, np.array([math.log(a)]), n)[0][0])
        for lot, a in zip(lots, shares, strict=True)
    )
    level = levels[len(levels) // 2]
    multiplier = number(math.exp(level))
    total = -multiplier * number(failure)
    for lot in lots:
        raised = [_raised(lot, way, failure, level, participants) for way in ways(lot)]
        total += lot.times * (raised[0] if len(raised) == 1 else raised[0].min(raised[1]))
    return total


def _raised(
    lot: SplitQuestion, way: Way, failure: float, level: float, participants: Number
) -> Number:
    """What ε(a) + λa is surely not under, λ = e^level."""
    system, n = numbers.balls(), np.array([float(participants.mid())])
    low, high = math.log(2 * lot.numbers) - 1 / float(_square(lot, n)[0]), math.log(failure)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        over = float(_pull(lot, way, np.array([middle]), n)[1][0]) > level
        low, high = (middle, high) if over else (low, middle)
    multiplier = system.number(math.exp(level))

    def value(a: Number) -> Number:
        strength = system.sqrt(lot.people(a) / participants)
        if not strength < 1:
            return system.infinity
        return least_epsilon(way, lot.numbers, strength, system)

    points = [system.number(math.exp(high) * (1 + k * _APART)) for k in (-1.0, 0.0, 1.0)]
    values = [value(a) + multiplier * a for a in points]
    least = least_of_convex(points, values) if values[0].is_finite() else None
    return value(system.number(failure)) if least is None else least
