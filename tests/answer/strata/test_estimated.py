"""Estimates of two groups of any sizes, against sums over both counts in matrices of all pairs."""

import math
from dataclasses import replace

import numpy as np
import pytest

import planner
from planner import Stratum
from planner.answer.answers import TotalPlan
from planner.answer.strata.estimated import error_with, failure_with, without_privacy
from planner.explanation.papers.methods import methods
from planner.explanation.papers.sheet import markdown
from planner.mechanisms.exact.error_of_difference import ErrorOfDifference
from planner.publication.check_results import check_results
from tests.answer.strata.pairs_of_counts import off

TWO = (Stratum("treated", per_person=30.0), Stratum("control"))


def study(*conditions, strata=(), mechanism=None, **target) -> planner.Study:
    """The difference of two offers within ten percentage points."""
    return planner.Study(
        mechanism or planner.LaplaceMean(),
        planner.Difference(**{"error": 0.1, "failure": 0.05, **target}),
        planner.Individual(12.5, 1274.0),
        conditions,
        costs=planner.Costs(per_person=5.0, overhead=2000.0),
        strata=strata,
    )


def sizes_of(plan):
    """The people of both groups."""
    first, second = (one.participants for one in plan.strata)
    return first, second


@pytest.fixture(scope="module")
def twice() -> TotalPlan:
    return planner.solve(study(ratio=2.0))


CASES = [
    ((40, 90), 0.02, 0.2), ((300, 11), 0.3, 0.6), ((60, 60), 0.05, 0.2), ((7, 3), 0.2, 0.8),
    ((90, 31), 0.004, 0.17), ((250, 500), 1e-3, 0.08),
]  # fmt: skip


@pytest.mark.parametrize(("sizes", "scale", "error"), CASES)
def test_the_sum_is_at_least_the_exact_law_and_close_to_it(sizes, scale, error) -> None:
    law = ErrorOfDifference(*sizes, scale, error)
    known = off(sizes, scale, 0.5, 0.5, error)
    assert known <= law.often() < 1.03 * known + 1e-12
    rng = np.random.default_rng(1)
    for _ in range(40):
        low = rng.uniform(0, 1, (1, 2)) ** rng.choice([1, 3])
        high = np.minimum(low + rng.uniform(0, 0.1, (1, 2)) ** rng.choice([1, 3]), 1)
        over = law._over(low, high)[1][0]
        for at in (low[0], high[0], rng.uniform(low, high)[0]):
            assert off(sizes, scale, *at, error) <= over * (1 + 1e-12)


@pytest.mark.parametrize(("sizes", "scale", "error"), CASES[:4])
def test_a_proof_holds_for_all_pairs_of_proportions(sizes, scale, error) -> None:
    law = ErrorOfDifference(*sizes, scale, error)
    grid = np.linspace(0, 1, 41)
    most = max(off(sizes, scale, p, q, error) for p in grid for q in grid)
    assert not law.seldom(most * 0.999)
    allowed = law.often() * 1.003
    assert law.seldom(allowed)
    assert most <= allowed


def test_equal_groups_are_as_their_own_analysis_has_them() -> None:
    """It counts the second group the other way round, and needs neither sums of terms nor cells."""
    plan = planner.solve(study())
    each = plan.participants // 2
    law = ErrorOfDifference(each, each, 1 / (each * plan.epsilon), 0.1)
    assert 0.05 * 0.999 < law.often() < 0.05 * 1.002


