"""The bound for values whose standard deviation is limited."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

import planner
from planner.answer.check import check
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.mechanisms.exact import Asked, noisy
from planner.mechanisms.exact.deviation import LimitedDeviation
from planner.mechanisms.exact.least_rate import least_rate
from planner.mechanisms.sample import Sample
from planner.study_file.reader import study_of
from planner.study_file.tables import tables_of
from tests.mechanisms.exact.test_bounded import LAWS, of_law

WHOLE = (0.0, 1.0)


def bound(
    law: LimitedDeviation, kind: str, rate: float, n: int, mean: float, error: float
) -> float:
    rates, sizes, means = (np.array([float(x)]) for x in (rate, n, mean))
    return float(law.parts(LAWS[kind], rates, sizes, means, n * error, n * error).sum())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian", "none"])
def test_no_law_with_so_small_a_deviation_fails_more_often(kind: str) -> None:
    random, near = np.random.default_rng(20261124), []
    for _ in range(150):
        n, t, rate = int(random.integers(1, 16)), random.uniform(0.05, 0.7), random.uniform(0.1, 4)
        values = random.integers(0, 61, size=3) / 60
        if random.random() < 0.5:
            values[:2] = 0.0, 1.0
        chances = random.dirichlet([0.3, 0.3, 0.3])
        mean = float(values @ chances)
        deviation = float(np.sqrt(chances @ (values - mean) ** 2))
        if deviation < 0.01:
            continue
        law = LimitedDeviation(0.5, Fraction(1), Fraction(deviation) + Fraction(1, 10**9))
        fails, most = of_law(values, chances, n, kind, rate, t), bound(law, kind, rate, n, mean, t)
        assert fails <= most + 1e-9
        near.append(fails / most if most > 0 else 1.0)
    assert max(near) > 0.9


def test_values_of_zero_and_one_come_near() -> None:
    law = LimitedDeviation(0.5, Fraction(1), Fraction("0.15"))
    share = noisy("laplace", True, WHOLE, Sample(deviation=0.15))
    asked, n = Asked(0.05, 0.05, WHOLE), 127
    rate = least_rate(share, float(n), asked)
    mean = float(law.rare)
    chances = np.array([1 - mean, mean])
    fails = of_law(np.array([0.0, 1.0]), chances, n, "laplace", rate, 0.05 - 1e-12)
    assert 0.8 * asked.failure < fails <= asked.failure


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
@pytest.mark.parametrize(("n", "error", "deviation"), [(127, 0.05, 0.15), (600, 0.05, 0.4)])
def test_what_is_found_is_proved_and_much_less_is_refuted(
    kind: str, n: int, error: float, deviation: float
) -> None:
    share, asked = noisy(kind, True, WHOLE, Sample(deviation=deviation)), Asked(error, 0.05, WHOLE)
    rate = least_rate(share, float(n), asked)
    balls = asked._replace(error=arb(error), failure=arb(0.05))
    assert share.certify_at_most(arb(rate * (1 + 1e-5)), arb(n), balls)
    assert not share.certify_at_most(arb(rate * (1 - 1e-3)), arb(n), balls)
    assert share.certify_over(arb(rate / 4), arb(rate * 0.6), n, balls)
    assert not share.certify_over(arb(rate / 4), arb(rate * 1.01), n, balls)


def test_a_large_deviation_is_no_news() -> None:
    """No values in [0, 1] deviate by more than 1/2."""
    asked = Asked(0.05, 0.05, WHOLE)
    known = least_rate(noisy("laplace", True, WHOLE, Sample(deviation=0.5)), 600.0, asked)
    assert known == pytest.approx(least_rate(noisy("laplace", True, WHOLE), 600.0, asked), rel=1e-3)


@pytest.fixture
def incomes() -> planner.Study:
    return planner.Study(
        target=planner.Accuracy.of_values(500.0, 0.0, 10_000.0, 0.05, deviation_at_most=1500.0),
        mechanism=planner.LaplaceMean(),
        individual=planner.Individual(base_cost=12.5, worst_cost=1250.0),
        costs=planner.Costs(per_person=5.0),
    )


@pytest.mark.slow
def test_incomes_are_planned_for_what_they_are(incomes: planner.Study) -> None:
    plan = planner.solve(incomes)
    unknown = replace(incomes, target=replace(incomes.target, deviation_at_most=None))
    assert plan.cost < 0.45 * planner.solve(unknown).cost
    assert plan.proof.checked
    assert "assuming a standard deviation of the values of at most 1,500" in plan.proof.statement
    assert "standard deviation of the values of at most 1,500" in str(consent(plan))
    assert "assuming a standard deviation" in str(methods(plan))
    assert any("a standard deviation of the values" in words for words in check(plan).unchecked)


@pytest.mark.slow
def test_a_study_file_keeps_the_assumption(incomes: planner.Study) -> None:
    assert study_of(tables_of(incomes), "incomes") == incomes
    survey = replace(
        incomes,
        target=planner.Survey(
            (planner.Mean("income", error=500.0, low=0.0, high=1e4, deviation_at_most=1500.0),),
            0.05,
        ),
        mechanism=planner.AddedNoise(noise="laplace"),
    )
    assert study_of(tables_of(survey), "survey") == survey
    assert planner.solve(survey).cost == pytest.approx(planner.solve(incomes).cost, rel=1e-3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"mechanism": planner.LaplaceMean(analysis="hoeffding")}, 'give analysis = "exact"'),
        ({"mechanism": planner.RandomizedResponse()}, "leave it out"),
    ],
)
def test_where_it_is_not_used_it_is_refused(
    incomes: planner.Study, change: dict, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        replace(incomes, **change)


@pytest.mark.parametrize("deviation", [0.0, -1.0, 6000.0, float("nan")])
def test_impossible_deviations_are_refused(deviation: float) -> None:
    with pytest.raises(ValueError, match="deviation_at_most"):
        planner.Accuracy.of_values(500.0, 0.0, 1e4, 0.05, deviation_at_most=deviation)
