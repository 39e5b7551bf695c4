"""How little the failure probability under geometric noise bends with the mean, over many tips.

Geometric noise is, with probability s = 1/cosh(ε/2), Laplace noise rounded to the nearest whole
number, and else 0: for whole k and h

    Pr[k + Z ≥ h] = s·Pr[k + Laplace ≥ h − ½] + (1 − s)·[k ≥ h].

At a tip, a mean at which an edge is just hit, the edges lie NT and ⌈2NT⌉ − NT from Nμ, so there the
failure probability is s·V + (1 − s)·Pr[the sample is off]. V is that of Laplace noise with edges
½ nearer, either the upper or the lower one the nearer; in it chords span many tips (see
`laplace_bend`, where the nearer edge bounds both). Samples are off with probability at most
2Q(2(NT − 1)/√N) (see `large_study`). Tips are at most 1/N apart, and between two of them the edges
are held, no nearer than at either, so there the failure probability passes the larger of the two by
a factor of e^(K/8N²) at most (see `cells`).
"""

import math
from fractions import Fraction

from planner import numbers
from planner.libraries import np
from planner.mechanisms.exact.bounds import laplace_curvature
from planner.mechanisms.exact.bounds.cells import by_log_chord, log_curvature
from planner.mechanisms.exact.bounds.large_study import sample_off
from planner.mechanisms.exact.sums.noisy_count import upper_side
from planner.numbers import Array, Number

Excesses = tuple[Fraction, Fraction]
"""How far the edges of V lie from Nμ, the nearer one first."""
_LARGEST = 1_400.0
"""With more ε hardly a float tells 1/cosh(ε/2) from 0."""


def excesses(participants: int, error: Fraction) -> Excesses | None:
    """Those of V; None where they are too near for its chords."""
    excess, half = participants * error, Fraction(1, 2)
    near, far = excess - half, math.ceil(2 * excess) - excess - half
    return (near, far) if near > laplace_curvature.FEWEST else None


def most_at_tips(
    seen: Number, left: Number, right: Number, epsilon: Number, participants: Number, error: Number
) -> Number:
    """What f does not pass at the tips in a cell; of floats, arrays or balls, ∞ where of no use.

    Args:
        seen: the larger value of V at its ends, whichever edge is the nearer.
        left: the cell's least mean.
        right: the cell's largest mean.
        epsilon: ε, one for all.
        participants: N.
        error: T.
    """
    system = numbers.of(seen, left, right, epsilon, participants, error)
    half = system.number(0.5)
    most = laplace_curvature.most_between(
        seen, left, right, epsilon, participants, error - half / participants
    )
    rounded = 2 / (system.exp(epsilon * half) + system.exp(-epsilon * half))
    return rounded * most + (1 - rounded) * sample_off(participants, participants * error - 1)


def over_tips(epsilon: float, n: int, error: Fraction, left: Array, right: Array) -> Array:
    """What f does not pass on cells, by chords of V whose ends are moved out by 1/N."""
    apart = excesses(n, error)
    if apart is None or epsilon > _LARGEST:
        return np.full(left.shape, np.inf)
    left, right = np.maximum(left - 1 / n, 0.0), np.minimum(right + 1 / n, 1.0)
    sides = np.stack([left, right, 1 - left, 1 - right])
    nearer, farther = (upper_side(float(n), sides, float(off), epsilon, None) for off in apart)
    seen = np.max(nearer + np.roll(farther, 2, axis=0), axis=0)
    highest = most_at_tips(seen, left, right, epsilon, n, float(error))
    steep = log_curvature(float(n), np.minimum(left, 1 - right))
    return np.asarray(by_log_chord(highest, 1 / n, steep))
