"""Random tests of a proportion, of two groups and of reports, against oracles in floats.

With a curator they are those by Tulap noise, without one those of a binomial count of reports.

The oracle looks at every N up to the largest that can matter, and at each for the least ε.
"""

import math
import os

import numpy as np
import pytest
import scipy

import planner
from planner.answer.problem.vary import with_value

STUDIES = int(os.environ.get("PLANNER_POWERS", "14"))
MOST = 250  # people


def tulap(x, epsilon):
    """The cumulative distribution of Tulap noise around 0 (Awan18, Definition 4.1)."""
    near, b = np.rint(x), math.exp(-epsilon)
    left = b ** -np.minimum(near, 0.0) / (1 + b) * (b + (x - near + 0.5) * (1 - b))
    right = 1 - b ** np.maximum(near, 0.0) / (1 + b) * (b + (near - x + 0.5) * (1 - b))
    return np.where(near <= 0, left, right)


def one_law(people, share):
    """The law of the count of those with the property, or of those counted in either group."""
    if not isinstance(share, tuple):
        return scipy.stats.binom.pmf(np.arange(people + 1), people, share)
    each = np.arange(people // 2 + 1)
    laws = [scipy.stats.binom.pmf(each, people // 2, one) for one in share]
    return np.convolve(*laws)


def power_of(people, epsilon, null, alternative, significance):
    """The power of the test F(x − m), where m gives the significance at the null value."""
    people -= people % 2 if isinstance(null, tuple) else 0
    k = np.arange(people + 1)
    laws = [one_law(people, share) for share in (null, alternative)]

    def excess(m):
        return laws[0] @ tulap(k - m, epsilon) - significance

    far = people + 50 + 50 / epsilon
    m = scipy.optimize.brentq(excess, -far, far, xtol=1e-13)
    return laws[1] @ tulap(k - m, epsilon)


def least_epsilon(people, null, alternative, power, significance):
    """The least ε at which the test has the power; ∞ where 60 does not."""
    if isinstance(null, tuple) and people < 2:
        return math.inf
    if power_of(people, 60.0, null, alternative, significance) < power:
        return math.inf

    def excess(u):
        return power_of(people, math.exp(u), null, alternative, significance) - power

    return math.exp(scipy.optimize.brentq(excess, math.log(1e-4), math.log(60), xtol=1e-12))


def random_study(rng):
    """A test of few people, what the oracle needs to know of it, and its costs."""
    null = round(float(rng.uniform(0.02, 0.98)), 2)
    change = round(float(rng.uniform(0.15, 0.5)), 2)
    up = bool(rng.integers(2))
    alternative = round(null + change if up else null - change, 2)
    if not 0 <= alternative <= 1:
        return random_study(rng)
    power = float(rng.choice([0.5, 0.7, 0.8, 0.9]))
    significance, sides = float(rng.choice([0.01, 0.05, 0.1, 0.2])), int(rng.integers(1, 3))
    base, person = float(rng.choice([0.5, 5.0, 50.0])), float(rng.choice([0.5, 2.0, 10.0]))
    target = planner.Power(null, alternative, power, significance, sides)
    shares = (null, alternative) if up else (round(1 - null, 2), round(1 - alternative, 2))
    mechanism = planner.CountTest()
    if rng.integers(2):
        step = round(alternative - null, 2)
        power = max(power, 0.6)
        target = planner.Difference(
            baseline=null, change=step, power=power, significance=significance, sides=sides
        )
        other = (alternative, 1 - null) if up else (1 - alternative, null)
        shares = ((0.5, 0.5), other)
    study = planner.Study(
        mechanism,
        target,
        planner.Individual(base_cost=base),
        [planner.MaxParticipants(MOST)],
        planner.Costs(per_person=person, overhead=10.0),
    )
    return study, (*shares, power, significance / sides), base, person


@pytest.mark.parametrize("seed", range(STUDIES))
def test_the_cheapest_test_is_the_oracles(seed):
    """N, ε and the cost are those of the oracle; a budget a little under is refuted."""
    rng = np.random.default_rng(int(os.environ.get("PLANNER_SEED", "0")) * 100_003 + seed)
    study, asked, base, person = random_study(rng)
    epsilons = np.array([least_epsilon(n, *asked) for n in range(1, MOST + 1)])
    sizes = np.arange(1, MOST + 1)
    with np.errstate(over="ignore"):
        costs = sizes * (np.expm1(epsilons) * base + person) + 10.0
    plan = planner.solve(study)
    if not np.isfinite(costs).any():
        assert plan.verdict == "infeasible"
        return
    assert plan.verdict == "feasible"
    assert plan.proof.checked
    best = float(costs.min())
    assert plan.cost == pytest.approx(best, rel=2e-6)
    assert plan.epsilon == pytest.approx(epsilons[plan.participants - 1], rel=2e-6)
    fewest = planner.solve(study, "participants").participants
    assert fewest == sizes[np.isfinite(epsilons)][0]
    for part, verdict in ((1 - 1e-5, "infeasible"), (1 + 1e-5, "feasible")):
        assert planner.solve(with_value(study, "budget", best * part)).verdict == verdict
