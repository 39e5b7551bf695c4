"""Tests without a curator, against direct sums over who has the property and what they report."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import scipy

import planner
from planner.answer.problem.vary import with_value
from planner.cli import run
from planner.comparison.curator import counterpart
from planner.explanation.rejection import rejection
from planner.explanation.running.practice import opendp_call
from planner.mechanisms.reports import card
from planner.publication.decision import decide
from planner.publication.items import Item
from planner.simulation.power import PowerRuns
from planner.study_file.writer import as_toml


def study(alternative=0.5, power=0.8, sides=1, conditions=(), per_person=5.0, **mechanism):
    """A test whether more than three in ten have a property, of which nobody holds the records."""
    return planner.Study(
        mechanism=planner.RandomizedResponse(**mechanism),
        target=planner.Power(0.3, alternative, power, 0.05, sides),
        individual=planner.Individual(base_cost=12.5, worst_cost=1274.0),
        conditions=conditions,
        costs=planner.Costs(per_person=per_person, overhead=2000.0),
    )


def law_of_reports(people, share, truth):
    """The chances of each number of people who report yes: over how many have the property."""
    law, counts = np.zeros(people + 1), np.arange(people + 1)
    for true, chance in enumerate(scipy.stats.binom.pmf(counts, people, share)):
        said = scipy.stats.binom.pmf(np.arange(true + 1), true, truth)
        others = scipy.stats.binom.pmf(np.arange(people - true + 1), people - true, 1 - truth)
        law += chance * np.convolve(said, others)
    return law


def best_power(people, null, alternative, significance, truth):
    """That of the likelihood-ratio test of the reports, by chance at the edge."""
    under, over = (law_of_reports(people, share, truth) for share in (null, alternative))
    order = np.argsort(-over / np.maximum(under, 1e-300), kind="stable")
    size, power = 0.0, 0.0
    for k in order:
        part = min(1.0, (significance - size) / under[k]) if under[k] else 1.0
        size, power = size + part * under[k], power + part * over[k]
        if part < 1:
            break
    return power


@pytest.mark.parametrize(
    ("people", "epsilon", "null", "alternative", "significance", "sides"),
    [(1, 0.7, 0.2, 0.9, 0.1, 1), (30, 1.3, 0.3, 0.7, 0.05, 1), (60, 0.4, 0.6, 0.1, 0.2, 1),
     (90, 2.0, 0.5, 0.8, 0.05, 2), (40, 5.0, 0.0, 0.3, 0.01, 1)],
)  # fmt: skip
def test_no_test_of_the_reports_is_more_powerful(
    people, epsilon, null, alternative, significance, sides
):
    """The power is that of the best test of all reports, by the lemma of Neyman and Pearson."""
    target = planner.Power(null, alternative, 0.5, significance, sides)
    floor = planner.RandomizedResponse().floor_of_test(target.tested, study().sample)
    truth = float(card.truthful(epsilon))
    expected = best_power(people, null, alternative, significance / sides, truth)
    assert 1 - floor.achieved(epsilon, people, 0.0) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_the_cheapest_plan_is_that_of_a_scan():
    """Each N and its least ε by bisection of direct sums; N, ε, cost and power are the least."""
    plan, best = planner.solve(study()), (math.inf, 0, 0.0)
    for people in range(plan.participants - 25, plan.participants + 26):
        low, high = 0.5, 1.0
        while high - low > 1e-10:
            truth = (low + high) / 2
            reports = [1 - truth + share * (2 * truth - 1) for share in (0.3, 0.5)]
            level = scipy.stats.binom.isf(0.05, people, reports[0])
            at, over = (
                f(level, people, reports[0]) for f in (scipy.stats.binom.pmf, scipy.stats.binom.sf)
            )
            power = scipy.stats.binom.sf(level, people, reports[1])
            power += (0.05 - over) / at * scipy.stats.binom.pmf(level, people, reports[1])
            low, high = (low, truth) if power >= 0.8 else (truth, high)
        growth = high / (1 - high)
        best = min(best, (people * (12.5 * (growth - 1) + 5) + 2000, people, math.log(growth)))
    assert plan.proof.checked
    assert plan.participants == best[1]
    assert plan.cost == pytest.approx(best[0], rel=1e-6)
    assert plan.epsilon == pytest.approx(best[2], rel=1e-6)
    assert 0.8 <= plan.power < 0.80001


@pytest.mark.slow
@pytest.mark.parametrize("per_person", [0.0, 5.0])
@pytest.mark.parametrize("alternative", [0.5, 0.1])
def test_a_little_less_money_is_refuted(per_person, alternative):
    """Budgets a ten thousandth under the least cost are infeasible, with a proof; over it not."""
    given = study(alternative, per_person=per_person)
    cost = planner.solve(given).least_cost
    for part, verdict in ((1 - 1e-4, "infeasible"), (1 + 1e-6, "feasible")):
        answer = planner.solve(with_value(given, "budget", cost * part))
        assert answer.verdict == verdict
        assert answer.proof.checked or verdict == "feasible"


def test_more_people_than_the_best_cost_more():
    """Without money for each person, too, there is a best number, which limits say is reached."""
    poor = with_value(study(per_person=0.0), "budget", 2500.0)
    end = planner.limit(poor, "budget")
    assert end.attained
    assert planner.solve(with_value(poor, "budget", end.value)).verdict == "feasible"


def test_the_test_keeps_its_significance_and_power():
    """Simulated with the card, at the null value and at the alternative."""
    plan, rng, runs = planner.solve(study()), np.random.default_rng(11), 100_000
    tested = PowerRuns.of(plan)
    null, other = (
        tested.rejects(rng, shares, runs).mean()
        for shares in (plan.study.power.tested.null, plan.study.power.tested.alternative)
    )
    for found, share in ((null, 0.05), (other, plan.power)):
        assert abs(found - share) < 4.5 * math.sqrt(share * (1 - share) / runs)
    assert "report the truth with probability" in tested.words
    assert planner.simulate(plan, runs=2_000, seed=1).verdict == "consistent"


def test_the_rule_is_of_the_reports():
    """It names a number of reports about N(q + μ(p − q)), and is printed and run with OpenDP."""
    plan = planner.solve(study())
    rule = rejection(plan)
    assert "the number of people who report yes is over" in rule
    level = int(rule.split(" is over ")[1].split(",")[0])
    mean = plan.participants * float(1 - plan.card.truth + (2 * plan.card.truth - 1) * 3 / 10)
    assert mean < level < mean + 3 * math.sqrt(plan.participants)
    call = opendp_call(plan)
    assert "make_randomized_response_bool" in call
    assert "the test rejects 0.3" in call


def test_p_values_are_uniform_at_the_null_value():
    """For each number of reports the p-value is a line in u: a level or less for a part of it."""
    people, truth = 80, card.truthful(1.0)
    power = planner.Power(0.3, 0.5)
    asked = Item("answer", "share", 0.2, 0.05, "answer", None, people, truth=truth, other=1 - truth)
    chances = law_of_reports(people, 0.3, float(truth))
    ends = [
        [decide(power, asked, (k / people - float(1 - truth)) / float(2 * truth - 1), u).p_value
         for u in (-0.5, 0.5)]
        for k in range(people + 1)
    ]  # fmt: skip
    low, high = np.sort(ends, axis=1).T
    for level in (0.01, 0.05, 0.3):
        part = np.clip((level - low) / np.maximum(high - low, 1e-300), 0, 1)
        assert chances @ part == pytest.approx(level, abs=1e-6)


def test_it_is_published_once_and_checked(tmp_path, capsys):
    """From the study file to the results: the decision is that of the planned rule."""
    file, plan_file = tmp_path / "study.toml", tmp_path / "plan.json"
    file.write_text(as_toml(study(conditions=[planner.Budget(1e5)]).to_dict()))
    assert run(["solve", str(file), "-o", str(plan_file)]) == 0
    plan = json.loads(plan_file.read_text())["plan"]
    people = plan["participants"]
    reports = tmp_path / "reports.csv"
    reports.write_text("yes\n" + "1\n" * (people // 2) + "0\n" * (people - people // 2))
    results, ledger = tmp_path / "results.json", tmp_path / "ledger.json"
    given = ["--column", "yes", "-o", str(results), "--ledger", str(ledger)]
    assert run(["publish", str(plan_file), str(reports), *given]) == 0
    assert run(["check", str(results), "--plan", str(plan_file)]) == 0
    (answer,) = json.loads(results.read_text())["answers"]
    assert answer["test"]["rejected"] == (answer["test"]["p_value"] <= 0.05)
    assert answer["scale"] is None
    capsys.readouterr()


def test_compare_reads_the_test_without_a_curator():
    """The counterpart of a test with a curator, and the other way round."""
    by_reports = study(conditions=[planner.Budget(1e5)])
    with_curator = by_reports.by(planner.CountTest())
    assert counterpart(with_curator) == by_reports
    assert counterpart(by_reports) == with_curator
    trust = planner.compare(with_curator).trust
    assert trust.no_curator.cost == planner.solve(by_reports).cost
    assert trust.money == pytest.approx(trust.no_curator.cost - trust.curator.cost)
    groups = planner.Difference(baseline=0.3, change=0.2, baseline_range=(0.2, 0.6))
    of_groups = planner.Study(planner.CountTest(), groups, by_reports.individual)
    assert counterpart(of_groups).mechanism == planner.RandomizedResponse()
    narrow = replace(groups, baseline=0.1, baseline_range=(0.1, 0.4))
    assert counterpart(replace(of_groups, target=narrow)) is None


@pytest.mark.parametrize(
    ("given", "words"),
    [({"analysis": "hoeffding"}, "leave analysis and mean_range out"),
     ({"mean_range": (0.2, 0.4)}, "leave analysis and mean_range out")],
)  # fmt: skip
def test_what_a_test_of_reports_refuses(given, words):
    """One sentence each."""
    with pytest.raises(ValueError, match=words):
        study(**given)
    for no_half in ({"baseline_range": (0.2, 0.45)}, {"margin": 0.05}):
        with pytest.raises(ValueError, match="where both may have a proportion of 1/2; leave"):
            planner.Study(
                planner.RandomizedResponse(),
                planner.Difference(baseline=0.3, change=0.1, **no_half),
                planner.Individual(base_cost=1.0),
            )
