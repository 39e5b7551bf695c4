"""Random studies by noisy counts, against sums over both counts that are written apart.

PLANNER_COUNTS says how many of each kind. Each plan has its power or its accuracy; no study of
other sizes that are looked at is a part cheaper; and simulated tables reject as seldom as they may.
"""

import math
import os
import random

import numpy as np
import pytest
import scipy

import planner
from planner.answer.problem.problem import problem_of

EACH = int(os.environ.get("PLANNER_COUNTS", "10"))
CHEAPER = 0.01
"""By what part a study of another size may cost less, as whole counts move the power."""


def group_test(rng):
    target = {
        "baseline": rng.choice([0.05, 0.2, 0.3, 0.5]), "change": rng.choice([0.15, 0.2, 0.3]),
        "power": rng.choice([0.7, 0.8, 0.9]), "significance": rng.choice([0.01, 0.05, 0.1]),
        "sides": rng.choice([1, 2]), "ratio": rng.choice([1.0, 1.0, 0.5, 2.0, 3.0]),
    }  # fmt: skip
    if rng.random() < 0.3:
        target["baseline"], target["change"] = target["baseline"] + 0.4, -target["change"]
    return planner.Difference(**target)


def margin(rng):
    equal = rng.random() < 0.5
    return planner.Difference(
        baseline=rng.choice([0.2, 0.4, 0.6]), change=rng.choice([0.0, 0.02, -0.02]),
        power=rng.choice([0.7, 0.8]), significance=rng.choice([0.05, 0.1]),
        margin=rng.choice([0.2, 0.25]), ratio=rng.choice([1.0, 1.5]), equivalence=equal,
    )  # fmt: skip


def one(rng):
    null = rng.choice([0.1, 0.3, 0.5, 0.8])
    return planner.Power(
        null=null, alternative=round(null + rng.choice([-0.09, 0.1, 0.15]), 3),
        power=rng.choice([0.6, 0.8, 0.95]), significance=rng.choice([0.01, 0.05, 0.2]),
        sides=rng.choice([1, 2]),
    )  # fmt: skip


def error(rng):
    return planner.Difference(
        error=rng.choice([0.1, 0.15, 0.2]), failure=rng.choice([0.01, 0.05, 0.1]),
        ratio=rng.choice([1.0, 2.0, 0.4]),
    )  # fmt: skip


KINDS = {"groups": group_test, "margin": margin, "one": one, "error": error}


def noisy(rng, people, share, epsilon, runs):
    ends = -math.expm1(-epsilon)
    return rng.binomial(people, share, runs) + rng.geometric(ends, runs) - rng.geometric(ends, runs)


def studies(kind):
    rng = random.Random(f"counts {kind}")
    for _ in range(EACH):
        conditions = [planner.EpsilonAtMost(rng.choice([0.3, 1.0, 3.0]))]
        person = planner.Individual(rng.choice([0.0, 0.5, 12.5]), 100.0)
        costs = planner.Costs(per_person=rng.choice([1.0, 5.0]))
        yield planner.Study(planner.NoisyCounts(), KINDS[kind](rng), person, conditions, costs)


@pytest.mark.parametrize("kind", list(KINDS))
def test_plans_keep_what_they_promise_by_simulated_tables(kind):
    """At the alternative and at eleven common proportions, in 40,000 tables each."""
    draw, runs = np.random.default_rng(9), 40_000
    for study in studies(kind):
        plan = planner.solve(study)
        assert plan.verdict == "feasible", study
        simulated = planner.simulate(plan, runs=runs, seed=4)
        assert simulated.consistent > 1e-5, study
        floor, epsilon, n = getattr(study.power, "floor", None), plan.epsilon, plan.participants
        if kind == "error":
            continue
        if kind == "one":
            edges = floor.edges(epsilon, n)
            counts = noisy(draw, n, study.target.null, epsilon, runs)
            wrong = (counts >= edges.get("more", math.inf)) | (counts <= edges.get("less", -1e9))
            assert scipy.stats.binom.sf(wrong.sum(), runs, floor.significance) > 1e-5, study
            continue
        test, far = floor.test(epsilon, n), study.target.margin
        critical = test.critical()
        for share in np.linspace(0.02, 0.98 - far, 11):
            both = (
                noisy(draw, size, p, epsilon, runs)
                for size, p in ((test.first, share), (test.second, share + far))
            )
            z = test.statistic(*both)
            wrong = np.abs(z) >= critical if test.sides == 2 else z >= critical
            assert scipy.stats.binom.sf(wrong.sum(), runs, test.significance) > 1e-6, (study, share)


@pytest.mark.parametrize("kind", list(KINDS))
def test_no_other_size_is_much_cheaper(kind):
    for study in studies(kind):
        plan = planner.solve(study)
        floor = problem_of(study).goals[0].floor
        cap = study.conditions[0].x
        for part in (0.7, 0.8, 0.9, 0.95, 0.98, 1.03, 1.1, 1.3):
            for size in {round(plan.participants * part) + k for k in (0, 1, 2)}:
                least = floor.epsilon(float(max(size, 2)), 0.0)
                if least <= cap:
                    paid = study.individual.compensation(least, 0.0)
                    other = study.costs.total_of(size, paid)
                    assert other >= plan.cost * (1 - CHEAPER), (study, size, least)
