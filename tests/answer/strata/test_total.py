"""One answer for all people of a study with strata: sizes and noise, their proof, their files."""

import json
import math
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom, hypergeom, laplace

import planner
from planner.answer.answers import TotalPlan
from planner.answer.strata.as_one_mean import AsOne, Drawn, noisy_mean
from planner.answer.strata.proof_of_total import wrong_of_total
from planner.explanation.results.rows import answer_rows
from planner.mechanisms.sample import Sample
from planner.model.strata import Stratum
from planner.study_file.answer_file import sealed

PERSON = planner.Individual(12.5, 1274.0)
COSTS = planner.Costs(per_person=5.0)
FOUR = [
    Stratum(name, share=share) for name, share in zip("ABCD", (0.1, 0.2, 0.3, 0.4), strict=True)
]


def study(strata, *conditions, costs=COSTS, **more) -> planner.Study:
    target = more.pop("target", planner.Accuracy(0.05, 0.05))
    mechanism = more.pop("mechanism", planner.LaplaceMean())
    return planner.Study(mechanism, target, PERSON, conditions, costs, strata=strata, **more)


def equal(count: int) -> list[Stratum]:
    """So many strata of one size."""
    return [Stratum(f"s{k}", people=10**9) for k in range(count)]


@pytest.mark.slow
def test_strata_in_proportion_need_hardly_more_people_than_one_sample() -> None:
    """Of 1,875 and 625 people within 5 points at 90 %: 312 without strata, once 584 with."""
    strata = [Stratum("majority", people=1875), Stratum("minority", people=625)]
    person, costs = planner.Individual(5.0, 500.0), planner.Costs(per_person=4.0)
    accuracy = planner.Accuracy(0.05, 0.1)
    plan = planner.solve(
        planner.Study(planner.LaplaceMean(), accuracy, person, (), costs, strata=strata)
    )
    assert isinstance(plan, TotalPlan)
    assert plan.participants <= 380
    assert plan.strata[0].participants == 3 * plan.strata[1].participants
    assert plan.proof.checked
    assert "any values" in plan.proof.statement


def test_a_cap_that_does_not_bind_changes_no_plan() -> None:
    """Sizes are read together, and what is known of rare ones must not spoil that of others."""
    strata = [Stratum("A", people=9000), Stratum("B", people=4000)]
    rare = planner.LaplaceMean(mean_range=(0.03, 0.1))
    free = planner.Study(
        rare, planner.Accuracy(0.04, 0.05), conditions=[planner.EpsilonAtMost(1.0)],
        sampling=planner.Sampling(response_rate=0.7), strata=strata,
    )  # fmt: skip
    capped = replace(free, conditions=(*free.conditions, planner.MaxParticipants(2000)))
    plans = [planner.solve(one, prove=False) for one in (free, capped)]
    assert plans[0].participants == plans[1].participants < 500
    assert plans[0].scale == plans[1].scale
    assert plans[0].invitations == sum(one.invitations for one in plans[0].strata)
    rows = dict(answer_rows(plans[1]))
    assert rows["unused"] == f"{2000 - plans[1].participants:,} of 2,000 participants"
    epsilon = float(re.search(r"epsilon_at_most=([\d.]+)\.", rows["note"])[1])
    fewer = replace(free, conditions=(planner.EpsilonAtMost(epsilon),))
    assert planner.solve(fewer, prove=False).participants <= 1.11 * plans[0].participants


@pytest.mark.slow
def test_a_range_of_means_needs_fewer_people() -> None:
    rare = planner.LaplaceMean(mean_range=(0.0, 0.1))
    assert planner.solve(study(FOUR, mechanism=rare)).cost < planner.solve(study(FOUR)).cost / 1.5


@pytest.mark.slow
def test_it_costs_what_a_mean_of_any_values_costs() -> None:
    plan = planner.solve(study(equal(6)))
    one = replace(study(equal(6)), strata=(), mechanism=planner.LaplaceMean(values="any"))
    assert plan.cost == pytest.approx(planner.solve(one).cost, rel=2e-3)


