"""Every point of a sweep is what `planner.solve` answers there."""

import math
from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.answer.problem.vary import with_values
from planner.answer.search import decide as deciding
from planner.answer.search.decide import FEASIBLE, VERDICTS, decide

ACCURACY = planner.Accuracy(error=0.05, failure=0.05)
COARSE = planner.Accuracy(error=0.21, failure=0.05)  # small studies, which are quick to plan
PERSON = planner.Individual(base_cost=12.5, worst_cost=12_500.0)
BUDGET = planner.Budget(30_000)
PAPER, HOEFFDING = planner.LaplaceMean("paper"), planner.LaplaceMean("hoeffding")


def study(mechanism=PAPER, conditions=(BUDGET,), person=PERSON, target=ACCURACY) -> planner.Study:
    return planner.Study(
        mechanism=mechanism, target=target, individual=person, conditions=conditions
    )


POINTS = 8
SIDE = (planner.EpsilonAtLeastOneOverN(), planner.TargetedPublication(0.1, 8000), BUDGET)
WHOLE = {"participants", "queries"}
CASES = {
    "money": (study(), {"budget": (1e2, 1e6), "base_cost": (0.1, 300)}),
    "accuracy": (study(), {"error": (0.005, 0.5), "failure": (1e-6, 0.6), "overhead": (1, 5e4)}),
    "cap on people": (study(), {"participants": (1e4, 1e5), "base_cost": (0.1, 3000)}),
    "recruiting": (study(), {"per_person": (0.01, 10), "base_cost": (0.1, 300)}),
    "harm": (study(), {"harm": (1e-4, 1), "epsilon": (1e-4, 1), "base_cost": (0.1, 300)}),
    "capped payments": (
        study(person=planner.Individual(12.5, 100.0, capped=True)),
        {"budget": (1e2, 1e7), "base_cost": (0.1, 90), "worst_cost": (91, 300)},
    ),
    "nothing to fear": (
        study(person=planner.Individual(0.0)),
        {"error": (0.01, 0.3), "per_person": (0.01, 10)},
    ),
    "side conditions": (study(conditions=SIDE), {"base_cost": (0.1, 300)}),
    "no budget": (study(conditions=()), {"base_cost": (0.1, 300), "per_person": (0.1, 10)}),
    "hoeffding": (study(HOEFFDING), {"budget": (1e2, 1e6), "base_cost": (0.1, 300)}),
    "hoeffding, recruiting": (study(HOEFFDING), {"per_person": (0.1, 10), "error": (0.01, 0.3)}),
    "mwem": (study(planner.Mwem(256, 1000)), {"budget": (1e6, 1e12), "queries": (1, 1e5)}),
    "fixed delta": (
        study(planner.MwemApproximate(256, 1000)),
        {"budget": (1e5, 1e9), "delta": (1e-12, 1e-3)},
    ),
    "net, one by one": (study(planner.Net(256, 1000)), {"budget": (1e4, 1e9)}),
}


def drawn(ranges: dict, count: int, seed: int = 1) -> dict[str, np.ndarray]:
    """Random points, each range in its logarithm."""
    rng = np.random.default_rng(seed)
    values = {k: np.exp(rng.uniform(*np.log(ends), count)) for k, ends in ranges.items()}
    return {k: np.rint(v) if k in WHOLE else v for k, v in values.items()}


def agrees(found, row: int, answer) -> bool:
    if found.verdict[row] != VERDICTS[answer.verdict]:
        return False
    if answer.verdict != "feasible":
        return bool(np.isnan([column[row] for column in found[1:]]).all())
    exact = (found.participants[row], found.epsilon[row], found.delta[row])
    return exact == (answer.participants, answer.epsilon, answer.delta) and (
        (found.cost[row], found.compensation[row])
        == pytest.approx((answer.cost, answer.compensation), rel=1e-14)
    )


def single(base, values, row: int) -> planner.Study:
    return with_values(base, {name: float(value[row]) for name, value in values.items()})


@pytest.mark.slow
@pytest.mark.parametrize("minimise", ["cost", "participants", "epsilon"])
@pytest.mark.parametrize("case", CASES)
def test_random_points_are_as_solved(case: str, minimise) -> None:
    base, ranges = CASES[case]
    values = drawn(ranges, POINTS)
    found = decide(base, values, minimise, 0.01)
    for row in range(POINTS):
        one = single(base, values, row)
        # what rounding could decide is decided with proof
        ways = (False, True) if case == "fixed delta" else (False,)
        assert any(agrees(found, row, planner.solve(one, minimise, prove)) for prove in ways)