def test_a_plan_keeps_its_error_its_ratio_and_its_price(twice) -> None:
    first, second = sizes = sizes_of(twice)
    assert twice.proof.checked
    assert twice.exact
    assert second == 2 * first
    rng = np.random.default_rng(2)
    pairs = [(0.5, 0.5), *rng.uniform(0, 1, (40, 2)), *rng.uniform(0.45, 0.55, (40, 2))]
    most = max(off(sizes, twice.scale, *pair, 0.1) for pair in pairs)
    assert 0.05 * 0.995 < most <= 0.05
    for one in twice.strata:
        assert one.epsilon >= 1 / (one.participants * twice.scale)
        assert one.compensation == pytest.approx(12.5 * math.expm1(one.epsilon), rel=1e-9)
    # a ratio of 2 takes the same variance from 9/8 of the people, whose payments fall with ε
    equal = planner.solve(study())
    assert equal.cost < twice.cost < 9 / 8 * equal.cost
    by_moments = planner.solve(study(ratio=2.0, mechanism=planner.LaplaceMean("hoeffding")))
    assert by_moments.participants > 1.5 * twice.participants
    assert "Computed with all rounding bounded" in twice.proof.statement


def test_without_a_ratio_it_is_the_cheapest() -> None:
    plan = planner.solve(study(strata=TWO))
    first, second = sizes_of(plan)
    assert second > 1.5 * first
    costs = [planner.solve(study(strata=TWO, ratio=second / first * by)).cost for by in (0.8, 1.25)]
    assert plan.cost <= min(costs) * 1.001
    compared = planner.compare(plan)
    assert compared.cost.most < plan.cost
    assert compared.allocations[1].cost > plan.cost
    # of a normal difference (1/n₁ + 1/n₂)·1.96²/4 is 0.1², least where n₂/n₁ is √7
    people, _ = without_privacy(plan.study, (35.0, 5.0))
    assert 1 <= people / (96.04 * (1 + 1 / math.sqrt(7)) * (1 + math.sqrt(7))) < 1.02


def test_means_are_planned_by_a_bound(twice) -> None:
    plan = planner.solve(
        planner.Study(
            planner.LaplaceMean(),
            planner.Difference.of_values(10.0, 0.0, 100.0, 0.05, ratio=2.0),
            planner.Individual(12.5),
            costs=planner.Costs(per_person=5.0, overhead=2000.0),
        )
    )
    first, second = sizes_of(plan)
    assert second == 2 * first
    assert not plan.exact
    at, scale = plan.moment, plan.scale / 100
    bound = 2 * math.exp(-at * 0.1 + at**2 / 8 * (1 / first + 1 / second)) / (1 - (at * scale) ** 2)
    assert 0.05 * 0.99 < bound <= 0.05 * (1 + 1e-12)
    assert plan.participants > twice.participants


def test_fewer_people_have_a_larger_error(twice) -> None:
    first, second = sizes = sizes_of(twice)
    assert error_with(sizes, twice.scale, 0.05) <= 0.1 * (1 + 1e-6)
    fewer, scale = (first - 40, second - 80), twice.scale * second / (second - 80)
    error = error_with(fewer, scale, 0.05)
    assert error > 0.11
    assert off(fewer, scale, 0.5, 0.5, error) <= 0.05
    missed = failure_with(fewer, scale, 0.1)
    assert 0.08 < off(fewer, scale, 0.5, 0.5, 0.1) <= missed < 0.12


def test_a_plan_that_states_too_much_is_refused(twice) -> None:
    assert planner.check(twice).holds
    first, second = twice.strata
    for wrong, words in (
        (replace(twice, scale=twice.scale * 1.02), "passed as seldom as stated"),
        (replace(twice, scale=twice.scale * 0.99), "lose more than"),
        (replace(twice, failure=0.04), "0.05 is asked for"),
        (replace(twice, moment=1.0), "over what is allowed"),
        (replace(twice, strata=(first, replace(second, participants=400))), "in the ratio"),
    ):
        assert any(words in sentence for sentence in planner.check(wrong).wrong)


@pytest.mark.parametrize("given", [{"ratio": 2.5}, {"strata": TWO}, {"ratio": 2.0, "strata": TWO}])
def test_plans_are_saved_and_read(given, tmp_path) -> None:
    plan = planner.solve(study(**given))
    plan.save(tmp_path / "plan.json")
    assert planner.read_answer(tmp_path / "plan.json") == plan


