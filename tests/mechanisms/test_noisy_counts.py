"""Studies by noisy counts: plans beside textbooks, sums over both counts and simulated tables."""

import dataclasses
import math

import numpy as np
import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.answer.problem.vary import with_value
from planner.mechanisms.noisy_counts import ErrorOfDifference, PowerOfGroups, PowerOfOne, sizes_of
from planner.study_file.writer import as_toml
from tests.mechanisms.test_z_test import law, rejects


def study(target, *conditions, base_cost=0.0, **costs):
    """A study by noisy counts; by default nobody is paid."""
    costs = costs or {"per_person": 0.5}
    person = planner.Individual(base_cost, 100.0)
    return planner.Study(
        planner.NoisyCounts(), target, person, conditions, planner.Costs(**costs)
    )  # fmt: skip


RARE = planner.Difference(baseline=0.02, change=0.01, power=0.8, significance=0.05, sides=2)
COMMON = planner.Difference(baseline=0.3, change=0.1, power=0.8, significance=0.05, sides=2)


@pytest.mark.parametrize(
    ("target", "people"),
    # reference: power.prop.test of R 4.3, twice the people of a group; binomial formulas by hand
    [(RARE, 7651), (COMMON, 712), (dataclasses.replace(COMMON, sides=1), 561),
     (planner.Power(null=0.3, alternative=0.35), 534)],
)  # fmt: skip
def test_without_noise_it_is_the_textbook_s_size(target, people):
    assert target.floor.without_noise == people


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "epsilon", "people"),
    # reference: the sizes that are asked of the program, without privacy 7,651 and 712
    [(RARE, 1.0, 7900), (COMMON, 0.5, 800)],
)
def test_two_groups_need_few_people_more_than_without_privacy(target, epsilon, people):
    plan = planner.solve(study(target, planner.EpsilonAtMost(epsilon)))
    assert plan.participants <= people
    assert plan.epsilon <= epsilon
    assert plan.power >= 0.8
    assert not plan.proof.checked
    assert "Computed, but not proved" in plan.proof.statement


@pytest.mark.slow
@pytest.mark.parametrize(
    "target",
    [
        planner.Difference(baseline=0.3, change=0.3),
        planner.Difference(baseline=0.6, change=-0.3, sides=2, ratio=2.0),
        planner.Difference(baseline=0.4, change=0.0, margin=0.3),
        planner.Difference(baseline=0.5, change=0.02, margin=0.35, equivalence=True, ratio=0.5),
    ],
    ids=["one side", "two sides, unequal", "margin", "equivalence"],
)
def test_a_plan_has_its_power_by_sums_over_both_counts(target):
    plan = planner.solve(study(target, base_cost=1.0))
    floor = plan.study.power.floor
    test = floor.test(plan.epsilon, plan.participants)
    assert sorted((test.first, test.second)) == sorted(sizes_of(plan.participants, target.ratio))
    critical = test.critical()
    power = rejects(test, *floor.alternative, critical)
    assert plan.power == pytest.approx(power, abs=1e-9)
    assert 0.8 <= power < 0.83
    alone = dataclasses.replace(test, equivalence=False)
    for share in (0.05, 0.3, 0.6):
        if share + target.margin <= 1:
            size = rejects(alone, share, share + target.margin, critical)
            assert size <= target.significance / target.sides * 1.02


def test_ratio_and_direction_are_those_of_the_first_group():
    """Two people of the second group for each of the first; the second proportion is lower."""
    target = planner.Difference(baseline=0.6, change=-0.3, ratio=2.0)
    test = target.floor.test(1.0, 300)
    assert sizes_of(300, 2.0) == (100, 200)
    assert (test.first, test.second) == (100, 200)
    assert target.floor.alternative == (0.6, 0.3)
    upwards = planner.Difference(baseline=0.3, change=0.3, ratio=2.0).floor
    assert (upwards.test(1.0, 300).first, upwards.alternative) == (200, (0.6, 0.3))
    assert sizes_of(7, 1.0) == (4, 3)


@pytest.mark.slow
def test_what_is_known_of_the_proportions_saves_people():
    """No critical value guards against rare properties that nobody expects."""
    known = dataclasses.replace(COMMON, baseline_range=(0.25, 0.45))
    cap = planner.EpsilonAtMost(0.3)
    least, most = (planner.solve(study(one, cap)).participants for one in (known, COMMON))
    assert 712 < least < most


