"""The most powerful private test of a share, against linear programs and direct sums."""

import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import scipy
from hypothesis import given, settings, strategies as st

import planner
from planner import numbers
from planner.answer.problem.vary import value_of, with_value
from planner.explanation.derivations import rejection
from planner.mechanisms.hypotheses import Hypotheses, Shares
from planner.mechanisms.threshold import noisy_count_over, threshold_at
from planner.study_file.writer import as_toml

BALL = numbers.balls().number


def study(power=0.8, null=0.3, alternative=0.35, budget=1e6, costs=None, sides=1, conditions=()):
    """The clinic of the issue, which tests whether more than three in ten have a property."""
    return planner.Study(
        mechanism=planner.CountTest(),
        target=planner.Power(null, alternative, power, 0.05, sides),
        individual=planner.Individual(base_cost=12.5, worst_cost=1274.0),
        conditions=[planner.Budget(budget), *conditions],
        costs=costs or planner.Costs(per_person=5.0, overhead=2000.0),
    )


@pytest.mark.parametrize(
    ("epsilon", "people"), [(10, 540), (1, 548), (0.5, 573), (0.2, 704), (0.1, 988), (0.05, 1607)]
)
def test_so_many_people_have_the_power(epsilon, people):
    """The least N at six ε, computed independently; and one person fewer does not."""
    power = planner.CountTest().power(epsilon, np.array([people - 1, people]), 0.3, 0.35, 0.05)
    assert power[0] < 0.8 <= power[1]


def test_the_cheapest_plan():
    """That of the issue, computed independently."""
    plan = planner.solve(study())
    assert plan.verdict == "feasible"
    assert plan.participants == 713
    assert plan.epsilon == pytest.approx(0.19303, abs=5e-6)
    assert plan.cost == pytest.approx(7462.60, abs=0.005)
    assert plan.proof.checked
    assert 0.8 <= plan.power < 0.8001
    assert plan.noise == "geometric"


@pytest.mark.parametrize(
    ("people", "epsilon", "null", "alternative", "significance"),
    [(1, 0.7, 0.2, 0.9, 0.1), (5, 1.3, 0.3, 0.7, 0.05), (12, 0.4, 0.5, 0.8, 0.2),
     (4, 0.8, 0, 1, 0.01), (9, 1.0, 0.6, 0.1, 0.05)],
)  # fmt: skip
def test_no_private_test_is_more_powerful(people, epsilon, null, alternative, significance):
    """A linear program finds the best of all private tests: its power is the same."""
    k, ratio = np.arange(people + 1), math.exp(epsilon)
    law = [scipy.stats.binom.pmf(k, people, share) for share in (null, alternative)]
    rows = []
    for a, b in [*pairwise(k), *pairwise(k[::-1])]:
        # φ(a) ≤ e^ε·φ(b), and 1 − φ(a) ≤ e^ε(1 − φ(b))
        for sign, bound in ((1, 0.0), (-1, ratio - 1)):
            row = np.zeros(people + 1)
            row[a], row[b] = sign, -sign * ratio
            rows.append((row, bound))
    best = scipy.optimize.linprog(
        -law[1],
        A_ub=[law[0], *(row for row, _ in rows)],
        b_ub=[significance, *(bound for _, bound in rows)],
        bounds=(0, 1),
    )
    power = planner.CountTest().power(epsilon, people, null, alternative, significance)
    assert power == pytest.approx(-best.fun, abs=1e-7)


@settings(max_examples=40, deadline=None)
@given(
    people=st.integers(1, 400),
    epsilon=st.floats(0.02, 6),
    null=st.integers(0, 20),
    alternative=st.integers(0, 20),
    significance=st.sampled_from([0.01, 0.05, 0.3, 0.7]),
)
def test_size_and_power_are_sums(people, epsilon, null, alternative, significance):
    """By a direct sum over counts and noise the test has the significance, and the power."""
    if null == alternative:
        return
    null, alternative = null / 20, alternative / 20
    tested = Hypotheses.of(null, alternative, 0.99, significance, 1)
    level, chance = (
        float(x[0]) for x in threshold_at(tested, np.array([epsilon]), np.array([1.0 * people]))
    )
    noise = np.arange(-int(40 / epsilon) - 1, int(40 / epsilon) + 2)
    pmf = np.exp(-epsilon * np.abs(noise)) * math.tanh(epsilon / 2)

    def rejects(share):
        counts = scipy.stats.binom.pmf(np.arange(people + 1), people, share)
        law, first = np.convolve(counts, pmf), noise[0]
        w = first + np.arange(len(law))
        return law[w > level].sum() + chance * law[w == level].sum()

    assert rejects(float(tested.null.mean)) == pytest.approx(significance, abs=1e-9)
    power = planner.CountTest().power(epsilon, people, null, alternative, significance)
    assert rejects(float(tested.alternative.mean)) == pytest.approx(power, abs=1e-8)


