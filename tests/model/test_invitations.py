"""So many are invited that enough take part: by the binomial law, exactly and in the checker."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

import planner
from planner.answer.answers import Infeasible, Plan
from planner.answer.proof.certificate import certificate
from planner.certificate import check, verify
from planner.explanation.constraints import constraints, legend
from planner.model.invitations import invited, most_of

STUDY = planner.Study(
    planner.LaplaceMean(),
    planner.Accuracy(0.05, 0.05),
    planner.Individual(2.0),
    [planner.Budget(20_000.0)],
    costs=planner.Costs(per_invitation=3.0, smallest_coin=0.01),
    sampling=planner.Sampling(response_rate=0.4),
)


@pytest.mark.slow
def test_they_are_the_fewest_by_the_binomial_law() -> None:
    for arrive, rate in product([0.5, 0.8, 0.95, 0.999], [0.03, 0.5, 0.62, 0.97]):
        for n in (1, 2, 7, 60, 1_000, 40_000):
            fewest = invited(n, rate, arrive)
            come = stats.binom.sf(n - 1, [fewest - 1, fewest], rate)
            assert come[0] < arrive <= come[1] + 1e-12
            assert float(invited(np.array([float(n)]), rate, arrive)[0]) == fewest
            assert check.invitations(n, Fraction(repr(rate)), Fraction(repr(arrive))) == fewest


def test_a_chance_that_is_just_met_is_enough() -> None:
    """One of m people comes with 1 − (1 − rate)^m."""
    for rate, arrive, fewest in ((0.95, 0.95, 1), (0.9, 0.99, 2), (0.5, 0.875, 3), (0.5, 0.876, 4)):
        assert invited(1, rate, arrive) == fewest
        assert check.invitations(1, Fraction(repr(rate)), Fraction(repr(arrive))) == fewest


def test_of_a_population_no_more_take_part_than_come_if_all_are_invited() -> None:
    for population, rate in ((100, 0.8), (8_000, 0.6), (1, 0.5), (50, 1.0)):
        most = most_of(population, rate, 0.95)
        assert stats.binom.sf(most - 1, population, rate) >= 0.95
        assert stats.binom.sf(most, population, rate) < 0.95
    asked = replace(STUDY, sampling=planner.Sampling(population=300, response_rate=0.4))
    assert asked.most_participants == 106
    with pytest.raises(ValueError, match="perhaps nobody responds; give more"):
        replace(STUDY, sampling=planner.Sampling(population=1, response_rate=0.5))


@pytest.mark.slow
def test_a_plan_pays_for_them_and_enough_come() -> None:
    plan = planner.solve(STUDY)
    assert plan.proof.checked
    paid = plan.participants * plan.compensation
    assert plan.cost == pytest.approx(paid + 3.0 * plan.invitations, abs=0.005)
    come = np.random.default_rng(5).binomial(plan.invitations, 0.4, 100_000)
    assert 0.945 <= np.mean(come >= plan.participants) <= 0.96
    assert f"Invite {plan.invitations:,} people" in " ".join(plan.notes)
    average = planner.solve(
        replace(STUDY, sampling=planner.Sampling(response_rate=0.4, arrive=0.5))
    )
    assert average.invitations == pytest.approx(average.participants / 0.4, abs=2)
    assert average.cost < plan.cost


@pytest.mark.slow
@pytest.mark.parametrize("analysis", ["exact", "hoeffding"])
def test_no_cheaper_study_is_proved_to_exist(analysis) -> None:
    """The cost that was found is a budget; a twentieth less is proved to be too little."""
    asked = replace(STUDY, mechanism=planner.LaplaceMean(analysis))
    least = planner.solve(asked).cost
    again = planner.solve(replace(asked, conditions=[planner.Budget(least)]))
    assert isinstance(again, Plan)
    assert again.cost <= least
    none = planner.solve(replace(asked, conditions=[planner.Budget(0.95 * least)]))
    assert isinstance(none, Infeasible)


def test_formulas_name_them() -> None:
    """The cost of a study is N times what each is paid, and so much for each invitation."""
    budget = next(one for one in constraints(STUDY) if "budget" in one.label)
    assert {str(name) for name in budget.in_symbols.free_symbols} >= {"I", "N", "epsilon"}
    words = {str(name): said for name, said in legend([budget]).items()}
    assert words["I"] == "people invited, so that N take part"


def test_the_checker_refuses_a_budget_for_the_average() -> None:
    text = certificate(planner.solve(STUDY))
    plan = planner.solve(STUDY)
    for cents, proved in ((0, True), (-1, False)):
        budget = f"conditions.budget = {plan.cost + cents / 100:.2f}"
        changed = text.replace("conditions.budget = 20000.0", budget)
        assert changed != text
        if proved:
            assert not verify(changed)[1]
        else:
            with pytest.raises(check.RefusedError):
                verify(changed)


@pytest.mark.slow
def test_of_two_groups_they_are_of_both_together() -> None:
    """Which the plan says, as one group by itself may be short."""
    plan = planner.solve(
        planner.Study(
            target=planner.Difference(error=0.2, failure=0.1),
            individual=planner.Individual(1.0),
            costs=planner.Costs(per_invitation=2.0),
            sampling=planner.Sampling(response_rate=0.5),
        )
    )
    assert plan.invitations == invited(plan.participants, 0.5, 0.95)
    assert "one by itself may have fewer" in " ".join(plan.notes)