@pytest.mark.slow
@pytest.mark.parametrize(("null", "alternative", "sides"), [(0.3, 0.4, 1), (0.3, 0.2, 2)])
def test_one_proportion_is_tested_by_its_noisy_count(null, alternative, sides):
    target = planner.Power(null=null, alternative=alternative, sides=sides)
    plan = planner.solve(study(target, base_cost=12.5, per_person=5.0))
    values, chances = law(plan.participants, alternative, plan.epsilon)
    under, likely = law(plan.participants, null, plan.epsilon)
    edges = target.floor.edges(plan.epsilon, plan.participants)
    side = "more" if alternative > null else "less"
    reject = values >= edges[side] if side == "more" else values <= edges[side]
    assert plan.power == pytest.approx(chances[reject].sum(), abs=1e-10)
    wrong = [
        likely[under >= at if end == "more" else under <= at].sum() for end, at in edges.items()
    ]
    assert max(wrong) <= 0.05 / sides
    assert len(wrong) == sides
    assert f"if the noisy count is {edges[side]}" in str(plan) or sides == 2


def off(first, second, epsilon, error, pairs):
    """How often a difference is off at the worst of some pairs, summed over both counts."""
    worst = 0.0
    for p, q in pairs:
        (x, chances), (y, others) = law(first, p, epsilon), law(second, q, epsilon)
        apart = np.abs(x[:, None] / first - y / second - p + q) >= error - 1e-12
        worst = max(worst, float(chances @ apart @ others))
    return worst


@pytest.mark.parametrize(("first", "second", "epsilon", "error"), [
    (40, 40, 1.0, 0.3), (30, 60, 0.8, 0.3), (60, 60, 0.4, 0.25), (25, 26, 1.5, 0.4)])  # fmt: skip
def test_the_error_of_a_difference_at_the_worst_pair(first, second, epsilon, error):
    found = ErrorOfDifference(error, 0.05).failing_of(epsilon, first, second)
    shares = np.linspace(0.2, 0.8, 7)
    pairs = [(p, q) for p in shares for q in shares]
    pairs += [(0.5, 0.5 + k / second / 16) for k in range(-16, 17)]
    assert found == pytest.approx(off(first, second, epsilon, error, pairs), rel=3e-3)