@pytest.mark.slow
def test_an_estimate_is_published_and_checked(twice, tmp_path) -> None:
    rng = np.random.default_rng(8)
    for name, left_out in (("all", 0), ("few", 40)):
        rows = ["stratum,answer"]
        for one, share in zip(twice.strata, (0.5, 0.3), strict=True):
            people = one.participants - left_out
            rows += [f"{one.name},{int(x)}" for x in rng.random(people) < share]
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(rows) + "\n", "utf-8")
        done = planner.publish(
            twice, path, column="answer", ledger=tmp_path / f"{name}.sqlite", most_error="40%"
        )
        (one,) = done.answers
        assert (one.name, one.kind, one.low, one.high) == ("difference", "difference", -1.0, 1.0)
        assert (one.error == 0.1) == (left_out == 0)
        assert abs(one.answer - 0.2) < 0.25
        sizes = tuple(n.participants - left_out for n in twice.strata)
        assert off(sizes, one.scale, 0.5, 0.5, one.error) <= 0.05
        assert not check_results(done, twice).wrong
        wrong = replace(done, answers=(replace(one, error=one.error * 0.99),))
        assert check_results(wrong, twice).wrong
    assert one.planned_error == 0.1
    assert off(sizes, one.scale, 0.5, 0.5, 0.1) <= one.planned_failure < 0.15


def test_documents_speak_of_a_difference(twice) -> None:
    words = markdown(methods(twice))
    assert "the difference of their proportions with one Laplace noise" in words
    assert "whatever the proportions of the groups are" in words
    run = planner.simulate(twice, runs=4000, seed=3)
    assert run.verdict == "consistent"
    assert set(run.questions) == {"difference"}
    assert "difference of their means" in run.simulated


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mechanism": planner.RandomizedResponse()}, "with a curator"),
        ({"mechanism": planner.AddedNoise("geometric")}, "laplace-mean"),
        ({"mechanism": planner.LaplaceMean(mean_range=(0.2, 0.4))}, "mean_range"),
    ],
)
def test_what_is_not_planned_is_refused(given, message) -> None:
    with pytest.raises(ValueError, match=message):
        study(ratio=2.0, **given)


@pytest.mark.parametrize("error", [0.6, 0.8, 1.0])
@pytest.mark.parametrize("failure", [0.1, 0.4])
def test_wide_errors_are_planned_exactly(error, failure) -> None:
    """Of a huge sample the noise alone counts, whose root rounding may miss."""
    plan = planner.solve(study(ratio=2.0, error=error, failure=failure))
    assert plan.exact
    assert off(sizes_of(plan), plan.scale, 0.5, 0.5, error) <= failure


@pytest.mark.parametrize("most", [470, 500, 503])
def test_places_for_few_people_are_kept(most) -> None:
    plan = planner.solve(study(planner.MaxParticipants(most), ratio=2.0))
    assert most - 3 < plan.participants <= most
    own = (Stratum("a", per_person=3.0), Stratum("b", max_participants=170))
    assert planner.solve(study(strata=own)).strata[1].participants <= 170


def test_proportions_of_0_and_1_lose_no_digits() -> None:
    law = ErrorOfDifference(1, 5, 0.0024, 0.358)  # ε of 400 and 80
    for one, other in ((0.0, 0.8), (1.0, 0.2), (0.0, 0.0), (1.0, 0.0)):
        at = np.array([[one, other]])
        assert law._over(at, at)[1][0] >= off((1, 5), 0.0024, one, other, 0.358)
    assert not ErrorOfDifference(250, 250, 1e-4, 1.0).seldom(1e-300)


def test_where_doubles_hold_no_bound_none_is_stated() -> None:
    """With next to no noise the exponents are beyond doubles; a search then looks elsewhere."""
    law = ErrorOfDifference(47, 127, 2.8e-9, 0.323)
    assert law.often() == math.inf
    assert not law.seldom(0.9)
    plan = planner.solve(study(error=0.323, failure=1e-4, strata=(Stratum("a"), Stratum("b"))))
    assert plan.exact
    assert plan.proof.checked
