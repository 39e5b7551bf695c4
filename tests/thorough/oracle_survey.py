"""The oracle of surveys: the least ε at one N over all splits of α, by trying them.

The inverse of each question's failure probability is read off a table, tables are added up over a
grid of splits, also unequal ones of questions alike, and the best split is refined and then read
again without the tables.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from tests.thorough import oracle_gaussian as gaussian
from tests.thorough.oracle_questions import Asked, failure, table

Array = np.ndarray
_SPLITS = 1200


class Best(NamedTuple):
    """The best split found at one N.

    Attributes:
        cost: Σ rate^p.
        rates: of each question, in order, each time it is asked.
    """

    cost: float
    rates: tuple[float, ...]


def _inverse(table: tuple[Array, Array], failures: Array) -> Array:
    """The least rate at each failure probability; ∞ where none is that low."""
    rates, values = (np.log(np.maximum(side[::-1], 1e-300)) for side in table)
    asked = np.log(np.maximum(failures, 1e-299))
    return np.where(asked < values[0], np.inf, np.exp(np.interp(asked, values, rates)))


def _by_splits(tables: list[tuple[Array, Array]], alpha: float, power: int) -> Array | None:
    """The shares of α, on an even grid, at which the rates add up to the least."""
    grid = alpha * np.arange(_SPLITS + 1) / _SPLITS
    total, chosen = None, []
    for each in tables:
        cost = _inverse(each, grid) ** power
        if total is None:
            total = cost
            continue
        steps = np.arange(_SPLITS + 1)
        rest = steps[:, None] - steps[None, :]  # of all before, where this one has a column's share
        both = np.where(rest >= 0, total[np.maximum(rest, 0)] + cost[None, :], np.inf)
        chosen.append(np.argmin(both, axis=1))
        total = both.min(axis=1)
    if total is None or not math.isfinite(total[-1]):
        return None
    left, shares = _SPLITS, []
    for columns in reversed(chosen):
        shares.append(columns[left])
        left -= columns[left]
    return grid[np.array([left, *reversed(shares)])]


def best(
    questions: tuple[Asked, ...], noise: str, analysis: str, n: int, alpha: float
) -> Best | None:
    """The least Σ rate^p found at one N, over all splits of α; None where none is found."""
    power = 2 if noise == "gaussian" else 1
    each = [q._replace(times=1) for q in questions for _ in range(q.times)]
    tables = [table(q, noise, analysis, n) for q in each]
    start = _by_splits(tables, alpha, power)
    if start is None:
        return None

    def rates(logs: Array) -> Array:
        shares = np.exp(logs - logs.max())
        shares *= alpha / shares.sum()
        pairs = zip(tables, shares, strict=True)
        return np.array([_inverse(t, np.array([a]))[0] for t, a in pairs])

    def cost(logs: Array) -> float:
        return float(np.minimum(rates(logs) ** power, 1e30).sum())

    found = np.log(start)
    if len(each) > 1:
        options = {"xatol": 1e-5, "fatol": 0, "maxfev": 500}
        found = minimize(cost, found, method="Nelder-Mead", options=options).x
    return _certain(each, noise, analysis, n, alpha, rates(found))


def _certain(
    each: list[Asked], noise: str, analysis: str, n: int, alpha: float, rates: Array
) -> Best | None:
    """These rates, changed by one factor so that all fail with α together, without the tables."""

    def total(factor: float) -> float:
        pairs = zip(each, rates, strict=True)
        return sum(failure(q, noise, analysis, n, float(r) * factor) for q, r in pairs)

    low, high = 1 - 4e-3, 1 + 4e-3
    if total(high) > alpha:
        return None
    for _ in range(14):  # to 5e-7; from above, so that α is kept
        middle = (low + high) / 2
        low, high = (low, middle) if total(middle) <= alpha else (middle, high)
    power = 2 if noise == "gaussian" else 1
    return Best(float(((rates * high) ** power).sum()), tuple(map(float, rates * high)))


def epsilon(rates: tuple[float, ...], noise: str, delta: float) -> float:
    """The ε of all answers."""
    if noise == "gaussian":
        return gaussian.epsilon_of(1 / math.sqrt(sum(r * r for r in rates)), delta)
    return sum(rates)
