"""What a failure probability does not pass on a cell [a, b] of K, and its largest value.

Two bounds hold, and the lower one counts:

- Stochastic order: the more people have the property, the larger the counts, so the chance to be
  over an edge is at most that at b with the edge of a, and to be under one that at a with the edge
  of b.
- The logarithm of C(K, y)·C(M − K, n − y), as a polynomial of real K, has a second derivative of
  −Σ 1/(K − i)² over i < y, less the same of M − K and n − y: at least
  1/(K + ½) − 1/(K − y + ½), and so on. That of what noise does at the distance t from the edge is
  at least −2ε² for Laplace noise (where t < 0, as (ln(1 − ½e^(εt)))″), and −rate² for Gaussian
  noise, and the edge moves by n/M with K. Let all together be at least −C: then
  f ≤ max(f(a), f(b))·e^(C(b − a)²/8), as in `exact.cells`, but for counts out of reach.

Geometric noise reaches whole edges only: where v = 1/(1 + e^(−ε)) and w = 1 − v, it is over one at
t with a probability of at most v·e^(−εt), and of at most 1 − w·e^(ct) for t < 0 if c ≥ ε. With
c = εv/w = εe^ε that has a continuous slope and bends by at most c²w/v² = ε²(1 + e^ε): it is taken
in place of the noise at the ends of cells.
"""

from planner import numbers
from planner.numbers import Number

_MOST_CELLS = 200_000
_STEEP = 3.0


def curvature(
    people: int, drawn: int, steep: Number, start: Number, end: Number, reach: float
) -> Number:
    """The C of a cell for counts within reach of their means; ∞ where some K would be too few.

    Args:
        people: M.
        drawn: n.
        steep: what bounds the bend of the noise, for an edge that moves by 1.
        start: a.
        end: b; floats, arrays or balls.
        reach: how far from their means counts are summed.
    """
    system = numbers.of(start, end, steep)
    low = system.maximum(drawn * start / people - reach, start * 0)
    high = system.minimum(drawn * end / people + reach, start * 0 + drawn)
    noise = steep * drawn * drawn / people / people
    # the sum is convex in y, so that it is largest at an end of the reach
    return noise + system.maximum(
        _of_count(people, drawn, start, end, low, system),
        _of_count(people, drawn, start, end, high, system),
    )


def _of_count(
    people: int, drawn: int, start: Number, end: Number, y: Number, system: numbers.NumberSystem
) -> Number:
    half, least = system.number(0.5), system.number(1e-3)
    left, others = start - y, people - end - (drawn - y)
    fits = system.all_or_nothing(-system.minimum(left, others))
    curvature = 1 / system.maximum(left + half, least) - 1 / (start + half)
    curvature += 1 / system.maximum(others + half, least) - 1 / (people - end + half)
    return system.maximum(curvature, fits)


def by_log_chord(seen: Number, width: Number, curvature: Number) -> Number:
    """max(f(a), f(b))·e^(Cw²/8); ∞ where it is of no use."""
    system = numbers.of(seen, width, curvature)
    exponent = system.minimum(width * width * curvature / 8, system.number(_STEEP))
    return system.maximum(seen * system.exp(exponent), system.all_or_nothing(exponent - _STEEP))
