"""What several questions add up to at least, however one failure probability is shared out.

With any multiplier λ, Σ tᵢgᵢ(αᵢ) ≥ Σ tᵢ·min(gᵢ(a) + λa) − λα where Σ tᵢαᵢ ≤ α. A convex function is
nowhere under the lines through two of its points outside of these, so between two points it is over
the lines through their neighbours.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

from planner import numbers
from planner.libraries import scipy
from planner.mechanisms.survey.part import Part
from planner.numbers import Number, NumberSystem

_FARTHEST = 20.0
"""So small a share, in logarithms of α, is no question's best one."""
_NO_SHARE = 1e30
"""More than any question asks."""
_APART = 1e-4
"""How far apart, as a fraction, the points lie between which a best share is enclosed."""


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
    """What g(a) + λa is nowhere under on (0, α], from its values about where it is least.

    Args:
        part: the question.
        failure: α.
        multiplier: λ.
        points: three about its share.
        at: g there.
        value: g.
        one_of: whether it is one of several pieces, which is least somewhere else.
    """
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


def least_of_convex(points: Sequence[Number], values: Sequence[Number]) -> Number | None:
    """What a convex function is nowhere under, where it is least about the middle of three points.

    Left of the middle it is over the line through the other two, and right of it likewise; beyond
    the outer points it only rises. None where it is not certain to turn between them.
    """
    a, b, c = values
    if not (a >= b and c >= b):
        return None
    left, right = (b - a) / (points[1] - points[0]), (c - b) / (points[2] - points[1])
    from_left = b - right * (points[1] - points[0])
    from_right = b + left * (points[2] - points[1])
    return from_left.min(from_right)
