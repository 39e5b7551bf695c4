"""One mechanism asked several times: the union bound, composition, proofs in balls."""

import math

import numpy as np
import pytest

import planner
from planner import numbers
from planner.checked import Refused
from planner.privacy import shares
from planner.privacy.composition import compose

ball = numbers.balls().number
RULES = ("basic", "advanced", "closed", "optimal")


@pytest.mark.parametrize("rule", RULES)
def test_one_share_and_all_of_them_are_inverse(rule: str) -> None:
    for times, epsilon, delta in ((20, 0.05, 1e-3), (1000, 0.01, 1e-6), (3, 1.5, 0.01)):
        total = shares.together(epsilon, times, delta, rule)
        assert shares.each(total, times, delta, rule) == pytest.approx(epsilon, rel=1e-9)
        assert total == pytest.approx(compose([epsilon] * times, delta, rule), rel=1e-12)
        enclosed = shares.together(ball(epsilon), times, ball(delta), rule)
        assert float(enclosed.mid()) == pytest.approx(total, rel=1e-9)
        assert float(enclosed.rad()) < 1e-9 * total
        share = shares.each(ball(total), times, ball(delta), rule)
        assert float(share.mid()) == pytest.approx(epsilon, rel=1e-9)


def test_the_union_bound_and_basic_composition() -> None:
    one = planner.LaplaceMean(analysis="hoeffding")
    ten = planner.Repeated(one, 10, "basic")
    assert ten.epsilon_floor(2000, 0.05, 0.05) == 10 * one.epsilon_floor(2000, 0.05, 0.005)
    assert ten.failure_probability(1.0, 2000, 0.05) == 10 * one.failure_probability(0.1, 2000, 0.05)
    assert ten.n_epsilon_floor(0.05, 0.05) == 10 * one.n_epsilon_floor(0.05, 0.005)
    assert not ten.uses_delta
    assert ten.convex(0.05)
    optimal = planner.Repeated(one, 10)
    assert optimal.uses_delta
    n = np.array([2000, 20_000])
    floors = optimal.epsilon_floor(n, 0.05, 0.05, 1e-6)
    assert (floors <= ten.epsilon_floor(n, 0.05, 0.05)).all()
    without = optimal.epsilon_floor(2000, 0.05, 0.05, 0.0)
    assert without == pytest.approx(ten.epsilon_floor(2000, 0.05, 0.05))


def study(
    mechanism, *conditions, base_cost=1.0, budget=30_000.0, people=5000, error=0.05
) -> planner.Study:
    return planner.Study(
        mechanism=mechanism,
        target=planner.Accuracy(error=error, failure=0.05),
        individual=planner.Individual(base_cost, 1000.0),
        conditions=[planner.Budget(budget), planner.MaxParticipants(people), *conditions],
    )


@pytest.mark.parametrize("rule", RULES)
def test_plans_of_many_counts(rule: str) -> None:
    mechanism = planner.Repeated(planner.GeometricCount(), 100, rule)
    delta = () if rule == "basic" else (planner.Delta(1e-6),)
    answer = planner.solve(study(mechanism, *delta, budget=1e6))
    assert (answer.verdict, answer.proof.checked) == ("feasible", True)
    # each count fails with probability α/100 at its share of ε
    each = shares.each(answer.epsilon, 100, answer.delta, rule)
    m = math.ceil(answer.participants / 20)
    assert 2 * math.exp(-each * m) / (1 + math.exp(-each)) <= 0.05 / 100
    # and a hair less ε is too little
    less = shares.each(answer.epsilon * (1 - 1e-4), 100, answer.delta, rule)
    assert 2 * math.exp(-less * m) / (1 + math.exp(-less)) > 0.05 / 100


def test_better_composition_is_cheaper() -> None:
    costs = []
    for rule in RULES:
        mechanism = planner.Repeated(planner.GeometricCount(), 200, rule)
        delta = () if rule == "basic" else (planner.Delta(1e-7),)
        costs.append(planner.solve(study(mechanism, *delta, budget=1e9)).cost)
    assert costs == sorted(costs, reverse=True)


def test_an_exact_mean_several_times() -> None:
    answer = planner.solve(study(planner.Repeated(planner.LaplaceMean(), 5, "basic")))
    assert answer.proof.checked
    one = planner.LaplaceMean().failure_probability(answer.epsilon / 5, answer.participants, 0.05)
    assert one <= 0.01


def test_refusals() -> None:
    with pytest.raises(Refused, match="only ε-private mechanisms are repeated"):
        planner.Repeated(planner.GaussianMean(), 3)
    with pytest.raises(Refused, match="a whole number of queries"):
        planner.Repeated(planner.LaplaceMean(), 0)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 1e-6), (1e-4, 1e-9), (0.3, 1e-3)])
def test_many_questions_are_enclosed_without_the_long_sum(
    epsilon: float, delta: float, monkeypatch
) -> None:
    short = shares.together(ball(epsilon), 700, ball(delta), "optimal")
    share = shares.each(short, 700, ball(delta), "optimal")
    assert share.contains(ball(epsilon).mid())
    assert float(share.rad()) < 1e-9 * epsilon
    monkeypatch.setattr(shares, "_MANY", 1000)
    long = shares.together(ball(epsilon), 700, ball(delta), "optimal")
    assert short.contains(long.mid())
    assert float(short.rad()) < 1e-9 * float(long.mid())


def test_delta_is_used_only_where_the_study_speaks_of_it() -> None:
    mechanism = planner.Repeated(planner.GeometricCount(), 20)
    target, person = planner.Accuracy(0.05, 0.05), planner.Individual(1.0, 10.0)
    silent = planner.Study(mechanism, target, person, [planner.Budget(9000.0)])
    assert silent.mechanism.composition == "basic"  # type: ignore[attr-defined]
    assert planner.solve(silent).delta == 0  # type: ignore[union-attr]
    capped = planner.Study(mechanism, target, person, [planner.DeltaAtMost(1e-6)])
    assert capped.mechanism.composition == "optimal"  # type: ignore[attr-defined]
    asked = planner.Repeated(planner.GeometricCount(), 20, "optimal")
    assert planner.Study(asked, target, person).mechanism == asked
