"""A floor of people who also lose to an answer for all people: shifted by m/N, and proved so."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import planner
from planner import numbers
from planner.explanation.running.practice import opendp_call, why_no_call
from planner.mechanisms.sample import SIMPLE, Sample

M = 12.5
ANALYSES = ("hoeffding", "exact", "paper")


def floors(analysis: str, sample: Sample = SIMPLE, error: float = 0.1, failure: float = 0.05):
    """With and without the other answer."""
    return [
        planner.LaplaceMean(analysis, for_total=m).floor_of_sample(error, failure, sample)
        for m in (M, None)
    ]


@pytest.mark.parametrize("analysis", ANALYSES)
def test_the_floor_is_that_of_the_own_answer_and_what_the_other_takes(analysis: str) -> None:
    both, alone = floors(analysis)
    for n in (300.0, 900.0, 5000.0):
        assert both.epsilon(n, 0.0) == pytest.approx(alone.epsilon(n, 0.0) + M / n, rel=1e-14)
    sizes = np.array([3.0, 40.0, 900.0, 8000.0])
    assert both.approximate(sizes, 0.0) == pytest.approx(alone.approximate(sizes, 0.0) + M / sizes)
    assert both.n_epsilon(1, 0.0) == pytest.approx(alone.n_epsilon(1, 0.0) + M)
    mechanism = planner.LaplaceMean(analysis, for_total=M)
    assert mechanism.epsilon_floor(900, 0.1, 0.05) == pytest.approx(both.epsilon(900.0, 0.0))
    assert mechanism.n_epsilon_floor(0.1, 0.05) == pytest.approx(both.n_epsilon(1, 0.0))


@pytest.mark.parametrize("analysis", ANALYSES)
def test_the_failure_is_that_at_what_is_left_of_epsilon(analysis: str) -> None:
    mechanism, alone = planner.LaplaceMean(analysis, for_total=M), planner.LaplaceMean(analysis)
    known = alone.failure_probability(0.2, 900, 0.1)
    assert mechanism.failure_probability(0.2 + M / 900, 900, 0.1) == pytest.approx(known)
    assert mechanism.failure_probability(M / 900, 900, 0.1) == 1
    several = mechanism.failure_probability(np.array([0.001, 0.2 + M / 900]), 900, 0.1)
    assert several == pytest.approx([1.0, known])


@settings(max_examples=40, deadline=None)
@given(st.floats(0.02, 1.0), st.integers(50, 3000), st.sampled_from(["hoeffding", "exact"]))
def test_proofs_agree_with_those_of_the_own_answer(own: float, n: int, analysis: str) -> None:
    both, alone = floors(analysis)
    number = numbers.balls().number
    whole, size, none = number(own) + number(M) / n, number(n), number(0.0)
    assert both.certify_reached(whole, size, none) == alone.certify_reached(number(own), size, none)
    assert not both.certify_reached(number(M) / n, size, none)


def test_what_is_too_little_is_refuted() -> None:
    both, alone = floors("exact")
    number, n = numbers.balls().number, 300
    least = alone.epsilon(float(n), 0.0)
    lost = M / n
    assert both.certify_missed(number(lost / 2), number(lost + 0.9 * least), n, number(0.0))
    assert both.certify_missed(number(lost / 2), number(0.9 * lost), n, number(0.0))
    assert not both.certify_missed(number(lost / 2), number(lost + 1.1 * least), n, number(0.0))
    assert both.certify_missed_sizes(number(0.9 * M / 320), 300, 320, number(0.0))
    assert not both.certify_missed_sizes(number(lost + 2 * least), 300, 320, number(0.0))


@pytest.mark.slow
@pytest.mark.parametrize("analysis", ["hoeffding", "exact"])
def test_plans_pay_for_all_that_people_lose(analysis: str) -> None:
    mechanism = planner.LaplaceMean(analysis, for_total=M)
    study = planner.Study(
        mechanism, planner.Accuracy(0.1, 0.05), planner.Individual(12.5), (),
        planner.Costs(per_person=5.0),
    )  # fmt: skip
    plan = planner.solve(study)
    assert plan.proof.checked
    assert plan.compensation == pytest.approx(12.5 * math.expm1(plan.epsilon))
    assert plan.own_epsilon == pytest.approx(plan.epsilon - M / plan.participants, rel=1e-12)
    assert plan.scale == pytest.approx(1 / (plan.participants * plan.own_epsilon), rel=1e-9)
    assert planner.check(plan).holds
    assert planner.simulate(plan, runs=5_000).verdict != "broken"
    poor = planner.Study(**{**vars(study), "conditions": (planner.Budget(0.97 * plan.cost),)})
    none = planner.solve(poor)
    assert none.verdict == "infeasible"
    assert none.proof.checked
    # with the ε of the noise known, each size costs what it does by hand
    alone = planner.LaplaceMean(analysis)
    for n in range(plan.participants - 60, plan.participants + 60):
        whole = alone.epsilon_floor(n, 0.1, 0.05) + M / n
        assert n * (5 + 12.5 * math.expm1(whole)) >= plan.cost * (1 - 1e-5)


def test_its_slopes_are_those_of_the_answer() -> None:
    mechanism = planner.LaplaceMean("hoeffding", for_total=M)
    study = planner.Study(
        mechanism, planner.Accuracy(0.1, 0.05), planner.Individual(12.5),
        (planner.MinParticipants(900), planner.MaxParticipants(900)), planner.Costs(per_person=5.0),
    )  # fmt: skip
    (price,) = (one for one in planner.prices(study).members if one.quantity == "error")

    def cost(error: float) -> float:
        whole = planner.LaplaceMean("hoeffding").epsilon_floor(900, error, 0.05) + M / 900
        return 900 * 12.5 * math.expm1(whole)

    assert price.cost == pytest.approx((cost(0.1001) - cost(0.0999)) / 0.0002, rel=1e-4)


def test_sweeps_plan_each_study_as_it_is() -> None:
    study = planner.Study(
        planner.LaplaceMean("hoeffding", for_total=M), planner.Accuracy(0.1, 0.05),
        planner.Individual(12.5), (planner.Budget(9000),), planner.Costs(per_person=5.0),
    )  # fmt: skip
    swept = planner.sweep(study, error=[0.08, 0.1, 0.15])
    for error in (0.08, 0.1, 0.15):
        alone = planner.solve(replace(study, target=planner.Accuracy(error, 0.05)))
        assert float(swept.sel(error=error).cost) == alone.cost


def test_a_formula_has_what_is_left_of_epsilon() -> None:
    both, _ = floors("hoeffding")
    assert {str(x) for x in both.formula().free_symbols} >= {"epsilon", "y_0", "N"}
    assert "(ε − 12.5/N)" in str(floors("exact")[0].formula())


def test_no_call_of_opendp_alone_is_printed(tmp_path) -> None:
    study = planner.Study(
        planner.LaplaceMean(for_total=M), planner.Accuracy(0.1, 0.05), planner.Individual(12.5), (),
        planner.Costs(per_person=5.0),
    )  # fmt: skip
    plan = planner.solve(study)
    plan.save(tmp_path / "plan.json")
    assert planner.read_answer(tmp_path / "plan.json") == plan
    assert opendp_call(plan) is None
    assert "planner publish adds both" in why_no_call(plan)


def test_refusals() -> None:
    for wrong in (0.0, -1.0, math.inf):
        with pytest.raises(ValueError, match="for_total"):
            planner.LaplaceMean(for_total=wrong)


def test_payments_too_large_for_a_number_are_not_rounded_to_coins() -> None:
    study = planner.Study(
        planner.LaplaceMean("hoeffding", for_total=1e6), planner.Accuracy(0.2, 0.05),
        planner.Individual(12.5), (planner.MaxParticipants(100),),
        planner.Costs(per_person=5.0, smallest_coin=0.01),
    )  # fmt: skip
    plan = planner.solve(study)
    assert plan.verdict != "feasible" or plan.cost == math.inf
