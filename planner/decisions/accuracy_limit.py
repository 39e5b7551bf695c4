"""About the least error and the least failure probability that a study allows, at a fixed δ.

No floor is searched. At each N the largest ε allowed gives the least failure probability, most
likely; the least of these over N is the limit, and the least error is the one at which it is α.
This only proposes: `limit_search` decides.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from planner import numbers
from planner.answer.problem.problem import problem_of
from planner.answer.problem.region import Region
from planner.answer.search.grids import closing_in
from planner.mechanisms.floor import MechanismFloor
from planner.model import Study
from planner.numbers import WHOLE_LIMIT, Array

_LARGEST_EPSILON = 1e4
_FEW = 6
_LESS = np.geomspace(1.0, 1e-3, 40)
"""Where the sample itself is off, more noise can help: shares of the largest ε to try."""
_LEAST_ERROR, _FURTHER = math.log(1e-15), math.log(2)
_STEP, _BESIDE, _ROUGHLY = 1e-4, 1e-10, 1e-6


class _Least(NamedTuple):
    """The least failure probability of a region, by the likely worst means, and where it is."""

    failure: float
    epsilon: float
    participants: int
    delta: float


def least_failure(study: Study) -> float:
    """About the least failure probability; 1 where no study is allowed."""
    floors = _floors(study)
    best = _best(floors)
    return _certain(floors[0][0], best)


def least_error(study: Study, roughly: bool = False) -> float | None:
    """About the least error, to a part in 10^6 if `roughly`; None where none is found."""
    floors, alpha = _floors(study), study.accuracy.failure

    def at(log_error: float) -> _Least:
        error = math.exp(log_error)
        return _best([(replace(floor, error=error), region) for floor, region in floors])

    @cache
    def excess(log_error: float) -> float:
        return math.log(max(at(log_error).failure, 1e-300) / alpha)

    ends = _ends_about(excess, math.log(study.accuracy.error))
    if ends is None:
        return None
    found = brentq(excess, *ends, xtol=_ROUGHLY if roughly else 1e-11)
    if roughly:
        return math.exp(found)
    slope = (excess(min(found + _STEP, 0.0)) - excess(found - _STEP)) / (2 * _STEP)
    beyond = found + _BESIDE
    certain = _certain(replace(floors[0][0], error=math.exp(beyond)), at(beyond))
    if not (slope < 0 and alpha < certain < 1):  # where whole counts decide, α may be jumped over
        return math.exp(found)
    return min(math.exp(found - math.log(certain / alpha) / slope), 1.0)


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
    """The failure probability at the worst mean of all."""
    if not best.participants:
        return best.failure
    return float(floor.achieved(best.epsilon, best.participants, best.delta))


def _best(floors: list[tuple[MechanismFloor, Region]]) -> _Least:
    return min(_least(*each) for each in floors)


def _floors(study: Study) -> list[tuple[MechanismFloor, Region]]:
    """What accuracy asks, with each region of the other conditions."""
    question = problem_of(study)
    floor = question.goals[0].floor
    assert isinstance(floor, MechanismFloor)  # of an error and a failure probability
    others = question.without(*question.goals)
    return [(floor, region) for region in others.regions(question.delta_bounds[0])]


def _least(floor: MechanismFloor, region: Region) -> _Least:
    """The least failure probability over all N, by the likely worst means."""
    last, delta = int(min(region.participants_ceiling, WHOLE_LIMIT)), region.delta_high
    if last < 1:
        return _Least(1.0, 0.0, 0, delta)
    most = _most_epsilon(region)
    sizes, failures = closing_in(lambda n: _failures(floor, most(n), n, delta), 1, last)
    few = sizes[np.argsort(failures)[:_FEW]]
    n, share = (x.ravel() for x in np.meshgrid(few, _LESS))
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
