"""Studies with strata: the cheapest split of the failure probability, its proof, its refusals."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import planner
from planner.answer.answers import StrataPlan
from planner.answer.strata.shares import Kind, best_split
from planner.model.strata import Stratum, study_of_stratum, weights
from planner.numbers import decimal

PERSON = planner.Individual(12.5, 1274.0)
COSTS = planner.Costs(per_person=5.0)
SIX = [Stratum(name, share=share, error=0.1)
       for name, share in zip("ABCDEF", (0.2, 0.2, 0.2, 0.2, 0.1, 0.1), strict=True)]  # fmt: skip
MIXED = [
    Stratum("North", people=1200, error=0.12),
    Stratum("South", people=500, error=0.15, per_person=20.0),
    Stratum("East", people=90_000, error=0.1, base_cost=50.0),
]


def study(strata, *conditions, mechanism=None, target=None, costs=COSTS) -> planner.Study:
    return planner.Study(
        mechanism or planner.LaplaceMean("exact"),
        target or planner.Accuracy(failure=0.05),
        PERSON,
        conditions,
        costs,
        strata=strata,
    )


def test_six_equal_strata_as_computed_independently() -> None:
    plan = planner.solve(study(SIX))
    assert isinstance(plan, StrataPlan)
    for one in plan.strata:
        assert one.participants == 253
        assert one.epsilon == pytest.approx(0.28997, rel=2e-4)
        assert one.study.accuracy.failure == pytest.approx(0.00851244, abs=5e-9)
    assert plan.cost == pytest.approx(13_972.94, rel=1e-4)
    assert plan.failure <= 0.05
    assert plan.participants == 6 * 253


@pytest.mark.slow
def test_strata_are_no_dearer_than_shares_on_a_grid() -> None:
    """Hoeffding's bound, whose least costs are quick: every split on a fine grid of shares."""
    shares = zip(MIXED, (0.25, 0.25, 0.5), strict=True)
    strata = [replace(stratum, people=None, share=share) for stratum, share in shares]
    asked = study(strata, mechanism=planner.LaplaceMean("hoeffding"))
    plan = planner.solve(asked)
    whole, parts = -math.log(0.95), 24

    def least(at: int, part: int) -> float:
        one = study_of_stratum(asked, asked.strata[at], -math.expm1(-whole * part / parts))
        return planner.solve(one, prove=False).cost

    costs = {(at, part): least(at, part) for at, part in product(range(3), range(1, parts - 1))}
    cheapest = min(
        costs[0, i] + costs[1, j] + costs[2, parts - i - j]
        for i, j in product(range(1, parts), repeat=2)
        if parts - i - j >= 1 and max(i, j) < parts - 1
    )
    assert plan.cost <= cheapest * 1.001
    none = math.prod(1 - decimal(one.study.accuracy.failure) for one in plan.strata)
    assert 1 - none <= Fraction(1, 20)


@pytest.mark.slow
def test_a_budget_just_enough_is_feasible_and_one_that_is_not_is_refuted() -> None:
    bound = planner.LaplaceMean("hoeffding")
    strata = [Stratum("A", share=0.5, error=0.1), Stratum("B", share=0.5, error=0.2)]
    cost = planner.solve(study(strata, mechanism=bound)).cost
    enough = planner.solve(study(strata, planner.Budget(cost * 1.0001), mechanism=bound))
    assert enough.verdict == "feasible"
    for part in (0.5, 0.9, 0.97):
        none = planner.solve(study(strata, planner.Budget(cost * part), mechanism=bound))
        assert none.verdict == "infeasible", part
        assert none.proof.checked
        assert none.conflict[0] == f"the budget of {planner.wording.plain(cost * part)}"
        assert none.to_dict()["conflict"] == ["budget", "target"]


