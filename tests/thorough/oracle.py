"""The oracle: what is true of a study, by trying every N.

Nothing here is the program's. Each quantity is known from two sides: `Floors.easy` is the least ε
where the target is made a little easier, `Floors.hard` where it is made a little harder, so that a
study that passes the hard way must be found feasible, and one that fails the easy way must not.
"""

import math
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from planner.mechanisms import card  # what a card prints is a convention
from tests.thorough import (
    oracle_bounds as bounds,
    oracle_exact as exact,
    oracle_finite as finite,
    oracle_gaussian as gaussian,
    oracle_money as money,
    oracle_reports as reports,
)
from tests.thorough.case import EXACT, Case
from tests.thorough.oracle_floor import least_rate

Array = np.ndarray
CLOSE = 1e-9
"""How near to the edge a verdict is not judged, as a fraction."""
EXACT_CLOSE, SUMS_CLOSE = 2.5e-4, 1e-5
"""Exact floors leave 2e-4 of α for the proof; the likely worst mean may miss a little."""
_MOST_MONEY = 1e280
Verdict = Literal["feasible", "infeasible", "edge", "unpayable"]


class Floors(NamedTuple):
    """The least ε at N = 1 … people, where the target is made easier and harder by a little."""

    easy: Array
    hard: Array


class Truth(NamedTuple):
    """What is true of a study.

    Attributes:
        verdict: "edge" where it turns on less than `CLOSE` or `EXACT_CLOSE`, "unpayable" where
            every study costs more than floats hold.
        cost, participants, epsilon: the least of each, (easy, hard); ∞ where there is none.
    """

    verdict: Verdict
    cost: tuple[float, float]
    participants: tuple[float, float]
    epsilon: tuple[float, float]


def floors(case: Case) -> Floors:
    """The least ε that is accurate, and at least 1/N where that is asked."""
    return Floors(_floors(_accuracy(case), True), _floors(_accuracy(case), False))


class _Accuracy(NamedTuple):
    """What the floors depend on."""

    mechanism: str
    error: float
    failure: float
    people: int
    mean_range: tuple[float, float]
    sizes: tuple[int, int, str]
    delta: float
    one_over_n: bool
    drawn_from: int | None


