"""Randomized response: printed values, the price of ln 3, and the best study without a curator."""

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy

import planner
from planner.mechanisms.card import truthful

ACCURACY = planner.Accuracy(0.05, 0.05)


def study(analysis: str, *conditions: object, **costs: float) -> planner.Study:
    return planner.Study(
        planner.RandomizedResponse(analysis=analysis),
        ACCURACY,
        planner.Individual(1.0),
        conditions,
        planner.Costs(**costs),
    )


@pytest.mark.slow
def test_by_hoeffding_the_coin_that_tells_the_truth_three_times_in_four_is_the_cheapest() -> None:
    u, c, base = sympy.symbols("u c E", positive=True)
    x = sympy.sqrt(c) / u
    growth = (1 + x) / (1 - x)  # e^(2 artanh x)
    cost = u**2 * (growth - 1) * base
    assert sympy.simplify(cost - 2 * base * sympy.sqrt(c) * u**2 / (u - sympy.sqrt(c))) == 0
    best = 2 * sympy.sqrt(c)
    assert sympy.simplify(cost.diff(u).subs(u, best)) == 0
    # convex where a study exists, u over √c, so there is no other
    more = sympy.symbols("v", positive=True)
    curvature = sympy.simplify(cost.diff(u, 2).subs(u, sympy.sqrt(c) + more))
    assert curvature.is_positive
    assert sympy.simplify(growth.subs(u, best)) == 3
    assert sympy.simplify(cost.subs(u, best) - 8 * c * base) == 0
    # with money for each person it stays convex
    assert (cost + more * u**2).diff(u, 2).subs(u, sympy.sqrt(c) + more).simplify().is_positive


def test_the_cheapest_by_hoeffding() -> None:
    c = math.log(2 / 0.05) / (2 * 0.05**2)
    assert c == pytest.approx(737.775890822787, rel=1e-15)
    plan = planner.solve(study("hoeffding"))
    assert (plan.participants, plan.attained) == (2951, True)
    assert plan.least_cost == pytest.approx(5902.20712839958, rel=1e-13)
    assert plan.least_cost == pytest.approx(8 * c, rel=1e-9)
    assert plan.epsilon == pytest.approx(1.09863568480, rel=1e-6)
    mechanism = planner.RandomizedResponse(analysis="hoeffding")
    assert mechanism.epsilon_floor(2951, 0.05, 0.05) == pytest.approx(1.09863568480, abs=5e-12)


def test_the_cheapest_exactly() -> None:
    plan = planner.solve(study("exact"))
    assert (plan.participants, plan.attained) == (1503, True)
    assert plan.least_cost == pytest.approx(3074.778, abs=1e-3)
    assert math.exp(plan.epsilon) == pytest.approx(3.0458, abs=1e-4)
    assert float(plan.card.truth) == 0.7528277


@pytest.mark.parametrize("analysis", ["hoeffding"])
def test_conflicts_and_edges(analysis: str) -> None:
    least = planner.solve(study(analysis)).cost
    assert planner.solve(study(analysis, planner.Budget(least))).verdict == "feasible"
    for conditions in (
        [planner.Budget(0.9 * least)],
        [planner.Budget(1e5), planner.MaxParticipants(300)],
        [planner.EpsilonAtMost(0.2), planner.MaxParticipants(9000)],
    ):
        answer = planner.solve(study(analysis, *conditions))
        assert answer.verdict == "infeasible"
        assert answer.proof.checked
        labels = {condition.label for condition in conditions}
        assert labels & set(answer.conflict)


def test_money_for_each_person_asks_for_fewer() -> None:
    plan = planner.solve(study("hoeffding", per_person=5.0))
    n = np.arange(740, 6000)
    cost = n * (np.expm1(planner.RandomizedResponse("hoeffding").epsilon_floor(n, 0.05, 0.05)) + 5)
    assert plan.participants == n[cost.argmin()]
    assert plan.least_cost == pytest.approx(cost.min(), rel=1e-12)


@pytest.mark.parametrize("analysis", ["exact", "hoeffding"])
def test_the_inverse(analysis: str) -> None:
    mechanism = planner.RandomizedResponse(analysis=analysis)
    for n in (900, 1503, 4000):
        floor = mechanism.epsilon_floor(n, 0.05, 0.05)
        assert mechanism.failure_probability(floor * (1 + 1e-9), n, 0.05) <= 0.05
        assert mechanism.failure_probability(floor * (1 - 1e-5), n, 0.05) > 0.05
    assert math.isinf(mechanism.epsilon_floor(200, 0.05, 0.05))


@pytest.mark.slow
def test_the_n_epsilon_never_falls_below_its_floor() -> None:
    mechanism = planner.RandomizedResponse(analysis="hoeffding")
    n = np.arange(738, 10_000)
    n_epsilon = n * mechanism.epsilon_floor(n, 0.05, 0.05)
    assert n_epsilon.min() >= mechanism.n_epsilon_floor(0.05, 0.05)
    for at in (1, 1000, 5000):
        later = n_epsilon[n >= at].min()
        assert mechanism.n_epsilon_floor(0.05, 0.05, participants=at) <= later
    exact = planner.RandomizedResponse().floor(0.05, 0.05)
    sizes = np.unique(np.geomspace(1, 4000, 300).round())
    asked = exact.noise_alone(sizes, 0.0)
    assert np.all(np.diff(asked) <= 0)
    assert np.all(asked <= exact.approximate(sizes, 0.0))