def test_other_sides():
    """A smaller alternative is the mirror image; two sides are one at half the significance."""
    test = planner.CountTest()
    assert test.power(0.5, 300, 0.7, 0.6, 0.05) == pytest.approx(
        test.power(0.5, 300, 0.3, 0.4, 0.05)
    )
    assert test.power(0.5, 300, 0.3, 0.4, 0.05, sides=2) == test.power(0.5, 300, 0.3, 0.4, 0.025)
    two = planner.solve(study(sides=2))
    assert two.participants > planner.solve(study()).participants


@pytest.mark.slow
def test_a_budget_under_the_least_cost_is_refuted():
    """Just under the least cost no study exists, with proof; what to relax is about the test."""
    answer = planner.solve(study(budget=7462.5))
    assert answer.verdict == "infeasible"
    assert answer.proof.checked
    assert planner.solve(study(budget=7462.65)).verdict == "feasible"
    few = planner.solve(study(conditions=[planner.MaxParticipants(539)]))
    assert few.verdict == "infeasible"
    assert any("539 participants" in label for label in few.conflict)


def test_ever_more_people():
    """Where people cost nothing but their payment, the least cost is a limit: E·s/d."""
    plan = planner.solve(study(costs=planner.Costs()))
    moved = math.log(1 / (2 * 0.05)) + math.log(1 / (2 * 0.2))
    assert not plan.attained
    assert plan.least_cost == pytest.approx(12.5 * moved / 0.05, rel=1e-6)
    assert plan.cost <= 1.01 * plan.least_cost


@pytest.mark.slow
@pytest.mark.parametrize(
    "quantity",
    [
        "change",
        "budget",
        pytest.param("power", marks=pytest.mark.slow),
        pytest.param("significance", marks=pytest.mark.slow),
    ],
)
def test_limits(quantity):
    """At the limit the study is feasible, a little beyond it is not."""
    given = study(budget=10_000.0)
    end = planner.limit(given, quantity)
    beyond = 1 + 1e-5 if quantity == "power" else 1 - 1e-5
    assert planner.solve(with_value(given, quantity, end.value)).verdict == "feasible"
    assert (
        planner.solve(with_value(given, quantity, end.value * beyond), prove=False).verdict
        == "infeasible"
    )


def test_a_file_and_back(tmp_path):
    """A study file, and a plan file."""
    given = study(sides=2)
    path = tmp_path / "study.toml"
    path.write_text(as_toml(given.to_dict()), encoding="utf-8")
    assert planner.read_study(path) == given
    plan = planner.solve(given)
    plan.save(tmp_path / "plan.json")
    assert planner.read_answer(tmp_path / "plan.json").power == plan.power


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: planner.Power(0.3, 0.3), "alternative = 0.3 is the null value"),
        (lambda: planner.Power(0.3, 0.4, power=0.05), "power = 0.05 is not over significance"),
        (lambda: planner.Power(0.3, 1.4), "alternative"),
        (lambda: planner.Study(planner.LaplaceMean(), planner.Power(0.3, 0.4),
                               planner.Individual(1.0)), "a power is that of a test"),
        (lambda: planner.Study(planner.CountTest(), planner.Accuracy(0.05, 0.05),
                               planner.Individual(1.0)), "has a power and no error"),
        (lambda: planner.Study(planner.CountTest(), planner.Power(0.3, 0.4),
                               planner.Individual(1.0), sampling=planner.Sampling(population=900)),
         "independent people"),
        (lambda: planner.limit(study(), "error"), "error is not of a test"),
        (lambda: planner.simulate(study(), mean=0.3), "leave it out"),
        (lambda: planner.CountTest().failure_probability(1.0, 10, 0.1), "has a power and no error"),
    ],
)  # fmt: skip
def test_refused(wrong, words):
    """In a sentence."""
    with pytest.raises(ValueError, match=words):
        wrong()


