"""The cheapest count of the participants, against one size for each whole error."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import planner
from planner.numbers import decimal


def cheapest(error: float, failure: float, base: float, each: float) -> float:
    """The least cost, over the fewest people of whom an error of m counts, for every m."""

    def cost(m: int) -> float:
        def excess(epsilon: float) -> float:
            return 2 * math.exp(-epsilon * m) / (1 + math.exp(-epsilon)) - failure

        epsilon = brentq(excess, 0.0, math.log(2 / failure) + 1, xtol=1e-14)
        people = math.floor((m - 1) / decimal(error)) + 1
        return people * (base * math.expm1(epsilon) + each)

    return min(map(cost, range(1, 400)))


@pytest.mark.parametrize("index", range(60))
def test_no_other_size_costs_less(index: int) -> None:
    rng = np.random.default_rng([11, index])
    error = round(float(np.exp(rng.uniform(math.log(0.01), math.log(0.4)))), 3)
    failure = round(float(np.exp(rng.uniform(math.log(1e-5), math.log(0.4)))), 6)
    base, each = (round(float(np.exp(rng.uniform(-2, 6))), 2) for _ in range(2))
    plan = planner.solve(
        planner.Study(
            planner.GeometricCount(),
            planner.Accuracy(error, failure),
            planner.Individual(base),
            costs=planner.Costs(each),
        )
    )
    assert plan.least_cost == pytest.approx(cheapest(error, failure, base, each), rel=1e-7)
