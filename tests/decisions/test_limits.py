import dataclasses
import math

import numpy as np
import pytest

import planner
from planner.answer.problem.problem import each
from planner.answer.problem.vary import with_value
from planner.decisions.changes import limits
from planner.explanation.results.changes import tightenings_in_words as in_words


@pytest.mark.slow
def test_base_cost_where_the_infimum_of_the_cost_meets_the_budget(mean_study) -> None:
    found = planner.limit(mean_study(12.5), "base_cost")
    # E·2·ln(1/α)/T = B in the limit of many people, which no study reaches
    assert found.value == pytest.approx(30_000 * 0.05 / (2 * math.log(20)), rel=1e-12)
    assert not found.attained


@pytest.mark.slow
def test_budget_is_the_least_cost(mean_study) -> None:
    assert planner.limit(mean_study(254.8), "budget") == pytest.approx(30_532.5033, abs=1e-3)
    paid = mean_study(12.5, costs=planner.Costs(per_person=1.0))
    found = planner.limit(paid, "budget")
    assert found == pytest.approx(planner.solve(paid).least_cost, rel=1e-12)
    assert found.attained


@pytest.mark.slow
def test_error_and_failure(mean_study) -> None:
    error = planner.limit(mean_study(254.8), "error")
    assert error == pytest.approx(254.8 * 2 * math.log(20) / 30_000, rel=1e-12)
    failure = planner.limit(mean_study(254.8), "failure")
    assert failure == pytest.approx(math.exp(-30_000 * 0.05 / 2 / 254.8), rel=1e-12)


@pytest.mark.slow
def test_a_failure_probability_that_nobody_asks_for_is_not_searched() -> None:
    study = planner.Study(
        planner.LaplaceMean(),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5),
        [planner.Budget(1e6), planner.MaxParticipants(10_000)],
    )
    found = planner.limit(study, "failure")
    assert planner.solve(with_value(study, "failure", found.value)).verdict == "feasible"
    assert found.bound
    assert (found.value, found.attained) == (1e-12, False)
    [change] = [one for one in limits(study) if one.quantity == "failure"]
    assert change.to_dict()["bound"]
    words = " ".join(map(str, in_words([change], study)))
    assert "can rise from 95 % to 1 − 1e-12 or more" in words


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_nothing_limits_the_accuracy_where_people_and_money_have_no_end(noise) -> None:
    questions = [planner.Share("a", error=0.1), planner.Histogram("b", groups=3, error=0.1)]
    conditions = [planner.Delta(1e-6)] if noise == "gaussian" else []
    survey = planner.Study(
        planner.AddedNoise(noise),
        planner.Survey(questions, failure=0.05),
        planner.Individual(12.5, 1274.0),
        conditions,
        planner.Costs(2.0),
    )
    found = {change.quantity: (change.to, change.attained) for change in limits(survey)}
    for quantity in ("failure", "times_error", "a.error", "b.error"):
        assert found[quantity] == (0.0, False)
    sized = dataclasses.replace(survey, conditions=(*conditions, planner.MaxParticipants(300)))
    assert planner.limit(sized, "times_error") > 0.5


def test_participants_and_epsilon(mean_study) -> None:
    assert planner.limit(mean_study(200.0), "participants") == 20_816
    assert planner.limit(mean_study(200.0), "epsilon") == 0
    assert not planner.limit(mean_study(200.0), "epsilon").attained
    capped = mean_study(200.0, planner.MaxParticipants(25_000))
    floor = capped.mechanism.epsilon_floor(25_000, 0.05, 0.05)
    found = planner.limit(capped, "epsilon")
    assert floor <= found <= floor * (1 + 1e-13)
    assert found.attained


@pytest.mark.slow
@pytest.mark.parametrize("quantity", ["base_cost", "budget", "error", "failure"])
@pytest.mark.parametrize("per_person", [0.0, 0.3])
def test_solve_agrees_on_both_sides(mean_study, quantity, per_person) -> None:
    study = mean_study(100.0, planner.MaxHarm(50.0), costs=planner.Costs(per_person=per_person))
    found = planner.limit(study, quantity)
    assert planner.solve(with_value(study, quantity, found.value)).verdict == "feasible"
    beyond = 1 + 1e-9 if quantity == "base_cost" else 1 - 1e-9
    assert planner.solve(with_value(study, quantity, found * beyond)).verdict == "infeasible"


