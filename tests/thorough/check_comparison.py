"""The comparison with the study without privacy: its size, its cost, and which is cheaper."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

import planner
from tests.thorough import oracle, oracle_exact, oracle_money as money
from tests.thorough.case import MEANS, Case
from tests.thorough.differences import ROUNDED, Difference, guarded, near, study

_MOST = 250
"""The largest study without privacy that is sized by trying every N."""


def comparison(case: Case, rng: np.random.Generator) -> list[Difference]:
    """One comparison at a drawn exposure."""
    found: list[Difference] = []
    if case.worst_cost is None:
        return found
    exposure = float(rng.choice([0.0, 0.002, 0.1, 1.0, float(f"{rng.random():.2g}")]))
    result = guarded("compare", case, lambda: planner.compare(study(case), exposure), found)
    if result is not None:
        found.extend(_compared(case, exposure, result))
    return found


def _compared(case: Case, exposure: float, result: Any) -> Iterator[Difference]:
    free = replace(case, budget=None)
    private = oracle.truth(free)
    here = f"exposure {exposure!r}: {result.verdict}, private {result.private.verdict}"
    opposite = {"feasible": "infeasible", "infeasible": "feasible"}
    if result.private.verdict == opposite.get(private.verdict):
        yield Difference("comparison: private verdict", case, f"{here}, true {private.verdict}")
    owed = max(money.exposed(case, exposure), case.incentive)
    if not near(result.compensation, owed):
        words = f"{here} pays {result.compensation!r} without privacy, owed {owed!r}"
        yield Difference("comparison: compensation", case, words)
    size = fewest(case) if case.mechanism in MEANS else None
    if size is None or result.participants is None:
        return
    if result.private.verdict == "feasible":  # whoever needs no noise may add as much
        size = min(size, result.private.participants)
    least, most = result.participants
    if not least <= size <= most or (case.exact and not least == size == most):
        words = f"{here}, without privacy {least} … {most} people, true {size}"
        yield Difference("comparison: people without privacy", case, words)
    if private.verdict != "feasible" or result.private.verdict != "feasible":
        return
    costs = [
        n * (max(owed, case.incentive) + case.per_person) + case.overhead for n in (least, most)
    ]
    if not all(near(x, y) for x, y in zip(result.cost, costs, strict=True)):
        words = f"{here}, without privacy it costs {result.cost}, true {costs}"
        yield Difference("comparison: cost without privacy", case, words)
    public = size * (max(owed, case.incentive) + case.per_person) + case.overhead
    low, high = private.cost
    cheaper = "private" if high < public * (1 - ROUNDED) else None
    cheaper = "non-private" if low > public * (1 + 1e-5) else cheaper
    if cheaper and result.verdict not in (cheaper, "open"):
        words = f"{here}, but private {private.cost} against {public!r}"
        yield Difference("comparison: verdict", case, words)
    yield from _break_even(case, result, here)


def _break_even(case: Case, result: Any, here: str) -> Iterator[Difference]:
    """At the break-even exposure both cost the same."""
    if result.break_even_exposure is None or not case.exact:
        return
    at = result.break_even_exposure.most
    if not 0 < at <= 1:
        return
    size = result.participants.least
    public = size * (money.exposed(case, at) + case.per_person) + case.overhead
    if not near(public, result.private.cost, 1e-6):
        words = f"{here}, break-even {at!r} costs {public!r}, private {result.private.cost!r}"
        yield Difference("comparison: break-even exposure", case, words)


def fewest(case: Case) -> int | None:
    """The fewest people whose sample is accurate; None where that is too many to try."""
    if case.drawn_from:
        return None
    return _fewest(case.error, case.failure, case.mean_range, case.at_least or 1)


@lru_cache(maxsize=4096)
def _fewest(
    error: float, failure: float, mean_range: tuple[float, float], at_least: int
) -> int | None:
    sufficient = math.log(2 / failure) / (2 * error * error)  # by Hoeffding
    if sufficient > _MOST:
        return None
    for n in range(at_least, max(at_least, math.ceil(sufficient)) + 1):
        if worst_sample(n, error, mean_range) <= failure * (1 + 1e-12):  # α itself is allowed
            return n
    return None


def worst_sample(n: int, error: float, mean_range: tuple[float, float]) -> float:
    """The largest chance that a sample is off by T or more: counts decided in fractions."""
    # edges of whole counts are those of geometric noise
    means = oracle_exact.at("geometric", n, error, oracle_exact.tipping(n, error, mean_range))
    means = means.joined(oracle_exact.between("geometric", n, error, mean_range))
    k = np.arange(n + 1)
    off = (k >= means.high[:, None]) | (k <= means.low[:, None])
    return float(np.max(np.sum(oracle_exact.chances(n, means.mean) * off, axis=1)))
