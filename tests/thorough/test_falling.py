"""Studies of people who list events, by brute force over all sizes with scalar formulas."""

import math
import random
from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.answer.proof.none import excluded


def rise(p: float, epsilon: float, laplace: bool) -> float:
    """How far a chance can rise, as the papers print it."""
    growth, decay = math.exp(min(epsilon, 700)), math.exp(-epsilon)
    if not laplace:
        return min(1.0, growth * p, 1 - decay * (1 - p)) - p
    if p <= decay / 2:
        return growth * p - p
    return (1 - decay / (4 * p) if p <= 1 / 2 else 1 - decay * (1 - p)) - p


def random_study(rng: random.Random, kind: str) -> tuple[planner.Study, np.ndarray, np.ndarray]:
    """A study, the cost of its cheapest study of 1, 2, ... people, and which of them may be."""
    mechanism = planner.LaplaceMean(kind)
    error, failure = rng.uniform(0.1, 0.6), rng.uniform(0.01, 0.3)
    by_curve = rng.random() < 0.5
    chances = [rng.choice([rng.uniform(0.01, 0.99), 10 ** rng.uniform(-5, -1)]) for _ in range(3)]
    events = [
        planner.BadEvent(p, 10 ** rng.uniform(-1, 3)) for p in chances[: rng.choice([1, 1, 2, 3])]
    ]
    n = rng.randint(10, 60) if kind == "exact" else rng.choice([5000, rng.randint(10, 2000)])
    costs = planner.Costs(rng.choice([0.0, rng.uniform(0, 3)]), rng.choice([0.0, 50.0]))
    sizes = np.arange(1, n + 1)
    floor = np.broadcast_to(mechanism.epsilon_floor(sizes.astype(float), error, failure), n)
    owed = np.array(
        [
            sum(e.cost * rise(e.probability, x, by_curve) for e in events) if x < 1e6 else math.inf
            for x in floor
        ]
    )
    cost = sizes * (owed + costs.per_person) + costs.overhead
    least = cost.min() if np.isfinite(cost.min()) else 1000.0
    budget = least * rng.choice([0.5, 0.9, 0.97, 1.001, 1.05, 3.0])
    allowed = cost <= budget
    conditions: list[
        planner.Budget | planner.MaxParticipants | planner.MaxHarm | planner.EpsilonAtMost
    ]
    conditions = [planner.Budget(budget), planner.MaxParticipants(n)]
    if rng.random() < 0.3:
        conditions.append(planner.MaxHarm(10 ** rng.uniform(-1, 2.5)))
        allowed &= owed <= conditions[-1].money
    if rng.random() < 0.3:
        conditions.append(planner.EpsilonAtMost(10 ** rng.uniform(-1.5, 1)))
        allowed &= floor <= conditions[-1].x
    study = planner.Study(
        mechanism=mechanism,
        target=planner.Accuracy(error, failure),
        individual=planner.AtRisk(events, mechanism if by_curve else None),
        conditions=conditions,
        costs=costs,
    )
    return study, cost, allowed


@pytest.mark.parametrize(
    ("kind", "seeds"), [("paper", range(8)), ("hoeffding", (3, 4, 6, 7)), ("exact", (3, 4))]
)
def test_brute_force_finds_the_same(kind: str, seeds: Collection[int]) -> None:
    feasible = 0
    for seed in seeds:
        study, cost, allowed = random_study(random.Random(seed), kind)
        answer = planner.solve(study)
        assert answer.verdict == ("feasible" if allowed.any() else "infeasible")
        if isinstance(answer, planner.answer.Plan):
            feasible += 1
            best = np.where(allowed, cost, math.inf).min()
            assert answer.least_cost == pytest.approx(best, rel=2e-6)
            assert answer.cost == pytest.approx(best, rel=1e-4)
            fewest = planner.solve(study, minimise="participants", prove=False)
            assert fewest.participants == int(allowed.argmax()) + 1
    assert 0 < feasible < len(seeds)