def test_where_nothing_is_too_far_or_nothing_helps(mean_study) -> None:
    assert planner.limit(mean_study(1.0, budget=None), "base_cost") == math.inf
    assert planner.limit(mean_study(1.0, budget=None, worst_cost=9.0), "base_cost") == 9
    assert planner.limit(mean_study(1.0, planner.MaxParticipants(1)), "budget") is None


def test_an_open_bound_is_not_attained(mean_study) -> None:
    study = mean_study(
        1.0,
        planner.TargetedPublication(0.5, 3),
        planner.MaxParticipants(20),
        budget=None,
        target=planner.Accuracy(error=1.0, failure=0.5),
    )
    # 2·exp(−N/12) + exp(−N·ε/2) at N = 20 and ε = ln 1.5, which ε may not reach
    at_the_end = 2 * math.exp(-20 / 12) + 1.5**-10
    assert planner.limit(study, "failure") == pytest.approx(at_the_end, rel=1e-9)
    assert not planner.limit(study, "failure").attained


@pytest.mark.slow
def test_relaxations_make_the_study_feasible(mean_study) -> None:
    study = mean_study(12.5, planner.MaxParticipants(1000))
    changes = limits(planner.solve(study))
    assert {change["quantity"] for change in changes} >= {"error", "participants"}
    error = next(change for change in changes if change["quantity"] == "error")
    assert error["from"] == 0.05
    assert planner.solve(with_value(study, "error", error["to"])).verdict == "feasible"
    assert limits(planner.solve(mean_study(12.5))).feasible


def test_unknown_quantities_are_refused(mean_study) -> None:
    with pytest.raises(ValueError, match="give one of base_cost"):
        planner.limit(mean_study(1.0), "weather")
    with pytest.raises(ValueError, match="did you mean budget"):
        planner.limit(mean_study(1.0), "money")


def test_the_least_epsilon_is_one_that_solve_accepts() -> None:
    study = planner.Study(
        planner.LaplaceMean("paper"),
        planner.Accuracy(0.18, 0.01),
        planner.Individual(10.0),
        [planner.MaxParticipants(143_000)],
    )
    found = planner.limit(study, "epsilon")
    closed = dataclasses.replace(
        study, conditions=(*study.conditions, planner.EpsilonAtMost(found.value))
    )
    assert planner.solve(closed).verdict == "feasible"


def test_the_study_s_own_value_is_ignored(mean_study) -> None:
    assert planner.limit(mean_study(200.0, planner.MaxParticipants(100)), "participants") == 20_816
    tight = mean_study(12.5, planner.EpsilonAtMost(1e-6), planner.MaxParticipants(30_000))
    assert planner.limit(tight, "epsilon") == pytest.approx(0.00410146, rel=1e-4)


@pytest.mark.slow
def test_people_with_nothing_to_lose(mean_study) -> None:
    most = planner.limit(mean_study(0.0, worst_cost=0.0), "base_cost")  # as nobody is paid yet
    assert most == planner.limit(mean_study(1.0, worst_cost=None), "base_cost")
    assert not planner.limit(mean_study(0.0), "error").attained


def test_harm_worst_cost_and_queries(mean_study) -> None:
    capped = mean_study(12.5, planner.MaxHarm(1.0), planner.MaxParticipants(30_000))
    floor = capped.mechanism.epsilon_floor(30_000, 0.05, 0.05)
    # the least harm is that of the most people at the least ε
    assert planner.limit(capped, "harm") == pytest.approx(12.5 * math.expm1(floor), rel=1e-9)
    assert planner.limit(mean_study(12.5), "worst_cost") == math.inf  # it plays no part
    many = dataclasses.replace(
        mean_study(2.4e-4), mechanism=planner.Mwem(universe_size=256, queries=10)
    )
    most = planner.limit(many, "queries")
    for queries, verdict in ((int(most), "feasible"), (int(most) + 1, "infeasible")):
        assert planner.solve(with_value(many, "queries", queries)).verdict == verdict
    with pytest.raises(ValueError, match="answers one question"):
        planner.limit(capped, "queries")


