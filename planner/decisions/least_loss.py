"""The smallest expected loss of a reader within the conditions of a study.

The loss decreases with ε, so at each N the ceiling on ε decides; N is searched on refined grids.
"""

import math
from dataclasses import replace

from planner.answer.problem.problem import problem_of
from planner.answer.problem.useful import expected_loss
from planner.answer.solve import solve
from planner.model import ExpectedLoss, Study
from planner.numbers import WHOLE_LIMIT, round_up

_FEW = 16


def least_loss(study: Study) -> float | None:
    """The smallest expected loss that a study can guarantee, in the target's unit; or None."""
    target = study.expected_loss
    if target is None:
        raise ValueError("the study's target is not an expected loss")
    problem = problem_of(study)
    region = problem.without(*problem.goals).regions(problem.delta_bounds[0])[0]
    high = int(min(region.participants_ceiling, target.consumer.largest, WHOLE_LIMIT))

    def loss(n: int) -> float:
        ceiling = float(region.ceiling(n))
        if not max(float(region.floor(n)), 0.0) < ceiling:
            return math.inf
        return expected_loss(target, n, min(ceiling, 60.0))

    low = 1
    while True:
        step = max(1, math.ceil((high - low) / _FEW))
        sizes = [*range(low, high, step), high] if high >= low else []
        best = min(sizes, key=loss, default=None)
        if best is None or math.isinf(loss(best)):
            return None
        if step == 1:
            return _proved(study, target, loss(best))
        low, high = max(low, best - step), min(high, best + step)


def _proved(study: Study, target: ExpectedLoss, least: float) -> float | None:
    """The smallest loss, rounded up until a study with it is proved feasible."""
    for digits in range(11, 2, -1):
        value = round_up(least, digits)
        looser = replace(study, target=replace(target, at_most=value))
        if value > 0 and solve(looser).verdict == "feasible":
            return value
    return None
