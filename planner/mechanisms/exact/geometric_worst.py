"""The worst mean of a noisy count with two-sided geometric noise, and how cells are bounded.

Counts and noise are whole, so the answer is off by T or more where K + Z ≥ h = ⌈Nμ + NT⌉ or
K + Z ≤ g = ⌊Nμ − NT⌋; whether Nμ ± NT is whole decides, and is decided in fractions. The worst mean
is often one at which an edge is just hit (a tip): those are fractions, which no float need be. On
a cell [a, b] of means both edges are at their nearest at h(a) and g(b), and with those edges held
the failure probability F is semiconvex in its logarithm (see `cells`). In small studies another
bound is closer: F is the mean of a function g(K) with values in [0, 1], so F″ = N(N − 1)·E[Δ²g] is
at most 2N(N − 1) in size, and F ≤ max(F(a), F(b)) + N(N − 1)w²/4. In large ones chords span
many tips, see `geometric_bend`.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from planner.libraries import np
from planner.mechanisms.exact.bounds import geometric_curvature
from planner.mechanisms.exact.bounds.bracket import (
    CLEARLY,
    FIRST_CELLS,
    PARTS,
    ROUNDING,
    Mean,
    WorstMean,
    half,
    most_cells,
    tolerance_at,
)
from planner.mechanisms.exact.bounds.cells import by_log_chord, log_curvature
from planner.mechanisms.exact.rates import LARGE
from planner.mechanisms.exact.sums.edges import between_tips, edges_of_cells, tips, tips_of_cells
from planner.mechanisms.exact.sums.geometric_sums import both_sides, failure_at_means, held_at
from planner.numbers import Array, Number, decimal

_MOST_CELLS = 200_000
_NARROWEST = 1e-18
"""At a mean of 0 both edges may be hit, and cells beside it must be small against α."""
_CLEARLY_MORE = 1 + 1e-12
WIDE = 4
"""Cells of so many tips are bounded over all of them, or cut."""
_TIPS = 8
"""Of so many cells in a round the tips are looked at."""


def bent(participants: int, width: Number) -> Number:
    """N(N − 1)w²/4, by which F may pass its values at the ends of a cell of width w."""
    return width**2 * (participants * (participants - 1)) / 4


def worst_mean(
    epsilon: float,
    participants: int,
    error: float,
    mean_range: tuple[float, float],
    tolerance: float | None = None,
    sufficient: float = 0.0,
) -> WorstMean:
    """Bracket the largest failure probability over a range of means; see `worst_mean`."""
    n, t = int(participants), decimal(float(error))
    low, high = half(mean_range)
    first = [*tips(n, t, low, high, *mean_range), *(decimal(end) for end in (low, high))]
    least, mean = _largest(epsilon, n, error, first)
    if low == high:
        return WorstMean(least, least, mean)
    nodes = np.linspace(low, high, FIRST_CELLS + 1)
    left, right = nodes[:-1], nodes[1:]
    h, g = edges_of_cells(n, t, left, right)
    passed, whole = 0.0, True  # whole: whether tips may lie inside cells
    many_tips = n > LARGE and geometric_curvature.excesses(n, t) is not None
    while True:
        width = right - left
        if many_tips and n * width[0] > WIDE:
            bound = geometric_curvature.over_tips(epsilon, n, t, left, right)
        else:
            seen = np.maximum(*(held_at(epsilon, n, h, g, end) for end in (left, right)))
            best = int(np.argmax(seen))
            bound = _with_edges_held(epsilon, n, h, g, left, right, seen)
            doubtful = (bound > max(least, sufficient / ROUNDING)) & (n * width > 1)
            if doubtful.any():
                over_tips = geometric_curvature.over_tips(
                    epsilon, n, t, left[doubtful], right[doubtful]
                )
                bound[doubtful] = np.minimum(bound[doubtful], over_tips)
        if whole:
            likely = np.argsort(bound)[-_TIPS:]
            tipping = [m for at in likely for m in tips(n, t, left[at], right[at], *mean_range)]
            least, mean = max((least, mean), _largest(epsilon, n, error, tipping))
        elif seen[best] > least * _CLEARLY_MORE:  # at an end where no edge is hit
            ends = left[best], right[best]
            at_ends = held_at(epsilon, n, h[best], g[best], np.array(ends))
            least, mean = float(seen[best]), float(ends[int(np.argmax(at_ends))])
        goal = max(least * (1 + (tolerance or tolerance_at(n))), sufficient / ROUNDING)
        open_ = (bound > goal) & (width > _NARROWEST)
        passed = max(passed, float(np.max(bound[~open_], initial=0.0)))
        too_many = PARTS * int(open_.sum()) > most_cells(n, _MOST_CELLS)
        if not open_.any() or too_many or (sufficient and least > sufficient * CLEARLY):
            rest = float(np.max(bound[open_], initial=0.0))
            most = min(1.0, max(passed, least, rest) * ROUNDING)
            return WorstMean(min(least, most), most, mean)
        left, right, h, g = (x[open_] for x in (left, right, h, g))
        if whole and n * width[0] <= 1:
            whole = False
            highest, tip = _largest_inside(epsilon, n, t, left, right)
            least, mean = max((least, mean), (highest, tip))
            left, right, h, g = between_tips(n, error, left, right)
            continue
        cuts = left[:, None] + (right - left)[:, None] * (np.arange(PARTS + 1) / PARTS)
        left, right = cuts[:, :-1].ravel(), cuts[:, 1:].ravel()
        h, g = np.repeat(h, PARTS), np.repeat(g, PARTS)
        if whole:
            h, g = edges_of_cells(n, t, left, right)


def _with_edges_held(
    epsilon: float, n: int, h: Array, g: Array, left: Array, right: Array, seen: Array
) -> Array:
    """What F does not pass on cells, from the larger values at their ends."""
    width = right - left
    bound = by_log_chord(seen, width, log_curvature(float(n), np.minimum(left, 1 - right)))
    bound = np.minimum(bound, seen + bent(n, width))
    return np.minimum(bound, held_at(epsilon, n, h, g, right, other=left))


def _largest_inside(
    epsilon: float, n: int, error: Fraction, left: Array, right: Array
) -> tuple[float, Mean]:
    """The largest failure probability at the tips inside cells, and where it is."""
    apart, near = math.ceil(2 * n * error), n * float(error)
    far = max(apart - near, near)
    worst: tuple[float, Mean] = (0.0, 0.0)
    for means, beside, off in zip(
        tips_of_cells(n, float(error), left, right),
        ((near, far), (far, near)),
        (-error, error),
        strict=True,
    ):
        inside = means[(means > left) & (means < right)]
        if inside.size:
            values = both_sides(epsilon, float(n), inside, *beside)
            best = int(np.argmax(values))
            count = round(n * (float(inside[best]) - float(off)))
            worst = max(worst, (min(1.0, float(values[best])), Fraction(count, n) + off))
    return worst


def _largest(epsilon: float, n: int, error: float, means: Sequence[Fraction]) -> tuple[float, Mean]:
    """The largest failure probability at given means, and where it is."""
    if not means:
        return 0.0, 0.0
    values = failure_at_means(np.array([epsilon]), n, error, means)[0]
    best = int(np.argmax(values))
    return min(1.0, float(values[best])), means[best]
