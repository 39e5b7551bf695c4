"""How little the failure probability under Laplace noise bends with the mean: chords bound it.

With G(t) = Pr[Z ≥ t], u(μ) = E[G(b − K)] is the upper side of f, b = N(μ + T). Let S shift t by −1,
and n = N − 2 people make K₂. Moving the mean moves the counts and the edge, and with Δ = S − 1,
D = d/dt and A = 1 + μΔ

    u″ = E[(N²L² − NΔ²)G(b − K₂)],    L = Δ + AD,

but where b is a whole number, which no chord sees. Let d = e^ε − 1 and t = b − K₂.

- Where t ≥ 2, G is ½e^(−εt), of which L² makes a square times it and Δ² makes d² times it; and
  K ≥ K₂. So these counts give u″ at least −Nd²·u.
- Where t ≤ 0, G is 1 − ½e^(εt), and L makes at most ε²/2 times the second term: as chances fall
  there, these give at least −N²ε⁴/8·P/(1 − e^(−ε)), P the largest Pr[K₂ = k] with k > b − 2.
- Between there is one count with t in (0, 1) at most and one in (1, 2). G is ½e^(−εt) + J, where
  J″ is −ε²·cosh εt for t < 0, else 0. On that L² is M², M = 1 − μ + μS − ∫₀¹ Sˢ ds, which makes no
  more of a step at 0 than (1 − μ)² − 2(1 − μ)t + t²/2 on (0, 1) and, with t − 1 for t,
  ½ − (1 − μ)² + (1 − 2μ)t − t²/2 on (1, 2): together at least −max(μ, 1 − μ). And cosh εt is within
  cosh 2ε − 1 of 1, of which M², that has variation 4 and makes 0 of a constant, makes half as much.

So f″ ≥ −Bf − R with B = Nd² and, for either side, an R of N²ε²P·(max(μ, 1 − μ) + 4(cosh 2ε − 1) +
ε²/(8(1 − e^(−ε)))). By Stirling's and Chernoff's bounds P is at most e^(−n·kl(x, μ)) over
√(2πnx(1 − x)), with x = k/n for the first such k, and kl(x, μ) at least (x − μ)²/2v with v the
largest y(1 − y) between μ and x.
"""

import math

from planner import numbers
from planner.mechanisms.exact.bounds.cells import by_chord
from planner.numbers import Number, NumberSystem

_NO_NOISE = 20
"""With less noise than this counts decide, and cells are as narrow."""
FEWEST = 3
"""With more than so many counts between the mean and an edge, chances fall beyond the edge."""


def most_between(
    seen: Number,
    left: Number,
    right: Number,
    epsilon: Number,
    participants: Number,
    error: Number,
) -> Number:
    """What f does not pass on a cell; of floats, arrays or balls, ∞ where this is of no use.

    Args:
        seen: the larger value at its ends.
        left: the cell's least mean.
        right: the cell's largest mean.
        epsilon: ε, one for all.
        participants: N.
        error: T.
    """
    system = numbers.of(seen, left, right, epsilon, participants, error)
    if not (participants * error > FEWEST and epsilon < _NO_NOISE):
        return seen * 0 + system.infinity
    bend = participants * system.expm1(epsilon) ** 2
    grown = system.exp(2 * epsilon)
    step = 1 - system.minimum(left, 1 - right) + 2 * (grown + 1 / grown - 2)
    step += epsilon**2 / -system.expm1(-epsilon) / 8
    sides = ((left, right), (1 - right, 1 - left))
    chance = sum(_chance(*side, participants, error, system) for side in sides)
    return by_chord(seen, right - left, bend, (participants * epsilon) ** 2 * step * chance)


def _chance(low: Number, high: Number, n: Number, error: Number, system: NumberSystem) -> Number:
    """P on a cell of means."""
    number = system.number
    people, excess = n - 2, n * error - 2
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
    from flint import arb

    return arb.pi()