def test_tested_is_exact():
    """Decimals are fractions, and a share under the null value is mirrored."""
    null, alternative, *others = Hypotheses.of(0.7, 0.6, 0.8, 0.05, 2)
    assert (null.first, null.second) == (Fraction(3, 10), Fraction(3, 10))
    assert (alternative.first, alternative.second) == (Fraction(2, 5), Fraction(2, 5))
    assert others == [Fraction(1, 40), Fraction(4, 5), 1]


@pytest.mark.slow
def test_prices_are_changes_of_the_least_cost():
    """By one per cent more and less, solved again; money that does not bind is worth nothing."""
    given = study()
    prices = {price.quantity: price.cost for price in planner.prices(given)}
    for quantity in ("power", "change", "base_cost"):
        value = value_of(given, quantity)
        costs = [
            planner.solve(with_value(given, quantity, value * part), prove=False).least_cost
            for part in (0.99, 1.01)
        ]
        slope = (costs[1] - costs[0]) / (0.02 * value)
        assert prices[quantity] == pytest.approx(slope, rel=0.02)
    assert prices["budget"] == 0
    assert prices["change"] < 0 < prices["power"]


def test_few_people_and_next_to_no_noise():
    """If all N say yes too often by chance, the test then rejects with a probability."""
    people = np.arange(1, 5)
    power = planner.CountTest().power(400.0, people, 0.64, 0.81, 0.01)
    assert power == pytest.approx(0.01 * (0.81 / 0.64) ** people, rel=1e-8)


def test_the_significance_is_used_in_full():
    """At random N, ε, null values and significances, rare and usual ones, in arrays."""
    rng = np.random.default_rng(7)
    for _ in range(60):
        null = float(rng.choice([0.0, 1e-6, 0.001, 0.02, 0.3, 0.5, 0.9, 0.999]))
        size = float(rng.choice([1e-9, 1e-4, 0.01, 0.05, 0.5, 0.9]))
        people = np.floor(10 ** rng.uniform(0, 9, 40))
        epsilon = 10 ** rng.uniform(-6, 2.6, 40)
        tested = Hypotheses(Shares(null, null), Shares(null, null), size, 0.5)
        level, chance = threshold_at(tested, epsilon, people)
        at, over = (noisy_count_over(tested.null, level + step, epsilon, people) for step in (0, 1))
        assert over + (at - over) * chance == pytest.approx(size, rel=1e-7)


@pytest.mark.parametrize("asked", [{}, {"alternative": 0.25}, {"sides": 2}])
def test_the_rule_that_is_printed(asked):
    """By a direct sum the printed rule has the significance, and on two sides no more of it."""
    plan = planner.solve(study(**asked))
    rule = rejection(plan, exactly=True)
    edges = re.findall(r"(over|under) (\d+)", rule)
    chances = [float(x) for x in re.findall(r"probability (\S+) if", rule)]
    noise = np.arange(-600, 601)
    law = np.convolve(
        scipy.stats.binom.pmf(np.arange(plan.participants + 1), plan.participants, 0.3),
        np.exp(-plan.epsilon * np.abs(noise)) * math.tanh(plan.epsilon / 2),
    )
    w = noise[0] + np.arange(len(law))
    size = 0.0
    for (side, level), chance in zip(edges, chances, strict=True):
        beyond = w > int(level) if side == "over" else w < int(level)
        size += law[beyond].sum() + chance * law[w == int(level)].sum()
    assert size == pytest.approx(0.05, abs=1e-9)
    assert len(edges) == plan.study.power.sides


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [planner.CountTest()])
def test_large_studies_a_little_too_dear_are_refuted(mechanism):
    """Of 60,000 people the noise on a count is hardly noticed, so that its ε is hardly known."""
    given = planner.Study(
        mechanism, planner.Power(0.5, 0.505), planner.Individual(2.0), [],
        planner.Costs(per_person=5.0),
    )  # fmt: skip
    cost = planner.solve(given).least_cost
    answer = planner.solve(replace(given, conditions=[planner.Budget(cost * (1 - 1e-4))]))
    assert answer.verdict == "infeasible"
    assert answer.proof.checked
