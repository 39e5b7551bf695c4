"""Whether the failure probability under geometric noise is convex between two tips.

There the edges are held, so f is U(μ) = E[g(K)] with g(k) = Pr[k + Z ≥ h], and the same for the
other side. For K ~ Binomial(N, μ), U″ is N(N − 1)·E[g(J + 1) − 2g(J) + g(J − 1)], where J − 1 is
Binomial(N − 2, μ). With q = e^(−ε) and v, w as in `noisy_count`, g(k) is v·q^(h − k) below the edge
and 1 − w·q^(k − h) from it on, so

    U″ = N(N − 1)·((1 − q)²/q)·(E[v·q^(h − J); J < h] − E[w·q^(J − h); J ≥ h]).

On a cell [a, b] of means counts above (N − 2)b are the likelier the higher the mean. So the first
expectation is at least that at a, of those counts alone, and the second at most that at b.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.mechanisms.exact.balls import counts_reached, out_to, rational, within_reach
from planner.mechanisms.exact.sums.binomial_tails import MANY

if TYPE_CHECKING:
    from flint import arb

    from planner.mechanisms.exact.noise_balls import Exponential


def certify_convex(
    noise: "Exponential",
    participants: int,
    edges: tuple[int, int],
    cell: tuple[Fraction, Fraction],
    failure: float,
) -> bool:
    """Whether the failure probability is certain to be convex on a cell of means, edges held.

    Args:
        noise: of one rate.
        participants: N.
        edges: h and g, the counts from which on and up to which answers are off.
        cell: its least and its largest mean.
        failure: α; what is smaller by far is only bounded.
    """
    (above, below), (left, right), n = edges, cell, participants - 2
    if not (left > 0 and right < 1 and 0 < n <= MANY):
        return False
    upper = _second_difference(noise, n, above - 1, left, right, failure)
    lower = _second_difference(noise, n, n - below + 1, 1 - right, 1 - left, failure)
    return bool(upper + lower >= 0)


def _second_difference(
    noise: "Exponential", n: int, edge: int, left: Fraction, right: Fraction, failure: float
) -> "arb":
    """At least the difference of the two expectations, of a Binomial(n, μ) count."""
    rest, at = out_to(n, failure), arb(edge)
    last = min(n, math.ceil(n * right + Fraction(within_reach(n, failure))))
    above_mean = math.ceil(n * right)
    low, high = ((rational(mean), rational(1 - mean)) for mean in (left, right))
    carried = noise.reached(n, (above_mean, edge - 1), low, at, rest)
    stay = noise.reached(n, (edge, last), high, at, rest)
    return carried + stay - counts_reached(n, edge, high, failure)
