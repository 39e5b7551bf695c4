"""About the least error and the least failure probability that a study allows, at a fixed δ.

No floor is searched. At each N the largest ε allowed gives the least failure probability, most
likely; the least of these over N is the limit, and the least error is the one at which it is α.
This only proposes: `limit_search` decides, by the certain floor, which keeps a part of α back.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from planner import numbers
from planner.answer.problem.problem import problem_of
from planner.answer.problem.region import Region
from planner.answer.search.grids import closing_in, few_periods
from planner.libraries import np, scipy
from planner.mechanisms.mechanism import MechanismFloor
from planner.model import Study
from planner.numbers import WHOLE_LIMIT, Array

_ALL = 1, WHOLE_LIMIT
_LARGEST_EPSILON = 1e4
_FEW = 6
_LESS = 1.0, 1e-3, 40
"""Where the sample itself is off, more noise can help: shares of the largest ε to try."""
_LEAST_ERROR, _FURTHER = math.log(1e-15), math.log(2)
_UNDER, _WIDTHS = 3e-8, (4e-10, 4e-8, 4e-6, 4e-4, 4e-3)
_MOST_NEARER, _NEARLY = 4, 3e-9
_STEP, _BESIDE, _ROUGHLY = 1e-6, 1e-10, 1e-6


class _Least(NamedTuple):
    """The least failure probability of a region, by the likely worst means, and where it is."""

    failure: float
    epsilon: float
    participants: int
    delta: float


class Edge(NamedTuple):
    """About the least value of a quantity of the target.

    Attributes:
        likely: by the means that are likely the worst; where studies stop by the approximate floor.
        certain: where they stop by the certain floor.
    """

    likely: float
    certain: float

    def bracket(self, works: Callable[[float], bool], easiest: float) -> tuple[float, float] | None:
        """Values just over and under it, feasible and not; None where not found."""
        good, bad, under = None, None, max(self.likely, self.certain * (1 - _UNDER))
        for width in _WIDTHS:
            if good is None and works(min(self.certain * (1 + width), easiest)):
                good = min(self.certain * (1 + width), easiest)
            if bad is None and not works(under * (1 - width)):
                bad = under * (1 - width)
            if good and bad:
                return good, bad
        return None


def least_failure(study: Study) -> Edge:
    """About the least failure probability; 1 where no study is allowed."""
    floors = _floors(study)
    best = _best(floors)
    return Edge(best.failure, _certain(floors[0][0], best))


def least_error(study: Study, roughly: bool = False) -> Edge | None:
    """About the least error, to a part in 10^6 if `roughly`; None where none is found."""
    floors, alpha = _floors(study), study.accuracy.failure
    best_sizes: dict[float, int] = {}

    def at(log_error: float) -> _Least:
        error, sizes = math.exp(log_error), _sizes_between(best_sizes, log_error)
        best = _best([(replace(floor, error=error), region) for floor, region in floors], sizes)
        best_sizes[log_error] = best.participants
        return best

    @cache
    def excess(log_error: float) -> float:
        return math.log(max(at(log_error).failure, 1e-300) / alpha)

    ends = _ends_about(excess, math.log(study.accuracy.error))
    if ends is None:
        return None
    found = scipy.optimize.brentq(excess, *ends, xtol=_ROUGHLY if roughly else 1e-11)
    likely = math.exp(found)
    if roughly:
        return Edge(likely, likely)
    slope = (excess(min(found + _STEP, 0.0)) - excess(found - _STEP)) / (2 * _STEP)
    beyond = found + _BESIDE
    for _ in range(_MOST_NEARER):
        certain = _certain(replace(floors[0][0], error=math.exp(beyond)), at(beyond))
        if not (slope < 0 < certain < 1):
            break
        step = -math.log(certain / alpha) / slope
        beyond += step
        if beyond < found:  # where whole counts decide, α may be jumped over
            break
        if abs(step) <= _NEARLY:
            return Edge(likely, min(math.exp(beyond), 1.0))
    return Edge(likely, likely)


def _ends_about(excess: Callable[[float], float], start: float) -> tuple[float, float] | None:
    """Where it passes 0 and where it does not, about a start, which most are near; else None."""
    low = high = start
    if excess(start) > 0:
        while high < 0:
            low, high = high, min(high + _FURTHER, 0.0)
            if excess(high) <= 0:
                return low, high
        return None
    while low > _LEAST_ERROR:
        low, high = low - _FURTHER, low
        if excess(low) > 0:
            return low, high
    return None


def _certain(floor: MechanismFloor, best: _Least) -> float:
    """The α from which the certain floor allows it."""
    if not best.participants:
        return best.failure
    most = float(floor.achieved(best.epsilon, best.participants, best.delta))
    kept_back = floor.kept_back(best.participants)
    # no more than a bracket's width over the likely worst mean there is no other one
    worst = best.failure if most <= best.failure * (1 + kept_back) else most
    return worst * (1 + kept_back)


def _sizes_between(best_sizes: dict[float, int], log_error: float) -> tuple[int, int]:
    """The sizes about the best ones at the nearest errors on both sides; all where one has none."""
    under = max((x for x in best_sizes if x <= log_error), default=math.nan)
    over = min((x for x in best_sizes if x >= log_error), default=math.nan)
    low, high = sorted((best_sizes.get(under, 0), best_sizes.get(over, 0)))
    return (max(low - few_periods(low), 1), high + few_periods(high)) if low else _ALL


def _best(floors: list[tuple[MechanismFloor, Region]], sizes: tuple[int, int] = _ALL) -> _Least:
    return min(_least(*each, sizes) for each in floors)


def _floors(study: Study) -> list[tuple[MechanismFloor, Region]]:
    """What accuracy asks, with each region of the other conditions."""
    question = problem_of(study)
    floor = question.goals[0].floor
    assert isinstance(floor, MechanismFloor)  # of an error and a failure probability
    others = question.without(*question.goals)
    return [(floor, region) for region in others.regions(question.delta_bounds[0])]


def _least(floor: MechanismFloor, region: Region, between: tuple[int, int]) -> _Least:
    """The least failure probability over the N between two, by the likely worst means."""
    last, delta = int(min(region.participants_ceiling, WHOLE_LIMIT)), region.delta_high
    if last < 1:
        return _Least(1.0, 0.0, 0, delta)
    most, (low, high) = _most_epsilon(region), (min(n, last) for n in between)
    sizes, failures = closing_in(lambda n: _failures(floor, most(n), n, delta), low, high)
    few = sizes[np.argsort(failures)[:_FEW]]
    n, share = (x.ravel() for x in np.meshgrid(few, np.geomspace(*_LESS)))
    epsilon = most(n) * share
    failures = _failures(floor, epsilon, n, delta)
    at = int(np.argmin(failures))
    if not epsilon[at] > 0:
        return _Least(1.0, 0.0, 0, delta)
    return _Least(float(failures[at]), float(epsilon[at]), int(n[at]), delta)


def _most_epsilon(region: Region) -> Callable[[Array], Array]:
    """The largest ε allowed at each N, 0 where none is."""
    arrays = replace(region, system=numbers.arrays())

    def most(n: Array) -> Array:
        size = n.astype(float)
        with np.errstate(all="ignore"):
            ceiling = np.broadcast_to(arrays.ceiling(size), size.shape)
            allowed = (size <= region.participants_ceiling) & (ceiling >= arrays.floor(size))
        return np.where(allowed, np.clip(ceiling, 0.0, _LARGEST_EPSILON), 0.0)

    return most


def _failures(floor: MechanismFloor, epsilon: Array, n: Array, delta: float) -> Array:
    """About the failure probabilities; 1 where ε is 0."""
    possible = epsilon > 0
    found = np.ones(n.shape)
    if possible.any():
        with np.errstate(all="ignore"):  # as where floors are read
            found[possible] = floor.likely(epsilon[possible], n[possible].astype(float), delta)
    return np.minimum(found, 1.0)
