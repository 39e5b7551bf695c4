"""Random differences of several answers between two groups, by sums over both groups' counts.

PLANNER_SEED and PLANNER_POWERS choose other studies, and how many.
"""

import os

import numpy as np
import pytest
import scipy

import planner
from tests.mechanisms.several.two_counts import most_of_histogram, off

STUDIES = int(os.environ.get("PLANNER_POWERS", "8"))
SEED = int(os.environ.get("PLANNER_SEED", "42"))
_DEARER = 1.015
"""Than a survey at half the errors: people are even, and the law of two counts is bounded."""


def questions(rng, noise):
    """One to three questions, whose errors a few hundred people keep to."""
    kinds = ["share", "histogram"] if noise == "geometric" else ["share", "histogram", "mean"]
    asked = []
    for place in range(int(rng.integers(1, 4))):
        name, error = f"q{place}", round(float(np.exp(rng.uniform(-2.6, -1.0))), 3)
        match str(rng.choice(kinds)):
            case "share":
                asked.append(planner.Share(name, error=error, times=int(rng.integers(1, 3))))
            case "histogram":
                asked.append(planner.Histogram(name, error=error, groups=int(rng.integers(2, 9))))
            case _:
                asked.append(planner.Mean(name, low=-1, high=1, error=2 * error))
    return asked


def case(seed):
    """A random study."""
    rng = np.random.default_rng(SEED * 1_000 + seed)
    noise = str(rng.choice(["laplace", "laplace", "geometric", "gaussian"]))
    failure = float(rng.choice([1e-3, 0.01, 0.05, 0.2, 0.5]))
    return planner.Study(
        planner.AddedNoise(noise),
        planner.Difference(questions=questions(rng, noise), failure=failure),
        planner.Individual(round(float(np.exp(rng.uniform(-1, 4))), 2), 1_000.0),
        [planner.Delta(1e-6)] if noise == "gaussian" else [],
        planner.Costs(per_person=5.0, overhead=100.0),
    )


def of_numbers(size, first, second, rate, error):
    """How often the difference of two means of −1, 0 and 1 is off by a part of their range."""
    sums = []
    for law in (first, second):
        length = 2 * size + 1
        sums.append(np.fft.irfft(np.fft.rfft(law, length) ** size, length).clip(0.0))
    law = np.convolve(sums[0], sums[1][::-1])
    d = np.arange(-2 * size, 2 * size + 1) / 2
    centre = size * (np.arange(3) @ first - np.arange(3) @ second) / 2
    over, under = centre + size * error - d, centre - size * error - d
    return float(
        law @ (scipy.stats.laplace.sf(over * rate) + scipy.stats.laplace.cdf(under * rate))
    )


@pytest.mark.parametrize("seed", range(STUDIES))
def test_plans_hold_and_cost_as_much_as_surveys_at_half_the_errors(seed):
    study = case(seed)
    noise, rng = study.mechanism.noise, np.random.default_rng(seed)
    plan = planner.solve(study)
    assert plan.verdict == "feasible"
    assert plan.proof.checked
    assert plan.participants % 2 == 0
    half = plan.participants // 2
    pairs = [(0.5, 0.5), *rng.uniform(0, 1, (25, 2)), *rng.uniform(0.4, 0.6, (25, 2))]
    spent = 0.0
    for asked, given in zip(study.survey.questions, plan.questions, strict=True):
        rate = asked.unit / (given.scale * half)
        spent += asked.times * rate * (2 if isinstance(asked, planner.Histogram) else 1)
        if isinstance(asked, planner.Histogram):
            k, more = asked.groups, rng.uniform(0, 2 / asked.groups, (25, 2))
            grid = [(s, s) for s in (0.0, 1.0, 1 / k, *np.linspace(0.2, 0.5, 40))]
            most = most_of_histogram(k, half, rate, asked.error, [*grid, *pairs, *more], noise)
        elif isinstance(asked, planner.Mean) and noise == "laplace":
            laws = [*rng.dirichlet([0.4] * 3, (15, 2)), [[0.5, 0, 0.5]] * 2]
            most = max(of_numbers(half, *two, rate, asked.fraction) for two in laws)
        else:  # of a mean those of values at the ends
            most = max(off(half, *pair, rate, asked.fraction, noise) for pair in pairs)
        assert most <= given.failure * (1 + 1e-9)
        if isinstance(asked, planner.Share) and noise != "gaussian":
            assert most > 0.9 * given.failure
    assert sum(q.times * q.failure for q in plan.questions) <= study.survey.failure * (1 + 1e-12)
    if noise != "gaussian":
        assert spent <= plan.epsilon * (1 + 1e-9)
    halves = [one.with_error(one.error / 2) for one in study.survey.questions]
    survey = planner.Survey(halves, failure=study.survey.failure)
    alike = planner.solve(planner.Study(study.mechanism, survey, study.individual,
                                        study.conditions, study.costs))  # fmt: skip
    assert alike.cost * 0.995 <= plan.cost
    fewer = any("Fewer people may be enough" in note for note in plan.notes)
    if noise == "laplace" and not fewer:
        assert plan.cost <= alike.cost * _DEARER
