"""What trust in a curator is worth, by values derived by hand and by another search."""

import pytest
from scipy.optimize import brentq, minimize_scalar

import planner
from planner.comparison.compare import compare
from planner.explanation.results import comparison as words
from planner.mechanisms import kinds
from planner.numbers import decimal

PERSON = planner.Individual(1.0, 100.0)


def study(mechanism: object, person: planner.Individual = PERSON, **costs: float) -> planner.Study:
    return planner.Study(
        mechanism,
        planner.Accuracy(0.05, 0.05),
        person,
        [planner.Budget(1e4)],
        planner.Costs(**costs),
    )


def test_the_price_of_trust_by_hoeffding() -> None:
    trust = compare(study(planner.LaplaceMean(analysis="hoeffding"))).trust
    assert trust.no_curator.least_cost / trust.curator.least_cost == pytest.approx(98.5, abs=0.05)
    assert trust.breach * 100 == pytest.approx(4.72574518, rel=1e-8)
    assert trust.participants == 1038
    # the cheapest study with a curator at that breach costs as much, by another search
    floor = planner.LaplaceMean(analysis="hoeffding").epsilon_floor

    def least(breach: float) -> float:
        import math

        def cost(n: float) -> float:
            return n * (math.expm1(floor(n, 0.05, 0.05)) + breach)

        return float(minimize_scalar(cost, bounds=(800, 1e6), method="bounded").fun)

    even = brentq(lambda b: least(b) - trust.no_curator.least_cost, 1, 20)
    assert even == pytest.approx(trust.breach * 100, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [planner.LaplaceMean(), planner.RandomizedResponse()])
def test_the_price_of_trust_exactly(mechanism: object) -> None:
    trust = compare(study(mechanism)).trust
    assert trust.no_curator.least_cost / trust.curator.least_cost == pytest.approx(51.3, abs=0.05)
    assert kinds.is_curated(trust.curator.study.mechanism)
    assert not kinds.is_curated(trust.no_curator.study.mechanism)
    assert trust.breach * 100 == pytest.approx(6.783286, rel=1e-6)


def test_a_breach_is_paid_for_where_records_are_held() -> None:
    risky = planner.Individual(1.0, 100.0, breach=0.01)
    held = study(planner.LaplaceMean(), risky).individual
    assert held.compensation(0.1) - PERSON.compensation(0.1) == pytest.approx(1.0)
    assert held.compensation_exposed(0.002) == pytest.approx(1.2)
    assert held.exposure_owing(held.compensation_exposed(0.002)) == pytest.approx(0.002)
    alone = study(planner.RandomizedResponse(), risky).individual
    assert alone.compensation(0.1) == PERSON.compensation(0.1)
    family = planner.Individual(1.0, 100.0, family=3, breach=0.4)
    assert family.compensation(0.0, 1e-3) == pytest.approx(100.0 + 0.3)
    again = study(planner.RandomizedResponse(), risky).by(planner.LaplaceMean()).individual
    assert again == held


@pytest.mark.parametrize("family", [1, 3])
@pytest.mark.parametrize("delta", [0.0, 1e-3])
def test_the_ceiling_with_a_breach_is_the_inverse(family: int, delta: float) -> None:
    rule = planner.Individual(2.0, 50.0, family=family, breach=0.01).pieces[0]
    owed = rule.compensation(0.3, delta)
    assert rule.epsilon_ceiling(owed, delta) == pytest.approx(0.3, rel=1e-12)
    exactly = rule.compensation(decimal(0.3), decimal(delta))
    assert float(exactly) == pytest.approx(owed, rel=1e-15)


def test_a_breach_needs_a_worst_cost() -> None:
    with pytest.raises(ValueError, match="worst_cost is needed"):
        planner.Individual(1.0, breach=0.01)


def test_three_studies_stand_side_by_side() -> None:
    beside = compare(study(planner.LaplaceMean(analysis="hoeffding")))
    assert words.columns(beside) == (
        "private with a curator",
        "private without a curator",
        "not private",
    )
    assert all(len(row) == 4 for row in words.rows(beside))
    assert any("without a curator costs" in sentence for sentence in words.in_words(beside))
    alone = compare(study(planner.Mwem(100, 50), planner.Individual(1.0, 100.0)))
    assert alone.trust is None
    assert words.columns(alone) == ("private", "not private")