def test_the_cheapest_that_was_found_costs_what_is_enough() -> None:
    """To the cent, though amounts in doubles do not add up to one."""
    strata = [Stratum("North", people=9_000, error=0.05), Stratum("South", people=8_000, error=0.1)]
    asked = replace(
        study(strata, costs=planner.Costs(12.0, 500.0, smallest_coin=0.01)),
        individual=planner.Individual(5.0, 500.0),
    )
    enough = planner.solve(asked, prove=False)
    poor = planner.solve(replace(asked, conditions=[planner.Budget(5000.0)]), prove=False)
    assert f"the cheapest that was found costs {enough.cost:,.2f}" in poor.proof.statement


def test_overhead_is_paid_once() -> None:
    bound = planner.LaplaceMean("hoeffding")
    strata = [Stratum("A", share=0.5, error=0.2), Stratum("B", share=0.5, error=0.2)]
    without = planner.solve(study(strata, mechanism=bound)).cost
    more = study(strata, mechanism=bound, costs=replace(COSTS, overhead=1000.0))
    assert planner.solve(more).cost == pytest.approx(without + 1000, abs=1e-6)


@pytest.mark.slow
def test_no_more_people_than_allowed_take_part() -> None:
    bound = planner.LaplaceMean("hoeffding")
    strata = [Stratum("A", share=0.5, error=0.1), Stratum("B", share=0.5, error=0.2)]
    free = planner.solve(study(strata, mechanism=bound))
    fewer = planner.MaxParticipants(free.participants * 4 // 5)
    plan = planner.solve(study(strata, fewer, mechanism=bound))
    assert plan.participants <= fewer.n
    assert plan.cost > free.cost
    none = planner.solve(study(strata, planner.MaxParticipants(20), mechanism=bound))
    assert none.verdict == "undecided"


@pytest.mark.slow
def test_a_stratum_that_is_infeasible_by_itself_is_named(tmp_path) -> None:
    strata = [*SIX[:1], Stratum("tiny", share=0.8, error=0.1, max_participants=20)]
    answer = planner.solve(study([*strata]))
    assert answer.verdict == "infeasible"
    assert "'tiny' is infeasible even if all" in answer.proof.statement
    assert answer.proof.checked
    answer.save(tmp_path / "none.json")
    again = planner.read_answer(tmp_path / "none.json")
    assert again == answer
    assert planner.check(again).holds


@pytest.mark.slow
def test_questions_of_a_survey_are_asked_in_each_stratum() -> None:
    survey = planner.Survey([planner.Share("smokes", 0.2), planner.Share("drinks", 0.2)], 0.1)
    strata = [Stratum("A", share=0.5, times_error=1.5), Stratum("B", share=0.5)]
    plan = planner.solve(study(strata, target=survey, mechanism=planner.AddedNoise("laplace")))
    assert [q.error for q in plan.strata[0].questions] == [0.3, 0.3]
    assert [q.error for q in plan.strata[1].questions] == [0.2, 0.2]
    assert plan.strata[0].participants < plan.strata[1].participants
    assert plan.failure <= 0.1


@pytest.mark.parametrize(
    ("strata", "words"),
    [
        ([Stratum("A", share=1.0, error=0.1)], "one stratum is everybody"),
        ([Stratum("A", share=0.5, error=0.1)] * 2, "two strata are named 'A'"),
        ([Stratum("A", share=0.5, error=0.1), Stratum("B", share=0.4, error=0.1)], "add up to 0.9"),
        ([Stratum("A", share=0.5, error=0.1), Stratum("B", people=4, error=0.1)], "'B' has people"),
        (
            [Stratum("A", share=0.5, error=0.1), Stratum("B", share=0.5)],
            "stratum 'B': its error is",
        ),
        (
            [Stratum("A", share=0.5, error=0.1), Stratum("B", share=0.5, error=0.1, base_cost=2e3)],
            "stratum 'B': worst_cost = 1274.0 is below base_cost",
        ),
    ],
)
def test_strata_that_are_none_are_refused(strata, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        study(strata)


def test_what_strata_cannot_have_is_one_sentence() -> None:
    for make, words in [
        (lambda: study((Stratum("A"), Stratum("B", share=0.5))), "'A' needs one size"),
        (lambda: Stratum("A", people=3, share=0.5), "'A' needs one size"),
        (lambda: Stratum(" ", people=3), "cannot be a stratum's name"),
        (lambda: planner.Accuracy(), "failure is missing"),
        (lambda: planner.solve(study(SIX), minimise="epsilon"), "not epsilon"),
        (lambda: planner.limit(study(SIX), "queries"), "give budget, base_cost, worst_cost"),
        (lambda: planner.solve(study(SIX)).certificate(), "each stratum is a study by itself"),
        (lambda: study(SIX, planner.MinParticipants(9)), "min_participants is of each stratum"),
        (lambda: planner.solve(study(SIX)).stratum("G"), "no stratum is named 'G'"),
    ]:
        with pytest.raises(ValueError, match=words) as error:
            make()
        assert "\n" not in str(error.value)


def test_an_error_is_needed_without_strata() -> None:
    with pytest.raises(ValueError, match="error is missing; give a fraction of 1"):
        planner.Study(planner.LaplaceMean(), planner.Accuracy(failure=0.1), PERSON)


def test_weights_add_up_to_one() -> None:
    assert sum(weights(study(MIXED))) == 1
    assert weights(study(SIX))[0] == Fraction(1, 5)


@pytest.mark.slow
def test_a_plan_is_saved_read_and_checked(tmp_path) -> None:
    plan = planner.solve(study([*SIX[:5], replace(SIX[5], error=0.15)]))
    plan.save(tmp_path / "plan.json")
    again = planner.read_answer(tmp_path / "plan.json")
    assert again == plan
    assert planner.solve(again) is again
    checked = planner.check(again)
    assert checked.holds
    for wrong, words in (
        (replace(plan, participants=1000), "participants = 1,000"),
        (replace(plan, cost=plan.cost - 1), "follows from the strata"),
        (replace(plan, strata=plan.strata[:-1]), "5 plans for 6"),
        (replace(plan, strata=plan.strata[::-1]), "is for another study"),
        (
            replace(plan, study=replace(plan.study, conditions=(planner.Budget(9e3),))),
            "is over the",
        ),
    ):
        found = planner.check(wrong)
        assert not found.holds
        assert any(words in said for said in found.wrong), words


def test_a_plan_that_costs_nothing_says_what_is_left_of_a_cap_of_a_stratum() -> None:
    strata = [
        Stratum("A", people=5_000, error=0.08),
        Stratum("B", people=5_000, error=0.1, max_participants=900),
    ]
    study = planner.Study(
        target=planner.Accuracy(failure=0.1), strata=strata, conditions=[planner.EpsilonAtMost(1.0)]
    )
    plan = planner.solve(study, prove=False)
    capped = plan.stratum("B")
    assert capped.slack["at most 900 participants"] == 900 - capped.participants > 0
    assert planner.check(plan).holds


def test_the_weighted_sum_is_as_accurate_as_stated() -> None:
    plan = planner.solve(study(SIX))
    rng, people, runs = np.random.default_rng(7), 253, 40_000
    share = np.array([float(weight) for weight in weights(study(SIX))])
    scale = 1 / (people * plan.epsilon)
    answers = rng.binomial(people, 0.5, (runs, 6)) / people + rng.laplace(0, scale, (runs, 6))
    off = np.abs(answers @ share - 0.5)
    assert np.mean(off >= plan.total_error) < 0.05
    # Hoeffding's lemma and noise by itself: far from twice what is needed
    assert plan.total_error < 1.6 * np.quantile(off, 0.95)
    values = planner.Accuracy(failure=0.05, values=(0.0, 10.0))
    ten = [replace(stratum, error=1.0) for stratum in SIX]
    of_values = planner.solve(study(ten, target=values, mechanism=planner.LaplaceMean("hoeffding")))
    assert 0.2 < of_values.total_error < 1.0


def test_it_shows_itself() -> None:
    plan = planner.solve(study(SIX))
    shown = str(plan)
    assert "A, B, C and 3 more" in shown
    assert "1,518 in 6 strata" in shown
    assert plan.stratum("B").participants == 253


def test_shares_follow_slopes_and_least_shares() -> None:
    """Where costs are a − b·ln x the best shares are known; one that needs more gets it."""
    failure = 0.1
    whole = -math.log1p(-failure)

    def kind(slope: float, least: float = 0.0) -> Kind:
        def cost(alpha: float) -> float:
            x = -math.log1p(-alpha)
            return 100 - slope * math.log(x) if x >= least else math.inf

        return Kind(1, np.vectorize(cost, otypes=[float]))

    shares = best_split([kind(1.0), kind(3.0)], failure).shares
    x = [-math.log1p(-share) for share in shares]
    assert x[1] / x[0] == pytest.approx(3, rel=1e-3)
    assert sum(x) == pytest.approx(whole, rel=1e-5)
    shares = best_split([kind(1.0, least=whole / 2), kind(3.0)], failure).shares
    assert whole / 2 <= -math.log1p(-shares[0]) <= whole * 0.51
    assert best_split([kind(1.0, whole), kind(1.0, whole)], failure) is None


@pytest.mark.slow
def test_a_smaller_error_of_all_people_is_not_confirmed() -> None:
    plan = planner.solve(study(SIX))
    assert planner.check(replace(plan, total_error=plan.total_error * 1.5)).holds
    for error in (plan.total_error * 0.98, None):
        found = planner.check(replace(plan, total_error=error))
        assert any("total_error" in said for said in found.wrong)


def test_without_proof_nothing_is_proved(monkeypatch) -> None:
    bound = planner.LaplaceMean("hoeffding")
    strata = [Stratum("A", share=0.5, error=0.1), Stratum("B", share=0.5, error=0.2)]
    poor = study(strata, planner.Budget(100.0), mechanism=bound)
    monkeypatch.setattr("planner.answer.strata.solve._over", lambda *_: pytest.fail("proved"))
    answer = planner.solve(poor, prove=False)
    assert answer.verdict == "infeasible"
    assert not answer.proof.checked


@pytest.mark.slow
@pytest.mark.parametrize("failure", [0.05, 0.3, 0.49])
def test_strata_of_few_people_share_as_each_by_itself_would(failure) -> None:
    """Two of 500 people, once up to 4 % too dear: against shares on a grid, each planned alone."""
    given = ((0.08, 5.0), (0.05, 0.5))
    person = planner.Individual(50.0)
    asked = planner.Study(
        planner.LaplaceMean(), planner.Accuracy(failure=failure), person, (), planner.Costs(),
        strata=[
            Stratum(f"S{k}", people=500, error=error, per_person=price)
            for k, (error, price) in enumerate(given)
        ],
    )  # fmt: skip

    def alone(stratum: tuple[float, float], alpha: float) -> float:
        error, price = stratum
        study = planner.Study(
            planner.LaplaceMean(), planner.Accuracy(error, alpha), person, (),
            planner.Costs(per_person=price), sampling=planner.Sampling(population=500),
        )  # fmt: skip
        return planner.solve(study, prove=False).cost

    parts = [round(failure * k / 20, 6) for k in range(4, 17)]
    costs = [
        alone(given[0], part) + alone(given[1], 1 - (1 - failure) / (1 - part)) for part in parts
    ]
    assert planner.solve(asked, prove=False).cost < min(costs) * 1.001


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [
    planner.LaplaceMean(mean_range=(0.0, 0.1)), planner.GeometricMean(), planner.LaplaceMean(),
])  # fmt: skip
def test_all_people_are_within_the_weighted_errors_of_the_strata(mechanism) -> None:
    strata = [
        planner.Stratum("A", share=0.3, error=0.06),
        planner.Stratum("B", share=0.7, error=0.05),
    ]
    study = planner.Study(
        mechanism, planner.Accuracy(failure=0.05), planner.Individual(1.0),
        costs=planner.Costs(5.0), strata=strata,
    )  # fmt: skip
    plan = planner.solve(study)
    assert 0 < plan.total_error <= 0.053
    assert planner.check(plan).holds
