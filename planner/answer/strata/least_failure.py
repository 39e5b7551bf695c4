"""The least failure probability that a stratum can have: with all the ε that its people allow.

No money makes it less. So a study of which all strata together may fail less often is not possible,
and how much more often they may fail is the room that it has.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from planner.answer.problem.goal import Goal
from planner.answer.problem.problem import Problem, each, problem_of
from planner.answer.problem.region import Region
from planner.answer.search.find import Sizes, closing_in, ends_of, largest_delta, with_delta
from planner.libraries import np
from planner.model import Study
from planner.numbers import Array, arrays

_MOST_EPSILON = 1e4
"""That of a plan that can be proved; less noise changes next to nothing."""
_NOISIER = [0.5**k for k in range(8)]
"""Parts of the most ε that are tried where a bound for any values may be less with more noise."""
_POINTS, _REACH = 5, 4
"""Of a grid of sizes; and those on either side of its best that are looked at."""


@lru_cache(maxsize=256)
def least_failure(study: Study) -> float:
    """The least failure probability of a study of one question, whatever it costs.

    Returns:
        About the least, as sizes are looked at on a grid; 1 where no study is allowed.
    """
    return min(map(_least, each(study)))


def _least(study: Study) -> float:
    problem = problem_of(study)
    low, high = problem.delta_bounds
    regions = problem.regions(low) if low <= high else []
    parts = _NOISIER if study.accuracy.values else [1.0]
    return min((_least_in(problem, region, parts) for region in regions), default=1.0)


def _least_in(problem: Problem, region: Region, parts: Sequence[float]) -> float:
    ends = ends_of(region)
    if ends is None:
        return 1.0
    floors = [goal.floor for goal in region.conditions if isinstance(goal, Goal)]

    def read(n: Array) -> Sizes:
        delta = largest_delta(problem, n) if problem.uses_delta else region.delta_low
        at = replace(with_delta(region, delta), system=arrays())
        with np.errstate(all="ignore"):
            epsilon = np.clip(np.broadcast_to(at.ceiling(n), n.shape), 0.0, _MOST_EPSILON)
            off = [[one.achieved(epsilon * part, n, delta) for part in parts] for one in floors]
        failure = np.where(epsilon > 0, np.max(np.min(off, axis=1), axis=0), 1.0)
        return Sizes(n, epsilon, 1 / np.maximum(failure, 1e-300), epsilon)

    low, high = (np.array([float(end)]) for end in ends)
    best = closing_in(read, low, high, "room", _POINTS)
    around = np.unique(np.clip(best + np.arange(-_REACH, _REACH + 1), low, high))
    return float(1 / np.max(read(around).room, initial=1.0))
