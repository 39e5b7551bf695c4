"""Families: group privacy, its inverse, and plans, against direct sums and bisection."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import planner
from planner.model.paid_by_cost import PaidByCost
from planner.numbers import decimal

families = st.integers(2, 12)
costs = st.floats(0.01, 1000)
deltas = st.sampled_from([0.0, 1e-9, 1e-4, 0.01])


@given(families, costs, costs, deltas, st.floats(1e-6, 3))
def test_the_payment_is_that_of_g_records_one_after_another(g, base, worst, delta, epsilon) -> None:
    person = PaidByCost(base, worst, g)
    # g times: a chance p becomes at most e^ε·p + δ
    chance_of_base, chance_of_worst = 1.0, 0.0
    for _ in range(g):
        chance_of_base *= math.exp(epsilon)
        chance_of_worst = math.exp(epsilon) * chance_of_worst + delta
    direct = (chance_of_base - 1) * base + chance_of_worst * worst
    assert person.compensation(epsilon, delta) == pytest.approx(direct, rel=1e-9)
    assert PaidByCost(base, worst, 1).compensation(epsilon, delta) <= direct


@given(families, costs, costs, deltas, st.floats(1e-6, 3))
def test_the_ceiling_inverts_the_payment(g, base, worst, delta, epsilon) -> None:
    person = PaidByCost(base, worst, g)
    money = person.compensation(epsilon, delta)
    found = person.epsilon_ceiling(money, delta)
    assert found == pytest.approx(epsilon, rel=1e-9)
    array = person.epsilon_ceiling(np.array([money, 0.0]), delta)
    assert array[0] == pytest.approx(epsilon, rel=1e-9)
    assert array[1] <= 0
    exactly = person.compensation(decimal(epsilon), decimal(delta))
    assert float(exactly) == pytest.approx(money, rel=1e-13)


@given(families, costs, costs, st.sampled_from([1e-6, 1e-3]), st.floats(0.01, 2))
def test_the_slope(g, base, worst, delta, epsilon) -> None:
    person, h = PaidByCost(base, worst, g), 1e-6
    difference = person.compensation(epsilon + h, delta) - person.compensation(epsilon - h, delta)
    assert person.compensation_slope(epsilon, delta) == pytest.approx(difference / 2 / h, rel=1e-4)


def test_a_family_needs_more_money_or_more_people(mean_study) -> None:
    alone = mean_study(12.5, costs=planner.Costs(1.0))
    person = dataclasses.replace(alone.individual, family=4)
    together = dataclasses.replace(alone, individual=person)
    one, four = planner.solve(alone), planner.solve(together)
    assert four.participants > one.participants
    assert four.cost > one.cost
    # at δ = 0 a family of g is one person at gε
    assert four.compensation == pytest.approx(12.5 * math.expm1(4 * four.epsilon), rel=1e-12)
    least = planner.limit(together, "budget")
    tight = dataclasses.replace(together, conditions=[planner.Budget(least * (1 - 1e-9))])
    assert planner.solve(tight).verdict == "infeasible"
    free = dataclasses.replace(together, costs=planner.Costs())
    assert planner.solve(free).least_cost == pytest.approx(4 * 12.5 * 2 * math.log(20) / 0.05)


def test_a_family_with_delta() -> None:
    def study(budget):
        return planner.Study(
            planner.MwemApproximate(universe_size=256, queries=10_000),
            planner.Accuracy(0.05, 0.05),
            planner.Individual(1.0, 1000.0, family=3),
            [planner.Budget(budget), planner.Delta(1e-10)],
        )

    answer = planner.solve(study(1e8))
    assert answer.verdict == "feasible"
    assert planner.solve(study(answer.least_cost * 0.999)).verdict == "infeasible"
    # three people at the same N cost three times and a little more
    floor = answer.study.mechanism.epsilon_floor(answer.participants, 0.05, 0.05, 1e-10)
    owed = math.expm1(3 * floor) * (1.0 + 1e-10 * 1000.0 / math.expm1(floor))
    assert answer.participants * owed == pytest.approx(answer.least_cost, rel=1e-5)


def test_what_a_family_must_have() -> None:
    with pytest.raises(ValueError, match="family of 3"):
        planner.Individual(0.0, 10.0, family=3)
    with pytest.raises(ValueError, match="from 1 to 1000"):
        planner.Individual(1.0, family=0)


@pytest.mark.parametrize("zero", [0.0, 0])
def test_without_privacy_loss_a_family_is_owed_nothing_but_for_delta(zero) -> None:
    person = planner.Individual(12.5, 1274.0, family=4)
    assert person.compensation(zero) == 0
    assert person.compensation(zero, 0.001) == pytest.approx(4 * 0.001 * 1274)
    assert person.counts_as(zero, 0.001) == (0, 0.004)
    near = person.counts_as(1e-9, 0.001)
    assert near[1] == pytest.approx(0.004)


def test_the_exposure_of_a_family_is_that_of_any_of_its_records() -> None:
    person = planner.Individual(12.5, 1274.0, family=4)
    found = person.compensation_exposed(np.array([0.0, 0.1, 0.25, 0.6]))
    assert found == pytest.approx([0.0, 0.4 * 1274, 1274, 1274])
    assert planner.Individual(1.0, 2.0).compensation_exposed(0.3) == 0.6
    assert person.exposure_owing(0.4 * 1274) == pytest.approx(0.1)
    assert person.exposure_owing(1275.0) > 1


def test_a_capped_family_whose_payment_has_no_float_is_paid_in_full() -> None:
    person = planner.Individual(1.0, 10.0, capped=True, family=100)
    assert person.compensation(7.2) == 10
    assert person.compensation(np.array([0.0001, 7.2, 400.0]), 0.0).tolist()[1:] == [10, 10]
    study = planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(0.9, 0.05),
        person,
        [planner.MaxParticipants(30)],
    )
    answer = planner.solve(study)
    assert (answer.participants, answer.cost) == (3, 30.0)


def test_few_digits_cost_a_family_no_more_than_a_millionth() -> None:
    study = planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(1.0, family=50),
        [planner.MaxParticipants(2000)],
    )
    answer = planner.solve(study)
    assert answer.cost <= answer.least_cost * (1 + 1.01e-6)
