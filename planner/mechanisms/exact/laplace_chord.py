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
2(¼ + m²)²ε²cosh 2ε + (ε|m| + ε²/12)²/(2(1 − e^(−ε)))); see `beyond_both_edges` for P.

Most of R comes from the kink of G, whose second derivative steps by ε² at 0. The step makes f
ripple as edges pass counts, but hardly changes f. In wider cells it is smoothed: let G̃ = G + H,
where with x = t/τ

    H(t) = (ε²τ²/2)·x(φ(x) − |x|Q(|x|)),

which is odd and takes the step away: G̃ is ½e^(−εt) + J₂ − ε²t²/4 + S with S = (ε²τ²/2)·(xφ(x) +
x²(Φ(x) − ½)) and J₂ = 1 − cosh εt + ε²t²/2 for t < 0, else 0. Then with P the largest chance of a
count that is at most 9τ inside an edge (beyond, all that follows is under 2·10⁻¹⁴/τ of what P
makes):

- ∫|H| is 0.133·ε²τ³, in two humps of at most 0.0507·ε²τ². So the upper side ũ of f with G̃ is
  within e = ε²τ²(0.133τ + 0.1013)·P of u.
- M makes 0 of a constant, so J₂, ½e^(−εt) and what they make of u″ are as above, but for the step.
- M is m = ½ − μ times an average of first derivatives and 1/12 of one of second derivatives. Sums
  of such averages over counts are integrals, 1.5 times that where no first derivative is averaged.
  The fourth, fifth and sixth derivatives of S, (ε²/2)τ^(2−j) times (x³ − 5x)φ, −(x⁴ − 8x² + 5)φ
  and (x⁵ − 12x³ + 21x)φ, have negative parts of 1.328, 2.152 and 4.194. So M²S″ makes at least
  −(ε²/2)(1.33m²/τ + 0.36|m|/τ² + 0.044/τ³)·P.
- H″ is ∓(ε²/2)(2Q − |x|φ), with a positive part of 0.481, so −NΔ²H makes −N(ε²/4)τ·P at least.

Together f̃ = ũ + its other side has f̃″ ≥ −B(f̃ + e) − R̃, and f passes a chord of f̃ by e.

For P, by Stirling's and Chernoff's bounds Pr[K = k] is at most e^(−n·kl(x, μ)) over
√(2πnx(1 − x)), with x = k/n, and kl(x, μ) at least (x − μ)²/2v, v the largest y(1 − y) between μ
and x.
"""

import math

from flint import arb

from planner import numbers
from planner.mechanisms.exact.curvature import by_chord
from planner.numbers import Number, NumberSystem

_NO_NOISE = 20
"""With less noise than this counts decide, and cells are as narrow."""
FEWEST = 3
"""With more than so many counts between the mean and an edge, chances fall beyond the edge."""
_REACH = 9  # where Q falls under 1e-19: the smoothing is unseen beyond
_SHARPEST, _FEW = 0.25, 0.1  # a smoothing and a cell narrower than these gain nothing
_NEAR = 40
"""The smoothing reaches over no more than 9/40 of the way from the mean to an edge."""


def most_between(
    seen: Number,
    left: Number,
    right: Number,
    epsilon: Number,
    participants: Number,
    error: Number,
) -> Number:
    """What f does not pass on a cell; of floats, arrays or balls, ∞ where this is of no use."""
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
    smooth = _smoothed(seen, left, right, epsilon, participants, error, curvature, rest)
    return system.minimum(sharp, smooth)


def _smoothed(
    seen: Number,
    left: Number,
    right: Number,
    epsilon: Number,
    participants: Number,
    error: Number,
    curvature: Number,
    rest: Number,
) -> Number:
    """What f does not pass on a cell; of floats, arrays or balls."""
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


def beyond_both_edges(
    left: Number, right: Number, participants: Number, error: Number, closer: Number
) -> Number:
    """The sum of P of either side on a cell of means; of floats, arrays or balls.

    P is at least Pr[K₂ = k] for N − 2 people and all k > N(μ + T) − 2 − c, and at least
    Pr[K = k] of all people for the k > N(μ + T) − c: 1 where so many counts are no more than Nμ.
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
