"""Certificates of limits: a plan at the limit, and no study a little beyond it."""

import math

import pytest

import planner
from planner.certificate.check import verify

COSTS = planner.Costs(per_person=5.0, overhead=2000.0)


def study(mechanism, *conditions, costs=COSTS):
    person = planner.Individual(12.5, 1274.0)
    return planner.Study(mechanism, planner.Accuracy(0.05, 0.05), person, conditions, costs)


EXACT = study(planner.LaplaceMean(), planner.Budget(7_000.0), planner.MaxParticipants(600))
BOUND = study(planner.LaplaceMean("hoeffding"), planner.Budget(9_000.0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("of", "quantity", "most"),
    [
        (BOUND, "budget", 1e-5),
        (BOUND, "base_cost", 1e-5),
        (BOUND, "error", 1e-5),
        (study(planner.LaplaceMean("hoeffding"), planner.Budget(3e4)), "participants", 1e-2),
        pytest.param(EXACT, "budget", 1e-4, marks=pytest.mark.slow),
        pytest.param(EXACT, "failure", 1e-3, marks=pytest.mark.slow),
        pytest.param(EXACT, "participants", 1e-2, marks=pytest.mark.slow),
    ],
)
def test_a_limit_has_a_certificate(of, quantity, most):
    limit = planner.limit(of, quantity)
    proved, unproved = verify(limit.certificate())
    assert not unproved
    plan, none = proved[-2:]
    assert plan.startswith("claim feasible ")
    key, _, text = none.removeprefix("claim infeasible with ").partition(" = ")
    (within,) = (line.partition(" = ")[2] for line in proved if line.startswith(f"{key} = "))
    assert float(within) == limit.value
    assert 0 < abs(float(text) / limit.value - 1) <= most * (1 + 1e-6)  # its value has 12 digits


@pytest.mark.slow
def test_a_limit_with_coins_is_certified_about_the_exact_one():
    coins = study(
        planner.LaplaceMean("hoeffding"), planner.Budget(9_000.0),
        costs=planner.Costs(per_person=5.0, overhead=2000.0, smallest_coin=0.01),
    )  # fmt: skip
    limit = planner.limit(coins, "error")
    assert limit.exact != limit.value
    assert not verify(limit.certificate())[1]


@pytest.mark.slow
def test_where_there_is_no_limit_there_is_no_certificate():
    free = planner.limit(study(planner.LaplaceMean(), planner.MaxParticipants(600)), "worst_cost")
    assert free == math.inf
    with pytest.raises(ValueError, match="nothing to certify"):
        free.certificate()
    any_values = planner.limit(
        study(planner.LaplaceMean(values="any"), planner.Budget(9e4)), "budget"
    )
    with pytest.raises(ValueError, match="the bounds of the rules are too wide"):
        any_values.certificate()