@pytest.mark.slow
def test_relaxations_come_with_their_plans(mean_study) -> None:
    open_ended = limits(planner.solve(mean_study(254.8)))
    budget = next(change for change in open_ended if change["quantity"] == "budget")
    assert not budget["attained"]
    assert budget["to"] < budget["plan"]["cost"] <= 1.01 * budget["to"]
    closed = limits(planner.solve(mean_study(254.8, planner.MaxParticipants(30_000))))
    budget = next(change for change in closed if change["quantity"] == "budget")
    assert budget["attained"]
    assert budget["plan"]["cost"] <= budget["to"]
    # two conditions in the way at once: neither alone helps
    both = mean_study(254.8, planner.MaxParticipants(10))
    stuck = {c["quantity"]: c["to"] for c in limits(planner.solve(both))}
    assert stuck["budget"] is None
    assert stuck["participants"] is None


@pytest.mark.slow
def test_a_limit_next_to_the_end_of_its_range_has_no_plan(mean_study) -> None:
    changes = {c.quantity: c for c in limits(planner.solve(mean_study(12.5, budget=1.0)))}
    assert 0.99 < changes["failure"].to < 1
    assert changes["failure"].plan is None


@pytest.mark.slow
def test_room_is_how_far_a_feasible_study_can_tighten(mean_study) -> None:
    study = mean_study(12.5, planner.MaxParticipants(30_000))
    left = limits(planner.solve(study))
    assert {c["quantity"] for c in left} == {
        "base_cost", "budget", "error", "failure", "participants"
    }  # fmt: skip
    for change in left:
        assert change["to"] == planner.limit(study, change["quantity"])
        tightened = with_value(study, change["quantity"], change["to"])
        assert planner.solve(tightened).verdict == "feasible"
    assert not limits(planner.solve(mean_study(254.8))).feasible


def test_no_subnormal_stands_for_none() -> None:
    mwem = planner.Mwem(universe_size=256, queries=100)
    study = planner.Study(
        mwem,
        planner.Accuracy(0.05, 0.05),
        planner.Individual(1.0),
        [planner.Budget(700), planner.MaxParticipants(3)],
    )
    assert planner.limit(study, "base_cost") == 0  # e^ε has no float: only nothing is paid for
    answer = planner.solve(study)
    change = next(c for c in planner.limits(answer) if c["quantity"] == "base_cost")
    assert change["to"] == 0
    assert change["plan"]["cost"] == 0
    uses_delta = planner.Study(
        planner.MwemApproximate(2, 1),
        planner.Accuracy(0.4, 0.058),
        planner.Individual(0.0149, 40.0),
        [planner.MaxParticipants(4), planner.Delta(0.001)],
    )
    least = planner.limit(uses_delta, "delta")
    assert (least, least.attained) == (0, False)


@pytest.mark.parametrize("quantity", ["delta", "epsilon"])
def test_least_values_are_proved(quantity) -> None:
    study = planner.Study(
        planner.MwemApproximate(32768, 10_000, constant="printed"),
        planner.Accuracy(0.3698973011511725, 0.0006080324177279197),
        planner.Individual(2.0, 3.295395749715504),
        [planner.MaxParticipants(955), planner.EpsilonAtMost(10.0), planner.Delta(0.0135)],
    )
    least = planner.limit(study, quantity)
    assert planner.solve(with_value(study, quantity, least)).verdict == "feasible"
    less = with_value(study, quantity, least * (1 - 1e-6))
    assert planner.solve(less).verdict == "infeasible"


def test_a_largest_cost_that_proofs_do_not_reach_is_stepped_back_from_but_little() -> None:
    study = planner.Study(
        planner.MwemApproximate(3, 50, constant="derived"),
        planner.Accuracy(0.4, 4e-9),
        planner.Individual(0.0518, 0.0518),
        [planner.Budget(3.948279041071405e211), planner.MaxParticipants(53), planner.Delta(0.01)],
    )
    assert planner.limit(study, "worst_cost") > 3.7e205


@pytest.mark.slow
def test_the_best_noise_goes_as_far_as_the_one_that_goes_further() -> None:
    questions = [planner.Share("smokes", error=0.1), planner.Share("drinks", error=0.12)]
    study = planner.Study(
        planner.AddedNoise(),
        planner.Survey(questions, failure=0.1),
        planner.Individual(1.0, 50.0),
        [planner.Budget(500.0), planner.MaxParticipants(300), planner.Delta(1e-6)],
        planner.Costs(per_person=0.5),
    )
    for quantity, better in (("base_cost", max), ("smokes.error", min)):
        alone = [planner.limit(one, quantity) for one in each(study)]
        assert planner.limit(study, quantity) == better(alone)
        assert alone[0] != alone[1]


