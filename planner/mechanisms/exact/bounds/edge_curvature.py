"""How little the failure probability under Gaussian noise bends where few samples are at its edge.

With u, b, K₂, S, Δ and L as in `laplace_bend`, G(t) = Q(rt) and t = b − k,

    u″ = Σ Pr[K₂ = k]·(N²L² − NΔ²)G(t).

Let μ < θ = μ + τ < 1, τ = ρT, and λ the logarithm of θ's odds over those of μ. Then Pr[K₂ = k] is
e^(−n·kl(θ, μ) + λ(nθ − k)) times what it is at θ, at most 1/√(2en·θ(1 − θ)) (Herzog 1947): with v
and w the least and the largest y(1 − y) between μ and θ, and as b − nθ ≥ N(T − τ),

    Pr[K₂ = k] ≤ P·e^(λt),    P = e^(−nτ²/2w − N(T − τ)τ/w)/√(2env),    λ ≤ τ/v.

So sums over counts are at most P times integrals of e^(λt) and derivatives of G. As in
`gaussian_bend`, Δ² averages G″, and L² m²G⁗, (m/6)G⁽⁵⁾ and G⁽⁶⁾/144, over t − 2 to t. All but the
last average evenly over a unit, which makes sums over counts integrals; the last is at most 3/2 of
that. With s = λ/r, ∫e^(sx)·He_j(x)φ(x) is e^(s²/2) times that of He_j(x + s)φ, and He_j(x + s) is
Σ C(j, i)·s^(j − i)·He_i(x). With h_j = ∫|He_j(x)|φ, k_j the sum of C(j, i)·s^(j − i)·h_i, and l_j
the same with half of h_j in it (either sign makes half, as the integral of both is 0),

    u″ ≥ −P·e^(2λ + s²/2)·(N·r·l₁ + N²(m²r³·l₃ + |m|r⁴·k₄/6 + r⁵·k₅/96)).

ρ = Nw/(Nw + σ²) shares the way to the edge out among sample and noise, as they most likely do.
"""

import math

from planner import numbers
from planner.numbers import Number, NumberSystem

_SIZES = (1.0, 0.798, 0.968, 1.511, 2.802, 5.911)
"""∫|He_i|φ, rounded up."""
_LARGEST = 40.0
_LEAST = 1e-12


def most_bent(
    left: Number, right: Number, rate: Number, participants: Number, error: Number
) -> Number:
    """R, f″ ≥ −R, on a cell of means; of floats, arrays or balls, ∞ where it is of no use.

    Args:
        left: the cell's least mean.
        right: the cell's largest mean.
        rate: 1/σ, one for all.
        participants: N.
        error: T.
    """
    system = numbers.of(left, right, rate, participants, error)
    sides = ((left, right), (1 - right, 1 - left))
    few = system.all_or_nothing(system.number(2.5) - participants)
    sides_curvature = [_side(*side, rate, participants, error, system) for side in sides]
    return system.maximum(sides_curvature[0] + sides_curvature[1], few)


def _side(
    low: Number, high: Number, rate: Number, n: Number, error: Number, system: NumberSystem
) -> Number:
    """The bound of the upper side."""
    number = system.number
    half, people = number(0.5), system.maximum(n - 2, number(1.0))
    one = rate * 0 + 1
    middle = system.minimum(system.maximum(low, half), system.minimum(high + error, one))
    most = middle * (1 - middle)
    own = n * most * rate / (n * most * rate**2 + 1)  # ρ/r, also where r = 0
    way = own * rate * error
    least = system.minimum(low * (1 - low), (high + way) * (1 - high - way))
    usable = system.all_or_nothing(number(_LEAST) - least)
    least = system.maximum(least, number(_LEAST))
    tilt, s = way / least, own * error / least
    larger = 2 * tilt + s**2 / 2
    usable = system.maximum(usable, system.all_or_nothing(larger - number(_LARGEST)))
    exponent = system.minimum(larger, number(_LARGEST))
    exponent -= way * (people * way / 2 + n * (error - way)) / most
    chance = system.exp(exponent) / system.sqrt(2 * system.exp(one) * people * least)
    m = system.maximum(half - low, high - half)
    curvature = n * rate * _tilted(1, s, 2) + n**2 * (
        m**2 * rate**3 * _tilted(3, s, 2)
        + m * rate**4 * _tilted(4, s, 1) / 6
        + rate**5 * _tilted(5, s, 1) / 96
    )
    return system.maximum(chance * curvature, usable)


def _tilted(order: int, s: Number, of_last: int) -> Number:
    """Σ C(j, i)·s^(j − i)·h_i, the last one divided."""
    total = s * 0 + _SIZES[order] / of_last
    for i in range(order):
        total += math.comb(order, i) * _SIZES[i] * s ** (order - i)
    return total
