"""Incentives and payments in whole coins, against a search through every size."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import planner
from planner.answer.problem.vary import with_value
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.explanation.papers.sheet import markdown
from planner.explanation.participant import meaning
from planner.explanation.results.comparison import in_words
from planner.explanation.results.payment import with_rounded_payments
from planner.explanation.results.sums import parts
from planner.numbers import FLOATS, FRACTIONS, arrays, decimal, first
from planner.quantities import QUANTITIES
from planner.study_file.templates import TEMPLATES
from planner.wording import EXACT_PAYMENTS, money, money_between

SHARE = planner.Study(
    planner.LaplaceMean("hoeffding"),
    planner.Accuracy(0.1, 0.1),
    planner.Individual(12.5, 1274.0),
    [planner.Budget(9000.0), planner.MaxParticipants(1200)],
    planner.Costs(5.0, 100.0),
    currency="EUR",
)


def with_costs(**costs: float) -> planner.Study:
    return replace(SHARE, costs=replace(SHARE.costs, **costs))


def cheapest(study: planner.Study) -> float:
    """The least cost over all sizes, each at its own floor, or at more ε for the same payment."""
    coin, least = study.costs.smallest_coin, math.inf
    for n in range(1, 1201):
        epsilon = study.mechanism.epsilon_floor(n, 0.1, 0.1)
        if epsilon < 100:
            paid = max(12.5 * math.expm1(epsilon), study.costs.incentive)
            if coin:
                paid = math.ceil(Fraction(paid) / decimal(coin)) * coin
            least = min(least, n * (paid + 5.0) + 100.0)
    return least


@pytest.mark.parametrize("incentive", [0.5, 2.0, 4.0, 15.0, 400.0])
def test_each_is_paid_the_larger_of_the_two(incentive: float) -> None:
    study = with_costs(incentive=incentive)
    plan = planner.solve(
        replace(study, conditions=[planner.Budget(1e6), planner.MaxParticipants(1200)])
    )
    assert plan.cost == pytest.approx(cheapest(study), rel=2e-6)
    assert plan.compensation == max(incentive, 12.5 * math.expm1(plan.epsilon))
    assert plan.attained


def test_an_incentive_makes_a_study_infeasible_and_that_is_proved() -> None:
    study = with_costs(incentive=15.0)
    least = cheapest(study)
    for share, verdict in ((1 - 1e-4, "infeasible"), (1 + 1e-4, "feasible")):
        budget = planner.Budget(least * share)
        answer = planner.solve(replace(study, conditions=[budget, planner.MaxParticipants(1200)]))
        assert answer.verdict == verdict
        assert answer.proof.checked
    assert planner.limit(study, "budget") == pytest.approx(least, rel=1e-6)


def test_prices_with_an_incentive_are_those_of_studies_solved_again() -> None:
    study = with_costs(incentive=15.0)
    prices = {price.quantity: price.cost for price in planner.prices(study)}
    plan = planner.solve(study)
    assert prices["base_cost"] == 0 or abs(prices["base_cost"]) < plan.participants
    assert prices["per_person"] == pytest.approx(plan.participants)


def test_payments_in_coins_cost_what_the_best_size_does() -> None:
    for incentive, coin in product([0.0, 3.1], [0.01, 0.25, 1.0, 5.0, 20.0]):
        study = with_costs(smallest_coin=coin, incentive=incentive)
        plan = planner.solve(study)
        assert plan.verdict == "feasible"
        assert decimal(plan.compensation) % decimal(coin) == 0
        assert plan.compensation >= 12.5 * math.expm1(plan.epsilon)
        assert decimal(plan.cost) == plan.participants * (decimal(plan.compensation) + 5) + 100
        assert plan.cost <= cheapest(study) * (1 + 1e-6)
        assert plan.least_cost <= plan.cost
        assert planner.check(plan).holds


def test_few_people_in_coins_cost_what_the_best_size_does() -> None:
    study = planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(0.286, 0.0196),
        planner.Individual(0.49),
        costs=planner.Costs(1.63, smallest_coin=0.01),
    )
    floors = ((n, study.mechanism.epsilon_floor(n, 0.286, 0.0196)) for n in range(20, 120))
    cents = [(n, math.ceil(49 * math.expm1(epsilon)) + 163) for n, epsilon in floors if epsilon < 9]
    assert planner.solve(study).cost == pytest.approx(min(n * each for n, each in cents) / 100)


@pytest.mark.parametrize(
    ("base", "error", "each", "coin"),
    [(13.57, 0.0122, 0.0, 0.01), (205.0, 0.1667, 0.5, 1.0), (13.94, 0.0223, 0.0, 0.05)],
)
def test_far_more_people_may_be_paid_a_coin_less(
    base: float, error: float, each: float, coin: float
) -> None:
    """Against the fewest people who are owed no more than each number of coins."""
    study = planner.Study(
        planner.LaplaceMean("exact"),
        planner.Accuracy(error, 0.05),
        planner.Individual(base),
        costs=planner.Costs(each, smallest_coin=coin),
    )

    def fewest(coins: int) -> int:
        """About so many, as the floor saw-tooths a little."""
        most = math.log1p(coins * coin / base)
        return first(lambda n: study.mechanism.epsilon_floor(n, error, 0.05) <= most, 1, 10**7)

    best = min(fewest(coins) * (coins * coin + each) for coins in range(1, 25))
    assert planner.solve(study, prove=False).cost <= best * (1 + 1e-4)


def test_a_budget_between_exact_and_rounded_payments_is_infeasible() -> None:
    exact = planner.solve(SHARE).cost
    study = replace(with_costs(smallest_coin=5.0), conditions=[planner.Budget(exact + 1.0)])
    answer = planner.solve(study)
    assert (answer.verdict, answer.proof.checked) == ("infeasible", True)
    too_small = replace(study, conditions=[planner.Budget(exact - 10.0)])
    assert planner.solve(too_small).verdict == "infeasible"


@pytest.mark.slow
@pytest.mark.parametrize("quantity", ["budget", "error", "failure", "base_cost", "participants"])
def test_limits_are_feasible_with_rounded_payments(quantity: str) -> None:
    """The value covers the rounding, and lies within a coin for each of the limit without it."""
    for coin in (0.01, 5.0):
        rounded = with_costs(smallest_coin=coin)
        end, exact = planner.limit(rounded, quantity), planner.limit(SHARE, quantity)
        assert planner.solve(with_value(rounded, quantity, end)).verdict == "feasible"
        harder = QUANTITIES[quantity].more_is_harder
        assert end <= exact if harder else end >= exact
        assert end.exact in (None, float(exact))
    dearer = with_costs(per_person=SHARE.costs.per_person + 5.0)
    if quantity == "budget":
        assert (
            end == planner.solve(replace(rounded, conditions=[planner.MaxParticipants(1200)])).cost
        )
    elif quantity == "participants":  # the fewest people themselves
        assert end <= planner.limit(dearer, quantity)
        fewer = with_value(rounded, quantity, int(end) - 1)
        assert planner.solve(fewer).verdict != "feasible"
    else:
        assert end == planner.limit(dearer, quantity)


def test_comparisons_are_of_rounded_payments_and_of_printed_totals() -> None:
    compared = planner.compare(with_costs(smallest_coin=5.0))
    assert compared.private.compensation % 5 == 0
    assert compared.compensation % 5 == 0
    trust = compared.trust
    assert trust.money == trust.no_curator.cost - trust.curator.cost
    words = " ".join(in_words(compared))
    assert f"costs {money_between(trust.no_curator.cost, trust.curator.cost, 'EUR')} more" in words
    assert money_between(2.004, 1.001) == "1.00"  # 2.01 and 1.01 are printed


def test_documents_say_one_payment_in_whole_coins_that_the_budget_pays() -> None:
    exact = planner.solve(SHARE)
    paid = math.ceil(decimal(exact.compensation) * 100) / 100
    for text in (markdown(consent(exact)), markdown(methods(exact)), " ".join(meaning(exact))):
        assert money(paid, "EUR") in text
    tight = planner.solve(replace(SHARE, conditions=[planner.Budget(exact.cost + 0.1)]))
    with pytest.raises(ValueError, match=r"give smallest_coin = 0.01 in \[costs\]"):
        consent(tight)
    assert with_rounded_payments(tight) is None
    rounded = planner.solve(with_costs(smallest_coin=0.01))
    for text in (markdown(consent(rounded)), markdown(methods(rounded)), str(rounded)):
        assert money(rounded.compensation, "EUR") in text


@pytest.mark.slow
def test_what_init_writes_is_paid_in_whole_cents() -> None:
    for name in ("study", "survey", "no-curator", "test", "compare", "compare-test"):
        study = planner.read_study(TEMPLATES / f"{name}.toml")
        assert study.costs.smallest_coin == 0.01
        plan = planner.solve(study)
        assert decimal(plan.compensation) * 100 == round(plan.compensation * 100)


def test_uncertain_studies_and_sequences_say_that_payments_are_exact() -> None:
    rounded = with_costs(smallest_coin=5.0)
    sequence = planner.plan_sequence([rounded, rounded])
    assert sequence.cost == planner.plan_sequence([SHARE, SHARE]).cost
    assert EXACT_PAYMENTS in sequence.notes
    uncertain = planner.UncertainStudy(rounded, {"budget": planner.model.Interval(30_000, 40_000)})
    assert (uncertain.study.costs, uncertain.left_out) == (SHARE.costs, 5.0)


def test_the_parts_add_up_to_the_printed_total() -> None:
    for costs in ({}, {"smallest_coin": 0.01}, {"incentive": 7.0}, {"per_invitation": 1.0}):
        plan = planner.solve(with_costs(**costs))
        total = sum(part.cents for part in parts(plan))
        assert total == math.ceil(decimal(plan.cost) * 100)
    alone = replace(SHARE, conditions=[planner.Budget(1e5)])
    alone = replace(alone, costs=planner.Costs(smallest_coin=0.01))
    assert parts(planner.solve(alone)) == []
    exact = planner.solve(replace(alone, costs=planner.Costs()))
    assert [part.how.startswith(" exactly; ") for part in parts(exact)] == [True]


def test_whole_units_in_every_number_system() -> None:
    tenth = Fraction(1, 10)
    assert FLOATS.in_units(1.1, tenth) == 1.1
    assert FLOATS.in_units(1.11, tenth) == 1.2
    assert FRACTIONS.in_units(Fraction(111, 100), tenth) == Fraction(6, 5)
    assert arrays().in_units(np.array([1.1, 1.11]), tenth).tolist() == [1.1, 1.2]


def test_a_budget_that_incentives_spend_to_the_cent_is_kept() -> None:
    study = planner.Study(
        planner.LaplaceMean("paper"),
        planner.Accuracy(0.3, 0.2),
        planner.Individual(0.0977),
        [planner.Budget(2.1), planner.MaxParticipants(391)],
        planner.Costs(incentive=0.006),  # 350 × 0.006 = 2.1
    )
    assert planner.limit(study, "epsilon") <= 0.055761049792470666
    assert planner.solve(study, minimise="epsilon").participants == 350