def _accuracy(case: Case) -> _Accuracy:
    sizes = (case.universe_size, case.queries, case.constant)
    return _Accuracy(
        case.mechanism, case.error, case.failure, case.people, case.mean_range, sizes,
        case.fixed_delta, case.one_over_n, case.drawn_from,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _floors(asked: _Accuracy, easy: bool) -> Array:
    n = np.arange(1, asked.people + 1)
    exactly = asked.mechanism in EXACT
    slip = (1 if easy else -1) * (EXACT_CLOSE if exactly else CLOSE)
    failure = asked.failure * (1 + slip)
    if exactly:
        least = [floor_at(asked, int(size), failure) for size in n]
        return np.array(least) * (1 - CLOSE if easy else 1 + CLOSE)
    found = np.full(n.shape, math.inf)
    if failure < 1:
        found = bound_floor(asked, n.astype(float), failure)
    if asked.one_over_n:
        found = np.maximum(found, 1 / n)
    return found * (1 - CLOSE if easy else 1 + CLOSE)


def bound_floor(asked: _Accuracy, n: Array, failure: float) -> Array:
    """The floors of a bound."""
    size, queries, constant = asked.sizes
    error = asked.error
    match asked.mechanism:
        case "paper":
            return bounds.paper_floor(n, error, failure)
        case "hoeffding":
            return bounds.hoeffding_floor(n, error, failure)
        case "coins":
            return reports.coins_floor(n, error, failure)
        case "mwem":
            return bounds.mwem_n_epsilon(error, failure, size, queries) / n
    n_epsilon = math.inf
    if asked.delta > 0:
        n_epsilon = bounds.mwem_approximate_signal(
            error, failure, size, queries, asked.delta, constant
        )
    return n_epsilon / n


def floor_at(asked: _Accuracy, n: int, failure: float) -> float:
    """The least ε of an exact analysis at one N."""
    if not failure < 1:
        return 1 / n if asked.one_over_n else 0.0
    least = 1 / n if asked.one_over_n else 0.0
    if asked.mechanism == "reports":
        easy = failure > asked.failure
        epsilon = reports.least_epsilon(n, asked.error, failure, asked.mean_range, easy, least)
        return max(least, epsilon)
    if asked.mechanism != "gaussian":
        return _least_rate(asked, n, failure, least)
    if not asked.delta > 0:
        return math.inf
    if least:
        least = 1 / gaussian.sigma_of(least, asked.delta)
    rate = _least_rate(asked, n, failure, least)
    return gaussian.epsilon_of(1 / rate, asked.delta) if math.isfinite(rate) else math.inf


def _least_rate(asked: _Accuracy, n: int, failure: float, least: float) -> float:
    kind, error, mean_range = asked.mechanism, asked.error, asked.mean_range
    if asked.drawn_from is None:
        return least_rate(kind, n, error, failure, mean_range, least)
    if n > asked.drawn_from:
        return math.inf
    return finite.least_rate(kind, asked.drawn_from, n, error, failure, mean_range, least)


def blurred(epsilon: float, n: int) -> float:
    """By what part floats blur a tail: edges are known to a part in 2^52 of N people."""
    return float(min(epsilon * n * 2.0**-52, 1.0))


def failure_probability(case: Case, epsilon: float, n: int) -> float:
    """The failure probability at one plan; for exact analyses at the worst mean."""
    e, size = np.array([epsilon]), np.array([float(n)])
    match case.mechanism:
        case "paper":
            return float(bounds.paper_failure(e, size, case.error)[0])
        case "hoeffding":
            return float(bounds.hoeffding_failure(e, size, case.error)[0])
        case "coins":
            return float(reports.coins_failure(e, size, case.error)[0])
        case "reports":
            strength = 2 * card.truthful(epsilon) - 1
            return reports.failure_at(strength, n, case.error, case.mean_range)
        case "mwem" | "mwem-approximate":
            return _mwem_failure(case, epsilon, n)
    rate = epsilon
    if case.mechanism == "gaussian":
        if not case.fixed_delta:
            return 1.0
        rate = 1 / gaussian.sigma_of(epsilon, case.fixed_delta)
    if case.drawn_from:
        people = case.drawn_from
        return finite.failure(case.mechanism, rate, people, n, case.error, case.mean_range)
    return exact.worst(case.mechanism, rate, n, case.error, case.mean_range).value


def _mwem_failure(case: Case, epsilon: float, n: int) -> float:
    # the signal is linear in ln(1/β), so two of its values give β
    def n_epsilon(failure: float) -> float:
        asked = _accuracy(case)._replace(people=1)
        return float(bound_floor(asked, np.array([1.0]), failure)[0])

    at_one, at_tenth = n_epsilon(1.0), n_epsilon(0.1)
    if math.isinf(at_one):
        return 1.0
    return math.exp(math.log(10) * (at_one - n * epsilon) / (at_tenth - at_one))


def allowed(case: Case, epsilon: Array, easy: bool) -> Array:
    """Which N keep to every condition but accuracy with these ε."""
    n = np.arange(1, case.people + 1)
    room = 1 + CLOSE if easy else 1 - CLOSE
    ok = np.isfinite(epsilon)
    e = np.where(ok, epsilon, 1.0)
    if case.at_least is not None:
        ok &= n >= case.at_least
    if case.epsilon_at_most is not None:
        ok &= e <= case.epsilon_at_most * room
    ok &= e < money.targeted_bound(case) * room
    if case.harm is not None:
        ok &= money.compensation(case, e, case.fixed_delta) <= case.harm * room
    if case.budget is not None:
        ok &= money.cost(case, e, n, case.fixed_delta) <= case.budget * room
    return ok


def truth(case: Case) -> Truth:
    """The verdict, and the least cost, N and ε, each from both sides."""
    n = np.arange(1, case.people + 1)
    sides, payable = [], False
    for easy, least in zip((True, False), floors(case), strict=True):
        ok = allowed(case, least, easy)
        e = np.where(ok, least, 1.0)
        costs = money.cost(case, e, n, case.fixed_delta)
        payable |= bool(np.any(ok & (costs < _MOST_MONEY)))
        sides.append([float(np.min(np.where(ok, value, np.inf))) for value in (costs, n, e)])
    (easy_cost, easy_n, easy_e), (hard_cost, hard_n, hard_e) = sides
    verdict: Verdict = "feasible" if math.isfinite(hard_n) else "edge"
    if math.isinf(easy_n):
        verdict = "infeasible"
    elif not payable:
        verdict = "unpayable"
    return Truth(verdict, (easy_cost, hard_cost), (easy_n, hard_n), (easy_e, hard_e))


def floor_between(case: Case, n: int) -> tuple[float, float]:
    """The least ε that is accurate at one N, where α is a little larger and a little smaller."""
    asked = _accuracy(case)._replace(one_over_n=False)
    found = []
    for easy in (True, False):
        slip = (1 if easy else -1) * (EXACT_CLOSE if case.exact else CLOSE)
        failure = case.failure * (1 + slip)
        if case.exact:
            found.append(floor_at(asked, n, failure))
        elif failure < 1:
            found.append(float(bound_floor(asked, np.array([float(n)]), failure)[0]))
        else:
            found.append(0.0)
    return found[0] * (1 - CLOSE), found[1] * (1 + CLOSE)
