"""How little the failure probability under Laplace noise bends where its kink is smoothed.

In `laplace_bend` most of R comes from the kink of G, whose second derivative steps by ε² at 0. The
step makes f ripple as edges pass counts, but hardly changes f. So let G̃ = G + H, where with x = t/τ

    H(t) = (ε²τ²/2)·x(φ(x) − |x|Q(|x|)),

which is odd and takes the step away: G̃ is ½e^(−εt) + J₂ − ε²t²/4 + S with S = (ε²τ²/2)·(xφ(x) +
x²(Φ(x) − ½)) and J₂ = 1 − cosh εt + ε²t²/2 for t < 0, else 0. Then with P the largest chance of a
count that is at most 9τ inside an edge (beyond, all that follows is under 2·10⁻¹⁴/τ of what P
makes):

- ∫|H| is 0.133·ε²τ³, in two humps of at most 0.0507·ε²τ². So the upper side ũ of f with G̃ is
  within e = ε²τ²(0.133τ + 0.1013)·P of u.
- M (see `laplace_bend`) makes 0 of a constant, so J₂, ½e^(−εt) and what they make of u″ are as
  there, but for the step.
- M is m = ½ − μ times an average of first derivatives and 1/12 of one of second derivatives. Sums
  of such averages over counts are integrals, 1.5 times that where no first derivative is averaged.
  The fourth, fifth and sixth derivatives of S, (ε²/2)τ^(2−j) times (x³ − 5x)φ, −(x⁴ − 8x² + 5)φ
  and (x⁵ − 12x³ + 21x)φ, have negative parts of 1.328, 2.152 and 4.194. So M²S″ makes at least
  −(ε²/2)(1.33m²/τ + 0.36|m|/τ² + 0.044/τ³)·P.
- H″ is ∓(ε²/2)(2Q − |x|φ), with a positive part of 0.481, so −NΔ²H makes −N(ε²/4)τ·P at least.

Together f̃ = ũ + its other side has f̃″ ≥ −B(f̃ + e) − R̃, and f passes a chord of f̃ by e.
"""

from planner import numbers
from planner.mechanisms.exact.bounds.cells import by_chord
from planner.mechanisms.exact.bounds.chances import beyond_both_edges
from planner.numbers import Number

_REACH = 9
_SHARPEST, _FEW = 0.25, 0.1
_NEAR = 40
"""The smoothing reaches over no more than 9/40 of the way from the mean to an edge."""


def most_between(
    seen: Number,
    left: Number,
    right: Number,
    epsilon: Number,
    participants: Number,
    error: Number,
    curvature: Number,
    rest: Number,
) -> Number:
    """What f does not pass on a cell; of floats, arrays or balls.

    Args:
        seen: the larger value at its ends.
        left: the cell's least mean.
        right: the cell's largest mean.
        epsilon: ε, one for all.
        participants: N.
        error: T.
        curvature: B.
        rest: what R is without the step, over N²ε²P.
    """
    system = numbers.of(seen, left, right, epsilon, participants, error)
    number, width = system.number, right - left
    m = system.maximum(number(0.5) - left, right - number(0.5))
    # of so few the sharpest is taken; of a ball 0 ± r roots are NaN
    counts = system.maximum(participants * width, number(_FEW))
    # about where the smoothing costs as much as the chord
    τ = system.maximum(counts ** (1 / 3) / 2, system.sqrt(counts * m) / 2)
    τ = system.maximum(system.minimum(τ, participants * error / _NEAR), number(_SHARPEST))
    chance = beyond_both_edges(left, right, participants, error, _REACH * τ) + number(4e-14) / τ
    square = epsilon**2 * chance
    apart = square * τ**2 * (number(0.133) * τ + number(0.1013))
    step = (number(1.33) * m**2 / τ + number(0.36) * m / τ**2 + number(0.044) / τ**3) / 2
    bent = participants**2 * square * (step + rest + τ / (4 * participants))
    return by_chord(seen + apart, width, curvature, bent + curvature * apart) + apart
