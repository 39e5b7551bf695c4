import math
from fractions import Fraction

import numpy as np
import pytest

import planner
from planner.model import Choice, Condition, Costs, Individual
from planner.model.paid_by_cost import PaidByCost
from planner.model.payment import PaidInFull

PERSON, COSTS = PaidByCost(1.0, 100.0), Costs(per_person=2.0, overhead=10.0)
PLAN = Choice(0.5, 1e-3, 40)


def slack(condition: Condition, plan: Choice = PLAN) -> float:
    return float(condition.slack(plan, Individual(1.0, 100.0), COSTS))


def test_budget() -> None:
    budget = planner.Budget(200.0)
    owed = math.expm1(0.5) + 0.1
    assert slack(budget) == pytest.approx(200 - (40 * (owed + 2) + 10))
    ceiling = budget.epsilon_ceiling(40, 1e-3, PERSON, COSTS)
    assert slack(budget, Choice(ceiling, 1e-3, 40)) == pytest.approx(0, abs=1e-10)
    assert budget.participants_ceiling(1e-3, PERSON, COSTS) == math.floor(190 / 2.1)


def test_a_budget_bounds_the_people_exactly() -> None:
    # 0.3 / 0.1 is 2.9999999999999996 in floats and 3 in fact
    costs = Costs(per_person=0.1)
    assert planner.Budget(0.3).participants_ceiling(0.0, PaidByCost(0.0, None), costs) == 3
    assert planner.Budget(6.0).participants_ceiling(0.0, PaidInFull(2.0), Costs()) == 3


def test_harm() -> None:
    harm = planner.MaxHarm(10.0)
    ceiling = harm.epsilon_ceiling(7, 1e-3, PERSON, COSTS)
    assert ceiling == pytest.approx(math.log(1 + 9.9))
    assert slack(harm, Choice(ceiling, 1e-3, 7)) == pytest.approx(0, abs=1e-12)


def test_bounds_on_epsilon() -> None:
    assert slack(planner.EpsilonAtMost(0.7)) == pytest.approx(0.2)
    assert planner.EpsilonAtMost(0.7).epsilon_ceiling(3, 0.0, PERSON, COSTS) == 0.7
    assert slack(planner.EpsilonAtLeastOneOverN()) == pytest.approx(0.5 - 1 / 40)
    assert planner.EpsilonAtLeastOneOverN().epsilon_floor(40, 0.0) == 1 / 40


def test_targeted_publication_takes_the_larger_of_eqs_11_and_12() -> None:
    # §7.3: max(ln 800, ln 1.11) ; §7.1: p* = 0.99 of 10^6 gives 14 rounded
    target = planner.TargetedPublication(0.1, 8000)
    assert target.epsilon_ceiling(1, 0.0, PERSON, COSTS) == pytest.approx(math.log(800))
    other = planner.TargetedPublication(0.99, 10**6)
    assert other.epsilon_ceiling(1, 0.0, PERSON, COSTS) == pytest.approx(13.8, abs=0.01)
    # with two records eq. 12 is the larger: ln(1/(2·0.1)) over ln(2·0.9)
    both = planner.TargetedPublication(0.9, 2)
    assert both.epsilon_ceiling(1, 0.0, PERSON, COSTS) == pytest.approx(math.log(5))
    assert target.relation == "<"


def test_bounds_on_delta_and_people() -> None:
    assert slack(planner.MaxParticipants(50)) == 10
    assert slack(planner.Delta(1e-3)) == 0
    assert slack(planner.Delta(2e-3)) < 0
    assert slack(planner.DeltaAtMost(2e-3)) == pytest.approx(1e-3)
    assert slack(planner.DeltaTimesNAtMost(0.05)) == pytest.approx(0.01)
    # 0.01/1e-05 is a lattice question: exactly 1000 people
    assert planner.DeltaTimesNAtMost(0.01).participants_ceiling(1e-5, PERSON, COSTS) == 1000


def test_rational_conditions_are_decided_in_fractions() -> None:
    plan = Choice(Fraction(1, 1000), Fraction(1, 100_000), Fraction(1000))
    individual = Individual(1.0, 100.0)
    assert planner.EpsilonAtLeastOneOverN().slack(plan, individual, COSTS) == 0
    assert planner.DeltaTimesNAtMost(0.01).slack(plan, individual, COSTS) == 0


def test_numpy_scalars_are_numbers() -> None:
    assert planner.MaxParticipants(np.int64(5)) == planner.MaxParticipants(5)
    assert planner.Budget(np.float32(2.5)) == planner.Budget(2.5)


def test_labels_stand_in_a_sentence() -> None:
    labels = [
        planner.Budget(30_000).label,
        planner.MaxHarm(10).label,
        planner.MaxParticipants(1000).label,
        planner.EpsilonAtMost(0.5).label,
        planner.DeltaAtMost(1e-6).label,
    ]
    assert labels == [
        "the budget of 30,000",
        "a harm of at most 10 per person",
        "at most 1,000 participants",
        "ε of at most 0.5",
        "δ of at most 1e-06",
    ]


def test_refusals() -> None:
    for build, words in [
        (lambda: planner.Budget(0.0), "money above 0"),
        (lambda: planner.Budget(math.inf), "money above 0"),
        (lambda: planner.Budget("30000"), "money above 0"),
        (lambda: planner.MaxParticipants(0), "from 1 to 2"),
        (lambda: planner.MaxParticipants(2**53 + 1), "from 1 to 2"),
        (lambda: planner.MaxParticipants(10.5), "from 1 to 2"),
        (lambda: planner.MaxParticipants(True), "from 1 to 2"),
        (lambda: planner.EpsilonAtMost(0.0), "above 0"),
        (lambda: planner.Delta(1.0), "below 1"),
        (lambda: planner.TargetedPublication(0.001, 20), "that of a random record"),
    ]:
        with pytest.raises(ValueError, match=words):
            build()


def test_a_least_number_of_participants() -> None:
    fewest = planner.MinParticipants(500)
    assert fewest.epsilon_floor(499, 0.0) == math.inf
    assert fewest.epsilon_floor(500, 0.0) == 0.0
    assert fewest.label == "at least 500 participants"
    study = planner.Study(
        mechanism=planner.LaplaceMean(analysis="hoeffding"),
        target=planner.Accuracy(error=0.1, failure=0.1),
        individual=planner.Individual(1.0),
        conditions=[planner.Budget(30_000), fewest],
        costs=planner.Costs(per_person=1.0),
    )
    assert planner.solve(study).participants == 500
    few = planner.solve(
        planner.Study(
            mechanism=study.mechanism,
            target=study.target,
            individual=study.individual,
            conditions=[*study.conditions, planner.MaxParticipants(499)],
        )
    )
    assert few.verdict == "infeasible"
    assert few.conflict == ("at least 500 participants", "at most 499 participants")