def one_event(
    p: float, cost: float, budget: float, kind: str, error: float = 0.05
) -> list[planner.Study]:
    """A study with the paper's individual, and the same with their one event."""
    return [
        planner.Study(
            mechanism=planner.LaplaceMean(kind),
            target=planner.Accuracy(error, 0.05),
            individual=person,
            conditions=[planner.Budget(budget)],
        )
        for person in (
            planner.Individual(p * cost, cost),
            planner.AtRisk(planner.BadEvent(p, cost)),
            planner.AtRisk(planner.BadEvent(p, cost), planner.LaplaceMean(kind)),
        )
    ]


@pytest.mark.parametrize(
    ("kind", "p", "cost", "error"),
    [
        ("paper", 0.2, 1274.0, 0.05),
        ("paper", 1e-5, 1e5, 0.05),
        ("hoeffding", 0.001, 12_500.0, 0.05),
        ("exact", 0.2, 1274.0, 0.21),
    ],
)
def test_where_epsilon_is_small_it_is_the_classical_model(
    kind: str, p: float, cost: float, error: float
) -> None:
    prove = kind != "exact"  # proofs of exact plans take long, and nothing here reads them
    for budget in (30_000.0, 400.0):
        papers, *by_events = one_event(p, cost, budget, kind, error)
        expected = planner.solve(papers, prove=prove)
        for study in by_events:
            answer = planner.solve(study, prove=prove)
            assert answer.verdict == expected.verdict
            if isinstance(expected, planner.answer.Plan) and isinstance(
                answer, planner.answer.Plan
            ):
                assert answer.participants == expected.participants
                assert answer.epsilon == expected.epsilon
                assert answer.least_cost == pytest.approx(expected.least_cost)
                assert answer.attained == expected.attained


def test_where_epsilon_is_large_it_is_cheaper() -> None:
    """Few people, each with much to tell: there the paper pays for more than certainty."""
    studies = [
        replace(study, conditions=(planner.MaxParticipants(24),))
        for study in one_event(0.2, 1274.0, 1e12, "exact", error=0.21)
    ]
    papers, events, curve = (planner.solve(study, prove=False) for study in studies)
    assert curve.cost < events.cost < papers.cost
    assert curve.participants == events.participants == papers.participants


@pytest.mark.parametrize("by_curve", [True, False])
def test_gaussian_noise_at_a_fixed_delta(by_curve: bool) -> None:
    """Brute force over sizes, with the deviation that accuracy allows found for each."""
    from scipy.stats import norm

    mechanism, delta = planner.GaussianMean(), 1e-6
    event = planner.BadEvent(0.3, 40.0)
    study = planner.Study(
        mechanism=mechanism,
        target=planner.Accuracy(0.2, 0.1),
        individual=planner.AtRisk(event, mechanism if by_curve else None),
        conditions=[planner.MaxParticipants(60), planner.Delta(delta)],
    )
    answer = planner.solve(study, prove=False)
    sizes = np.arange(1, 61)
    epsilon = mechanism.epsilon_floor(sizes.astype(float), 0.2, 0.1, delta)
    from planner.privacy.gaussian import scale

    if by_curve:
        finite = np.where(np.isfinite(epsilon), epsilon, 1.0)
        risk = np.where(
            np.isfinite(epsilon), norm.sf(norm.isf(0.3) - 1 / scale(finite, delta)), np.inf
        )
    else:
        risk = [min(1, rise(0.3, e, False) + 0.3 + delta) if e < 1e9 else math.inf for e in epsilon]
    cost = sizes * 40 * (np.array(risk) - 0.3)
    assert answer.least_cost == pytest.approx(cost.min(), rel=1e-4)
    assert answer.participants == int(cost.argmin()) + 1


def test_a_wrong_claim_is_not_proved() -> None:
    study = one_event(0.6, 100.0, 30_000.0, "paper")[1]
    assert excluded(problem_of(study)) is None