@pytest.mark.slow
def test_the_least_failure_where_more_epsilon_fails_more_often() -> None:
    # of two people ε must be at least 1/2; they are right where one of them reports the property
    harm = planner.MaxHarm(0.21978108690251186)
    study = planner.Study(
        planner.RandomizedResponse("exact", (0.4, 0.9)),
        planner.Accuracy(0.5, 0.6),
        planner.Individual(0.11, 0.2),
        [harm, planner.MaxParticipants(4), planner.EpsilonAtLeastOneOverN()],
    )
    share = 0.5 + (0.9 - 0.5) * math.tanh(1 / 4)
    off = 1 - 2 * share * (1 - share)
    assert planner.limit(study, "failure") == pytest.approx(off, rel=1e-6)
    beyond = planner.solve(with_value(study, "failure", off * 0.999))
    assert beyond.verdict == "undecided"  # rules of the checker exclude by money alone


@pytest.mark.slow
def test_the_limit_of_reports_is_where_the_best_of_all_sizes_ends() -> None:
    # sizes that are a few dozen apart are nearly as good, those between them are not
    study = planner.Study(
        planner.RandomizedResponse("exact"),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5),
        [planner.Budget(150_000)],
        planner.Costs(per_person=5.0, overhead=2_000.0),
    )
    furthest = planner.limit(study, "base_cost")
    sizes = np.arange(1_380, 1_430)
    epsilon = study.mechanism.epsilon_floor(sizes, 0.05, 0.05)
    largest = (148_000 / sizes - 5) / np.expm1(epsilon)
    assert furthest == pytest.approx(largest.max(), rel=1e-6)


@pytest.mark.parametrize("mechanism", [planner.LaplaceMean(), planner.LaplaceMean("hoeffding")])
def test_a_study_that_costs_nothing_needs_no_budget(mechanism) -> None:
    study = planner.Study(mechanism, planner.Accuracy(0.1, 0.05), planner.Individual(0.0))
    assert planner.solve(study).cost == 0
    assert planner.limit(study, "budget") == 0.0


@pytest.mark.slow
def test_a_fixed_delta_that_costs_too_much_is_relaxed_to_a_smaller_one() -> None:
    dear = planner.Study(
        planner.GaussianMean(),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5, 1e6),
        [planner.Delta(1e-4), planner.Budget(30_000.0)],
        planner.Costs(per_person=5.0),
    )
    found = {change.quantity: change for change in planner.limits(dear)}
    assert 0 < found["delta"].to < 1e-4
    assert found["delta"].plan["cost"] <= 30_000


def test_the_error_of_a_census_of_values_can_fall_to_what_noise_adds() -> None:
    """The checker does not prove such plans, which are computed: so are their limits."""
    census = planner.Study(
        planner.LaplaceMean(),
        planner.Accuracy.of_values(0.33, 0.0, 10.0, 0.1),
        planner.Individual(10.0, 1000.0),
        sampling=planner.Sampling(population=300),
        costs=planner.Costs(smallest_coin=0.01),
    )
    assert planner.solve(census, prove=False).participants == 300
    assert float(planner.limit(census, "error")) < 1e-3


@pytest.mark.parametrize("conditions", [(), (planner.DeltaTimesNAtMost(0.01),)])
def test_gaussian_noise_with_a_free_delta_reaches_any_accuracy(conditions) -> None:
    """With N people δ is at most 0.01/N, which never ends, and neither does N·ε."""
    share = planner.Study(
        planner.GaussianMean(), planner.Accuracy(0.05, 0.05), planner.Individual(1.0, 1000.0),
        conditions=conditions,
    )  # fmt: skip
    survey = planner.Survey([planner.Share("x", 0.078), planner.Share("y", 0.1)], failure=0.05)
    several = dataclasses.replace(share, target=survey, mechanism=planner.AddedNoise("gaussian"))
    for study, quantity in ((share, "error"), (several, "times_error"), (several, "failure")):
        end = planner.limit(study, quantity)
        assert (float(end), end.attained) == (0.0, False)
    capped = dataclasses.replace(share, conditions=(*conditions, planner.MaxParticipants(2000)))
    assert 0.01 < float(planner.limit(capped, "error")) < 0.05
    with_no_delta = dataclasses.replace(share, conditions=(planner.Delta(0.0),))
    assert planner.limit(with_no_delta, "error") is None
