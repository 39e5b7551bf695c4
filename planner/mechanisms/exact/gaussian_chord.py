"""How little the failure probability under Gaussian noise bends with the mean: chords bound it.

As in `laplace_chord`, the upper side of f has u″ = E[(N²M²G″ − NΔ²G)(b − K₂)], with G(t) = Q(x),
x = t·r and r = 1/σ, so that G″ = r²xφ(x). Δ² averages second derivatives over two counts, and with
m = 1/2 − μ, M is m times an average of first derivatives and 1/12 of one of second derivatives: so
M²G″ is made of m²r⁴(x³ − 3x)φ, of (m/6)r⁵He₄φ and of r⁶He₅φ/144, averaged over two counts.

- For x up to some X ≥ 2, with φ ≤ (X + 1)Q and xφ ≤ (1 + x²)Q, all is relative to Q: xφ is at
  most (1 + X²)Q, (x³ − 3x)φ at least −3.2·Q, and He_jφ at most X^j(X + 1)Q in size. Two counts
  make Q larger by e^(2r(X + 1)) at most, and G(b − K₂) is at most G(b − K).
- Beyond, at y = X − 2r or more, (x³ − 3x)φ is positive, and the others fall: they are at most what
  they are with y^j for He_j, where y ≥ √5.

So f″ ≥ −Bf − R with B = e^(2r(X + 1))·(Nr²(1 + X²) + N²(3.2m²r⁴ + (X + 1)(|m|r⁵X⁴/6 + r⁶X⁵/144)))
and, for either side, an R of yφ(y)·(Nr² + N²(|m|r⁵y³/6 + r⁶y⁴/144)): see `curvature.by_chord` for
the chord.

Where few samples are near an edge, the bound by their chances is closer. With u, b, K₂, S, Δ and L
as in `laplace_chord`, G(t) = Q(rt) and t = b − k,

    u″ = Σ Pr[K₂ = k]·(N²L² − NΔ²)G(t).

Let μ < θ = μ + τ < 1, τ = ρT, and λ the logarithm of θ's odds over those of μ. Then Pr[K₂ = k] is
e^(−n·kl(θ, μ) + λ(nθ − k)) times what it is at θ, at most 1/√(2en·θ(1 − θ)) (Herzog 1947): with v
and w the least and the largest y(1 − y) between μ and θ, and as b − nθ ≥ N(T − τ),

    Pr[K₂ = k] ≤ P·e^(λt),    P = e^(−nτ²/2w − N(T − τ)τ/w)/√(2env),    λ ≤ τ/v.

So sums over counts are at most P times integrals of e^(λt) and derivatives of G. Δ² averages G″,
and L² m²G⁗, (m/6)G⁽⁵⁾ and G⁽⁶⁾/144, over t − 2 to t. All but the last average evenly over a unit,
which makes sums over counts integrals; the last is at most 3/2 of that. With s = λ/r,
∫e^(sx)·He_j(x)φ(x) is e^(s²/2) times that of He_j(x + s)φ, and He_j(x + s) is Σ C(j, i)·s^(j −
i)·He_i(x). With h_j = ∫|He_j(x)|φ, k_j the sum of C(j, i)·s^(j − i)·h_i, and l_j the same with half
of h_j in it (either sign makes half, as the integral of both is 0),

    u″ ≥ −P·e^(2λ + s²/2)·(N·r·l₁ + N²(m²r³·l₃ + |m|r⁴·k₄/6 + r⁵·k₅/96)).

ρ = Nw/(Nw + σ²) shares the way to the edge out among sample and noise, as they most likely do.
"""

import math

from planner import numbers
from planner.mechanisms.exact.curvature import by_chord
from planner.numbers import Number, NumberSystem

_MOST_LARGER = 40.0  # e^40: a bound that large says nothing
_LEAST_TAIL = 2.25
"""Over √5."""
_SIZES = (1.0, 0.798, 0.968, 1.511, 2.802, 5.911)
"""∫|He_i|φ, rounded up."""
_LARGEST = 40.0  # likewise
_LEAST = 1e-12  # keeps divisions by y(1 − y) finite


def most_between(
    seen: Number,
    left: Number,
    right: Number,
    rate: Number,
    participants: Number,
    error: Number,
    goal: float,
) -> Number:
    """What f does not pass on a cell; of floats, arrays or balls."""
    system = numbers.of(seen, left, right, rate, participants, error)
    number = system.number
    tail = number(
        max(1 + math.sqrt(max(-2 * math.log(goal), 0.0)) if goal > 0 else 40.0, _LEAST_TAIL)
    )
    end = tail + 2 * rate
    m = system.maximum(number(0.5) - left, right - number(0.5))
    one, square = participants * rate**2, (participants * rate**2) ** 2
    near = one * (1 + end**2) + square * (
        m**2 * 16 / 5 + (end + 1) * (m * rate * end**4 / 6 + rate**2 * end**5 / 144)
    )
    larger = 2 * rate * (end + 1)
    curvature = near * system.exp(system.minimum(larger, number(_MOST_LARGER)))
    curvature = system.maximum(curvature, system.all_or_nothing(larger - _MOST_LARGER))
    density = system.exp(-(tail**2) / 2) * 2 / 5
    far = one + square * (m * rate * tail**3 / 6 + rate**2 * tail**4 / 144)
    chord = by_chord(seen, right - left, curvature, 2 * tail * density * far)
    by_chances = most_bent(left, right, rate, participants, error)
    return system.minimum(chord, by_chord(seen, right - left, number(0.0), by_chances))


def most_bent(
    left: Number, right: Number, rate: Number, participants: Number, error: Number
) -> Number:
    """R, f″ ≥ −R, on a cell of means; of floats, arrays or balls, ∞ where it is of no use."""
    system = numbers.of(left, right, rate, participants, error)
    sides = ((left, right), (1 - right, 1 - left))
    few = system.all_or_nothing(system.number(2.5) - participants)
    sides_curvature = [_side(*side, rate, participants, error, system) for side in sides]
    return system.maximum(sides_curvature[0] + sides_curvature[1], few)


def _side(
    low: Number, high: Number, rate: Number, n: Number, error: Number, system: NumberSystem
) -> Number:
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
