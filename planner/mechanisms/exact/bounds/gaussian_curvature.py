"""How little the failure probability under Gaussian noise bends with the mean: chords bound it.

As in `laplace_bend`, the upper side of f has u″ = E[(N²M²G″ − NΔ²G)(b − K₂)], with G(t) = Q(x),
x = t·r and r = 1/σ, so that G″ = r²xφ(x). Δ² averages second derivatives over two counts, and with
m = 1/2 − μ, M is m times an average of first derivatives and 1/12 of one of second derivatives: so
M²G″ is made of m²r⁴(x³ − 3x)φ, of (m/6)r⁵He₄φ and of r⁶He₅φ/144, averaged over two counts.

- For x up to some X ≥ 2, with φ ≤ (X + 1)Q and xφ ≤ (1 + x²)Q, all is relative to Q: xφ is at
  most (1 + X²)Q, (x³ − 3x)φ at least −3.2·Q, and He_jφ at most X^j(X + 1)Q in size. Two counts
  make Q larger by e^(2r(X + 1)) at most, and G(b − K₂) is at most G(b − K).
- Beyond, at y = X − 2r or more, (x³ − 3x)φ is positive, and the others fall: they are at most what
  they are with y^j for He_j, where y ≥ √5.

So f″ ≥ −Bf − R with B = e^(2r(X + 1))·(Nr²(1 + X²) + N²(3.2m²r⁴ + (X + 1)(|m|r⁵X⁴/6 + r⁶X⁵/144)))
and, for either side, an R of yφ(y)·(Nr² + N²(|m|r⁵y³/6 + r⁶y⁴/144)): see `laplace_bend` for the
chord.

Where few samples are near an edge, the bound by their chances is closer: see `edge_bend`.
"""

import math

from planner import numbers
from planner.mechanisms.exact.bounds import edge_curvature
from planner.mechanisms.exact.bounds.cells import by_chord
from planner.numbers import Number

_MOST_LARGER = 40.0
_LEAST_TAIL = 2.25
"""Over √5."""


def most_between(
    seen: Number,
    left: Number,
    right: Number,
    rate: Number,
    participants: Number,
    error: Number,
    goal: float,
) -> Number:
    """What f does not pass on a cell; of floats, arrays or balls.

    Args:
        seen: the larger value at its ends.
        left: the cell's least mean.
        right: the cell's largest mean.
        rate: 1/σ, one for all.
        participants: N.
        error: T.
        goal: about which value f is compared with: it places X.
    """
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
    by_chances = edge_curvature.most_bent(left, right, rate, participants, error)
    return system.minimum(chord, by_chord(seen, right - left, number(0.0), by_chances))