@pytest.mark.slow
@pytest.mark.parametrize(
    "base",
    [
        study(),
        study(HOEFFDING),
        study(conditions=(BUDGET, planner.MaxParticipants(30_000))),
        planner.Study(PAPER, ACCURACY, PERSON, (BUDGET,), planner.Costs(per_person=0.5)),
    ],
    ids=["paper", "hoeffding", "at most 30,000", "recruiting"],
)
def test_the_edge_is_where_the_proof_says(base) -> None:
    least = planner.solve(base).least_cost
    steps = [0.0] + [sign * 10.0**-k for k in range(3, 16, 2) for sign in (1, -1)]
    budgets = np.unique([least * (1 + step) for step in steps])
    values = {"budget": budgets, "base_cost": np.full(budgets.shape, 12.5)}
    found = decide(base, values, "cost", 0.01)
    assert set(found.verdict) >= {0, 1}
    for row, budget in enumerate(budgets):
        one = single(base, values, row)
        answers = [planner.solve(one)]
        if abs(budget / least - 1) > 1e-9:  # nearer, the proof alone decides
            answers.append(planner.solve(one, prove=False))
        assert any(agrees(found, row, answer) for answer in answers)


def test_whole_numbers_of_people_are_exact() -> None:
    base = planner.Study(PAPER, ACCURACY, planner.Individual(0.0), (BUDGET,))
    budgets = np.array([17_706.0, 17_706.9, 17_707.0, 17_707.1]) * 0.1  # 0.1 per person
    values = {"budget": budgets, "per_person": np.full(4, 0.1)}
    assert list(decide(base, values, "cost", 0.01).verdict) == [0, 0, 1, 1]


def test_few_points_are_solved_one_by_one(monkeypatch) -> None:
    calls = []
    real = deciding.solve
    monkeypatch.setattr(deciding, "solve", lambda *args: calls.append(args) or real(*args))
    base, ranges = CASES["money"]
    values = drawn(ranges, 20_000)
    decide(base, values, "cost", 0.01)
    assert len(calls) < 20


def test_free_base_costs_in_a_range(mean_study) -> None:
    found = planner.sweep(mean_study(1.0), base_cost=[0.0, 12.5], budget=[1.0, 30_000.0])
    assert found.verdict.values.tolist() == [[1, 1], [0, 1]]


EXACT = {
    "budget": (
        study(planner.LaplaceMean(), target=COARSE),
        {"budget": (1e2, 1e6), "base_cost": (50, 2000)},
    ),
    "cap": (
        study(planner.LaplaceMean(), (BUDGET, planner.MaxParticipants(110)), target=COARSE),
        {"base_cost": (0.1, 300)},
    ),
    "gaussian": (
        study(
            planner.GaussianMean(),
            (BUDGET, planner.Delta(1e-8), planner.MaxParticipants(51)),
            target=COARSE,
        ),
        {"budget": (1e3, 1e6)},
    ),
}


@pytest.mark.parametrize("case", EXACT)
def test_exact_points_are_as_solved(case: str) -> None:
    base, ranges = EXACT[case]
    values = drawn(ranges, 4)
    found = decide(base, values, "cost", 0.01)
    assert FEASIBLE in found.verdict
    for row in range(4):
        assert agrees(found, row, planner.solve(single(base, values, row), prove=False))


ACCURACIES = {"error": (0.03, 0.6), "failure": (1e-4, 0.4), "budget": (30, 1e5)}


@pytest.mark.slow
@pytest.mark.parametrize(("per_person", "count"), [(0.0, 200), (5.0, 40)])
def test_exact_studies_of_many_accuracies_are_as_solved(per_person: float, count: int) -> None:
    base = replace(study(planner.LaplaceMean()), costs=planner.Costs(per_person))
    values = drawn(ACCURACIES, count)
    found = decide(base, values, "cost", 0.01)
    assert set(found.verdict) == {0, 1}
    for row in range(count):
        assert agrees(found, row, planner.solve(single(base, values, row), prove=False))


@pytest.mark.slow
@pytest.mark.parametrize("minimise", ["cost", "participants"])
def test_no_smaller_exact_study_is_near_the_infimum(minimise) -> None:
    base = study(planner.LaplaceMean(), ())
    values = drawn({"error": (0.08, 0.5), "failure": (0.01, 0.3)}, 12, seed=2)
    for row in range(12):
        one = replace(single(base, values, row), conditions=(planner.Budget(1e6),))
        plan = planner.solve(one, minimise, prove=False)
        most = 1.01 * plan.least_cost if minimise == "cost" else 1e6
        (goal,) = problem_of(one).goals
        n = np.arange(1.0, plan.participants)
        with np.errstate(over="ignore"):
            cost = 12.5 * n * np.expm1(goal.floor.approximate(n, 0.0))
        for size in n[cost <= most]:  # by likely means alone
            assert 12.5 * size * math.expm1(goal.floor.epsilon(size, 0.0)) > most


@pytest.mark.slow
def test_budgets_at_the_edge_of_the_exact_analysis_are_decided_as_solved() -> None:
    base = study(planner.LaplaceMean(), (BUDGET, planner.MaxParticipants(500)))
    around = float(planner.limit(base, "budget")) * (1 + np.array([-1e-6, -1e-8, -1e-11, 1e-11]))
    for budgets in (around, planner.solve(base, prove=False).least_cost * (around / around[0])):
        found = decide(base, {"budget": budgets}, "cost", 0.01)
        for row, money in enumerate(budgets):
            answer = planner.solve(with_values(base, {"budget": float(money)}), prove=False)
            assert agrees(found, row, answer)
    assert found.verdict[-1] == 1
