"""Gaussian noise beside drawn candidates: noises are chosen question by question."""

import math
from dataclasses import replace

import pytest

import planner
from planner.answer.problem.survey import asked
from planner.mechanisms.several.together import Mixed
from planner.privacy.gaussian import epsilon_at

QUESTIONS = (
    planner.Share("smokes", error=0.05, times=12),
    planner.Quantile("median rent", candidates=40, error=0.2),
)


def study(noise: str = "gaussian", **changes: object) -> planner.Study:
    return replace(
        planner.Study(
            planner.AddedNoise(noise),  # type: ignore[arg-type]
            planner.Survey(QUESTIONS, 0.05),
            planner.Individual(12.5, 1274.0),
            [planner.Delta(1e-5), planner.Budget(1e6)],
            planner.Costs(5.0),
        ),
        **changes,
    )


@pytest.mark.slow
def test_what_is_drawn_adds_its_epsilon_to_that_of_all_noise():
    plan = planner.solve(study())
    noisy, drawn = plan.questions
    assert (noisy.noise, drawn.noise) == ("gaussian", "exponential")
    mu = math.sqrt(noisy.times) * noisy.sensitivity / noisy.scale
    total = drawn.epsilon + float(epsilon_at(1 / mu, 1e-5))
    assert total == pytest.approx(plan.epsilon, rel=1e-6)
    assert total <= plan.epsilon * (1 + 1e-12)
    assert noisy.share + drawn.share == pytest.approx(1.0)
    assert drawn.share == pytest.approx(drawn.epsilon / plan.epsilon, rel=1e-6)
    assert planner.check(plan).holds


@pytest.mark.slow
def test_the_better_of_all_noises_is_taken():
    best = planner.solve(study("best"))
    plans = [planner.solve(study(noise)) for noise in ("laplace", "gaussian")]
    assert best.cost == min(plan.cost for plan in plans)
    assert best.cost == plans[1].cost  # twelve shares alike are cheaper with Gaussian noise
    few = [planner.Delta(1e-5), planner.MaxParticipants(3)]
    assert planner.solve(study("best", conditions=few)).verdict != "feasible"


def test_rates_are_raised_as_far_as_epsilon_allows():
    rule, rates, times = Mixed((False, True)), [0.04, 0.2], [3, 2]
    total = float(rule.epsilon(rates, times, 1e-6))
    factor = rule.raised(rates, times, total * 1.0001, 1e-6)
    assert factor > 1
    raised = float(rule.epsilon([factor * rate for rate in rates], times, 1e-6))
    assert total < raised <= total * 1.0001
    assert raised == pytest.approx(total * 1.0001, rel=1e-8)
    assert sum(n * x for n, x in zip(times, rule.losses(rates, times, 1e-6), strict=True)) == (
        pytest.approx(1.0)
    )
    assert asked(study()).floor.together == Mixed((False, True))
