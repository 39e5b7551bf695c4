"""How little the failure probability under Laplace noise bends with the mean: chords bound it.

With G(t) = Pr[Z ≥ t], u(μ) = E[G(b − K)] is the upper side of f, b = N(μ + T). Let S shift t by −1,
and n = N − 2 people make K₂. Moving the mean moves the counts and the edge, and with Δ = S − 1,
D = d/dt and A = 1 + μΔ

    u″ = E[(N²L² − NΔ²)G(b − K₂)],    L = Δ + AD,

but where b is a whole number, which no chord sees. Let d = e^ε − 1 and t = b − K₂.

- Where t ≥ 2, G is ½e^(−εt), of which L² makes a square times it and Δ² makes d² times it; and
  K ≥ K₂. So these counts give u″ at least −Nd²·u.
- Where t ≤ 0, G is 1 − ½e^(εt). L = −MD with M = 1 − μ + μS − ∫₀¹ Sˢ ds, which makes 0 of a
  constant, and of e^(εt) at most ε|m| + ε²/12 times it in size, m = ½ − μ. As chances fall there,
  these counts give at least −(N²ε²/2)(ε|m| + ε²/12)²·P/(1 − e^(−ε)), P the largest Pr[K₂ = k] with
  k > b − 2.
- Between there is one count with t in (0, 1) at most and one in (1, 2). G is ½e^(−εt) + J, where
  J″ is −ε² − ε²(cosh εt − 1) for t < 0, else 0. Of the step of ε² at 0 M² makes no more than
  (1 − μ)² − 2(1 − μ)t + t²/2 on (0, 1) and, with t − 1 for t, ½ − (1 − μ)² + (1 − 2μ)t − t²/2 on
  (1, 2): together at least −max(μ, 1 − μ). M averages first derivatives with weights 1 − μ − s,
  0 < s < 1, which are ¼ + m² together in size, so of the rest M² makes at most (¼ + m²)²ε⁴cosh 2ε
  at either count.

So f″ ≥ −Bf − R with B = Nd² and, for either side, an R of N²ε²P·(max(μ, 1 − μ) +
2(¼ + m²)²ε²cosh 2ε + (ε|m| + ε²/12)²/(2(1 − e^(−ε)))); see `chances` for P. In wider cells the step
at 0 is smoothed, which makes less of it, see `laplace_smoothed`.
"""

from planner import numbers
from planner.mechanisms.exact.bounds import laplace_smoothed
from planner.mechanisms.exact.bounds.cells import by_chord
from planner.mechanisms.exact.bounds.chances import beyond_both_edges
from planner.numbers import Number

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
    number = system.number
    curvature = participants * system.expm1(epsilon) ** 2
    m = system.maximum(number(0.5) - left, right - number(0.5))
    grown, moved = system.exp(2 * epsilon), epsilon * m + epsilon**2 / 12
    rest = (m**2 + number(0.25)) ** 2 * epsilon**2 * (grown + 1 / grown)
    rest += moved**2 / -system.expm1(-epsilon) / 2
    step = 1 - system.minimum(left, 1 - right)
    chance = beyond_both_edges(left, right, participants, error, number(0.0))
    sharp = by_chord(
        seen, right - left, curvature, (participants * epsilon) ** 2 * (step + rest) * chance
    )
    smooth = laplace_smoothed.most_between(
        seen, left, right, epsilon, participants, error, curvature, rest
    )
    return system.minimum(sharp, smooth)
