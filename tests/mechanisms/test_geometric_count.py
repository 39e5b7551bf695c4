"""The cheapest count of the participants, against one size for each whole error."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import planner
from planner.numbers import decimal


def cheapest(error: float, failure: float, base: float, each: float, coin: float = 0.0) -> float:
    """The least cost, over the fewest people of whom an error of m counts, for every m."""

    def cost(m: int) -> float:
        def excess(epsilon: float) -> float:
            return 2 * math.exp(-epsilon * m) / (1 + math.exp(-epsilon)) - failure

        epsilon = brentq(excess, 0.0, math.log(2 / failure) + 1, xtol=1e-14)
        people = math.floor((m - 1) / decimal(error)) + 1
        owed = base * math.expm1(epsilon)
        return people * ((math.ceil(owed / coin) * coin if coin else owed) + each)

    return min(map(cost, range(1, 400)))


def drawn(index: int, coin: float = 0.0) -> tuple[planner.Study, float]:
    """A study, and its least cost."""
    rng = np.random.default_rng([11, index])
    error = round(float(np.exp(rng.uniform(math.log(0.01), math.log(0.4)))), 3)
    failure = round(float(np.exp(rng.uniform(math.log(1e-5), math.log(0.4)))), 6)
    base, each = (round(float(np.exp(rng.uniform(-2, 6))), 2) for _ in range(2))
    study = planner.Study(
        planner.GeometricCount(),
        planner.Accuracy(error, failure),
        planner.Individual(base),
        costs=planner.Costs(each, smallest_coin=coin),
    )
    return study, cheapest(error, failure, base, each, coin)


@pytest.mark.slow
@pytest.mark.parametrize("index", range(60))
def test_no_other_size_costs_less(index: int) -> None:
    study, least = drawn(index)
    assert planner.solve(study).least_cost == pytest.approx(least, rel=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("coin", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("index", range(10))
def test_none_does_in_coins(index: int, coin: float) -> None:
    """A cheaper step may be many coins away."""
    study, least = drawn(index, coin)
    assert planner.solve(study).cost == pytest.approx(least, rel=1e-4)


@pytest.mark.parametrize(
    ("error", "failure", "base", "each", "coin"),
    [(0.099, 0.03084, 0.21, 0.06, 1.0), (0.076, 0.00531, 171.77, 1.3, 1.0)],
)
def test_a_far_smaller_or_larger_study_may_cost_less_in_coins(
    error: float, failure: float, base: float, each: float, coin: float
) -> None:
    """One person may cost less than 21, who are paid a whole coin each."""
    study = planner.Study(
        planner.GeometricCount(),
        planner.Accuracy(error, failure),
        planner.Individual(base),
        costs=planner.Costs(each, smallest_coin=coin),
    )
    least = cheapest(error, failure, base, each, coin)
    assert planner.solve(study).cost == pytest.approx(least, rel=1e-4)
