"""Surveys with δ: Gaussian noise, composition, and a δ that is free."""

from dataclasses import replace

import pytest
from mpmath import erfc, exp, mp, mpf, sqrt

import planner
from planner.mechanisms.several.together import RootSum
from tests.answer.surveys import ORDINARY, calls, study


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-2])
def test_twelve_shares_with_gaussian_noise(delta: float) -> None:
    """At σ = .002 and N = 4000 together μ = .433; (ε, δ) by 40 digits, ε from above."""
    epsilon = RootSum().epsilon([1 / (4000 * 0.002)], [12], delta)
    with mp.workdps(40):
        mu, e = mpf("0.433012701892219323"), mpf(epsilon)

        def tail(x):  # type: ignore[no-untyped-def]
            return erfc(x / sqrt(2)) / 2

        exact = tail(e / mu - mu / 2) - exp(e) * tail(e / mu + mu / 2)
    assert float(exact) == pytest.approx(delta, rel=1e-9)


def test_delta_is_used_only_where_the_study_speaks_of_it() -> None:
    best = study(planner.MaxParticipants(9000), noise="best", questions=ORDINARY, worst_cost=50.0)
    assert not best.mechanism.uses_delta
    assert planner.solve(best).delta == 0
    with_delta = study(
        planner.MaxParticipants(9000), planner.Delta(1e-6),
        noise="best", questions=ORDINARY, worst_cost=50.0,
    )  # fmt: skip
    answer = planner.solve(with_delta)
    assert answer.delta == 1e-6
    assert {other.study.mechanism.noise for other in (answer, *answer.alternatives)} == {
        "laplace", "gaussian",
    }  # fmt: skip


@pytest.mark.slow
def test_a_free_delta_is_chosen_by_glances(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least rates of Gaussian noise are the same at every δ; only a few δ are searched."""
    questions = (planner.Share("a", error=0.05, times=3), planner.Share("b", error=0.04))
    free = planner.DeltaAtMost(1e-6)
    limits = planner.Budget(30_000.0), planner.MaxParticipants(6000), free
    of = study(*limits, questions=questions, noise="gaussian", analysis="exact", worst_cost=9e8)
    searched = calls(monkeypatch, "planner.answer.search.find", "_aim")
    plan = planner.solve(of, prove=False)
    assert 0 < plan.delta < 1e-6
    assert 0 < len(searched) <= 6
    for delta in (plan.delta / 3, plan.delta * 3):
        fixed = study(
            *limits[:2], planner.Delta(delta),
            questions=questions, noise="gaussian", analysis="exact", worst_cost=9e8,
        )  # fmt: skip
        other = planner.solve(fixed, prove=False)
        assert other.cost > plan.cost * (1 - 1e-4)


@pytest.mark.slow
def test_a_larger_worst_cost_is_borne_by_less_delta() -> None:
    """The best δ falls with the worst cost: no few rounds lead to it."""
    questions = (planner.Share("a", error=0.05, times=2),)
    of = study(
        planner.Budget(30_000.0), planner.MaxParticipants(6000), planner.DeltaAtMost(1e-6),
        questions=questions, noise="gaussian", analysis="exact", worst_cost=500.0,
    )  # fmt: skip
    free = float(planner.limit(of, "worst_cost"))
    fixed = replace(of, conditions=(*of.conditions[:2], planner.Delta(1e-12)))
    assert free >= float(planner.limit(fixed, "worst_cost"))