@pytest.mark.slow
def test_numbers_between_two_ends_are_rounded_at_random() -> None:
    target = planner.Accuracy.of_values(2.0, 0.0, 40.0, 0.05)
    plan = planner.solve(
        planner.Study(planner.RandomizedResponse(), target, planner.Individual(1.0))
    )
    assert plan.participants == 1503


@pytest.mark.slow
def test_the_limit_of_the_error_goes_as_far_as_studies_are_feasible() -> None:
    """Three people suffice just beyond 0.6, where cards hardly differ from the truth."""
    tiny = planner.Study(
        planner.RandomizedResponse(mean_range=(0.4, 0.5)),
        planner.Accuracy(0.59, 0.0323),
        planner.Individual(1.85, 1.9, capped=True),
        [planner.Budget(1607.6), planner.MaxParticipants(3)],
        planner.Costs(400.0),
    )
    limit = planner.limit(tiny, "error")
    assert 0.6 < limit < 0.6 * (1 + 1e-8)
    for error in (limit, 0.600001, 0.600004, 0.60002):
        accurate = replace(tiny, target=planner.Accuracy(error, 0.0323))
        assert planner.solve(accurate).verdict == "feasible"


def test_simulation_keeps_the_promise() -> None:
    for analysis in ("exact", "hoeffding"):
        plan = planner.solve(study(analysis))
        assert planner.simulate(plan, runs=4000).verdict in ("kept", "consistent")


def test_opendp_agrees() -> None:
    pytest.importorskip("opendp")
    plan = planner.solve(study("exact"))
    scope: dict[str, object] = {}
    exec(planner.explain(plan).to_dict()["opendp"], scope)  # asserts its privacy
    assert scope["measurement"](True) in (True, False)


@pytest.mark.parametrize("failure", [1e-3, 1e-6, 1e-9, 1e-12])
def test_one_person_who_is_hardly_ever_off_needs_a_card_that_is_hardly_ever_untrue(failure) -> None:
    # off by 1 at a share λ = 2q of reports, with probability 2q
    floor = planner.RandomizedResponse().epsilon_floor(1, 1.0, failure)
    assert floor == pytest.approx(math.log((1 - failure / 2) / (failure / 2)), rel=1e-4)


def of_population(values: np.ndarray, n: int, truth: float, error: float) -> float:
    """How often reports of n people drawn from these, values rounded at random, are off."""
    ways = np.zeros((n + 1, n + 1))  # people drawn, reports of 1
    ways[0, 0] = 1.0
    for place, chance in enumerate(1 - truth + values * (2 * truth - 1)):
        for drawn in range(min(n, place + 1), 0, -1):
            before = ways[drawn - 1]
            ways[drawn] += (1 - chance) * before + chance * np.append(0.0, before[:-1])
    law = ways[n] / ways[n].sum()
    estimate = (np.arange(n + 1) / n - (1 - truth)) / (2 * truth - 1)
    return float(law[np.abs(estimate - values.mean()) >= error - 1e-12].sum())


@pytest.mark.slow
@pytest.mark.parametrize("people", [60, 200])
def test_any_values_of_a_population_are_off_no_more_often_than_promised(people: int) -> None:
    """A census of values of 1/2, rounded at random, is no better than independent people."""
    study = planner.Study(
        target=planner.Accuracy.of_values(20.0, 0.0, 100.0, 0.1),
        mechanism=planner.RandomizedResponse(),
        individual=planner.Individual(base_cost=1.0),
        sampling=planner.Sampling(population=people),
    )
    plan = planner.solve(study)
    random, truth = np.random.default_rng(3), float(plan.card.truth)
    populations = [
        np.full(people, 0.5),
        np.repeat([0.0, 1.0], people // 2),
        *random.uniform(size=(5, people)),
        *random.choice([0.0, 0.5, 1.0], (5, people)),
    ]
    for values in populations:
        assert of_population(values, plan.participants, truth, 0.2) <= 0.1


def test_of_a_population_a_narrow_range_of_means_is_read_as_all() -> None:
    """Of people who are not independent it is not known that means at the ends are the worst."""
    reports = planner.RandomizedResponse(mean_range=(0.9, 1.0))
    floor = reports.floor(0.2, 0.2, planner.Sampling(population=100).sample)
    everywhere = planner.RandomizedResponse().floor(0.2, 0.2)
    least = float(floor.epsilon(60.0, 0.0))
    assert least == everywhere.epsilon(60.0, 0.0)
    assert least < planner.RandomizedResponse("hoeffding").epsilon_floor(60.0, 0.2, 0.2)
    values = np.array([1.0] * 99 + [0.6])
    assert of_population(values, 60, float(truthful(least)), 0.2) <= 0.2


def test_a_card_that_is_given_is_planned_for_any_population_range_and_failure() -> None:
    """No message sends its user from one key to the other and back."""
    card = planner.RandomizedResponse(probability=0.8, mean_range=(0.0, 0.3))
    for failure in (0.1, 0.5, 0.9):
        floor = card.floor(0.15, failure, planner.Sampling(population=300).sample)
        least = floor.epsilon(np.array([5.0, 250.0]), 0.0)
        assert least[1] == pytest.approx(math.log(4))
        assert math.isinf(least[0])
    study = planner.Study(
        card, planner.Accuracy(0.15, 0.1), costs=planner.Costs(1.0),
        individual=planner.Individual(0.0), sampling=planner.Sampling(population=300),
    )  # fmt: skip
    plan = planner.solve(study)
    assert plan.proof.checked
    assert "no range is used" in " ".join(str(plan).split())
    none = planner.solve(replace(study, target=planner.Accuracy(0.01, 0.1)))
    assert any(change.to for change in planner.limits(none))
