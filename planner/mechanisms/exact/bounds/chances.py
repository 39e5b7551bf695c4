"""The likeliest count beyond an edge, over a cell of means.

By Stirling's and Chernoff's bounds Pr[K = k] is at most e^(−n·kl(x, μ)) over √(2πnx(1 − x)), with
x = k/n, and kl(x, μ) at least (x − μ)²/2v, v the largest y(1 − y) between μ and x.
"""

import math

from flint import arb

from planner import numbers
from planner.numbers import Number, NumberSystem


def beyond_both_edges(
    left: Number, right: Number, participants: Number, error: Number, closer: Number
) -> Number:
    """The sum of P of either side on a cell of means; of floats, arrays or balls.

    P is at least Pr[K₂ = k] for N − 2 people and all k > N(μ + T) − 2 − c, and at least
    Pr[K = k] of all people for the k > N(μ + T) − c: 1 where so many counts are no more than Nμ.

    Args:
        left: the cell's least mean.
        right: the cell's largest mean.
        participants: N.
        error: T.
        closer: c, how far inside the edges counts begin.
    """
    system = numbers.of(left, right, participants, error, closer)
    excess = participants * error - 2 - closer
    sides = ((left, right), (1 - right, 1 - left))
    chances = [_largest(*side, participants, error, excess, closer, system) for side in sides]
    no_edge = system.maximum(left * 0, system.all_or_nothing(-excess))
    return system.minimum(chances[0] + chances[1] + no_edge, system.number(2.0))


def _largest(
    low: Number,
    high: Number,
    n: Number,
    error: Number,
    excess: Number,
    closer: Number,
    system: NumberSystem,
) -> Number:
    """P of the upper side, where the excess is positive."""
    number = system.number
    people, excess = system.maximum(n - 2, number(1.0)), system.maximum(excess, number(0.0))
    one = low * 0 + 1
    middle = system.minimum(system.maximum(low, number(0.5)), system.minimum(high + error, one))
    spread = middle * (1 - middle)
    exponent = excess**2 / (2 * people * system.maximum(spread, number(1e-300)))
    first = (n * low + excess) / people
    last = system.minimum((n * high + excess + 1) / people, one)
    both = 2 * _pi(system) * people
    nearest = system.minimum(first * (1 - first), last * (1 - last))
    return system.exp(-exponent) / system.sqrt(system.maximum(both * nearest, one))


def _pi(system: NumberSystem) -> Number:
    if system is not numbers.balls():
        return math.pi

    return arb.pi()