@pytest.mark.slow
def test_no_number_of_people_is_cheaper() -> None:
    """Other numbers in proportion, each with the most noise that the bound allows."""
    strata = [Stratum("A", share=0.2), Stratum("B", share=0.3, per_person=15.0),
              Stratum("C", share=0.5, base_cost=25.0)]  # fmt: skip
    plan = planner.solve(study(strata))
    shares = np.array([0.2, 0.3, 0.5])
    price, fear = np.array([5.0, 15.0, 5.0]), np.array([12.5, 12.5, 25.0])
    mean, costs = planner.LaplaceMean(values="any"), []
    for people in range(plan.participants // 2 // 10 * 10, 2 * plan.participants, 10):
        epsilon = mean.epsilon_floor(people, 0.05, 0.05)
        costs.append(people * np.sum(shares * (price + fear * np.expm1(epsilon))))
    assert plan.cost < min(costs) * 1.002


def test_samples_out_of_proportion_fail_no_more_often_than_the_bound() -> None:
    """Exact sums over the counts of two strata, of any proportions, at any noise."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        first, second = (int(n) for n in rng.integers(2, 40, 2))
        weight, error, scale = (
            rng.uniform(0.05, 0.95),
            rng.uniform(0.05, 0.4),
            rng.uniform(0.005, 0.2),
        )
        sizes = ((Fraction(weight), first), (1 - Fraction(weight), second))
        of = AsOne.of(
            [Drawn.of(w, Sample(), n, None) for w, n in sizes], Fraction(error), (0.0, 1.0)
        )
        bound = float(noisy_mean([of]).failure(
            np.array(float(of.counts) / scale), np.array(float(of.values)),
            np.array(error / float(of.spread)),
        ))  # fmt: skip
        for p, q in rng.uniform(0, 1, (8, 2)):
            each = ((range(n + 1), n, mean) for n, mean in ((first, p), (second, q)))
            chances = np.outer(*(binom.pmf(*one) for one in each))
            answer = weight * np.arange(first + 1)[:, None] / first
            answer = answer + (1 - weight) * np.arange(second + 1) / second
            off = answer - weight * p - (1 - weight) * q
            failing = laplace.sf(error - off, scale=scale) + laplace.sf(error + off, scale=scale)
            assert np.sum(chances * failing) <= bound + 1e-9


@pytest.mark.slow
def test_the_answer_is_as_accurate_as_promised() -> None:
    plan = planner.solve(study(FOUR))
    rng, runs = np.random.default_rng(5), 40_000
    answers = rng.laplace(0, plan.scale, runs)
    for share, stratum in zip(plan.strata, FOUR, strict=True):
        people = share.participants
        answers += stratum.share * rng.binomial(people, 0.5, runs) / people
    assert np.mean(np.abs(answers - 0.5) >= 0.05) < 0.05
    assert not list(wrong_of_total(plan))


@pytest.mark.slow
def test_people_lose_by_their_weight() -> None:
    plan = planner.solve(study(FOUR))
    for share, stratum in zip(plan.strata, FOUR, strict=True):
        exact = Fraction(repr(stratum.share)) / share.participants / Fraction(repr(plan.scale))
        assert Fraction(repr(share.epsilon)) >= exact
        assert share.epsilon == pytest.approx(float(exact), rel=1e-6)


@pytest.mark.slow
def test_conditions_hold_or_nothing_is_claimed() -> None:
    free = planner.solve(study(FOUR))
    cap = planner.MaxParticipants(int(free.participants * 0.95))
    fewer = planner.solve(study(FOUR, cap))
    assert fewer.participants <= cap.n
    assert fewer.cost > free.cost
    poor = planner.solve(study(FOUR, planner.Budget(free.cost * 0.999)))
    assert poor.verdict == "undecided"
    assert "The cheapest that was found costs" in poor.proof.statement
    assert planner.solve(study(FOUR, planner.Budget(free.cost * 1.001))).verdict == "feasible"
    free_people = planner.solve(study(FOUR, costs=planner.Costs(overhead=100.0)))
    assert free_people.verdict == "undecided"
    assert "Give per_person" in free_people.proof.statement
    many = [replace(stratum, min_participants=10**9) for stratum in FOUR]
    assert planner.solve(study(many, planner.MaxParticipants(10**9))).verdict == "undecided"
    few = [replace(stratum, max_participants=30) for stratum in FOUR]
    assert planner.solve(study(few)).verdict == "undecided"


@pytest.mark.slow
@pytest.mark.slow
def test_what_a_proof_has_no_room_for_is_computed() -> None:
    """A proof needs some people more; within a budget without them the plan is not proved."""
    people = zip("ABCDE", (12_000, 30_000, 8_000, 50_000, 20_000), strict=True)
    asked = planner.Study(
        planner.LaplaceMean(), planner.Accuracy(0.03, 0.1376), planner.Individual(20.0, 2000.0),
        (), planner.Costs(8.0, smallest_coin=0.01),
        strata=[Stratum(name, people=many) for name, many in people],
    )  # fmt: skip
    proved, cheapest = planner.solve(asked), planner.solve(asked, prove=False)
    assert proved.proof.checked
    assert cheapest.cost < proved.cost
    within = replace(asked, conditions=[planner.Budget((cheapest.cost + proved.cost) / 2)])
    plan = planner.solve(within)
    assert (plan.verdict, plan.cost, plan.proof.checked) == ("feasible", cheapest.cost, False)
    assert planner.limit(within, "failure").value <= 0.1376
    seen = planner.check(plan)
    assert seen.holds
    assert any("the checker does not prove it" in words for words in seen.unchecked)


def test_values_have_errors_in_their_unit() -> None:
    target = planner.Accuracy.of_values(3.0, 0.0, 60.0, 0.05)
    plan = planner.solve(study(FOUR, target=target))
    share = planner.solve(study(FOUR))
    assert plan.cost == pytest.approx(share.cost, rel=1e-6)
    assert plan.scale == pytest.approx(60 * share.scale, rel=1e-6)
    assert planner.check(plan).holds


@pytest.mark.slow
def test_a_plan_is_saved_read_and_checked(tmp_path) -> None:
    path = tmp_path / "plan.json"
    plan = planner.solve(study(FOUR, costs=replace(COSTS, overhead=100.0)))
    plan.save(path)
    again = planner.read_answer(path)
    assert again == plan
    assert planner.check(again).holds
    first, *rest = plan.strata
    for wrong, words in (
        (replace(plan, participants=9), "participants = 9"),
        (replace(plan, cost=plan.cost - 1), "cost = "),
        (replace(plan, scale=plan.scale * 1.1), "bound on the probability of a larger error"),
        (replace(plan, strata=(replace(first, epsilon=0.01), *rest)), "Stratum 'A'"),
        (replace(plan, strata=(replace(first, cost=1.0), *rest)), "its cost is higher"),
        (replace(plan, strata=(replace(first, compensation=1.0), *rest)), "the payment is"),
        (replace(plan, strata=(replace(first, invitations=1), *rest)), "invitations = None"),
        (replace(plan, strata=tuple(rest)), "not of the strata"),
    ):
        found = planner.check(wrong)
        assert not found.holds
        assert any(words in said for said in found.wrong), (words, found.wrong)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: study([replace(FOUR[0], error=0.1), *FOUR[1:]]), "either the strata have errors"),
        (lambda: study(FOUR, mechanism=planner.GeometricMean()), "has Laplace noise"),
    ],
)  # fmt: skip
def test_what_is_not_planned_is_one_sentence(make, words: str) -> None:
    with pytest.raises(ValueError, match=words) as error:
        make()
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_it_shows_itself() -> None:
    shown = str(planner.solve(study(FOUR)))
    assert "one noise on the weighted sum" in shown


@pytest.mark.slow
def test_very_many_different_strata_are_planned() -> None:
    many = [Stratum(f"s{k}", people=1000 + k) for k in range(61)]
    assert planner.solve(study(many)).proof.checked


@pytest.mark.slow
@pytest.mark.parametrize(
    "strata",
    [equal(6), [Stratum("A", people=900), Stratum("B", people=5000), Stratum("C", people=400)],
     [Stratum("A", share=0.1), Stratum("B", share=0.9, per_person=20.0)]],
    ids=["six alike", "small ones", "unequal"],
)  # fmt: skip
def test_the_runs_keep_to_the_promise_and_show_too_little_noise(strata) -> None:
    """At each plan the failures are as rare as promised; with ten times the noise they are not."""
    plan = planner.solve(study(strata))
    found = planner.simulate(plan, runs=20_000)
    assert found.consistent
    assert found.promised == 0.05
    noisy = replace(plan, scale=10 * plan.scale)
    assert not planner.simulate(noisy, runs=20_000).consistent


@pytest.mark.slow
@pytest.mark.parametrize("coin", [0.01, 0.5])
def test_coins_cost_one_more_for_each_person_at_most(coin) -> None:
    strata = [Stratum("City", share=0.7), Stratum("Country", share=0.3, per_person=20.0)]
    free = planner.solve(study(strata))
    paid = planner.solve(study(strata, costs=replace(COSTS, smallest_coin=coin)))
    assert free.cost <= paid.cost <= free.cost + coin * free.participants


@pytest.mark.slow
@pytest.mark.parametrize("cap", ["epsilon", "harm"])
def test_a_ceiling_that_binds_is_kept_by_more_people(cap) -> None:
    strata = [Stratum("A", share=0.7), Stratum("B", share=0.3, per_person=20.0)]
    free = planner.solve(study(strata))
    most = 0.9 * max(one.compensation for one in free.strata)
    ceiling = {
        "epsilon": planner.EpsilonAtMost(round(0.9 * free.epsilon, 4)),
        "harm": planner.MaxHarm(round(most, 2)),
    }[cap]
    kept = planner.solve(study(strata, ceiling))
    assert kept.proof.checked
    assert free.participants < kept.participants < 1.3 * free.participants


@pytest.mark.slow
def test_a_plan_of_an_earlier_version_is_read(tmp_path) -> None:
    plan, path = planner.solve(study(FOUR)), tmp_path / "plan.json"
    plan.save(path)
    data = json.loads(path.read_text("utf-8"))
    data["plan"]["moment"] = 50.0  # by which an earlier version bounded
    del data["digest"]
    path.write_text(json.dumps(sealed(data)), "utf-8")
    assert planner.read_answer(path).participants == plan.participants


@pytest.mark.slow
@pytest.mark.parametrize("people", [40, 60, 200, 600])
def test_small_populations_are_asked_in_large_part(people) -> None:
    """Those who are left out err as much as those who are asked: exact sums, near the worst."""
    strata = [Stratum("a", people=3 * people // 4), Stratum("b", people=people // 4)]
    plan = planner.solve(study(strata, target=planner.Accuracy(0.05, 0.1)))
    assert plan.verdict == "feasible"
    assert plan.proof.checked
    whole, rest = 3 * people // 4, people // 4
    n, m = (one.participants for one in plan.strata)
    assert n <= whole
    assert m <= rest
    worst = 0.0
    for p, q in ((0.5, 0.5), (0.5, 0.1), (0.3, 0.7), (0.4, 0.5)):
        ones, others = round(p * whole), round(q * rest)
        chances = np.outer(
            hypergeom.pmf(range(n + 1), whole, ones, n),
            hypergeom.pmf(range(m + 1), rest, others, m),
        )
        answer = 0.75 * np.arange(n + 1)[:, None] / n + 0.25 * np.arange(m + 1) / m
        off = answer - 0.75 * ones / whole - 0.25 * others / rest
        failing = laplace.sf(0.05 - off, scale=plan.scale) + laplace.sf(
            0.05 + off, scale=plan.scale
        )
        worst = max(worst, float(np.sum(chances * failing)))
    assert 0.04 < worst <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize(("width", "error"), [(0.375, 0.02), (0.625, 0.03)])
def test_the_range_is_that_of_its_decimals(width, error) -> None:
    """Far from 0 a difference of floats is another one: nobody may lose more for that."""
    low, high = 1e15, 1e15 + width
    plan = planner.solve(study(FOUR, target=planner.Accuracy.of_values(error, low, high, 0.05)))
    exact = Fraction(repr(high)) - Fraction(repr(low))
    assert exact != Fraction(width)
    for share, stratum in zip(plan.strata, FOUR, strict=True):
        moved = Fraction(repr(stratum.share)) * exact / share.participants
        assert Fraction(repr(share.epsilon)) * Fraction(repr(plan.scale)) >= moved
    assert planner.check(plan).holds


@pytest.mark.parametrize(("city", "rest"), [(20, 4), (1, 1)])
def test_of_a_census_the_noise_alone_is_off(city, rest) -> None:
    """All are asked: e^(−T/b) is the failure, and a person moves the answer by 1/N."""
    strata = [Stratum("a", people=city), Stratum("b", people=rest)]
    most = planner.EpsilonAtMost(40.0)
    plan = planner.solve(study(strata, most, target=planner.Accuracy(0.05, 0.05)))
    assert [one.participants for one in plan.strata] == [city, rest]
    assert plan.proof.checked
    exact = math.log(1 / 0.05) / (0.05 * (city + rest))
    assert exact <= plan.epsilon <= exact * 1.001
