"""That no study exists by closed formulas, in fractions, for every N ≥ 1 and every ε.

One of three finite arguments is tried:

- limit: N·ceiling never exceeds a value that N·floor always exceeds, whatever N is;
- cells: both the highest floor and the lowest ceiling fall with N, so a range [a, b] of N is
  excluded where the floor at b is over the ceiling at a;
- concavity: the gap N·(ceiling − floor) is concave in N, so three of its values bound it
  everywhere: beyond its top it only falls, and inside it stays under the chords drawn on.
"""

from dataclasses import replace
from fractions import Fraction

from planner import numbers
from planner.answer.problem.problem import Problem
from planner.answer.problem.region import Region
from planner.libraries import np
from planner.numbers import WHOLE_LIMIT

_POINTS = 64  # of a grid of N
_FEW_CELLS = 64  # where a proof is worth little
_MANY_CELLS = 4_000  # before a proof is given up


def excluded(problem: Problem) -> str | None:
    """The argument that proves the problem to have no solution, or None where none succeeds."""
    low, _ = problem.delta_bounds
    arguments = [_excluded_region(region, problem.convex) for region in problem.regions(low)]
    return " and ".join(sorted({*arguments})) if all(arguments) else None  # type: ignore[arg-type]


def _excluded_region(floats: Region, convex: bool) -> str | None:
    region = floats.in_fractions
    if floats.participants_ceiling < 1:
        return "exact comparison"
    if region.n_epsilon_room() < 0:
        return "limit"
    top = _last(floats, region)
    if top is None:
        return None
    if _by_cells(region, top, _FEW_CELLS):
        return "cells"
    if convex:
        best = top_of_gap(floats, top)
        return "concavity" if best and _by_concavity(region, best, top) else None
    return "cells" if _by_cells(region, top, _MANY_CELLS) else None


def top_of_gap(region: Region, last: int) -> int | None:
    """About the N in [1, last] with the largest gap; None where no N has any accurate ε."""
    arrays, low, high, best = replace(region, system=numbers.arrays()), 1.0, float(last), 1.0
    while True:
        n = np.unique(np.rint(np.geomspace(low, high, _POINTS)))
        with np.errstate(all="ignore"):
            gap = n * (arrays.ceiling(n) - arrays.floor(n))
        gap = np.where(np.isfinite(gap), gap, -np.inf)
        at = int(np.argmax(gap))
        best, ends = float(n[at]), (n[max(at - 1, 0)], n[min(at + 1, len(n) - 1)])
        if not np.isfinite(gap[at]) or (low, high) == ends or ends[1] - ends[0] <= 2:
            return int(best) if np.isfinite(gap[at]) else None
        low, high = ends


def _last(floats: Region, region: Region) -> int | None:
    """An N beyond which there is no study, by a cap or, where limits vary with N, by limit."""
    if floats.participants_ceiling <= WHOLE_LIMIT:
        return int(floats.participants_ceiling)
    if not region.n_epsilon_grows:  # the limit is the same at every N
        return None
    last = 1
    while last < WHOLE_LIMIT and not region.n_epsilon_room_from(last) < 0:
        last *= 2
    return last if last < WHOLE_LIMIT else None


def _by_cells(region: Region, top: int, limit: int) -> bool:
    cells = [(1, top)]
    for _ in range(limit):
        if not cells:
            return True
        low, high = cells.pop()
        floor = region.floor(region.system.number(high))
        no_accuracy = floor == region.system.infinity
        if no_accuracy or floor > region.ceiling(region.system.number(low)):
            continue
        if low == high:
            return False
        middle = (low + high) // 2 if high < 4 * low else 2 * low
        cells += [(low, middle), (middle + 1, high)]
    return not cells


def _by_concavity(region: Region, best: int, last: int) -> bool:
    """Whether the gap, largest at about `best`, is negative at every whole N in [1, last]."""
    if not region.gap(best) < 0:
        return False
    width = max(1, best // 2)
    while not _under_chords(region, best, width, last):
        if width == 1:
            return False
        width = max(1, width // 4)
    return True


def _under_chords(region: Region, middle: int, width: int, last: int) -> bool:
    left, right = Fraction(max(middle - width, 0) or Fraction(middle, 2)), middle + width
    at_left, at_middle, at_right = (region.gap(n) for n in (left, middle, right))
    falls_left, falls_right = at_left <= at_middle, at_right <= at_middle
    # a concave function that has risen (fallen) once only rises before (falls after)
    rising, falling = at_right >= at_middle, at_left >= at_middle
    outside_left = rising or falls_left or left < 1
    outside_right = falling or falls_right or right > last
    reach = (middle - left) / (right - middle)
    inside_left = rising or middle - left <= 1 or at_middle + (at_middle - at_right) * reach < 0
    inside_right = falling or width == 1 or at_middle + (at_middle - at_left) / reach < 0
    past_end = middle == last
    return bool(outside_left and inside_left and (past_end or (outside_right and inside_right)))
