import math

import pytest

import planner
from planner.answer import closed_form


def test_the_paper_s_point(mean_study) -> None:
    # §5.1: ε = T/6 = 0.0083, N ≈ 20000, E_feas ≈ 182
    plan = planner.answer.closed_form_plan(mean_study(182.0))
    assert plan.epsilon == pytest.approx(0.0083, abs=1e-4)
    assert plan.participants == 19_653
    assert plan.holds
    assert not planner.answer.closed_form_plan(mean_study(183.0)).holds


def test_it_suffices(mean_study) -> None:
    for base_cost in (0.25, 12.5, 100.0, 182.0):
        study = mean_study(base_cost)
        plan = planner.answer.closed_form_plan(study)
        failure = study.mechanism.failure_probability(plan.epsilon, plan.participants, 0.05)
        assert failure <= 0.05
        assert plan.holds
        assert planner.solve(study).least_cost <= plan.cost


def test_eqs_7_and_8_are_equalities_of_eq_6() -> None:
    import sympy

    t, alpha, budget, cost = sympy.symbols("T alpha B E", positive=True)
    n = closed_form.least_participants(t, alpha)
    assert sympy.simplify(3 * sympy.exp(-n * t**2 / 12) - alpha) == 0
    epsilon = closed_form.epsilon_ceiling(budget, cost, t, alpha)
    assert sympy.simplify((sympy.exp(epsilon) - 1) * cost * n - budget) == 0


def test_other_studies_have_none(mean_study) -> None:
    assert planner.answer.closed_form_plan(mean_study(1.0, analysis="hoeffding")) is None
    assert planner.answer.closed_form_plan(mean_study(1.0, planner.MaxParticipants(5))) is None
    assert planner.answer.closed_form_plan(mean_study(0.0)) is None
    assert math.isfinite(planner.answer.closed_form_plan(mean_study(1.0)).cost)