@pytest.mark.slow
def test_the_least_epsilon_is_close_to_the_first_that_does():
    """It suffices, and 2 % less does not."""
    floors = (
        PowerOfGroups(0.3, 0.2, 0.8, 0.05), PowerOfOne(0.3, 0.45, 0.9, 0.01, 2),
        ErrorOfDifference(0.2, 0.05, 3.0),
    )  # fmt: skip
    for floor in floors:
        people = int(1.3 * floor.without_noise)
        least = float(floor.epsilon(people, 0.0))
        assert floor.achieved(least, people, 0.0) <= floor.allowed
        assert floor.achieved(0.98 * least, people, 0.0) > floor.allowed
        assert math.isinf(floor.epsilon(floor.without_noise // 2, 0.0))


def test_what_a_public_mechanism_computes_broadcasts():
    mechanism = planner.NoisyCounts()
    failures = mechanism.failure_probability(np.array([0.5, 1.0]), 400, 0.15)
    assert failures.shape == (2,)
    assert failures[0] > failures[1]
    least = mechanism.epsilon_floor(400, 0.15, 0.05)
    assert mechanism.failure_probability(least, 400, 0.15) <= 0.05
    assert 0 < mechanism.n_epsilon_floor(0.15, 0.05) < 400 * least


@pytest.mark.slow
def test_where_more_people_cost_nothing_more_are_asked():
    """A thousand million people stand for more."""
    plan = planner.solve(study(COMMON, base_cost=12.5, overhead=1.0))
    assert not plan.attained
    assert plan.least_cost < plan.cost <= 1.011 * plan.least_cost
    huge = COMMON.floor
    assert huge.epsilon(4e9, 0.0) == pytest.approx(huge.epsilon(1e9, 0.0) / 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cap", "verdict", "words"),
    [(planner.MaxParticipants(600), "infeasible", "600 people do not do, however large"),
     (planner.Budget(300.0), "infeasible", "600 people do not do, however large"),
     (planner.EpsilonAtMost(0.01), "undecided", "there is none is not proved"),
     (planner.MaxParticipants(1), "infeasible", "one person does not do")],
)  # fmt: skip
def test_what_is_not_found_is_not_proved(cap, verdict, words):
    # of so many people the test does without noise
    most = [planner.MaxParticipants(800)] if isinstance(cap, planner.EpsilonAtMost) else []
    answer = planner.solve(study(COMMON, cap, *most))
    assert answer.verdict == verdict
    assert not answer.proof.checked
    assert words in answer.proof.statement


@pytest.mark.slow
def test_no_fewer_people_do_than_are_planned():
    target = planner.Difference(baseline=0.5, change=0.2, power=0.9, significance=0.05)
    capped = study(target, planner.EpsilonAtMost(1.0), per_person=0.0)
    plan = planner.solve(capped)
    assert planner.solve(capped, minimise="participants").participants == plan.participants
    floors = target.floor.epsilon(np.arange(150.0, plan.participants), 0.0)
    assert (floors > 1.0).all()
    assert planner.limit(capped, "participants").value == plan.participants


@pytest.mark.slow
def test_a_budget_far_under_the_least_cost_is_not_undecided():
    least = planner.solve(study(COMMON, base_cost=12.5)).cost
    little, nearly = (
        planner.solve(study(COMMON, planner.Budget(part * least), base_cost=12.5))
        for part in (0.7, 0.995)
    )
    assert little.verdict == "infeasible"
    assert not little.proof.checked
    assert "the cheapest study that was found costs about" in little.proof.statement
    assert nearly.verdict == "undecided"


def test_a_minimum_over_a_cap_is_refused_by_comparison():
    answer = planner.solve(
        study(COMMON, planner.MinParticipants(900), planner.MaxParticipants(800))
    )
    assert answer.verdict == "infeasible"
    assert answer.proof.checked


@pytest.mark.slow
def test_simulated_plans_miss_as_often_as_computed():
    for target in (RARE, planner.Difference(error=0.2, failure=0.1, ratio=3.0)):
        plan = planner.solve(study(target, planner.EpsilonAtMost(1.0)))
        found = planner.simulate(plan, runs=20_000, seed=3)
        assert found.consistent > 1e-4


@pytest.mark.slow
def test_a_file_and_back(tmp_path):
    targets = (
        planner.Difference(baseline=0.5, change=0.02, margin=0.3, equivalence=True, ratio=0.5),
        planner.Difference(error=0.2, failure=0.05, ratio=3.0),
        planner.Power(null=0.3, alternative=0.4),
    )
    for target in targets:
        asked = study(target)
        path = tmp_path / "study.toml"
        path.write_text(as_toml(asked.to_dict()), encoding="utf-8")
        assert planner.read_study(path) == asked
    plan = planner.solve(asked)
    plan.save(tmp_path / "plan.json")
    assert planner.read_answer(tmp_path / "plan.json").epsilon == plan.epsilon
    assert planner.check(plan).holds
    assert "unproved" in plan.certificate()


@pytest.mark.slow
def test_quantities_of_tests_can_be_varied():
    known = study(planner.Difference(baseline=0.5, change=0.02, margin=0.3, equivalence=True))
    assert with_value(known, "change", 0.25).target.change == pytest.approx(0.05)
    more = with_value(study(COMMON), "change", 0.2)
    assert more.target.change == pytest.approx(0.2)
    sizes = [planner.solve(with_value(study(COMMON), "power", x)).participants for x in (0.7, 0.9)]
    assert sizes[0] < sizes[1]
    floor = problem_of(more).goals[0].floor
    assert floor == more.target.floor


def test_refused():
    for given, words in [
        ({"change": 0.0}, "change = 0 is no difference"),
        ({"change": 0.8}, "not a proportion"),
        ({"margin": 0.1, "sides": 2}, "give sides = 1"),
        ({"change": 0.2, "margin": 0.1, "equivalence": True}, "not equivalent"),
        ({"equivalence": True}, "needs a margin"),
        ({"change": -0.1, "margin": 0.1}, "give a change over -0.1"),
        ({"baseline_range": (0.4, 0.6)}, "does not contain the proportion 0.3"),
        ({"power": 0.5}, "not over 0.5"),
        ({"significance": 0.5}, "give less than 0.5"),
        ({"ratio": 0.0}, "ratio"),
    ]:
        with pytest.raises(ValueError, match=words):
            planner.Difference(**{"baseline": 0.3, "change": 0.1} | given)


def test_what_does_not_test_is_refused():
    with pytest.raises(ValueError, match='kind = "noisy-counts", not laplace-mean'):
        planner.Study(planner.LaplaceMean(), COMMON, planner.Individual(1.0))
    with pytest.raises(ValueError, match="compares two groups, or a proportion with a value"):
        planner.solve(study(planner.Accuracy(0.1, 0.05)))
    sampling = planner.Sampling(design_effect=2.0)
    with pytest.raises(ValueError, match="one by one"):
        dataclasses.replace(study(COMMON), sampling=sampling)


def test_the_size_is_read_where_the_second_group_is_over_by_the_margin():
    test = PowerOfGroups(0.5, 0.0, 0.8, 0.05, margin=0.1).test(5.0, 400)
    [size] = test.sizes(np.array([0.4]), 1.6)
    again = test.rejects(np.array([0.4]), np.array([0.5]), 1.6)[0]
    assert size == again < 0.1
