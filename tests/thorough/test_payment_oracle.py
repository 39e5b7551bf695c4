"""The posted payment against a grid of payments and of sizes, for random studies."""

import math
import os

import numpy as np
import pytest
from scipy import stats

import planner
from planner.decisions import posted_payment
from planner.model import LogNormal
from tests.oracles.invitations import invited

SEED = int(os.environ.get("PLANNER_SEED", "43"))
STUDIES = 6


@pytest.mark.parametrize("analysis", ["hoeffding", "exact"])
@pytest.mark.parametrize("number", range(STUDIES))
def test_no_payment_of_a_grid_costs_less(analysis, number) -> None:
    rng = np.random.default_rng([SEED, number])
    median, factor = rng.uniform(1, 50), rng.uniform(1.3, 5)
    each, invitation = rng.uniform(0, 10), math.exp(rng.uniform(math.log(0.05), math.log(20)))
    error, failure = rng.uniform(0.06, 0.15), rng.uniform(0.02, 0.2)
    mechanism = planner.LaplaceMean(analysis)
    people = planner.People(LogNormal(median, factor), 0.5)
    posted = posted_payment(
        planner.Study(
            mechanism=mechanism,
            target=planner.Accuracy(error, failure),
            individual=planner.Individual.of_people(people),
            costs=planner.Costs(each, per_invitation=invitation),
        )
    )
    plan = posted.answer
    n = plan.participants
    near = np.arange(max(n - 40, 2), n + 41)
    sizes = np.unique(np.concatenate([near, np.rint(np.geomspace(2, 4 * n, 150))])).astype(int)
    epsilons = mechanism.epsilon_floor(sizes, error, failure)
    around = [np.geomspace(1 / far, far, count) for far, count in ((30, 300), (1.1, 201))]
    payments = plan.compensation * np.concatenate(around)
    best = math.inf
    for n, epsilon in zip(sizes, epsilons, strict=True):
        if not epsilon < 30:
            continue
        share = stats.lognorm.cdf(payments / math.expm1(epsilon), math.log(factor), scale=median)
        known = share > 1e-3  # of fewer people the law of invitations has no table
        asked = invited(n, np.where(known, share, 0.5))
        costs = np.where(known, n * (payments + each) + invitation * asked, math.inf)
        best = min(best, float(np.min(costs)))
    # costs jump by an invitation
    assert plan.least_cost <= best * (1 + 1e-6) + invitation
    assert plan.cost <= best * (1 + 5e-4) + invitation
    assert plan.cost >= best * (1 - 1e-3) - invitation
