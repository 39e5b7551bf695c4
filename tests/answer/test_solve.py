"""Verdicts and plans: values, a second method, properties, refusals."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import planner
from planner import Accuracy, Costs
from planner.answer.proof import conflict


def eq_5_floor(n: np.ndarray, error: float, failure: float) -> np.ndarray:
    """Eq. 5 solved for ε, written again for the second method."""
    left = failure - 2 * np.exp(-n * error**2 / 12)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(left > 0, -2 / (error * n) * np.log(left), np.inf)


def test_the_mean_study_is_decided_and_proved(mean_study) -> None:
    for base_cost, verdict in [
        (254.8, "infeasible"),
        (250.4, "infeasible"),
        (250.35616, "infeasible"),
        (250.35614, "feasible"),
        (250.35, "feasible"),
        (250.0, "feasible"),
        (200.0, "feasible"),
        (12.5, "feasible"),
        (1.0, "feasible"),
        (0.25, "feasible"),
        (0.0, "feasible"),
    ]:
        answer = planner.solve(mean_study(base_cost))
        assert answer.verdict == verdict
        assert answer.proof.checked


@pytest.mark.parametrize(
    ("base_cost", "least"), [(200.0, 20_816), (240.0, 28_083), (250.0, 51_906), (250.3, 267_120)]
)
def test_least_whole_participants(mean_study, base_cost, least) -> None:
    assert planner.solve(mean_study(base_cost), minimise="participants").participants == least
    n = np.arange(least - 2000, least + 1, dtype=float)
    cost = base_cost * n * np.expm1(eq_5_floor(n, 0.05, 0.05))
    assert np.flatnonzero(cost <= 30_000).tolist() == [2000]


def test_the_proof_of_infeasibility_is_a_sentence(mean_study) -> None:
    answer = planner.solve(mean_study(254.8))
    assert answer.proof.statement == (
        "Every study with a margin of error of 5 percentage points at 95 % confidence costs more "
        "than 30,532.5, which exceeds the budget of 30,000."
    )
    # the infimum is E·2·ln(1/α)/T
    assert 30_532.5 < 254.8 * 2 * math.log(20) / 0.05 < 30_532.6


def test_the_plan_keeps_the_budget_before_the_tolerance(mean_study) -> None:
    answer = planner.solve(mean_study(250.0))
    assert answer.least_cost * 1.01 > 30_000
    assert answer.cost <= 30_000
    assert not answer.attained
    assert answer.participants == 51_906


def test_an_unattained_infimum_is_approached_by_the_smallest_study(mean_study) -> None:
    answer = planner.solve(mean_study(12.5))
    infimum = 12.5 * 2 * math.log(20) / 0.05
    assert answer.least_cost == pytest.approx(infimum, rel=1e-12)
    assert not answer.attained
    n = np.arange(17_000, 60_000, dtype=float)
    cost = 12.5 * n * np.expm1(eq_5_floor(n, 0.05, 0.05))
    assert answer.participants == n[np.argmax(cost <= 1.01 * infimum)]
    tighter = planner.solve(mean_study(12.5), tolerance=0.001)
    assert tighter.participants > answer.participants
    assert tighter.cost <= 1.001 * infimum


def test_paid_recruiting_has_a_cheapest_study(mean_study) -> None:
    answer = planner.solve(mean_study(12.5, costs=Costs(per_person=1.0, overhead=100.0)))
    n = np.arange(17_000, 40_000, dtype=float)
    cost = 12.5 * n * np.expm1(eq_5_floor(n, 0.05, 0.05)) + n + 100
    assert answer.attained
    assert answer.participants == n[cost.argmin()]
    assert answer.least_cost == pytest.approx(cost.min(), rel=1e-12)
    assert answer.cost == pytest.approx(cost.min(), rel=1e-6)


@pytest.mark.parametrize("share", [1e-2, 1e-5, 1e-8, 1e-11])
def test_verdicts_close_to_the_edge(mean_study, share) -> None:
    costs = Costs(per_person=1.0)
    least = planner.solve(mean_study(12.5, costs=costs)).least_cost
    over = planner.solve(mean_study(12.5, budget=least * (1 + share), costs=costs))
    under = planner.solve(mean_study(12.5, budget=least * (1 - share), costs=costs))
    assert (over.verdict, under.verdict) == ("feasible", "infeasible")
    assert over.proof.checked
    assert under.proof.checked


def test_large_studies_close_to_the_edge() -> None:
    # found by a random search: the best N lies among millions whose gaps differ by rounding only
    def study(budget: float) -> planner.Study:
        return planner.Study(
            planner.MwemApproximate(2**20, 1),
            Accuracy(error=0.243, failure=1e-30),
            planner.Individual(10.1, 310.0),
            [planner.Delta(5.651197763708669e-09), planner.MaxHarm(0.013), planner.Budget(budget)],
            Costs(per_person=0.04662),
        )

    answer = planner.solve(study(63589676.555967264))
    assert (answer.verdict, answer.participants) == ("feasible", 1_066_582_967)
    assert planner.solve(study(63589676.49)).verdict == "infeasible"


def test_each_two_conditions_agree_but_not_all_three(mean_study) -> None:
    harm, cap = planner.MaxHarm(0.02), planner.MaxParticipants(30_000)
    assert planner.solve(mean_study(12.5, harm)).verdict == "feasible"
    assert planner.solve(mean_study(12.5, cap)).verdict == "feasible"
    answer = planner.solve(mean_study(12.5, harm, cap))
    assert answer.verdict == "infeasible"
    assert answer.conflict == (
        "a margin of error of 5 percentage points at 95 % confidence",
        "a harm of at most 0.02 per person",
        "at most 30,000 participants",
    )


def test_where_only_a_fraction_of_a_person_would_do(mean_study) -> None:
    costs = Costs(per_person=1.0)
    least = planner.solve(mean_study(12.5, costs=costs)).least_cost
    answer = planner.solve(mean_study(12.5, budget=least * (1 - 1e-13), costs=costs))
    assert answer.verdict == "infeasible"
    assert answer.conflict[-1] == "a whole number of participants"


def test_section_7_3_is_infeasible_under_the_papers_analysis(mean_study) -> None:
    study = mean_study(
        12.5,
        planner.MaxHarm(10.0),
        planner.MaxParticipants(1000),
        planner.EpsilonAtLeastOneOverN(),
        planner.TargetedPublication(0.1, 8000),
        budget=None,
    )
    answer = planner.solve(study)
    assert answer.verdict == "infeasible"
    assert answer.conflict[-1] == "at most 1,000 participants"
    assert "more than 17,706 participants" in answer.proof.statement
    assert eq_5_floor(np.array([17_706.0, 17_707.0]), 0.05, 0.05)[0] == math.inf
    assert eq_5_floor(np.array([17_706.0, 17_707.0]), 0.05, 0.05)[1] < math.inf


def test_mwem_of_section_5_3() -> None:
    for base_cost, verdict in ((0.25, "feasible"), (1.0, "feasible"), (12.5, "infeasible")):
        study = planner.Study(
            planner.Mwem(256, 10_000),
            Accuracy(error=0.2, failure=0.05),
            planner.Individual(base_cost),
            [planner.Budget(2e6)],
        )
        assert planner.solve(study).verdict == verdict


def test_a_cap_on_compensation_can_pay_everyone_in_full(mean_study) -> None:
    # full pay of 1 for each of the 17,707 people that accuracy needs at any ε
    cheap = mean_study(500.0, budget=20_000.0, worst_cost=500.0, capped=True)
    assert planner.solve(cheap).verdict == "infeasible"
    full = mean_study(1.0, budget=17_707.0, worst_cost=1.0, capped=True)
    answer = planner.solve(full)
    assert answer.verdict == "feasible"
    assert answer.cost <= 17_707
    assert planner.solve(mean_study(0.9, costs=Costs(per_person=1.0), budget=20_000)).verdict == (
        "feasible"
    )


def test_least_epsilon(mean_study) -> None:
    open_ended = planner.solve(mean_study(12.5), minimise="epsilon")
    assert open_ended.verdict == "feasible"
    assert any("max_participants" in note for note in open_ended.notes)
    capped = planner.solve(mean_study(12.5, planner.MaxParticipants(30_000)), minimise="epsilon")
    floor = eq_5_floor(np.array([30_000.0]), 0.05, 0.05)[0]
    assert capped.participants == 30_000
    assert floor <= capped.epsilon <= floor * (1 + 1e-5)


def test_corners_are_answered(mean_study) -> None:
    assert planner.solve(mean_study(1.0, budget=1e-6)).verdict == "infeasible"
    assert planner.solve(mean_study(1.0, planner.MaxParticipants(1))).verdict == "infeasible"
    loose = Accuracy(error=1.0, failure=0.5)
    assert planner.solve(mean_study(1.0, target=loose)).verdict == "feasible"
    overhead = Costs(overhead=40_000.0)
    answer = planner.solve(mean_study(1.0, costs=overhead))
    assert (answer.verdict, answer.proof.checked) == ("infeasible", True)


@given(
    base_cost=st.floats(0, 1000),
    budget=st.floats(1, 1e6),
    error=st.floats(0.01, 1),
    failure=st.floats(0.001, 0.9),
    per_person=st.sampled_from([0.0, 0.5, 20.0]),
    cap=st.one_of(st.none(), st.integers(1, 10**6)),
    harm=st.one_of(st.none(), st.floats(0.01, 100)),
    analysis=st.sampled_from(["paper", "hoeffding"]),
    minimise=st.sampled_from(["cost", "participants", "epsilon"]),
)
def test_plans_hold_when_put_back_and_verdicts_agree_with_a_scan(
    mean_study, base_cost, budget, error, failure, per_person, cap, harm, analysis, minimise
) -> None:
    conditions = [] if cap is None else [planner.MaxParticipants(cap)]
    conditions += [] if harm is None else [planner.MaxHarm(harm)]
    study = mean_study(
        base_cost,
        *conditions,
        budget=budget,
        analysis=analysis,
        target=Accuracy(error=error, failure=failure),
        costs=Costs(per_person=per_person),
    )
    answer = planner.solve(study, minimise=minimise)
    if answer.verdict == "feasible":
        n, epsilon = answer.participants, answer.epsilon
        assert study.mechanism.failure_probability(epsilon, n, error) <= failure
        paid = math.expm1(epsilon) * base_cost if base_cost else 0.0  # any ε is then free
        assert n * (paid + per_person) <= budget * (1 + 1e-12)
        assert n <= (cap or n)
        assert paid <= (harm or math.inf) * (1 + 1e-12)
    elif answer.verdict == "infeasible":
        assert answer.proof.checked
        n = np.unique(np.geomspace(1, cap or 1e9, 3000).astype(int))
        floor = study.mechanism.epsilon_floor(n, error, failure)
        with np.errstate(over="ignore", invalid="ignore"):
            pay = np.where(base_cost > 0, np.expm1(floor) * base_cost, 0.0)
            good = (floor < np.inf) & (n * (pay + per_person) <= budget * (1 - 1e-9))
        good &= pay <= (harm or math.inf) * (1 - 1e-9)
        assert not good.any()
    else:  # a cap over α = e^(−1/2), where Hoeffding's set is not proven convex
        assert analysis == "hoeffding"


@given(st.floats(0.01, 300), st.floats(1e-3, 1e3))
def test_the_currency_does_not_matter(mean_study, base_cost, rate) -> None:
    here = planner.solve(mean_study(base_cost))
    there = planner.solve(mean_study(base_cost * rate, budget=30_000 * rate))
    if abs(base_cost - 250.35615) > 1e-6:
        assert here.verdict == there.verdict
    if here.verdict == there.verdict == "feasible":
        assert there.participants == pytest.approx(here.participants, rel=1e-6, abs=1)


@pytest.mark.slow
@given(st.floats(0.01, 300), st.floats(1, 1e5), st.floats(1, 10))
def test_more_budget_never_hurts(mean_study, base_cost, budget, more) -> None:
    less = planner.solve(mean_study(base_cost, budget=budget), minimise="participants")
    rich = planner.solve(mean_study(base_cost, budget=budget * more), minimise="participants")
    if less.verdict == "feasible":
        assert rich.verdict == "feasible"
        assert rich.participants <= less.participants


def test_unproved_answers_say_so(mean_study) -> None:
    for base_cost in (12.5, 254.8):
        assert not planner.solve(mean_study(base_cost), prove=False).proof.checked


def test_refusals(mean_study) -> None:
    for asked in (planner.solve, planner.compare, planner.prices):
        with pytest.raises(ValueError, match=r"'clinic.toml' is not a Study; planner\.read_study"):
            asked("clinic.toml")
    with pytest.raises(ValueError, match="cost, participants or epsilon"):
        planner.solve(mean_study(1.0), minimise="money")
    with pytest.raises(ValueError, match="tolerance"):
        planner.solve(mean_study(1.0), tolerance=0.0)


def test_no_proof_is_tried_twice(mean_study, monkeypatch) -> None:
    tried = []
    monkeypatch.setattr(conflict, "proved_none", lambda *given: tried.append(given))
    assert planner.solve(mean_study(254.8)).verdict == "undecided"
    assert len(tried) == len({given[:2] for given in tried})


def test_a_bound_for_many_people_is_named() -> None:
    def noted(error: float) -> bool:
        study = planner.Study(
            planner.LaplaceMean(),
            planner.Accuracy(error, 0.05),
            planner.Individual(0.01),
            [planner.Budget(3e6)],
            planner.Costs(per_person=0.1),
        )
        plan = planner.solve(study)
        assert plan.proof.checked
        return any("a bound for all proportions" in note for note in plan.notes)

    assert noted(0.001)
    assert not noted(0.01)
