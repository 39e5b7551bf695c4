"""The plan that keeps to every condition with a stated probability.

One number, the adversity u, sets every input to the value that a share u of its values do not pass
in hardness; the plan of that study is the candidate. With u accuracy is kept more often, but the
plan grows dearer and passes the budget of more draws, so how often a plan is kept may rise and then
fall with u. The least u that is enough is searched on a grid and then closed in on, over draws of
its own; how likely the plan is kept is told by draws that did not choose it.
"""

from typing import Any, NamedTuple

from planner.answer.answers import Plan
from planner.answer.solve import solve
from planner.answer.varied import Varied
from planner.uncertainty.drawn import costs, kept
from planner.uncertainty.sureness import Share, SurePlan, interval
from planner.uncertainty.uncertain import UncertainStudy

_GRID, _HALVINGS, _TRIES = 16, 8, 3
QUANTILES = (0.05, 0.5, 0.95)


class _Tried(NamedTuple):
    u: float
    share: float
    plan: Plan | None


def sure_plan(
    uncertain: UncertainStudy,
    draws: int,
    seed: int,
    confidence: float,
    probability: float,
    for_all: bool,
) -> tuple[SurePlan | None, float]:
    """The plan, or None; and the largest probability that was reached.

    Args:
        uncertain: the question.
        draws: how many studies choose the plan, and how many more check it.
        seed: of both.
        confidence: of the interval.
        probability: what its lower end must reach.
        for_all: whether the study is proved feasible at the hardest values: then so is its plan.
    """
    values = uncertain.drawn(draws, seed, 1)
    tried: dict[float, _Tried] = {}

    def attempt(u: float) -> _Tried:
        if u not in tried:
            plan = _planned(uncertain, u, prove=False)
            share = float(kept(plan, uncertain.study, values).mean()) if plan else 0.0
            tried[u] = _Tried(u, share, plan)
        return tried[u]

    grid = _grid(attempt)
    centre = interval(round(probability * draws), draws, confidence)
    margin = centre.high - centre.low
    most = 0.0
    for round_ in range(_TRIES):  # more room each time the fresh draws say that it was too little
        u = _least(attempt, grid, min(probability + (round_ + 1) * margin / 2, 1.0))
        enough = u is not None
        if u is None:
            u = _best(attempt, grid)
        found = _checked(uncertain, u, draws, seed, round_ + 2, confidence, for_all)
        if found is None:
            break
        most = max(most, found.kept.value)
        if found.kept.low >= probability:
            return found, most
        if not enough:
            break
    if for_all:  # the plan for the hardest values is kept for certain
        found = _checked(uncertain, 1.0, draws, seed, 1, confidence, for_all)
        return found, 1.0
    return None, most


def _planned(uncertain: UncertainStudy, u: float, prove: bool) -> Plan | None:
    answer = solve(uncertain.at(_assumed(uncertain, u)), prove=prove)
    return answer if isinstance(answer, Plan) else None


def _assumed(uncertain: UncertainStudy, u: float) -> dict[Varied, float]:
    return {name: uncertain.ease(name, 1 - u, inside=True) for name in uncertain.inputs}


def _grid(attempt: Any) -> list[float]:
    """Adversities from 0 to the last at which there is a plan."""
    low, high = 0.0, 1.0
    if attempt(high).plan is None:
        for _ in range(_HALVINGS + 2):
            middle = (low + high) / 2
            low, high = (middle, high) if attempt(middle).plan else (low, middle)
        high = low
    return [high * k / _GRID for k in range(_GRID + 1)]


def _least(attempt: Any, grid: list[float], enough: float) -> float | None:
    """The least adversity whose plan is kept often enough, closed in on between grid points."""
    at = next((k for k, u in enumerate(grid) if attempt(u).share >= enough), None)
    if at is None:
        u = _best(attempt, grid)
        return u if attempt(u).share >= enough else None
    if at == 0:
        return grid[0]
    low, high = grid[at - 1], grid[at]
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if attempt(middle).share >= enough else (middle, high)
    return high


def _best(attempt: Any, grid: list[float]) -> float:
    """The adversity whose plan is kept most often, looked for around the best grid point."""
    best = max(grid, key=lambda u: attempt(u).share)
    step = (grid[-1] - grid[0]) / _GRID
    for _ in range(_HALVINGS):
        step /= 2
        near = [u for u in (best - step, best, best + step) if grid[0] <= u <= grid[-1]]
        best = max(near, key=lambda u: attempt(u).share)
    return best


def _checked(
    uncertain: UncertainStudy,
    u: float,
    draws: int,
    seed: int,
    stream: int,
    confidence: float,
    for_all: bool,
) -> SurePlan | None:
    """The proved plan of an adversity, and how fresh draws find it."""
    import numpy as np

    plan = _planned(uncertain, u, prove=True)
    if plan is None:
        return None
    values = uncertain.drawn(draws, seed, stream)
    share = interval(int(kept(plan, uncertain.study, values).sum()), draws, confidence)
    if for_all and u == 1:
        share = Share(1.0, 1.0, 1.0)
    spent = np.quantile(costs(plan, uncertain.study, values), QUANTILES, method="higher")
    return SurePlan(
        plan, _assumed(uncertain, u), u, share, dict(zip(QUANTILES, map(float, spent), strict=True))
    )
